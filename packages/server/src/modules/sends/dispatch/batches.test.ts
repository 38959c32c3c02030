/** Batches of messages that are being sent: what is shown of them meanwhile, and what is left when anything happens in between. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { addChannel } from '../../../../test/builders/channels.ts'
import { dispatching } from '../../../../test/builders/dispatches.ts'
import { erase, identify, personRow } from '../../../../test/builders/people.ts'
import { addPeople, OF_HUAWEI, openEmail, openPush } from '../../../../test/builders/sends.ts'
import { drawsFrom } from '../../../../test/harness/draws.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { until } from '../../../../test/harness/until.ts'
import type { Change } from '../../../infra/change.ts'
import { inTransaction } from '../../../infra/unavailable.ts'
import { startDispatches, stopDispatches, type Outgoing } from '../index.ts'

const { ctx, workspace, advance, operator } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { campaignOf, work, start, report, pushOf } = dispatching({ ctx, operator })
/** Longer than a lease, seconds. */
const APART = 120

const listed = async ({ admin }: Workspace, query: string) => expectStatus(await admin.get(`/sends?${query}`), 200).data.sends as any[]
const batchesOf = ({ id }: Workspace) => ctx.db.selectFrom('send_batches').selectAll().where('workspace_id', '=', id).execute()

/** An anonymous person who takes push messages on this device. */
async function addDevice({ app }: Workspace, deviceId: string): Promise<void> {
  const headers = { 'x-cf-device': deviceId }
  await identify(app, deviceId)
  expectStatus(await app.post('/register-push', { token: `token-${deviceId}`, ...OF_HUAWEI }, { headers }), 200)
  expectStatus(await app.post('/consent', { deviceId, channels: { push: true } }), 200)
}

/** Starts `work` and runs `meanwhile` while it is held where it first reaches the point. */
async function heldAt(point: string, begin: () => Promise<unknown>, meanwhile: () => Promise<void>): Promise<void> {
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isHeld = false
  ctx.faults.watch(async (at) => {
    if (isHeld || at !== point) return
    isHeld = true
    reached.resolve()
    await released.promise
  })
  const begun = begin()
  try {
    await reached.promise
    await meanwhile()
  } finally {
    ctx.faults.watch(() => undefined)
    released.resolve()
    await begun
  }
}

test('M-CHAN-13 M-DISP-12 what is under way is shown as sending everywhere, and counts for the caps of other campaigns', async (t) => {
  const limits = LIMITS as { marketingSendsPerDay: number }
  const most = limits.marketingSendsPerDay
  limits.marketingSendsPerDay = 1
  t.after(() => (limits.marketingSendsPerDay = most))
  const ws = await workspace()
  const [push, email] = [await openPush(), await openEmail()]
  await push.connect(ws.admin)
  await email.connect(ws.admin)
  await addPeople(ws, ['A', 'B'])
  const [campaign, mail] = [campaignOf(), campaignOf({ channels: ['email'] })]
  const of = `sourceId=${campaign.sourceId}`
  await heldAt(
    'dispatch: marked',
    () => start(ws, campaign),
    async () => {
      const shown = await listed(ws, `userId=A&${of}`)
      assert.deepEqual(
        shown.map(({ state, reason, tries, nextAt }) => [state, reason, tries, nextAt]),
        [['sending', null, 1, null]],
      )
      assert.equal((await listed(ws, `${of}&state=sending`)).length, 2)
      assert.deepEqual(await listed(ws, `${of}&state=due`), [])
      assert.deepEqual(await pushOf(ws, campaign), { attempted: 2, sent: 0, failed: 0, waiting: 0, skipped: {}, failures: {} })
      await ctx.change({ workspaceId: ws.id, actor: 'a' }, (change) => startDispatches(change, mail))
      await until('the mail is judged', async () => {
        const found = (await report(ws, mail)).channels['email']
        return found?.skipped['frequencyCapped'] === 2
      })
    },
  )
  assert.deepEqual([push.calls().length, email.calls().length], [2, 0])
  assert.equal((await listed(ws, `${of}&state=sent`)).length, 2)
  assert.deepEqual(await batchesOf(ws), [])
})

test('M-DISP-01 a message that is due again is due, though others of its batch are still under way', async () => {
  const ws = await workspace()
  const answered = Promise.withResolvers<void>()
  // It refuses A, takes B, and answers C late.
  const provider = await openSlowProvider(async (token) => {
    if (token === 'token-C') await answered.promise
    return token === 'token-A' ? 500 : 200
  })
  await addChannel(ws.admin, 'push', 'hms', { appId: '100', appSecret: 'secret', baseUrl: provider.url }, { name: 'push' })
  await addPeople(ws, ['A', 'B', 'C'])
  const campaign = campaignOf()
  const shown = async () => {
    const found = await listed(ws, `sourceId=${campaign.sourceId}`)
    return Object.fromEntries(found.map(({ userId, state, tries, nextAt }) => [userId, [state, tries, nextAt !== null]]))
  }
  const started = start(ws, campaign)
  await until('the first outcomes are written', async () => (await shown())['B']?.[0] === 'sent')
  assert.deepEqual(await shown(), { A: ['due', 1, true], B: ['sent', 1, false], C: ['sending', 1, false] })
  const named = (await batchesOf(ws)).flatMap(({ profile_ids }) => profile_ids)
  assert.ok(!named.includes((await personRow(ctx, ws.id, 'A'))?.id ?? ''))
  answered.resolve()
  await started
  assert.deepEqual((await shown())['C'], ['sent', 1, false])
  assert.deepEqual(await batchesOf(ws), [])
})

/** A provider of push messages; `judge` says with which status it answers for a token, and when. */
async function openSlowProvider(judge: (token: string) => Promise<number>): Promise<{ url: string }> {
  const server = createServer((request, response) => {
    void text(request).then(async (raw) => {
      const isToken = request.url === '/oauth2/v3/token'
      response.statusCode = isToken ? 200 : await judge(JSON.parse(raw).message.token[0])
      const taken = isToken ? { access_token: 'token', expires_in: 3600 } : { code: '80000000', msg: 'Success', requestId: '1' }
      response.end(response.statusCode === 200 ? JSON.stringify(taken) : '')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.closeAllConnections())
  after(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('C-DEV-36 C-ERASE-08 who is merged or erased while a message is under way is sent no other, and no batch names them', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A'])
  await addDevice(ws, 'anonymous')
  await addDevice(ws, 'gone')
  const erased = (await personRow(ctx, ws.id, 'gone'))?.id ?? ''
  const campaign = campaignOf()
  await heldAt(
    'dispatch: marked',
    () => start(ws, campaign),
    async () => {
      assert.equal((await batchesOf(ws))[0]?.profile_ids.length, 3)
      await identify(ws.app, 'd-known', 'Known')
      await identify(ws.app, 'anonymous', 'Known')
      expectStatus(await erase(ws.app, 'gone'), 200)
      const [batch] = await batchesOf(ws)
      assert.equal(batch?.profile_ids.length, 1)
      assert.ok(!batch?.profile_ids.includes(erased))
    },
  )
  for (let turn = 0; turn < 3; turn++) {
    await advance(APART)
    await work()
  }
  assert.deepEqual(
    push
      .calls()
      .map(({ token }) => token[0])
      .toSorted(),
    ['token-A', 'token-anonymous', 'token-gone'],
  )
  const sums = await pushOf(ws, campaign)
  assert.deepEqual([sums?.sent, sums?.failures], [1, { interrupted: 1 }])
  assert.deepEqual((await listed(ws, `userId=Known`))[0]?.reason, 'interrupted')
})

test('M-CHAN-13 whoever lost the lease makes no batch, and what it was sending is interrupted', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B'])
  const [before, after] = [campaignOf(), campaignOf()]
  const loseLease = async ({ sourceId }: { sourceId: string }) =>
    void (await ctx.db
      .updateTable('dispatches')
      .set({ lease: randomUUID() })
      .where('workspace_id', '=', ws.id)
      .where('source_id', '=', sourceId)
      .execute())
  await heldAt(
    'dispatch: claimed',
    () => start(ws, before),
    () => loseLease(before),
  )
  assert.deepEqual([push.calls().length, (await batchesOf(ws)).length], [0, 0])
  await heldAt(
    'dispatch: sent',
    () => start(ws, after),
    async () => {
      await loseLease(after)
      await ctx.db.updateTable('send_batches').set({ lease: randomUUID() }).where('workspace_id', '=', ws.id).execute()
    },
  )
  assert.equal(push.calls().length, 2)
  assert.equal((await listed(ws, `sourceId=${after.sourceId}&state=sending`)).length, 2, 'an outcome is written under its own lease alone')
  await advance(APART)
  for (let turn = 0; turn < 3; turn++) await work()
  assert.equal((await pushOf(ws, before))?.sent, 2)
  assert.deepEqual((await pushOf(ws, after))?.failures, { interrupted: 2 })
  assert.equal(push.calls().length, 4)
})

async function areOutcomesWaiting(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%update sends%'`.execute(
    ctx.db,
  )
  return rows.length > 0
}

test('outcomes that meet a merge in a deadlock are written all the same', { skip: ctx.engine !== 'postgres' }, async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B'])
  const campaign = campaignOf()
  let merge: Promise<unknown> = Promise.resolve()
  await heldAt(
    'dispatch: sent',
    () => start(ws, campaign),
    async () => {
      const locked = Promise.withResolvers<void>()
      let isWaiting = false
      // The locks of a merge, in its order; outcomes wait for the first while they hold what the second is for. Either may have to give way.
      merge = inTransaction(ctx.db, async (tx) => {
        await sql`select from sends where workspace_id = ${ws.id} for no key update`.execute(tx)
        locked.resolve()
        await until('outcomes wait for a line', async () => (isWaiting ||= await areOutcomesWaiting()))
        await sql`update send_batches set profile_ids = profile_ids where workspace_id = ${ws.id}`.execute(tx)
      })
      await locked.promise
    },
  )
  await merge
  assert.equal((await pushOf(ws, campaign))?.sent, 2)
  assert.deepEqual(await batchesOf(ws), [])
})

// --- what happens at random ---

const POINTS = ['claimed', 'marked', 'marked', 'sent', 'sent', 'worked', 'finished']
/** A message is sent to so many in each round, some of whom are merged or erased meanwhile; a day has fewer messages than there are rounds. */
const [USERS, DEVICES, ROUNDS, CAP] = [40, 6, 8, 6]

type Parts = { ws: Workspace; campaigns: readonly Outgoing[]; devices: string[]; pick<T>(from: readonly T[]): T }

const change = ({ id }: Workspace, make: (change: Change) => Promise<unknown>) =>
  ctx.change({ workspaceId: id, actor: 'a' }, async (within) => void (await make(within)))

/** What may happen while a turn stands still. */
function actsOf({ ws, campaigns, devices, pick }: Parts): (() => Promise<unknown>)[] {
  const dies = () => Promise.reject(new Error('dead'))
  const losesLease = () =>
    ctx.db.updateTable('dispatches').set({ lease: randomUUID() }).where('workspace_id', '=', ws.id).where('lease', 'is not', null).execute()
  return [
    async () => devices.length > 0 && identify(ws.app, devices.pop()!, 'U0'),
    async () => devices.length > 0 && erase(ws.app, devices.pop()!),
    () => change(ws, (within) => stopDispatches(within, pick(campaigns))),
    () => change(ws, (within) => startDispatches(within, pick(campaigns))),
    losesLease,
    losesLease,
    dies,
    dies,
    dies,
  ]
}

/** One pass, in which this happens when the point is reached for the n-th time. Whoever dies there does nothing more. */
async function passWith(act: () => Promise<unknown>, point: string, nth: number): Promise<void> {
  let [left, isDead] = [nth, false]
  ctx.faults.watch(async (at) => {
    if (isDead && at.startsWith('dispatch: ')) throw new Error('dead')
    if (at !== point || left-- !== 0) return
    await act().catch((error: unknown) => {
      isDead = true
      throw error
    })
  })
  await operator.post('/test-hooks/jobs', { job: 'dispatch' })
  ctx.faults.watch(() => undefined)
}

for (const seed of (process.env['CF_SEEDS'] ?? '1,2,3').split(',').map(Number))
  test(`M-CHAN-13 M-DISP-01 M-DISP-12 whatever happens between the steps, nobody gets a message twice and none is lost (seed ${seed})`, async (t) => {
    const limits = LIMITS as { marketingSendsPerDay: number }
    const [most, nudge, random] = [limits.marketingSendsPerDay, ctx.due.nudge, drawsFrom(seed)]
    limits.marketingSendsPerDay = CAP
    ctx.due.nudge = () => undefined
    t.after(() => Object.assign(limits, { marketingSendsPerDay: most }))
    t.after(() => Object.assign(ctx.due, { nudge }))
    const ws = await workspace()
    const push = await openPush()
    await push.connect(ws.admin)
    const users = Array.from({ length: USERS }, (_, n) => `U${n}`)
    await addPeople(ws, users)
    await identify(ws.app, 'd-known', 'U0')
    const devices = Array.from({ length: DEVICES }, (_, n) => `D${n}`)
    for (const device of devices) await addDevice(ws, device)
    const campaigns: Outgoing[] = []
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
    const acts = actsOf({ ws, campaigns, devices, pick })
    for (let round = 0; round < ROUNDS; round++) {
      campaigns.push(campaignOf({ content: { en: { title: `c${round}`, body: 'x' } } }))
      await change(ws, (within) => startDispatches(within, campaigns[round]!))
      await passWith(pick(acts), `dispatch: ${pick(POINTS)}`, Math.floor(random() * 2))
      // Every other time the next campaign begins while nobody has settled what is left.
      if (random() < 0.5) await advance(APART)
    }
    await advance(APART)
    for (const campaign of campaigns) await change(ws, (within) => startDispatches(within, campaign))
    for (let turn = 0; turn < 4; turn++) {
      await work()
      await advance(APART)
    }
    const calls = push.calls().map(({ token, notification }) => `${notification.title} ${token[0]}`)
    assert.equal(new Set(calls).size, calls.length, 'nobody got a message twice')
    assert.deepEqual(await batchesOf(ws), [])
    const became = new Map<string, number>()
    // U0 takes the place of those who are merged.
    for (const userId of users.slice(1)) {
      const lines = await listed(ws, `userId=${userId}`)
      assert.equal(lines.length, campaigns.length)
      for (const { sourceId, state, reason } of lines) {
        const title = `c${campaigns.findIndex((campaign) => campaign.sourceId === sourceId)}`
        const is = state === 'sent' ? 'sent' : reason
        became.set(is, (became.get(is) ?? 0) + 1)
        if (is !== 'interrupted')
          assert.deepEqual([title, is], [title, calls.includes(`${title} token-${userId}`) ? 'sent' : 'frequencyCapped'])
      }
      assert.ok(lines.filter(({ state }) => state === 'sent').length <= CAP)
    }
    t.diagnostic(`${calls.length} calls; ${[...became].join('; ')}`)
  })
