/** The 24 hours after somebody wrote over WhatsApp, in which free texts may be sent to them. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { create, launch } from '../../../../test/builders/campaigns.ts'
import { addChannel } from '../../../../test/builders/channels.ts'
import { workspaceOverTime } from '../../../../test/builders/events.ts'
import { personRow, identify } from '../../../../test/builders/people.ts'
import { openProvider } from '../../../../test/builders/providers.ts'
import { addPeople } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const PUBLIC = 'https://flow.example'
const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC })
const { ctx, url, operator, advance } = app
const PHONES: Record<string, string> = { U: '+966500000001', V: '+966500000002' }
const TEMPLATE = `HX${'1'.repeat(32)}`
const HOUR = 3_600

const work = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)

async function shop() {
  const { signIn, ...ws } = await workspaceOverTime(app)
  const stub = await openProvider({ judge: () => undefined, answer: () => ({ status: 201, body: { sid: 'SM1', status: 'queued' } }) })
  after(() => stub.close())
  const account = { accountSid: 'AC1', authToken: 'token', from: '+15005550006', baseUrl: stub.url }
  const { id } = await addChannel(ws.admin, 'whatsapp', 'twilio-whatsapp', account)
  await addPeople(ws, Object.keys(PHONES), (userId) => ({ phone: PHONES[userId] }))
  let messages = 0
  const write = async (from: string, id_ = `SM${++messages}`) => {
    const form = new URLSearchParams({ MessageSid: id_, From: `whatsapp:${from}`, To: account.from, SmsStatus: 'received', Body: 'hello' })
    const said = [...form].toSorted(([a], [b]) => (a < b ? -1 : 1)).map((pair) => pair.join(''))
    const path = `/api/v1/callbacks/twilio-whatsapp/${ws.id}/${id}/inbound`
    const signature = createHmac('sha1', 'token')
      .update(PUBLIC + path + said.join(''))
      .digest('base64')
    const headers = { 'x-twilio-signature': signature, 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await fetch(url + path, { method: 'POST', body: form.toString(), headers })).status, 200)
  }
  const tell = async (userId: string, content: object, by = ws.admin) => {
    const { sent, reason } = expectStatus(await by.post('/notifications', { userId, channel: 'whatsapp', content }), 200).data
    return sent ? 'sent' : (reason as string)
  }
  const last = () => {
    const { Body, ContentSid } = stub.taken.at(-1)?.body ?? {}
    return ContentSid ?? Body
  }
  return { ws, write, tell, last, signIn }
}

const TEXT = { body: 'Your order is on its way' }
const BOTH = { ...TEXT, whatsappTemplate: { id: TEMPLATE } }

test('as long as nobody wrote, a free text goes as it always did, and with a template the template', async () => {
  const { tell, last } = await shop()
  assert.equal(await tell('U', TEXT), 'sent')
  assert.equal(last(), TEXT.body)
  assert.equal(await tell('U', BOTH), 'sent')
  assert.equal(last(), TEMPLATE)
})

test('once answers are heard of, a free text goes for 24 hours to whoever wrote, and to nobody else; a template always', async () => {
  const { tell, last, write, signIn } = await shop()
  await write(PHONES['U'] ?? '', 'SMfirst')
  assert.equal(await tell('V', TEXT), 'outsideWindow')
  assert.equal(await tell('V', BOTH), 'sent')
  assert.equal(last(), TEMPLATE)
  assert.equal(await tell('U', BOTH), 'sent')
  assert.equal(last(), TEXT.body, 'inside the window the text goes')
  assert.equal(await tell('U', { title: 'For apps', whatsappTemplate: { id: TEMPLATE } }), 'sent')
  assert.equal(last(), TEMPLATE, 'a title alone is no text')
  await advance(24 * HOUR - 60)
  const admin = await signIn()
  assert.equal(await tell('U', TEXT, admin), 'sent')
  // A repeat of what was heard before opens nothing.
  await write(PHONES['U'] ?? '', 'SMfirst')
  await advance(61)
  assert.equal(await tell('U', TEXT, admin), 'outsideWindow')
  assert.equal(await tell('U', BOTH, admin), 'sent')
  assert.equal(last(), TEMPLATE)
  await write(PHONES['U'] ?? '')
  assert.equal(await tell('U', TEXT, admin), 'sent')
})

test('a message from a number of nobody is heard too; text messages and other workspaces are not concerned', async () => {
  const [it, other] = [await shop(), await shop()]
  await addChannel(it.ws.admin, 'sms', 'contentflow-sms', { apiKey: 'k', sender: 's' })
  await it.write('+966599999999')
  assert.equal(await it.tell('U', TEXT), 'outsideWindow')
  assert.equal(await other.tell('U', TEXT), 'sent')
  const { reason } = expectStatus(await it.ws.admin.post('/notifications', { userId: 'U', channel: 'sms', content: TEXT }), 200).data
  assert.notEqual(reason, 'outsideWindow')
})

test('preview, dispatch and explanation of a campaign agree on who is outside of the window', async () => {
  const { ws, write } = await shop()
  await write(PHONES['U'] ?? '')
  const body = { content: { en: TEXT }, dispatchChannels: ['whatsapp'] }
  const draft = await create(ws.admin, body)
  const shown = expectStatus(await ws.admin.post(`/campaigns/${draft.id}/preview`, {}), 200).data.channels.whatsapp
  assert.deepEqual([shown.reachable, shown.skipped], [1, { outsideWindow: 1 }])
  const { id } = await launch(ws, await ws.editor(), body)
  await work()
  const { channels } = expectStatus(await ws.admin.get(`/campaigns/${id}/report`), 200).data
  assert.deepEqual([channels.whatsapp.sent, channels.whatsapp.skipped], [1, { outsideWindow: 1 }])
  const why = expectStatus(await ws.admin.get(`/campaigns/${id}/explain?userId=V`), 200).text
  assert.match(why, /outsideWindow/)
})

test('who wrote as somebody anonymous may be answered as the person they turn out to be', async () => {
  const { ws, write, tell } = await shop()
  await identify(ws.app, 'D')
  await write('+966599999999')
  const until = new Date(ctx.clock.ms() + 1_000_000)
  await ctx.db
    .updateTable('profiles')
    .set({ whatsapp_until: until })
    .where('workspace_id', '=', ws.id)
    .where('device_id', '=', 'D')
    .execute()
  assert.equal(await tell('U', TEXT), 'outsideWindow')
  await identify(ws.app, 'D', 'U')
  assert.deepEqual((await personRow(ctx, ws.id, 'U'))?.whatsapp_until, until)
  assert.equal(await tell('U', TEXT), 'sent')
})
