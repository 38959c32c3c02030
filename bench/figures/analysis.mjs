/** A funnel over ten million events, and a breakdown of ten types over ninety days, asked of the product through its routes. */
import assert from 'node:assert/strict'
import pg from 'pg'
import { encodeColumns, KEYS_PER_MS, makeColumns } from '../../packages/core/src/analysis/columns.ts'
import { openWorkspace, withProduct } from '../lib/product.mjs'
import { count, median, ms, quantile, spread } from '../lib/stats.mjs'
import { openReader, watched } from '../lib/watched.mjs'

const PEOPLE = 200_000
const FUNNEL = { days: 30, types: 4, events: 10_000_000, ms: 3_000 }
const EXPLORE = { days: 90, types: 10, events: 3_000_000, ms: 500 }
/** A quick run has so many times fewer. */
const QUICK = 50
const PARTS = 16
/** Others wait at most so long, milliseconds, whatever one caller asks. */
const READ_MS = 250
const READS_A_SECOND = 50
const DAY_MS = 86_400_000
const PLANS = ['free', 'basic', 'gold', 'silver', 'team']

export const analysisFigures = [
  { name: 'analysis-funnel', run: measureFunnel },
  { name: 'analysis-explore', run: measureExplore },
]

/** Rows of columns as the hourly build makes them, of people and times at random. */
async function fill(client, workspaceId, { days, types, events }, people) {
  const each = Math.round(events / days / types / PARTS)
  for (let type = 1; type <= types; type++) {
    await client.query('insert into column_types (workspace_id, id, name) values ($1, $2, $3)', [workspaceId, type, `type_${type}`])
    for (let day = 0; day < days; day++)
      for (let part = 0; part < PARTS; part++) await insertRow(client, { workspaceId, type, day, part, each, people })
  }
}

async function insertRow(client, { workspaceId, type, day, part, each, people }) {
  const made = Array.from({ length: each }, () => ({
    person: Math.floor((Math.random() * people) / PARTS),
    key: (DAY_MS + Math.floor(Math.random() * DAY_MS)) * KEYS_PER_MS,
    dimensions: ['ios', PLANS[Math.floor(Math.random() * PLANS.length)]],
    measures: [],
  }))
  made.sort((a, b) => a.person - b.person || a.key - b.key)
  const columns = makeColumns(made, { dimensions: ['platform', 'properties.plan'], measures: [] })
  const { body, meta } = encodeColumns(columns)
  await client.query(
    `insert into event_columns (workspace_id, environment, type_id, day, part, chunk, people, events, body, meta, built_at)
     values ($1, 'live', $2, (now() at time zone 'UTC')::date - $3::integer, $4, 1, $5, $6, $7, $8, now())`,
    [workspaceId, type, day, part, columns.people.length, each, Buffer.from(body), JSON.stringify(meta)],
  )
}

async function measure({ rounds, quiet, isQuick, profile }, asked, ask) {
  const by = isQuick ? QUICK : 1
  const events = asked.events / by
  return withProduct({ profile }, async (product, databaseUrl) => {
    const { admin, id } = await openWorkspace(product.url)
    const other = await openWorkspace(product.url)
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await admin.put('/event-types/type_1', { properties: { plan: { kind: 'string', use: 'dimension' } } })
    await fill(client, id, { ...asked, events }, PEOPLE / by)
    await client.query('vacuum analyze event_columns')
    const { rows } = await client.query('select sum(octet_length(body))::float8 / sum(events) as bytes from event_columns')
    await client.end()
    const once = async () => {
      const answer = await ask(admin)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.data.sampled, null)
    }
    const took = []
    for (let round = 0; round < rounds; round++) {
      await quiet()
      const began = performance.now()
      await once()
      took.push(performance.now() - began)
    }
    const reader = await openReader(product, other.live, READS_A_SECOND)
    const idle = await reader.read()
    const beside = (await watched(once, product.pid, reader.read)).times
    await reader.close()
    return { took, idle, beside, events, bytes: rows[0].bytes }
  })
}

function row(name, what, { target, took, events, bytes }) {
  return [
    {
      name,
      what,
      target: { most: target, unit: 'ms' },
      value: median(took),
      spread: spread(took, 0),
      ours: ms(median(took)),
      limit: 'none',
      made: [`${count(events)} events in columns of ${bytes.toFixed(1)} bytes each; nothing is remembered between questions.`],
    },
  ]
}

function besideRow({ idle, beside }) {
  const longest = Math.max(...beside)
  return {
    name: 'analysis-reads',
    what: `Longest GET /sync of another workspace, ${READS_A_SECOND} a second, while that funnel is asked`,
    target: { most: READ_MS, unit: 'ms' },
    value: longest,
    spread: '',
    ours: `${ms(longest)}, p99 ${ms(quantile(beside, 0.99))}, median ${ms(median(beside))}`,
    limit: `${ms(Math.max(...idle))}, median ${ms(median(idle))}, with nothing to do`,
    made: [],
  }
}

async function measureFunnel(options) {
  const steps = Array.from({ length: FUNNEL.types }, (_, index) => ({ type: `type_${index + 1}` }))
  const found = await measure(options, FUNNEL, (admin) => admin.post('/analysis/funnel', { steps, days: FUNNEL.days }))
  return [...row('analysis-funnel', 'A funnel of four steps over 30 days', { target: FUNNEL.ms, ...found }), besideRow(found)]
}

async function measureExplore(options) {
  const types = Array.from({ length: EXPLORE.types }, (_, index) => `type_${index + 1}`)
  const body = { types, days: EXPLORE.days, by: 'properties.plan' }
  const found = await measure(options, EXPLORE, (admin) => admin.post('/analysis/explore', body))
  return row('analysis-explore', 'Ten types over 90 days by a dimension', { target: EXPLORE.ms, ...found })
}
