/** Rules on events where several things meet: windows that share a tracker, and erasure while the past is filled in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { rollUp, track, workspaceOverTime } from '../../../test/builders/events.ts'
import { erase, identify } from '../../../test/builders/people.ts'
import type { EventLeaf } from '@contentflow/core/behaviour/did.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { until } from '../../../test/harness/until.ts'
import { readPast } from './read-past.ts'

const started = await startApp()
const { ctx, operator, advance, anyone } = started

const DAY = 86_400
const did = (type: string, value: object = {}, operator = 'did') => ({ field: `events.${type}`, operator, value })
const make = async ({ admin }: { admin: Client }, name: string, rules: object[]) =>
  expectStatus(await admin.post('/segments', { name, logicalOperator: 'AND', rules }), 201).data
const runJob = async (job: string) => void expectStatus(await operator.post('/test-hooks/jobs', { job }), 200)
const buy = (ws: Pick<Workspace, 'app'>, device: string) => track(ws.app, device, [{ type: 'purchase' }])
/** Who is stored as a member, without deciding anew. */
const storedIn = async ({ id: workspaceId }: Pick<Workspace, 'id'>, segment: string): Promise<number> => {
  const rows = await ctx.db
    .selectFrom('segment_members')
    .select('profile_id')
    .where('workspace_id', '=', workspaceId)
    .where('segment_id', '=', segment)
    .where('is_member', '=', true)
    .execute()
  return rows.length
}
const explain = async (ws: { admin: Client }, id: string, user: string) =>
  expectStatus(await ws.admin.get(`/segments/${id}/explain?person=${encodeURIComponent(user)}`), 200).data

test('a rule with a shorter window than those that share its tracker ends in its own moment, whether it is new or edited', async () => {
  const ws = await workspaceOverTime(started)
  await identify(ws.app, 'D', 'U')
  await make(ws, 'Fortnight', [did('purchase', { within: { days: 14 } })])
  const edited = await make(ws, 'Edited', [did('purchase', { within: { days: 30 } })])
  await buy(ws, 'D')
  await rollUp(operator)
  // Long after: nobody is looked at because they changed lately.
  await advance(300)
  await runJob('segments')
  const made = await make(ws, 'Half an hour', [did('purchase', { within: { minutes: 30 } })])
  expectStatus(await ws.admin.put(`/segments/${edited.id}`, { rules: [did('purchase', { within: { minutes: 20 } })] }), 200)
  assert.deepEqual([await storedIn(ws, made.id), await storedIn(ws, edited.id)], [1, 1])
  await advance(300)
  await runJob('segments')
  // Minutes from the event to when somebody looks at its person next.
  const lookedAtAfter = async () => {
    const row = await ctx.db.selectFrom('person_behaviour').select('due_at').where('workspace_id', '=', ws.id).executeTakeFirst()
    const event = await ctx.db.selectFrom('events').select('received_at').where('workspace_id', '=', ws.id).executeTakeFirst()
    return (Number(row?.due_at) - Number(event?.received_at)) / 60_000
  }
  assert.equal(await lookedAtAfter(), 20)
  await advance(601)
  await runJob('scheduler')
  assert.deepEqual([await storedIn(ws, made.id), await storedIn(ws, edited.id), await lookedAtAfter()], [1, 0, 30])
  await advance(601)
  await runJob('scheduler')
  assert.deepEqual([await storedIn(ws, made.id), await storedIn(ws, edited.id)], [0, 0])
})

test('what happened before the workspace keeps events is forgotten by rules too, once a day, and by nobody else', async () => {
  const [short, long] = [await workspaceOverTime(started), await workspaceOverTime(started)]
  const made = new Map<Workspace, { id: string }>()
  for (const ws of [short, long]) {
    expectStatus(await ws.admin.put('/settings/event-retention', { days: ws === short ? 10 : 60 }), 200)
    made.set(ws, await make(ws, 'Bought', [did('purchase', { within: { days: 40 } })]))
    await identify(ws.app, 'D', 'U')
    await buy(ws, 'D')
  }
  await rollUp(operator)
  const membersNow = async () => [await storedIn(short, made.get(short)?.id ?? ''), await storedIn(long, made.get(long)?.id ?? '')]
  await advance(10 * DAY)
  await runJob('rollup')
  await runJob('scheduler')
  assert.deepEqual(await membersNow(), [1, 1], 'the tenth day is kept')
  await advance(DAY)
  await runJob('rollup')
  await runJob('scheduler')
  assert.deepEqual(await membersNow(), [0, 1])
  const [kept] = await ctx.db.selectFrom('person_behaviour').select('state').where('workspace_id', '=', short.id).execute()
  assert.deepEqual(
    Object.values(kept?.state as object).map(({ n, a }) => [n, a]),
    [[1, []]],
    'that it happened once is known still',
  )
})

test('once a day histories are held against the events that are stored: one that differs is counted', async () => {
  const ws = await workspaceOverTime(started)
  await make(ws, 'Bought', [did('purchase', { within: { days: 40 } })])
  for (const [device, user] of [
    ['D1', 'U1'],
    ['D2', 'U2'],
  ] as const) {
    await identify(ws.app, device, user)
    await buy(ws, device)
  }
  await rollUp(operator)
  const drift = async () => Number(/^contentflow_behaviour_drift_total (\d+)$/m.exec((await anyone.get('/metrics')).text)?.[1])
  const before = await drift()
  await advance(DAY)
  await runJob('rollup')
  assert.equal(await drift(), before)
  const { rows } = await sql<{ id: string }>`
    update person_behaviour set state = (select jsonb_object_agg(key, value || '{"a": [1]}') from jsonb_each(state))
    where workspace_id = ${ws.id} and id = (select min(id) from person_behaviour where workspace_id = ${ws.id}) returning id`.execute(
    ctx.db,
  )
  assert.equal(rows.length, 1)
  await advance(DAY)
  await runJob('rollup')
  assert.equal(await drift(), before + 1)
})

test('who loses events to an erasure while the past is filled in still has each of the others once', async () => {
  const ws = await workspaceOverTime(started)
  await identify(ws.app, 'Shared', 'First')
  await identify(ws.app, 'Own', 'First')
  await buy(ws, 'Own')
  await rollUp(operator)
  await advance(DAY)
  await identify(ws.app, 'Shared', 'First')
  await identify(ws.app, 'Own', 'First')
  await buy(ws, 'Shared')
  await buy(ws, 'Own')
  await rollUp(operator)
  expectStatus(await ws.app.post('/logout', {}, { headers: { 'x-cf-device': 'Shared' } }), 200)
  await identify(ws.app, 'Shared', 'Second')
  ws.admin = await ws.signIn()
  // The first day is filled in; the process fails at the second.
  let days = 0
  ctx.faults.watch((point) => {
    if (point === 'trackers: filled' && ++days === 2) throw new Error('the second day fails')
  })
  const segment = await make(ws, 'Twice', [did('purchase', { count: { operator: 'equals', value: 2 } })])
  assert.equal(days, 2)
  ctx.faults.watch(() => {})
  await erase(ws.app, 'Shared')
  await runJob('erasure')
  await advance(60)
  await runJob('segments')
  assert.equal((await explain(ws, segment.id, 'First')).trace.rules[0].found.count, 2)
  assert.equal(await storedIn(ws, segment.id), 1)
})

test('of more events than one answer reads the newest count, and the answer says since when', async () => {
  const ws = await workspaceOverTime(started)
  const arrived: number[] = []
  for (const device of ['A', 'B', 'C', 'D']) {
    await identify(ws.app, device, `U${device}`)
    arrived.push(ctx.clock.ms())
    await track(ws.app, device, [{ type: 'read_past' }, { type: 'read_past' }])
    await advance(device === 'B' ? DAY : 60)
  }
  await rollUp(operator)
  const rule = did('read_past') as EventLeaf
  const read = async (most?: number) => (await readPast(ctx, ws.id, [rule], most))!
  // The last two of four came a day later: all of their day was read, and nothing of the day before.
  const { histories, coverage } = await read(5)
  const from = coverage.from.getTime()
  assert.deepEqual([histories.size, coverage.isWhole, from > arrived[1]! && from <= arrived[2]!], [2, false, true])
  // One that would be cut in two is not read at all.
  const last = await read(3)
  assert.deepEqual([last.histories.size, last.coverage.isWhole, last.coverage.from.getTime() >= arrived[3]!], [1, false, true])
  assert.equal((await read(1)).histories.size, 0)
  const all = await read()
  assert.deepEqual([all.histories.size, all.coverage.isWhole], [4, true])
})

test('POST /events says when to sync after an event that rules of a segment ask about, and only then', async () => {
  const ws = await workspaceOverTime(started)
  await identify(ws.app, 'D', 'U')
  const said = async (type: string) => (await track(ws.app, 'D', [{ type }])).data.syncAfterMs
  assert.equal(await said('purchase'), undefined)
  await make(ws, 'Buyers', [did('purchase')])
  // The process reads the segments anew behind the first answer.
  await until('it knows them', async () => (await said('purchase')) === 1_500)
  assert.equal(await said('view'), undefined)
  const unknown = await ws.app.post('/events', { deviceId: 'never identified', events: [{ type: 'purchase' }] })
  assert.deepEqual([expectStatus(unknown, 202).data.accepted, unknown.data.syncAfterMs], [0, undefined])
})
