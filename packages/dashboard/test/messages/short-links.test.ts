/** Short links of text messages in the composer: the parts are counted with the link as it will be, and the switch is saved. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, expectPresentable } = await openDashboard({ isDemo: false, env: { CF_PUBLIC_URL: 'https://flow.example' } })

const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const preview = page.getByRole('region', { name: 'Preview', exact: true })

test('a long link takes two parts, a short one takes one, and the campaign says that it is shortened', async () => {
  await goto('/campaigns/new')
  await field('Name').fill('Offers')
  await page.getByRole('group', { name: 'Channels' }).getByText(/^SMS/).click()
  await field('Text').fill('Every dress is a fifth off until Saturday.')
  await field('Button link').fill(`https://shop.example/offers?from=sms&campaign=${'spring-'.repeat(16)}2027`)
  await preview.getByText('2 parts').first().waitFor()
  await page.getByLabel('Shorten the link in text messages').check()
  await preview.getByText('1 part', { exact: true }).waitFor()
  await preview.getByText(/https:\/\/flow\.example\/s\/\w{4}\/\w{7}/).waitFor()
  await preview.getByText(/Counted with the short link/).waitFor()
  await field('Text').fill('كل فستان بخصم الخمس حتى السبت')
  await preview.getByText(/needs UCS-2\./).waitFor()
  await expectPresentable('campaigns-short-link')
  await page.getByRole('button', { name: 'Save draft', exact: true }).click()
  await page.waitForURL(/\/campaigns\/(?!new)/)
  const { campaigns } = expectStatus(await admin.get('/campaigns'), 200).data
  const [saved] = campaigns as { content: { [locale: string]: { shorten?: boolean } } }[]
  assert.ok(saved)
  assert.deepEqual(
    Object.values(saved.content).map(({ shorten }) => shorten),
    [true],
  )
})
