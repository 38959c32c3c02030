/** Which of several sources wins, and until when. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { begin, commit, load, mappingOf, match, stage, upload, valuesOf } from '../../../test/builders/imports.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { hashTables } from '../../../test/harness/tables.ts'
import { until } from '../../../test/harness/until.ts'

const { workspace, ctx, operator } = await startApp()

const DEFAULTS = { crm_webhook: 100, loyalty_api: 90, erp_sync: 80, manual_api: 70, csv_upload: 50, analytics: 40 }
const people = async (ws: Workspace, ...ids: string[]) =>
  expectStatus(await ws.admin.post('/users/bulk/contacts', { contacts: ids.map((userId) => ({ userId })) }), 200)
const say = async (ws: Workspace, source: string, attributes: object, more: object = {}) =>
  (await upload(ws.admin, [{ userId: 'U', attributes }], { source, ...more })).jobRef as string
const setPriorities = (ws: Workspace, priorities: object) => ws.admin.put('/enrichment/source-priorities', { priorities })
/** What was set off before is over. */
const settle = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'segments' }), 200)
const valueOf = async (ws: Workspace, name = 'a') => (await valuesOf(ws, 'U'))[name]

test('M-PRIO-01 M-PRIO-06 M-PRIO-09 M-PRIO-10 a ranking is set whole', async () => {
  const ws = await workspace()
  const read = async () => expectStatus(await ws.admin.get('/enrichment/source-priorities'), 200).data
  assert.deepEqual(await read(), { priorities: DEFAULTS, overrides: {} })
  const set = expectStatus(await setPriorities(ws, { csv_upload: 200, analytics: 1.5 }), 200).data
  assert.deepEqual(set, { priorities: { ...DEFAULTS, csv_upload: 200, analytics: 1.5 }, overrides: { csv_upload: 200, analytics: 1.5 } })
  expectStatus(await setPriorities(ws, { erp_sync: 10 }), 200)
  assert.deepEqual((await read()).priorities, { ...DEFAULTS, erp_sync: 10 })
  await settle()
  const before = await hashTables(ctx.db, { workspaceId: ws.id })
  for (const bad of [{ foo: 1 }, { csv_upload: 'x' }, { csv_upload: null }, { csv_upload: -1 }, { csv_upload: 1_001 }, [], 'x', null])
    assert.equal((await setPriorities(ws, bad as object)).status, 400, JSON.stringify(bad))
  assert.equal((await ws.admin.put('/enrichment/source-priorities', {})).status, 400)
  assert.equal(await hashTables(ctx.db, { workspaceId: ws.id }), before)
  expectStatus(await setPriorities(ws, {}), 200)
  assert.deepEqual(await read(), { priorities: DEFAULTS, overrides: {} })
})

test('M-PRIO-02 M-PRIO-03 the higher source wins whatever came first; of one source the newest', async () => {
  const ws = await workspace()
  await people(ws, 'U')
  await say(ws, 'crm_webhook', { a: 'y' })
  await say(ws, 'csv_upload', { a: 'x', b: 1 })
  assert.deepEqual(await valuesOf(ws, 'U'), { a: 'y', b: 1 })
  await say(ws, 'csv_upload', { b: 2 })
  assert.equal(await valueOf(ws, 'b'), 2)
  const { values } = expectStatus(await ws.admin.get('/users/U/enrichment'), 200).data
  assert.deepEqual(
    values.map(({ name, value, standing, source, label }: any) => [name, value, standing, source, label]),
    [
      ['a', 'y', 'holds', 'crm_webhook', 'batch'],
      ['a', 'x', 'outranked', 'csv_upload', 'batch'],
      ['b', 2, 'holds', 'csv_upload', 'batch'],
      ['b', 1, 'older', 'csv_upload', 'batch'],
    ],
  )
})

test('M-PRIO-02 M-PRIO-03 of any number of loads each name has the value of the last that says it, also where that is a list', async () => {
  const ws = await workspace()
  await people(ws, 'U')
  const loads: [source: string, attributes: object][] = [
    ['crm_webhook', { a: 'crm', b: 1 }],
    ['csv_upload', { a: 'old', c: ['x'], d: 'once' }],
    ['csv_upload', { b: 3, c: ['y'] }],
    ['erp_sync', { c: ['z'], e: 4 }],
    ['csv_upload', { c: ['last'], e: 5, f: false }],
    ['loyalty_api', { e: 6 }],
  ]
  const seen: object[] = []
  for (const [source, attributes] of loads) {
    await say(ws, source, attributes)
    seen.push(await valuesOf(ws, 'U'))
  }
  assert.deepEqual(seen, [
    { a: 'crm', b: 1 },
    { a: 'crm', b: 1, c: ['x'], d: 'once' },
    { a: 'crm', b: 1, c: ['y'], d: 'once' },
    { a: 'crm', b: 1, c: ['z'], d: 'once', e: 4 },
    { a: 'crm', b: 1, c: ['z'], d: 'once', e: 4, f: false },
    { a: 'crm', b: 1, c: ['z'], d: 'once', e: 6, f: false },
  ])
})

test('a preview says who would have another value, and changes nothing', async () => {
  const ws = await workspace()
  await people(ws, 'U', 'V', 'W')
  await say(ws, 'crm_webhook', { a: 'crm', b: 1, same: true })
  await say(ws, 'csv_upload', { a: 'csv', b: 2, same: true, ended: 'x' }, { expiresAt: new Date(ctx.clock.ms() + 60_000).toISOString() })
  await upload(ws.admin, [{ userId: 'V', attributes: { a: 'only' } }], { source: 'csv_upload' })
  const editor = await ws.editor()
  await settle()
  const before = await hashTables(ctx.db, { workspaceId: ws.id })
  const preview = async (priorities: object, as = ws.admin) => as.post('/enrichment/source-priorities/preview', { priorities })
  assert.deepEqual(expectStatus(await preview({ csv_upload: 200 }), 200).data, {
    checked: 1,
    people: 1,
    isComplete: true,
    attributes: [
      { name: 'a', people: 1 },
      { name: 'b', people: 1 },
    ],
    examples: [
      { userId: 'U', name: 'a', before: 'crm', after: 'csv' },
      { userId: 'U', name: 'b', before: 1, after: 2 },
    ],
  })
  assert.deepEqual(expectStatus(await preview({}), 200).data.people, 0)
  assert.equal((await preview({ foo: 1 })).status, 400)
  assert.equal((await preview({}, editor)).status, 403)
  assert.equal(await hashTables(ctx.db, { workspaceId: ws.id }), before)
})

test('M-PRIO-05 M-PRIO-07 M-PRIO-08 after a change of the ranking values and segments follow without a load', async () => {
  const ws = await workspace()
  await people(ws, 'U')
  await say(ws, 'crm_webhook', { a: 'y' })
  await say(ws, 'csv_upload', { a: 'x' })
  const rules = [{ field: 'enrichment.a', operator: 'equals', value: 'x' }]
  const { id } = expectStatus(await ws.admin.post('/segments', { name: 'X', logicalOperator: 'AND', rules }), 201).data
  const members = async () => expectStatus(await ws.admin.get(`/segments/${id}/members`), 200).data.userIds.join()
  assert.equal(await members(), '')
  expectStatus(await setPriorities(ws, { csv_upload: 200 }), 200)
  await until('U is in', async () => (await members()) === 'U')
  assert.equal(await valueOf(ws), 'x')
  expectStatus(await setPriorities(ws, {}), 200)
  await until('U is out', async () => (await members()) === '')
  // Of sources that rank the same the newest value wins.
  expectStatus(await setPriorities(ws, { csv_upload: 100 }), 200)
  await until('the newest wins', async () => (await valueOf(ws)) === 'x')
})

test('M-ENR-23 M-ENR-24 M-ENR-25 M-ENR-80 M-PRIO-04 X-INT-16 values end at their time, and lower ones hold again', async () => {
  const ws = await workspace()
  await people(ws, 'U')
  const rules = [{ field: 'enrichment.a', operator: 'equals', value: 'y' }]
  const { id } = expectStatus(await ws.admin.post('/segments', { name: 'Y', logicalOperator: 'AND', rules }), 201).data
  const members = async () => expectStatus(await ws.admin.get(`/segments/${id}/members`), 200).data.userIds.join()
  await say(ws, 'csv_upload', { a: 'x' })
  const soon = new Date(ctx.clock.ms() + 1_500).toISOString()
  await say(ws, 'crm_webhook', { a: 'y' }, { expiresAt: soon })
  await until('U is in', async () => (await members()) === 'U')
  // Nobody asks for due work meanwhile: it ends by itself, in its moment.
  await until('U is out', async () => (await members()) === '')
  assert.equal(await valueOf(ws), 'x')
  const ended = expectStatus(await ws.admin.get('/users/U/enrichment'), 200).data.values
  assert.deepEqual(
    ended.map(({ value, standing }: any) => [value, standing]),
    [
      ['x', 'holds'],
      ['y', 'ended'],
    ],
  )
  await say(ws, 'crm_webhook', { a: 'y' })
  assert.equal(await valueOf(ws), 'y')
  const imported = await begin(ws.admin, { more: { expiresAt: new Date(ctx.clock.ms() + 1_500).toISOString() } })
  await stage(ws.admin, imported, [['U', 'z']])
  await setPriorities(ws, { csv_upload: 200 })
  await match(ws.admin, imported)
  await commit(ws.admin, imported)
  await until('what was imported is over', async () => (await valueOf(ws)) === 'x')
  expectStatus(await setPriorities(ws, {}), 200)
  await settle()
  const endOf = async (mapping: object, more: object = {}) => {
    const begun = await begin(ws.admin, { mapping: { ...mappingOf({ a: 'string' }), ...mapping }, more })
    await stage(ws.admin, begun, [['U', 'z']])
    await match(ws.admin, begun)
    await commit(ws.admin, begun)
    const { expiresAt, createdAt } = expectStatus(await ws.admin.get(`/enrichment/uploads/${begun}`), 200).data
    return { expiresAt, days: (Date.parse(expiresAt) - Date.parse(createdAt)) / 86_400_000 }
  }
  assert.equal((await endOf({ expiresInDays: 3 })).days, 3)
  assert.equal((await endOf({ expiresAt: '2099-01-31' })).expiresAt, '2099-02-01T00:00:00.000Z')
  assert.equal((await endOf({ expiresAt: '2099-01-31' }, { expiresAt: '2098-01-31' })).expiresAt, '2098-02-01T00:00:00.000Z')
})

test('C-SYNC-25 M-SEG-09 content is not aimed by what was loaded', async () => {
  const ws = await workspace()
  await people(ws, 'U')
  const rules = [{ field: 'enrichment.a', operator: 'equals', value: 'x' }]
  expectStatus(await ws.admin.post('/segments', { name: 'Loaded', logicalOperator: 'AND', rules }), 201)
  await ws.block('promo')
  await ws.instance('promo', { seg: 'Loaded', values: { '#title': 'for few' } })
  await ws.instance('promo', { values: { '#title': 'for all' } })
  await say(ws, 'csv_upload', { a: 'x' })
  const { data } = await identify(ws.app, 'D', 'U')
  assert.deepEqual(data.segments, [])
  assert.deepEqual(
    (await ws.blocks('D')).map(({ values }) => values['#title']),
    ['for all'],
  )
})

test('X-INT-17 X-INT-18 taking the winner back lets the next count; a blank cell of a high source hides nothing', async () => {
  const ws = await workspace()
  await people(ws, 'U')
  await say(ws, 'csv_upload', { a: 'x' })
  const crm = await say(ws, 'crm_webhook', { a: 'y' })
  expectStatus(await ws.admin.delete(`/enrichment/uploads/${crm}`), 200)
  assert.equal(await valueOf(ws), 'x')
  await load(ws.admin, [['U', '', 'b']], {
    mapping: mappingOf({ a: 'string', b: 'string' }, { source: 'crm_webhook' }),
    headers: ['id', 'a', 'b'],
  })
  assert.deepEqual(await valuesOf(ws, 'U'), { a: 'x', b: 'b' })
})

test('X-INT-16 X-INT-17 segments that look at a value are right when what changed it is answered', async () => {
  const ws = await workspace()
  await people(ws, 'U')
  for (const value of ['x', 'y', 'z']) {
    const rules = [{ field: 'enrichment.a', operator: 'equals', value }]
    expectStatus(await ws.admin.post('/segments', { name: value, logicalOperator: 'AND', rules }), 201)
  }
  const names = async () => expectStatus(await ws.read.get('/read/users/U/segments'), 200).data.segmentNames
  await say(ws, 'csv_upload', { a: 'x' })
  assert.deepEqual(await names(), ['x'])
  const crm = await say(ws, 'crm_webhook', { a: 'y' })
  assert.deepEqual(await names(), ['y'])
  expectStatus(await setPriorities(ws, { csv_upload: 200 }), 200)
  assert.deepEqual(await names(), ['x'])
  expectStatus(await setPriorities(ws, {}), 200)
  assert.deepEqual(await names(), ['y'])
  expectStatus(await ws.admin.delete(`/enrichment/uploads/${crm}`), 200)
  assert.deepEqual(await names(), ['x'])
})

test('M-SRC-02 a saved source keeps what was said of a column that it leaves out', async () => {
  const ws = await workspace()
  const left = [
    { column: 'b', name: 'points', type: 'number', include: false, pii: false, label: { en: 'Points' } },
    { column: 'c', name: 'tier', type: 'enum', include: false, pii: true, enumValues: ['gold'] },
  ]
  const mapping = mappingOf({ a: 'string' })
  const columns = [...mapping.columns, ...left, { column: 'd', include: false }]
  const { sourceId } = expectStatus(
    await ws.admin.post('/enrichment/sources', { name: 'Club', mapping: { ...mapping, columns } }),
    201,
  ).data
  const saved = expectStatus(await ws.admin.get(`/enrichment/sources/${sourceId}`), 200).data.mapping.columns
  assert.deepEqual(saved.slice(1), [...left, { column: 'd', name: 'd', type: 'string', include: false, pii: false }])
})

test('M-SRC-01 M-SRC-02 M-SRC-03 M-SRC-04 M-SRC-05 M-SRC-06 M-SRC-07 M-SRC-09 M-SRC-11 mappings are saved under names of their own', async () => {
  const ws = await workspace()
  const mapping = mappingOf({ a: 'string' })
  const post = (body: object) => ws.admin.post('/enrichment/sources', body)
  const made = expectStatus(await post({ name: ' Loyalty ', mapping }), 201).data
  assert.deepEqual([made.name, made.sourceId === made.id, made.mapping.source], ['Loyalty', true, 'csv_upload'])
  const other = expectStatus(await post({ name: 'n'.repeat(120), mapping }), 201).data
  const path = `/enrichment/sources/${made.sourceId}`
  assert.deepEqual(expectStatus(await ws.admin.get(path), 200).data, made)
  const list = expectStatus(await ws.admin.get('/enrichment/sources'), 200).data.sources
  assert.deepEqual(
    list.map(({ id }: any) => id),
    [made.id, other.id],
  )
  for (const answer of [await post({ name: 'LOYALTY', mapping }), await ws.admin.put(path, { name: other.name })])
    assert.deepEqual([answer.status, answer.body.code], [409, undefined])
  for (const bad of [
    { name: 'n'.repeat(121), mapping },
    { name: '  ', mapping },
    { mapping },
    { name: 'x' },
    { name: 'x', mapping: { ...mapping, columns: [{ column: 'a', name: 'a.b', type: 'string' }] } },
  ])
    assert.equal((await post(bad)).status, 400, JSON.stringify(bad).slice(0, 60))
  assert.equal((await ws.admin.put(path, { mapping: {} })).status, 400)
  const renamed = expectStatus(await ws.admin.put(path, { name: 'Club' }), 200).data
  assert.deepEqual([renamed.name, renamed.mapping], ['Club', made.mapping])
  assert.equal((await ws.admin.put(path, { name: 'club' })).status, 200, 'its own name is not taken')
  expectStatus(await ws.admin.delete(path), 200)
  for (const answer of [await ws.admin.get(path), await ws.admin.put(path, { name: 'x' }), await ws.admin.delete(path)])
    assert.equal(answer.status, 404)
})

test('M-ROLE-04 M-ROLE-05 M-ROLE-06 M-ROLE-07 M-ROLE-08 M-ROLE-09 M-ROLE-10 M-ROLE-11 M-ROLE-12 who may load, and who may only look', async () => {
  const ws = await workspace()
  await people(ws, 'U')
  const [editor, viewer] = [await ws.editor(), await ws.viewer()]
  const started = { headers: ['id', 'a'], mapping: mappingOf({ a: 'string' }) }
  const source = expectStatus(await editor.post('/enrichment/sources', { name: 'S', mapping: started.mapping }), 201).data
  const id = await begin(editor)
  await stage(editor, id, [['U', '1']])
  const upload = { sourceRef: 'x', records: [{ userId: 'U', attributes: { a: 1 } }] }
  const forEditors: [string, () => Promise<{ status: number }>][] = [
    ['start', () => viewer.post('/enrichment/imports', started)],
    ['rows', () => viewer.post(`/enrichment/imports/${id}/rows`, { startRow: 2, rows: [['U', '1']] })],
    ['match', () => viewer.post(`/enrichment/imports/${id}/match`)],
    ['commit', () => viewer.post(`/enrichment/imports/${id}/commit`)],
    ['cancel', () => viewer.delete(`/enrichment/imports/${id}`)],
    ['save a source', () => viewer.post('/enrichment/sources', { name: 'T', mapping: started.mapping })],
    ['change a source', () => viewer.put(`/enrichment/sources/${source.id}`, { name: 'T' })],
    ['upload', () => viewer.post('/enrichment/upload', upload)],
    ['values of a person', () => viewer.get('/users/U/enrichment')],
  ]
  for (const [what, ask] of forEditors) assert.equal((await ask()).status, 403, what)
  await match(editor, id)
  await commit(editor, id)
  expectStatus(await editor.put(`/enrichment/sources/${source.id}`, { name: 'T' }), 200)
  const { jobRef } = expectStatus(await editor.post('/enrichment/upload', upload), 201).data
  for (const path of [`imports/${id}`, 'imports', 'sources', `sources/${source.id}`, 'uploads', `uploads/${jobRef}`, 'source-priorities'])
    assert.equal((await viewer.get(`/enrichment/${path}`)).status, 200, path)
  const forAdmins = (client: typeof editor): [string, Promise<{ status: number }>][] => [
    ['delete a source', client.delete(`/enrichment/sources/${source.id}`)],
    ['run again', client.post(`/enrichment/uploads/${jobRef}/rerun`)],
    ['roll back', client.delete(`/enrichment/uploads/${jobRef}`)],
    ['rank', client.put('/enrichment/source-priorities', { priorities: {} })],
  ]
  for (const [what, asked] of forAdmins(editor)) assert.equal((await asked).status, 403, what)
  for (const [what, asked] of forAdmins(ws.admin)) assert.ok((await asked).status < 300, what)
})
