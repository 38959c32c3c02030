/** A whole file at once, as a script sends it. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { begin, commit, match, users, valuesOf } from '../../../../test/builders/imports.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace } = await startApp()

type Sent = { type?: string; encoding?: string; body: string | Buffer }

const send = async (ws: Workspace, id: string, { type = 'text/csv', encoding, body }: Sent) =>
  ws.admin.post(`/enrichment/imports/${id}/file`, undefined, {
    raw: body,
    headers: { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) },
  })

async function formOf(entries: Record<string, string | Blob>): Promise<Sent & { type: string; body: Buffer }> {
  const form = new FormData()
  for (const [name, value] of Object.entries(entries)) form.append(name, value)
  const response = new Response(form)
  return { type: response.headers.get('content-type') ?? '', body: Buffer.from(await response.arrayBuffer()) }
}

const taken = async (ws: Workspace, id: string, sent: Sent) => expectStatus(await send(ws, id, sent), 200).data
const countOf = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`/enrichment/imports/${id}`), 200).data.counts.rows

const LINES = ['id,a,b', 'U,"one, ""two""\nthree",1', 'V,أحمد,2', '', 'W,=1+1,3,extra']

test('a file is staged as its rows would be, and again changes nothing', async () => {
  const ws = await workspace()
  await users(ws, 'U', 'V')
  const id = await begin(ws.admin, { names: { a: 'string', b: 'number' } })
  const file = { body: LINES.join('\n') }
  assert.deepEqual(await taken(ws, id, file), { staged: 3, skipped: 0, counts: { rows: 3, rejected: 1 } })
  assert.deepEqual(await taken(ws, id, file), { staged: 0, skipped: 3, counts: { rows: 3, rejected: 1 } })
  const dryRun = await match(ws.admin, id)
  assert.deepEqual([dryRun.counts.matched, dryRun.rejectReasons], [2, { too_many_cells: 1 }])
  assert.equal((await send(ws, id, file)).status, 409, 'it is matched')
  await commit(ws.admin, id)
  assert.deepEqual(await valuesOf(ws, 'U'), { a: 'one, "two"\nthree', b: 1 })
  assert.deepEqual(await valuesOf(ws, 'V'), { a: 'أحمد', b: 2 })
})

test('separators, encodings, packed files and forms are understood', async () => {
  const ws = await workspace()
  await users(ws, 'U')
  const text = 'id,a\nU,سلام\n'
  const utf16 = (mark: number[], swap: boolean) => {
    const bytes = Buffer.from(text, 'utf16le')
    return Buffer.concat([Buffer.from(mark), swap ? bytes.swap16() : bytes])
  }
  const form = await formOf({ note: 'not a file', file: new Blob([text]) })
  const files: Sent[] = [
    { body: text.replaceAll(',', ';') },
    { body: text.replaceAll(',', '\t') },
    { body: text.replaceAll(',', '|') },
    { body: `\ufeff${text}` },
    { body: `sep=;\r\n${text.replaceAll(',', ';')}` },
    { body: `\ufeffsep=,\n${text}` },
    { body: utf16([0xff, 0xfe], false) },
    { body: utf16([0xfe, 0xff], true) },
    { type: 'text/csv; charset=windows-1256', body: Buffer.from([...Buffer.from('id,a\nU,'), 0xd3, 0xe1, 0xc7, 0xe3, 0x0a]) },
    { encoding: 'gzip', body: gzipSync(text) },
    { type: 'application/x-www-form-urlencoded', body: text },
    form,
    { type: form.type, encoding: 'gzip', body: gzipSync(form.body) },
  ]
  for (const [index, file] of files.entries()) {
    const id = await begin(ws.admin)
    assert.deepEqual(await taken(ws, id, file), { staged: 1, skipped: 0, counts: { rows: 1, rejected: 0 } }, String(index))
    await match(ws.admin, id)
    await commit(ws.admin, id)
    assert.deepEqual(await valuesOf(ws, 'U'), { a: 'سلام' }, String(index))
  }
})

test('what is no file of this import is refused in words, and nothing of it is stored', async () => {
  const ws = await workspace()
  const id = await begin(ws.admin)
  const row = 'U,1\n'
  const packed = gzipSync(`id,a\n${Array.from({ length: 5_000 }, (_, at) => `${at},${randomBytes(8).toString('hex')}`).join('\n')}`)
  const form = await formOf({ file: new Blob([`id,a\n${row.repeat(5_000)}`]) })
  const refused: [status: number, words: RegExp, Sent][] = [
    [400, /headings of the import: id, a/, { body: `id,b\n${row}` }],
    [400, /headings/, { body: `id,a,b\n${row}` }],
    [400, /headings/, { type: 'application/json', body: '{"rows":[]}' }],
    [400, /no rows/, { body: 'id,a\n' }],
    [400, /no rows/, { body: '' }],
    [400, /not in utf-8/, { body: Buffer.from([...Buffer.from(`id,a\n${row.repeat(5_000)}`), 0xff]) }],
    [400, /no text/, { body: Buffer.from('id,a\nU,\0\n') }],
    [400, /Excel/, { body: Buffer.from('PK\x03\x04rest') }],
    [400, /never closed/, { body: `id,a\n${row.repeat(5_000)}U,"1` }],
    [400, /^Line 3: the row is longer than 1000000 characters$/, { body: `id,a\nU,1\n${','.repeat(1_100_000)}\nV,1\n` }],
    [400, /^Line 2: the row is longer than 1000000 characters$/, { body: `id,a\n${'x'.repeat(2_000_000)}` }],
    [400, /longer than/, { body: `id,a\n${row}U,${'x'.repeat(1_200_000)}\n` }],
    [400, /charset/, { type: 'text/csv; charset=klingon', body: `id,a\n${row}` }],
    [400, /cut off/, { encoding: 'gzip', body: packed.subarray(0, -2_000) }],
    [400, /cut off/, { encoding: 'gzip', body: `id,a\n${row}` }],
    [400, /cut off/, { encoding: 'gzip', type: form.type, body: gzipSync(form.body).subarray(0, -30) }],
    [400, /cut off/, { encoding: 'gzip', type: form.type, body: form.body }],
    [400, /cut off/, { type: form.type, body: form.body.subarray(0, -40) }],
    [400, /cut off/, { type: 'multipart/form-data', body: `id,a\n${row}` }],
    [400, /cut off|no file/, { type: 'multipart/form-data; boundary=x', body: `id,a\n${row}` }],
    [400, /no file/, await formOf({ note: 'x' })],
    [415, /gzip/, { encoding: 'br', body: `id,a\n${row}` }],
    [400, /at most 200000 rows/, { body: `id,a\n${row.repeat(200_001)}` }],
    [413, /larger than/, { encoding: 'gzip', body: gzipSync(`id,a\n${row.repeat(25_000_001)}`) }],
  ]
  for (const [status, words, sent] of refused) {
    const answer = await send(ws, id, sent)
    assert.equal(answer.status, status, `${words}: ${JSON.stringify(answer.body)}`)
    assert.match(answer.body.error, words)
    assert.equal(answer.body.success, false)
  }
  assert.equal(await countOf(ws, id), 0)
  const other = await workspace()
  assert.equal((await send(other, id, { body: `id,a\n${row}` })).status, 404)
})
