import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, test } from 'node:test'
import { zipOf, type ZipFile } from './zip-stream.ts'

const folder = mkdtempSync(join(tmpdir(), 'cf-zip-'))
after(() => rmSync(folder, { recursive: true }))

const AT = new Date('2026-03-04T05:06:08Z')

async function bytesOf(files: ZipFile[]): Promise<Buffer> {
  const all = async function* () {
    yield* files
  }
  const pieces: Buffer[] = []
  for await (const piece of zipOf(all(), AT)) pieces.push(piece)
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
