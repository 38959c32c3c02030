/** An audience written into the ledger, against the same rows by one statement; and push messages sent, against a bare loop that posts the same bytes. */
import assert from 'node:assert/strict'
import { Agent, request } from 'undici'
import { hms } from '../../../packages/core/src/channels/push.ts'
import { LIMITS } from '../../../packages/core/src/limits.ts'
import { openChannels } from '../../../packages/server/src/modules/channels/index.ts'
import { createChannel } from '../../../packages/server/src/modules/channels/channels.ts'
import { dispatchWorks, openDispatcher, startDispatches } from '../../../packages/server/src/modules/sends/index.ts'
import { insertWorkspace, withContext } from '../../lib/context.mjs'
import { LOAD_CORE, said, startProgram, stop } from '../../lib/processes.mjs'
import { count, median, spread } from '../../lib/stats.mjs'

const PEOPLE = Number(process.env['CF_BENCH_PEOPLE'] ?? 1_000_000)
const QUICK_PEOPLE = 100_000
const MESSAGES = 100_000
const QUICK_MESSAGES = 10_000
/** As many as the product has under way. */
const AT_ONCE = 32
const [EXPANSION_RATIO, SENDING_RATIO] = [2, 0.6]

export const sendFigures = [
  { name: 'send-expansion', run: measureExpansion },
  { name: 'send-push', run: measureSending },
]

async function withSender(work) {
  const most = LIMITS.recipientsPerDispatch
  LIMITS.recipientsPerDispatch = 1e9
  try {
    return await withContext(async (ctx, db) => {
      for (const work of dispatchWorks(openDispatcher(ctx, openChannels(ctx)))) ctx.due.register(work)
      return work(ctx, db)
    })
  } finally {
    LIMITS.recipientsPerDispatch = most
  }
}

async function fill(db, people) {
  const now = new Date(Date.now() - 86_400_000)
  await insertWorkspace(db, now)
  await db.query(
    `insert into profiles (workspace_id, id, environment, user_id, email, channels, created_at, updated_at)
    select 'benchmark', 'p' || lpad(i::text, 9, '0'), 'live', 'user-' || i, 'user' || i || '@example.com', '{"push": true, "email": true}', $2, $2
    from generate_series(1, $1::int) i`,
    [people, now],
  )
}

let campaigns = 0
async function begin(ctx, channel) {
  const sourceId = `c${++campaigns}`
  await ctx.change({ workspaceId: 'benchmark', actor: 'bench' }, (change) =>
    startDispatches(change, {
      source: 'campaign',
      sourceId,
      name: 'Bench',
      channels: [channel],
      content: { en: { title: 'Weekend', body: 'Everything is a fifth cheaper until Saturday.' } },
      segments: ['All users'],
      window: {},
    }),
  )
}

const finish = (ctx) => ctx.due.workOff('dispatch', 'benchmark')

async function timed(work) {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

// --- expansion ---

async function measureExpansion({ rounds, isQuick, quiet }) {
  const people = isQuick ? Math.min(PEOPLE, QUICK_PEOPLE) : PEOPLE
  return withSender(async (ctx, db) => {
    await fill(db, people)
    await db.query('create table hand_sends (like sends including all)')
    await db.query(`alter table hand_sends add foreign key (workspace_id, profile_id) references profiles (workspace_id, id),
      add foreign key (workspace_id, dispatch_id) references dispatches (workspace_id, id)`)
    await db.query('vacuum analyze')
    const found = []
    for (let round = 0; round < Math.min(rounds, 5); round++) {
      await quiet()
      await db.query('truncate sends, hand_sends')
      const sides = { ours: () => expand(ctx, db), hand: () => byHand(db) }
      const times = {}
      for (const side of round % 2 === 0 ? ['ours', 'hand'] : ['hand', 'ours']) times[side] = await timed(sides[side])
      const { rows } = await db.query('select (select count(*)::int from sends) as ours, (select count(*)::int from hand_sends) as hand')
      assert.deepEqual(rows, [{ ours: people, hand: people }])
      found.push(times)
    }
    const ratios = found.map(({ ours, hand }) => ours / hand)
    const side = (name) => `${median(found.map((times) => times[name])).toFixed(1)} s`
    return [
      {
        name: 'send-expansion',
        what: `${count(people)} people judged and written into the ledger of one message: time`,
        target: { most: EXPANSION_RATIO },
        value: median(ratios),
        spread: spread(ratios),
        ours: side('ours'),
        limit: `${side('hand')}, one insert … select of the same rows`,
        made: ['The limit of 25,000 is lifted. Nobody has a provider, so each line also says so in the end, which is part of the time.'],
      },
    ]
  })
}

async function expand(ctx) {
  await begin(ctx, 'email')
  await finish(ctx)
}

async function byHand(db) {
  await db.query(
    `insert into dispatches (workspace_id, id, source, source_id, channel, name, message, state, starts_at, created_at, updated_at)
    values ('benchmark', $1, 'campaign', $1, 'email', '', '{}', 'done', now(), now(), now())`,
    [`hand-${++campaigns}`],
  )
  await db.query(
    `insert into hand_sends (workspace_id, dispatch_id, profile_id, state, reason, created_at, updated_at)
    select 'benchmark', $1, id, 'failed', 'No active channel configuration found', now(), now() from profiles
    where workspace_id = 'benchmark' and environment = 'live' and not personal_opt_out and channels -> 'email' = 'true' and email <> ''
    order by id`,
    [`hand-${campaigns}`],
  )
}

// --- sending ---

async function measureSending({ rounds, isQuick, quiet }) {
  const messages = isQuick ? QUICK_MESSAGES : MESSAGES
  const provider = startProgram('push-provider.mjs', [], { core: LOAD_CORE === 0 ? 1 : 0 })
  const [, port] = await said(provider, /listening (\d+)/)
  const baseUrl = `http://127.0.0.1:${port}`
  try {
    return await withSender(async (ctx, db) => {
      await fill(db, messages)
      await db.query(`insert into devices (workspace_id, device_id, environment, consent, segments, profile_id, first_seen_at, last_seen_at, expires_at)
        select 'benchmark', 'd' || id, 'live', 'granted', '{}', id, now(), now(), now() + interval '1 day' from profiles`)
      await db.query(`insert into push_registrations (workspace_id, device_id, environment, token, token_hash, platform, provider, profile_id, registered_at)
        select 'benchmark', 'd' || id, 'live', 'token-' || id, md5(id), 'android', 'hms', id, now() from profiles`)
      const configuration = { appId: '100', appSecret: 'secret', baseUrl }
      await createChannel(ctx, { workspaceId: 'benchmark', actor: 'bench' }, { type: 'push', provider: 'hms', name: 'hms', configuration })
      await db.query('vacuum analyze')
      const found = []
      for (let round = 0; round < Math.min(rounds, 5); round++) {
        await quiet()
        await db.query('truncate sends')
        const sides = { ours: () => sendAll(ctx), bare: () => postAll(baseUrl, messages) }
        const rates = {}
        for (const side of round % 2 === 0 ? ['ours', 'bare'] : ['bare', 'ours']) rates[side] = messages / (await timed(sides[side]))
        const { rows } = await db.query("select count(*)::int as sent from sends where state = 'sent'")
        assert.deepEqual(rows, [{ sent: messages }])
        found.push(rates)
      }
      const ratios = found.map(({ ours, bare }) => ours / bare)
      const side = (name) => `${count(median(found.map((rates) => rates[name])))} messages/s`
      return [
        {
          name: 'send-push',
          what: `${count(messages)} push messages, from the audience to the last outcome in the ledger: rate`,
          target: { least: SENDING_RATIO },
          value: median(ratios),
          spread: spread(ratios),
          ours: side('ours'),
          limit: `${side('bare')}, a loop of undici that posts the same bytes, ${AT_ONCE} at a time`,
          made: ['The stand-in of the provider has a core to itself; PostgreSQL is where it is.'],
        },
      ]
    })
  } finally {
    await stop(provider)
  }
}

async function sendAll(ctx) {
  await begin(ctx, 'push')
  await finish(ctx)
}

async function postAll(baseUrl, messages) {
  const agent = new Agent({ connections: AT_ONCE })
  let left = messages
  const worker = async () => {
    while (left-- > 0) {
      const message = {
        id: crypto.randomUUID(),
        to: 'token-p000000001',
        title: 'Weekend',
        body: 'Everything is a fifth cheaper until Saturday.',
      }
      const { url, headers, body } = hms.toRequest({ appId: '100', appSecret: 'secret', baseUrl }, message, 'token')
      const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent })
      await answer.body.text()
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  await agent.close()
}
