/**
 * A staged import of 200,000 rows over HTTP, against the same rows by COPY, one join and one insert; what it takes of
 * memory, what readers notice of it, and a change of the ranking of sources afterwards.
 */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { expectStatus } from '../../packages/server/test/builders/builders.ts'
import { begin } from '../../packages/server/test/builders/imports.ts'
import { residentBytes, sleep } from '../lib/processes.mjs'
import { openWorkspace, withProduct } from '../lib/product.mjs'
import { count, median, ms, quantile, spread } from '../lib/stats.mjs'
import { memoryRow, openReader, watched } from '../lib/watched.mjs'

const PEOPLE = Number(process.env['CF_BENCH_PEOPLE'] ?? 1_000_000)
const [ROWS, CHUNK] = [200_000, 2_000]
const QUICK_SHARE = 0.1
const NAMES = { tier: 'string', balance: 'number', churn: 'number', city: 'string', member: 'boolean' }
const [IMPORT_RATIO, RANKING_RATIO, MEMORY_MB, READ_MS] = [4, 2, 100, 25]
const READS_A_SECOND = 50
const FILE = '/tmp/contentflow-bench-import.csv'

export const importsFigure = { name: 'imports', run: measure }

async function measure(options) {
  const share = options.isQuick ? QUICK_SHARE : 1
  const size = { people: PEOPLE * share, rows: ROWS * share }
  return withProduct(options, async (product, databaseUrl) => {
    const workspace = await openWorkspace(product.url)
    const db = new pg.Client({ connectionString: databaseUrl })
    await db.connect()
    const { read, close } = await openReader(product, workspace.live, READS_A_SECOND)
    try {
      await fill(db, workspace.id, size)
      const found = { ours: [], hand: [], rankings: [], handRankings: [], idle: [...(await read()), ...(await read())], seen: [] }
      const before = residentBytes(product.pid)
      const watch = async (work) => {
        found.seen.push(await watched(work, product.pid, read))
        return found.seen.at(-1).seconds
      }
      for (let round = 0; round < Math.min(options.rounds, 3); round++) {
        await options.quiet()
        found.ours.push(await watch(() => load(workspace, size, round)))
        found.hand.push(await timed(() => byHand(db, workspace.id, round)))
        found.rankings.push(await watch(() => rank(workspace, db, round)))
        found.handRankings.push(await timed(() => rankByHand(db, workspace.id)))
      }
      return describe(size, found, before)
    } finally {
      await Promise.all([close(), db.end(), rm(FILE, { force: true })])
    }
  })
}

async function fill(db, workspaceId, { people, rows }) {
  await db.query(
    `insert into profiles (workspace_id, id, environment, user_id, email, created_at, updated_at)
    select $1, 'p' || lpad(i::text, 9, '0'), 'live', 'user-' || i, 'user' || i || '@example.com', now(), now() from generate_series(1, $2::int) i`,
    [workspaceId, people],
  )
  await db.query('create table hand_people as select id, user_id, enrichment from profiles')
  await db.query('alter table hand_people add primary key (id)')
  await db.query('create unique index on hand_people (user_id)')
  await db.query('create table hand_rows (id text, tier text, balance float8, churn float8, city text, member boolean)')
  await db.query(
    'create table hand_values (profile_id text, upload_id text, source text, loaded_at timestamptz, values jsonb, primary key (profile_id, upload_id))',
  )
  await db.query('vacuum analyze')
  await db.query(
    `copy (select 'user-' || i * ${Math.floor(people / rows)}, 'gold', i, 0.25, 'Riyadh', true from generate_series(1, ${rows}) i) to program 'cat > ${FILE}' csv`,
  )
}

const rowAt = (number, { people, rows }, round) => [
  `user-${number * Math.floor(people / rows)}`,
  ['gold', 'silver', 'bronze'][(number + round) % 3],
  String(number + round),
  '0.25',
  'Riyadh',
  'true',
]

async function load({ admin }, size, round) {
  const id = await begin(admin, { names: NAMES })
  for (let from = 1; from <= size.rows; from += CHUNK) {
    const rows = Array.from({ length: CHUNK }, (_, index) => rowAt(from + index, size, round))
    expectStatus(await admin.post(`/enrichment/imports/${id}/rows`, { startRow: from, rows }), 200)
  }
  for (const [act, state] of [
    ['match', 'ready'],
    ['commit', 'committed'],
  ]) {
    expectStatus(await admin.post(`/enrichment/imports/${id}/${act}`, {}), 202)
    const seen = await until(
      async () => expectStatus(await admin.get(`/enrichment/imports/${id}`), 200).data,
      ({ status }) => !['matching', 'committing'].includes(status),
    )
    assert.equal(seen.status, state)
    assert.equal(seen.counts.matched, size.rows)
  }
}

async function byHand(db, workspaceId, round) {
  await db.query('truncate hand_rows')
  await db.query(`copy hand_rows from program 'cat ${FILE}' csv`)
  await db.query(
    `insert into hand_values select p.id, $1, 'csv', now(),
      jsonb_build_object('tier', tier, 'balance', balance, 'churn', churn, 'city', city, 'member', member)
    from hand_rows r join hand_people p on p.user_id = r.id`,
    [`hand-${round}`],
  )
  await db.query(`update hand_people p set enrichment = v.values from hand_values v where v.upload_id = $1 and p.id = v.profile_id`, [
    `hand-${round}`,
  ])
}

/** Until everybody's values are worked out with the other ranking. */
async function rank({ admin, id }, db, round) {
  expectStatus(await admin.put('/enrichment/source-priorities', { priorities: { csv_upload: 90 - round } }), 200)
  await until(
    async () => (await db.query('select due_at from enrichment_priorities where workspace_id = $1', [id])).rows[0],
    ({ due_at }) => due_at === null,
  )
}

async function rankByHand(db) {
  await db.query(
    `update hand_people p set enrichment = best.values from (
      select profile_id, jsonb_object_agg(name, value) as values from (
        select distinct on (profile_id, e.name) profile_id, e.name, e.value from hand_values, jsonb_each(values) as e (name, value)
        order by profile_id, e.name, loaded_at desc) ranked group by profile_id) best
    where p.id = best.profile_id and p.enrichment is distinct from best.values`,
  )
}

async function until(look, isReached) {
  for (;;) {
    const seen = await look()
    if (isReached(seen)) return seen
    await sleep(20)
  }
}

async function timed(work) {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}

function describe({ people, rows }, { ours, hand, rankings, handRankings, idle, seen }, before) {
  const ratios = (some, others) => some.map((time, round) => time / others[round])
  const seconds = (times) => `${median(times).toFixed(1)} s`
  const busy = seen.flatMap(({ times }) => times)
  const [busy99, idle99] = [quantile(busy, 0.99), quantile(idle, 0.99)]
  return [
    {
      name: 'imports',
      what: `${count(rows)} rows of six columns staged over HTTP, matched to ${count(people)} people, committed: time`,
      target: { most: IMPORT_RATIO },
      value: median(ratios(ours, hand)),
      spread: spread(ratios(ours, hand)),
      ours: seconds(ours),
      limit: `${seconds(hand)}, COPY, one join and insert, one update of the people`,
      made: [`Chunks of ${count(CHUNK)} rows, one after another. No segment looks at what is loaded.`],
    },
    {
      name: 'imports-ranking',
      what: `Values of ${count(rows)} people worked out again after a change of the ranking of sources: time`,
      target: { most: RANKING_RATIO },
      value: median(ratios(rankings, handRankings)),
      spread: spread(ratios(rankings, handRankings)),
      ours: seconds(rankings),
      limit: `${seconds(handRankings)}, one statement written by hand`,
      made: [],
    },
    memoryRow('imports-memory', 'during both', seen, before, MEMORY_MB),
    {
      name: 'imports-sync',
      what: `p99 of /sync, ${READS_A_SECOND} a second, during both`,
      target: { most: READ_MS, unit: 'ms' },
      value: busy99,
      spread: '',
      ours: `${ms(busy99)}, median ${ms(median(busy))}`,
      limit: `${ms(idle99)}, median ${ms(median(idle))}, with nothing to do`,
      made: [],
    },
  ]
}
