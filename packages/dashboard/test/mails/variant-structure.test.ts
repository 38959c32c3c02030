/** Variants of a campaign in several languages: one list of them, texts by language, pictures and links from the source language. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { approve, create, launch, submit } from '../../../server/test/builders/campaigns.ts'
import { makeJourney } from '../../../server/test/builders/journeys.ts'
import { addPeople, openEmail } from '../../../server/test/builders/sends.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, app, ws, expectPresentable, expectAccessible, shot } = await openDashboard()

const button = (name: string, at: Page | Locator = page) => at.getByRole('button', { name, exact: true })
const said = (text: string | RegExp, at: Page | Locator = page) => at.getByText(text).first().waitFor()
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const preview = page.getByRole('region', { name: 'Preview', exact: true })
const dialog = page.getByRole('dialog')
const inLanguage = (name: 'English' | 'Arabic') => page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
const variantTab = (name: string) => page.getByRole('tab', { name, exact: true })
const variantNames = () => page.getByRole('tablist', { name: 'Variants' }).getByRole('tab').allTextContents()
/** Without the marks that keep texts of two directions apart. */
const placeholderOf = async (name: string) => (await field(name).getAttribute('placeholder'))?.replaceAll(/[\u2068\u2069]/g, '')
const read = async (id: string) => expectStatus(await admin.get(`/campaigns/${id}`), 200).data

const email = await openEmail()
await email.connect(admin)
await addPeople(ws, ['sara'])
expectStatus(await admin.put('/settings/web-address', { url: 'https://shop.example' }), 200)

test('a variant that is added in Arabic is there in English, with its name, weight and place', async () => {
  await goto('/campaigns/new')
  await field('Name').fill('Spring')
  await page.getByRole('radio', { name: 'Everyone' }).check()
  for (const channel of [/^In-app/, /^Email/]) await page.getByRole('group', { name: 'Channels' }).getByText(channel).click()
  await field('Title').fill('Spring is here')
  await field('Image').fill('/icon.svg')
  await field('Button label').fill('Shop')
  await field('Button link').fill('/spring')
  await page.getByLabel('Placements', { exact: true }).first().fill('home_top')
  await page.keyboard.press('Enter')

  await inLanguage('Arabic')
  assert.equal(await placeholderOf('Title'), 'From English: Spring is here')
  await field('Title').fill('جاء الربيع')
  assert.equal(await placeholderOf('Button label'), 'In English: Shop')
  for (const name of ['A', 'B', 'C']) {
    await button('Add variant').click()
    assert.equal(await field('Variant name').inputValue(), name)
  }
  await field('Title').fill('ربيع ج')
  await page.getByRole('tab', { name: /^English.*nothing written/ }).waitFor()
  await inLanguage('English')
  assert.deepEqual(await variantNames(), ['Shared', 'Variant A', 'Variant B', 'Variant C'])
  assert.equal(await placeholderOf('Title'), 'Spring is here')
  await button('Move variant C earlier').click()
  await field('Variant name').fill('Short')
  await field('Title').fill('Spring!')
  await page.getByRole('textbox', { name: 'Weight' }).fill('3')
  await variantTab('Variant B').click()
  await button('Remove variant B').click()

  await inLanguage('Arabic')
  assert.deepEqual(await variantNames(), ['Shared', 'Variant A', 'Variant Short'])
  await variantTab('Variant Short').click()
  assert.equal(await field('Title').inputValue(), 'ربيع ج')
  assert.equal(await page.getByRole('textbox', { name: 'Weight' }).inputValue(), '3')
})

test('the picture and the link come from English until Arabic has its own, in the preview too', async () => {
  const source = (at: string) => preview.locator(`img[src$="${at}"]`).first().waitFor()
  await preview.getByRole('radiogroup', { name: 'Channel' }).getByText('In-app', { exact: true }).click()
  await said('ربيع ج', preview)
  await source('/icon.svg')
  assert.equal(await placeholderOf('Image'), 'From English: /icon.svg')
  await inLanguage('English')
  await field('Image').fill('/icon.svg?short')
  await inLanguage('Arabic')
  assert.equal(await placeholderOf('Image'), 'From English: /icon.svg?short')
  await source('/icon.svg?short')
  await variantTab('Shared').click()
  assert.equal(await placeholderOf('Button link'), 'From English: /spring')
  await field('Button link').fill('/ar/spring')
  await said('Arabic: the button has a link and no label.')
  await field('Button label').fill('تسوّق')
  await variantTab('Variant A').click()
  await inLanguage('English')
  await field('Title').fill('Spring has come')
  await said('Arabic: variant A has no words of its own. These people read the shared words.')
  await said('Nothing is missing.')
  await inLanguage('Arabic')
  await expectAccessible()
  await expectPresentable('campaigns-variants')
})

test('what is stored has every variant in every language, and the same person gets the same one in both', async () => {
  await button('Save draft').click()
  await page.waitForURL(/\/campaigns\/[^/]+\/edit$/)
  const id = new URL(page.url()).pathname.split('/').at(-2) ?? ''
  const { content } = await read(id)
  assert.deepEqual(content, {
    en: {
      title: 'Spring is here',
      imageUrl: '/icon.svg',
      ctaLabel: 'Shop',
      ctaUrl: '/spring',
      placementIds: ['home_top'],
      variants: [
        { id: 'A', weight: 1, values: { title: 'Spring has come' } },
        { id: 'Short', weight: 3, values: { title: 'Spring!', imageUrl: '/icon.svg?short' } },
      ],
    },
    ar: {
      title: 'جاء الربيع',
      imageUrl: '/icon.svg',
      ctaLabel: 'تسوّق',
      ctaUrl: '/ar/spring',
      placementIds: ['home_top'],
      variants: [
        { id: 'A', weight: 1, values: {} },
        { id: 'Short', weight: 3, values: { title: 'ربيع ج', imageUrl: '/icon.svg?short' } },
      ],
    },
  })
  await page.reload()
  await inLanguage('Arabic')
  await variantTab('Variant Short').click()
  assert.equal(await field('Image').inputValue(), '')
  assert.equal(await page.getByText('One message in all languages').count(), 0)

  await button('Submit for review').click()
  await said('Arabic: variant A has no words of its own. These people read the shared words.', dialog)
  await shot('campaigns-variants-submit')
  await shot('campaigns-variants-submit-390-ar', { width: 390, language: 'ar' })
  expectStatus(await submit(await ws.editor(), id), 200)
  expectStatus(await approve(admin, id, { activateTarget: 'live' }), 200)
  const seen = new Set<string>()
  const itemFor = async (device: string, language: string) => {
    const headers = { 'x-cf-key': ws.live, 'x-cf-device': device, 'accept-language': language }
    return expectStatus(await ws.sdk(headers).post('/campaigns', {}), 200).data[0]
  }
  await until('the campaign is live', async () => (await itemFor('device-0', 'en')) !== undefined)
  for (let n = 0; n < 24; n++) {
    const [english, arabic] = [await itemFor(`device-${n}`, 'en'), await itemFor(`device-${n}`, 'ar')]
    assert.equal(english.variantId, arabic.variantId)
    assert.equal(english.content.imageUrl, arabic.content.imageUrl)
    assert.equal(arabic.content.title, arabic.variantId === 'A' ? 'جاء الربيع' : 'ربيع ج')
    assert.equal(arabic.content.ctaUrl, '/ar/spring')
    seen.add(arabic.variantId)
  }
  assert.deepEqual(seen, new Set(['A', 'Short']))
})

test('a campaign whose languages have different variants opens as one list, and stays as it is until it is saved', async () => {
  const content = {
    en: {
      title: 'Eid',
      ctaUrl: '/eid',
      variants: [
        { id: 'A', weight: 2, values: { title: 'Eid A' } },
        { id: 'B', weight: 1, values: { title: 'Eid B' } },
      ],
    },
    ar: { title: 'العيد', variants: [{ id: 'C', weight: 1, values: { title: 'العيد ج' } }] },
  }
  const held = await create(admin, { name: 'Eid', dispatchChannels: ['email'], content })
  await goto(`/campaigns/${held.id}/edit`)
  await said('The languages of this campaign had different variants. They are merged into one list here, and all words are kept.')
  await said('Arabic: an image or link that isn’t set is taken from the source language.')
  assert.deepEqual(await variantNames(), ['Shared', 'Variant A', 'Variant B', 'Variant C'])
  await variantTab('Variant C').click()
  assert.equal(await field('Title').inputValue(), '')
  await inLanguage('Arabic')
  assert.equal(await field('Title').inputValue(), 'العيد ج')
  await expectPresentable('campaigns-variants-merged')
  assert.deepEqual((await read(held.id)).content, content)

  await button('Save draft').click()
  await said('Draft saved')
  await until('the notice is gone', async () => (await page.getByText('One message in all languages').count()) === 0)
  const stored = (await read(held.id)).content
  const shape = (locale: string) => stored[locale].variants.map((each: any) => [each.id, each.weight, each.values.title])
  assert.deepEqual(shape('en'), [
    ['A', 2, 'Eid A'],
    ['B', 1, 'Eid B'],
    ['C', 1, undefined],
  ])
  assert.deepEqual(shape('ar'), [
    ['A', 2, undefined],
    ['B', 1, undefined],
    ['C', 1, 'العيد ج'],
  ])
  assert.equal(stored.ar.ctaUrl, '/eid')
})

test('a step of a journey takes image and link from the source language until a language has its own', async () => {
  const content = { en: { title: 'Hello', imageUrl: 'https://shop.example/1.png', ctaUrl: 'https://shop.example/en' } }
  const { id } = await makeJourney(admin, { name: 'Greeting', steps: [{ id: 'push', type: 'send', channel: 'push', content }] })
  await goto(`/journeys/${id}`)
  await page.getByRole('button', { name: /^Push/ }).click()
  await inLanguage('Arabic')
  assert.equal(await placeholderOf('Title'), 'From English: Hello')
  await field('Title').fill('أهلًا')
  assert.equal(await field('Link').inputValue(), 'https://shop.example/en')
  await said('The same as in English, and changes with it.')
  await field('Image URL').fill('https://shop.example/ar.png')
  await expectPresentable('journey-languages')
  await inLanguage('English')
  await field('Link').fill('https://shop.example/new')
  await field('Image URL').fill('https://shop.example/2.png')
  await inLanguage('Arabic')
  assert.equal(await field('Link').inputValue(), 'https://shop.example/new')
  await button('Save').click()
  await said('Journey saved')
  const [{ content: stored }] = expectStatus(await admin.get(`/journeys/${id}`), 200).data.steps
  assert.deepEqual(stored.ar, { title: 'أهلًا', imageUrl: 'https://shop.example/ar.png', ctaUrl: 'https://shop.example/new' })
})

test('the planner begins with what the campaigns of the last 30 days say', async () => {
  const { id } = await launch(ws, await ws.editor(), { name: 'Before' })
  const counts = { environment: 'live' as const, locale: 'en', variant_id: '', seen: 100_000, clicked: 9_000, converted: 0 }
  await app.ctx.db
    .insertInto('campaign_counts')
    .values({ workspace_id: ws.id, campaign_id: id, ...counts })
    .execute()
  await goto('/campaigns/new')
  await page
    .getByRole('group', { name: 'Channels' })
    .getByText(/^In-app/)
    .click()
  for (const name of ['A', 'B']) {
    await button('Add variant').click()
    assert.equal(await field('Variant name').inputValue(), name)
  }
  await button('How many devices does the test need?').click()
  await said(/Filled in with what your campaigns of the last 30 days say/)
  const rate = Number((await page.getByLabel('Do it now').inputValue()).replace('%', ''))
  assert.ok(rate > 8 && rate < 10, String(rate))
  await button('Work it out').click()
  await said(/each variant needs/)
})
