/** The calendar of a workspace, in the settings and on every page that shows a time. The browser is in Riyadh. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, ws, expectPresentable, openAs, shot, inArabic, inEnglish } = await openDashboard()

await ws.block('promo')
const PATH = '/settings/calendar'
const read = async () => expectStatus(await admin.get(PATH), 200).data

async function scheduled(values: { startTime: string; endTime?: string }, isPublished: boolean, title: string): Promise<void> {
  const body = { title, values: { '#title': title }, schedule: values }
  const { id } = expectStatus(await admin.post('/blocks/promo/instances', body), 201).data
  if (isPublished) expectStatus(await admin.post(`/blocks/promo/instances/${id}/publish`, { target: 'live' }), 200)
}

test('G-83 an admin sets zone, weeks and Hijri dates; what fits where the browser is stands there to be saved', async () => {
  await goto('/settings/calendar')
  await page.getByText('Not set yet').waitFor()
  assert.match(await page.getByRole('combobox', { name: 'Time zone' }).inputValue(), /^Asia\/Riyadh · /)
  assert.equal(await page.getByRole('combobox', { name: 'First day of the week' }).inputValue(), 'Sunday')
  assert.equal(await page.getByRole('checkbox', { name: 'Friday' }).isChecked(), true)
  assert.equal(await page.getByRole('switch', { name: 'Hijri dates beside the Gregorian ones' }).isChecked(), true, 'as the zone suggests')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('new york')
  await page.getByRole('option', { name: /America\/New York/ }).click()
  await page.getByRole('combobox', { name: 'First day of the week' }).click()
  await page.getByRole('option', { name: 'Saturday' }).click()
  await page.getByRole('group', { name: 'Weekend' }).getByText('Sunday').click()
  await page.getByRole('switch', { name: 'Hijri dates beside the Gregorian ones' }).check({ force: true })
  await page.getByText(/Now it is .* New York time \(.*Riyadh time\) · \d+ .* AH/).waitFor()
  await expectPresentable('settings-calendar-changed')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Calendar saved').waitFor()
  assert.deepEqual(await read(), { timeZone: 'America/New_York', firstDayOfWeek: 6, weekend: [0, 5, 6], hijri: true, isSet: true })
})

test('G-83 the month goes by the workspace, with weekends and Hijri days; a draft gets no mark of a start', async () => {
  // 02:00 in Riyadh on the 11th is still the 10th in New York.
  await scheduled({ startTime: '2027-03-10T23:00:00.000Z' }, true, 'Evening sale')
  await scheduled({ startTime: '2027-03-18T12:00:00.000Z' }, false, 'Only an idea')
  await goto('/content?view=calendar&month=2027-03')
  const head = page.getByRole('columnheader')
  assert.equal(await head.first().innerText(), 'Sat')
  await page.getByText('Times in America/New_York').waitFor()
  const cell = (text: string) => page.getByRole('cell').filter({ hasText: text })
  await cell('Evening sale')
    .getByText(/Wed,? 10 Mar/)
    .waitFor({ state: 'attached' })
  await cell('Evening sale').getByText('18:00').waitFor()
  await cell('Evening sale').getByText('starts').waitFor({ state: 'attached' })
  await cell('Only an idea').getByText('draft', { exact: true }).waitFor({ state: 'attached' })
  assert.equal(await cell('Only an idea').getByText('starts').count(), 0)
  assert.equal(
    await page.locator('td[data-weekend]').count(),
    await page
      .getByRole('row')
      .count()
      .then((rows) => (rows - 1) * 3),
  )
  await page.getByText('Ramadan 1448').first().waitFor()
  await page.getByText('1 Shawwal').first().waitFor()
  await cell('Evening sale').getByText('Eid al-Fitr').waitFor()
  await expectPresentable('calendar-workspace')
})

test('G-83 where a date is picked, the Hijri day stands under each day and the Hijri date under the field', async () => {
  await goto('/data/import')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'tiers.csv', mimeType: 'text/csv', buffer: Buffer.from('id,tier\nsara,gold\n') })
  await page.getByText('On a date').click()
  await page.getByRole('button', { name: 'Moment', exact: true }).click()
  const calendar = page.locator('[data-dates-dropdown]').last()
  // «Wed 18 Nov · 8 Jumada II».
  const day = calendar.getByRole('button', { name: /^\w+,? 18 \w+ · \d+ \p{L}/u }).first()
  await day.waitFor()
  await shot('moment-field-hijri')
  const hijri = (await day.getAttribute('aria-label'))?.split(' · ')[1]?.split(' ')[0] ?? 'none'
  await day.click()
  await page.keyboard.press('Escape')
  await page.getByText(new RegExp(`^${hijri} .* AH$`)).waitFor()
  await inArabic()
  await page.getByRole('button', { name: 'الموعد', exact: true }).click()
  await calendar
    .getByRole('button', { name: /\u0640?18 .* · \d+ / })
    .first()
    .waitFor()
  await shot('moment-field-hijri-ar')
  await page.keyboard.press('Escape')
  await inEnglish()
})

test('G-83 on Home the Hijri day stands behind the Gregorian one, apart from it, in both languages', async () => {
  await goto('')
  for (const [look, isFromTheLeft] of [
    [inArabic, false],
    [inEnglish, true],
  ] as const) {
    await look()
    const days = page.locator('span[class*="_hijri_"]')
    const gap = await days.first().evaluate((hijri, fromTheLeft) => {
      const gregorian = document.createRange()
      gregorian.selectNode(hijri.previousSibling ?? hijri)
      const [one, other] = [gregorian.getBoundingClientRect(), hijri.getBoundingClientRect()]
      return fromTheLeft ? other.left - one.right : one.left - other.right
    }, isFromTheLeft)
    assert.ok(gap >= 3, `${gap} px between them`)
  }
})

test('G-83 times stand in the zone of the workspace with the reader’s own beside them', async () => {
  await goto('/content?view=table')
  await page.getByText(/10 Mar 2027, 18:00 New York time \(11 Mar, 02:00 Riyadh time\)/).waitFor()
  await shot('content-table-zones')
  await inArabic()
  await shot('content-table-zones-ar')
  await shot('content-table-zones-ar-390', { width: 390 })
  await inEnglish()
})

test('G-83 a member who is no admin reads it and is offered nothing to change', async () => {
  const viewer = await openAs('viewer')
  await viewer.goto('/settings/calendar')
  await viewer.page.getByText('America/New York').waitFor()
  assert.equal(await viewer.page.getByRole('button', { name: 'Save' }).count(), 0)
  await viewer.shot('settings-calendar-viewer')
  await viewer.context.close()
})

test('G-83 a workspace that is made in the dashboard begins with the calendar of whoever makes it', async () => {
  await goto('')
  await page.getByRole('button', { name: /^Workspace:/ }).click()
  await page.getByRole('menuitem', { name: 'New workspace…' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Workspace name' }).fill('Second shop')
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Workspace: Second shop' }).waitFor()
  const { workspaces } = expectStatus(await admin.get('/auth/me'), 200).data
  const { calendar } = workspaces.find(({ name }: { name: string }) => name === 'Second shop')
  assert.deepEqual({ ...calendar, hijri: false }, { timeZone: 'Asia/Riyadh', firstDayOfWeek: 0, weekend: [5, 6], hijri: false })
})
