/** How many messages of an inbox are unread, as every answer of it counts them, against a count written by hand; alone and beside /sync. */
import assert from 'node:assert/strict'
import pg from 'pg'
import { openDatabase } from '../../../packages/server/src/db/open.ts'
import { findInbox } from '../../../packages/server/src/modules/messages/queries-inbox.ts'
import { forEach, openWorkspace, withProduct } from '../../lib/product.mjs'
import { count, median, ms, quantile, spread } from '../../lib/stats.mjs'

const [MESSAGES, PEOPLE, OTHERS] = [1_000_000, 1_000, 4_000]
/** A quick run has so many times fewer messages. */
const QUICK = 10
const MOST_MS = 2
const READERS = 4

export const inboxUnreadFigure = { name: 'inbox-unread', run: measure }

async function measure(options) {
  const messages = options.isQuick ? MESSAGES / QUICK : MESSAGES
  return withProduct(options, async (product, databaseUrl) => {
    const workspace = await openWorkspace(product.url)
    const devices = Array.from({ length: PEOPLE }, (_, at) => `device-${at}`)
    await forEach(devices, async (deviceId) => {
      const answer = await workspace.app.post('/identify', { deviceId, userId: `user ${deviceId}`, consent: true })
      assert.equal(answer.status, 200, answer.text)
    })
    const db = new pg.Client({ connectionString: databaseUrl })
    await db.connect()
    const database = await openDatabase({ databaseUrl, dataDir: '', databasePool: 1 }, console, () => {})
    try {
      const people = await fill(db, workspace.id, messages)
      const [ours, hand] = [[], []]
      for (let round = 0; round < Math.min(options.rounds, 5); round++) {
        await options.quiet()
        ours.push(await slowest(people, (id) => findInbox(database.db, workspace.id, id, { state: 'unread', limit: 1 }, new Date())))
        hand.push(await slowest(people, (id) => countByHand(db, workspace.id, id)))
      }
      const read = (path) => (deviceId) => workspace.app.get(path, { headers: { 'x-cf-device': deviceId } })
      const alone = await slowest(devices, read('/inbox?state=unread&limit=1'))
      const beside = await besideSync(devices, read('/sync'), read('/inbox?state=unread&limit=1'))
      return [describe({ messages, ours, hand, alone, beside })]
    } finally {
      await database.close()
      await db.end()
    }
  })
}

/** The same number for everybody, of whom a fifth is unread; people without a device have as many. */
async function fill(db, workspaceId, messages) {
  await db.query(
    `insert into profiles (workspace_id, id, environment, user_id, created_at, updated_at)
     select $1, 'other-' || n, 'live', 'other ' || n, now(), now() from generate_series(1, $2::integer) n`,
    [workspaceId, OTHERS],
  )
  await db.query(
    `insert into in_app_messages (workspace_id, id, profile_id, journey_id, step_id, content, created_at, expires_at, is_inbox, inbox_until, arrived, read_at)
     select $1, 'message-' || p.id || '-' || n, p.id, 'journey', 'step', '{"en":{"title":"Hello","body":"Of today"}}', now(), now() + interval '30 days',
       true, now() + interval '30 days', n, case when n % 5 = 0 then null else now() end
     from profiles p, generate_series(1, $2::integer) n where p.workspace_id = $1`,
    [workspaceId, Math.round(messages / (PEOPLE + OTHERS))],
  )
  await db.query('vacuum analyze')
  const { rows } = await db.query(`select id from profiles where workspace_id = $1 and user_id like 'user %'`, [workspaceId])
  return rows.map(({ id }) => id)
}

async function countByHand(db, workspaceId, profileId) {
  const { rows } = await db.query(
    `select count(*)::int as unread from in_app_messages
     where workspace_id = $1 and profile_id = $2 and is_inbox and read_at is null and archived_at is null`,
    [workspaceId, profileId],
  )
  return rows[0]
}

/** Milliseconds that 99 of 100 do not take. */
async function slowest(all, work) {
  const times = []
  for (const each of all) {
    const began = performance.now()
    await work(each)
    times.push(performance.now() - began)
  }
  return quantile(times, 0.99)
}

async function besideSync(devices, sync, inbox) {
  const over = new AbortController()
  const readers = Array.from({ length: READERS }, async (_, reader) => {
    for (let at = reader; !over.signal.aborted; at++) await sync(devices[at % devices.length])
  })
  const took = await slowest(devices, inbox)
  over.abort()
  await Promise.all(readers)
  return took
}

function describe({ messages, ours, hand, alone, beside }) {
  return {
    name: 'inbox-unread',
    what: `The unread of an inbox, with its newest message, of ${count(PEOPLE)} people among ${count(messages)} messages: p99`,
    target: { most: MOST_MS, unit: 'ms' },
    value: median(ours),
    spread: spread(ours),
    ours: ms(median(ours)),
    limit: `${ms(median(hand))}, a count of one's own`,
    made: [
      `The statement of GET /inbox on one connection. Through HTTP, one request after the other: p99 ${ms(alone)}, and ${ms(beside)} beside ${READERS} clients that read /sync without a pause.`,
    ],
  }
}
