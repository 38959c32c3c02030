/** What whoever holds the key of an app makes the brand's mail say, and to how many strangers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { identify } from '../../../../test/builders/people.ts'
import { addPeople, openEmail } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { startDispatches } from '../index.ts'

const { ctx, workspace, operator, url, advance } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: 'https://flow.example' })
const PATH = '/settings/first-messages'

/** Named by the app, with its word that they agreed to mail. */
async function nameInApp({ app }: Pick<Workspace, 'app'>, userId: string, body: object = {}): Promise<void> {
  await identify(app, `device of ${userId}`, userId, { email: `${userId}@example.com`, ...body })
  expectStatus(await app.post('/consent', { deviceId: `device of ${userId}`, userId, channels: { email: true } }), 200)
}
async function withEmail() {
  const ws = await workspace()
  const email = await openEmail()
  await email.connect(ws.admin)
  return { ws, email, to: () => email.mails().map((mail) => mail.to[0].replace(/^.*<|>$/g, '') as string) }
}
const dispatch = async () => expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
let campaigns = 0
async function campaignIn(ws: Workspace, window = {}): Promise<string> {
  const sourceId = `c${++campaigns}`
  const content = { en: { title: 'Sale', body: 'Now' } }
  const outgoing = {
    source: 'campaign' as const,
    sourceId,
    name: 'Sale',
    channels: ['email'] as const,
    content,
    segments: ['All users'],
    window,
  }
  await ctx.change({ workspaceId: ws.id, actor: 'a' }, (change) => startDispatches(change, outgoing))
  await dispatch()
  return sourceId
}
const counts = async (ws: Workspace) => expectStatus(await ws.admin.get(PATH), 200).data

test('whatever an app says of a person, a mail says it in one line without a link; a name is stored as one line', async () => {
  const { ws, email } = await withEmail()
  const name = `Sara\r\n\r\nYou won! https://evil.example/claim \u202e${'x'.repeat(260)}`
  await nameInApp(ws, 'U', { name, traits: { plan: 'gold\nwww.evil.example', link: 'https://shop.example/a?b=c' } })
  const content = {
    title: 'Hi {{name}}',
    body: 'Hello {{name}}, {{customAttributes.plan}} {{email}}',
    ctaLabel: 'Look',
    ctaUrl: '{{customAttributes.link}}',
  }
  assert.deepEqual((await ws.admin.post('/notifications', { userId: 'U', channel: 'email', content })).data, { sent: true })
  const [mail] = email.mails()
  const shown = 'Sara You won! https evil. example/claim '
  assert.ok(mail.subject.startsWith(`Hi ${shown}`), mail.subject)
  assert.equal(Array.from(mail.subject as string).length, 'Hi '.length + 100)
  for (const text of [mail.text, mail.html]) {
    assert.ok(text.includes(shown) && text.includes('gold www. evil. example') && text.includes('U@example.com'), text)
    assert.doesNotMatch(text, /evil\.example|\u202e/)
    assert.ok(text.includes('https://shop.example/a?b=c'), 'what is meant as the address of the button is it')
  }
  assert.doesNotMatch(JSON.stringify(mail.to), /evil\.example|\\n/)
  const person = expectStatus(await ws.admin.get('/users/U'), 200).data
  const line = `Sara You won! https://evil.example/claim ${'x'.repeat(260)}`
  assert.deepEqual([person.name, person.email], [line, 'U@example.com'])
  const preview = expectStatus(await ws.app.get('/sync', { headers: { 'x-cf-device': 'device of U' } }), 200)
  assert.equal(preview.status, 200)
})

test('by default nothing is held; members read the setting, admins write it', async () => {
  const { ws, email } = await withEmail()
  for (const userId of ['A', 'B', 'C']) await nameInApp(ws, userId)
  await campaignIn(ws)
  assert.equal(email.mails().length, 3)
  assert.deepEqual(await counts(ws), { perHour: null, lastHour: 3, heldNow: 0 })
  for (const member of [await ws.viewer(), await ws.editor()]) {
    expectStatus(await member.get(PATH), 200)
    assert.equal(expectStatus(await member.put(PATH, { perHour: 5 }), 403).body.code, 'ROLE_REQUIRED')
  }
  for (const perHour of [0, -1, 1.5, '5', 1_000_001, undefined]) expectStatus(await ws.admin.put(PATH, { perHour }), 400)
  assert.equal(expectStatus(await ws.admin.put(PATH, { perHour: 500 }), 200).data.perHour, 500)
})

test('more first messages than an hour may have wait for the next; addresses of servers and whoever was written to before do not', async () => {
  const { ws, to } = await withEmail()
  expectStatus(await ws.admin.put(PATH, { perHour: 2 }), 200)
  await addPeople(ws, ['loaded'])
  const { key } = await ws.key('secret', 'live')
  await nameInApp({ app: clientOf(`${url}/sdk/v1`, { 'x-cf-key': key }) }, 'by-server')
  for (const userId of ['A', 'B', 'C', 'D', 'E']) await nameInApp(ws, userId)
  const sourceId = await campaignIn(ws)
  const first = to()
  assert.equal(first.length, 4)
  for (const address of ['loaded@example.com', 'by-server@example.com']) assert.ok(first.includes(address))
  assert.deepEqual(await counts(ws), { perHour: 2, lastHour: 2, heldNow: 3 })
  const sends = expectStatus(await ws.admin.get(`/sends?sourceId=${sourceId}&state=due`), 200).data.sends
  assert.deepEqual([sends.length, sends[0].reason, sends[0].nextAt.slice(13)], [3, 'firstMessageLimit', ':00:00.000Z'])
  // Nobody is written to twice, and nobody of the same hour more.
  await dispatch()
  assert.equal(to().length, 4)
  await campaignIn(ws)
  assert.equal(to().length, 8, 'those of before, for whom it is the second')
  const held = (await ws.admin.post('/notifications', { userId: sends[0].userId, channel: 'email', content: { body: 'x' } })).data
  assert.deepEqual([held.sent, held.reason, typeof held.retryAt], [false, 'firstMessageLimit', 'string'])
})

test('what is held leaves hour by hour, also when that takes more than a day; a changed limit holds at once', async () => {
  const { ws, to } = await withEmail()
  expectStatus(await ws.admin.put(PATH, { perHour: 1 }), 200)
  for (const userId of ['A', 'B', 'C', 'D']) await nameInApp(ws, userId)
  await campaignIn(ws)
  assert.equal(to().length, 1)
  await advance(3_600)
  await dispatch()
  assert.equal(to().length, 2)
  await advance(25 * 3_600)
  await dispatch()
  assert.equal(to().length, 3)
  expectStatus(await ws.admin.put(PATH, { perHour: null }).then((answer) => (answer.status === 401 ? reset(ws) : answer)), 200)
  await dispatch()
  assert.equal(new Set(to()).size, 4)
})

/** The session is over by then: as an admin would, by the tables. */
async function reset(ws: Workspace) {
  await ctx.db.updateTable('workspaces').set({ first_messages_per_hour: null }).where('id', '=', ws.id).execute()
  await advance(3_600)
  return ws.app.get('/sync')
}
