/** The library of mails: kept, changed, archived and brought back (decision 70). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE } from '@contentflow/core/mail/example-mail.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus, type Answer, type Client } from '../../../test/builders/builders.ts'
import { carry, exported } from '../../../test/builders/code.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, ctx } = await startApp()

const DOCUMENT = JSON.parse(JSON.stringify(EXAMPLE)) as typeof EXAMPLE
const keep = async (by: Client, name: string, more: object = {}) =>
  expectStatus(await by.post('/mails', { kind: 'template', name, document: DOCUMENT, ...more }), 201).data
const told = ({ status, body }: Answer) => [status, body.code ?? body.error]
const at = (version: number) => ({ headers: { 'if-match': `"${version}"` } })
const withSubject = (subject: string) => ({
  ...DOCUMENT,
  texts: { ...DOCUMENT.texts, en: { ...DOCUMENT.texts['en'], subject } },
})

test('a mail is kept, read by everybody, changed by its version, and archived; members left out stay', async () => {
  const ws = await workspace()
  const [editor, viewer] = [await ws.editor(), await ws.viewer()]
  assert.equal((await viewer.post('/mails', { kind: 'template', name: 'x', document: DOCUMENT })).status, 403)
  const made = await keep(editor, ' Welcome ', { category: 'New people' })
  assert.deepEqual([made.name, made.category, made.version, made.archivedAt], ['Welcome', 'New people', 1, null])
  assert.deepEqual(made.document, DOCUMENT)
  const path = `/mails/${made.id}`
  const read = expectStatus(await viewer.get(path), 200)
  assert.equal(read.headers.get('etag'), '"1"')
  const [listed] = expectStatus(await viewer.get('/mails?kind=template&category=New%20people'), 200).data.mails
  assert.deepEqual([listed.id, listed.locales.toSorted(), listed.document], [made.id, ['ar', 'en'], undefined])
  assert.deepEqual(told(await editor.put(path, { name: 'B' }, at(2))), [412, 'VERSION_CHANGED'])
  const renamed = expectStatus(await editor.put(path, { name: 'B' }, at(1)), 200)
  assert.deepEqual([renamed.headers.get('etag'), renamed.data.category, renamed.data.document], ['"2"', 'New people', DOCUMENT])
  assert.equal((await viewer.put(path, { name: 'C' })).status, 403)
  assert.deepEqual(told(await editor.delete(path, at(1))), [412, 'VERSION_CHANGED'])
  expectStatus(await editor.delete(path, at(2)), 200)
  assert.deepEqual(expectStatus(await editor.get('/mails'), 200).data.mails, [])
  const [gone] = expectStatus(await editor.get('/mails?state=archived'), 200).data.mails
  assert.deepEqual([gone.id, typeof gone.archivedAt], [made.id, 'string'])
  assert.deepEqual(told(await editor.put(path, { name: 'C' })), [409, 'MAIL_ARCHIVED'])
  const back = expectStatus(await editor.post(`${path}/restore`, {}), 200).data
  assert.deepEqual([back.archivedAt, back.name], [null, 'B'])
  assert.equal((await editor.get('/mails/nobody')).status, 404)
})

test('what is wrong is refused with its place, and nothing is stored', async () => {
  const { admin } = await workspace()
  const refused = async (body: object) => {
    const answer = await admin.post('/mails', { kind: 'template', name: 'x', document: DOCUMENT, ...body })
    assert.equal(answer.status, 400, answer.text)
    return answer.body.error
  }
  const narrow = structuredClone(DOCUMENT) as any
  narrow.sections[1].columns[0].width = 99
  assert.match(await refused({ document: narrow }), /^document\.sections\[1\]\.columns: their widths must make 100 percent/)
  assert.equal(await refused({ document: 7 }), 'document must be an object')
  assert.equal(await refused({ name: '  ' }), 'name must be a text of 1 to 120 characters')
  assert.equal(await refused({ category: 'x'.repeat(61) }), 'category must be a text of at most 60 characters')
  assert.match(await refused({ kind: 'footer' }), /^kind must be equal to one of the allowed values: template, part/)
  const withPart = { ...DOCUMENT, sections: [{ id: 'p', type: 'part', part: 'nobody' }, ...DOCUMENT.sections] }
  assert.equal(await refused({ document: withPart }), 'document.sections[0].part is no saved part of this workspace')
  assert.equal(await refused({ kind: 'part', document: withPart }), 'document.sections[0] must not be a saved part: this is one')
  const { id } = await keep(admin, 'Kept')
  assert.equal((await admin.put(`/mails/${id}`, { name: 'Other', document: narrow })).status, 400)
  const stored = expectStatus(await admin.get(`/mails/${id}`), 200).data
  assert.deepEqual([stored.name, stored.version], ['Kept', 1])
  expectStatus(await admin.put('/settings/link-schemes', { schemes: [] }), 200)
  const linked = JSON.parse(JSON.stringify(DOCUMENT).replaceAll('https://shop.example.com/orders', 'myapp://orders'))
  assert.deepEqual(told(await admin.post('/mails', { kind: 'template', name: 'y', document: linked })), [400, 'LINK_SCHEME_NOT_ALLOWED'])
})

test('names are one among what is not archived of a kind, and there is a bound on mails', async () => {
  const ws = await workspace()
  const { admin } = ws
  const first = await keep(admin, 'Help')
  assert.deepEqual(told(await admin.post('/mails', { kind: 'template', name: 'HELP', document: DOCUMENT })), [409, 'MAIL_NAME_TAKEN'])
  const part = await keep(admin, 'Help', { kind: 'part' })
  assert.equal(part.kind, 'part')
  expectStatus(await admin.delete(`/mails/${first.id}`), 200)
  const second = await keep(admin, 'help')
  assert.deepEqual(told(await admin.post(`/mails/${first.id}/restore`, {})), [409, 'MAIL_NAME_TAKEN'])
  const other = await keep(admin, 'Other')
  assert.deepEqual(told(await admin.put(`/mails/${other.id}`, { name: 'Help' })), [409, 'MAIL_NAME_TAKEN'])
  expectStatus(await admin.put(`/mails/${second.id}`, { name: 'HELP' }), 200)
  const now = ctx.clock.now()
  const rows = Array.from({ length: LIMITS.mailsPerWorkspace }, (_, index) => ({
    workspace_id: ws.id,
    id: `m${index}`,
    kind: 'template' as const,
    name: `m${index}`,
    document: JSON.stringify(DOCUMENT),
    created_by: 'x',
    created_at: now,
    updated_by: 'x',
    updated_at: now,
  }))
  await ctx.db
    .insertInto('mails')
    .values(rows.slice(0, LIMITS.mailsPerWorkspace - 4))
    .execute()
  assert.deepEqual(told(await admin.post('/mails', { kind: 'part', name: 'One more', document: DOCUMENT })), [409, 'MAIL_LIMIT'])
})

test('of two that are kept at once under one name one is kept', async () => {
  const { admin } = await workspace()
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => admin.post('/mails', { kind: 'part', name: 'Same', document: DOCUMENT })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409, 409, 409, 409])
})

test('what it said before can be read; saving the same words is no new state of it, and the oldest go', async () => {
  const { admin } = await workspace()
  const { id } = await keep(admin, 'Welcome')
  const path = `/mails/${id}`
  expectStatus(await admin.put(path, { document: withSubject('Second') }), 200)
  expectStatus(await admin.put(path, { document: withSubject('Second'), name: 'Hello' }), 200)
  const listed = expectStatus(await admin.get(`${path}/revisions?limit=1`), 200)
  assert.deepEqual([listed.data.revisions.map(({ version }: any) => version), listed.body.metadata.total], [[2], 2])
  const next = expectStatus(await admin.get(`${path}/revisions?limit=1&cursor=${listed.body.metadata.nextCursor}`), 200)
  assert.deepEqual(
    next.data.revisions.map(({ version }: any) => version),
    [1],
  )
  assert.deepEqual(expectStatus(await admin.get(`${path}/revisions/1`), 200).data.document, DOCUMENT)
  for (const wrong of ['3', '0', 'x', '99999999999']) assert.equal((await admin.get(`${path}/revisions/${wrong}`)).status, 404, wrong)
  for (let index = 0; index < LIMITS.mailRevisions; index++)
    expectStatus(await admin.put(path, { document: withSubject(`Change ${index}`) }), 200)
  const all = expectStatus(await admin.get(`${path}/revisions?limit=100`), 200).data.revisions
  assert.deepEqual([all.length, all[0].version], [LIMITS.mailRevisions, LIMITS.mailRevisions + 3])
})

test('the gallery is kept as it is, in the colours of the brand', async () => {
  const ws = await workspace()
  expectStatus(await ws.admin.put('/settings/brand', { brand: { light: { primary: '#0f766e' } } }), 200)
  const { templates } = expectStatus(await (await ws.viewer()).get('/mails/gallery'), 200).data
  assert.equal(templates.length, 20)
  assert.ok(JSON.stringify(templates).includes('"background":"#0f766e"'))
  const [{ document, names }] = templates
  assert.deepEqual((await keep(ws.admin, names.ar, { document })).document, document)
})

test('the library is part of the workspace as code: parts before the mails that hold them, and what is archived comes back', async () => {
  const [from, to] = [await workspace(), await workspace()]
  const part = await keep(from.admin, 'Help', { kind: 'part' })
  const held = { ...DOCUMENT, sections: [{ id: 'help', type: 'part', part: part.id }, ...DOCUMENT.sections] }
  const mail = await keep(from.admin, 'A mail', { document: held, category: 'x' })
  expectStatus(await from.admin.put('/settings/brand', { brand: { radius: 2, texts: { ar: { company: 'متجر' } } } }), 200)
  const first = await exported(from)
  await carry(from, to)
  assert.equal((await exported(to)).text, first.text)
  assert.deepEqual(expectStatus(await to.admin.get(`/mails/${mail.id}`), 200).data.document, held)
  assert.equal(expectStatus(await to.admin.get('/settings/brand'), 200).data.brand.radius, 2)
  expectStatus(await to.admin.delete(`/mails/${mail.id}`), 200)
  await carry(from, to)
  assert.equal(expectStatus(await to.admin.get(`/mails/${mail.id}`), 200).data.archivedAt, null)
  for (const [change, error] of [
    [{ document: held, id: 'x', name: 'A mail' }, 'document: mails: two of a kind have one name, but for capitals'],
    [
      { document: { ...held, sections: [{ id: 'help', type: 'part', part: 'y' }, ...DOCUMENT.sections] }, id: 'x', name: 'B' },
      /sections\[0\]\.part names no part/,
    ],
    [{ document: 7, id: 'x', name: 'B' }, /^document: mails\[\d\]: document must be an object$/],
    [{ document: held, id: 'x y', name: 'B' }, /^document: mails\[\d\]: id must be 1 to 40/],
  ] as const) {
    const mails = [...first.data.mails, { kind: 'template', category: null, ...change }]
    const refused = await to.admin.post('/workspace/code/plan', { document: { mails } })
    assert.equal(refused.status, 400)
    if (typeof error === 'string') assert.equal(refused.body.error, error)
    else assert.match(refused.body.error, error)
  }
})
