/** Questions about events, held against the stored events themselves: after merges, after days became one row, and after erasures. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeColumns } from '@contentflow/core/analysis/columns.ts'
import { expectStatus, type Answer, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { rollUp, track, workspaceOverTime } from '../../../test/builders/events.ts'
import { erase, identify } from '../../../test/builders/people.ts'
import { drawsFrom } from '../../../test/harness/draws.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { until } from '../../../test/harness/until.ts'
import { gateOf } from './questions/gate.ts'

const started = await startApp()
const { workspace, ctx, operator, advance } = started

const DAY = 86_400
const ask = async ({ admin }: { admin: Client }, kind: string, body: object) =>
  expectStatus(await admin.post(`/analysis/${kind}`, body), 200).data
const dimension = (kind = 'string', use = 'dimension') => ({ kind, use })
const declare = async (admin: Client, type: string, properties: object) =>
  expectStatus(await admin.put(`/event-types/${type}`, { properties }), 200)

type Stored = { type: string; person: string; at: number; arrived: number; plan: unknown; value: number | null }
/** The stored events of people who are there, in the order of their times and of their storing. */
async function storedEvents({ id }: Pick<Workspace, 'id'>): Promise<Stored[]> {
  const rows = await ctx.db.selectFrom('events').selectAll().where('workspace_id', '=', id).orderBy('batch').execute()
  const absorbed = await ctx.db.selectFrom('absorbed_profiles').selectAll().where('workspace_id', '=', id).execute()
  const into = new Map(absorbed.map(({ profile_id, into_id }) => [profile_id, into_id]))
  const people = new Set((await ctx.db.selectFrom('profiles').select('id').where('workspace_id', '=', id).execute()).map((row) => row.id))
  const events = rows.map((row) => {
    const arrived = row.received_at.getTime()
    const occurred = row.occurred_at?.getTime() ?? arrived
    return {
      type: row.type,
      person: into.get(row.profile_id) ?? row.profile_id,
      arrived,
      at: occurred <= arrived && occurred >= arrived - DAY * 1000 ? occurred : arrived,
      plan: (row.properties as { plan?: unknown } | null)?.plan,
      value: row.value,
    }
  })
  return events.filter(({ person }) => people.has(person)).sort((a, b) => a.at - b.at)
}

/** The longest chain of types within the window. */
function naiveDepth(events: readonly Stored[], types: readonly string[], windowMs: number): number {
  const longest = (from: number, start: number, step: number): number => {
    let best = step
    for (let index = from; index < events.length && step < types.length; index++)
      if (events[index]!.type === types[step] && events[index]!.at - start <= windowMs)
        best = Math.max(best, longest(index + 1, start, step + 1))
    return best
  }
  return Math.max(0, ...events.map((event, index) => (event.type === types[0] ? longest(index + 1, event.at, 1) : 0)))
}

async function holdAgainstEvents(ws: { id: string; admin: Client }): Promise<void> {
  const events = await storedEvents(ws)
  const byPerson = Map.groupBy(events, ({ person }) => person)
  const types = ['view', 'cart', 'buy']
  const found = await ask(ws, 'funnel', { steps: types.map((type) => ({ type })), days: 30, withinMinutes: 600 })
  const depths = [...byPerson.values()].map((mine) => naiveDepth(mine, types, 600 * 60_000))
  assert.deepEqual(
    found.steps.map(({ people }: { people: number }) => people),
    types.map((_, step) => depths.filter((depth) => depth > step).length),
  )
  const distinct = (some: readonly Stored[]) => new Set(some.map(({ person }) => person)).size
  const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const people = await ask(ws, 'explore', { types, days: 30, metric: 'people' })
  for (const { type, total, values } of people.series) {
    const mine = events.filter((event) => event.type === type)
    assert.equal(total, distinct(mine))
    const days = people.intervals.map((at: string) => distinct(mine.filter(({ arrived }) => dayOf(arrived) === at.slice(0, 10))))
    assert.deepEqual(values, days)
  }
  const sums = await ask(ws, 'explore', { types: ['buy'], days: 30, metric: 'sum', measure: 'value', by: 'properties.plan' })
  const fromColumns = new Map(sums.series.map(({ value, total }: { value: unknown; total: number }) => [value ?? undefined, total]))
  const bought = events.filter(({ type }) => type === 'buy')
  for (const [plan, mine] of Map.groupBy(bought, (event) => event.plan))
    assert.equal(
      fromColumns.get(plan) ?? 0,
      mine.reduce((sum, { value }) => sum + (value ?? 0), 0),
      String(plan),
    )
  const counts = await ask(ws, 'explore', { types: ['buy'], days: 30, by: 'properties.plan' })
  assert.equal(
    counts.series.reduce((sum: number, { total }: { total: number }) => sum + total, 0),
    bought.length,
  )
  const [week] = [await ask(ws, 'retention', { start: { type: 'view' }, return: { type: 'buy' }, unit: 'day', periods: 10 })]
  const cells = week.cohorts.map(({ from }: { from: string }) => {
    const mine = [...byPerson.values()].filter((all) => dayOf(all.find(({ type }) => type === 'view')?.at ?? 0) === from.slice(0, 10))
    return mine.length
  })
  assert.deepEqual(
    week.cohorts.map((cohort: { people: number }) => cohort.people),
    cells,
  )
}

test('funnels, retention and exploring say what the stored events say, before and after merges and the turn of days', async () => {
  const ws = await workspaceOverTime(started)
  await declare(ws.admin, 'buy', { plan: dimension() })
  const draw = drawsFrom(7)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(draw() * list.length)]!
  for (let day = 0; day < 4; day++) {
    // An installation that was away for a day is identified anew.
    const known = new Set<string>()
    for (let round = 0; round < 25; round++) {
      const device = `D${Math.floor(draw() * 12)}`
      if (!known.has(device) || draw() < 0.15) await identify(ws.app, device, draw() < 0.6 ? `U${Math.floor(draw() * 6)}` : undefined)
      known.add(device)
      const now = ctx.clock.ms()
      const events = Array.from({ length: 1 + Math.floor(draw() * 4) }, () => ({
        type: pick(['view', 'cart', 'buy']),
        value: Math.floor(draw() * 50),
        properties: { plan: pick(['free', 'pro', '__proto__']) },
        ...(draw() < 0.3 && { timestamp: new Date(now - Math.floor(draw() * 1000) * 60_000).toISOString() }),
      }))
      await track(ws.app, device, events)
      if (draw() < 0.2) await rollUp(operator)
      if (draw() < 0.3) await advance(1_800)
    }
    await rollUp(operator)
    await holdAgainstEvents(ws)
    await advance(DAY)
    ws.admin = await ws.signIn()
  }
  await rollUp(operator)
  const rows = await ctx.db
    .selectFrom('event_columns')
    .select(({ fn }) => ['day', 'type_id', 'part', fn.countAll().as('rows')])
    .where('workspace_id', '=', ws.id)
    .groupBy(['day', 'type_id', 'part'])
    .execute()
  assert.ok(rows.length > 0 && rows.every((row) => Number(row.rows) === 1), 'each day that is over is one row')
  await holdAgainstEvents(ws)
  const numbers = await ctx.db.selectFrom('people_numbers').select('profile_id').where('workspace_id', '=', ws.id).execute()
  assert.ok(new Set(numbers.map((row) => row.profile_id)).size < numbers.length, 'somebody was merged who had a number of their own')
})

test('events of one request keep their order, also those of different types without a time', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await identify(ws.app, 'E', 'V')
  const many = Array.from({ length: 40 }, () => ({ type: 'other' }))
  await track(ws.app, 'D', [{ type: 'a' }, ...many, { type: 'b' }, { type: 'c' }])
  await track(ws.app, 'E', [{ type: 'c' }, ...many, { type: 'b' }, { type: 'a' }])
  await rollUp(operator)
  const steps = ['a', 'b', 'c'].map((type) => ({ type }))
  const people = async (order: string) =>
    (await ask(ws, 'funnel', { steps, order, withinMinutes: 1 })).steps.map((step: { people: number }) => step.people)
  assert.deepEqual(
    [await people('in_order'), await people('any_order')],
    [
      [2, 1, 1],
      [2, 2, 2],
    ],
  )
})

test('who went no further is listed, and a condition, a segment and a group narrow a funnel down', async () => {
  const ws = await workspace()
  await declare(ws.admin, 'view', { plan: dimension(), email: dimension() })
  for (const [device, plan] of [
    ['D', 'free'],
    ['E', 'pro'],
    ['F', 'pro'],
  ] as const) {
    await identify(ws.app, device, `U-${device}`, { traits: { plan } })
    await track(ws.app, device, [
      { type: 'view', properties: { plan, email: 'a@example.com' } },
      ...(device === 'F' ? [] : [{ type: 'buy' }]),
    ])
  }
  await rollUp(operator)
  const steps = [{ type: 'view' }, { type: 'buy' }]
  const { groups } = await ask(ws, 'funnel', { steps, by: 'properties.plan' })
  assert.deepEqual(
    groups.map(({ value, people }: { value: string; people: number[] }) => [value, people]),
    [
      ['pro', [2, 1]],
      ['free', [1, 1]],
    ],
  )
  const pro = { logicalOperator: 'AND', conditions: [{ field: 'properties.plan', operator: 'equals', value: 'pro' }] }
  const narrowed = await ask(ws, 'funnel', { steps: [{ type: 'view', where: pro }, { type: 'buy' }] })
  assert.deepEqual(
    narrowed.steps.map((step: { people: number }) => step.people),
    [2, 1],
  )
  assert.deepEqual([narrowed.steps[1].share, narrowed.steps[1].medianSeconds !== null], [0.5, true])
  const dropped = await ask(ws, 'funnel/people', { steps, step: 1, dropped: true })
  assert.deepEqual([dropped.total, dropped.people], [1, [{ userId: 'U-F', deviceId: null }]])
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'free' }]
  const segment = expectStatus(await ws.admin.post('/segments', { name: 'Free', logicalOperator: 'AND', rules }), 201).data
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'segments' }), 200)
  assert.deepEqual(
    (await ask(ws, 'funnel', { steps, segment: segment.id })).steps.map((step: { people: number }) => step.people),
    [1, 1],
  )
  const refused = async (body: object) => (await ws.admin.post('/analysis/funnel', body)).body.error
  assert.equal(await refused({ steps, segment: 'none' }), 'segment: there is no segment with this id')
  assert.equal(
    await refused({ steps, by: 'properties.city' }),
    'by: properties.city is no dimension of view, buy; declare it on the page Events',
  )
  // Nobody is told apart by a contact, also where somebody declared it.
  assert.match(await refused({ steps, by: 'properties.email' }), /is no dimension/)
  assert.equal((await ws.admin.post('/analysis/funnel', { steps: Array.from({ length: 20 }, () => ({ type: 'a' })) })).status, 400)
  assert.equal((await ws.admin.post('/analysis/funnel/people', { steps, step: 3 })).body.error, 'step must be a whole number from 1 to 2')
})

/** Every number that is in a body, with its environment. */
async function numbersInBodies(workspaceId: string): Promise<Set<number>> {
  const rows = await ctx.db.selectFrom('event_columns').selectAll().where('workspace_id', '=', workspaceId).execute()
  return new Set(rows.flatMap(({ body, meta, part }) => [...decodeColumns(body, meta as never).people].map((local) => local * 16 + part)))
}
const numbersOf = async (workspaceId: string) =>
  (await ctx.db.selectFrom('people_numbers').select('no').where('workspace_id', '=', workspaceId).execute()).map(({ no }) => no)

test('an erased person is in no row, whoever they were before; who shared a device keeps what they did elsewhere', async () => {
  const ws = await workspaceOverTime(started)
  await identify(ws.app, 'Shared', 'First')
  await identify(ws.app, 'Own', 'First')
  await track(ws.app, 'Shared', [{ type: 'view' }])
  await track(ws.app, 'Own', [{ type: 'view' }, { type: 'buy' }])
  await identify(ws.app, 'Late')
  await track(ws.app, 'Late', [{ type: 'view' }])
  await rollUp(operator)
  await advance(DAY)
  await identify(ws.app, 'Shared', 'First')
  expectStatus(await ws.app.post('/logout', {}, { headers: { 'x-cf-device': 'Shared' } }), 200)
  await identify(ws.app, 'Shared', 'Second')
  await identify(ws.app, 'Late', 'Second')
  await track(ws.app, 'Shared', [{ type: 'view' }])
  await rollUp(operator)
  ws.admin = await ws.signIn()
  const views = async () => (await ask(ws, 'explore', { types: ['view'], days: 5, metric: 'people' })).series[0].total
  assert.equal(await views(), 2)
  assert.equal((await numbersOf(ws.id)).length, 2)
  // Not in the columns yet when the erasure comes.
  await track(ws.app, 'Shared', [{ type: 'view' }])
  expectStatus(await erase(ws.app, 'Shared'), 200)
  await rollUp(operator)
  const left = await numbersOf(ws.id)
  assert.deepEqual([left.length, await numbersInBodies(ws.id)], [1, new Set(left)])
  assert.equal(await views(), 1)
  const events = await ask(ws, 'explore', { types: ['view'], days: 5, metric: 'events', by: 'platform' })
  assert.equal(events.series[0].total, 1, 'what First did on the shared device went with it')
})

test('a process that dies in the build adds each batch once', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', [{ type: 'view' }])
  let isFailing = true
  ctx.faults.watch((point) => {
    if (point === 'columns: built' && isFailing) throw new Error('it dies')
  })
  await operator.post('/test-hooks/jobs', { job: 'rollup' })
  isFailing = false
  ctx.faults.watch(() => {})
  await advance(120)
  await rollUp(operator)
  await rollUp(operator)
  const { series, events, sampled } = await ask(ws, 'explore', { types: ['view'], by: 'platform' })
  assert.deepEqual([series[0].total, events, sampled], [1, 1, null])
})

test('events without more are seconds behind, of all people and of none', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', [{ type: 'view' }, { type: 'view' }, { type: 'buy' }])
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'rollup' }), 200)
  const answered = await ask(ws, 'explore', { types: ['view', 'buy', 'never'], interval: 'hour' })
  assert.deepEqual(
    answered.series.map(({ type, total }: { type: string; total: number }) => [type, total]),
    [
      ['view', 2],
      ['buy', 1],
      ['never', 0],
    ],
  )
  assert.deepEqual([answered.isFresh, answered.intervals.length, answered.events], [true, 24, 3])
  const weeks = await ask(ws, 'explore', { types: ['view'], interval: 'week', days: 20 })
  assert.ok(weeks.intervals.every((at: string) => new Date(at).getUTCDay() === 1))
  assert.equal(weeks.series[0].total, 2)
})

test('files are for spreadsheets: no text begins a formula', async () => {
  const ws = await workspace()
  await declare(ws.admin, 'view', { plan: dimension() })
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', [{ type: 'view', properties: { plan: '=SUM(A1)' } }])
  await rollUp(operator)
  const answer = await ws.admin.post(
    '/analysis/explore',
    { types: ['view'], days: 1, by: 'properties.plan' },
    { headers: { accept: 'text/csv' } },
  )
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8')
  const [, line] = answer.text.split('\r\n')
  assert.equal(line, "view,'=SUM(A1),1,1")
})

test('nine questions at once: one is answered, eight wait, and further ones are told to come back', async () => {
  const two = [await workspace(), await workspace()]
  const { promise, resolve } = Promise.withResolvers<void>()
  const taken = gateOf(ctx).take('another', () => promise)
  const asked = two.flatMap(({ admin }) =>
    Array.from({ length: 5 }, () => admin.post('/analysis/retention', { start: { type: 'a' }, return: { type: 'b' } })),
  )
  const answered: Answer[] = []
  for (const each of asked) void each.then((answer) => answered.push(answer))
  await until('two are refused', async () => answered.length === 2)
  const [refused] = answered as [Answer]
  assert.deepEqual([refused.status, refused.body.code, refused.headers.get('retry-after')], [429, 'ANALYSIS_BUSY', '5'])
  resolve()
  await taken
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [...Array.from({ length: 8 }, () => 200), 429, 429],
  )
})

test('columns are kept as long as events are, and a type without any leaves its number', async () => {
  const ws = await workspaceOverTime(started)
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', [{ type: 'old' }])
  await rollUp(operator)
  expectStatus(await ws.admin.put('/settings/event-retention', { days: 3 }), 200)
  await advance(5 * DAY)
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', [{ type: 'new' }])
  await rollUp(operator)
  const types = await ctx.db.selectFrom('column_types').select('name').where('workspace_id', '=', ws.id).execute()
  assert.deepEqual(
    types.map(({ name }) => name),
    ['new'],
  )
  const rows = await ctx.db.selectFrom('event_columns').select('day').where('workspace_id', '=', ws.id).execute()
  assert.equal(rows.length, 1)
})
