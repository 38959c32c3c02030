import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, advance, anyone, url } = await startApp()

async function arabicWorkspace(): Promise<Workspace> {
  const ws = await workspace()
  expectStatus(await ws.admin.post('/locales', { code: 'ar' }), 201)
  return ws
}

const asCsv = { headers: { 'content-type': 'text/csv' } }
const sendCsv = (ws: Workspace, raw: string | Uint8Array, headers = {}) =>
  ws.admin.post('/strings/imports', undefined, { raw, headers: { ...asCsv.headers, ...headers } })

async function importNow(ws: Workspace, csv: string): Promise<any> {
  const { importId } = expectStatus(await sendCsv(ws, csv), 201).data
  return expectStatus(await ws.admin.post(`/strings/imports/${importId}/apply`), 200).data
}

const catalogOf = async (ws: Workspace) =>
  expectStatus(await ws.admin.get('/strings?limit=200'), 200).data.strings.map((string: any) => ({
    ...string,
    createdAt: null,
    updatedAt: null,
    translations: Object.fromEntries(
      Object.entries(string.translations).map(([locale, { text, status }]: any) => [locale, [text, status]]),
    ),
  }))
const served = async (ws: Workspace, query = '?locale=ar') => expectStatus(await ws.app.get(`/strings${query}`), 200).data

test('M-STRS-36 M-STRS-39 G-40 a file is taken in, shown, applied and then served', async () => {
  const ws = await arabicWorkspace()
  const csv = 'key,namespace,description,sourceText,ar,xx\nhome.title,home,On top,Welcome,أهلا,\nbye,,,"Bye, ""you""\nall",,x\nlost,,,,ا,\n'
  const made = expectStatus(await ws.admin.post('/strings/imports', { csv, fileName: 'home.csv' }), 201).data
  assert.equal(made.status, 'pending')
  assert.equal(made.fileName, 'home.csv')
  assert.deepEqual(made.summary, {
    rows: 3,
    created: 2,
    updated: 0,
    unchanged: 0,
    overridden: 0,
    translationsWritten: 1,
    rejectedCount: 1,
    rejected: [{ line: 5, key: 'lost', reason: 'missing_source_text', message: 'a new key needs its source text' }],
    skippedLocales: ['xx'],
  })
  assert.deepEqual((await served(ws)).strings, {}, 'nothing is written yet')

  const applied = expectStatus(await ws.admin.post(`/strings/imports/${made.importId}/apply`), 200).data
  assert.equal(applied.status, 'applied')
  assert.deepEqual(applied.summary, made.summary)
  assert.deepEqual((await served(ws)).strings, { bye: 'Bye, "you"\nall', 'home.title': 'أهلا' })
  assert.deepEqual(
    (await catalogOf(ws)).map(({ key, namespace, description }: any) => [key, namespace, description]),
    [
      ['bye', 'app', ''],
      ['home.title', 'home', 'On top'],
    ],
  )
})

test('M-STRS-36 M-STRS-37 M-STRS-38 the separator, the mark and the name of the source column do not matter', async () => {
  const rows = [
    ['key', 'en', 'ar'],
    ['a', 'One', 'واحد'],
    ['b', 'Two', 'اثنان'],
  ]
  const catalogs = []
  for (const [separator, end, mark, source] of [
    [',', '\n', '', 'en'],
    [';', '\r\n', '\ufeff', 'EN'],
    ['\t', '\r', '', 'sourceText'],
  ] as const) {
    const ws = await arabicWorkspace()
    const csv = mark + rows.map((cells) => cells.join(separator)).join(end)
    const { summary } = await importNow(ws, csv.replace('en', source))
    assert.deepEqual([summary.created, summary.translationsWritten, summary.skippedLocales], [2, 2, []])
    catalogs.push(await catalogOf(ws))
  }
  assert.deepEqual(catalogs[1], catalogs[0])
  assert.deepEqual(catalogs[2], catalogs[0])
})

test('M-STRS-42 C-STR-38 C-STR-42 A-11 the status of translations follows the rules of a sync', async () => {
  const ws = await arabicWorkspace()
  await importNow(ws, 'key,en,ar\nk,Hi,ا')
  assert.equal((await served(ws)).strings.k, 'ا')

  await importNow(ws, 'key,en\nk,Hello')
  assert.deepEqual([(await served(ws)).strings.k, (await served(ws)).withheldKeys], ['Hello', ['k']])

  const same = await importNow(ws, 'key,en,ar\nk,Hello,ا')
  assert.deepEqual([same.summary.unchanged, same.summary.translationsWritten], [1, 0])
  assert.deepEqual((await served(ws)).withheldKeys, ['k'])

  await importNow(ws, 'key,ar\nk,ب')
  assert.deepEqual([(await served(ws)).strings.k, (await served(ws)).withheldKeys], ['ب', []])

  const both = await importNow(ws, 'key,en,ar\nk,Hey,ج')
  assert.deepEqual([both.summary.updated, both.summary.translationsWritten], [1, 1])
  assert.deepEqual([(await served(ws)).strings.k, (await served(ws)).withheldKeys], ['Hey', ['k']])
})

test('M-STRS-42 an import erases, hides and shows nothing, and the same file once more writes nothing', async () => {
  const ws = await arabicWorkspace()
  const csv = 'key,namespace,description,en,ar\na,shop,About,One,ا\nb,,,Two,ب'
  await importNow(ws, csv)
  expectStatus(await ws.admin.put('/strings/b', { hidden: true }), 200)
  expectStatus(await ws.admin.put('/strings/a/sensor', { enabled: true }), 200)
  const before = await catalogOf(ws)
  const etag = (await ws.app.get('/strings?locale=ar')).headers.get('etag')
  const { summary } = await importNow(ws, `${csv}\n`)
  assert.deepEqual([summary.created, summary.updated, summary.unchanged], [0, 0, 2])
  const blank = await importNow(ws, 'key,namespace,description,en,ar\na,,,,\n')
  assert.equal(blank.summary.unchanged, 1)
  assert.deepEqual(await catalogOf(ws), before)
  assert.equal((await ws.app.get('/strings?locale=ar')).headers.get('etag'), etag)
})

test('G-41 of rows with the same key the last one counts, over all parts of a large file', async () => {
  const ws = await arabicWorkspace()
  const filler = Array.from({ length: 4_100 }, (_, i) => `f${i},${i}`).join('\n')
  const { summary } = await importNow(ws, `key,en\nk,first\n${filler}\nk,last\n`)
  assert.deepEqual([summary.rows, summary.created, summary.overridden], [4_102, 4_101, 1])
  assert.equal((await served(ws)).strings.k, 'last')
})

test('M-STRS-41 M-ERR-13 M-LIMIT-13 one import of a workspace is pending; finishing it makes room for the next', async () => {
  const ws = await arabicWorkspace()
  const other = await arabicWorkspace()
  const first = expectStatus(await sendCsv(ws, 'key,en\na,A'), 201).data.importId
  const refused = expectStatus(await sendCsv(ws, 'key,en\nb,B'), 409)
  assert.equal(refused.body.code, 'IMPORT_ALREADY_PENDING')
  expectStatus(await sendCsv(ws, 'name\nb'), 400)
  expectStatus(await sendCsv(other, 'key,en\na,A'), 201)

  const cancelled = expectStatus(await ws.admin.delete(`/strings/imports/${first}`), 200).data
  assert.equal(cancelled.status, 'cancelled')
  expectStatus(await ws.admin.post(`/strings/imports/${first}/apply`), 409)
  expectStatus(await ws.admin.delete(`/strings/imports/${first}`), 409)
  assert.deepEqual((await served(ws)).strings, {})

  const second = expectStatus(await sendCsv(ws, 'key,en\nb,B'), 201).data.importId
  expectStatus(await ws.admin.post(`/strings/imports/${second}/apply`), 200)
  expectStatus(await ws.admin.post(`/strings/imports/${second}/apply`), 409)
  expectStatus(await ws.admin.delete(`/strings/imports/${second}`), 409)
  const list = expectStatus(await ws.admin.get('/strings/imports?limit=1'), 200)
  assert.deepEqual([list.data.imports[0].importId, list.body.metadata.total], [second, 2])
  const rest = expectStatus(await ws.admin.get(`/strings/imports?cursor=${list.body.metadata.nextCursor}`), 200)
  assert.deepEqual(
    rest.data.imports.map(({ importId, status }: any) => [importId, status]),
    [[first, 'cancelled']],
  )
})

test('M-STRS-41 of many files sent and applied at once one is taken each time', async () => {
  const ws = await arabicWorkspace()
  const sent = await Promise.all(Array.from({ length: 6 }, (_, i) => sendCsv(ws, `key,en\nk,${i}`)))
  assert.deepEqual(sent.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
  const id = sent.find(({ status }) => status === 201)?.data.importId
  const applied = await Promise.all(Array.from({ length: 4 }, () => ws.admin.post(`/strings/imports/${id}/apply`)))
  assert.deepEqual(applied.map(({ status }) => status).sort(), [200, 409, 409, 409])
})

test('G-40 a pending import lapses after 24 hours', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const { importId, createdAt, expiresAt } = expectStatus(await sendCsv(ws, 'key,en\na,A'), 201).data
  assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 24 * 3_600_000)
  await advance(23 * 3_600)
  const { token } = expectStatus(await anyone.post('/api/v1/auth/login', { email, password: PASSWORD }), 200).data
  ws.admin = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
  const before = expectStatus(await ws.admin.get(`/strings/imports/${importId}`), 200).data
  assert.deepEqual([before.status, before.rows.length], ['pending', 1])
  await advance(3_600)
  const after = expectStatus(await ws.admin.get(`/strings/imports/${importId}`), 200).data
  assert.deepEqual([after.status, after.rows, after.finishedAt], ['lapsed', [], expiresAt])
  expectStatus(await ws.admin.post(`/strings/imports/${importId}/apply`), 409)
  expectStatus(await ws.admin.delete(`/strings/imports/${importId}`), 409)
  const next = expectStatus(await sendCsv(ws, 'key,en\na,A'), 201).data
  assert.equal(expectStatus(await ws.admin.get(`/strings/imports/${importId}`), 200).data.status, 'lapsed')
  expectStatus(await ws.admin.post(`/strings/imports/${next.importId}/apply`), 200)
})

test('G-40 what each row would do is shown page by page, against what is stored at that moment', async () => {
  const ws = await arabicWorkspace()
  await importNow(ws, 'key,en,ar\na,A,ا\nb,B,ب')
  const csv = 'key,en,ar\na,A,ا\nb,X,\nnew,N,ن\nnone,,ا\n,Z,\nnew,N2,ن'
  const { importId, summary } = expectStatus(await sendCsv(ws, csv), 201).data
  const seen = []
  for (let cursor = ''; ;) {
    const answer = expectStatus(await ws.admin.get(`/strings/imports/${importId}?limit=2${cursor}`), 200)
    assert.equal(answer.body.metadata.total, 6)
    seen.push(...answer.data.rows)
    if (answer.body.metadata.nextCursor === null) break
    cursor = `&cursor=${answer.body.metadata.nextCursor}`
  }
  assert.deepEqual(
    seen.map(({ line, key, outcome, reason, sendsToReview, translations }: any) => [
      line,
      key,
      outcome,
      reason,
      sendsToReview,
      translations.length,
    ]),
    [
      [2, 'a', 'unchanged', null, false, 0],
      [3, 'b', 'updated', null, true, 0],
      [4, 'new', 'overridden', null, false, 0],
      [5, 'none', 'rejected', 'missing_source_text', false, 0],
      [6, '', 'rejected', 'missing_key', false, 0],
      [7, 'new', 'created', null, false, 1],
    ],
  )
  assert.deepEqual([summary.created, summary.updated, summary.unchanged, summary.overridden, summary.rejectedCount], [1, 1, 1, 1, 2])

  // Planned again when it is applied: b has that text meanwhile.
  expectStatus(await ws.admin.put('/strings/b', { sourceText: 'X' }), 200)
  const applied = expectStatus(await ws.admin.post(`/strings/imports/${importId}/apply`), 200).data
  assert.deepEqual([applied.summary.updated, applied.summary.unchanged], [0, 2])
  expectStatus(await ws.admin.get(`/strings/imports/${importId}?cursor=x`), 400)
})

test('M-STRS-40 M-LIMIT-13 20,000 rows are taken and 20,001 are not; 5 MB are taken and a byte more is not', async () => {
  const ws = await arabicWorkspace()
  const rows = (count: number) => `key,en\n${Array.from({ length: count }, (_, i) => `k${i},Text ${i}\n`).join('')}`
  const taken = expectStatus(await sendCsv(ws, rows(20_000)), 201).data
  assert.equal(taken.summary.created, 20_000)
  expectStatus(await ws.admin.delete(`/strings/imports/${taken.importId}`), 200)
  const refused = expectStatus(await sendCsv(ws, rows(20_001)), 400)
  assert.match(refused.body.error, /at most 20000 rows/)

  const file = (bytes: number) => `key,en\n${'k,x\n'.repeat(10)}l,${'y'.repeat(1_000)}\n`.padEnd(bytes, '\n')
  const large = expectStatus(await sendCsv(ws, file(5_000_000)), 201).data
  expectStatus(await ws.admin.delete(`/strings/imports/${large.importId}`), 200)
  expectStatus(await sendCsv(ws, file(5_000_001)), 413)
  expectStatus(await ws.admin.post('/strings/imports', { csv: file(5_000_001) }), 413)
  expectStatus(await sendCsv(ws, file(10_000_001)), 413)
  // The same file is longer in JSON, where each line end takes two bytes.
  const inJson = expectStatus(await ws.admin.post('/strings/imports', { csv: file(4_900_000) }), 201).data
  expectStatus(await ws.admin.delete(`/strings/imports/${inJson.importId}`), 200)
  assert.deepEqual((await served(ws)).strings, {})
})

test('I13 G-40 files that cannot be read are refused with what to do', async () => {
  const ws = await arabicWorkspace()
  const utf16 = Buffer.from('\ufeffkey,en\na,A', 'utf16le')
  for (const [raw, error] of [
    ['', /empty/],
    ['en,ar\nA,ا', /no column "key"/],
    ['key,en\na,A\nb,"open', /line 3: .*never closed/],
    ['key,en,key\na,A,b', /column key twice/],
    ['key,en,EN\na,A,b', /column EN twice/],
    ['key,en\na,A\0', /line 2: .*NUL/],
    ['key,en\na,"A"B', /line 2: .*closing quote/],
    [utf16, /UTF-16/],
    [Buffer.from(utf16).swap16(), /UTF-16/],
    [utf16.subarray(2), /NUL/],
    [Buffer.from('key,en\na,\xe9', 'latin1'), /UTF-8/],
  ] as const) {
    const refused = expectStatus(await sendCsv(ws, raw), 400)
    assert.match(refused.body.error, error)
    assert.equal(refused.body.code, undefined)
  }
  for (const body of [
    {},
    { csv: 7 },
    { csv: null },
    [],
    'key,en',
    { csv: 'key\na', fileName: 7 },
    { csv: 'key\na', fileName: 'f'.repeat(201) },
  ])
    expectStatus(await ws.admin.post('/strings/imports', body), 400)
  expectStatus(await sendCsv(ws, 'key,en\na,A', { 'content-type': 'text/plain' }), 400)
  const crlf = expectStatus(await sendCsv(ws, '\ufeffkey;en\r\na;"x\r\ny"\r\n', { 'content-type': 'TEXT/CSV; charset=utf-8' }), 201).data
  expectStatus(await ws.admin.post(`/strings/imports/${crlf.importId}/apply`), 200)
  assert.equal((await served(ws)).strings.a, 'x\r\ny')
})

test('G-40 editors import, any member looks, and nobody reaches the imports of others', async () => {
  const ws = await arabicWorkspace()
  const other = await arabicWorkspace()
  const viewer = await ws.viewer()
  const editor = await ws.editor()
  const { importId } = expectStatus(await editor.post('/strings/imports', { csv: 'key,en\na,A' }), 201).data
  assert.equal(expectStatus(await viewer.get(`/strings/imports/${importId}`), 200).data.rows.length, 1)
  assert.equal(expectStatus(await viewer.get('/strings/imports'), 200).data.imports.length, 1)
  for (const refused of [
    await viewer.post('/strings/imports', { csv: 'key,en\na,A' }),
    await viewer.post(`/strings/imports/${importId}/apply`),
    await viewer.delete(`/strings/imports/${importId}`),
  ]) {
    expectStatus(refused, 403)
    assert.equal(refused.body.code, 'ROLE_REQUIRED')
  }
  for (const path of [importId, 'nope']) {
    expectStatus(await other.admin.get(`/strings/imports/${path}`), 404)
    expectStatus(await other.admin.post(`/strings/imports/${path}/apply`), 404)
    expectStatus(await other.admin.delete(`/strings/imports/${path}`), 404)
  }
  expectStatus(await editor.post(`/strings/imports/${importId}/apply`), 200)
})

test('G-40 an import that does not fit the catalog writes nothing of itself', async () => {
  const ws = await arabicWorkspace()
  const rows = (from: number, count: number) => `key,en\n${Array.from({ length: count }, (_, i) => `k${from + i},T\n`).join('')}`
  for (let from = 0; from < 100_000; from += 20_000) await importNow(ws, rows(from, from === 80_000 ? 19_000 : 20_000))
  const { importId } = expectStatus(await sendCsv(ws, rows(200_000, 3_500)), 201).data
  expectStatus(await ws.admin.post(`/strings/imports/${importId}/apply`), 409)
  assert.equal(expectStatus(await ws.admin.get('/strings?limit=1'), 200).body.metadata.total, 99_000)
  assert.equal(expectStatus(await ws.admin.get(`/strings/imports/${importId}?limit=1`), 200).data.status, 'pending')
  expectStatus(await ws.admin.delete(`/strings/imports/${importId}`), 200)
})
