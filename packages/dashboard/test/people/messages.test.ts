/** What was sent to somebody, on their page. */
import { test } from 'node:test'
import { addPeople, openEmail } from '../../../server/test/builders/sends.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { ws, page, admin, goto, inArabic, inEnglish, expectPresentable } = await openDashboard({
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
