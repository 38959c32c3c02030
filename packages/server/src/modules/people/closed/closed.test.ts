/** Contacts that providers say do not exist: which words close them, who sees them, and how they are opened again. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { expectStatus, type Client, type Workspace } from '../../../../test/builders/builders.ts'
import { addChannel } from '../../../../test/builders/channels.ts'
import { dispatching } from '../../../../test/builders/dispatches.ts'
import { openMailServer, openProvider } from '../../../../test/builders/providers.ts'
import { addPeople, openEmail, openPush } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { ctx, url, workspace, advance, operator } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: 'https://flow.example' })
const { campaignOf, start, work, report } = dispatching({ ctx, operator })

const NO_SUCH = '550 5.1.1 No such user'
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `P${String(n).padStart(3, '0')}`)
const closedOf = async (admin: Client, query = '') => expectStatus(await admin.get(`/contacts/closed${query}`), 200)
const closed = async ({ admin }: Workspace, query = '') => (await closedOf(admin, query)).data.contacts
const open = (admin: Client, body: object) => admin.post('/contacts/open', body)
const emailOf = async (ws: Workspace, campaign: ReturnType<typeof campaignOf>) => (await report(ws, campaign)).channels['email']

/** A shop that sends over a server of mail of its own. */
async function mailing(people: readonly string[]) {
  const ws = await workspace()
  const server = await openMailServer()
  after(() => server.close())
  const account = { host: '127.0.0.1', port: server.port, secure: false, from: 'a@shop.example' }
  const { id } = await addChannel(ws.admin, 'email', 'smtp', account)
  await addPeople(ws, people)
  const send = async () => {
    const campaign = campaignOf({ channels: ['email'] })
    await start(ws, campaign)
    return campaign
  }
  return { ws, server, id, send }
}

test('G-88 only an answer that means "no such mailbox" closes an address; it is listed with the words, and opened again', async () => {
  const said: Record<string, string> = {
    none: NO_SUCH,
    null: '556 5.1.10 Recipient has a null MX',
    full: '552 5.2.2 Mailbox full',
    off: '550 5.2.1 Mailbox disabled',
    blocked: '550 5.7.1 Client host blocked, no such user',
    policy: '550 Refused by policy',
  }
  const { ws, server, send } = await mailing([...Object.keys(said), 'fine'])
  server.refusalOf = (address) => said[address.split('@')[0]!]
  await send()
  const [first, second, ...others] = (await closed(ws)).toSorted((a: any, b: any) => (a.userId < b.userId ? -1 : 1))
  assert.deepEqual([first.userId, second.userId, others], ['none', 'null', []])
  assert.deepEqual([first.channel, first.address, first.deviceId, typeof first.at], ['email', 'none@example.com', null, 'string'])
  assert.match(first.reason, /5\.1\.1 No such user/)
  server.refusalOf = () => undefined
  const again = await send()
  assert.deepEqual((await emailOf(ws, again))?.skipped, { noContact: 2 })
  assert.deepEqual((await open(ws.admin, { channel: 'email', userIds: ['none', 'fine', 'nobody'] })).data, { opened: 1 })
  assert.deepEqual(
    (await closed(ws)).map(({ userId }: any) => userId),
    ['null'],
  )
  assert.deepEqual((await emailOf(ws, await send()))?.skipped, { noContact: 1 })
  assert.deepEqual((await open(ws.admin, { channel: 'email', all: true })).data, { opened: 1 })
  assert.deepEqual((await emailOf(ws, await send()))?.skipped, {})
})

test('G-88 a relay that says so of everybody closes nobody: it rests, says why, and goes on once it is mended', async () => {
  const { ws, server, id, send } = await mailing(numbered(40))
  server.refusalOf = () => NO_SUCH
  const campaign = await send()
  const channel = async () => expectStatus(await ws.admin.get(`/notifications/channels/${id}`), 200).data
  const { failed, waiting } = (await emailOf(ws, campaign)) ?? { failed: 0, waiting: 0 }
  assert.ok(failed >= 20 && waiting > 0 && failed + waiting === 40, `${failed} failed, ${waiting} wait`)
  assert.deepEqual(await closed(ws), [])
  assert.deepEqual([typeof (await channel()).pausedAt, /in a row/.test((await channel()).failure)], ['string', true])
  // One is tried now and then.
  await advance(301)
  await work()
  assert.deepEqual(await closed(ws), [])
  server.refusalOf = (address) => (address.startsWith('p039') ? NO_SUCH : undefined)
  for (let n = 0; n < 4; n++) {
    await advance(301)
    await work()
  }
  const after = await emailOf(ws, campaign)
  assert.equal(after?.waiting, 0)
  assert.equal((await channel()).pausedAt, null)
  assert.ok((await closed(ws)).length <= 1)
  const next = await send()
  assert.deepEqual((await emailOf(ws, next))?.sent, 39)
  assert.deepEqual(
    (await closed(ws)).map(({ userId }: any) => userId),
    ['P039'],
  )
})

test('G-88 twenty in a row are counted over many messages, and whoever was closed in the row is open again', async () => {
  const { ws, server } = await mailing(numbered(21))
  server.refusalOf = () => NO_SUCH
  const one = async (userId: string) =>
    void expectStatus(await ws.admin.post('/notifications', { userId, channel: 'email', content: { title: 't', body: 'b' } }), 200)
  const people = numbered(21)
  for (const each of people.slice(0, 19)) await one(each)
  assert.equal((await closed(ws)).length, 19)
  await one(people[19]!)
  assert.deepEqual(await closed(ws), [])
})

test('G-88 M-DISP-10 the same holds for tokens: whatever was said of twenty in a row ends none of the others', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  const people = numbered(30)
  await addPeople(ws, people)
  const gone = { status: 200, body: { code: '80100000', msg: '{"success":0,"failure":1,"illegal_tokens":["T"]}' } }
  push.queue.push(...Array.from({ length: 60 }, () => gone))
  await start(ws, campaignOf())
  const { total } = await ctx.db
    .selectFrom('push_registrations')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('workspace_id', '=', ws.id)
    .executeTakeFirstOrThrow()
  assert.equal(total, 30)
})

test('G-88 what is told later goes by the same rule, and twenty bounces without a delivery between them close nobody', async () => {
  const ws = await workspace()
  const email = await openEmail()
  const { id } = await email.connect(ws.admin)
  const secret = 'whsec_Y29udGVudGZsb3ctZGVtby1zZWNyZXQtMzItYnl0ZXM='
  expectStatus(await ws.admin.put(`/notifications/channels/${id}`, { configuration: { callbackSecret: secret } }), 200)
  const people = numbered(25)
  await addPeople(ws, people)
  await start(ws, campaignOf({ channels: ['email'] }))
  const mailTo = new Map(email.mails().map(({ to, tags }: any) => [/p\d+/.exec(to[0])?.[0]?.toUpperCase(), tags]))
  const tell = async (userId: string, type: string, data: object = {}) => {
    const body = JSON.stringify({ type, data: { email_id: 'm1', tags: mailTo.get(userId), ...data } })
    const stamp = String(Math.floor(ctx.clock.ms() / 1_000))
    const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`msg_1.${stamp}.${body}`)
      .digest('base64')
    const headers = { 'svix-id': 'msg_1', 'svix-timestamp': stamp, 'svix-signature': `v1,${signature}` }
    assert.equal((await fetch(`${url}/api/v1/callbacks/resend/${ws.id}/${id}`, { method: 'POST', body, headers })).status, 200)
  }
  const bounced = (userId: string, bounce: object) => tell(userId, 'email.bounced', { bounce: { type: 'Permanent', ...bounce } })
  await bounced(people[0]!, { subType: 'General', message: '550 5.7.1 Blocked' })
  await bounced(people[1]!, { subType: 'General', message: '552 5.2.2 Full' })
  assert.deepEqual(await closed(ws), [])
  await bounced(people[2]!, { subType: 'NoEmail', message: 'The mailbox does not exist' })
  await bounced(people[2]!, { subType: 'NoEmail', message: 'The mailbox does not exist' })
  await tell(people[3]!, 'email.delivered')
  for (const each of people.slice(4, 23)) await bounced(each, { message: NO_SUCH })
  assert.equal((await closed(ws)).length, 20)
  await bounced(people[23]!, { message: NO_SUCH })
  assert.deepEqual(
    (await closed(ws)).map(({ userId }: any) => userId),
    [people[2]],
    'a delivery stood between',
  )
})

test('G-88 a number that is not on WhatsApp takes text messages, and a contact that was changed is open', async () => {
  const ws = await workspace()
  const answers = [{ status: 400, body: { code: 63003, message: 'no such recipient' } }]
  const stub = await openProvider({
    judge: () => undefined,
    answer: () => answers.shift() ?? { status: 201, body: { sid: 'SM1', status: 'queued' } },
  })
  after(() => stub.close())
  const account = { accountSid: 'AC1', authToken: 'token', from: '+15005550006', baseUrl: stub.url }
  await addChannel(ws.admin, 'whatsapp', 'twilio-whatsapp', account)
  await addChannel(ws.admin, 'sms', 'twilio', account)
  await addPeople(ws, ['U'], () => ({ phone: '+966500000001' }))
  const send = async (channel: string) =>
    expectStatus(await ws.admin.post('/notifications', { userId: 'U', channel, content: { title: 't', body: 'b' } }), 200).data
  assert.equal((await send('whatsapp')).sent, false)
  assert.deepEqual([await send('whatsapp'), await send('sms')], [{ sent: false, reason: 'noContact' }, { sent: true }])
  assert.deepEqual(
    (await closed(ws, '?channel=whatsapp')).map(({ address }: any) => address),
    ['+966500000001'],
  )
  assert.deepEqual(await closed(ws, '?channel=sms'), [])
  const { closedContacts } = expectStatus(await ws.admin.get('/users/U'), 200).data
  assert.deepEqual([closedContacts.whatsapp.reason, closedContacts.phone.contact], ['no such recipient', '+966500000001'])
  await addPeople(ws, ['U'], () => ({ phone: '+966500000002' }))
  assert.deepEqual([await closed(ws), await send('whatsapp')], [[], { sent: true }])
})

test('G-88 the list comes in pages; whoever may read sees it, whoever may edit opens', async () => {
  const { ws, server, send } = await mailing(numbered(7))
  server.refusalOf = (address) => (address.startsWith('p006') ? undefined : NO_SUCH)
  await send()
  const viewer = await ws.viewer()
  const pages: string[] = []
  let cursor = ''
  do {
    const answer = await closedOf(viewer, `?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    assert.equal(answer.body.metadata.total, 6)
    pages.push(...answer.data.contacts.map(({ userId }: any) => userId))
    cursor = answer.body.metadata.nextCursor
  } while (cursor)
  assert.deepEqual(pages.toSorted(), numbered(6))
  assert.equal((await viewer.get('/contacts/closed?cursor=odd')).status, 400)
  expectStatus(await open(viewer, { channel: 'email', all: true }), 403)
  for (const odd of [
    {},
    { channel: 'email' },
    { channel: 'push', all: true },
    { channel: 'email', all: false },
    { channel: 'email', userIds: [] },
  ])
    assert.equal((await open(ws.admin, odd)).status, 400, JSON.stringify(odd))
  assert.equal((await open(ws.admin, { channel: 'email', all: true, userIds: ['P000'] })).status, 400)
  assert.equal((await closed(ws)).length, 6)
  assert.deepEqual(expectStatus(await open(await ws.editor(), { channel: 'email', all: true }), 200).data, { opened: 6 })
})
