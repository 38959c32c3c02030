/** Simple uploads, the history of loads, and taking them back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { begin, commit, load, match, stage, upload, users, valuesOf } from '../../../test/builders/imports.ts'
import { erase, identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { hashTables } from '../../../test/harness/tables.ts'

const { workspace, ctx } = await startApp()

const rollBack = async (ws: Workspace, jobRef: string) => expectStatus(await ws.admin.delete(`/enrichment/uploads/${jobRef}`), 200).data
const of = (userId: string, attributes: object) => ({ userId, attributes })

test('M-ENR-75 M-ENR-78 M-ENR-83 M-ENR-84 M-ENR-95 A-63 a simple upload writes at once, and makes nobody', async () => {
  const ws = await workspace()
  await users(ws, 'U')
  const done = await upload(ws.admin, [of('U', { a: 1, b: 'x', c: true, d: ['p', 'q'] }), of('nobody', { a: 1 })])
  assert.deepEqual([done.totalRecords, done.written, done.notFound, done.errorCount, done.errors], [2, 1, 1, 0, []])
  assert.deepEqual(await valuesOf(ws, 'U'), { a: 1, b: 'x', c: true, d: ['p', 'q'] })
  assert.equal((await ws.read.get('/read/users/nobody/segments')).status, 404)
  const staged = await load(ws.admin, [['U', '2']])
  const { uploads } = expectStatus(await ws.admin.get('/enrichment/uploads'), 200).data
  assert.deepEqual(
    uploads.map(({ jobRef, kind, source }: any) => [jobRef, kind, source]),
    [
      [staged, 'staged', 'csv_upload'],
      [done.jobRef, 'simple', 'csv_upload'],
    ],
  )
  const first = expectStatus(await ws.admin.get('/enrichment/uploads?limit=1'), 200)
  const second = expectStatus(await ws.admin.get(`/enrichment/uploads?limit=1&cursor=${first.body.metadata.nextCursor}`), 200)
  assert.deepEqual(
    [first.data.uploads[0].jobRef, second.data.uploads[0].jobRef, second.body.metadata.nextCursor],
    [staged, done.jobRef, null],
  )
  const one = expectStatus(await ws.admin.get(`/enrichment/uploads/${done.jobRef}`), 200).data
  assert.deepEqual([one.label, one.status, one.errors], ['batch', 'completed', []])
})

test('M-ENR-76 M-ENR-77 M-ENR-80 M-ENR-85 what cannot be loaded is refused', async () => {
  const ws = await workspace()
  const before = await hashTables(ctx.db, { workspaceId: ws.id })
  const records = [of('U', { a: 1 })]
  const bad: object[] = [
    { records },
    { sourceRef: ' ', records },
    { sourceRef: 7, records },
    { sourceRef: 'x' },
    { sourceRef: 'x', records: [] },
    { sourceRef: 'x', records: {} },
    { sourceRef: 'x', records: Array(50_001).fill(null) },
    { sourceRef: 'x', records, source: 'excel' },
    { sourceRef: 'x', records, source: 'analytics' },
    { sourceRef: 'x', records, attributeTypes: { a: 'json' } },
    { sourceRef: 'x', records, attributeTypes: { 'a.b': 'string' } },
    { sourceRef: 'x', records, attributeTypes: [] },
    { sourceRef: 'x', records, expiresAt: 'soon' },
    { sourceRef: 'x', records, expiresAt: '2020-01-01' },
  ]
  for (const body of bad) assert.equal((await ws.admin.post('/enrichment/upload', body)).status, 400, JSON.stringify(body).slice(0, 80))
  assert.equal(await hashTables(ctx.db, { workspaceId: ws.id }), before)
  for (const answer of [
    await ws.admin.get('/enrichment/uploads/nobody'),
    await ws.admin.delete('/enrichment/uploads/nobody'),
    await ws.admin.post('/enrichment/uploads/nobody/rerun'),
  ])
    assert.equal(answer.status, 404)
})

test('M-ENR-79 M-ENR-81 records that cannot be read are named, the first 50 of them', async () => {
  const ws = await workspace()
  await users(ws, 'U')
  const attributeTypes = { age: 'number', vip: 'boolean', since: 'date', tags: 'list' }
  const typed = await upload(ws.admin, [of('U', { age: '30', vip: 'yes', since: '2024-05-01', tags: 'a|b', blank: ' ', none: null })], {
    attributeTypes,
  })
  assert.equal(typed.written, 1)
  assert.deepEqual(await valuesOf(ws, 'U'), { age: 30, vip: true, since: '2024-05-01', tags: ['a', 'b'] })
  const faults: [object | null, string, string | null][] = [
    [of('U', { age: 'x' }), 'invalid_value:age', 'U'],
    [of('U', { age: {} }), 'invalid_value:age', 'U'],
    [of('U', { 'a.b': 1 }), 'invalid_name:a.b', 'U'],
    [of('U', {}), 'no_values', 'U'],
    [of('U', { a: ' ' }), 'no_values', 'U'],
    [of('', { a: 1 }), 'missing_identity', ''],
    [of('u'.repeat(257), { a: 1 }), 'invalid_user_id', 'u'.repeat(256)],
    [null, 'missing_identity', null],
    [{ userId: 'U' }, 'no_values', 'U'],
  ]
  const done = await upload(ws.admin, faults.map(([record]) => record) as object[], { attributeTypes })
  assert.deepEqual(
    done.errors,
    faults.map(([, error, userId], index) => ({ index, userId, error })),
  )
  const many = await upload(ws.admin, [...Array(60).fill(of('U', { age: 'x' })), of('U', { age: 31 })], { attributeTypes })
  assert.deepEqual([many.errorCount, many.errors.length, many.written, many.errors[49].index], [60, 50, 1, 49])
  assert.equal((await valuesOf(ws, 'U'))['age'], 31)
})

test('M-ENR-82 M-ENR-89 M-ENR-90 M-ENR-91 uploads are run again under a new reference, unless they are large or staged', async () => {
  const ws = await workspace()
  const ids = Array.from({ length: 450 }, (_, index) => `U${index}`)
  await users(ws, ...ids)
  const done = await upload(
    ws.admin,
    ids.map((id, index) => of(id, { a: index })),
  )
  assert.equal(done.written, 450)
  assert.deepEqual([await valuesOf(ws, 'U0'), await valuesOf(ws, 'U449')], [{ a: 0 }, { a: 449 }])
  assert.deepEqual(await rollBack(ws, done.jobRef), { jobRef: done.jobRef, status: 'rolled_back', removedValues: 450 })
  assert.deepEqual(await valuesOf(ws, 'U449'), {})
  const again = expectStatus(await ws.admin.post(`/enrichment/uploads/${done.jobRef}/rerun`), 201).data
  assert.notEqual(again.jobRef, done.jobRef)
  assert.deepEqual([again.written, again.label, await valuesOf(ws, 'U449')], [450, 'batch', { a: 449 }])
  const staged = await load(ws.admin, [['U0', 'x']])
  assert.equal((await ws.admin.post(`/enrichment/uploads/${staged}/rerun`)).status, 400)
  const rerun = async (count: number) => {
    const { jobRef } = await upload(ws.admin, Array(count).fill(of('U0', { b: 1 })))
    return (await ws.admin.post(`/enrichment/uploads/${jobRef}/rerun`)).status
  }
  assert.deepEqual([await rerun(5_000), await rerun(5_001)], [201, 400])
})

test('M-ENR-86 M-ENR-87 A-26 what is taken back uncovers what was there before', async () => {
  const ws = await workspace()
  await users(ws, 'U')
  await upload(ws.admin, [of('U', { a: 1 })])
  const second = await upload(ws.admin, [of('U', { a: 2, b: 2 })])
  assert.deepEqual(await valuesOf(ws, 'U'), { a: 2, b: 2 })
  assert.equal((await rollBack(ws, second.jobRef)).removedValues, 2)
  assert.deepEqual(await valuesOf(ws, 'U'), { a: 1 })
  assert.equal((await ws.admin.delete(`/enrichment/uploads/${second.jobRef}`)).status, 409)
  assert.equal(expectStatus(await ws.admin.get(`/enrichment/uploads/${second.jobRef}`), 200).data.status, 'rolled_back')
})

test('M-ENR-92 loaded attributes and traits of one name stand beside each other', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', { traits: { plan: 'of the app' } })
  await upload(ws.admin, [of('U', { plan: 'of the bank' })])
  await identify(ws.app, 'D', 'U', { traits: { plan: 'of the app, later' } })
  const { profile } = expectStatus(await ws.read.get('/read/devices/D'), 200).data
  assert.deepEqual([profile.customAttributes.plan, (await valuesOf(ws, 'U'))['plan']], ['of the app, later', 'of the bank'])
})

test('X-INT-22 whoever is erased is gone from loads, and comes back by none', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', { email: 'u@x.io' })
  const { jobRef } = await upload(ws.admin, [of('U', { secret: 'canary' })])
  await load(ws.admin, [['u@x.io', 'canary']], { type: 'email' })
  expectStatus(await erase(ws.app, 'D'), 200)
  for (const table of ['enrichment_values', 'upload_records', 'import_rows'] as const)
    assert.deepEqual(await ctx.db.selectFrom(table).selectAll().where('workspace_id', '=', ws.id).execute(), [], table)
  assert.equal((await ws.admin.post(`/enrichment/uploads/${jobRef}/rerun`)).status, 400)
  assert.equal((await upload(ws.admin, [of('U', { a: 1 })])).notFound, 1)
  const id = await begin(ws.admin)
  await stage(ws.admin, id, [['U', '1']])
  assert.deepEqual((await match(ws.admin, id)).counts.unmatched, 1)
  await commit(ws.admin, id, { createMissing: true })
  assert.equal((await ws.read.get('/read/users/U/segments')).status, 404)
})
