/** Rules in memory against the same conditions written by hand, and the stored membership of a million people against one hand-written statement. */
import assert from 'node:assert/strict'
import pg from 'pg'
import { compileRules } from '../../packages/core/src/targeting/evaluate.ts'
import { NOBODY } from '../../packages/core/src/targeting/subject.ts'
import { loadConfig } from '../../packages/server/src/config.ts'
import { openContext } from '../../packages/server/src/context.ts'
import { compileRegex, segmentsWork } from '../../packages/server/src/modules/segments/index.ts'
import { freshDatabase } from '../../packages/server/test/harness/start-app.ts'
import { count, median, spread } from '../lib/stats.mjs'

const EVALUATIONS = 1_000_000
const RATIO = 1.3
/** CF_BENCH_PEOPLE measures with fewer. */
const PEOPLE = Number(process.env['CF_BENCH_PEOPLE'] ?? 1_000_000)
const QUICK_PEOPLE = 100_000

export const segmentFigures = [
  { name: 'segments-memory', run: measureMemory },
  { name: 'segments-sql', run: measureSql },
]

const leaf = (field, operator, value) => ({ field, operator, value })
const RULES = {
  logicalOperator: 'AND',
  rules: [
    leaf('customAttributes.plan', 'in', ['gold', 'silver']),
    leaf('customAttributes.age', 'greater_than', 18),
    leaf('customAttributes.city', 'not_equals', 'Cairo'),
    leaf('demographic.country', 'equals', 'SA'),
    leaf('customAttributes.email', 'ends_with', '@example.com'),
    { logicalOperator: 'OR', conditions: [leaf('consent.push', 'is_true'), leaf('customAttributes.orders', 'between', [5, 30])] },
  ],
}

// --- in memory ---

const PLANS = ['gold', 'silver', 'basic']
const CITIES = ['Riyadh', 'Jeddah', 'Dammam', 'Cairo', 'Dubai']

const subjectOf = (i) => ({
  ...NOBODY,
  traits: { plan: PLANS[i % 3], age: 10 + (i % 70), city: CITIES[i % 5], email: `user${i}@example.com`, orders: i % 40, theme: 'dark' },
  demographic: { country: i % 4 === 0 ? 'AE' : 'SA' },
  consent: i % 2 === 0 ? { push: true } : {},
})

function byHand({ traits, demographic, consent }) {
  return (
    (traits.plan === 'gold' || traits.plan === 'silver') &&
    traits.age > 18 &&
    traits.city !== 'Cairo' &&
    demographic.country === 'SA' &&
    traits.email.endsWith('@example.com') &&
    (consent.push === true || (traits.orders >= 5 && traits.orders <= 30))
  )
}

async function measureMemory({ rounds, seconds, quiet }) {
  const subjects = Array.from({ length: 10_000 }, (_, i) => subjectOf(i))
  const compiled = compileRules(RULES, { compileRegex })
  for (const subject of subjects) assert.equal(compiled(subject, 0), byHand(subject))
  const found = { ours: [], hand: [] }
  for (let round = 0; round < rounds; round++) {
    await quiet()
    found.ours.push(perSecond(subjects, compiled, seconds / 2))
    found.hand.push(perSecond(subjects, byHand, seconds / 2))
  }
  return [
    {
      name: 'segments-memory',
      what: 'Rules of six conditions asked about people in memory, on one core, a second',
      target: { least: EVALUATIONS, unit: 'evaluations/s' },
      value: median(found.ours),
      spread: spread(found.ours, 0),
      ours: `${count(median(found.ours))} evaluations/s`,
      limit: `${count(median(found.hand))} evaluations/s, a function written by hand`,
      made: [`${count(subjects.length)} people with six traits in turn, a third of them in the segment; the process is this one.`],
    },
  ]
}

function perSecond(subjects, holds, seconds) {
  const began = performance.now()
  let [asked, held] = [0, 0]
  while (performance.now() - began < seconds * 1000) {
    for (const subject of subjects) if (holds(subject, 0)) held++
    asked += subjects.length
  }
  assert.ok(held > 0)
  return asked / ((performance.now() - began) / 1000)
}

// --- in PostgreSQL ---

async function measureSql({ rounds, isQuick, quiet }) {
  const people = isQuick ? Math.min(PEOPLE, QUICK_PEOPLE) : PEOPLE
  const database = await freshDatabase()
  const ctx = await openContext(loadConfig({ ...database.env, CF_LOG_LEVEL: 'error' }), (error) => {
    throw error
  })
  // A connection of its own: without the statement timeout of the product, which its own statements stay under.
  const hand = new pg.Client({ connectionString: database.env.DATABASE_URL })
  try {
    await hand.connect()
    ctx.due.register(segmentsWork(ctx))
    await fill(hand, people)
    const found = { fill: [], again: [] }
    for (let round = 0; round < rounds; round++) {
      await quiet()
      await hand.query('truncate segment_members, hand_members')
      for (const kind of ['fill', 'again']) {
        const sides = round % 2 === 0 ? [recompute, handWritten] : [handWritten, recompute]
        const times = new Map()
        for (const side of sides) times.set(side, await timed(() => side(ctx, hand)))
        await hand.query('analyze segment_members, hand_members')
        found[kind].push({ ours: times.get(recompute), hand: times.get(handWritten) })
      }
    }
    await assertSame(hand)
    return [describeSql('again', people, found), describeSql('fill', people, found)]
  } finally {
    await hand.end()
    await ctx.close()
    await database.remove()
  }
}

async function fill(db, people) {
  const now = new Date(Date.now() - 86_400_000)
  await db.query(
    "insert into workspaces (id, name, created_at, updated_at, settings_changed_at) values ('benchmark', 'Bench', $1, $1, $1)",
    [now],
  )
  await db.query(
    `insert into profiles (workspace_id, id, environment, user_id, country, traits, channels, created_at, updated_at)
    select 'benchmark', 'p' || lpad(i::text, 9, '0'), 'live', 'user-' || i, case when i % 4 = 0 then 'AE' else 'SA' end,
      jsonb_build_object('plan', (array['gold', 'silver', 'basic'])[i % 3 + 1], 'age', 10 + i % 70, 'email', 'user' || i || '@example.com',
        'city', (array['Riyadh', 'Jeddah', 'Dammam', 'Cairo', 'Dubai'])[i % 5 + 1], 'orders', i % 40, 'theme', 'dark'),
      case when i % 2 = 0 then '{"push": true}' else '{}' end::jsonb, $2, $2
    from generate_series(1, $1::int) i`,
    [people, now],
  )
  await db.query(
    `insert into segments (workspace_id, id, name, logical_operator, rules, update_frequency, due_at, created_at, updated_at)
    values ('benchmark', 'bench', 'Bench', 'AND', $1, 'daily', $2, $2, $2)`,
    [JSON.stringify(RULES.rules), now],
  )
  await db.query('create table hand_members (like segment_members including all)')
  await db.query(`alter table hand_members add foreign key (workspace_id, profile_id) references profiles (workspace_id, id),
    add foreign key (workspace_id, segment_id) references segments (workspace_id, id)`)
  await db.query('vacuum analyze')
}

async function recompute(ctx, hand) {
  await hand.query('update segments set due_at = $1, recompute_at = $1', [new Date(0)])
  await ctx.due.run('segments', { isAsked: true, isAwaited: true })
}

/** What somebody would write who knows that nobody was added by hand, and that numbers are numbers or must not count. */
async function handWritten(_ctx, hand) {
  await hand.query(`
    with wanted as materialized (
      select id from profiles where workspace_id = 'benchmark' and environment = 'live'
        and traits ->> 'plan' in ('gold', 'silver') and traits ->> 'city' is distinct from 'Cairo' and country = 'SA'
        and case when jsonb_typeof(traits -> 'age') = 'number' then (traits -> 'age')::numeric > 18 end
        and right(traits ->> 'email', 12) = '@example.com' and (channels -> 'push' = 'true' or
          case when jsonb_typeof(traits -> 'orders') = 'number' then (traits -> 'orders')::numeric between 5 and 30 end)),
    stored as materialized (select profile_id from hand_members where workspace_id = 'benchmark' and segment_id = 'bench' and is_member),
    removed as (
      delete from hand_members m where workspace_id = 'benchmark' and segment_id = 'bench'
        and not exists (select from wanted where wanted.id = m.profile_id))
    insert into hand_members (workspace_id, segment_id, profile_id, is_manual, is_member, since)
    select 'benchmark', 'bench', id, false, true, now() from (select id from wanted except select profile_id from stored) as added
    on conflict do nothing`)
}

async function assertSame(db) {
  const { rows } = await db.query(`select count(*)::int as members, (select count(*) from hand_members)::int as hand,
    (select count(*) from segment_members join hand_members using (profile_id))::int as both from segment_members`)
  const [{ members, hand, both }] = rows
  assert.ok(members > 0 && members === hand && members === both, JSON.stringify(rows))
}

async function timed(work) {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

const WORDS = { again: 'again, nothing changed', fill: 'for the first time' }

function describeSql(kind, people, found) {
  const ratios = found[kind].map(({ ours, hand }) => ours / hand)
  const side = (name) => median(found[kind].map((times) => times[name]))
  return {
    name: kind === 'again' ? 'segments-sql' : 'segments-sql-fill',
    what: `Members of a segment of six conditions among ${count(people)} people, worked out ${WORDS[kind]}: time`,
    target: { most: RATIO },
    value: median(ratios),
    spread: spread(ratios),
    ours: `${side('ours').toFixed(2)} s`,
    limit: `${side('hand').toFixed(2)} s, one statement written by hand`,
    made: [
      'In steps of bounded length with any value in any place; the other takes no numbers written as text and runs in one go, as long as it takes.',
    ],
  }
}
