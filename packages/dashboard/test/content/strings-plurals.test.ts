/** Plurals as translators write them, and what becomes of texts whose placeholders are broken. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { expectStatus, openDashboard } from '../support/browser.ts'

const dashboard = await openDashboard({ isDemo: false })
const { page, goto, admin, ws, expectPresentable, slow } = dashboard

const warnings: string[] = []
page.on('console', (message) => {
  if (message.type() === 'warning') warnings.push(message.text())
})
after(() => assert.deepEqual(warnings, [], 'a page of texts warned in its console'))

for (const code of ['ar', 'fr']) expectStatus(await admin.post('/locales', { code }), 201)

const button = (name: string, at: Page | Locator = page) => at.getByRole('button', { name, exact: true })
const field = (name: string, at: Page | Locator = page) => at.getByRole('textbox', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const said = (text: string | RegExp, at: Page | Locator = page) => at.getByText(text).first().waitFor()
const make = async (key: string, sourceText: string) => expectStatus(await admin.post('/strings', { key, sourceText }), 201)
const save = async (key: string, locale: string, text: string) =>
  expectStatus(await admin.put(`/strings/${key}/translations/${locale}`, { text }), 200)
const textOf = async (key: string, locale: string) => expectStatus(await admin.get(`/strings/${key}`), 200).data.translations[locale].text
const openPanel = async (key: string) => {
  await page.goto(`${dashboard.url}/w/${ws.id}/strings?key=${key}&locales=ar`)
  await dialog().getByRole('region', { name: 'Visibility' }).waitFor()
}

const ORDERS = '{n, plural, one {# order} other {# orders}}'
const ARABIC = '{n, plural, zero {لا طلبات} one {طلب واحد} two {طلبان} few {# طلبات} many {# طلبًا} other {# طلب}}'

test('G-39 a plural is read and written form by form, six of them in Arabic, each with a number', async () => {
  await make('orders', ORDERS)
  await make('bare', '{n} things')
  await save('orders', 'ar', ARABIC)
  await goto('/strings?locales=ar')
  await said('Few, like 3')
  await said('لا طلبات')
  assert.equal(await page.getByText('{n, plural').count(), 0)
  await expectPresentable('strings-plural-table')

  await page.getByRole('row').filter({ hasText: 'orders' }).getByRole('gridcell').last().dblclick()
  await page.getByRole('group', { name: 'orders in Arabic' }).waitFor()
  for (const [name, text] of [
    ['Zero, like 0', 'لا طلبات'],
    ['One, like 1', 'طلب واحد'],
    ['Two, like 2', 'طلبان'],
    ['Few, like 3', '# طلبات'],
    ['Many, like 11', '# طلبًا'],
    ['Other, like 100', '# طلب'],
  ] as const)
    assert.equal(await field(name).inputValue(), text)
  assert.equal(await field('Two, like 2').evaluate((area) => getComputedStyle(area).direction), 'rtl')
  await field('Two, like 2').fill('{')
  await said(/Broken:/)
  await field('Two, like 2').fill('طلبان اثنان')
  await expectPresentable('strings-plural-cell')
  await field('Two, like 2').press('Enter')
  await field('Two, like 2').waitFor({ state: 'detached' })
  assert.equal(await textOf('orders', 'ar'), ARABIC.replace('طلبان', 'طلبان اثنان'))
})

test('G-39 a missing translation of a plural begins with the forms of its language, and a plain text can be made a plural', async () => {
  await openPanel('bare')
  await button('Translate bare to Arabic', dialog()).click()
  await field('bare in Arabic').fill('{n} أشياء')
  await dialog().getByText('Use plural forms').last().click()
  await field('One, like 1', dialog()).fill('شيء واحد')
  await field('Other, like 100', dialog()).fill('')
  await said("Numbers without a form of their own take this text, so it can't be empty.")
  await button('Save for review', dialog()).click()
  await field('Other, like 100', dialog()).fill('# شيء')
  await expectPresentable('strings-plural-panel')
  await dialog().getByRole('switch', { name: 'ICU text' }).last().click({ force: true })
  const raw = field('bare in Arabic')
  assert.equal(await raw.evaluate((area) => getComputedStyle(area).direction), 'ltr')
  assert.match(await raw.inputValue(), /^\{n, plural, zero \{\{n\} أشياء\} one \{شيء واحد\}/)
  await raw.press('Enter')
  await raw.waitFor({ state: 'detached' })
  assert.match(await textOf('bare', 'ar'), /other \{# شيء\}\}$/)

  await openPanel('orders')
  await button('Translate orders to French', dialog()).click()
  await dialog().getByText('Use plural forms').click()
  const french = dialog().getByRole('group', { name: 'orders in French' })
  await field('One, like 1', french).fill('# commande')
  await field('Other, like 2', french).fill('# commandes')
  await button('Approve', dialog()).last().click()
  await french.waitFor({ state: 'detached' })
  assert.equal(await textOf('orders', 'fr'), '{n, plural, one {# commande} other {# commandes}}')
})

test('G-40 an import shows which translations wait for review because of their placeholders, and plurals form by form', async () => {
  await goto('/strings/import')
  const rows = ['key,en,ar', 'hi,Hi {name},أهلا', `more,"${ORDERS}","${ARABIC}"`, 'lost,,x']
  await page.locator('input[type=file]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
  await button('Preview changes').click()
  await said('One translation needs review after the import')
  await said('Many, like 11')
  await said(/Broken: .*\{name\}.* from the source text is missing/)
  await expectPresentable('strings-import-placeholders')
  await page.getByRole('tab', { name: 'Placeholders 1' }).click()
  await page.getByRole('table', { name: 'Placeholders' }).getByText('hi', { exact: true }).waitFor()
  await expectPresentable('strings-import-placeholders-tab')
  await button('Import').click()
  await said('Drop a CSV file here')
  const { strings, withheldKeys } = expectStatus(await ws.app.get('/strings?locale=ar'), 200).data
  assert.deepEqual([strings.hi, withheldKeys.includes('hi')], ['Hi {name}', true])
})

test('G-40 a file of rejected rows is not called known', async () => {
  await goto('/strings/import')
  const choose = async (rows: string[]) => {
    await page.locator('input[type=file]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
    await button('Preview changes').click()
  }
  await choose(['key,en,ar', 'lost,,x', ',y,'])
  await said('Every row was rejected, so there is nothing to import.')
  await button('Cancel import').click()
  await choose(['key,en,ar', 'hi,Hi {name},', 'lost,,x'])
  await said('One row was rejected. The others are already imported.')
  assert.equal(await page.getByText('Everything in this file is already imported.').count(), 0)
  await button('Cancel import').click()
  await said('Drop a CSV file here')
})

/** Two clicks before the page can draw anything between them. */
const clickTwice = (at: Locator) =>
  at.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })

test('G-39 a double click on save or approve sends one request', async () => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(`${request.method()} ${new URL(request.url()).pathname.split('/strings/')[1]}`)
  })
  await make('twice', 'Twice')
  await openPanel('twice')
  await button('Translate twice to Arabic', dialog()).click()
  await field('twice in Arabic').fill('مرتان')
  await slow(300)
  const save = button('Save for review', dialog())
  await clickTwice(save)
  await save.waitFor({ state: 'detached' })
  await clickTwice(button('Approve twice in Arabic', dialog()))
  await button('Approve twice in Arabic', dialog()).waitFor({ state: 'detached' })
  await field('Description', dialog()).fill('Of a counter')
  await clickTwice(button('Save', dialog()))
  await button('Save', dialog()).waitFor({ state: 'detached' })
  await slow(0)
  assert.deepEqual(sent, ['PUT twice/translations/ar', 'POST twice/translations/ar/approve', 'PUT twice'])
})
