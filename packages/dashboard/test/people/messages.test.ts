/** What was sent to somebody, on their page. */
import { test } from 'node:test'
import { addPeople, openEmail } from '../../../server/test/builders/sends.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { app, ws, page, admin, goto, inArabic, inEnglish, expectPresentable } = await openDashboard({
  isDemo: false,
})

const email = await openEmail()
await email.connect(admin)
await addPeople(ws, ['sara'])
const send = async (channel: string, title: string) =>
  expectStatus(await admin.post('/notifications', { userId: 'sara', channel, content: { title, body: 'x' } }), 200)

test("a person's messages say what became of each, and why not, in English and Arabic", async () => {
  await goto('/people/sara?tab=messages')
  await page.getByText('No messages yet').waitFor()
  await send('email', 'Your order')
  email.next.push({ status: 422, body: { name: 'validation_error', message: 'The domain is not verified' } })
  await send('email', 'Your invoice')
  await send('email', 'Hello {{customAttributes.pet}}')
  expectStatus(await admin.put('/users/sara/opt-out', { optedOut: true }), 200)
  await send('email', 'Too late')
  await goto('/people/sara?tab=messages')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await row('Your order').getByText('Sent').waitFor()
  await row('Your invoice').getByText('The domain is not verified').waitFor()
  await row('Hello').getByText('Empty placeholder: no value for this person').waitFor()
  await row('Too late').getByText('Opted out of all messages').waitFor()
  await expectPresentable('messages-of-person')
  await inArabic()
  await page.getByRole('tab', { name: 'الرسائل' }).waitFor()
  await row('Your order').getByText('أُرسلت').waitFor()
  await inEnglish()
})

test('what a person answered to text messages stands beneath, with what it did; of others there is nothing', async () => {
  await goto('/people/sara?tab=messages')
  await page.getByText('Your order').waitFor()
  if (await page.getByRole('heading', { name: 'Replies' }).isVisible()) throw new Error('nobody answered yet')
  const { id: profile_id } = await app.ctx.db
    .selectFrom('profiles')
    .select('id')
    .where('workspace_id', '=', ws.id)
    .where('user_id', '=', 'sara')
    .executeTakeFirstOrThrow()
  const reply = { workspace_id: ws.id, profile_id, channel_id: 'c', channel: 'sms' as const, at: app.ctx.clock.now() }
  const replies = [
    { ...reply, id: 'r1', body: 'متى تفتحون غدًا؟' },
    { ...reply, id: 'r2', body: 'STOP', keyword: 'stop' as const },
  ]
  await app.ctx.db.insertInto('inbound_messages').values(replies).execute()
  await goto('/people/sara?tab=messages')
  const row = (name: string) => page.getByRole('table', { name: 'Replies' }).getByRole('row').filter({ hasText: name })
  await row('STOP').getByText('Left this channel').waitFor()
  await row('متى تفتحون غدًا؟').getByText('Text message').waitFor()
  await expectPresentable('replies-of-person')
})
