/** What people answer to text messages: STOP, START and HELP, and what is kept of it. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { addChannel } from '../../../../test/builders/channels.ts'
import { workspaceOverTime } from '../../../../test/builders/events.ts'
import { openProvider } from '../../../../test/builders/providers.ts'
import { addPeople } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const PUBLIC = 'https://flow.example'
const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC })
const { ctx, url, operator, advance } = app
const NUMBER = '+966500000001'
const HELP = 'Souq Lane & friends: help@souq.example'

async function shop() {
  const { signIn, ...ws } = await workspaceOverTime(app)
  const stub = await openProvider({ judge: () => undefined, answer: () => ({ status: 201, body: { sid: 'SM1', status: 'queued' } }) })
  after(() => stub.close())
  const account = { accountSid: 'AC1', authToken: 'token', from: '+15005550006', baseUrl: stub.url }
  const { id } = await addChannel(ws.admin, 'sms', 'twilio', { ...account, helpText: HELP })
  const whatsapp = await addChannel(ws.admin, 'whatsapp', 'twilio-whatsapp', account)
  await addPeople(ws, ['U'], () => ({ phone: NUMBER }))
  let messages = 0
  const write = async (members: object, { to = `twilio/${ws.id}/${id}`, token = 'token' } = {}) => {
    const form = new URLSearchParams({ MessageSid: `SM${++messages}`, From: NUMBER, To: account.from, SmsStatus: 'received', ...members })
    const said = [...form].toSorted(([a], [b]) => (a < b ? -1 : 1)).map((pair) => pair.join(''))
    const path = `/api/v1/callbacks/${to}/inbound`
    const signature = createHmac('sha1', token)
      .update(PUBLIC + path + said.join(''))
      .digest('base64')
    const headers = { 'x-twilio-signature': signature, 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await fetch(url + path, { method: 'POST', body: form.toString(), headers })
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
  }
  return { ws, write, signIn, whatsapp: `twilio-whatsapp/${ws.id}/${whatsapp.id}` }
}
const NOTHING = '<?xml version="1.0" encoding="UTF-8"?><Response></Response>'
const takes = async (ws: Pick<Workspace, 'admin'>, channel = 'sms') =>
  (await ws.admin.post('/notifications', { userId: 'U', channel, content: { body: 'x' } })).data.sent as boolean
const kept = async (ws: Pick<Workspace, 'admin'>, query = '') =>
  expectStatus(await ws.admin.get(`/inbound-messages${query}`), 200).data.messages.map((each: any) => [
    each.userId,
    each.channel,
    each.keyword,
    each.body,
  ])

test('STOP leaves the channel, in the ledger too; START takes exactly that back; a sentence does neither', async () => {
  const { ws, write } = await shop()
  const first = await write({ Body: 'please stop by tomorrow' })
  assert.deepEqual([first.status, first.type, first.text], [200, 'text/xml; charset=utf-8', NOTHING])
  assert.equal(await takes(ws), true)
  assert.equal((await write({ Body: ' إيقاف ' })).text, NOTHING)
  assert.equal(await takes(ws), false)
  await write({ Body: 'start' })
  assert.equal(await takes(ws), true)
  const { consents } = expectStatus(await ws.admin.get('/users/U/consents'), 200).data
  assert.deepEqual(
    consents.filter(({ source }: any) => source === 'inbound').map(({ channel, newValue }: any) => [channel, newValue]),
    [
      ['sms', true],
      ['sms', false],
    ],
  )
  assert.deepEqual(await kept(ws, '?userId=U'), [
    ['U', 'sms', 'start', 'start'],
    ['U', 'sms', 'stop', ' إيقاف '],
    ['U', 'sms', null, 'please stop by tomorrow'],
  ])
})

test('START takes no other no back, and agrees to nothing that was never agreed to', async () => {
  const { ws, write } = await shop()
  await addPeople(ws, ['U'], () => ({ phone: NUMBER, consent: { sms: false } }))
  await write({ Body: 'START' })
  assert.equal(await takes(ws), false)
  // One said elsewhere since stands, whatever STOP said before.
  await addPeople(ws, ['U'], () => ({ phone: NUMBER, consent: { sms: true } }))
  await write({ Body: 'STOP' })
  await addPeople(ws, ['U'], () => ({ phone: NUMBER, consent: { sms: true } }))
  await addPeople(ws, ['U'], () => ({ phone: NUMBER, consent: { sms: false } }))
  await write({ Body: 'START' })
  assert.equal(await takes(ws), false)
})

test('what Twilio read itself counts more than the words and is not answered; HELP is answered with the text of the channel', async () => {
  const { ws, write } = await shop()
  assert.equal((await write({ Body: 'HELP', OptOutType: 'HELP' })).text, NOTHING)
  assert.match((await write({ Body: 'مساعدة' })).text, /<Message>Souq Lane &amp; friends: help@souq\.example<\/Message>/)
  await write({ Body: 'bye', OptOutType: 'STOP' })
  assert.equal(await takes(ws), false)
})

test('a call that comes again is done once: a late STOP does not undo a START', async () => {
  const { ws, write } = await shop()
  await write({ Body: 'STOP', MessageSid: 'SMstop' })
  await write({ Body: 'START' })
  await write({ Body: 'STOP', MessageSid: 'SMstop' })
  assert.equal(await takes(ws), true)
  assert.equal((await kept(ws)).length, 2)
})

test('WhatsApp and text messages are two channels; everybody of a number leaves; nobody of another workspace does', async () => {
  const { ws, write, whatsapp } = await shop()
  const other = await shop()
  await addPeople(ws, ['V'], () => ({ phone: NUMBER }))
  assert.equal((await write({ Body: 'STOP', From: `whatsapp:${NUMBER}` }, { to: whatsapp })).status, 200)
  assert.deepEqual([await takes(ws, 'whatsapp'), await takes(ws), await takes(other.ws, 'whatsapp')], [false, true, true])
  assert.deepEqual((await kept(ws)).map(([userId]: string[]) => userId).toSorted(), ['U', 'V'])
  assert.deepEqual(await kept(other.ws), [])
  assert.deepEqual((await ws.admin.get('/inbound-messages?userId=nobody')).status, 404)
})

test('what is not signed by the channel, or is no message, changes nothing', async () => {
  const { ws, write } = await shop()
  const other = await shop()
  assert.equal((await write({ Body: 'STOP' }, { token: 'other' })).status, 403)
  assert.equal((await write({ Body: 'STOP' }, { to: `twilio/${ws.id}/none` })).status, 404)
  assert.equal((await write({ Body: 'STOP' }, { to: `resend/${ws.id}/none` })).status, 404)
  assert.equal((await write({ Body: 'STOP', From: 'MATJAR' })).text, NOTHING)
  assert.equal((await write({ Body: 'STOP', From: '+966599999999' })).text, NOTHING)
  assert.deepEqual([await takes(ws), await takes(other.ws), await kept(ws)], [true, true, []])
})

test('what people wrote is kept for 30 days, and goes with them', async () => {
  const { ws, write, signIn } = await shop()
  await addPeople(ws, ['Gone'], () => ({ phone: '+966500000002' }))
  await write({ Body: 'hello', From: '+966500000002' })
  await write({ Body: 'hello' })
  expectStatus(await ws.admin.delete('/users/Gone'), 200)
  assert.deepEqual(await kept(ws), [['U', 'sms', null, 'hello']])
  await advance(31 * 86_400)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  assert.deepEqual(await kept({ admin: await signIn() }), [])
  assert.equal((await ctx.db.selectFrom('inbound_messages').select('id').where('workspace_id', '=', ws.id).execute()).length, 0)
})
