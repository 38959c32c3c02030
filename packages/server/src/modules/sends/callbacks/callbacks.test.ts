/** Bounces, complaints and deliveries, as providers report them. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { addChannel } from '../../../../test/builders/channels.ts'
import { openProvider } from '../../../../test/builders/providers.ts'
import { addPeople, openEmail, openPush } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const PUBLIC = 'https://flow.example'
const { ctx, workspace, url } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC })

const SECRET = 'whsec_Y29udGVudGZsb3ctZGVtby1zZWNyZXQtMzItYnl0ZXM='
const svix = (body: string) => {
  const timestamp = String(Math.floor(ctx.clock.ms() / 1_000))
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64')
  return { 'svix-id': 'msg_1', 'svix-timestamp': timestamp, 'svix-signature': `v1,${signature}` }
}
const call = (path: string, body: string, headers: Record<string, string>) =>
  fetch(`${url}/api/v1/callbacks/${path}`, { method: 'POST', body, headers })
const send = async ({ admin }: Workspace, channel: string) =>
  expectStatus(await admin.post('/notifications', { userId: 'U', channel, content: { title: 't', body: 'b' } }), 200).data
const told = async ({ admin }: Workspace) => expectStatus(await admin.get('/sends?userId=U'), 200).data.sends.map((each: any) => each.told)

async function mailed() {
  const ws = await workspace()
  const email = await openEmail()
  const { id } = await email.connect(ws.admin)
  expectStatus(await ws.admin.put(`/notifications/channels/${id}`, { configuration: { callbackSecret: SECRET } }), 200)
  await addPeople(ws, ['U'])
  assert.deepEqual(await send(ws, 'email'), { sent: true })
  const { tags } = email.mails()[0]
  const report = async (type: string, data: object = {}) => {
    const body = JSON.stringify({ type, data: { email_id: 'm1', tags, ...data } })
    return call(`resend/${ws.id}/${id}`, body, svix(body))
  }
  return { ws, id, report, tags, email }
}

test('a delivery is noted; an address that does not exist is written to no more, until there is another one', async () => {
  const { ws, report, email } = await mailed()
  assert.equal((await report('email.delivered')).status, 200)
  assert.deepEqual(await told(ws), ['delivered'])
  assert.equal((await report('email.bounced', { bounce: { type: 'Permanent', message: 'No such mailbox' } })).status, 200)
  await report('email.delivered')
  assert.deepEqual(await told(ws), ['bounced'], 'the gravest stays')
  assert.deepEqual(await send(ws, 'email'), { sent: false, reason: 'noContact' })
  const { closedContacts } = expectStatus(await ws.admin.get('/users/U'), 200).data
  assert.deepEqual([closedContacts.email.contact, closedContacts.email.reason], ['u@example.com', 'No such mailbox'])
  await addPeople(ws, ['U'], () => ({ email: 'new@example.com' }))
  assert.deepEqual(await send(ws, 'email'), { sent: true })
  assert.equal(email.mails().length, 2)
})

test('who complains has withdrawn the consent; a mailbox that is full is nothing of the kind', async () => {
  const { ws, report } = await mailed()
  await report('email.bounced', { bounce: { type: 'Transient', message: 'Mailbox full' } })
  assert.deepEqual(await send(ws, 'email'), { sent: true })
  await report('email.complained')
  assert.deepEqual(await send(ws, 'email'), { sent: false, reason: 'noConsent' })
})

test('what is not signed by the provider of this very channel changes nothing', async () => {
  const { ws, id, tags } = await mailed()
  const other = await mailed()
  const body = JSON.stringify({ type: 'email.complained', data: { email_id: 'm1', tags } })
  for (const [path, headers] of [
    [`resend/${ws.id}/${id}`, {}],
    [`resend/${ws.id}/${id}`, { ...svix(body), 'svix-id': 'msg_2' }],
    [`mailgun/${ws.id}/${id}`, svix(body)],
    [`nothing/${ws.id}/${id}`, svix(body)],
  ] as const)
    assert.equal((await call(path, body, headers)).status, 403, path)
  for (const path of [`resend/${ws.id}/nothing`, `resend/nowhere/${id}`, `resend/${other.ws.id}/${id}`])
    assert.equal((await call(path, body, svix(body))).status, 404, path)
  // Signed for another workspace, it finds nothing there.
  assert.equal((await call(`resend/${other.ws.id}/${other.id}`, body, svix(body))).status, 200)
  assert.deepEqual([await told(ws), await told(other.ws)], [[null], [null]])
  for (const odd of ['', '[]', '{', 'null', '{"type":7,"data":[]}', '{"data":{"tags":{"cf_send":"x.y"}},"type":"email.bounced"}'])
    assert.equal((await call(`resend/${ws.id}/${id}`, odd, svix(odd))).status, 200, odd)
  assert.equal((await call(`resend/${ws.id}/${id}`, 'x'.repeat(1_000_001), {})).status, 413)
})

test('Twilio is told where to report with each message, and its report counts', async () => {
  const ws = await workspace()
  const stub = await openProvider({ judge: () => undefined, answer: () => ({ status: 201, body: { sid: 'SM1', status: 'queued' } }) })
  after(() => stub.close())
  const configuration = { accountSid: 'AC1', authToken: 'token', from: '+15005550006', baseUrl: stub.url }
  const { id } = await addChannel(ws.admin, 'sms', 'twilio', configuration)
  await addPeople(ws, ['U'], () => ({ phone: '+966500000001' }))
  assert.deepEqual(await send(ws, 'sms'), { sent: true })
  const { StatusCallback: address, Body: text } = stub.taken[0]!.body
  assert.equal(address, `${PUBLIC}/api/v1/callbacks/twilio/${ws.id}/${id}`)
  assert.equal(text, 't\nb')
  const form = new URLSearchParams({ MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30005' })
  const said = [...form]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map((pair) => pair.join(''))
    .join('')
  const signature = createHmac('sha1', 'token')
    .update(address + said)
    .digest('base64')
  const headers = { 'x-twilio-signature': signature, 'content-type': 'application/x-www-form-urlencoded' }
  assert.equal((await call(`twilio/${ws.id}/${id}`, form.toString(), headers)).status, 200)
  assert.deepEqual(await told(ws), ['bounced'])
  assert.deepEqual(await send(ws, 'sms'), { sent: false, reason: 'noContact' })
})

test('a receipt of Huawei is noted, in both of its versions; an app that is not installed any more is sent nothing', async () => {
  const ws = await workspace()
  const push = await openPush()
  const { id } = await push.connect(ws.admin)
  const path = `/notifications/channels/${id}`
  expectStatus(await ws.admin.put(path, { configuration: { callbackUser: 'u' } }), 400)
  expectStatus(await ws.admin.put(path, { configuration: { callbackUser: 'u', callbackKey: 'key' } }), 200)
  await addPeople(ws, ['U'])
  const report = async (statuses: object[], key = 'key') => {
    const timestamp = String(ctx.clock.ms())
    const value = createHmac('sha256', key).update(`${timestamp}nonceu`).digest('base64')
    const headers = { 'x-huawei-callback-id': `timestamp=${timestamp}; nonce=nonce; value=${value}` }
    return call(`hms/${ws.id}/${id}`, JSON.stringify({ statuses }), headers)
  }
  const receipt = { token: 'token-U', requestId: '1', appid: '100', biTag: '', timestamp: 1 }
  assert.deepEqual(await send(ws, 'push'), { sent: true })
  assert.equal((await report([{ ...receipt, status: 0 }], 'another')).status, 403)
  assert.deepEqual(await told(ws), [null])
  const taken = await report([{ ...receipt, status: 0 }, { status: 15 }, null as never])
  const answer = { success: true, data: { taken: true }, errno: '0', errmsg: 'success', code: '0', message: 'success' }
  assert.deepEqual([taken.status, await taken.json()], [200, answer])
  assert.deepEqual(await told(ws), ['delivered'])
  assert.deepEqual(await send(ws, 'push'), { sent: true }, 'a device that was reached stays')
  await report([{ token: 'token-U', requestId: 'unknown', deliveryStatus: { result: 2, timestamp: 1 } }])
  assert.deepEqual(await send(ws, 'push'), { sent: false, reason: 'noContact' })
  assert.equal(push.tokens().length, 2)
})

test('a signature that says nothing of the body cannot be used with another one; the same call sent again is taken', async () => {
  const ws = await workspace()
  const { id } = await addChannel(ws.admin, 'email', 'mailgun', {
    apiKey: 'k',
    domain: 'd.example',
    from: 'a@d.example',
    callbackKey: 'secret',
  })
  const signed = (event: string, token: string) => {
    const timestamp = String(Math.floor(ctx.clock.ms() / 1_000))
    const signature = createHmac('sha256', 'secret')
      .update(timestamp + token)
      .digest('hex')
    const data = { event, message: { headers: { 'message-id': 'm1' } } }
    return JSON.stringify({ signature: { timestamp, token, signature }, 'event-data': data })
  }
  const report = async (body: string) => (await call(`mailgun/${ws.id}/${id}`, body, {})).status
  const seen = signed('delivered', 'once')
  for (let times = 0; times < 3; times++) assert.equal(await report(seen), 200)
  const other = seen.replace('delivered', 'complained')
  assert.equal(await report(other), 403)
  const atOnce = signed('delivered', 'at once')
  const answers = await Promise.all([report(atOnce), report(atOnce.replace('delivered', 'complained'))])
  assert.deepEqual(answers.toSorted(), [200, 403])
  assert.equal(await report(signed('complained', 'another')), 200)
  assert.equal(await report(seen), 200)
  const push = await openPush()
  const channel = await push.connect(ws.admin)
  expectStatus(
    await ws.admin.put(`/notifications/channels/${channel.id}`, { configuration: { callbackUser: 'u', callbackKey: 'key' } }),
    200,
  )
  const timestamp = String(ctx.clock.ms())
  const value = createHmac('sha256', 'key').update(`${timestamp}nonceu`).digest('base64')
  const headers = { 'x-huawei-callback-id': `timestamp=${timestamp}; nonce=nonce; value=${value}` }
  const receive = async (status: number) =>
    (await call(`hms/${ws.id}/${channel.id}`, JSON.stringify({ statuses: [{ requestId: '1', status }] }), headers)).status
  assert.deepEqual([await receive(0), await receive(2), await receive(0)], [200, 403, 200])
})
