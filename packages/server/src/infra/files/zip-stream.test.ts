import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { zipOf, type ZipFile, type ZipLimits } from './zip-stream.ts'

const folder = mkdtempSync(join(tmpdir(), 'cf-zip-'))
after(() => rmSync(folder, { recursive: true }))

const AT = new Date('2026-03-04T05:06:08Z')

async function bytesOf(files: ZipFile[], limits?: ZipLimits): Promise<Buffer> {
  const all = async function* () {
    yield* files
  }
  const pieces: Buffer[] = []
  for await (const piece of zipOf(all(), AT, limits)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** What `unzip`, which checks every sum, makes of a file: its names with their texts, and what it says of them. */
function unzip(bytes: Buffer): { files: Record<string, string>; list: string } {
  const [path, into] = [join(folder, 'file.zip'), mkdtempSync(join(folder, 'files-'))]
  writeFileSync(path, bytes)
  const run = (...args: string[]) => spawnSync('unzip', args, { encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } })
  const { status, stdout, stderr } = run('-q', path, '-d', into)
  assert.equal(status, 0, `${stdout}${stderr}`)
  const names = readdirSync(into, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = names.map((entry) => join(entry.parentPath, entry.name))
  const files = Object.fromEntries(paths.map((each) => [relative(into, each), readFileSync(each, 'utf8')]))
  return { files, list: run('-l', path).stdout }
}

test('another program reads every file, name and moment of it', async () => {
  const long = Array.from({ length: 3_000 }, (_, index) => `line ${index} ${'é'.repeat(index % 50)}\n`)
  const bytes = await bytesOf([
    { name: 'person.json', content: ['{"name":"', 'سارة', '"}'] },
    { name: 'events.csv', content: long },
    { name: 'empty.txt', content: [] },
  ])
  const { files, list } = unzip(bytes)
  assert.deepEqual(files, { 'person.json': '{"name":"سارة"}', 'events.csv': long.join(''), 'empty.txt': '' })
  assert.match(list, /2026-03-04 05:06 +person\.json/)
  assert.ok(bytes.length < long.join('').length / 2, 'it is compressed')
})

test('what cannot be read ends it with that error, in the middle of a file', async () => {
  const broken = async function* () {
    yield 'the beginning'
    throw new Error('the database went away')
  }
  await assert.rejects(bytesOf([{ name: 'a.json', content: broken() }]), /the database went away/)
})

test('it is written as it is taken: a file that nobody asks for is not read', async () => {
  let read = 0
  const endless = async function* () {
    for (;;) {
      read++
      yield randomBytes(4_000).toString('base64')
    }
  }
  const files = async function* (): AsyncGenerator<ZipFile> {
    yield { name: 'endless.txt', content: endless() }
  }
  const zip = zipOf(files(), AT)
  let taken = 0
  while (taken < 1_000_000) taken += (await zip.next()).value?.length ?? 0
  await zip.return(undefined)
  assert.ok(read < 500, `${read} pieces were read for a megabyte`)
})

/** What Python makes of a file: names with sizes, and whether all that is read has its sum. */
function readByPython(bytes: Buffer, isWhole: boolean): { sizes: Record<string, number>; bad: string | null } {
  const path = join(folder, 'python.zip')
  writeFileSync(path, bytes)
  const script = `import json, sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
print(json.dumps({"sizes": {i.filename: i.file_size for i in z.infolist()}, "bad": z.testzip() if sys.argv[2] == "1" else z.read("last.txt").decode()}))`
  const { status, stdout, stderr } = spawnSync('python3', ['-c', script, path, isWhole ? '1' : '0'], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout)
}

test('where numbers have no room other programs read what stands in ZIP64: sizes, places, the number of files', async () => {
  const files = Array.from({ length: 30 }, (_, index) => ({ name: `${index}.txt`, content: [`${index} `.repeat(index * 20)] }))
  const expected = Object.fromEntries(files.map(({ name, content }) => [name, content.join('')]))
  for (const limits of [
    { bytes: 1, files: 1 },
    { bytes: 200, files: 65_535 },
    { bytes: 0xffff_ffff, files: 30 },
  ]) {
    const bytes = await bytesOf(files, limits)
    assert.notEqual(bytes.indexOf(Buffer.from('PK\u0006\u0006')), -1, 'it has an end of ZIP64')
    assert.deepEqual(unzip(bytes).files, expected)
    const { sizes, bad } = readByPython(bytes, true)
    assert.deepEqual([bad, sizes], [null, Object.fromEntries(Object.entries(expected).map(([name, text]) => [name, text.length]))])
  }
})

test('below 4 GiB nothing of ZIP64 is in it', async () => {
  const bytes = await bytesOf([{ name: 'a.txt', content: ['a'] }])
  for (const sign of ['PK\u0006\u0006', 'PK\u0006\u0007']) assert.equal(bytes.indexOf(Buffer.from(sign)), -1)
  assert.equal(bytes.readUInt16LE(4), 20, 'programs of version 2.0 read it')
})

/** Numbers of the directory's lines, as it is written, of a ZIP whose bytes were only counted. */
function directoryIn(end: Buffer, total: number) {
  const locator = end.lastIndexOf(Buffer.from('PK\u0006\u0007'))
  const record = Number(end.readBigUInt64LE(locator + 8)) - (total - end.length)
  assert.equal(end.readUInt32LE(record), 0x0606_4b50)
  const [count, offset] = [end.readBigUInt64LE(record + 32), Number(end.readBigUInt64LE(record + 48))]
  const lines: { name: string; size: bigint; packed: bigint; at: bigint }[] = []
  let at = offset - (total - end.length)
  for (let index = 0; index < Number(count); index++) {
    assert.equal(end.readUInt32LE(at), 0x0201_4b50)
    const [named, extra] = [end.readUInt16LE(at + 28), end.readUInt16LE(at + 30)]
    let from = at + 46 + named + 4
    const number = (short: number) => {
      if (short !== 0xffff_ffff) return BigInt(short)
      from += 8
      return end.readBigUInt64LE(from - 8)
    }
    const [size, packed] = [number(end.readUInt32LE(at + 24)), number(end.readUInt32LE(at + 20))]
    lines.push({ name: end.toString('utf8', at + 46, at + 46 + named), size, packed, at: number(end.readUInt32LE(at + 42)) })
    at += 46 + named + extra
  }
  return lines
}

test('a file of more than 4 GiB is one whose size other programs know, and what stands behind it is read', async () => {
  const piece = 'a'.repeat(4 << 20)
  const large = function* () {
    for (let left = 1_025; left > 0; left--) yield piece
  }
  const bytes = await bytesOf([
    { name: 'large.txt', content: large() },
    { name: 'last.txt', content: ['the end'] },
  ])
  const size = 1_025 * piece.length
  assert.ok(size > 0xffff_ffff)
  assert.deepEqual(readByPython(bytes, false), { sizes: { 'large.txt': size, 'last.txt': 7 }, bad: 'the end' })
  const listed = spawnSync('unzip', ['-l', join(folder, 'python.zip')], { encoding: 'utf8' }).stdout
  assert.match(listed, new RegExp(`${size} .*large\\.txt`))
  assert.equal(spawnSync('unzip', ['-p', join(folder, 'python.zip'), 'last.txt'], { encoding: 'utf8' }).stdout, 'the end')
})

/** Bytes that do not become smaller take minutes, so this is a test only where it is asked for: `CF_ZIP_GIB=5`. */
const gibibytes = Number(process.env['CF_ZIP_GIB'] ?? 0)
if (gibibytes > 0)
  test('files behind 4 GiB of others stand where the directory says', async () => {
    const piece = randomBytes(48 << 20).toString('base64')
    const files = async function* (): AsyncGenerator<ZipFile> {
      for (let index = 0; index < gibibytes * 22; index++) yield { name: `${index}.txt`, content: [piece] }
    }
    let [total, end] = [0, Buffer.alloc(0)]
    const heads = new Map<number, string>()
    for await (const bytes of zipOf(files(), AT)) {
      if (bytes.length > 30 && bytes.length < 60 && bytes.readUInt32LE(0) === 0x0403_4b50) heads.set(total, bytes.toString('utf8', 30))
      end = Buffer.concat([end, bytes]).subarray(-1_000_000)
      total += bytes.length
    }
    const lines = directoryIn(end, total)
    assert.ok(total > gibibytes * 2 ** 30)
    assert.deepEqual(
      lines.map(({ name, at }) => [name, Number(at)]),
      [...heads].map(([at, name]) => [name, at]),
    )
  })
