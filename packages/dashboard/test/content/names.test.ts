/** What people call things: names and not keys, and in an Arabic dashboard the Arabic text where there is one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, ws, inArabic, inEnglish, shot, expectPresentable } = await openDashboard({ isDemo: false })

const main = page.getByRole('main')
const fields = [
  { id: 'f_title', tag: '#title', type: 'text' },
  { id: 'f_offers', tag: '#offers', type: 'collection', allowedBlockKeys: ['product_card'] },
]
await ws.block('product_card', { name: 'Product card', screen: 'home', designType: 'card' })
await ws.block('welcome_popup', { name: 'Welcome popup', screen: 'home', designType: 'popup', fields })
expectStatus(await admin.post('/locales', { code: 'ar' }), 201)
const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
const { id: segment } = expectStatus(await admin.post('/segments', { name: 'Gold', logicalOperator: 'AND', rules }), 201).data
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const { id } = await ws.instance('welcome_popup', {
  title: 'Winter welcome',
  seg: 'Gold',
  values: { '#title': 'Good to see you' },
  translations: { ar: { '#title': 'سعدنا بزيارتك' } },
  schedule: { endTime: inDays(3) },
})
await ws.instance('welcome_popup', { title: 'English only', values: { '#title': 'Just English' } })

/** Keys of this workspace that a page shows as its words. */
async function keysShown(): Promise<string[]> {
  const text = await main.innerText()
  return ['product_card', 'welcome_popup'].filter((key) => text.includes(key))
}

test('lists, Home and the uses of a segment name block types and designs, never their keys', async () => {
  for (const [path, word] of [
    ['', 'Winter welcome'],
    ['/content', 'Winter welcome'],
    ['/content?view=table', 'Winter welcome'],
    ['/segments', '“Winter welcome” in Welcome popup'],
    [`/segments/${segment}`, '“Winter welcome” in Welcome popup'],
    [`/content/welcome_popup/${id}`, 'Winter welcome'],
  ] as const) {
    await goto(path)
    if (path === `/segments/${segment}`) {
      await page.getByRole('textbox', { name: 'Name' }).fill('Golden')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog').getByText(word).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('textbox', { name: 'Name' }).fill('Gold')
      continue
    }
    await main.getByText(word).first().waitFor()
    await page.waitForLoadState('networkidle')
    assert.deepEqual(await keysShown(), [], path)
  }
  // The key of a type stands on its own page alone, to be copied.
  await goto('/content/types/welcome_popup')
  await main.getByText('Design: Popup').waitFor()
  await main.getByRole('link', { name: 'Product card' }).waitFor()
  assert.deepEqual(await keysShown(), ['welcome_popup'])
})

test('in an Arabic dashboard what has an Arabic text is called by it, in every list, in Home and in the palette', async () => {
  await goto('')
  await inArabic()
  for (const path of ['', '/content', '/content?view=table', '/content?view=calendar']) {
    await goto(path)
    await main.getByText('سعدنا بزيارتك').first().waitFor()
    if (path === '/content') await main.getByRole('link', { name: 'English only' }).waitFor()
  }
  await goto('/content/types/welcome_popup')
  await main.getByText('نافذة منبثقة').first().waitFor()
  await goto('/content')
  await expectPresentable('content-arabic-names')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('Winter wel')
  await page.getByRole('dialog').getByText('سعدنا بزيارتك').waitFor()
  await shot('palette-arabic-names')
  await page.keyboard.press('Escape')
  await inEnglish()
  await goto('/content')
  await main.getByRole('link', { name: 'Winter welcome' }).waitFor()
})
