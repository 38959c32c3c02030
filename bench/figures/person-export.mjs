/** The file of a person with a million events, against COPY of the same rows; and what the process holds meanwhile. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import pg from 'pg'
import { residentBytes, sleep } from '../lib/processes.mjs'
import { openWorkspace, withProduct } from '../lib/product.mjs'
import { count, median, megabytes, ms, spread } from '../lib/stats.mjs'

const EVENTS = 1_000_000
const DAYS = 60
/** A quick run has so many times fewer. */
const QUICK = 20
const RATIO = 6
const MOST_MB = 60
const LOOK_MS = 20
const PSQL = 'psql'

export const personExportFigure = { name: 'person-export', run: measure }

async function measure(options) {
  const events = options.isQuick ? EVENTS / QUICK : EVENTS
  return withProduct(options, async (product, databaseUrl) => {
    const workspace = await openWorkspace(product.url)
    const answer = await workspace.app.post('/identify', { deviceId: 'phone', userId: 'sara', consent: true })
    assert.equal(answer.status, 200, answer.text)
    const profileId = await fill(databaseUrl, workspace.id, events)
    const found = []
    // The first round warms up.
    for (let round = 0; round <= options.rounds; round++) {
      await options.quiet()
      const copied = copy(databaseUrl, profileId)
      const taken = await take(product, workspace)
      if (round > 0) found.push({ copied, ...taken })
    }
    return describe(events, found)
  })
}

/** Events of the person over the last days. */
async function fill(databaseUrl, workspaceId, events) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(`select id from profiles where workspace_id = $1 and user_id = 'sara'`, [workspaceId])
  for (let day = 1; day <= DAYS; day++) {
    const [from, to] = [day, day - 1].map((ago) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10))
    await client.query(`create table if not exists events_${from.replaceAll('-', '')} partition of events
      for values from ('${from}T00:00:00Z') to ('${to}T00:00:00Z')`)
    await client.query(
      `insert into events (workspace_id, environment, batch, received_at, device_id, profile_id, type, screen, block_key, session_id, platform, properties)
       select $1, 'live', n, $3::timestamptz + n * interval '1 second', 'phone', $2, 'impression', 'home', 'promo', 'session ' || n / 20, 'ios',
         jsonb_build_object('n', n, 'plan', 'gold') from generate_series(1, $4::integer) n`,
      [workspaceId, rows[0].id, `${from}T00:00:00Z`, Math.round(events / DAYS)],
    )
  }
  await client.query('vacuum analyze events')
  await client.end()
  return rows[0].id
}

function copy(databaseUrl, profileId) {
  const began = performance.now()
  const statement = `copy (select * from events where profile_id = '${profileId}') to stdout`
  const { status } = spawnSync(PSQL, [databaseUrl, '-q', '-c', statement], { stdio: ['ignore', 'ignore', 'inherit'] })
  assert.equal(status, 0, 'psql copies')
  return performance.now() - began
}

async function take({ url, pid }, { token, id }) {
  const before = residentBytes(pid)
  const seen = { isOver: false, most: before }
  const looking = (async () => {
    while (!seen.isOver) {
      seen.most = Math.max(seen.most, residentBytes(pid))
      await sleep(LOOK_MS)
    }
  })()
  const began = performance.now()
  const response = await fetch(`${url}/api/v1/users/sara/export`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'x-tenant-id': id },
  })
  assert.equal(response.status, 200)
  let bytes = 0
  for await (const piece of response.body) bytes += piece.length
  const took = performance.now() - began
  seen.isOver = true
  await looking
  return { took, bytes, above: seen.most - before, before }
}

function describe(events, found) {
  const ratios = found.map(({ took, copied }) => took / copied)
  const above = found.map((round) => round.above / 1024 ** 2)
  const [{ bytes }] = found
  return [
    {
      name: 'person-export',
      what: `The file of a person with ${count(events)} events: time`,
      target: { most: RATIO },
      value: median(ratios),
      spread: spread(ratios),
      ours: ms(median(found.map(({ took }) => took))),
      limit: `${ms(median(found.map(({ copied }) => copied)))}, COPY of the same rows once, as text`,
      made: [`Over ${DAYS} days; JSON and CSV of each event, ${megabytes(bytes)} compressed.`],
    },
    {
      name: 'person-export-memory',
      what: 'Most resident memory of the process meanwhile, above what it had before',
      target: { most: MOST_MB, unit: 'MB' },
      value: median(above),
      spread: spread(above, 0),
      ours: `${Math.round(median(above))} MB`,
      limit: `${megabytes(median(found.map(({ before }) => before)))} before`,
      made: ['From the same rounds.'],
    },
  ]
}
