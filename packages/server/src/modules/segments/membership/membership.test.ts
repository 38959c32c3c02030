/** Who is in a segment: stored and on the block path, by rules and by hand, now and later. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Client, type Workspace } from '../../../../test/builders/builders.ts'
import { identify } from '../../../../test/builders/people.ts'
import { startApp, startOn } from '../../../../test/harness/start-app.ts'
import { reevaluateProfiles } from '../index.ts'
import { until } from '../../../../test/harness/until.ts'
import { countWaiting } from '../../../../test/harness/waiting.ts'

const { workspace, ctx, url, advance, operator, databaseEnv } = await startApp()

const HOUR = 3_600
const DAY = 24 * HOUR
const trait = (key: string, operator: string, value?: unknown) => ({
  field: `customAttributes.${key}`,
  operator,
  ...(value !== undefined && { value }),
})
const make = async ({ admin }: { admin: Client }, name: string, rules: object[], more: object = {}) =>
  expectStatus(await admin.post('/segments', { name, logicalOperator: 'AND', rules, ...more }), 201).data
const membersOf = async ({ admin }: { admin: Client }, id: string): Promise<string[]> =>
  expectStatus(await admin.get(`/segments/${id}/members?limit=200`), 200).data.userIds.sort()
const refresh = async ({ admin }: { admin: Client }, id: string) => expectStatus(await admin.post(`/segments/${id}/refresh`), 202)
const bulk = async ({ admin }: { admin: Client }, segmentId: string, userIds: string[], more: object = {}) =>
  expectStatus(await admin.post('/users/bulk/segments', { segmentId, userIds, ...more }), 200).data

/** A workspace whose admin can sign in again after the clock has moved past the session. */
async function lasting(): Promise<Workspace & { signIn(): Promise<void> }> {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const lastingWs = {
    ...ws,
    signIn: async () => {
      const { token } = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', { email, password: PASSWORD }), 200).data
      lastingWs.admin = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
    },
  }
  return lastingWs
}

test('M-SEG-06 members of an excluded segment are out, in every step of a chain', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', { traits: { a: true, b: true } })
  await identify(ws.app, 'D2', 'U2', { traits: { a: true } })
  await make(ws, 'B', [trait('b', 'is_true')])
  const c = await make(ws, 'C', [trait('a', 'is_true')], { excludedSegments: ['B'] })
  const d = await make(ws, 'D', [trait('a', 'is_true')], { excludedSegments: ['C'] })
  assert.deepEqual([await membersOf(ws, c.id), await membersOf(ws, d.id)], [['U2'], ['U']])
  assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments, ['B', 'D'])
  assert.deepEqual((await identify(ws.app, 'D2', 'U2')).data.segments, ['C'])
  // Without B nobody is kept out of C, and so both out of D.
  await identify(ws.app, 'D', 'U', { traits: { a: true } })
  assert.deepEqual([await membersOf(ws, c.id), await membersOf(ws, d.id)], [['U', 'U2'], []])
})

test('M-SEG-06 a change of the excluded segment changes who depends on it', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U', { traits: { a: true, b: 1 } })
  const b = await make(ws, 'B', [trait('b', 'equals', 2)])
  const c = await make(ws, 'C', [trait('a', 'is_true')], { excludedSegments: ['B'] })
  assert.deepEqual(await membersOf(ws, c.id), ['U'])
  expectStatus(await ws.admin.put(`/segments/${b.id}`, { rules: [trait('b', 'equals', 1)] }), 200)
  assert.deepEqual(await membersOf(ws, c.id), [])
  await bulk(ws, b.id, ['U'], { action: 'remove' })
  assert.deepEqual(await membersOf(ws, c.id), ['U'])
})

test('G-43 identify stores the membership at once, whatever the frequency; live and test are apart', async () => {
  const ws = await workspace()
  const weekly = await make(ws, 'Weekly', [trait('plan', 'equals', 'gold')], { updateFrequency: 'weekly' })
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  await identify(ws.testApp, 'T', 'T', { traits: { plan: 'gold' } })
  assert.deepEqual(await membersOf(ws, weekly.id), ['U'])
  assert.deepEqual((await ws.admin.get(`/segments/${weekly.id}/members?environment=test`)).data.userIds, ['T'])
  assert.equal((await ws.admin.get(`/segments/${weekly.id}`)).data.memberCount, 1)
  await identify(ws.app, 'D', 'U', { traits: { plan: 'silver' } })
  assert.deepEqual(await membersOf(ws, weekly.id), [])
})

test('members are listed by pages, users and anonymous devices, with names and contacts', async () => {
  const ws = await workspace()
  const { id } = await make(ws, 'Everybody', [trait('x', 'exists')])
  for (let i = 0; i < 5; i++)
    await identify(ws.app, `D${i}`, `U${i}`, { traits: { x: i }, ...(i === 0 && { name: 'Noura', email: 'n@example.com' }) })
  const contacts = [{ userId: 'U1', phone: '+966501234567' }]
  expectStatus(await ws.admin.post('/users/bulk/contacts', { contacts }), 200)
  await identify(ws.app, 'A', undefined, { traits: { x: null } })
  const seen: string[] = []
  const devices: string[] = []
  const people: object[] = []
  let cursor = ''
  do {
    const { data, metadata } = expectStatus(await ws.admin.get(`/segments/${id}/members?limit=2${cursor && `&cursor=${cursor}`}`), 200).body
    assert.equal(metadata.total, 6)
    seen.push(...data.userIds)
    devices.push(...data.deviceIds)
    people.push(...data.members)
    cursor = metadata.nextCursor ?? ''
  } while (cursor)
  assert.deepEqual([seen, devices], [['U0', 'U1', 'U2', 'U3', 'U4'], ['A']])
  const unknown = { userId: null, deviceId: null, name: null, email: null, phone: null }
  assert.deepEqual(people, [
    { ...unknown, userId: 'U0', name: 'Noura', email: 'n@example.com' },
    { ...unknown, userId: 'U1', phone: '+966501234567' },
    ...['U2', 'U3', 'U4'].map((userId) => ({ ...unknown, userId })),
    { ...unknown, deviceId: 'A' },
  ])
})

test('M-BULK-17 M-BULK-18 M-BULK-19 M-BULK-20 people are added and removed by hand, by id or name of the segment', async () => {
  const ws = await workspace()
  const { id } = await make(ws, 'Hand', [trait('never', 'exists')])
  await identify(ws.app, 'D', 'U')
  await identify(ws.app, 'D2', 'U2')
  const outcome = { segmentId: id, segment: 'Hand', action: 'add', matched: 2, modified: 2, notFound: [] }
  assert.deepEqual(await bulk(ws, id, ['U', 'U2', 'U']), outcome)
  assert.deepEqual(await bulk(ws, 'Hand', ['U', 'U2'], { action: 'add' }), { ...outcome, modified: 0 })
  assert.deepEqual(await membersOf(ws, id), ['U', 'U2'])
  assert.deepEqual(await bulk(ws, 'Hand', ['U'], { action: 'remove' }), { ...outcome, action: 'remove', matched: 1, modified: 1 })
  assert.equal((await bulk(ws, 'Hand', ['U'], { action: 'remove' })).modified, 0)
  assert.deepEqual(await membersOf(ws, id), ['U2'])
})

test('M-BULK-21 M-BULK-22 M-BULK-23 M-ERR-10 G-45 what is unknown is told, and what is wrong refused', async () => {
  const ws = await workspace()
  const { id } = await make(ws, 'Hand', [trait('never', 'exists')])
  await identify(ws.app, 'D', 'U')
  await identify(ws.app, 'A')
  await identify(ws.testApp, 'T', 'T')
  const { matched, modified, notFound } = await bulk(ws, id, ['Nobody', 'U', 'A', 'T', 'D'])
  assert.deepEqual([matched, modified, notFound], [2, 2, ['Nobody', 'T', 'D']])
  assert.deepEqual((await ws.admin.get(`/segments/${id}/members`)).data.deviceIds, ['A'])
  assert.equal((await bulk(ws, id, ['T'], { environment: 'test' })).matched, 1)
  for (const segmentId of ['No such', randomUUID()]) {
    const unknown = await ws.admin.post('/users/bulk/segments', { segmentId, userIds: ['U'] })
    assert.deepEqual([unknown.status, unknown.body.code], [404, undefined])
  }
  const many = Array.from({ length: 5001 }, (_, i) => `${i}`)
  for (const more of [
    { action: 'toggle' },
    { userIds: [] },
    { userIds: many },
    { userIds: [1] },
    { userIds: undefined },
    { segmentId: 5 },
  ]) {
    const refused = await ws.admin.post('/users/bulk/segments', { segmentId: id, userIds: ['U'], ...more })
    assert.deepEqual([refused.status, refused.body.code], [400, undefined], JSON.stringify(more).slice(0, 60))
  }
  assert.equal((await bulk(ws, id, many.slice(0, 5000))).notFound.length, 5000)
})

test('M-BULK-24 who was added by hand stays through identify and refresh, and steps aside for an excluded segment', async () => {
  const ws = await workspace()
  await make(ws, 'Out', [trait('out', 'is_true')])
  const { id } = await make(ws, 'Hand', [trait('never', 'exists')], { excludedSegments: ['Out'] })
  await identify(ws.app, 'D', 'U', { traits: { a: 1 } })
  await bulk(ws, id, ['U'])
  await identify(ws.app, 'D', 'U', { traits: { a: 2 } })
  await refresh(ws, id)
  assert.deepEqual(await membersOf(ws, id), ['U'])
  await identify(ws.app, 'D', 'U', { traits: { out: true } })
  await refresh(ws, id)
  assert.deepEqual(await membersOf(ws, id), [])
  await identify(ws.app, 'D', 'U', { traits: { a: 2 } })
  assert.deepEqual(await membersOf(ws, id), ['U'])
})

test('X-INT-20 A-57 somebody added by hand gets the block after identify, and within a minute without', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await make(ws, 'Hand', [trait('never', 'exists')])
  await ws.instance('promo', { seg: 'Hand', values: { '#title': 'x' } })
  for (const user of ['U', 'U2']) await identify(ws.app, `D-${user}`, user)
  assert.equal((await ws.blocks('D-U2')).length, 0)
  await bulk(ws, 'Hand', ['U', 'U2'])
  assert.deepEqual((await identify(ws.app, 'D-U', 'U')).data.segments, ['Hand'])
  assert.equal((await ws.blocks('D-U')).length, 1)
  await advance(61)
  // The first request is answered from the old snapshot and has it worked out again.
  await until('the second is worked out', async () => (await ws.blocks('D-U2')).length === 1)
})

test('X-INT-19 M-SEG-08 M-SEG-09 enrichment, in-app consent and places count for the stored membership and not for blocks', async () => {
  const ws = await workspace()
  await ws.block('promo')
  const person = async (id: string, change: object) => {
    await ctx.db.updateTable('profiles').set(change).where('workspace_id', '=', ws.id).where('user_id', '=', id).execute()
  }
  const enriched = { field: 'enrichment.tier', operator: 'equals', value: 1 }
  const either = await make(ws, 'Either', [enriched, trait('p', 'equals', 1)], { logicalOperator: 'OR' })
  const alone = await make(ws, 'Enriched', [enriched])
  const inApp = await make(ws, 'In-app', [{ field: 'consent.inApp', operator: 'is_true' }])
  const near = await make(ws, 'Near', [
    { field: 'currentLocation', operator: 'geo_radius', value: { latitude: 24.7136, longitude: 46.6753, radiusMeters: 5_000 } },
  ])
  await ws.instance('promo', { seg: 'Either', values: { '#title': 'x' } })
  await identify(ws.app, 'D', 'U', { traits: { p: 1 } })
  await identify(ws.app, 'D2', 'U2')
  await person('U2', {
    enrichment: JSON.stringify({ tier: 1 }),
    channels: JSON.stringify({ inApp: true }),
    current_location: JSON.stringify({ latitude: 24.72, longitude: 46.68, at: '2026-01-01T00:00:00.000Z' }),
  })
  await person('U', { current_location: JSON.stringify({ latitude: 21.5, longitude: 39.2, at: '2026-01-01T00:00:00.000Z' }) })
  assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments, ['Either'])
  assert.deepEqual((await identify(ws.app, 'D2', 'U2')).data.segments, [])
  assert.deepEqual([(await ws.blocks('D')).length, (await ws.blocks('D2')).length], [1, 0])
  assert.deepEqual(await membersOf(ws, either.id), ['U', 'U2'])
  for (const { id } of [alone, inApp, near]) assert.deepEqual(await membersOf(ws, id), ['U2'])
  for (const { id } of [either, alone, inApp, near]) await refresh(ws, id)
  assert.deepEqual(await membersOf(ws, either.id), ['U', 'U2'])
  for (const { id } of [alone, inApp, near]) assert.deepEqual(await membersOf(ws, id), ['U2'])
})

test('C-SEG-37 a place reported by the device puts the person inside a circle or not', async () => {
  const ws = await workspace()
  const { id } = await make(ws, 'Near', [
    { field: 'currentLocation', operator: 'geo_radius', value: { latitude: 24.7136, longitude: 46.6753, radiusMeters: 5_000 } },
  ])
  for (const [user, latitude] of [
    ['In', 24.72],
    ['Out', 25.72],
  ] as const) {
    await identify(ws.app, user, user)
    const points = [{ latitude, longitude: 46.68 }]
    expectStatus(await ws.app.post('/location', { points }, { headers: { 'x-cf-device': user } }), 202)
  }
  await refresh(ws, id)
  assert.deepEqual(await membersOf(ws, id), ['In'])
  for (const user of ['In', 'Out']) assert.deepEqual((await identify(ws.app, user, user)).data.segments, [])
})

test('C-SEG-38 C-SEG-39 C-SEG-40 C-SEG-41 C-SEG-42 C-SEG-43 the lifecycle goes on with time', async () => {
  const ws = await lasting()
  const stages = ['new', 'churned', 'dormant', 'at-risk', 'engaged', 'active']
  const ids = new Map<string, string>()
  for (const stage of stages) ids.set(stage, (await make(ws, stage, [{ field: 'lifecycle', operator: 'equals', value: stage }])).id)
  const { data } = await identify(ws.app, 'D', 'U')
  assert.deepEqual(data.segments, ['new'], 'new, although without any event')
  const stageOf = async () => {
    await ws.signIn()
    const found = []
    for (const [stage, id] of ids) {
      await refresh(ws, id)
      if ((await membersOf(ws, id)).includes('U')) found.push(stage)
    }
    return found
  }
  assert.deepEqual(await stageOf(), ['new'])
  const passed = async (days: number) => {
    await advance(days * DAY)
    return stageOf()
  }
  assert.deepEqual(await passed(31), ['at-risk'])
  assert.deepEqual(await passed(30), ['dormant'])
  assert.deepEqual(await passed(30), ['churned'])
  const events = (recent_events: number) =>
    ctx.db.updateTable('profiles').set({ recent_events }).where('workspace_id', '=', ws.id).where('user_id', '=', 'U').execute()
  await events(20)
  assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments, ['engaged'])
  await events(3)
  assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments, ['active'])
  await events(2)
  assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments, ['at-risk'])
  assert.deepEqual(await stageOf(), ['at-risk'])
})

test('M-SEG-07 G-43 time alone changes the members when the segment is due', async () => {
  const ws = await lasting()
  const rules = [{ field: 'behavioral.lastActiveDays', operator: 'greater_than_or_equal', value: 1 }]
  await identify(ws.app, 'D', 'U')
  const made = new Map<string, string>()
  for (const updateFrequency of ['realtime', 'hourly', 'daily', 'weekly'])
    made.set(updateFrequency, (await make(ws, updateFrequency, rules, { updateFrequency })).id)
  // Rules that time does not change need no pass.
  const still = await make(ws, 'Still', [trait('x', 'exists')])
  const withMember = async () => {
    await ws.signIn()
    const found = []
    for (const [frequency, id] of made) if ((await membersOf(ws, id)).includes('U')) found.push(frequency)
    return found
  }
  assert.deepEqual(await withMember(), [])
  await advance(DAY - 60)
  assert.deepEqual(await withMember(), [])
  await advance(30 * 60)
  assert.deepEqual(await withMember(), ['daily'], 'those due every hour were looked at half an hour ago')
  await advance(HOUR)
  assert.deepEqual(await withMember(), ['realtime', 'hourly', 'daily'])
  await advance(6 * DAY)
  assert.deepEqual(await withMember(), ['realtime', 'hourly', 'daily', 'weekly'])
  const { exactAsOf, createdAt } = (await ws.admin.get(`/segments/${still.id}`)).data
  assert.ok(Date.parse(exactAsOf) - Date.parse(createdAt) < DAY * 1000)
  // Nothing is left to do, and the job says so.
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'segments' }), 200)
})

test('refresh works out again what changed behind the back of the segment, and writes only that', async () => {
  const ws = await workspace()
  const { id, exactAsOf } = await make(ws, 'Gold', [trait('plan', 'equals', 'gold')])
  for (const user of ['U1', 'U2', 'U3']) await identify(ws.app, user, user, { traits: { plan: 'gold' } })
  const rows = async () => {
    const query = sql<{ version: string }>`select xmin::text || profile_id as version from segment_members
      where workspace_id = ${ws.id} and segment_id = ${id} order by profile_id`
    return (await query.execute(ctx.db)).rows
  }
  const before = await rows()
  await refresh(ws, id)
  assert.deepEqual(await rows(), before)
  await sql`update profiles set traits = '{}' where workspace_id = ${ws.id} and user_id = 'U2'`.execute(ctx.db)
  await refresh(ws, id)
  assert.deepEqual(await membersOf(ws, id), ['U1', 'U3'])
  assert.deepEqual(
    await rows(),
    before.filter((_, index) => index !== 1),
  )
  const { memberCount, ...after } = (await ws.admin.get(`/segments/${id}`)).data
  assert.equal(memberCount, 2)
  assert.ok(Date.parse(after.exactAsOf) >= Date.parse(exactAsOf))
})

test('M-SEG-08 many people are worked out in steps, with patterns too, and a load re-evaluates those it names', async () => {
  const ws = await workspace()
  // The planner knows nothing of the workspace: plans that compare all with all run into the statement timeout.
  await sql`analyze`.execute(ctx.db)
  await sql`insert into profiles (workspace_id, id, environment, user_id, traits, industry, created_at, updated_at)
    select ${ws.id}, 'p' || lpad(i::text, 8, '0'), 'live', 'U' || i, jsonb_build_object('n', i, 'mail', 'user' || i || '@example.com'), '{}', now(), now()
    from generate_series(1, 21000) i`.execute(ctx.db)
  const count = async (rules: object[], logicalOperator = 'AND') =>
    (await ws.admin.post('/segments/preview', { logicalOperator, rules })).data.count
  assert.equal(await count([trait('n', 'greater_than', 500)]), 20_500)
  assert.equal(await count([trait('mail', 'regex', '^user\\d{5}@')]), 11_001)
  assert.equal(await count([trait('mail', 'not_regex', '7')]), await count([trait('mail', 'not_contains', '7')]))
  // More people than an answer waits for: the members come behind it.
  const { id } = await make(ws, 'Many', [trait('mail', 'regex', '0@')])
  const memberCount = async () => expectStatus(await ws.admin.get(`/segments/${id}`), 200).data.memberCount
  await until('all are counted', async () => (await memberCount()) === 2_100)
  await sql`update profiles set traits = '{"mail":"0@"}' where workspace_id = ${ws.id} and id <= 'p00000009'`.execute(ctx.db)
  const ids = Array.from({ length: 5 }, (_, i) => `p0000000${i + 1}`)
  await reevaluateProfiles(ctx, ws.id, ids)
  assert.equal(await memberCount(), 2_105)
  await reevaluateProfiles(ctx, ws.id, ids.concat(Array.from({ length: 6_000 }, (_, i) => `p${String(i + 8).padStart(8, '0')}`)))
  assert.equal(await memberCount(), 2_107)
  await refresh(ws, id)
  await until('those whom nobody named are counted too', async () => (await memberCount()) === 2_109)
  expectStatus(await ws.admin.delete(`/segments/${id}`), 200)
})

test('a segment changed in one process is known in the others', { skip: !databaseEnv['DATABASE_URL'] }, async () => {
  const other = await startOn(databaseEnv)
  try {
    const ws = await workspace()
    const app = clientOf(`${other.url}/sdk/v1`, { 'x-cf-key': ws.live })
    const segments = async () => (await identify(app, 'D', 'U', { traits: { plan: 'gold' } })).data.segments
    assert.deepEqual(await segments(), [])
    const { id } = await make(ws, 'Gold', [trait('plan', 'equals', 'gold')])
    await until('the other knows it', async () => String(await segments()) === 'Gold')
    expectStatus(await ws.admin.delete(`/segments/${id}`), 200)
    await until('the other has forgotten it', async () => (await segments()).length === 0)
  } finally {
    await other.stop()
  }
})

test(
  'G-43 an identify that was under way while a segment was worked out is judged again',
  { skip: !databaseEnv['DATABASE_URL'] },
  async () => {
    const ws = await workspace()
    await identify(ws.app, 'D', 'U', { traits: { plan: 'silver' } })
    const { id } = await make(ws, 'Plan', [trait('plan', 'equals', 'gold')])
    const underWay = await ctx.db.transaction().execute(async (tx) => {
      await sql`select from profiles where workspace_id = ${ws.id} for no key update`.execute(tx)
      const answer = identify(ws.app, 'D', 'U', { traits: { plan: 'bronze' } })
      await until('it waits', async () => (await countWaiting(ctx.db)) > 0)
      // Worked out from what the person was, after the identify has read that nothing changes.
      expectStatus(await ws.admin.put(`/segments/${id}`, { rules: [trait('plan', 'equals', 'silver')] }), 200)
      assert.deepEqual(await membersOf(ws, id), ['U'])
      return { answer }
    })
    await underWay.answer
    await advance(31)
    expectStatus(await operator.post('/test-hooks/jobs', { job: 'segments' }), 200)
    assert.deepEqual(await membersOf(ws, id), [])
  },
)
