/** Staged imports: from the headings of a file to values of people, with a dry run in between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus } from '../../../test/builders/builders.ts'
import { create, setStatus } from '../../../test/builders/campaigns.ts'
import {
  begin,
  commit,
  load,
  mappingOf,
  match,
  membersOf,
  ready,
  reasonsOf,
  segment,
  settled,
  stage,
  users,
  valuesOf,
} from '../../../test/builders/imports.ts'
import { makeJourney } from '../../../test/builders/journeys.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { until } from '../../../test/harness/until.ts'

const { workspace, ctx, advance, fault } = await startApp()

test('M-ENR-01 M-ENR-28 M-ENR-35 M-ENR-38 M-ENR-39 M-ENR-60 M-ENR-61 M-ENR-62 M-ENR-63 M-ENR-64 rows become values, and segments follow', async () => {
  const ws = await workspace()
  await users(ws, 'U', 'V')
  const gold = await segment(ws, 'Gold', 'enrichment.tier', 'equals', 'gold')
  const started = await ws.admin.post('/enrichment/imports', {
    fileName: 'tiers.csv',
    headers: ['id', 'tier'],
    mapping: mappingOf({ tier: 'string' }),
  })
  const { importId, ...begun } = expectStatus(started, 201).data
  assert.deepEqual([begun.status, begun.source, begun.env, begun.fileName], ['staging', 'csv_upload', 'live', 'tiers.csv'])
  assert.deepEqual(
    await stage(ws.admin, importId, [
      ['U', 'gold'],
      ['W', 'gold'],
      ['V', 'silver'],
    ]),
    { staged: 3, skipped: 0, counts: { rows: 3, rejected: 0 } },
  )
  const before = expectStatus(await ws.admin.get(`/enrichment/imports/${importId}`), 200).data
  assert.equal(before.status, 'staging')
  assert.equal(before.sample, undefined)
  const dryRun = await match(ws.admin, importId)
  assert.equal(dryRun.status, 'ready')
  assert.deepEqual(dryRun.counts, { rows: 3, valid: 3, rejected: 0, duplicates: 0, matched: 2, unmatched: 1, matchRate: 66.7 })
  assert.deepEqual(dryRun.rejectReasons, {})
  assert.deepEqual(dryRun.columnStats, { tier: { values: 3, invalid: 0 } })
  assert.deepEqual(
    dryRun.sample.map(({ row, status }: any) => [row, status]),
    [
      [1, 'matched'],
      [2, 'unmatched'],
      [3, 'matched'],
    ],
  )
  assert.deepEqual(await valuesOf(ws, 'U'), {}, 'a dry run writes nothing')
  assert.equal((await commit(ws.admin, importId)).status, 'committed')
  assert.deepEqual([await valuesOf(ws, 'U'), await valuesOf(ws, 'V')], [{ tier: 'gold' }, { tier: 'silver' }])
  await until('the segment has U', async () => (await membersOf(ws, gold)).join() === 'U')
  const { uploads } = expectStatus(await ws.admin.get('/enrichment/uploads'), 200).data
  assert.deepEqual(
    uploads.map(({ jobRef, kind, source, label, status, totalRecords, written, errorCount }: any) => ({
      jobRef,
      kind,
      source,
      label,
      status,
      totalRecords,
      written,
      errorCount,
    })),
    [
      {
        jobRef: importId,
        kind: 'staged',
        source: 'csv_upload',
        label: 'tiers.csv',
        status: 'completed',
        totalRecords: 3,
        written: 2,
        errorCount: 0,
      },
    ],
  )
  assert.equal(expectStatus(await ws.admin.get(`/enrichment/uploads/${importId}`), 200).data.jobRef, importId)
})

test('M-ENR-38 M-SEG-08 a dry run names the segments that may change, and the campaigns and journeys that go by them', async () => {
  const ws = await workspace()
  await users(ws, 'U')
  const gold = await segment(ws, 'Gold', 'enrichment.tier', 'equals', 'gold')
  await segment(ws, 'Other', 'enrichment.city', 'equals', 'gold')
  await segment(ws, 'Not of it', 'customAttributes.x', 'equals', 'enrichment.tier')
  const rest = { name: 'The rest', logicalOperator: 'AND', rules: [{ field: 'customAttributes.x', operator: 'not_exists' }] }
  const { id: others } = expectStatus(await ws.admin.post('/segments', { ...rest, excludedSegments: ['Gold'] }), 201).data
  const campaign = await create(ws.admin, { name: 'For Gold', segments: ['Gold'] })
  const over = await create(ws.admin, { name: 'Over', segments: ['Gold'] })
  expectStatus(await setStatus(ws.admin, over.id, 'completed'), 200)
  const journey = await makeJourney(ws.admin, { name: 'Welcome', trigger: { type: 'segment_entry', segment: 'The rest' } })
  const begun = { names: { tier: 'string' } }
  const id = await begin(ws.admin, begun)
  await stage(ws.admin, id, [['U', 'gold']])
  assert.equal('affectedSegments' in (await settled(ws.admin, id)), false)
  assert.deepEqual((await match(ws.admin, id)).affectedSegments, [
    { id: gold, name: 'Gold', usedBy: { campaigns: [{ id: campaign.id, name: 'For Gold' }], journeys: [] } },
    { id: others, name: 'The rest', usedBy: { campaigns: [], journeys: [{ id: journey.id, name: 'Welcome' }] } },
  ])
  const testing = await ready(ws.admin, [['U', 'gold']], { ...begun, more: { env: 'test' } })
  assert.deepEqual((await settled(ws.admin, testing)).affectedSegments, [])
  assert.equal('affectedSegments' in (await commit(ws.admin, id)), false)
})

test('M-ENR-34 M-ENR-36 M-ENR-37 M-ENR-65 M-ENR-68 M-ENR-71 M-ENR-72 each step is taken in its state alone', async () => {
  const ws = await workspace()
  await users(ws, 'U')
  const at = async (status: string) => {
    const id = await begin(ws.admin)
    await stage(ws.admin, id, [['U', '1']])
    if (status === 'staging') return id
    if (status === 'cancelled') await ws.admin.delete(`/enrichment/imports/${id}`)
    else await match(ws.admin, id)
    if (status === 'committed') await commit(ws.admin, id)
    return id
  }
  const act = { rows: { startRow: 9, rows: [['U', '1']] }, match: {}, commit: {} }
  const taken: Record<string, string[]> = {
    staging: ['rows', 'match', 'delete'],
    ready: ['match', 'commit', 'delete'],
    committed: [],
    cancelled: [],
  }
  for (const [status, allowed] of Object.entries(taken))
    for (const what of ['rows', 'match', 'commit', 'delete'] as const) {
      if (allowed.includes(what)) continue
      const id = await at(status)
      const path = `/enrichment/imports/${id}`
      const answer = what === 'delete' ? await ws.admin.delete(path) : await ws.admin.post(`${path}/${what}`, act[what])
      assert.deepEqual([answer.status, answer.body.code], [409, undefined], `${what} while ${status}`)
      assert.equal((await settled(ws.admin, id)).status, status)
    }
  const ready = await at('ready')
  const { counts } = await settled(ws.admin, ready)
  assert.deepEqual((await match(ws.admin, ready)).counts, counts)
  assert.deepEqual(expectStatus(await ws.admin.delete(`/enrichment/imports/${ready}`), 200).data, { importId: ready, status: 'cancelled' })
  await until('its rows are gone', async () => {
    const { rows } = await sql`select from import_rows where workspace_id = ${ws.id} and import_id = ${ready}`.execute(ctx.db)
    return rows.length === 0
  })
  const nobody = await reasonsOf(ws, [['nobody', '1']])
  assert.equal((await ws.admin.post(`/enrichment/imports/${nobody.importId}/commit`)).status, 409)
  assert.equal((await settled(ws.admin, nobody.importId)).status, 'ready')
})

test('M-ENR-04 M-ENR-05 an import meets the people of its environment', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'live-only')
  await identify(ws.testApp, 'T', 'test-only')
  const matched = async (userId: string, more: object) => {
    const { counts } = await reasonsOf(ws, [[userId, '1']], { more })
    return counts.matched
  }
  assert.deepEqual([await matched('live-only', { env: 'test' }), await matched('test-only', { env: 'test' })], [0, 1])
  assert.deepEqual([await matched('live-only', {}), await matched('test-only', {})], [1, 0])
})

test('M-ENR-66 M-ENR-67 M-ENR-88 A-25 people who are missing are made when that is asked for, and stay', async () => {
  const ws = await workspace()
  await users(ws, 'U')
  const plain = await segment(ws, 'Plain', 'customAttributes.plan', 'not_exists')
  const isThere = async (id: string) => (await ws.read.get(`/read/users/${id}/segments`)).status === 200
  const id = await begin(ws.admin)
  await stage(ws.admin, id, [
    ['U', '1'],
    ['U3', '3'],
  ])
  await match(ws.admin, id)
  assert.equal((await commit(ws.admin, id, { createMissing: true })).status, 'committed')
  assert.deepEqual([await isThere('U3'), await valuesOf(ws, 'U3')], [true, { a: '3' }])
  // Who is new belongs to segments that look at no loaded value, too.
  await until('who is new is a member', async () => (await membersOf(ws, plain)).includes('U3'))
  expectStatus(await ws.admin.delete(`/enrichment/uploads/${id}`), 200)
  assert.deepEqual([await isThere('U3'), await valuesOf(ws, 'U3')], [true, {}])
  const alone = await reasonsOf(ws, [['U4', '4']])
  assert.equal((await commit(ws.admin, alone.importId, { createMissing: true })).status, 'committed')
  assert.deepEqual(await valuesOf(ws, 'U4'), { a: '4' })
  // Whoever it names and does not find is in its history.
  const partly = await ready(ws.admin, [
    ['U', '6'],
    ['ghost', '7'],
    ['U', ''],
  ])
  assert.equal((await commit(ws.admin, partly)).status, 'committed')
  for (const [jobRef, sums] of [
    [id, [2, 2, 0, 0]],
    [partly, [3, 1, 1, 1]],
  ] as const) {
    const { totalRecords, written, notFound, errorCount } = expectStatus(await ws.admin.get(`/enrichment/uploads/${jobRef}`), 200).data
    assert.deepEqual([totalRecords, written, notFound, errorCount], sums)
  }
  const byEmail = await reasonsOf(ws, [['new@x.io', '5']], { type: 'email' })
  assert.equal((await ws.admin.post(`/enrichment/imports/${byEmail.importId}/commit`, { createMissing: true })).status, 409)
  assert.equal((await ws.admin.post(`/enrichment/imports/${alone.importId}/commit`, { createMissing: 'yes' })).status, 400)
})

test('M-ENR-69 M-ENR-70 what cannot be written ends in failed, can be rolled back, and loaded again', async () => {
  const ws = await workspace()
  await users(ws, 'U')
  const id = await begin(ws.admin)
  await stage(ws.admin, id, [['U', '1']])
  await match(ws.admin, id)
  await fault('enrichment_write', true)
  try {
    const failed = await commit(ws.admin, id)
    assert.deepEqual([failed.status, typeof failed.error], ['failed', 'string'])
  } finally {
    await fault('enrichment_write', false)
  }
  const rolledBack = expectStatus(await ws.admin.delete(`/enrichment/uploads/${id}`), 200).data
  assert.deepEqual(rolledBack, { jobRef: id, status: 'rolled_back', removedValues: 0 })
  assert.deepEqual(await valuesOf(ws, 'U'), {})
  expectStatus(await ws.admin.delete(`/enrichment/imports/${id}`), 200)
  await load(ws.admin, [['U', '2']])
  assert.deepEqual(await valuesOf(ws, 'U'), { a: '2' })
})

test('M-ENR-02 M-ENR-06 M-SRC-08 M-SRC-10 an import can take a saved mapping, and save its own', async () => {
  const ws = await workspace()
  await users(ws, 'U')
  await load(ws.admin, [['U', '1']], { more: { saveAsSource: ' Loyalty ' } })
  const [source] = expectStatus(await ws.admin.get('/enrichment/sources'), 200).data.sources
  assert.equal(source.name, 'Loyalty')
  const begun = await ws.admin.post('/enrichment/imports', { headers: ['a', 'id'], sourceId: source.sourceId })
  assert.deepEqual(expectStatus(begun, 201).data.mapping, source.mapping)
  assert.equal((await ws.admin.post('/enrichment/imports', { headers: ['a'], sourceId: source.sourceId })).status, 400)
  const count = async () => expectStatus(await ws.admin.get('/enrichment/imports'), 200).body.metadata.total
  const before = await count()
  const again = await ws.admin.post('/enrichment/imports', {
    headers: ['id', 'a'],
    mapping: mappingOf({ a: 'string' }),
    saveAsSource: 'loyalty',
  })
  assert.deepEqual([again.status, again.body.code, await count()], [409, undefined, before])
})

test('M-ENR-73 rows are kept for 24 hours', async () => {
  const ws = await workspace()
  await users(ws, 'U')
  const id = await begin(ws.admin)
  await stage(ws.admin, id, [['U', '1']])
  await match(ws.admin, id)
  const ready = await sql<{ lapses_at: Date }>`select lapses_at from imports where workspace_id = ${ws.id} and id = ${id}`.execute(ctx.db)
  assert.equal(Math.round(((ready.rows[0]?.lapses_at.getTime() ?? 0) - ctx.clock.ms()) / 3_600_000), 24)
  const { admin } = await workspace()
  await advance(24 * 3_600 + 60)
  assert.equal((await admin.get('/segments')).status, 401, 'the session is over by then, too')
  const { rows } = await sql<{ status: string; left: number }>`
    select status, (select count(*) from import_rows r where r.workspace_id = ${ws.id} and r.import_id = i.id) as left
    from imports i where i.workspace_id = ${ws.id} and i.id = ${id}`.execute(ctx.db)
  assert.deepEqual(rows, [{ status: 'cancelled', left: 0 }])
})
