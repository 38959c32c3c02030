/** Files of texts, and languages, as a translator uses them. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { expectStatus, openDashboard } from '../support/browser.ts'

const dashboard = await openDashboard()
const { page, goto, admin, ws, expectPresentable, expectAccessible, shot } = dashboard

expectStatus(await admin.post('/locales', { code: 'fr' }), 201)

const button = (name: string, at: Page | Locator = page) => at.getByRole('button', { name, exact: true })
const dialog = (at: Page = page) => at.getByRole('dialog')
const said = (text: string | RegExp, at: Page = page) => at.getByText(text).first().waitFor()
const pressed = (key: string) => page.keyboard.press(key)

const save = async (key: string, locale: string, text: string) =>
  expectStatus(await admin.put(`/strings/${key}/translations/${locale}`, { text }), 200)
const stored = async (key: string) => expectStatus(await admin.get(`/strings/${key}`), 200).data
const delivered = async (key: string, locale = 'ar') => expectStatus(await ws.app.get(`/strings?locale=${locale}`), 200).data.strings[key]

const csv = (rows: string[]) => ({ name: 'Übersetzung.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) })
const chooseFile = (rows: string[]) => page.locator('input[type=file]').setInputFiles(csv(rows))

test('M-STRS-36 M-STRS-37 M-STRS-41 M-STRS-42 an import: what the file is, what it would do, found again, cancelled, applied', async () => {
  await goto('/strings/import')
  await chooseFile(['code;en', 'a;A'])
  await said('Choose the column with the keys.')
  assert.equal(await button('Preview changes').isDisabled(), true)
  const many = Array.from({ length: 60 }, (_, index) => `bulk.${index};shop;Text ${index};نص ${index};Texto`)
  await chooseFile(['key;namespace;en;ar;es', ...many, ';;no key;;', 'app.tab.bag;;Your bag;;'])
  await said(/^62 rows .* separated by semicolons$/)
  await said('The column es is ignored.')
  await shot('strings-import-file')
  await button('Preview changes').click()
  await button('Cancel import').waitFor()
  assert.equal(await delivered('bulk.1'), undefined, 'nothing is written yet')

  // Somebody leaves and comes back, and somebody else looks.
  await goto('')
  await goto('/strings/import')
  await said('Übersetzung.csv')
  await expectPresentable('strings-import-pending')
  await button('Show more').click()
  await said('New source text: its translations go to review.')
  await page.getByRole('tab', { name: 'Rejected 1' }).click()
  await said('The row has no key.')
  await button('Cancel import').click()
  await said('Drop a CSV file here')

  await chooseFile(['key;namespace;en;ar;es', ...many, 'app.tab.bag;;Your bag;;'])
  await button('Preview changes').click()
  await button('Import').click()
  await said(/61 rows imported/)
  await said('Drop a CSV file here')
  assert.equal(await delivered('bulk.1'), 'نص 1')
  assert.equal(await delivered('app.tab.bag'), 'Your bag')
  assert.equal((await stored('app.tab.bag')).translations.ar.status, 'review')
  await page.getByRole('table', { name: 'Earlier imports' }).getByText('Cancelled').waitFor()
})

test('G-40 columns are mapped by hand, suggested by their names, and remembered for the next file', async () => {
  await goto('/strings/import')
  const rows = ['Code;Owner;Deutsch?;English;Arabic', '', 'mapped.one;me;x;One;واحد', 'mapped.two;;;Two;اثنان', ';;;Three;']
  await chooseFile(rows)
  const column = (name: string) => page.getByRole('combobox', { name: `${name} maps to` })
  assert.equal(await column('English').inputValue(), 'source')
  assert.equal(await column('Arabic').inputValue(), 'locale:ar')
  assert.equal(await column('Code').inputValue(), 'ignored')
  await said('mapped.one')
  await expectPresentable('strings-import-columns')
  await column('Code').selectOption('Key')
  await column('Owner').selectOption('Description')
  // A target is of one column: the one that had it is left out.
  await column('Deutsch?').selectOption('Translation: Arabic')
  assert.equal(await column('Arabic').inputValue(), 'ignored')
  await column('Arabic').selectOption('Translation: Arabic')
  await button('Preview changes').click()
  await page.getByRole('tab', { name: 'Rejected 1' }).click()
  assert.deepEqual(
    await page.getByRole('tabpanel').getByRole('row').last().getByRole('cell').first().textContent(),
    '5',
    'lines are those of the file',
  )
  await button('Import').click()
  await said('Drop a CSV file here')
  assert.equal(await delivered('mapped.one'), 'واحد')
  assert.deepEqual((({ sourceText, description }) => [sourceText, description])(await stored('mapped.one')), ['One', 'me'])

  await page.reload()
  await chooseFile(rows)
  for (const [name, target] of [
    ['Code', 'key'],
    ['Owner', 'description'],
    ['Deutsch?', 'ignored'],
    ['English', 'source'],
  ] as const)
    assert.equal(await column(name).inputValue(), target)
})

test('an export holds what its filters say', async () => {
  await goto('/strings')
  await button('File').click()
  await page.getByRole('menuitem', { name: 'Export a file' }).click()
  await dialog()
    .getByRole('combobox', { name: 'Namespace' })
    .or(dialog().getByRole('textbox', { name: 'Namespace' }))
    .click()
  await page.getByRole('option', { name: /^checkout / }).click()
  await expectAccessible()
  const [download] = await Promise.all([page.waitForEvent('download'), button('Download', dialog()).click()])
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  assert.equal(download.suggestedFilename(), 'strings.csv')
  assert.match(lines[0] ?? '', /^key,namespace,description,sourceText,ar,fr$/)
  assert.ok(lines.length > 5 && lines.slice(1).every((line) => line.includes(',checkout,')))
})

test('languages: added by code, made the source, removed with what is lost told', async () => {
  await goto('/strings/languages')
  await button('Add language').click()
  const field = dialog()
    .getByRole('combobox', { name: 'Language' })
    .or(dialog().getByRole('textbox', { name: 'Language' }))
  await field.fill('AR')
  await said('This workspace already has this language.')
  assert.equal(await button('Add', dialog()).isDisabled(), true)
  await field.fill('ur')
  await dialog().getByRole('switch', { name: 'Written from right to left', checked: true }).waitFor()
  await pressed('Escape')
  await expectAccessible()
  if (!(await dialog().isVisible())) {
    await button('Add language').click()
    await field.fill('ur')
  }
  await button('Add', dialog()).click()
  await said('Urdu added')
  await save('app.name', 'ur', 'سوق لین')
  await page.reload()
  await button('Actions for Urdu').click()
  await page.getByRole('menuitem', { name: 'Remove language' }).click()
  await said('1 translation is deleted.')
  await dialog().getByRole('textbox').fill('ur')
  await button('Remove language', dialog()).click()
  await said('Urdu removed')
  const { data } = expectStatus(await admin.get('/locales'), 200)
  assert.deepEqual(data.locales.map(({ code }: { code: string }) => code).sort(), ['ar', 'en', 'fr'])
})
