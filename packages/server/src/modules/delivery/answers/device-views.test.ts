/** Many devices of one workspace at once, as after a publish: what their views ask of the database, and that each gets its own. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { clientOf, expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { createApp } from '../../../app.ts'

const { workspace, ctx, advance, operator } = await startApp()

// A second server on the same context, whose statements are counted.
const seen = { statements: 0, underWay: 0, mostAtOnce: 0 }
const db = ctx.db.withPlugin({
  transformQuery: ({ node }) => {
    seen.statements++
    seen.mostAtOnce = Math.max(seen.mostAtOnce, ++seen.underWay)
    return node
  },
  transformResult: async ({ result }) => {
    seen.underWay--
    return result
  },
})
const counted = await createApp({ ...ctx, db }, { isTimed: false })
await counted.http.listen({ port: 0, host: '127.0.0.1' })
after(() => counted.stop({ drainMs: 0, streamsMs: 0 }))

const DEVICES = 100
const ids = Array.from({ length: DEVICES }, (_, i) => `device-${i}`)
/** Statements that reads may take whatever their number: keys, content, segments and what comes by the way. */
const FEW = 30

const plan = (value: string) => ({ logicalOperator: 'AND', rules: [{ field: 'customAttributes.plan', operator: 'equals', value }] })

/** People of two plans, each on a device, and a block for the gold ones that nobody is in the segment of yet. */
async function shop(): Promise<Workspace> {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  await ws.block('promo')
  await ws.instance('promo', { seg: 'Gold', values: { '#title': 'gold' } })
  for (const [i, deviceId] of ids.entries()) {
    const traits = { plan: i % 2 === 0 ? 'gold' : 'basic' }
    expectStatus(await ws.app.post('/identify', { deviceId, userId: `user-${i}`, consent: true, traits }), 200)
  }
  return ws
}

const countOf = (ws: Workspace) => async (deviceId: string) => {
  const client = clientOf(`${counted.http.listeningOrigin}/sdk/v1`, { 'x-cf-key': ws.live, 'x-cf-device': deviceId })
  return expectStatus(await client.get('/sync'), 200).data.blocks.length as number
}
const counts = (ws: Workspace) => Promise.all(ids.map(countOf(ws)))

/** Resolves when as many requests have reached the server as there are devices. */
function allArrived(): Promise<void> {
  const all = Promise.withResolvers<void>()
  let left = DEVICES
  counted.http.server.on('request', () => --left === 0 && all.resolve())
  return all.promise
}

/** While it runs no device can be read: PostgreSQL holds the table, the embedded database everything. */
async function whileStalled(work: () => Promise<void>): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await sql`lock table devices in access exclusive mode`.execute(tx)
    await work()
  })
}

function countAnew(): void {
  seen.statements = 0
  seen.mostAtOnce = 0
}

test('C-LIMIT-16 C-SYNC-24 views of hundreds of devices are read and renewed together, over few connections, and each gets what is its own', async () => {
  const ws = await shop()
  expectStatus(await clientOf(`${counted.http.listeningOrigin}/sdk/v1`, { 'x-cf-key': ws.live }).get('/sync'), 200)
  countAnew()
  let first: Promise<number[]> | undefined
  await whileStalled(async () => {
    const all = allArrived()
    first = counts(ws)
    await all
  })
  assert.deepEqual(
    await first,
    ids.map(() => 0),
  )
  assert.ok(seen.statements < FEW, `first reads took ${seen.statements} statements`)

  expectStatus(await ws.admin.post('/segments', { name: 'Gold', ...plan('gold') }), 201)
  await advance(61)
  countAnew()
  await whileStalled(async () =>
    assert.deepEqual(
      await counts(ws),
      ids.map(() => 0),
      'what is known is served meanwhile',
    ),
  )
  const expected = ids.map((_, i) => (i % 2 === 0 ? 1 : 0))
  let now: number[] = []
  for (let attempt = 0; attempt < 200 && now.join() !== expected.join(); attempt++) {
    now = await counts(ws)
    await setTimeout(20)
  }
  assert.deepEqual(now, expected)
  assert.ok(seen.statements < FEW, `renewals took ${seen.statements} statements`)
  assert.ok(seen.mostAtOnce <= 4, `${seen.mostAtOnce} statements were under way at once`)
})

test('a device that changes while it is decided about it keeps what the change says', async () => {
  const ws = await shop()
  await counts(ws)
  expectStatus(await ws.admin.post('/segments', { name: 'Gold', ...plan('gold') }), 201)
  await advance(61)
  await counts(ws)
  for (const deviceId of ids) expectStatus(await ws.app.post('/identify', { deviceId, consent: false }), 200)
  await advance(61)
  await counts(ws)
  assert.deepEqual(
    await counts(ws),
    ids.map(() => 0),
  )
  const kept = await ctx.db.selectFrom('devices').select('segments').where('workspace_id', '=', ws.id).execute()
  assert.ok(kept.every(({ segments }) => segments.length === 0))
})
