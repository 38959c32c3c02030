/** Push messages from the audience to the ledger: against bare loops that post the same bytes, and at a provider that answers slowly. */
import assert from 'node:assert/strict'
import { Agent, Pool, request } from 'undici'
import { hms } from '../../../packages/core/src/channels/push.ts'
import { createChannel } from '../../../packages/server/src/modules/channels/channels.ts'
import { LOAD_CORE, said, startProgram, stop } from '../../lib/processes.mjs'
import { insertPeople, sendCampaign, timed, withSender } from '../../lib/sender.mjs'
import { count, median, spread } from '../../lib/stats.mjs'

const [MESSAGES, QUICK_MESSAGES] = [100_000, 10_000]
const [SLOW_MESSAGES, SLOW_QUICK_MESSAGES] = [10_000, 3_000]
/** Each answer of the slow provider takes so long. */
const SLOW_MS = 100
/** As many as the product has under way. */
const AT_ONCE = 32
const [SENDING_RATIO, SLOW_RATIO] = [0.6, 0.9]

export const sendPushFigures = [
  { name: 'send-push', run: measureSending },
  { name: 'send-push-slow', run: measureSlow },
]

async function measureSending({ rounds, isQuick, quiet }) {
  const messages = isQuick ? QUICK_MESSAGES : MESSAGES
  return withProvider([], messages, async ({ send, baseUrl }) => {
    const found = []
    for (let round = 0; round < Math.min(rounds, 5); round++) {
      await quiet()
      const sides = { ours: send, bare: () => postAll(baseUrl, messages), dispatched: () => dispatchAll(baseUrl, messages) }
      const names = Object.keys(sides)
      const result = {}
      for (const side of round % 2 === 0 ? names : names.toReversed()) result[side] = await measured(messages, sides[side])
      found.push(result)
    }
    const rate = (side) => `${count(median(found.map((each) => each[side].rate)))} messages/s`
    const micros = (side) => `${median(found.map((each) => each[side].micros)).toFixed(0)} µs`
    const row = (side) => {
      const ratios = found.map((each) => each.ours.rate / each[side].rate)
      return { value: median(ratios), spread: spread(ratios), ours: rate('ours') }
    }
    const what = `${count(messages)} push messages, from the audience to the last outcome in the ledger: rate`
    return [
      {
        name: 'send-push',
        what,
        target: { least: SENDING_RATIO },
        ...row('bare'),
        limit: `${rate('bare')}, a loop of undici that posts the same bytes, ${AT_ONCE} at a time`,
        made: [
          'The stand-in of the provider has a core to itself; PostgreSQL is where it is.',
          `Processor time of Node for each message: ${micros('ours')}, of the loop ${micros('bare')}.`,
        ],
      },
      {
        name: 'send-push-dispatch',
        what,
        ...row('dispatched'),
        limit: `${rate('dispatched')}, a loop that dispatches the same bytes to a pool and reads only the status, ${AT_ONCE} at a time`,
        made: [`Processor time of Node for each message: ${micros('ours')}, of the loop ${micros('dispatched')}.`],
      },
    ]
  })
}

async function measureSlow({ rounds, isQuick, quiet }) {
  const messages = isQuick ? SLOW_QUICK_MESSAGES : SLOW_MESSAGES
  return withProvider(['slow', SLOW_MS], messages, async ({ send }) => {
    const rates = []
    for (let round = 0; round < Math.min(rounds, 3); round++) {
      await quiet()
      rates.push((await measured(messages, send)).rate)
    }
    const most = (AT_ONCE * 1_000) / SLOW_MS
    const ratios = rates.map((rate) => rate / most)
    return [
      {
        name: 'send-push-slow',
        what: `${count(messages)} push messages to a provider that takes ${SLOW_MS} ms for an answer: rate`,
        target: { least: SLOW_RATIO },
        value: median(ratios),
        spread: spread(ratios),
        ours: `${count(median(rates))} messages/s`,
        limit: `${count(most)} messages/s, ${AT_ONCE} calls under way without a pause`,
        made: ['Writing the audience into the ledger is part of the time.'],
      },
    ]
  })
}

/** `work` gets a `send` that sends so many messages to a stand-in of the provider and sees to it that all were taken. */
async function withProvider(args, messages, work) {
  const provider = startProgram('push-provider.mjs', args, { core: LOAD_CORE === 0 ? 1 : 0 })
  const [, port] = await said(provider, /listening (\d+)/)
  const baseUrl = `http://127.0.0.1:${port}`
  try {
    return await withSender(async (ctx, db) => {
      await insertInstalls(db, messages)
      const configuration = { appId: '100', appSecret: 'secret', baseUrl }
      await createChannel(ctx, { workspaceId: 'benchmark', actor: 'bench' }, { type: 'push', provider: 'hms', name: 'hms', configuration })
      await db.query('vacuum analyze')
      const send = async () => {
        await db.query('truncate sends')
        await sendCampaign(ctx, 'push')
        const { rows } = await db.query("select count(*)::int as sent from sends where state = 'sent'")
        assert.deepEqual(rows, [{ sent: messages }])
      }
      return await work({ send, baseUrl })
    })
  } finally {
    await stop(provider)
  }
}

async function insertInstalls(db, people) {
  await insertPeople(db, people)
  await db.query(`insert into devices (workspace_id, device_id, environment, consent, segments, profile_id, first_seen_at, last_seen_at, expires_at)
    select 'benchmark', 'd' || id, 'live', 'granted', '{}', id, now(), now(), now() + interval '1 day' from profiles`)
  await db.query(`insert into push_registrations (workspace_id, device_id, environment, token, token_hash, platform, provider, profile_id, registered_at)
    select 'benchmark', 'd' || id, 'live', 'token-' || id, md5(id), 'android', 'hms', id, now() from profiles`)
}

/** `rate`: messages a second; `micros`: processor time of this process for each of them, microseconds. */
async function measured(messages, work) {
  const before = process.cpuUsage()
  const seconds = await timed(work)
  const { user, system } = process.cpuUsage(before)
  return { rate: messages / seconds, micros: (user + system) / messages }
}

async function postAll(baseUrl, messages) {
  const agent = new Agent({ connections: AT_ONCE })
  await repeat(messages, async () => {
    const { url, headers, body } = nextRequest(baseUrl)
    const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent })
    await answer.body.text()
  })
  await agent.close()
}

async function dispatchAll(baseUrl, messages) {
  const pool = new Pool(baseUrl, { connections: AT_ONCE })
  await repeat(messages, () => {
    const { url, headers, body } = nextRequest(baseUrl)
    const { promise, resolve, reject } = Promise.withResolvers()
    let status
    const handler = {
      onRequestStart: () => undefined,
      onResponseStart: (_controller, code) => (status = code),
      onResponseData: () => undefined,
      onResponseEnd: () => resolve(status),
      onResponseError: (_controller, error) => reject(error),
    }
    pool.dispatch({ path: url.slice(baseUrl.length), method: 'POST', headers, body }, handler)
    return promise
  })
  await pool.close()
}

/** A request like those of the product, with an id of its own. */
function nextRequest(baseUrl) {
  const body = 'Everything is a fifth cheaper until Saturday.'
  const message = { id: crypto.randomUUID(), to: 'token-p000000001', title: 'Weekend', body }
  return hms.toRequest({ appId: '100', appSecret: 'secret', baseUrl }, message, 'token')
}

async function repeat(times, work) {
  let left = times
  const worker = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
