/** Channels that refuse, hang up or rest while a dispatch goes out over them: nobody twice, nobody lost, nobody held up by another's channel. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { addChannel } from '../../../../test/builders/channels.ts'
import { dispatching } from '../../../../test/builders/dispatches.ts'
import { identify } from '../../../../test/builders/people.ts'
import { openMailServer } from '../../../../test/builders/providers.ts'
import { addPeople, OF_HUAWEI, openPush } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { MAILS_AT_ONCE } from '../../channels/index.ts'

const { ctx, workspace, advance, operator } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { campaignOf, work, start, report, pushOf } = dispatching({ ctx, operator })

test('a channel that refuses everything rests; what waits for it is not lost, and it goes on by itself', async () => {
  const ws = await workspace()
  const push = await openPush()
  const { id } = await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B', 'C'])
  const refused = { status: 200, body: { code: '80300002', msg: 'The app has no right to push' } }
  push.queue.push(...Array.from({ length: 10 }, () => refused))
  const campaign = campaignOf()
  await start(ws, campaign)
  const channel = async () => expectStatus(await ws.admin.get(`/notifications/channels/${id}`), 200).data
  assert.deepEqual([typeof (await channel()).pausedAt, (await channel()).failure], ['string', 'The app has no right to push'])
  assert.deepEqual(await pushOf(ws, campaign), { attempted: 0, sent: 0, failed: 0, waiting: 3, skipped: {}, failures: {} })
  const before = push.calls().length
  await advance(61)
  await work()
  assert.equal(push.calls().length, before + 1, 'one message a minute')
  push.queue.length = 0
  for (let n = 0; n < 3; n++) {
    await advance(61)
    await work()
  }
  assert.equal((await pushOf(ws, campaign))?.sent, 3)
  assert.equal((await channel()).pausedAt, null)
})

test('M-DISP-09 of several installs those that were reached get nothing again, whatever the others end in', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  for (const n of [1, 2, 3]) {
    expectStatus(await ws.app.post('/register-push', { token: `t${n}`, ...OF_HUAWEI }, { headers: { 'x-cf-device': `D${n}` } }), 200)
    await identify(ws.app, `D${n}`, 'U')
  }
  expectStatus(await ws.app.post('/consent', { deviceId: 'D1', userId: 'U', channels: { push: true } }), 200)
  const taken = { status: 200, body: { code: '80000000', msg: 'Success', requestId: '1' } }
  const refusals = [
    { status: 429, headers: { 'retry-after': '5' }, body: 'slow down' },
    { status: 200, body: { code: '80300002', msg: 'The app has no right to push' } },
    { status: 500, body: { code: '81000001', msg: 'busy' } },
  ]
  for (const refused of refusals) {
    const before = push.tokens().length
    push.queue.push(taken, refused)
    const campaign = campaignOf()
    await start(ws, campaign)
    for (let n = 0; n < 4; n++) {
      await advance(120)
      await work()
    }
    const tokens = push.tokens().slice(before)
    assert.equal(tokens.filter((token) => token === tokens[0]).length, 1, JSON.stringify(refused))
    assert.deepEqual(tokens.toSorted(), [...new Set(tokens), tokens[1]].toSorted(), JSON.stringify(refused))
    assert.deepEqual((await pushOf(ws, campaign))?.sent, 1)
  }
})

test('a channel that rests, here as its secrets cannot be read, holds up nobody who is reached over another one', async () => {
  const ws = await workspace()
  const push = await openPush()
  const apple = { teamId: 'T', keyId: 'K', bundleId: 'com.example', privateKey: 'unused', production: false }
  const { id } = await addChannel(ws.admin, 'push', 'apns', apple, { priority: 10 })
  await push.connect(ws.admin)
  const ids = ['A', 'B', 'C', 'D']
  await addPeople(ws, ids, (userId) => ({
    deviceToken: undefined,
    ...(userId < 'C' && { deviceToken: `token-${userId}`, platform: 'ios', provider: 'apns' }),
  }))
  for (const userId of ['C', 'D']) {
    const registration = { token: `token-${userId}`, platform: 'android', provider: 'hms', hmsConfig: { appId: '100' }, userId }
    await identify(ws.app, `d-${userId}`, userId)
    expectStatus(await ws.app.post('/register-push', registration, { headers: { 'x-cf-device': `d-${userId}` } }), 200)
  }
  await ctx.db.updateTable('channels').set({ secrets: 'v1.gone.' }).where('workspace_id', '=', ws.id).where('id', '=', id).execute()
  const campaign = campaignOf()
  await start(ws, campaign)
  assert.deepEqual(push.tokens().toSorted(), ['token-C', 'token-D'])
  assert.deepEqual(await pushOf(ws, campaign), { attempted: 2, sent: 2, failed: 0, waiting: 2, skipped: {}, failures: {} })
  const channel = expectStatus(await ws.admin.get(`/notifications/channels/${id}`), 200).data
  assert.equal(typeof channel.pausedAt, 'string')
  assert.match(channel.failure, /cannot be read/)
  const later = campaignOf()
  await start(ws, later)
  assert.deepEqual((await pushOf(ws, later))?.sent, 2)
})

test('over SMTP a few connections take one mail after another, and one that the server closes between them costs nobody a mail', async () => {
  const ws = await workspace()
  const server = await openMailServer({ password: 's3cret' })
  after(() => server.close())
  const account = { host: '127.0.0.1', port: server.port, secure: false, username: 'u', password: 's3cret', from: 'a@shop.example' }
  await addChannel(ws.admin, 'email', 'smtp', account)
  const ids = Array.from({ length: 30 }, (_, n) => `P${n}`)
  await addPeople(ws, ids)
  const campaign = campaignOf({ channels: ['email'] })
  await start(ws, campaign)
  assert.equal(server.mails.length, 30)
  assert.ok(server.connections <= MAILS_AT_ONCE, `${server.connections} connections`)
  server.closeAfter = 3
  const second = campaignOf({ channels: ['email'] })
  await start(ws, second)
  for (let n = 0; n < 3; n++) {
    await advance(61)
    await work()
  }
  assert.deepEqual((await report(ws, second)).channels['email'], {
    attempted: 30,
    sent: 30,
    failed: 0,
    waiting: 0,
    skipped: {},
    failures: {},
  })
  assert.deepEqual(
    server.mails
      .slice(30)
      .map(({ to }) => to[0])
      .toSorted(),
    ids.map((id) => `${id}@example.com`.toLowerCase()).toSorted(),
  )
})
