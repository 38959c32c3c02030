/** Protection `confirmEmails`: an address that only an app named gets one question, and nothing else before it is answered. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Client, type Workspace } from '../../../../test/builders/builders.ts'
import { dispatching } from '../../../../test/builders/dispatches.ts'
import { erase, identify } from '../../../../test/builders/people.ts'
import { addPeople, openEmail } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { ctx, workspace, operator, anyone, advance } = await startApp({
  CF_WEBHOOK_ALLOW_PRIVATE: 'on',
  CF_PUBLIC_URL: 'https://flow.example',
})

const { campaignOf, start, report } = dispatching({ ctx, operator })

async function guarded(name = 'Shop') {
  const ws = await workspace({ name })
  expectStatus(await ws.admin.put('/settings/protections', { protections: { confirmEmails: true } }), 200)
  const email = await openEmail()
  await email.connect(ws.admin)
  return { ws, email, dispatch: async () => expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200) }
}
const agree = async (app: Client, deviceId: string) =>
  expectStatus(await app.post('/consent', { deviceId, channels: { email: true } }), 200)
const send = async (ws: Workspace, userId: string) =>
  (await ws.admin.post('/notifications', { userId, channel: 'email', content: { body: 'x' } })).data
const linkIn = (mail: { html: string }) =>
  /href="https:\/\/flow\.example(\/api\/v1\/confirm-email\/[\w-]+)"/.exec(mail.html)?.[1] ?? assert.fail(mail.html)

test('one question in fixed words, whoever names the address and however often; then mail goes there, and the ledger says since when', async () => {
  const { ws, email, dispatch } = await guarded()
  await identify(ws.app, 'D', 'U', { email: 'u@example.com', name: 'visit evil' })
  await dispatch()
  assert.equal(email.mails().length, 0, 'nobody said that they agreed to mail')
  await agree(ws.app, 'D')
  await identify(ws.app, 'D', 'U', { email: 'u@example.com', name: 'visit evil' })
  await identify(ws.app, 'E', 'V', { email: 'u@example.com', name: 'visit evil' })
  await agree(ws.app, 'E')
  await dispatch()
  await dispatch()
  const [mail, ...others] = email.mails()
  assert.deepEqual([others.length, mail.to[0], mail.subject], [0, 'u@example.com', 'Do you want mail from Shop?'])
  assert.ok(!JSON.stringify(mail).includes('evil') && !JSON.stringify(mail).includes(ws.id))
  for (const userId of ['U', 'V']) assert.deepEqual(await send(ws, userId), { sent: false, reason: 'emailNotConfirmed' })

  const path = linkIn(mail)
  const page = await anyone.get(path, { headers: { 'accept-language': 'ar' } })
  assert.deepEqual([page.status, /dir="rtl".*تأكيد العنوان<\/button>/s.test(page.text)], [200, true])
  assert.deepEqual(await send(ws, 'U'), { sent: false, reason: 'emailNotConfirmed' }, 'to look confirms nothing')
  for (let n = 0; n < 2; n++) assert.equal((await anyone.post(path)).status, 200)
  for (const userId of ['U', 'V']) assert.deepEqual(await send(ws, userId), { sent: true })
  for (const wrong of [`${path}x`, path.replace('confirm-email', 'unsubscribe')]) assert.equal((await anyone.post(wrong)).status, 404)
  for (const userId of ['U', 'V']) {
    const { consents } = expectStatus(await ws.admin.get(`/users/${userId}/consents`), 200).data
    assert.deepEqual(
      consents.flatMap((each: any) => (each.source === 'confirm_email' ? [[each.channel, each.oldValue, each.newValue, each.keyId]] : [])),
      [['emailConfirmed', null, true, 'person']],
    )
  }
})

test('addresses of servers need no answer; another address by the app does; with the switch off nobody is asked', async () => {
  const { ws, email, dispatch } = await guarded()
  await addPeople(ws, ['L'])
  assert.deepEqual(await send(ws, 'L'), { sent: true })
  await identify(ws.app, 'D', 'L', { email: 'l@example.com' })
  assert.deepEqual(await send(ws, 'L'), { sent: true }, 'what an app says again is no news')
  await identify(ws.app, 'D', 'L', { email: 'other@example.com' })
  assert.deepEqual(await send(ws, 'L'), { sent: false, reason: 'emailNotConfirmed' })
  await dispatch()
  assert.equal(email.mails().at(-1).to[0], 'other@example.com')
  expectStatus(await ws.admin.put('/settings/protections', { protections: { confirmEmails: false } }), 200)
  assert.deepEqual(await send(ws, 'L'), { sent: true })
  const before = email.mails().length
  await identify(ws.app, 'E', 'M', { email: 'm@example.com' })
  await agree(ws.app, 'E')
  await dispatch()
  assert.equal(email.mails().length, before)
})

test('a preview and the report of a campaign say why; the limit of first messages counts questions too', async () => {
  const { ws, email, dispatch } = await guarded()
  expectStatus(await ws.admin.put('/settings/first-messages', { perHour: 1 }), 200)
  for (const userId of ['A', 'B']) {
    await identify(ws.app, userId, userId, { email: `${userId}@example.com` })
    await agree(ws.app, userId)
  }
  await dispatch()
  assert.equal(email.mails().length, 1)
  const content = { en: { title: 'Sale', body: 'Now' } }
  const preview = expectStatus(
    await ws.admin.post('/campaigns', { name: 'n', type: 'promotion', content, segments: ['All users'], dispatchChannels: ['email'] }),
    201,
  ).data
  const counted = expectStatus(await ws.admin.post(`/campaigns/${preview.id}/preview`, {}), 200).data
  assert.deepEqual(counted.channels.email.skipped, { emailNotConfirmed: 2 })
  const campaign = campaignOf({ channels: ['email'] })
  await start(ws, campaign)
  assert.deepEqual((await report(ws, campaign)).channels['email']?.skipped, { emailNotConfirmed: 2 })
  await advance(3_600)
  await dispatch()
  assert.equal(email.mails().length, 2)
})

test('an erasure takes the question and its answer along', async () => {
  const { ws, dispatch } = await guarded()
  await identify(ws.app, 'D', 'U', { email: 'u@example.com' })
  await agree(ws.app, 'D')
  await dispatch()
  const rows = () => ctx.db.selectFrom('email_confirmations').select('asked_at').where('workspace_id', '=', ws.id).execute()
  assert.equal((await rows()).length, 1)
  expectStatus(await erase(ws.app, 'D'), 200)
  assert.deepEqual(await rows(), [])
})

test('who was somebody anonymous when they were asked is not asked again when they sign in', async () => {
  const { ws, email, dispatch } = await guarded()
  await identify(ws.app, 'D', undefined, { email: 'u@example.com' })
  await agree(ws.app, 'D')
  await dispatch()
  await identify(ws.app, 'D', 'U')
  await dispatch()
  assert.equal(email.mails().length, 1)
  assert.equal((await anyone.post(linkIn(email.mails()[0]))).status, 200)
  assert.deepEqual(await send(ws, 'U'), { sent: true })
})
