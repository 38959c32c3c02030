/** Rules on events: the same answer in stored membership, on the delivery path and in explain, whatever happens meanwhile. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { rollUp, track, workspaceOverTime } from '../../../test/builders/events.ts'
import { erase, identify } from '../../../test/builders/people.ts'
import { drawsFrom } from '../../../test/harness/draws.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { until } from '../../../test/harness/until.ts'

const started = await startApp()
const { workspace, ctx, operator, advance } = started

const DAY = 86_400
const did = (type: string, value: object = {}, operator = 'did') => ({ field: `events.${type}`, operator, value })
const over = (amount: number) => ({
  where: { logicalOperator: 'AND', conditions: [{ field: 'properties.total', operator: 'greater_than', value: amount }] },
})
const make = async ({ admin }: { admin: Client }, name: string, rules: object[], more: object = {}) =>
  expectStatus(await admin.post('/segments', { name, logicalOperator: 'AND', rules, ...more }), 201).data
const membersOf = async ({ admin }: { admin: Client }, id: string): Promise<string[]> =>
  expectStatus(await admin.get(`/segments/${id}/members?limit=200`), 200).data.userIds.sort()
const buy = (ws: Workspace, device: string, ...totals: number[]) =>
  track(
    ws.app,
    device,
    totals.map((total) => ({ type: 'purchase', value: total, properties: { total } })),
  )
const runJob = async (job: string) => void expectStatus(await operator.post('/test-hooks/jobs', { job }), 200)
/** What the snapshot of an installation holds, without deciding anew. */
const snapshotOf = async (ws: Workspace, device: string): Promise<string[]> => {
  const row = await ctx.db
    .selectFrom('devices')
    .select('segments')
    .where('workspace_id', '=', ws.id)
    .where('device_id', '=', device)
    .executeTakeFirst()
  return row?.segments ?? []
}
const explain = async (ws: Workspace, id: string, user: string) =>
  expectStatus(await ws.admin.get(`/segments/${id}/explain?person=${encodeURIComponent(user)}`), 200).data

test('whoever bought twice in 14 days for more than 100 is in the segment soon after the events, everywhere, and leaves when the window ends', async () => {
  const ws = await workspaceOverTime(started)
  const rule = did('purchase', { within: { days: 14 }, count: { operator: 'greater_than_or_equal', value: 2 }, ...over(100) })
  const segment = await make(ws, 'Good customers', [rule])
  const lost = await make(ws, 'Others', [did('purchase', {}, 'did_not')], { excludedSegments: ['Good customers'] })
  await identify(ws.app, 'D', 'Sara')
  await identify(ws.app, 'E', 'Omar')
  assert.deepEqual([await membersOf(ws, segment.id), await membersOf(ws, lost.id)], [[], ['Omar', 'Sara']])
  await buy(ws, 'D', 150, 90)
  await buy(ws, 'E', 20)
  await rollUp(operator)
  assert.deepEqual([await membersOf(ws, segment.id), await membersOf(ws, lost.id)], [[], []])
  await advance(DAY)
  ws.admin = await ws.signIn()
  await identify(ws.app, 'D', 'Sara')
  await buy(ws, 'D', 101)
  // Nobody asks for it: the count of events sets it off.
  await until('Sara is a member', async () => (await membersOf(ws, segment.id)).includes('Sara'))
  assert.deepEqual(await membersOf(ws, segment.id), ['Sara'])
  assert.deepEqual(await snapshotOf(ws, 'D'), ['Good customers'])
  assert.deepEqual((await identify(ws.app, 'D', 'Sara')).data.segments, ['Good customers'])
  const why = await explain(ws, segment.id, 'Sara')
  assert.deepEqual([why.isMember, why.isStored, why.trace.rules[0].found.count], [true, true, 2])
  assert.equal((await explain(ws, segment.id, 'Omar')).isMember, false)
  const { count } = expectStatus(await ws.admin.post('/segments/preview', { logicalOperator: 'AND', rules: [rule] }), 200).data
  assert.equal(count, 1)
  // Fourteen days after the first of the two only one is left.
  const turns = Date.parse(why.trace.rules[0].found.changesAt)
  await advance(Math.ceil((turns - ctx.clock.ms()) / 1_000) - 60)
  await identify(ws.app, 'D', 'Sara')
  await runJob('scheduler')
  assert.deepEqual(await snapshotOf(ws, 'D'), ['Good customers'])
  await advance(61)
  await runJob('scheduler')
  assert.deepEqual(await snapshotOf(ws, 'D'), [])
  const { rows } = {
    rows: await ctx.db
      .selectFrom('segment_members')
      .select('segment_id')
      .where('workspace_id', '=', ws.id)
      .where('segment_id', '=', segment.id)
      .execute(),
  }
  assert.deepEqual(rows, [])
})

test('what happened before a rule was saved counts, each event once, whether or not it was counted by then', async () => {
  const ws = await workspaceOverTime(started)
  for (const user of ['A', 'B']) await identify(ws.app, `D${user}`, user)
  await buy(ws, 'DA', 10, 20)
  await rollUp(operator)
  await advance(2 * DAY)
  ws.admin = await ws.signIn()
  for (const user of ['A', 'B']) await identify(ws.app, `D${user}`, user)
  await buy(ws, 'DA', 30)
  await buy(ws, 'DB', 5)
  const before = expectStatus(
    await ws.admin.post('/segments/preview', { logicalOperator: 'AND', rules: [did('purchase', { within: { days: 30 } })] }),
    200,
  ).data
  // What was not counted yet is not read: it follows within seconds.
  assert.deepEqual([before.count, before.coverage.isWhole], [1, true])
  const three = { count: { operator: 'equals', value: 3 } }
  const segment = await make(ws, 'Three', [did('purchase', three), did('purchas', {}, 'did_not')])
  assert.deepEqual(segment.warnings, ['No event of type purchas was seen; did you mean purchase?'])
  await rollUp(operator)
  assert.deepEqual(await membersOf(ws, segment.id), ['A'])
  const sum = { sum: { property: 'value', operator: 'between', value: [60, 60] } }
  const spent = await make(ws, 'Spent 60', [did('purchase', sum)])
  assert.deepEqual(await membersOf(ws, spent.id), ['A'])
  assert.equal((await explain(ws, spent.id, 'A')).trace.rules[0].found.sum, 60)
  // Edited: another window of the same tracker, at once.
  expectStatus(await ws.admin.put(`/segments/${segment.id}`, { rules: [did('purchase', { within: { days: 1 } })] }), 200)
  assert.deepEqual(await membersOf(ws, segment.id), ['A', 'B'])
})

test('what somebody did before they signed in is theirs; who is erased leaves every count, and nothing of them is kept', async () => {
  const ws = await workspace()
  const segment = await make(ws, 'Two', [did('purchase', { count: { operator: 'greater_than_or_equal', value: 2 } })])
  await identify(ws.app, 'D1', 'U')
  await buy(ws, 'D1', 1)
  await identify(ws.app, 'D2')
  await buy(ws, 'D2', 1)
  await rollUp(operator)
  assert.deepEqual(await membersOf(ws, segment.id), [])
  assert.deepEqual((await identify(ws.app, 'D2', 'U')).data.segments, ['Two'])
  assert.deepEqual(await membersOf(ws, segment.id), ['U'])
  // Events that were on their way while the person was somebody anonymous.
  await identify(ws.app, 'D3')
  await buy(ws, 'D3', 1)
  await identify(ws.app, 'D3', 'U')
  await rollUp(operator)
  assert.equal((await explain(ws, segment.id, 'U')).trace.rules[0].found.count, 3)
  await erase(ws.app, 'D2')
  await runJob('erasure')
  const kept = await ctx.db.selectFrom('person_behaviour').select('id').where('workspace_id', '=', ws.id).execute()
  assert.deepEqual(kept, [])
})

test('when a device is erased that somebody else had used before, what that other did on it leaves their counts', async () => {
  const ws = await workspace()
  const segment = await make(ws, 'Any', [did('purchase')])
  await identify(ws.app, 'D', 'First')
  await buy(ws, 'D', 1)
  expectStatus(await ws.app.post('/logout', {}, { headers: { 'x-cf-device': 'D' } }), 200)
  await identify(ws.app, 'D', 'Second')
  await buy(ws, 'D', 1)
  await rollUp(operator)
  assert.deepEqual(await membersOf(ws, segment.id), ['First', 'Second'])
  await erase(ws.app, 'D')
  await runJob('erasure')
  await runJob('scheduler')
  assert.deepEqual(await membersOf(ws, segment.id), [])
})

test('a tracker that no rule uses is kept a week, then taken out of the histories; used again it begins anew', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  const segment = await make(ws, 'Any', [did('purchase')])
  await buy(ws, 'D', 1)
  await rollUp(operator)
  const stateOf = async (): Promise<string[]> => {
    const row = await ctx.db.selectFrom('person_behaviour').select('state').where('workspace_id', '=', ws.id).executeTakeFirst()
    return Object.keys((row?.state as object | undefined) ?? {})
  }
  assert.equal((await stateOf()).length, 1)
  expectStatus(await ws.admin.put(`/segments/${segment.id}`, { rules: [did('view')] }), 200)
  await buy(ws, 'D', 1)
  await rollUp(operator)
  expectStatus(
    await ws.admin.put(`/segments/${segment.id}`, { rules: [did('purchase', { count: { operator: 'equals', value: 2 } })] }),
    200,
  )
  assert.deepEqual(await membersOf(ws, segment.id), ['U'], 'kept, and folded meanwhile')
  expectStatus(await ws.admin.put(`/segments/${segment.id}`, { rules: [did('view')] }), 200)
  await advance(8 * DAY)
  await runJob('segments')
  assert.deepEqual(await stateOf(), [])
  const trackers = await ctx.db.selectFrom('event_trackers').select('type').where('workspace_id', '=', ws.id).execute()
  assert.deepEqual(trackers, [{ type: 'view' }])
})

test('rules that cannot be are refused where they are wrong, and more kinds of events than there may be are too', async () => {
  const ws = await workspace()
  const refused = async (rule: object) =>
    expectStatus(await ws.admin.post('/segments', { name: 'x', logicalOperator: 'AND', rules: [rule] }), 400).body.error
  assert.equal(await refused(did('purchase', { within: { days: 0 } })), 'rules[0]: value.within.days must be a whole number from 1 to 90')
  assert.equal(await refused(did('purchase', { within: { days: 91 } })), 'rules[0]: value.within.days must be a whole number from 1 to 90')
  assert.match(
    await refused(did('purchase', { count: { operator: 'equals', value: 'two' } })),
    /value\.count\.value must be a whole number/,
  )
  assert.match(await refused(did('purchase', {}, 'like')), /operator of events\.purchase must be one of did/)
  assert.match(await refused({ field: 'foo.bar', operator: 'equals', value: 1 }), /field must begin with one of/)
  assert.match(await refused({ field: 'behavioral.clicks', operator: 'like', value: 1 }), /operator must be one of/)
  const odd = Array.from({ length: 50 }, (_, n) => did('purchase', { within: { days: 90 }, count: { operator: 'equals', value: n + 1 } }))
  const wide = await make(ws, 'Fifty conditions', odd)
  await identify(ws.app, 'D', 'U')
  const properties = JSON.parse('{"__proto__": {"constructor": 1}, "constructor": "x", "total": "100"}')
  await track(ws.app, 'D', [
    { type: 'purchase', properties },
    { type: 'purchase', properties: { total: 100, long: 'x'.repeat(4_000) } },
  ])
  const named = await make(ws, 'Prototypes', [
    did('purchase', {
      where: { logicalOperator: 'AND', conditions: [{ field: 'properties.constructor', operator: 'equals', value: 'x' }] },
    }),
    did('purchase', { where: { logicalOperator: 'AND', conditions: [{ field: 'properties.toString', operator: 'exists' }] } }, 'did_not'),
    did('constructor', {}, 'did_not'),
  ])
  await rollUp(operator)
  assert.deepEqual([await membersOf(ws, named.id), await membersOf(ws, wide.id)], [['U'], []])

  const conditions = (n: number) =>
    did('purchase', { where: { logicalOperator: 'AND', conditions: [{ field: 'value', operator: 'equals', value: n }] } })
  const many = Array.from({ length: 51 }, (_, n) => conditions(n))
  const said = expectStatus(await ws.admin.post('/segments', { name: 'Too many', logicalOperator: 'OR', rules: many }), 409)
  assert.equal(said.body.code, 'TRACKERS_EXCEEDED')
  assert.equal((await ws.admin.get('/segments')).text.includes('Too many'), false)
})

test('after random events, sign-ins, merges, erasures, edits and days that pass, members are who the whole table of events says', async () => {
  const ws = await workspaceOverTime(started)
  const draw = drawsFrom(7)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(draw() * of.length)] as T
  const devices = Array.from({ length: 12 }, (_, n) => `dev-${n}`)
  const users = ['u1', 'u2', 'u3', 'u4', 'u5']
  const shapes = [
    { within: { days: 3 }, count: { operator: 'greater_than_or_equal', value: 2 } },
    { within: { hours: 30 } },
    { count: { operator: 'equals', value: 3 } },
    { within: { days: 5 }, count: { operator: 'less_than', value: 2 } },
  ] as const
  const segments = new Map<string, { shape: (typeof shapes)[number]; type: string }>()
  const holdsNaively = (
    { shape, type }: { shape: (typeof shapes)[number]; type: string },
    events: readonly { type: string; at: number }[],
    now: number,
  ) => {
    const within = 'within' in shape ? shape.within : undefined
    const length = within ? ('days' in within ? within.days * DAY : within.hours * 3_600) * 1_000 : Infinity
    const count = events.filter((event) => event.type === type && event.at > now - length).length
    if (!('count' in shape)) return count >= 1
    const { operator: comparison, value } = shape.count
    return comparison === 'equals' ? count === value : comparison === 'less_than' ? count < value : count >= value
  }
  const check = async () => {
    await rollUp(operator)
    await runJob('scheduler')
    const now = ctx.clock.ms()
    const people = await ctx.db.selectFrom('profiles').select(['id', 'user_id']).where('workspace_id', '=', ws.id).execute()
    const absorbed = await ctx.db
      .selectFrom('absorbed_profiles')
      .select(['profile_id', 'into_id'])
      .where('workspace_id', '=', ws.id)
      .execute()
    const into = new Map(absorbed.map((row) => [row.profile_id, row.into_id]))
    const events = (
      await ctx.db.selectFrom('events').select(['profile_id', 'type', 'received_at']).where('workspace_id', '=', ws.id).execute()
    ).map((row) => ({
      person: into.get(row.profile_id) ?? row.profile_id,
      type: row.type,
      at: row.received_at.getTime(),
    }))
    const stored = await ctx.db
      .selectFrom('segment_members')
      .select(['segment_id', 'profile_id'])
      .where('workspace_id', '=', ws.id)
      .where('is_member', '=', true)
      .execute()
    for (const [id, rule] of segments) {
      const wanted = people
        .filter((person) =>
          holdsNaively(
            rule,
            events.filter((event) => event.person === person.id),
            now,
          ),
        )
        .map((person) => person.id)
      const found = stored.filter((row) => row.segment_id === id).map((row) => row.profile_id)
      assert.deepEqual(found.sort(), wanted.sort(), JSON.stringify(rule))
    }
  }
  for (let round = 0; round < 60; round++) {
    const device = pick(devices)
    const action = draw()
    if (round < 4 || action < 0.08) {
      const rule = { shape: pick(shapes), type: pick(['purchase', 'view']) }
      const { id } = await make(ws, `S${round}`, [did(rule.type, rule.shape)])
      segments.set(id, rule)
    } else if (action < 0.2) await identify(ws.app, device, pick(users))
    else if (action < 0.25) await erase(ws.app, device).then(() => runJob('erasure'))
    else if (action < 0.35) await advance(Math.floor(draw() * 1.5 * DAY)).then(async () => void (ws.admin = await ws.signIn()))
    else if (action < 0.4) {
      const [id] = pick([...segments])
      const rule = { shape: pick(shapes), type: pick(['purchase', 'view']) }
      expectStatus(await ws.admin.put(`/segments/${id}`, { rules: [did(rule.type, rule.shape)] }), 200)
      segments.set(id, rule)
    } else {
      await identify(ws.app, device)
      await track(
        ws.app,
        device,
        Array.from({ length: 1 + Math.floor(draw() * 3) }, () => ({ type: pick(['purchase', 'view', 'other']) })),
      )
      if (draw() < 0.3) await rollUp(operator)
    }
    if (round % 4 === 3) await check()
  }
  await check()
})
