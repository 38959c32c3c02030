/** People of a journey moved on, against the same rows by two statements; the checks of those who only wait and of those who are not silent yet; and a test run. */
import assert from 'node:assert/strict'
import { journeysWork } from '../../../packages/server/src/modules/journeys/index.ts'
import { createJourney, setStatus } from '../../../packages/server/src/modules/journeys/journeys.ts'
import { tryOut } from '../../../packages/server/src/modules/journeys/test-run.ts'
import { insertWorkspace, withContext } from '../../lib/context.mjs'
import { count, median, ms, spread } from '../../lib/stats.mjs'

const WAITING = Number(process.env['CF_BENCH_PEOPLE'] ?? 1_000_000)
const QUICK_WAITING = 100_000
const DUE = 200_000
const QUICK_DUE = 20_000
const TRIED = { people: 1_000, days: 30 }
const [MOVED_RATIO, WAITING_MS, INACTIVITY_MS, TRIED_MS] = [4, 100, 100, 3_000]
const SILENT_DAYS = 30

const OF = { workspaceId: 'benchmark', actor: 'bench' }
const MESSAGE = { en: { title: 'Welcome', body: 'Good to have you.' } }
const STEPS = [
  { id: 'day', type: 'wait', minutes: 1_440 },
  { id: 'mail', type: 'send', channel: 'email', content: MESSAGE },
]

export const journeysFigure = { name: 'journeys', run: measure }

async function measure({ rounds, isQuick, quiet }) {
  const people = { waiting: isQuick ? Math.min(WAITING, QUICK_WAITING) : WAITING, due: isQuick ? QUICK_DUE : DUE }
  return withContext(async (ctx, db) => {
    ctx.due.register(journeysWork(ctx))
    await fill(db, people.waiting)
    const id = await start(ctx)
    await db.query('create table hand_sends (like sends including all)')
    await db.query(`alter table hand_sends add foreign key (workspace_id, profile_id) references profiles (workspace_id, id),
      add foreign key (workspace_id, dispatch_id) references dispatches (workspace_id, id)`)
    const moved = []
    for (let round = 0; round < Math.min(rounds, 5); round++) {
      await quiet()
      const sides = { ours: () => check(ctx, db), hand: () => byHand(db, id) }
      const times = {}
      for (const side of round % 2 === 0 ? ['ours', 'hand'] : ['hand', 'ours']) {
        await makeDue(db, id, people)
        times[side] = await timed(sides[side])
        const { rows } = await db.query(
          "select (select count(*)::int from journey_runs where status = 'completed') as over, (select count(*)::int from sends) + (select count(*)::int from hand_sends) as sends",
        )
        assert.deepEqual(rows, [{ over: people.due, sends: people.due }])
      }
      moved.push(times)
    }
    await makeDue(db, id, { ...people, due: 0 })
    const waiting = []
    for (let round = 0; round < 20; round++) waiting.push(await timed(() => check(ctx, db)))
    const silence = await checkSilence(ctx, db)
    return [
      describeMoved(people, moved),
      describeWaiting(people, waiting),
      describeInactivity(people, silence),
      describeTried(await tryAgain(ctx)),
    ]
  })
}

async function fill(db, people) {
  const now = new Date(Date.now() - 86_400_000)
  await insertWorkspace(db, now)
  await db.query(
    `insert into profiles (workspace_id, id, environment, user_id, email, channels, traits, created_at, updated_at, last_active_at, activity_mark)
    select 'benchmark', 'p' || lpad(i::text, 9, '0'), 'live', 'user-' || i, 'user' || i || '@example.com', '{"email": true}',
      jsonb_build_object('plan', case when i % 3 = 0 then 'gold' else 'silver' end), $2, $2, at, at
    from (select i, $2::timestamptz - interval '1 second' * (i % 2300000) as at from generate_series(1, $1::int) i) people`,
    [people, now],
  )
}

async function start(ctx) {
  const { id } = await createJourney(ctx, OF, { name: 'Welcome', trigger: { type: 'manual' }, steps: STEPS })
  await setStatus(ctx, OF, id, 'active', undefined)
  return id
}

/** All are at the wait; of the first ones it is over. */
async function makeDue(db, id, { waiting, due }) {
  await db.query('truncate journey_runs, sends, hand_sends')
  await db.query(
    `insert into journey_runs (workspace_id, journey_id, profile_id, status, step, is_waiting, trigger, entered_at, updated_at, due_at)
    select 'benchmark', $1, 'p' || lpad(i::text, 9, '0'), 'active', 'day', true, '{"type": "manual"}', now(), now(),
      now() + case when i <= $3 then interval '-1 minute' else interval '1 day' end
    from generate_series(1, $2::int) i`,
    [id, waiting, due],
  )
  await db.query('vacuum analyze journey_runs')
}

async function check(ctx, db) {
  await db.query("update journey_checks set due_at = now() - interval '1 second' where workspace_id = 'benchmark'")
  await ctx.due.workOff('journeys', 'benchmark')
}

/** Milliseconds of checks with a journey that asks for silence: everybody was active since, up to three days before it is due. */
async function checkSilence(ctx, db) {
  const { id } = await createJourney(ctx, OF, { name: 'Silent', trigger: { type: 'inactivity', days: SILENT_DAYS }, steps: STEPS })
  await setStatus(ctx, OF, id, 'active', undefined)
  await db.query('vacuum analyze profiles')
  await check(ctx, db)
  const times = []
  for (let round = 0; round < 20; round++) times.push(await timed(() => check(ctx, db)))
  const { rows } = await db.query(
    'select count(*)::int as entered, (select read_until > active_since from journeys where id = $1) as read from journey_runs where journey_id = $1',
    [id],
  )
  assert.deepEqual(rows, [{ entered: 0, read: true }])
  return times
}

/** The least that has to be written for it. */
async function byHand(db, id) {
  const dispatch = 'hand'
  await db.query(
    `insert into dispatches (workspace_id, id, source, source_id, channel, name, message, state, starts_at, created_at, updated_at)
    values ('benchmark', $1, 'campaign', $1, 'email', '', '{}', 'done', now(), now(), now()) on conflict do nothing`,
    [dispatch],
  )
  await db.query(
    `insert into hand_sends (workspace_id, dispatch_id, profile_id, state, due_at, created_at, updated_at)
    select workspace_id, $2, profile_id, 'due', now(), now(), now() from journey_runs
    where workspace_id = 'benchmark' and journey_id = $1 and due_at <= now()`,
    [id, dispatch],
  )
  await db.query(
    `update journey_runs set status = 'completed', step = null, is_waiting = false, due_at = null, updated_at = now()
    where workspace_id = 'benchmark' and journey_id = $1 and due_at <= now()`,
    [id],
  )
}

/** A journey with a condition between two waits, tried five times: milliseconds of each. */
async function tryAgain(ctx) {
  const rule = { field: 'customAttributes.plan', operator: 'equals', value: 'gold' }
  const send = (id) => ({ id, type: 'send', channel: 'email', content: MESSAGE })
  const { id } = await createJourney(ctx, OF, {
    name: 'Tried',
    trigger: { type: 'manual' },
    steps: [
      STEPS[0],
      { id: 'gold', type: 'condition', rule, then: [send('thanks')], else: [send('offer')] },
      { id: 'week', type: 'wait', minutes: 10_080 },
      send('week after'),
    ],
  })
  const userIds = Array.from({ length: TRIED.people }, (_, i) => `user-${i + 1}`)
  const found = []
  for (let round = 0; round < 5; round++) {
    const began = performance.now()
    const tried = await tryOut(ctx, 'benchmark', id, { userIds, days: TRIED.days, events: [] })
    found.push({ took: performance.now() - began, says: JSON.stringify({ ...tried, statuses: [...tried.statuses] }) })
  }
  assert.equal(new Set(found.map(({ says }) => says)).size, 1, 'the same bytes each time')
  assert.ok(JSON.parse(found[0].says).steps.some(({ sent }) => sent === TRIED.people))
  return found.map(({ took }) => took)
}

async function timed(work) {
  const began = performance.now()
  await work()
  return performance.now() - began
}

function describeMoved({ waiting, due }, rounds) {
  const ratios = rounds.map(({ ours, hand }) => ours / hand)
  const side = (name) => `${(median(rounds.map((times) => times[name])) / 1_000).toFixed(1)} s`
  return {
    name: 'journeys-due',
    what: `${count(due)} people of a journey whose wait is over all at once, each then sent a mail: time until all is written`,
    target: { most: MOVED_RATIO },
    value: median(ratios),
    spread: spread(ratios),
    ours: side('ours'),
    limit: `${side('hand')}, one insert … select and one update of the same rows`,
    made: [`Of ${count(waiting)} who are in it. In batches of 1,000, each in a transaction of its own that others can go between.`],
  }
}

function describeWaiting({ waiting }, times) {
  return {
    name: 'journeys-waiting',
    what: `The check of every minute with ${count(waiting)} people waiting in a journey and nothing due`,
    target: { most: WAITING_MS, unit: 'ms' },
    value: median(times),
    spread: spread(times, 1),
    ours: ms(median(times)),
    limit: 'none',
    made: [`The longest of ${times.length} took ${ms(Math.max(...times))}.`],
  }
}

function describeInactivity({ waiting }, times) {
  return {
    name: 'journeys-inactivity',
    what: `The check of every minute of a journey by ${SILENT_DAYS} days of silence, with ${count(waiting)} people of whom nobody became silent`,
    target: { most: INACTIVITY_MS, unit: 'ms' },
    value: median(times),
    spread: spread(times, 1),
    ours: ms(median(times)),
    limit: 'none',
    made: [`The longest of ${times.length} took ${ms(Math.max(...times))}.`],
  }
}

function describeTried(times) {
  return {
    name: 'journeys-test-run',
    what: `A test run of ${count(TRIED.people)} people over ${TRIED.days} days`,
    target: { most: TRIED_MS, unit: 'ms' },
    value: median(times),
    spread: spread(times, 0),
    ours: ms(median(times)),
    limit: 'none',
    made: ['Two waits, a condition, two mails; the same bytes each time.'],
  }
}
