/** What is typed after a save went out is neither lost nor reset by its answer, and is saved afterwards. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeJourney } from '../../../server/test/builders/journeys.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { admin, ws, page, goto } = await openDashboard()

/** Holds back the answer of the next write to a path that ends so, until it is let go. */
async function holdNext(end: RegExp, method = 'PUT') {
  let went = false
  const [free, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const matches = (url: URL) => end.test(url.pathname)
  await page.route(matches, async (route) => {
    if (went || route.request().method() !== method) return route.continue()
    went = true
    // The server has stored it; only the answer is late.
    const response = await route.fetch()
    await free.promise
    await route.fulfill({ response })
    answered.resolve()
  })
  return {
    out: async () => until('the save is under way', () => went),
    letGo: async () => {
      free.resolve()
      await answered.promise
      await page.unroute(matches)
    },
  }
}
const dataOf = async (path: string) => expectStatus(await admin.get(path), 200).data
const button = (name: string | RegExp) => page.getByRole('button', { name })
const name = () => page.getByRole('textbox', { name: 'Name', exact: true })

test('a journey: what is typed during a save stays and is saved, also where it is what was there before', async () => {
  const { id } = await makeJourney(admin, { name: 'First' })
  await goto(`/journeys/${id}`)
  let held = await holdNext(/journeys\/[^/]+$/)
  await name().fill('Second')
  await held.out()
  await name().fill('Third')
  await held.letGo()
  await until('what was typed meanwhile is saved', async () => (await dataOf(`/journeys/${id}`)).name === 'Third')
  assert.equal(await name().inputValue(), 'Third')
  held = await holdNext(/journeys\/[^/]+$/)
  await name().fill('Fourth')
  await held.out()
  await name().fill('Third')
  await held.letGo()
  await until('the way back is saved', async () => (await dataOf(`/journeys/${id}`)).version === 5)
  assert.equal((await dataOf(`/journeys/${id}`)).name, 'Third')
  assert.equal(await name().inputValue(), 'Third')
})

test('a new journey: what is typed while it is being made is in the page of what was made, and saved', async () => {
  await goto('/journeys/new?template=welcome')
  const held = await holdNext(/journeys$/, 'POST')
  await button('Save draft').click()
  await held.out()
  await name().fill('Typed meanwhile')
  await held.letGo()
  await page.waitForURL(/journeys\/[0-9a-f-]{36}/)
  const id = /journeys\/([0-9a-f-]{36})/.exec(page.url())?.[1]
  await until('it is saved', async () => (await dataOf(`/journeys/${id}`)).name === 'Typed meanwhile')
  assert.equal(await name().inputValue(), 'Typed meanwhile')
})

test('a campaign: what is typed during a save by hand stays and is saved', async () => {
  const { data: campaign } = expectStatus(await admin.post('/campaigns', { name: 'First', type: 'promo' }), 201)
  await goto(`/campaigns/${campaign.id}/edit`)
  const held = await holdNext(/campaigns\/[^/]+$/)
  await name().fill('Second')
  await button('Save draft').click()
  await held.out()
  await name().fill('Third')
  await held.letGo()
  await until('what was typed meanwhile is saved', async () => (await dataOf(`/campaigns/${campaign.id}`)).name === 'Third')
  assert.equal(await name().inputValue(), 'Third')
})

test('content: what is typed during a save stays, on top of what was stored', async () => {
  const { id } = await ws.instance(
    'promo_banner',
    { title: 'Typed on', values: { '#title': 'First', '#cta_url': '/offers' } },
    { publish: false },
  )
  const stored = async () => (await dataOf(`/blocks/promo_banner/instances/${id}`)).values['#title']
  await goto(`/content/promo_banner/${id}`)
  const offer = page.getByRole('textbox', { name: 'Offer (English)' })
  for (const [sent, typed] of [
    ['Second', 'Third'],
    ['Fourth', 'Third'],
  ] as const) {
    const held = await holdNext(/instances\/[^/]+$/)
    await offer.fill(sent)
    await button('Save draft').first().click()
    await held.out()
    await offer.fill(typed)
    await held.letGo()
    await page.getByText('Draft saved').first().waitFor()
    assert.equal(await stored(), sent)
    assert.equal(await offer.inputValue(), typed)
    await button('Save draft').first().click()
    await until('what was typed meanwhile is saved', async () => (await stored()) === typed)
  }
})

test('a translation: what is typed during a save stays open, and is saved on top of it', async () => {
  const path = '/strings/home.greeting.evening/translations/ar'
  await goto('/strings?key=home.greeting.evening')
  const translations = page.getByRole('region', { name: 'Translations' })
  await translations.getByRole('button', { name: 'Edit home.greeting.evening in Arabic' }).click()
  const field = page.getByRole('dialog').getByRole('textbox', { name: /home\.greeting\.evening.*Arabic/ })
  const held = await holdNext(/translations\/ar$/)
  await field.fill('أولى')
  await field.press('Enter')
  await held.out()
  await field.fill('ثانية')
  await held.letGo()
  await until('the first is stored', async () => (await dataOf(path)).text === 'أولى')
  assert.equal(await field.inputValue(), 'ثانية')
  await until('the second is stored', async () => {
    // Not while the first one is being taken in; once it is saved the field is gone.
    if ((await field.count()) > 0) await page.keyboard.press('Enter')
    return (await dataOf(path)).text === 'ثانية'
  })
  await field.waitFor({ state: 'detached' })
})
