/** What is highlighted in a picker can be told from its neighbours and read; badges are whole on a phone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create, submit } from '../../../server/test/builders/campaigns.ts'
import { makeJourney } from '../../../server/test/builders/journeys.ts'
import { identify } from '../../../server/test/builders/people.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { ws, page, admin, goto, shot, inArabic, inEnglish, inDark, inLight, inWidth } = await openDashboard()

await identify(ws.app, 'phone', 'huda', { name: 'Huda Nasser', email: 'huda@example.com', traits: { plan: 'gold' } })
const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
const gold = expectStatus(await admin.post('/segments', { name: 'Gold', logicalOperator: 'AND', rules }), 201).data.id
const editor = await ws.editor()
const campaign = await create(editor, { name: 'Eid', segments: ['Gold'] })
expectStatus(await submit(editor, campaign.id), 200)
await create(editor, { name: 'Ramadan', segments: ['Gold'] })
await makeJourney(admin, { name: 'Welcome', trigger: { type: 'segment_entry', segment: 'Gold' } })

/** Contrasts of the option that is pointed at or chosen by keys: with what surrounds it, and of its texts on it. */
const contrastsOf = (option: string) =>
  page.locator(option).evaluate((element) => {
    const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number)
    const luminance = (colour: string) => {
      const [r = 0, g = 0, b = 0] = channels(colour).map((value) =>
        value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const contrast = (one: string, other: string) => {
      const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
      return (high + 0.05) / (low + 0.05)
    }
    const isClear = (colour: string) => channels(colour).length === 4 && channels(colour)[3] === 0
    const groundOf = (start: Element | null): string => {
      for (let each = start; each; each = each.parentElement) {
        const { backgroundColor } = getComputedStyle(each)
        if (!isClear(backgroundColor)) return backgroundColor
      }
      return 'rgb(255, 255, 255)'
    }
    const around = groundOf(element.parentElement)
    const { outlineStyle, outlineColor } = getComputedStyle(element)
    const texts = [element, ...element.querySelectorAll('*')].filter((each) => [...each.childNodes].some(({ nodeType }) => nodeType === 3))
    return {
      shape: Math.max(contrast(groundOf(element), around), outlineStyle === 'none' ? 0 : contrast(outlineColor, around)),
      text: Math.min(...texts.map((each) => contrast(getComputedStyle(each).color, groundOf(each)))),
    }
  })

async function expectClear(option: string, where: string): Promise<void> {
  await page.locator(option).waitFor()
  const { shape, text } = await contrastsOf(option)
  assert.ok(shape >= 3, `${where}: ${shape.toFixed(2)} to 1 against its neighbours`)
  assert.ok(text >= 4.5, `${where}: text of ${text.toFixed(2)} to 1`)
}

test('the highlighted option of a picker stands out and can be read, in light and dark', async () => {
  for (const theme of ['light', 'dark'] as const) {
    await (theme === 'dark' ? inDark() : inLight())
    await goto(`/segments/${gold}?tab=explain`)
    await page.getByRole('combobox', { name: 'Person: name, email, phone or ID' }).fill('Huda')
    await page.getByRole('option', { name: /Huda Nasser/ }).waitFor()
    await expectClear('[data-combobox-selected]', `person, ${theme}`)
    await shot(`picker-person-${theme}`)
    await page.keyboard.press('Escape')
    await goto('/campaigns')
    await page.getByPlaceholder('Status').click()
    await page.keyboard.press('ArrowDown')
    await expectClear('[data-combobox-selected]:visible', `state, ${theme}`)
    await page.getByRole('option').nth(3).hover()
    await expectClear('[role="option"]:hover', `state under the pointer, ${theme}`)
    await shot(`picker-state-${theme}`)
    await page.keyboard.press('Escape')
  }
  await inLight()
})

const LISTS = [
  '/content?view=table',
  '/content/types',
  '/segments',
  '/journeys',
  '/campaigns',
  '/people',
  '/people/huda',
  '/strings',
  '/data',
  '/reviews',
  '/settings/keys',
  '/settings/members',
  '/settings/languages',
] as const

test('badges are whole in Arabic on a phone, on every list', async () => {
  await goto('/campaigns')
  await inArabic()
  await inWidth(390)
  const seen: string[] = []
  for (const path of LISTS) {
    await goto(path)
    await page.waitForLoadState('networkidle')
    const labels = await page
      .locator('.mantine-Badge-label:visible')
      .evaluateAll((all) => all.map(({ textContent, scrollWidth, clientWidth }) => ({ textContent, isCut: scrollWidth > clientWidth })))
    seen.push(...labels.map(({ textContent }) => textContent))
    assert.deepEqual(
      labels.filter(({ isCut }) => isCut),
      [],
      path,
    )
    await shot(`phone-list${path.replaceAll(/\W+/g, '-')}`)
  }
  assert.ok(seen.length > 10, `${seen.length} badges were looked at`)
  await inWidth(1440)
  await inEnglish()
})
