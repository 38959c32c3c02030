/** A push token goes to a channel of its own provider, or nowhere: no other provider's word ends it. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { addChannel } from '../../../../test/builders/channels.ts'
import { create, launch } from '../../../../test/builders/campaigns.ts'
import { dispatching } from '../../../../test/builders/dispatches.ts'
import { addPeople, openPush } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { ctx, url, workspace, operator } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { campaignOf, start, pushOf } = dispatching({ ctx, operator })

const gone = { status: 200, body: { code: '80100000', msg: '{"success":0,"failure":1,"illegal_tokens":["T"]}' } }
const OF = { apns: 'ios', fcm: 'android', hms: 'android', web_push: 'web' }
/** One of each provider, over an active channel of HMS alone. */
async function fourPeople() {
  const ws = await workspace()
  const push = await openPush()
  const { id } = await push.connect(ws.admin)
  await addPeople(ws, Object.keys(OF), (provider) => ({ provider, platform: OF[provider as keyof typeof OF] }))
  return { ws, push, id }
}
const holders = async ({ admin }: Workspace) => {
  const devices = async (id: string) => expectStatus(await admin.get(`/users/${id}`), 200).data.devices
  const all = await Promise.all(Object.keys(OF).map(devices))
  return all.flat().flatMap(({ provider }: any) => provider ?? [])
}

test('G-87 M-DISP-04 over a channel of one provider the tokens of others are no contact, in preview, report and every way of sending', async () => {
  const { ws, push } = await fourPeople()
  const content = { en: { title: 'Hi', body: 'There' } }
  const { id } = await create(ws.admin, { dispatchChannels: ['push'], content })
  const preview = expectStatus(await ws.admin.post(`/campaigns/${id}/preview`, {}), 200).data
  const { reachable, skipped } = preview.channels.push
  assert.deepEqual([reachable, skipped], [1, { noContact: 3 }])
  const campaign = campaignOf()
  await start(ws, campaign)
  assert.deepEqual(await pushOf(ws, campaign), { attempted: 1, sent: 1, failed: 0, waiting: 0, skipped: { noContact: 3 }, failures: {} })
  assert.deepEqual(push.tokens(), ['token-hms'])
  const one = async (userId: string) =>
    expectStatus(await ws.admin.post('/notifications', { userId, channel: 'push', content: { title: 't', body: 'b' } }), 200).data
  assert.deepEqual(await one('fcm'), { sent: false, reason: 'noContact' })
  assert.deepEqual(await one('hms'), { sent: true })
  const tried = expectStatus(await ws.admin.post(`/campaigns/${id}/test-send`, { to: ['apns', 'web_push', 'hms'] }), 200).data.results
  assert.deepEqual(
    tried.map(({ userId, sent, reason }: any) => [userId, sent, reason]),
    [
      ['apns', false, 'noContact'],
      ['web_push', false, 'noContact'],
      ['hms', true, undefined],
    ],
  )
  assert.equal(push.tokens().length, 3)
  const live = await launch(ws, await ws.editor(), { dispatchChannels: ['push'], content })
  const explained = expectStatus(await ws.admin.get(`/campaigns/${live.id}/explain?userId=fcm`), 200).data
  assert.deepEqual(
    explained.channels.map(({ channel, because }: any) => [channel, because]),
    [['push', 'noContact']],
  )
  assert.deepEqual((await holders(ws)).toSorted(), Object.keys(OF).toSorted())
})

test('G-87 M-DISP-10 only the own provider ends a token, by its answer or by what it tells later', async () => {
  const { ws, push, id } = await fourPeople()
  const path = `/notifications/channels/${id}`
  expectStatus(await ws.admin.put(path, { configuration: { callbackUser: 'u', callbackKey: 'key' } }), 200)
  const tell = async (token: string) => {
    const timestamp = String(ctx.clock.ms())
    const value = createHmac('sha256', 'key').update(`${timestamp}nonceu`).digest('base64')
    const headers = { 'x-huawei-callback-id': `timestamp=${timestamp}; nonce=nonce; value=${value}` }
    const body = JSON.stringify({ statuses: [{ token, requestId: 'r', appid: '100', status: 2, timestamp: 1 }] })
    assert.equal((await fetch(`${url}/api/v1/callbacks/hms/${ws.id}/${id}`, { method: 'POST', body, headers })).status, 200)
  }
  await tell('token-fcm')
  assert.equal((await holders(ws)).length, 4)
  push.queue.push(gone, gone, gone, gone)
  const campaign = campaignOf()
  await start(ws, campaign)
  assert.deepEqual((await holders(ws)).toSorted(), ['apns', 'fcm', 'web_push'])
  await addPeople(ws, ['hms'], () => ({ provider: 'hms' }))
  await tell('token-hms')
  assert.deepEqual((await holders(ws)).toSorted(), ['apns', 'fcm', 'web_push'])
})

test('G-87 with a channel of theirs they are reached, each over its own; without any channel it is for want of one', async () => {
  const { ws, push, id } = await fourPeople()
  const apple = { teamId: 'T', keyId: 'K', bundleId: 'com.example', privateKey: 'unused', production: false }
  const { id: appleId } = await addChannel(ws.admin, 'push', 'apns', apple, { priority: 10 })
  const campaign = campaignOf()
  await start(ws, campaign)
  const report = await pushOf(ws, campaign)
  assert.deepEqual(report?.skipped, { noContact: 2 })
  assert.deepEqual(push.tokens(), ['token-hms'])
  for (const each of [id, appleId]) expectStatus(await ws.admin.put(`/notifications/channels/${each}`, { active: false }), 200)
  const later = campaignOf()
  await start(ws, later)
  assert.deepEqual((await pushOf(ws, later))?.failures, { 'No active channel configuration found': 4 })
})

test('M-BULK-10 a load names whose tokens they are; what it does not know is reported and no token is stored', async () => {
  const ws = await workspace()
  const consent = { push: true }
  const load = async (contact: object) =>
    expectStatus(
      await ws.admin.post('/users/bulk/contacts', { contacts: [{ deviceToken: 't', platform: 'android', consent, ...contact }] }),
      200,
    ).data
  const of = async (userId: string) =>
    expectStatus(await ws.admin.get(`/users/${userId}`), 200).data.devices.map(({ provider }: any) => provider)
  const wrong = await load({ userId: 'A', provider: 'baidu' })
  assert.deepEqual([wrong.errorCount, wrong.errors[0].field, await of('A')], [1, 'provider', []])
  await load({ userId: 'A' })
  assert.deepEqual(await of('A'), ['fcm'])
  await load({ userId: 'A', provider: 'hms' })
  assert.deepEqual(await of('A'), ['hms'])
  await load({ userId: 'B' })
  assert.deepEqual([await of('A'), await of('B')], [[], ['hms']], 'what was said of it stays')
})
