/**
 * Rules on events: what they cost whoever identifies and whoever sends events, against a workspace of the same product whose
 * rules are about traits, and how soon an event is seen in what an app reads and in the stored membership.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { ask, LOAD_CORE, sleep, startProgram, stop } from '../lib/processes.mjs'
import { forEach, openWorkspace, withProduct } from '../lib/product.mjs'
import { fairRounds } from '../lib/quiet.mjs'
import { count, median, ms, quantile, spread } from '../lib/stats.mjs'
import { load, refuseWithoutWrk, writeRequests } from '../lib/wrk.mjs'

const PEOPLE = 2_000
const SEGMENTS = 100
const TYPES = 10
/** Of a request of 50 events one is of a type that rules are about, and of another half of the requests two: 5 % in all. */
const A_REQUEST = 50
const IDENTIFY = 0.9
const EVENTS = 0.9
const FRESH_MS = 2_000
const FRESH_PER_SECOND = 500
const PROBES = 200

export const behaviourFigures = [
  { name: 'behaviour-identify', run: measureIdentify },
  { name: 'behaviour-events', run: measureEvents },
  { name: 'behaviour-fresh', run: measureFresh },
]

const typeOf = (i) => `bench_${i % TYPES}`

/** Two trackers of each type; windows and counts differ. */
const onEvents = (i) => ({
  field: `events.${typeOf(i)}`,
  operator: 'did',
  value: {
    within: { days: 1 + (i % 60) },
    count: { operator: 'greater_than_or_equal', value: 1 + (i % 3) },
    ...(i % 2 === 0 && {
      where: { logicalOperator: 'AND', conditions: [{ field: 'properties.total', operator: 'greater_than', value: 50 }] },
    }),
  },
})
const onTraits = (i) => ({ field: 'customAttributes.age', operator: 'greater_than', value: 18 + (i % 50) })

async function openSide(url, rule) {
  const workspace = await openWorkspace(url)
  await forEach(Array.from({ length: SEGMENTS }), async (_, i) => {
    const body = { name: `Segment ${i}`, logicalOperator: 'AND', rules: [rule(Math.floor(i / 2) + i * 7)] }
    assert.equal((await workspace.admin.post('/segments', body)).status, 201)
  })
  return workspace
}

const identifyBody = (i) => ({
  deviceId: `device-${i}`,
  userId: `user-${i}`,
  consent: true,
  traits: { plan: i % 2 === 0 ? 'gold' : 'silver', age: 18 + (i % 60), city: 'Riyadh', tags: ['a', 'b'] },
})
const historyOf = (i) => ({
  deviceId: `device-${i}`,
  events: Array.from({ length: TYPES * 2 }, (_, j) => ({ type: typeOf(j), properties: { total: (i * 7 + j * 13) % 100 } })),
})

async function identifyAll({ app }) {
  const people = Array.from({ length: PEOPLE })
  await forEach(people, async (_, i) => assert.equal((await app.post('/identify', identifyBody(i))).status, 200), 32)
}

function fileOf(folder, name, { live }, path, bodyOf) {
  const file = join(folder, name)
  const headers = ['X-CF-Key', live, 'Content-Type', 'application/json']
  const bodies = Array.from({ length: PEOPLE }, (_, i) => JSON.stringify(bodyOf(i)))
  writeRequests(
    file,
    bodies.map((body) => [path, ...headers, '@body', body]),
  )
  return file
}

async function withSides(options, run) {
  refuseWithoutWrk()
  const folder = mkdtempSync(join(tmpdir(), 'cf-bench-'))
  try {
    return await withProduct(options, async (product, databaseUrl) => {
      const db = new pg.Client({ connectionString: databaseUrl })
      await db.connect()
      try {
        const sides = { events: await openSide(product.url, onEvents), traits: await openSide(product.url, onTraits) }
        await Promise.all([identifyAll(sides.events), identifyAll(sides.traits)])
        return await run({ product, db, folder, sides })
      } finally {
        await db.end()
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Resolves to the milliseconds until every batch is counted and everybody it touched was looked at. */
async function caughtUp(db, workspaceId) {
  const began = performance.now()
  for (;;) {
    const { rows } = await db.query(
      `select (select count(*) from event_batches where workspace_id = $1 and not is_counted)::int
         + (select count(*) from person_behaviour where workspace_id = $1 and due_at <= now())::int as left`,
      [workspaceId],
    )
    if (rows[0].left === 0) return performance.now() - began
    await sleep(100)
  }
}

/** Both sides in turn, each first every second time. */
async function alternate({ product, files, after }, { rounds, seconds, quiet }) {
  for (const file of Object.values(files)) await load(product, file, 2)
  const measureRound = async (round) => {
    const result = {}
    for (const side of round % 2 === 0 ? ['events', 'traits'] : ['traits', 'events']) {
      result[side] = await load(product, files[side], seconds)
      await after?.(side, result)
    }
    return result
  }
  return (await fairRounds(rounds, quiet, measureRound, () => true)).rounds
}

async function measureIdentify(options) {
  return withSides(options, async ({ product, db, folder, sides }) => {
    const sent = Array.from({ length: PEOPLE })
    await forEach(sent, async (_, i) => assert.equal((await sides.events.app.post('/events', historyOf(i))).status, 202), 16)
    await caughtUp(db, sides.events.id)
    const files = {
      events: fileOf(folder, 'events', sides.events, '/sdk/v1/identify', identifyBody),
      traits: fileOf(folder, 'traits', sides.traits, '/sdk/v1/identify', identifyBody),
    }
    const rounds = await alternate({ product, files }, options)
    return [
      ratioRow(
        rounds,
        IDENTIFY,
        'behaviour-identify',
        `POST /identify with ${SEGMENTS} rules on events, ${TYPES * 2} histories a person: rate`,
      ),
    ]
  })
}

const LOADED = ['impression', 'impression', 'impression', 'cta_click', 'dismiss']
const isTracked = (i, j) => j < 2 + (i % 2)

const eventsBody = (i) => ({
  deviceId: `device-${i}`,
  events: Array.from({ length: A_REQUEST }, (_, j) =>
    isTracked(i, j)
      ? { type: typeOf(i + j), properties: { total: (i + j * 31) % 100 } }
      : { type: LOADED[(i + j) % 5], blockKey: `promo_${(i * 7 + j) % 40}`, screen: `screen_${j % 10}` },
  ),
})

async function measureEvents(options) {
  return withSides(options, async ({ product, db, folder, sides }) => {
    const files = {
      events: fileOf(folder, 'events', sides.events, '/sdk/v1/events', eventsBody),
      traits: fileOf(folder, 'traits', sides.traits, '/sdk/v1/events', eventsBody),
    }
    const behind = []
    const after = async (side, result) => {
      const took = await caughtUp(db, sides[side].id)
      if (side === 'events') behind.push(took)
      result[side].behind = took
    }
    const rounds = await alternate({ product, files, after }, options)
    const row = ratioRow(rounds, EVENTS, 'behaviour-events', `POST /events, 5 % of them of types that ${SEGMENTS} rules are about: rate`)
    row.made.push(
      `After a round everything was counted, folded and judged within ${ms(Math.max(...behind))}, on the other side within ${ms(Math.max(...rounds.map(({ traits }) => traits.behind)))}.`,
    )
    return [row]
  })
}

function ratioRow(rounds, least, name, what) {
  const ratios = rounds.map(({ events, traits }) => events.perSecond / traits.perSecond)
  return {
    name,
    what,
    target: { least },
    value: median(ratios),
    spread: spread(ratios),
    ours: `${count(median(rounds.map(({ events }) => events.perSecond)))} requests/s`,
    limit: `${count(median(rounds.map(({ traits }) => traits.perSecond)))} requests/s, ${SEGMENTS} rules on traits`,
    made: [`${count(PEOPLE)} people, ${SEGMENTS} segments of one rule, 64 connections; both workspaces are of one process and take turns.`],
  }
}

/** From the 202 of an event until the app's /sync has the block that is for whoever sent one, while 500 such events a second come. */
async function measureFresh(options) {
  return withSides(options, async ({ product, db, sides: { events: workspace } }) => {
    const rule = { field: 'events.probe', operator: 'did', value: { within: { days: 7 } } }
    const { data: segment } = await workspace.admin.post('/segments', { name: 'Probed', logicalOperator: 'AND', rules: [rule] })
    await workspace.block('probe')
    await workspace.instance('probe', { seg: 'Probed' })
    const program = startProgram('steady-sender.mjs', [], { core: LOAD_CORE, ipc: true })
    const probes = options.isQuick ? PROBES / 10 : PROBES
    const requests = Array.from({ length: PEOPLE - probes }, (_, i) => requestOf(workspace, historyRequest(i + probes)))
    const sending = ask(program, {
      type: 'send',
      port: product.port,
      requests,
      perSecond: FRESH_PER_SECOND,
      seconds: Math.ceil(probes / 8) + 5,
    })
    const [synced, stored] = [[], []]
    for (let i = 0; i < probes; i++) {
      const deviceId = `device-${i}`
      const answer = await workspace.app.post('/events', { deviceId, events: [{ type: 'probe' }] })
      assert.equal(answer.status, 202)
      const began = performance.now()
      const [seen, member] = await Promise.all([
        until(async () =>
          (await workspace.app.get('/sync', { headers: { 'x-cf-device': deviceId } })).data.blocks.some(({ key }) => key === 'probe'),
        ),
        until(async () => (await db.query(MEMBER, [workspace.id, segment.id, `user-${i}`])).rowCount > 0),
      ])
      synced.push(seen - began)
      stored.push(member - began)
    }
    await sending
    await stop(program)
    return [freshRow(synced, stored)]
  })
}

const MEMBER = `select from segment_members m join profiles p on p.workspace_id = m.workspace_id and p.id = m.profile_id
  where m.workspace_id = $1 and m.segment_id = $2 and p.user_id = $3 and m.is_member`

const historyRequest = (i) => ({ deviceId: `device-${i}`, events: [{ type: typeOf(i), properties: { total: i % 100 } }] })

function requestOf({ live }, body) {
  const text = JSON.stringify(body)
  return `POST /sdk/v1/events HTTP/1.1\r\nHost: bench\r\nX-CF-Key: ${live}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`
}

async function until(isSo) {
  while (!(await isSo())) await sleep(20)
  return performance.now()
}

function freshRow(synced, stored) {
  const all = [...synced, ...stored]
  return {
    name: 'behaviour-fresh',
    what: 'From the 202 of an event until its rule holds in /sync and in the stored membership, p99',
    target: { most: FRESH_MS, unit: 'ms' },
    value: quantile(all, 0.99),
    spread: spread(all, 0),
    ours: `/sync ${ms(median(synced))}, membership ${ms(median(stored))} (medians of ${synced.length})`,
    limit: 'none',
    made: [`${FRESH_PER_SECOND} events a second of tracked types of ${count(PEOPLE)} people come meanwhile; ${SEGMENTS + 1} segments.`],
  }
}
