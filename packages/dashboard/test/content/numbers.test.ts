/** Numbers in every way that people type and paste them, and what is stored of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { makeJourney, wait } from '../../../server/test/builders/journeys.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const dashboard = await openDashboard()
const { page, goto, admin, ws, expectPresentable, inArabic, inEnglish } = dashboard

await ws.block('plan', {
  name: 'Plan',
  screen: 'home',
  designType: 'banner',
  fields: [{ id: 'price', label: 'Price', tag: '#price', type: 'number' }],
})
const { id } = await ws.instance('plan', { title: 'Plan', values: { '#price': 45 } }, { publish: false })

const price = page.getByRole('textbox', { name: /^Price/ })
const stored = async () => expectStatus(await admin.get(`/blocks/plan/instances/${id}`), 200).data.values['#price']
const save = async () => {
  await page.keyboard.press('Control+s')
  await page.getByText(/^(?:Not saved|غير محفوظ)$/).waitFor({ state: 'detached' })
}
/** Key by key, over what was there. */
const type = async (text: string, at = price) => {
  await at.press('Control+a')
  await at.pressSequentially(text)
}
const paste = async (text: string, at: Page = page) => {
  await at.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await price.press('Control+a')
  await price.press('Control+v')
}

const TYPED: [string, number][] = [
  ['12.5', 12.5],
  ['100.25', 100.25],
  ['24.7136', 24.7136],
  ['-3.75', -3.75],
  ['.5', 0.5],
  ['12,5', 12.5],
  ['1,234', 1234],
  ['١٢٫٥', 12.5],
  ['١٬٢٣٤٫٢٥', 1234.25],
  ['۱۲٫۷۵', 12.75],
]
const PASTED: [string, number][] = [
  ['1,234.50', 1234.5],
  ['1.234,75', 1234.75],
  [' \u200f٤٥٬٠٠٠\u200f ', 45000],
  ['1 234,25', 1234.25],
  ['−7', -7],
]

test('a number is stored as it was typed or pasted, in Latin, Arabic and Persian digits', async () => {
  await goto(`/content/plan/${id}`)
  for (const [ways, enter] of [
    [TYPED, type],
    [PASTED, paste],
  ] as const)
    for (const [text, value] of ways) {
      await enter(text)
      await save()
      assert.equal(await stored(), value, text)
      await price.blur()
      assert.equal(await price.inputValue(), String(value), `${text} is shown as it was understood`)
    }
})

test('an emptied field has no value, and never the digits that were there', async () => {
  await goto(`/content/plan/${id}`)
  await type('45')
  await save()
  await price.press('Control+a')
  await price.press('Delete')
  assert.equal(await price.inputValue(), '')
  await save()
  assert.ok((await stored()) === undefined || (await stored()) === null)
  await type('0')
  await price.blur()
  assert.equal(await price.inputValue(), '0')
})

test('what is no number is said, stays as it was typed and is not saved', async () => {
  await goto(`/content/plan/${id}`)
  const before = await stored()
  await type('12 apples')
  await price.blur()
  assert.equal(await price.inputValue(), '12 apples')
  await page.getByText("This isn't a number.").first().waitFor()
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog', { name: "Can't save yet" }).or(page.getByRole('dialog')).first().waitFor()
  assert.equal(await stored(), before)
  await page.keyboard.press('Escape')
  await type('12')
  await save()
  assert.equal(await stored(), 12)
})

test('bounds are said and nothing is made another number; arrows step within them', async () => {
  await goto('/campaigns/new')
  const priority = page.getByRole('textbox', { name: /^Priority/ })
  await type('500', priority)
  await priority.blur()
  assert.equal(await priority.inputValue(), '500')
  await page.getByText(/^Enter a number from \d+ to [\d,]+\.$/).waitFor()
  await type('2.5', priority)
  await page.getByText('Enter a whole number.').waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Numbers')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('A number here is missing or out of range.').first().waitFor()
  assert.equal(expectStatus(await admin.get('/campaigns'), 200).data.campaigns.length, 0)
  await expectPresentable('numbers-refused')
  await type('٧', priority)
  await priority.press('ArrowUp')
  assert.equal(await priority.inputValue(), '8')
  const control = page.getByRole('textbox', { name: 'Control group' })
  await type('١٠٪', control)
  await page.getByRole('radio', { name: 'At a time' }).check()
  await page.getByRole('switch', { name: 'Prayer-time pause' }).check()
  await page.getByRole('combobox', { name: 'Place' }).click()
  await page.getByRole('option', { name: 'Other place' }).click()
  await type('24.7136', page.getByRole('textbox', { name: 'Latitude' }))
  await type('46.6753', page.getByRole('textbox', { name: 'Longitude' }))
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.waitForURL(/\/edit$/)
  const [held] = expectStatus(await admin.get('/campaigns'), 200).data.campaigns
  const { latitude, longitude } = held.schedule.prayerBlackout
  assert.deepEqual([held.priority, held.controlPercent, latitude, longitude], [8, 10, 24.7136, 46.6753])
})

test('an emptied wait of a journey is filled anew, not written behind what was there', async () => {
  const { id: journey } = await makeJourney(admin, { steps: [wait(60)] })
  await goto(`/journeys/${journey}`)
  await page.getByRole('button', { name: /^Wait/ }).first().click()
  const duration = page.getByRole('textbox', { name: 'Duration' })
  await duration.press('Control+a')
  await duration.press('Delete')
  assert.equal(await duration.inputValue(), '')
  await duration.pressSequentially('1.5')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await until('an hour and a half', async () => expectStatus(await admin.get(`/journeys/${journey}`), 200).data.steps[0].minutes === 90)
})

test('numbers are typed in Arabic as well', async () => {
  await goto(`/content/plan/${id}`)
  await inArabic()
  await type('٤٥٫٥')
  await price.blur()
  assert.equal(await price.inputValue(), '45.5')
  await inEnglish()
  await save()
  assert.equal(await stored(), 45.5)
})

test('a number and what stands behind it are at the two ends of its field, whichever way the page is read', async () => {
  await goto('/campaigns/new')
  const control = page.getByRole('textbox', { name: /^(?:Control group|المجموعة الضابطة)$/ })
  await type('10', control)
  for (const [look, isFromTheLeft] of [
    [inArabic, false],
    [inEnglish, true],
  ] as const) {
    await look()
    const [field, sign] = await Promise.all([
      control.boundingBox(),
      control.locator('xpath=..').getByText('%', { exact: true }).boundingBox(),
    ])
    assert.ok(field && sign)
    assert.equal(sign.x > field.x + field.width / 2, isFromTheLeft)
    assert.equal(await control.evaluate((input) => getComputedStyle(input).textAlign === 'right'), !isFromTheLeft)
  }
})
