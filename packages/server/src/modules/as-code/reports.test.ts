/** Reports of the workspace as one document: by name, their segments by name, and before the types that they use. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { apply, carry, exported, plan, told } from '../../../test/builders/code.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace } = await startApp()

const GOLD = { name: 'Gold', logicalOperator: 'AND', rules: [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }] }
const DECLARED = { plan: { kind: 'string', use: 'dimension' } }
const declare = async ({ admin }: Workspace, properties: object = DECLARED) =>
  expectStatus(await admin.put('/event-types/buy', { properties }), 200)
const reports = async ({ admin }: Workspace) => expectStatus(await admin.get('/reports?limit=100'), 200).data.reports

test('reports: export, apply to an empty workspace, export: the same bytes, with segments of their own ids', async () => {
  const [from, to] = [await workspace(), await workspace()]
  await declare(from)
  const { id } = expectStatus(await from.admin.post('/segments', GOLD), 201).data
  const definition = { types: ['buy'], days: 30, by: 'properties.plan', segment: id }
  expectStatus(await from.admin.post('/reports', { name: 'Orders of gold', kind: 'explore', definition, isPinned: true }), 201)
  const { data } = await exported(from, 'reports')
  assert.deepEqual(data.reports, [
    { name: 'Orders of gold', kind: 'explore', definition: { ...definition, segment: 'Gold' }, isPinned: true },
  ])
  await carry(from, to)
  const [made] = await reports(to)
  assert.notEqual(made.definition.segment, id)
  expectStatus(await to.admin.get(`/reports/${made.id}/result`), 200)
  assert.deepEqual((await plan(to.admin, data)).changes, [])
})

test('reports change and go as planned; one that is changed keeps its address', async () => {
  const ws = await workspace()
  const funnel = { steps: [{ type: 'view' }, { type: 'buy' }], days: 30 }
  for (const name of ['A', 'B']) expectStatus(await ws.admin.post('/reports', { name, kind: 'funnel', definition: funnel }), 201)
  const before = await reports(ws)
  const next = { name: 'A', kind: 'funnel', definition: { ...funnel, days: 7 }, isPinned: true }
  const changes = await apply(ws, { reports: [next] })
  assert.deepEqual(told(changes), ['change reports A', 'delete reports B'])
  const [after, ...others] = await reports(ws)
  assert.deepEqual([after.id, after.version, after.definition.days, after.isPinned, others.length], [before[0].id, 2, 7, true, 0])
})

test('a document that takes a report away may take the dimension with it; otherwise it stays', async () => {
  const ws = await workspace()
  await declare(ws)
  const report = { name: 'By plan', kind: 'explore', definition: { types: ['buy'], days: 30, by: 'properties.plan' } }
  expectStatus(await ws.admin.post('/reports', report), 201)
  const listed = expectStatus(await ws.admin.get('/event-types/buy'), 200).data
  assert.deepEqual(
    listed.uses.reports.map(({ name }: { name: string }) => name),
    ['By plan'],
  )
  for (const refused of [
    await ws.admin.put('/event-types/buy', { properties: { plan: { kind: 'string' } } }),
    await ws.admin.put('/event-types/buy', { properties: {} }),
    await ws.admin.put('/event-types', { types: [] }),
    await ws.admin.delete('/event-types/buy'),
  ]) {
    assert.deepEqual([refused.status, refused.body.code], [409, 'IN_USE'])
    assert.equal(refused.body.error, 'Reports use this property: "By plan"; change or delete them first')
  }
  assert.equal(expectStatus(await ws.admin.get('/event-types/buy'), 200).data.properties[0].use, 'dimension')
  // Another type, and another property of this one, are nobody's.
  expectStatus(await ws.admin.put('/event-types/view', { properties: DECLARED }), 200)
  expectStatus(await ws.admin.delete('/event-types/view'), 200)
  await declare(ws, { ...DECLARED, total: { kind: 'number', use: 'measure' } })
  await declare(ws)
  await apply(ws, { reports: [], events: [] })
  assert.deepEqual(await reports(ws), [])
})

test('reports that cannot be are refused where they stand', async () => {
  const { admin } = await workspace()
  const refused = async (...all: object[]) => {
    const document = {
      reports: all.map((one) => ({ name: 'A', kind: 'funnel', definition: { steps: [{ type: 'a' }, { type: 'b' }] }, ...one })),
    }
    const { status, body } = await admin.post('/workspace/code/plan', { document })
    assert.equal(status, 400)
    return body.error
  }
  assert.equal(await refused({ name: ' A' }), 'document: reports[0]: name must be a text of 1 to 120 characters without blanks around it')
  assert.equal(await refused({ kind: 'sql' }), 'document: reports[0]: kind must be one of explore, funnel, retention')
  assert.equal(await refused({ definition: { steps: [] } }), 'document: reports[0]: definition: steps must be a list of 2 to 10')
  assert.equal(await refused({}, { name: 'a' }), 'document: reports: two of them have one name, but for capitals')
})
