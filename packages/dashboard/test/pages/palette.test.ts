/** The palette: from the keyboard to every page and to what can be begun. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identify } from '../../../server/test/builders/people.ts'
import { expectStatus, openDashboard, signIn } from '../support/browser.ts'

const { page, url, goto, admin, ws, account, openAs, openDevice, shot, expectAccessible, inEnglish } = await openDashboard()

const field = page.getByRole('textbox', { name: /^(Search pages|البحث في)/ })
const open = async (text: string) => {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(text)
}
const closed = () => page.getByRole('dialog').waitFor({ state: 'detached' })

test('keys that are pressed while it opens are kept, and Enter takes the first result', async () => {
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  const { id } = expectStatus(await admin.post('/segments', { name: 'Golden circle', logicalOperator: 'AND', rules }), 201).data
  // What it is made of arrives late, as on a slow network.
  await page.context().route(/assets\/palette/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  await goto('/people')
  await open('golden x')
  await page.keyboard.press('Backspace')
  await field.waitFor()
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.value === 'golden ')
  await page.keyboard.type('circle')
  // Before an answer is there.
  await page.keyboard.press('Enter')
  await page.waitForURL(new RegExp(`/segments/${id}$`))
  await page.context().unrouteAll()
  await goto('/people')
  await open('golden circle\n')
  await page.waitForURL(new RegExp(`/segments/${id}$`))
  await closed()
})

test('what can be begun and the parts of the settings are found in both languages', async () => {
  const begins: [typed: string, address: RegExp][] = [
    ['new block type', /content\/types\/new-type$/],
    ['شريحة جديدة', /segments\/new$/],
    ['invite', /settings\/members\?new=member$/],
    ['مفتاح انشاء', /settings\/keys\?new=publishable$/],
    ['time zone', /settings\/calendar$/],
    ['كلمة المرور', /settings\/account$/],
    ['اشخاص', /people$/],
  ]
  for (const [typed, address] of begins) {
    await goto('')
    await open('')
    // The driver types letters it has no key for into what has the focus.
    await page.waitForFunction(() => document.activeElement instanceof HTMLInputElement)
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await page.waitForURL(address)
  }
  await goto('')
  await open('language arabic')
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => document.documentElement.lang === 'ar')
  await open('settings')
  await page.getByRole('dialog').getByText('الإعدادات: الأعضاء').waitFor()
  await expectAccessible()
  await shot('palette-ar')
  await shot('palette-ar-390', { width: 390 })
  await page.keyboard.press('Escape')
  await closed()
  await inEnglish()
})

test('people are found by any part of their name, in either script', async () => {
  await identify(ws.app, 'd-1', 'u-1', { name: 'Mohammed Al Harbi' })
  await goto('')
  await open('harbi')
  await page.getByRole('dialog').getByText('u-1').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/people\/u-1$/)
})

test('a viewer is offered nothing that they may not do', async () => {
  const viewer = await openAs('viewer')
  await viewer.goto('')
  await viewer.page.keyboard.press('Control+k')
  await viewer.page.getByRole('dialog').getByText('Content calendar').waitFor()
  for (const name of ['Invite a member', 'Import a file', 'Create key', 'New segment', 'New block type'])
    assert.equal(await viewer.page.getByRole('dialog').getByText(name).count(), 0, name)
  assert.equal(viewer.page.url().startsWith(url), true)
  await viewer.context.close()
})

test('what is chosen in the list is opened while some of the search is still on its way', async () => {
  await goto('')
  const answered = Promise.withResolvers<void>()
  await page.route('**/api/v1/users*', async (route) => {
    await answered.promise
    await route.continue()
  })
  await page.keyboard.press('ControlOrMeta+k')
  await page
    .getByRole('textbox', { name: 'Search pages, content, campaigns, journeys, segments, strings, people' })
    .fill('Toast / Order placed')
  await page
    .getByRole('button', { name: /Toast \/ Order placed/ })
    .first()
    .waitFor()
  await page.keyboard.press('ArrowDown')
  await page.locator('[data-action][data-selected]').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/content\/order_toast\/[\w-]+$/)
  answered.resolve()
  await page.unrouteAll({ behavior: 'wait' })
})

test('where Arabic words cannot be loaded the palette says so, and finds English ones', async () => {
  const device = await openDevice()
  await device.context.route(/assets\/texts-ar/, (route) => route.abort('connectionrefused'))
  await signIn(device, account)
  await device.page.keyboard.press('Control+k')
  await device.page.getByText('Arabic words can’t be loaded now').waitFor()
  await device.expectAccessible()
  await device.shot('palette-no-arabic')
  await device.page.keyboard.type('new segment')
  await device.page.keyboard.press('Enter')
  await device.page.waitForURL(/segments\/new$/)
  await device.context.close()
})

test('campaigns, journeys, files, endpoints and members are found by their names, in either script', async () => {
  const { data: campaign } = expectStatus(await admin.post('/campaigns', { name: 'Ramadan offers', type: 'promo' }), 201)
  const { data: arabic } = expectStatus(await admin.post('/campaigns', { name: 'عروض العيد', type: 'promo' }), 201)
  const journey = async (name: string) =>
    expectStatus(await admin.post('/journeys', { name, trigger: { type: 'manual' }, steps: [] }), 201).data.id as string
  const welcome = await journey('Welcome series')
  const back = await journey('عودة العملاء')
  expectStatus(
    await admin.post('/webhooks', { url: 'https://hooks.shop.example/orders', events: ['campaign.approved'], description: 'Warehouse' }),
    201,
  )
  const FOUND: [typed: string, address: RegExp][] = [
    ['ramadan off', new RegExp(`/campaigns/${campaign.id}$`)],
    ['عروض العيد', new RegExp(`/campaigns/${arabic.id}$`)],
    ['welcome ser', new RegExp(`/journeys/${welcome}$`)],
    ['عودة العملاء', new RegExp(`/journeys/${back}$`)],
    ['warehouse', /settings\/webhooks$/],
    ['hooks.shop.example', /settings\/webhooks$/],
  ]
  for (const [typed, address] of FOUND) {
    await goto('')
    await open('')
    await page.waitForFunction(() => document.activeElement instanceof HTMLInputElement)
    await page.keyboard.type(typed)
    await page.keyboard.press('Enter')
    await page.waitForURL(address)
  }
  await goto('')
  await open('ramadan')
  await page.getByRole('dialog').getByText('Ramadan offers').waitFor()
  await expectAccessible()
  await shot('palette-campaigns')
})
