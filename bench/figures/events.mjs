/** POST /events with 50 events a request, against one COPY of the rows it stored into the same table. */
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { forEach, openWorkspace, startProduct, withProduct } from '../lib/product.mjs'
import { count, median, ms, percent, spread } from '../lib/stats.mjs'
import { load, refuseWithoutWrk, writeRequests } from '../lib/wrk.mjs'

const DEVICES = 1_000
const A_REQUEST = 50
const RATE = 0.4
const P99_MS = 150
const EMBEDDED_RATE = 40_000
const COLUMNS = `workspace_id, environment, batch, received_at, device_id, profile_id, type, block_key, instance_id, campaign_id,
  screen, string_key, session_id, platform, occurred_at, value, currency, fence_id, properties`

export const eventFigures = [
  { name: 'events', run: measurePostgres },
  { name: 'events-embedded', run: measureEmbedded },
]

async function measurePostgres(options) {
  return withFolder(async (folder) =>
    withProduct(options, async (product, databaseUrl) => {
      const file = await prepare(product, folder)
      const db = new pg.Client({ connectionString: databaseUrl })
      await db.connect()
      await load(product, file, 2)
      const rounds = []
      for (let round = 0; round < options.rounds; round++) {
        await db.query('truncate events')
        await options.quiet()
        const ours = await load(product, file, options.seconds)
        rounds.push({ ...ours, events: ours.perSecond * A_REQUEST, copied: await copyAgain(db, folder, ours, options.seconds) })
      }
      await db.end()
      return describe(rounds)
    }),
  )
}

/** Rows a second of one COPY, from a file on the same machine, of what the round stored. */
async function copyAgain(db, folder, ours, seconds) {
  const { rows } = await db.query('select count(*)::int as stored from events')
  const { stored } = rows[0]
  // All that was answered is stored; a little more had been sent when the round ended.
  assert.ok(stored >= ours.perSecond * A_REQUEST * seconds * 0.98, `${stored} events are stored`)
  await db.query(`create temporary table same as select ${COLUMNS} from events`)
  const path = join(folder, 'rows')
  await db.query(`copy same to program 'cat > ${path}'`)
  await db.query('drop table same')
  await db.query('truncate events')
  await db.query('checkpoint')
  const began = performance.now()
  await db.query(`copy events (${COLUMNS}) from program 'cat ${path}'`)
  return stored / ((performance.now() - began) / 1000)
}

async function measureEmbedded(options) {
  return withFolder(async (folder) => {
    const product = await startProduct({ CF_DATA_DIR: join(folder, 'data') }, { core: null, profile: options.profile })
    try {
      const file = await prepare(product, folder)
      await load(product, file, 2)
      const rounds = []
      for (let round = 0; round < options.rounds; round++) {
        await options.quiet()
        const ours = await load(product, file, options.seconds)
        rounds.push({ ...ours, events: ours.perSecond * A_REQUEST })
      }
      return [describeEmbedded(rounds)]
    } finally {
      await product.stop()
    }
  })
}

async function withFolder(run) {
  refuseWithoutWrk()
  const folder = mkdtempSync(join(tmpdir(), 'cf-bench-'))
  try {
    // PostgreSQL is another user, and reads and writes the rows here.
    chmodSync(folder, 0o777)
    return await run(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Identified devices, and a file with one request of each. */
async function prepare(product, folder) {
  const workspace = await openWorkspace(product.url)
  const devices = Array.from({ length: DEVICES }, (_, i) => `device-${i}`)
  await forEach(
    devices,
    async (deviceId, i) =>
      assert.equal((await workspace.app.post('/identify', { deviceId, userId: `user-${i}`, consent: true })).status, 200),
    32,
  )
  const file = join(folder, 'requests')
  const headers = ['X-CF-Key', workspace.live, 'Content-Type', 'application/json']
  writeRequests(
    file,
    devices.map((deviceId, i) => ['/sdk/v1/events', ...headers, '@body', JSON.stringify(bodyOf(deviceId, i))]),
  )
  return file
}

const TYPES = ['impression', 'impression', 'impression', 'cta_click', 'dismiss']

function bodyOf(deviceId, i) {
  const events = Array.from({ length: A_REQUEST }, (_, j) => ({
    type: TYPES[(i + j) % 5],
    blockKey: `promo_${(i * 7 + j) % 40}`,
    instanceId: `0190a000-0000-7000-8000-${String((i + j) % 400).padStart(12, '0')}`,
    screen: `screen_${j % 10}`,
  }))
  return { deviceId, events, context: { sessionId: `session-${i}`, platform: i % 2 === 0 ? 'ios' : 'android' } }
}

function describe(rounds) {
  const each = (member) => rounds.map((round) => round[member])
  const ratios = rounds.map(({ events, copied }) => events / copied)
  const made = [
    `${count(DEVICES)} devices, ${A_REQUEST} events a request, 64 connections, answered after the commit, counted behind it meanwhile.`,
    `The server kept its core ${percent(median(each('serverShare')))} busy; PostgreSQL and the load share the other.`,
  ]
  return [
    {
      name: 'events',
      what: `POST /events, ${A_REQUEST} a request: events stored a second`,
      target: { least: RATE },
      value: median(ratios),
      spread: spread(ratios),
      ours: `${count(median(each('events')))} events/s`,
      limit: `${count(median(each('copied')))} rows/s, one COPY of the same rows into the same table`,
      made,
    },
    {
      name: 'events-p99',
      what: 'The same: p99 with 64 waiting at a time',
      target: { most: P99_MS, unit: 'ms' },
      value: median(each('p99')),
      spread: spread(each('p99'), 1),
      ours: ms(median(each('p99'))),
      limit: 'none',
      made: ['From the same rounds.'],
    },
  ]
}

function describeEmbedded(rounds) {
  const events = rounds.map((round) => round.events)
  return {
    name: 'events-embedded',
    what: `POST /events, ${A_REQUEST} a request, on the embedded database`,
    target: { least: EMBEDDED_RATE, unit: 'events/s' },
    value: median(events),
    spread: spread(events, 0),
    ours: `${count(median(events))} events/s, p99 ${ms(median(rounds.map((round) => round.p99)))}`,
    limit: 'none',
    made: ['On all cores, beside its load.'],
  }
}
