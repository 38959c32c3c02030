/** Data of other systems, as a marketer brings it in and an admin takes it back. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { create } from '../../../server/test/builders/campaigns.ts'
import { load, membersOf, segment, upload, users, valuesOf } from '../../../server/test/builders/imports.ts'
import { inTime, pause } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'
import { zip } from '../support/zip.ts'

const dashboard = await openDashboard({ isDemo: false })
const { page, goto, admin, ws, openAs, expectPresentable, expectAccessible, shot, inArabic, inEnglish } = dashboard

const button = (name: string | RegExp, at: Page | Locator = page) => at.getByRole('button', { name, exact: typeof name === 'string' })
const said = (text: string | RegExp, at: Page | Locator = page) => at.getByText(text).first().waitFor()
const dialog = (at: Page = page) => at.getByRole('dialog')
const choose = (name: string, content: string | Uint8Array, at: Page = page) =>
  at.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
/** The head of the page has these words, too. */
const isTried = () => page.getByRole('heading', { name: 'What would happen' }).waitFor()
const importId = () => new URL(page.url()).searchParams.get('import') ?? ''
const held = async (id: string) => expectStatus(await admin.get(`/enrichment/imports/${id}`), 200).data
const listed = async () => expectStatus(await admin.get('/enrichment/imports'), 200).data.imports.length

const LOYALTY = [
  'Customer ID;Tier;Points;Email;note',
  'sara;gold;1,200;sara@example.com;"two\nlines"',
  'omar;silver;x;;=1+1',
  'nobody;gold;5;;',
  ';gold;1;;',
  'sara;gold;1,300;s@x.io;',
].join('\n')

await users(ws, 'sara', 'omar', 'huda')

test('M-ENR-61 a file is looked at, tried, imported, and its values are seen on the person', async () => {
  const gold = await segment(ws, 'Gold', 'enrichment.tier', 'equals', 'gold')
  await create(admin, { name: 'For Gold', segments: ['Gold'] })
  await goto('/data')
  await said('No imports yet')
  await expectPresentable('data-empty')
  await page.getByRole('link', { name: 'Import a file' }).first().click()
  await choose('tiers.csv', LOYALTY)
  await said('5 rows')
  assert.equal(await page.getByLabel('Separator').inputValue(), ';')
  assert.equal(await page.getByLabel('Column that identifies people').inputValue(), 'Customer ID')
  assert.equal(await page.getByRole('checkbox', { name: 'Import Email', exact: true }).isChecked(), false, 'personal data is not ticked')
  await page.getByLabel('Type of Points').selectOption('Number')
  await page.getByLabel('Attribute of Tier').fill('tier.')
  await said('Correct the names of the attributes.')
  assert.equal(await button('Send and check').isDisabled(), true)
  await page.getByLabel('Attribute of Tier').fill('tier')
  await page.getByLabel('Save the mapping as').fill('Loyalty file')
  await expectPresentable('data-import-columns')

  await button('Send and check').click()
  await isTried()
  assert.deepEqual((await held(importId())).headers, ['Customer ID', 'Tier', 'Points', 'note'], 'what is not imported stays in the browser')
  await said('One row matches a person: 50% of the valid rows.')
  await said('The value of points is not a number such as 1,250.5.')
  await page.getByRole('list', { name: 'Audiences that may change' }).getByRole('link', { name: 'campaign “For Gold”' }).waitFor()
  await expectPresentable('data-import-dry-run')
  const [download] = await Promise.all([page.waitForEvent('download'), button('Download rejected rows').click()])
  assert.equal(download.suggestedFilename(), 'tiers-rejected.csv')
  assert.deepEqual((await readFile(await download.path(), 'utf8')).split('\r\n').slice(0, 3), [
    '\ufeffRow,Reason,Customer ID,Tier,Points,Email,note',
    '1,A later row is about the same person and is used.,sara,gold,"1,200",sara@example.com,"two\nlines"',
    '2,"The value of points is not a number such as 1,250.5.",omar,silver,x,,\'=1+1',
  ])

  await page.getByRole('checkbox', { name: 'Create the missing person' }).check()
  await button('Import for 2 people').click()
  await said('2 people have 4 new values.')
  await shot('data-import-done')
  assert.equal((await valuesOf(ws, 'sara'))['points'], 1300)
  assert.deepEqual(await membersOf(ws, gold), ['nobody', 'sara'])
  await goto('/people/sara')
  const imported = page.getByRole('region', { name: 'Imported attributes' }).first()
  await said('1,300', imported)
  await said('In effect', imported)
})

test('M-ENR-86 M-PRIO-02 the person says which value lost to which; rolling back brings it back', async () => {
  await load(admin, [['sara', 'platinum']], { names: { tier: 'string' }, more: {}, mapping: fromCrm() })
  await goto('/people/sara')
  const imported = page.getByRole('table', { name: 'Imported attributes' })
  const rowOf = (text: string) => imported.getByRole('row').filter({ hasText: text })
  await said('In effect', rowOf('platinum'))
  await said('CRM has priority.', rowOf('gold'))
  await expectPresentable('data-person')
  await rowOf('platinum').getByRole('link', { name: 'people.csv' }).click()
  await said('CRM (File)', dialog())
  await expectAccessible()
  await shot('data-upload')
  await page.keyboard.press('Escape')
  await dialog().waitFor({ state: 'detached' })
  await expectPresentable('data-history')
  await button('Actions for people.csv').click()
  await page.getByRole('menuitem', { name: 'Roll back' }).click()
  await said(/^What it wrote about one person is removed/, dialog())
  await expectAccessible()
  await shot('data-roll-back')
  await button('Roll back', dialog()).click()
  await said('Import rolled back')
  await said('Rolled back', page.getByRole('row').filter({ hasText: 'people.csv' }))
  assert.equal((await valuesOf(ws, 'sara'))['tier'], 'gold')
})

const fromCrm = () => ({
  source: 'crm_webhook',
  identity: { column: 'id', type: 'userId' },
  columns: [{ column: 'tier', name: 'tier', type: 'string' }],
})

test('an Arabic Excel file is read as it is meant, in Arabic', async () => {
  // «المعرف;الفئة» and «huda;ذهبي» in Windows-1256.
  const content = Uint8Array.from([
    0xc7, 0xe1, 0xe3, 0xda, 0xd1, 0xdd, 0x3b, 0xc7, 0xe1, 0xdd, 0xc6, 0xc9, 0x0d, 0x0a, 0x68, 0x75, 0x64, 0x61, 0x3b, 0xd0, 0xe5, 0xc8,
    0xed,
  ])
  await goto('/data/import')
  await inArabic()
  await choose('عملاء.csv', content)
  await page.getByLabel('الترميز').waitFor()
  assert.equal(await page.getByLabel('الترميز').inputValue(), 'windows-1256')
  assert.equal(await page.getByLabel('سمة العمود الفئة').inputValue(), 'الفئة')
  await shot('data-import-arabic-390', { width: 390 })
  await button('إرسال وفحص').click()
  await said(/صف واحد يطابق شخصًا/)
  await button('استيراد لشخص واحد').click()
  await said('اكتمل الاستيراد')
  await shot('data-import-arabic-done')
  await inEnglish()
  assert.equal((await valuesOf(ws, 'huda'))['الفئة'], 'ذهبي')
})

test('M-SRC-03 M-SRC-04 an Excel workbook with a saved source; the source is renamed and deleted', async () => {
  await goto('/data/import')
  await choose(
    'june.xlsx',
    workbook([
      ['Customer ID', 'Tier', 'Points'],
      ['omar', 'gold', '7'],
    ]),
  )
  await said('1 row')
  await page.getByLabel('Saved source').selectOption('Loyalty file')
  await said('The file has no column note.')
  assert.equal(await page.getByLabel('Attribute of Tier').inputValue(), 'tier')
  await page.getByText('After days').click()
  await page.getByLabel('Days', { exact: true }).fill('0')
  await said('Enter a whole number of days from 1 to 3,650.')
  await page.getByLabel('Days', { exact: true }).fill('30')
  await button('Send and check').click()
  await button('Import for one person').click()
  await said('One person has 2 new values.')
  assert.equal((await valuesOf(ws, 'omar'))['points'], 7)

  await goto('/data?tab=sources')
  await said('Loyalty file')
  await expectPresentable('data-sources')
  await button('Actions for Loyalty file').click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Loyalty, monthly')
  await button('Rename', dialog()).click()
  await said('Source renamed')
  await button('Actions for Loyalty, monthly').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await button('Delete', dialog()).click()
  await said('No sources yet')
})

test('the times of an Excel workbook are those of the workspace, which is said; a mapping that was changed is not lost without a word', async () => {
  const calendar = { timeZone: 'Asia/Riyadh', firstDayOfWeek: 0, weekend: [5, 6], hijri: false }
  expectStatus(await admin.put('/settings/calendar', calendar), 200)
  await goto('/data/import')
  await choose(
    'visits.xlsx',
    workbook([['Customer ID', 'Renewal']], '<row><c t="inlineStr"><is><t>huda</t></is></c><c s="1"><v>45000.75</v></c></row>'),
  )
  await said('Dates with a time are read as Riyadh time, the time zone of the workspace, and stored in UTC.')
  await shot('data-import-times')
  await page.getByLabel('Attribute of Renewal').fill('renewed_at')
  await page.getByRole('link', { name: 'Home' }).click()
  await said('Leave without saving?')
  await button('Stay', dialog()).click()
  assert.equal(await page.getByLabel('Attribute of Renewal').inputValue(), 'renewed_at')
  await button('Send and check').click()
  await button('Import for one person').click()
  await said('One person has 1 new values.')
  assert.equal((await valuesOf(ws, 'huda'))['renewed_at'], '2023-03-15T15:00:00.000Z')
  // Once it is sent nothing is lost by leaving.
  await page.getByRole('link', { name: 'Home' }).click()
  await page.waitForURL(/\/w\/\w+$/)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Import a file')
  await page.getByRole('dialog').getByText('Import a file').first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/data\/import$/)
})

test('whose values an order would change is seen before it is saved', async () => {
  for (const [source, city] of [
    ['crm_webhook', 'Riyadh'],
    ['csv_upload', 'Jeddah'],
  ])
    await upload(admin, [{ userId: 'huda', attributes: { city } }], { source, sourceRef: `city of ${source}` })
  await goto('/data?tab=priorities')
  await button('Move File upload up').click()
  await button('See what would change').click()
  await said('0 people would have another value.')
  await button('Move File upload up').click()
  for (let i = 0; i < 2; i++) await page.keyboard.press('Enter')
  await said('File upload is now number 1 of 6.')
  await button('See what would change').click()
  await said('1 person would have another value.')
  await said('huda: city changes from Riyadh to Jeddah')
  await expectPresentable('data-priorities-preview')
  await button('Discard').click()
  await button('Discard').waitFor({ state: 'detached' })
})

test('M-PRIO-05 M-PRIO-09 the order of the sources is changed by buttons and by dragging, and set back', async () => {
  const priorities = async () => expectStatus(await admin.get('/enrichment/source-priorities'), 200).data.overrides
  await goto('/data?tab=priorities')
  await button('Move File upload up').click()
  await page.keyboard.press('Enter')
  await said('File upload is now number 3 of 6.')
  await expectPresentable('data-priorities')
  await button('Save order').click()
  await said('Order saved.')
  await button('Discard').waitFor({ state: 'detached' })
  assert.deepEqual(await priorities(), { csv_upload: 80, erp_sync: 70, manual_api: 50 })
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name }).getByTitle('Drag to move')
  const [from, to] = [await row('CRM').boundingBox(), await row('Loyalty programme').boundingBox()]
  assert.ok(from && to)
  await page.mouse.move(from.x + 5, from.y + 5)
  await page.mouse.down()
  await page.mouse.move(to.x + 5, to.y + 12, { steps: 8 })
  await page.mouse.up()
  await said('CRM is now number 2 of 6.')
  // A click that comes with the end of a drag belongs to the drag.
  await pause(100)
  await button('Restore the default order').click()
  await button('Restore the default order').waitFor({ state: 'detached' })
  await button('Save order').click()
  await button('Discard').waitFor({ state: 'detached' })
  assert.deepEqual(await priorities(), {})
})

test('a file over the limit is refused in words before anything is sent', async () => {
  const before = await listed()
  await goto('/data/import')
  await choose('long.csv', `id,tier\n${Array.from({ length: 200_001 }, (_, at) => `u${at},gold`).join('\n')}`)
  await said('Row 200,001 is over the limit of 200,000 rows in one import. Split the file. Nothing was sent.')
  await expectAccessible()
  await shot('data-import-too-long')
  assert.equal(await listed(), before)
})

const MANY = 60_000
const many = `id,tier\n${Array.from({ length: MANY }, (_, at) => `u${at},gold`).join('\n')}`

test('a large file is sent chunk by chunk; whoever leaves goes on behind the last row', async () => {
  const starts: number[] = []
  const held3 = Promise.withResolvers<void>()
  await page.route('**/rows', async (route) => {
    const { startRow } = route.request().postDataJSON() as { startRow: number }
    if (starts.length === 3) return held3.resolve()
    starts.push(startRow)
    await route.continue()
  })
  await goto('/data/import')
  await choose('many.csv', many)
  await button('Send and check').click()
  await inTime('three chunks', held3.promise)
  await said(/Sending rows: 6,000 of 60,000 rows/)
  await expectAccessible()
  // The page is closed in the middle, and opened again from the list.
  await goto('/data')
  await page.unrouteAll()
  const sent: number[] = []
  await page.route('**/rows', (route) => {
    sent.push((route.request().postDataJSON() as { startRow: number }).startRow)
    return route.continue()
  })
  await said('Rows on their way')
  await shot('data-unfinished')
  await page.getByRole('link', { name: 'many.csv' }).click()
  await said('6,000 of 60,000 rows have arrived.')
  await expectPresentable('data-import-resume')
  await choose('many.csv', `${many}\nu,silver`)
  await said('many.csv is another file')
  await watchProgress()
  await choose('many.csv', many)
  await isTried()
  assert.equal(page.workers().length, 1, 'the file is read beside the page')
  assert.deepEqual(starts, [1, 2_001, 4_001])
  assert.deepEqual(
    sent,
    Array.from({ length: 27 }, (_, at) => 6_001 + at * 2_000),
  )
  assert.equal((await held(importId())).counts.rows, MANY)
  const values = await page.evaluate(() => (window as unknown as { seen: number[] }).seen)
  assert.ok(values.length > 5 && values.every((value, at) => value >= (values[at - 1] ?? 0)), `the bar moves: ${values.join(' ')}`)
  await page.unrouteAll()
  await button('Cancel import').click()
  await said('Nothing was saved, and its rows were deleted.')
})

test('M-ENR-71 an import is cancelled while its rows are on their way', async () => {
  await page.route('**/rows', () => {})
  await goto('/data/import')
  await choose('few.csv', 'user_id,tier\nsara,x')
  await button('Send and check').click()
  await said('Sending rows: 0 of 1 row')
  await button('Cancel import').click()
  await said('Import cancelled')
  assert.equal((await held(importId())).status, 'cancelled')
  await page.unrouteAll()
  await button('Import another file').click()
  await said('Drop a CSV or Excel file here')
})

test('M-ENR-89 uploads through the API are run again by admins; editors import and do not roll back', async () => {
  await upload(admin, [
    { userId: 'omar', attributes: { city: 'Jeddah' } },
    { userId: '', attributes: { city: 'x' } },
  ])
  await goto('/data')
  await button('Actions for batch').click()
  await page.getByRole('menuitem', { name: 'Run again' }).click()
  await said('Upload written again')
  const editor = await openAs('editor')
  await editor.goto('/data')
  await said('API upload', editor.page)
  await editor.page.getByRole('link', { name: 'Import a file' }).first().waitFor()
  assert.equal(await editor.page.getByRole('button', { name: /^Actions for/ }).count(), 0)
  await editor.goto('/data?tab=priorities')
  await said('Admins can change the order.', editor.page)
  assert.equal(await button('Save order', editor.page).count(), 0)
})

test('a viewer looks, and imports nothing', async () => {
  const viewer = await openAs('viewer')
  await viewer.goto('/data')
  await said('tiers.csv', viewer.page)
  assert.equal(await viewer.page.getByRole('link', { name: 'Import a file' }).count(), 0)
  assert.equal(await viewer.page.getByRole('button', { name: /^Actions for/ }).count(), 0)
  await viewer.expectAccessible()
  await viewer.goto('/data/import')
  await said('Editors and admins import.', viewer.page)
  assert.equal(await viewer.page.locator('input[type=file]').count(), 0)
  await viewer.goto('/people/sara')
  await said('Traits', viewer.page)
  assert.equal(await viewer.page.getByText('Imported attributes').count(), 0)
})

/** Keeps every value that the bar has from now on. */
async function watchProgress(): Promise<void> {
  await page.evaluate(() => {
    const seen: number[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      const value = Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow') ?? Number.NaN)
      if (!Number.isNaN(value) && value !== seen.at(-1) && document.body.textContent.includes('Sending rows')) seen.push(value)
    }).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
}

/** One sheet of texts, and rows as they are. Style 1 is that of a date with a time. */
function workbook(rows: string[][], more = ''): Uint8Array {
  const cells = rows.map((row) => `<row>${row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`)
  return zip({
    'xl/workbook.xml': '<workbook><sheets><sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${cells.join('')}${more}</sheetData></worksheet>`,
    'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>',
  })
}
