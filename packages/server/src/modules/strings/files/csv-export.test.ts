import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, PASSWORD, uniqueEmail, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, anyone, ctx, url } = await startApp()

async function workspaceWith(...strings: object[]): Promise<Workspace> {
  const ws = await workspace()
  for (const code of ['ar', 'pt-BR']) expectStatus(await ws.admin.post('/locales', { code }), 201)
  for (let from = 0; from < strings.length; from += 2_000)
    expectStatus(await ws.write.post('/strings/sync', { strings: strings.slice(from, from + 2_000) }), 200)
  return ws
}

const fileOf = async (ws: Workspace, query = '') => expectStatus(await ws.admin.get(`/strings/export${query}`), 200).text

async function importFile(ws: Workspace, csv: string): Promise<any> {
  const { importId } = expectStatus(
    await ws.admin.post('/strings/imports', undefined, { raw: csv, headers: { 'content-type': 'text/csv' } }),
    201,
  ).data
  return expectStatus(await ws.admin.post(`/strings/imports/${importId}/apply`), 200).data.summary
}

test('M-STRS-36 the file has a row per key and a column per locale, in one order', async () => {
  const ws = await workspaceWith(
    { key: 'z', sourceText: 'Last', namespace: 'shop', description: 'At the end', values: { 'pt-BR': 'Fim' } },
    { key: 'a', sourceText: 'A, "b"\nc', values: { ar: ' ا ' } },
    { key: 'f', sourceText: '=SUM(A1)', values: { ar: '@x' } },
  )
  const answer = await (await ws.viewer()).get('/strings/export')
  expectStatus(answer, 200)
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="strings.csv"')
  assert.equal(
    answer.text,
    'key,namespace,description,sourceText,ar,pt-BR\r\n' +
      'a,app,,"A, ""b""\nc", ا ,\r\n' +
      'f,app,,=SUM(A1),@x,\r\n' +
      'z,shop,At the end,Last,,Fim\r\n',
  )
  const one = await ws.admin.get('/strings/export?locale=PT-br&namespace=shop')
  assert.equal(one.text, 'key,namespace,description,sourceText,pt-BR\r\nz,shop,At the end,Last,Fim\r\n')
  assert.equal(one.headers.get('content-disposition'), 'attachment; filename="strings-pt-BR.csv"')
  assert.equal(await fileOf(ws, '?locale=en&namespace=shop'), 'key,namespace,description,sourceText\r\nz,shop,At the end,Last\r\n')
  assert.equal(await fileOf(ws, '?namespace=none'), 'key,namespace,description,sourceText,ar,pt-BR\r\n')
  expectStatus(await ws.admin.get('/strings/export?locale=de'), 400)
  expectStatus(await ws.admin.get('/strings/export?status=missing'), 400)
})

test('C-STR-42 translations in review are in the file only when they are asked for', async () => {
  const ws = await workspaceWith({ key: 'a', sourceText: 'A', values: { ar: 'ا', 'pt-BR': 'P' } }, { key: 'h', sourceText: 'Hidden' })
  expectStatus(await ws.admin.put('/strings/a/translations/ar', { text: 'ب' }), 200)
  expectStatus(await ws.admin.put('/strings/h', { hidden: true }), 200)
  assert.match(await fileOf(ws), /^a,app,,A,,P\r\nh,app,,Hidden,,\r\n$/m)
  assert.match(await fileOf(ws, '?status=all'), /^a,app,,A,ب,P\r\n/m)
})

test('M-STRS-36 M-STRS-39 an import of a file of another workspace makes the same file again', async () => {
  const nasty = [
    '"',
    ',',
    ';',
    '\t',
    '\n',
    '\r',
    '\r\n',
    ' ',
    '=1+1',
    "'",
    '\ufeff',
    'ع',
    '\u202e',
    '😀',
    'a"b,c\nd',
    '-',
    '{n, plural, other {#}}',
  ]
  const strings = nasty.map((text, i) => ({
    key: `${text}.${i}`,
    sourceText: `${text} `,
    description: text.trim() === '' ? '' : text,
    namespace: `n${text}`,
    values: { ar: text, 'pt-BR': `${text}${text}` },
  }))
  const ws = await workspaceWith(...strings, ...Array.from({ length: 2_500 }, (_, i) => ({ key: `k${i}`, sourceText: `Text ${i}` })))
  const file = await fileOf(ws)
  const copy = await workspaceWith()
  const summary = await importFile(copy, file)
  assert.deepEqual([summary.created, summary.rejectedCount, summary.skippedLocales], [strings.length + 2_500, 0, []])
  assert.equal(await fileOf(copy), file)
  const again = await importFile(copy, file)
  assert.deepEqual([again.unchanged, again.translationsWritten], [strings.length + 2_500, 0])
  const texts = async (each: Workspace) => expectStatus(await each.app.get('/strings?locale=ar'), 200).data.strings
  assert.deepEqual(await texts(copy), await texts(ws))
})

/** Runs `work` while no string can be read. */
async function withoutStrings<T>(work: () => Promise<T>): Promise<T> {
  await sql`alter table strings rename to strings_away`.execute(ctx.db)
  try {
    return await work()
  } finally {
    await sql`alter table strings_away rename to strings`.execute(ctx.db)
  }
}

test('a catalog that cannot be read is refused before the first byte, and one that fails later ends abnormally', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  expectStatus(await ws.write.post('/strings/sync', { strings: [{ key: 'a', sourceText: 'A' }] }), 200)
  const refused = await withoutStrings(() => ws.admin.get('/strings/export'))
  assert.deepEqual([refused.status, refused.body.success], [500, false])

  // Far more than what fits between the two ends of a connection.
  await sql`insert into strings (workspace_id, key, namespace, source_text, revision, created_at, updated_at)
    select ${ws.id}, 'k' || i, 'app', repeat('x', 8000), 1, ${new Date()}, ${new Date()} from generate_series(1, 6000) as i`.execute(ctx.db)
  const { token } = expectStatus(await anyone.post('/api/v1/auth/login', { email, password: PASSWORD }), 200).data
  const headers = { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id }
  const response = await new Promise<IncomingMessage>((resolve) => get(`${url}/api/v1/strings/export`, { headers }, resolve))
  assert.equal(response.statusCode, 200)
  await withoutStrings(() =>
    assert.rejects(async () => {
      for await (const _ of response);
    }, /aborted/),
  )
})
