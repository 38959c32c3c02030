/** Campaigns and webhooks while the server is killed at random moments: what providers and receivers saw, against the ledgers. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expectStatus, makeBuilders } from '../../../packages/server/test/builders/builders.ts'
import { openReceiver } from '../../../packages/server/test/builders/receivers.ts'
import { addPeople, openPushProvider } from '../../../packages/server/test/builders/sends.ts'
import { freePort, spawnServer, started } from '../../../packages/server/test/harness/server-process.ts'
import { freshDatabase, OPERATOR_TOKEN } from '../../../packages/server/test/harness/start-app.ts'
import { count } from '../../lib/stats.mjs'

const KILLS = Number(process.env.CF_BENCH_KILLS ?? 1_000)
const KILLS_QUICK = 10
const PEOPLE = 300
/** A life of the server after a campaign went live, at most; milliseconds. */
const LIFE_MS = 300
/** Longer than a lease, then what was left goes on. */
const SETTLE_MS = 40_000
const PATIENCE_MS = 120_000

export const sendKillsFigure = { name: 'send-kills', run: measure }

async function measure({ isQuick }) {
  const kills = isQuick ? KILLS_QUICK : KILLS
  const database = await freshDatabase()
  const [push, receiver, port] = await Promise.all([openPushProvider(), openReceiver(), freePort()])
  const env = {
    ...database.env,
    PORT: port,
    CF_TEST_HOOKS: 'off',
    CF_WEBHOOK_ALLOW_PRIVATE: 'on',
    CF_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  let server
  const start = async () => {
    server = spawnServer(env)
    return started(server)
  }
  const end = async (signal) => {
    server.kill(signal)
    await server.exit
  }
  try {
    const shop = await openShop(makeBuilders(await start(), OPERATOR_TOKEN), push, receiver)
    for (let round = 1; round <= kills; round++) {
      await shop.launch(`c${round}`)
      await sleep(Math.random() * LIFE_MS)
      await end('SIGKILL')
      await start()
    }
    await sleep(SETTLE_MS)
    const db = new pg.Client({ connectionString: database.env.DATABASE_URL })
    await db.connect()
    try {
      await settle(db)
      return [describe(kills, await judgeSends(db, push), await judgeWebhooks(db, receiver))]
    } finally {
      await db.end()
    }
  } finally {
    await end('SIGKILL')
    await Promise.all([push.close(), receiver.close()])
    await database.remove()
  }
}

/** A workspace with people, a provider and an endpoint; `launch` lets a campaign to everybody go live. */
async function openShop({ workspace, operator }, push, receiver) {
  const ws = await workspace()
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  expectStatus(await ws.admin.put('/settings/features', { features: { frequency_caps: false } }), 200)
  const editor = await ws.editor()
  await push.connect(ws.admin)
  await addPeople(
    ws,
    Array.from({ length: PEOPLE }, (_, number) => `u${number}`),
  )
  expectStatus(await ws.admin.post('/webhooks', { url: receiver.url, events: ['campaign.status_changed'] }), 201)
  const launch = async (name) => {
    const content = { en: { title: name, body: 'x' } }
    const body = { name, type: 'promo', segments: ['All users'], content, dispatchChannels: ['push'], schedule: {} }
    const { id } = expectStatus(await editor.post('/campaigns', body), 201).data
    expectStatus(await editor.post(`/campaigns/${id}/submit-review`, {}), 200)
    expectStatus(await ws.admin.post(`/campaigns/${id}/approve`, { activateTarget: 'live' }), 200)
  }
  return { launch }
}

async function settle(db) {
  const until = Date.now() + PATIENCE_MS
  const left = `select (select count(*)::int from sends where state in ('due', 'sending'))
    + (select count(*)::int from dispatches where state in ('waiting', 'expanding', 'sending'))
    + (select count(*)::int from webhook_deliveries where status = 'pending') as left`
  for (;;) {
    const { rows } = await db.query(left)
    if (rows[0].left === 0) return
    if (Date.now() > until) throw new Error(`${rows[0].left} messages, dispatches and deliveries are left unfinished`)
    await sleep(500)
  }
}

async function judgeSends(db, push) {
  const seen = new Map()
  for (const { token, notification } of push.calls()) {
    const key = `${notification.title} token-${token[0].slice('token-'.length)}`
    seen.set(key, (seen.get(key) ?? 0) + 1)
  }
  const { rows } = await db.query(`
    select d.name || ' token-' || p.user_id as key, s.state, s.reason from dispatches d
    join sends s on s.workspace_id = d.workspace_id and s.dispatch_id = d.id
    join profiles p on p.workspace_id = s.workspace_id and p.id = s.profile_id`)
  const campaigns = await db.query('select count(*)::int as count from dispatches')
  const known = new Set(rows.map(({ key }) => key))
  return {
    messages: rows.length,
    interrupted: rows.filter(({ reason }) => reason === 'interrupted').length,
    twice: [...seen.values()].filter((times) => times > 1).length,
    lost:
      campaigns.rows[0].count * PEOPLE -
      rows.length +
      rows.filter(({ key, state, reason }) => (state === 'sent' ? !seen.has(key) : reason !== 'interrupted')).length,
    unknown: [...seen.keys()].filter((key) => !known.has(key)).length,
  }
}

/** At least once, under the id of the ledger. */
async function judgeWebhooks(db, receiver) {
  const seen = new Set(receiver.received.map(({ event }) => event.id))
  const { rows } = await db.query('select id, status from webhook_deliveries')
  const known = new Set(rows.map(({ id }) => id))
  return {
    deliveries: rows.length,
    calls: receiver.received.length,
    lost: rows.filter(({ id, status }) => status !== 'delivered' || !seen.has(id)).length,
    unknown: [...seen].filter((id) => !known.has(id)).length,
  }
}

function describe(kills, sends, webhooks) {
  return {
    name: 'send-kills',
    what: `Messages sent twice or lost, and webhooks lost, after ${count(kills)} kills`,
    target: { most: 0, unit: 'messages' },
    value: sends.twice + sends.lost + sends.unknown + webhooks.lost + webhooks.unknown,
    spread: '',
    ours: `twice ${sends.twice}, lost ${sends.lost}, not in the ledger ${sends.unknown}; webhooks lost ${webhooks.lost}, unknown ${webhooks.unknown}`,
    limit: 'none',
    made: [
      `${count(sends.messages)} messages of campaigns to ${PEOPLE} people each; ${count(sends.interrupted)} are said to be interrupted, which were under way when the server died.`,
      `${count(webhooks.deliveries)} webhooks in ${count(webhooks.calls)} calls.`,
    ],
  }
}
