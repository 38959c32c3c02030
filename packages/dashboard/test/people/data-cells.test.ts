/** Cells of files as people write them: dates, phone numbers, separators. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { users, valuesOf } from '../../../server/test/builders/imports.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, ws, expectPresentable } = await openDashboard({ isDemo: false })

const button = (name: string) => page.getByRole('button', { name, exact: true })
const said = (text: string | RegExp) => page.getByText(text).first().waitFor()
const choose = (name: string, content: string) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
/** The head of the page has these words, too. */
const isTried = () => page.getByRole('heading', { name: 'What would happen' }).waitFor()
const importId = () => new URL(page.url()).searchParams.get('import') ?? ''
const held = async (id: string) => expectStatus(await admin.get(`/enrichment/imports/${id}`), 200).data

await users(ws, 'omar', 'huda')

test('dates, phone numbers and identifiers as people write them are asked for and converted; from the dry run one goes back to the columns', async () => {
  expectStatus(await admin.post('/users/bulk/contacts', { contacts: [{ userId: 'omar', phone: '+966501234567' }] }), 200)
  await goto('/data/import')
  await choose(
    'members.csv',
    'sep=;\nMobile;Member no;Joined;Born\n0501234567;omar;03/04/2024;1410-09-01\n9.66E+11;huda;05/06/2024;1411-01-30\n',
  )
  const identifier = page.getByLabel('Column that identifies people')
  assert.equal(await identifier.inputValue(), 'Member no')
  await identifier.selectOption('Mobile')
  assert.equal(await page.getByLabel('What it holds').inputValue(), 'phone', 'the kind follows the column')
  await said(/^One value of Mobile was shortened by Excel, such as 9.66E\+11/)
  await page.getByRole('checkbox', { name: 'Import Joined', exact: true }).check()
  await page.getByRole('checkbox', { name: 'Import Born', exact: true }).check()
  await said('Say how the dates are written.')
  assert.equal(await button('Send and check').isDisabled(), true)
  await page.getByLabel('How dates of Joined are written').selectOption('Month, day, year (12/31/2026)')
  await said('03/04/2024 is read as 4 Mar 2024.')
  await said('1410-09-01 is read as 28 Mar 1990.')
  await page.getByLabel('Country code').fill('+966')
  await said('0501234567 is sent as +966501234567.')
  await expectPresentable('data-import-dates')
  await button('Send and check').click()
  await isTried()
  await said('One row matches a person: 100% of the valid rows.')
  const first = importId()
  await expectPresentable('data-import-dates-tried')
  await button('Change the columns').click()
  await page.getByLabel('How dates of Joined are written').selectOption('Day, month, year (31/12/2026)')
  await said('03/04/2024 is read as 3 Apr 2024.')
  assert.equal((await held(first)).status, 'cancelled')
  await button('Send and check').click()
  await isTried()
  await button('Import for one person').click()
  await said('One person has 2 new values.')
  const { joined, born } = await valuesOf(ws, 'omar')
  assert.deepEqual([joined, born], ['2024-04-03', '1990-03-28'])
})
