/** Saved questions: who may save them, what is refused, and their answers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus, type Client } from '../../../../test/builders/builders.ts'
import { rollUp, track } from '../../../../test/builders/events.ts'
import { identify } from '../../../../test/builders/people.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, operator } = await startApp()

const FUNNEL = { kind: 'funnel', definition: { steps: [{ type: 'view' }, { type: 'buy' }], days: 30 } }
const make = async (admin: Client, name: string, more: object = {}) =>
  expectStatus(await admin.post('/reports', { ...FUNNEL, name, ...more }), 201).data
const told = ({ status, body }: { status: number; body: { code?: string; error?: string } }) => [status, body.code ?? body.error]

test('a report is kept, changed by its version, answered and deleted', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', [{ type: 'view' }, { type: 'buy' }])
  await rollUp(operator)
  const report = await make(ws.admin, ' From view to order ')
  assert.deepEqual([report.name, report.version, report.isPinned], ['From view to order', 1, false])
  const path = `/reports/${report.id}`
  const result = expectStatus(await ws.admin.get(`${path}/result`), 200).data
  assert.deepEqual([result.kind, result.steps.map(({ people }: { people: number }) => people)], ['funnel', [1, 1]])
  const file = await ws.admin.get(`${path}/result.csv`)
  assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.match(file.text, /^(\uFEFF)?step,type,people,share,share of previous,median seconds\r\n1,view,1,1,1,\r\n2,buy,1,1,1,/)
  const change = (body: object, version: number) => ws.admin.put(path, body, { headers: { 'if-match': `"${version}"` } })
  assert.deepEqual(told(await change({ name: 'B' }, 2)), [412, 'VERSION_CHANGED'])
  assert.equal(expectStatus(await change({ name: 'B', isPinned: true }, 1), 200).headers.get('etag'), '"2"')
  assert.deepEqual(told(await change({ definition: { steps: [] } }, 2)), [400, 'steps must be a list of 2 to 10'])
  const stored = expectStatus(await ws.admin.get(path), 200).data
  assert.deepEqual([stored.name, stored.isPinned, stored.definition], ['B', true, FUNNEL.definition])
  assert.deepEqual(told(await ws.admin.delete(path, { headers: { 'if-match': '"1"' } })), [412, 'VERSION_CHANGED'])
  expectStatus(await ws.admin.delete(path), 200)
  assert.deepEqual(told(await ws.admin.get(`${path}/result`)), [404, 'report not found'])
})

test('names are taken once, eight reports are on the start page, and a question that cannot be asked is not kept', async () => {
  const { admin } = await workspace()
  await make(admin, 'Weekly')
  assert.deepEqual(told(await admin.post('/reports', { ...FUNNEL, name: 'WEEKLY' })), [409, 'REPORT_NAME_TAKEN'])
  for (let index = 0; index < LIMITS.pinnedReports; index++) await make(admin, `Pinned ${index}`, { isPinned: true })
  assert.deepEqual(told(await admin.post('/reports', { ...FUNNEL, name: 'One more', isPinned: true })), [409, 'REPORT_PINS'])
  const { reports } = expectStatus(await admin.get('/reports?limit=100'), 200).data
  assert.equal(reports.length, LIMITS.pinnedReports + 1)
  const refused = async (definition: unknown) => told(await admin.post('/reports', { name: 'x', kind: 'explore', definition }))
  assert.deepEqual(await refused({ types: ['a'], by: 'properties.constructor' }), [
    400,
    'by: properties.constructor is no dimension of a; declare it on the page Events',
  ])
  assert.deepEqual(told(await admin.post('/reports', { ...FUNNEL, name: '  ' })), [400, 'name must be a text of 1 to 120 characters'])
})

test('a workspace has a bounded number of reports', async () => {
  const ws = await workspace()
  const at = ctx.clock.now()
  const row = {
    workspace_id: ws.id,
    kind: 'funnel' as const,
    definition: JSON.stringify(FUNNEL.definition),
    created_by: 'x',
    created_at: at,
    updated_at: at,
  }
  const rows = Array.from({ length: LIMITS.reports }, (_, index) => ({ ...row, id: `r${index}`, name: `r${index}` }))
  await ctx.db.insertInto('reports').values(rows).execute()
  assert.deepEqual(told(await ws.admin.post('/reports', { ...FUNNEL, name: 'One more' })), [409, 'REPORT_LIMIT'])
})
