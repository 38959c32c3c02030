/** The instance editor as a marketer, a second editor and a viewer use it, and what apps get of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { identify } from '../../../server/test/builders/people.ts'
import { clientFor, expectStatus, openDashboard } from '../support/browser.ts'

const dashboard = await openDashboard()
const { page, goto, admin, ws, openAs, expectAccessible, expectPresentable, shot, setOffline, slow, layoutShift } = dashboard

expectStatus(
  await admin.post('/segments', {
    name: 'Returning gold',
    logicalOperator: 'AND',
    rules: [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }],
  }),
  201,
)
expectStatus(
  await admin.post('/segments', {
    name: 'Gold members',
    logicalOperator: 'AND',
    rules: [
      { field: 'customAttributes.plan', operator: 'in', value: ['gold', 'platinum'] },
      { field: 'customAttributes.city', operator: 'equals', value: 'Riyadh' },
    ],
    excludedSegments: [],
  }),
  201,
)
await identify(ws.app, 'device-gold', 'noura', { traits: { plan: 'gold', city: 'Riyadh' } })
await identify(ws.app, 'device-silver', 'sami', { traits: { plan: 'silver', city: 'Riyadh' } })

const field = (name: string, at: Page = page) => at.getByRole('textbox', { name, exact: true })
const button = (name: string, at: Page = page) => at.getByRole('button', { name, exact: true })
const dialog = (at: Page = page) => at.getByRole('dialog')
const said = (text: string) => page.getByText(text, { exact: true }).first().waitFor()
/** Inside the preview, which is drawn apart from the page's styles. */
const preview = (at: Page = page) => at.getByRole('group', { name: /^Preview of/ })

async function find(title: string): Promise<{ id: string; blockKey: string; path: string; api: string }> {
  const { data } = expectStatus(await admin.get(`/instances?limit=200&search=${encodeURIComponent(title)}`), 200)
  const { id, blockKey } = data.instances.find((each: { title: string }) => each.title === title)
  return { id, blockKey, path: `/content/${blockKey}/${id}`, api: `/blocks/${blockKey}/instances/${id}` }
}

/** What an app gets of a block type. */
async function delivered(key: string, locale: string, id: string): Promise<Record<string, unknown> | undefined> {
  const { data } = expectStatus(await ws.app.get(`/blocks/${key}?locale=${locale}`), 200)
  return (data.instances ?? []).find((each: { instanceId: string }) => each.instanceId === id)?.values
}

async function openDraft(body: object, key = 'promo_banner') {
  const { id } = await ws.instance(key, body, { publish: false })
  await goto(`/content/${key}/${id}`)
  return { id, api: `/blocks/${key}/instances/${id}` }
}

/** Of what is there already: its changes. */
async function askToPublish(target: 'live' | 'test') {
  await button('Publish').click()
  await page.getByRole('menuitem', { name: `Publish the changes to ${target} apps` }).click()
}

const DRAFT = { title: 'Test / Draft', values: { '#title': 'Hello', '#cta_url': '/offers' }, translations: { ar: { '#title': 'مرحبا' } } }

test('the headline of the home hero is changed in two languages, looked at, published after a look at what that does, and delivered', async () => {
  const hero = await find('Hero / Winter edit')
  await goto(hero.path)
  await field('Headline (English)').fill('Warm layers are here')
  await field('Headline (Arabic)').fill('طبقات دافئة وصلت')
  await preview().getByText('Warm layers are here').waitFor()
  await page.getByRole('status').filter({ hasText: '2 unsaved changes' }).waitFor()
  assert.notEqual((await delivered('home_hero', 'ar', hero.id))?.['#title'], 'طبقات دافئة وصلت', 'nothing is sent while one types')
  await page.keyboard.press('Control+s')
  await said('Changes saved, not published')
  await page.getByText('Changes not published').waitFor()
  assert.notEqual((await delivered('home_hero', 'ar', hero.id))?.['#title'], 'طبقات دافئة وصلت', 'nor when it is saved')
  await askToPublish('live')
  await dialog().getByText('In English and Arabic.').waitFor()
  await dialog().getByText('For everyone: about 2 devices').waitFor()
  await dialog().getByRole('deletion').filter({ hasText: 'The winter edit is here' }).waitFor()
  await expectPresentable('editor-publish')
  await button('Publish the changes').click()
  await said('Published to live apps')
  assert.equal((await delivered('home_hero', 'en', hero.id))?.['#title'], 'Warm layers are here')
  assert.equal((await delivered('home_hero', 'ar', hero.id))?.['#title'], 'طبقات دافئة وصلت')
  await expectPresentable('editor-hero')
})

test('a draft is saved with Ctrl+S, published to test, then to live, and taken out again', async () => {
  const draft = await openDraft(DRAFT)
  await field('Name').fill('Test / Renamed')
  await page.keyboard.press('Control+s')
  await said('Draft saved')
  assert.equal(expectStatus(await admin.get(draft.api), 200).data.title, 'Test / Renamed')
  for (const [item, confirm, done, targets] of [
    ['Publish to test apps', 'Publish to test apps', 'Published to test apps', ['test']],
    ['Publish to live apps', 'Publish to live apps', 'Published to live apps', ['live', 'test']],
    ['Unpublish from live apps', 'Unpublish', 'Unpublished from live apps', ['test']],
    ['Unpublish from test apps', 'Unpublish', 'Unpublished from test apps', []],
  ] as const) {
    await button('Publish').click()
    await page.getByRole('menuitem', { name: item }).click()
    await dialog().getByRole('button', { name: confirm, exact: true }).click()
    await said(done)
    assert.deepEqual(expectStatus(await admin.get(draft.api), 200).data.targets, targets)
  }
})

test('a change of something live is tried in test apps, and live apps get nothing of it', async () => {
  const { id, api } = await openDraft(DRAFT)
  expectStatus(await admin.post(`${api}/publish`, {}), 200)
  await page.reload()
  await field('Offer (English)').fill('For the test')
  await button('Publish').click()
  await page.getByRole('menuitem', { name: 'Publish to test apps' }).click()
  await button('Publish the changes').click()
  await said('Published to test apps')
  assert.equal((await delivered('promo_banner', 'en', id))?.['#title'], 'Hello')
  const { data } = expectStatus(await admin.get(api), 200)
  assert.deepEqual([data.live, data.test, data.head, data.values['#title']], [1, 2, 2, 'For the test'])
  await page.getByText('Changes not published').waitFor()
  expectStatus(await admin.delete(api), 200)
})

test('two people edit one instance: nothing is overwritten, where both changed one thing it is asked', async () => {
  const draft = await openDraft(DRAFT)
  const second = await openAs('editor', { name: 'Sara Al-Harbi' })
  const sara = await clientFor(dashboard, second.account)
  await field('Offer (English)').fill('Mine')
  await field('Name').fill('Mine too')
  expectStatus(await sara.put(draft.api, { values: { '#title': 'Theirs' }, priority: 9 }), 200)
  await button('Save draft').first().click()
  await dialog().getByText('Sara Al-Harbi saved version 2').waitFor()
  assert.equal(expectStatus(await admin.get(draft.api), 200).data.values['#title'], 'Theirs')
  await expectPresentable('editor-conflict')
  assert.equal(await button('Apply merge').isDisabled(), true)
  await dialog().getByRole('radio', { name: 'Yours: Offer · English' }).click()
  await button('Apply merge').click()
  await button('Save draft').first().click()
  await said('Draft saved')
  const { data } = expectStatus(await admin.get(draft.api), 200)
  assert.deepEqual([data.values['#title'], data.title, data.priority, data.version], ['Mine', 'Mine too', 9, 3])
  await second.context.close()
})

test('two people, one publishes what the other has changed since it was looked at: told, and nothing is published', async () => {
  const draft = await openDraft(DRAFT)
  const second = await openAs('editor', { name: 'Noura Al-Otaibi' })
  const noura = await clientFor(dashboard, second.account)
  await button('Publish').click()
  await page.getByRole('menuitem', { name: 'Publish to live apps' }).click()
  const confirm = dialog().getByRole('button', { name: 'Publish to live apps', exact: true })
  await confirm.and(page.locator(':enabled')).waitFor()
  expectStatus(await noura.put(draft.api, { values: { '#title': 'Not looked at' } }), 200)
  await confirm.click()
  await said('Someone else saved version 2. It is shown now, and nothing was published.')
  assert.deepEqual(expectStatus(await admin.get(draft.api), 200).data.targets, [])
  await page.waitForFunction(() => [...document.querySelectorAll('textarea')].some(({ value }) => value === 'Not looked at'))
  await button('Publish').click()
  await page.getByRole('menuitem', { name: 'Publish to live apps' }).click()
  await confirm.click()
  await said('Published to live apps')
  assert.equal((await delivered('promo_banner', 'en', draft.id))?.['#title'], 'Not looked at')
  await second.context.close()
})

test('history shows who changed what, field by field, and a version is put back after a question', async () => {
  const draft = await openDraft(DRAFT)
  expectStatus(
    await admin.put(draft.api, { values: { '#title': 'Second' }, translations: { ar: { '#title': 'ثانٍ' } }, seg: 'Gold members' }),
    200,
  )
  expectStatus(await admin.put(draft.api, { values: { '#title': 'Third' } }), 200)
  await goto(`/content/promo_banner/${draft.id}?side=revisions`)
  await page.getByRole('button', { name: /^Version 1/ }).click()
  const differences = page.getByRole('list', { name: 'Differences' })
  await differences.getByText('Offer · Arabic').waitFor()
  assert.match(await differences.innerText(), /Audience\s+Before:\s+Everyone\s+After:\s+Gold members/)
  await page.getByRole('combobox', { name: 'Compare with' }).click()
  await page.getByRole('option', { name: /^Version 2/ }).click()
  await page.getByText('From version 1 to version 2').waitFor()
  assert.match(await differences.innerText(), /Second/)
  await expectPresentable('editor-history')
  await button('Restore this version').click()
  await dialog().getByRole('button', { name: 'Restore this version' }).click()
  await said('Version 1 restored')
  const { data } = expectStatus(await admin.get(draft.api), 200)
  assert.deepEqual([data.values['#title'], data.translations.ar['#title'], data.seg, data.version], ['Hello', 'مرحبا', null, 4])
  assert.equal(await field('Offer (English)').inputValue(), 'Hello')
})

test('what would be refused is said at its field while one types, and nothing is sent', async () => {
  const draft = await openDraft(DRAFT)
  await page.getByRole('combobox', { name: 'Kind of link: Opens (English)' }).click()
  await page.getByRole('option', { name: 'Deep link' }).click()
  await field('Opens (English)').fill('javascript:alert(1)')
  await page.getByText(/^This link isn't safe/).waitFor()
  await field('Offer (English)').fill('x'.repeat(61))
  await page.getByText('Too long. Maximum characters: 60').waitFor()
  await page.keyboard.press('Control+s')
  await dialog().getByText('Fix 2 problems first').waitFor()
  await expectAccessible()
  await shot('editor-faults')
  await page.keyboard.press('Escape')
  assert.equal(expectStatus(await admin.get(draft.api), 200).data.version, 1)
  await field('Opens (English)').fill('souqlane://offers')
  await field('Offer (English)').fill('😀'.repeat(60))
  await page.keyboard.press('Control+s')
  await said('Draft saved')
  assert.equal(expectStatus(await admin.get(draft.api), 200).data.values['#cta_url'], 'souqlane://offers')
})

test('a failed save keeps what was typed, and leaving with unsaved changes asks', async () => {
  const draft = await openDraft(DRAFT)
  await field('Offer (English)').fill('Typed offline')
  await setOffline(true)
  await page.keyboard.press('Control+s')
  await page.getByRole('alert').filter({ hasText: "Can't reach the server" }).first().waitFor()
  await setOffline(false)
  assert.equal(await field('Offer (English)').inputValue(), 'Typed offline')
  await page.getByRole('link', { name: 'Strings' }).click()
  await dialog().getByText('Leave without saving?').waitFor()
  await button('Stay').click()
  await page.keyboard.press('Control+s')
  await said('Draft saved')
  assert.equal(expectStatus(await admin.get(draft.api), 200).data.values['#title'], 'Typed offline')
  await page.getByRole('link', { name: 'Strings' }).click()
  await page.waitForURL('**/strings')
})

test('who: a segment is chosen, the devices are counted, and a device is told why it gets it or not, rule by rule', async () => {
  const { api, id } = await openDraft(DRAFT)
  await page.getByRole('radio', { name: 'A segment' }).check()
  await page.getByRole('combobox', { name: 'Segment', exact: true }).click()
  await page.getByRole('option', { name: 'Gold members' }).click()
  await page.getByText('About 1 device', { exact: true }).waitFor()
  await button('Publish').click()
  await page.getByRole('menuitem', { name: 'Publish to live apps' }).click()
  await dialog().getByText('For about 1 device in Gold members').waitFor()
  await dialog().getByRole('button', { name: 'Publish to live apps' }).click()
  await said('Published to live apps')
  assert.equal(expectStatus(await admin.get(api), 200).data.seg, 'Gold members')

  await page.getByText('It targets Gold members. New visitors are in no segment.').waitFor()
  await goto(`/content/promo_banner/${id}?as=device-silver`)
  await page.getByText('Not shown now').waitFor()
  await page.getByText("The device isn't in Gold members.").waitFor()
  await button('Why this?').click()
  await page.getByText('Found: silver').waitFor()
  await page.getByRole('img', { name: 'not met' }).first().waitFor()
  await page.getByRole('img', { name: 'met', exact: true }).first().waitFor()
  await expectPresentable('editor-why')
  await page.getByRole('combobox', { name: 'Person: name, email, phone or ID' }).fill('device-gold')
  await page
    .getByRole('option', { name: /device-gold/ })
    .first()
    .click()
  await page.getByText('Shown now').waitFor()
})

test('when: an end before the start is refused in words; times are stored in UTC', async () => {
  const draft = await openDraft({ ...DRAFT, schedule: { startTime: '2027-03-10T09:00:00Z' } })
  await page.getByText('2027-03-10 09:00 UTC').waitFor()
  await page.getByText('Times in Asia/Riyadh').waitFor()
  await page.getByRole('button', { name: 'End', exact: true }).click()
  const calendar = page.getByRole('dialog')
  await calendar
    .getByRole('button', { name: / · \d+ \p{L}/u })
    .first()
    .click()
  await page.keyboard.press('Escape')
  await page.getByText('The end must be after the start.').waitFor()
  await button('Clear End').click()
  await page.getByText('The end must be after the start.').waitFor({ state: 'detached' })
  await button('Clear Start').click()
  await page.keyboard.press('Control+s')
  await said('Draft saved')
  assert.equal(expectStatus(await admin.get(draft.api), 200).data.schedule, null)
})

test('variants have their own values over the shared ones, and weights whose shares are shown', async () => {
  const draft = await openDraft(DRAFT)
  await button('Add variant').click()
  await button('Add variant').click()
  await page.getByText('50%').first().waitFor()
  await page.getByRole('textbox', { name: 'Weight: A' }).fill('150')
  await page.getByText('75%', { exact: true }).waitFor()
  await page.getByRole('radiogroup', { name: 'Values of' }).getByText('B', { exact: true }).click()
  await page.getByText('from English').first().waitFor()
  assert.equal(await field('Offer (English)').getAttribute('placeholder'), 'Hello')
  await field('Offer (English)').fill('Of B')
  await preview().getByText('Of B').waitFor()
  await page.keyboard.press('Control+s')
  await said('Draft saved')
  const { data } = expectStatus(await admin.get(draft.api), 200)
  assert.deepEqual(
    data.variants.map(({ id, weight, values }: { id: string; weight: number; values: object }) => [id, weight, values]),
    [
      ['A', 150, {}],
      ['B', 50, { '#title': 'Of B' }],
    ],
  )
  assert.equal(data.values['#title'], 'Hello')
  await expectAccessible()
  await shot('editor-variants')
})

test('a collection is ordered by keyboard, and what is added is found among the allowed types', async () => {
  const carousel = await find('Carousel / New in')
  await goto(carousel.path)
  const items = page.getByRole('group', { name: 'Products (English)' })
  const names = () => items.getByRole('link').allInnerTexts()
  await items.getByRole('link').first().waitFor()
  const before = await names()
  const grip = items.getByRole('button', { name: `Move ${before[0]}`, exact: true })
  await grip.focus()
  await page.keyboard.press('Space')
  await page.getByText(/is (picked up at|over) place 1/).waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowDown')
  await page.getByText(/is over place 2/).waitFor({ state: 'attached' })
  await page.keyboard.press('Space')
  await page.waitForFunction((first) => document.querySelector('[aria-label="Products (English)"] a')?.textContent === first, before[1])
  await items.getByRole('combobox', { name: 'Add to Products (English)' }).fill('candle')
  await page
    .getByRole('option')
    .filter({ hasNotText: before.join('|') })
    .first()
    .waitFor({ state: 'attached' })
  await items.getByRole('combobox', { name: 'Add to Products (English)' }).fill('bedding')
  await page.getByRole('option', { name: /Linen duvet/ }).click()
  await items.getByRole('link', { name: 'Home / Linen duvet set' }).waitFor()
  await expectPresentable('editor-collection')
  const children = await names()
  assert.deepEqual(children.slice(0, 2), [before[1], before[0]])
  await askToPublish('live')
  await button('Publish the changes').click()
  await said('Published to live apps')
  const { data } = expectStatus(await admin.get(carousel.api), 200)
  assert.equal(data.values['#items'].length, before.length + 1)
})

test('edits of a live one can be kept as a draft; a draft is duplicated and deleted after a question', async () => {
  const hero = await find('Hero / Majlis')
  await goto(hero.path)
  await field('Headline (English)').fill('For later')
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Keep my edits as a new draft' }).click()
  await page.getByRole('heading', { level: 1, name: 'Hero / Majlis (copy)' }).waitFor()
  assert.equal(await field('Headline (English)').inputValue(), 'For later')
  assert.notEqual((await delivered('home_hero', 'en', hero.id))?.['#title'], 'For later')
  await button('More actions').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await page.waitForURL('**/content')
  const { data } = expectStatus(await admin.get(`/instances?search=${encodeURIComponent('Hero / Majlis (copy)')}`), 200)
  assert.equal(data.instances.length, 0)
})

test('a viewer sees everything and can change nothing', async () => {
  const viewer = await openAs('viewer')
  const hero = await find('Hero / Winter edit')
  await viewer.goto(hero.path)
  await viewer.page.getByText('View only').waitFor()
  assert.equal(await field('Headline (English)', viewer.page).getAttribute('readonly'), '')
  for (const name of ['Publish', 'Save draft', 'More actions', 'Add variant'])
    assert.equal(await button(name, viewer.page).count(), 0, name)
  await viewer.expectAccessible()
  await viewer.shot('editor-viewer')
  await viewer.context.close()
})

test('every design type is drawn at phone and web width, in both directions', async () => {
  const { data } = expectStatus(await admin.get('/instances?limit=200&state=live'), 200)
  const types = new Map<string, { blockKey: string; id: string; title: string }>()
  for (const each of data.instances) if (!types.has(each.designType)) types.set(each.designType, each)
  assert.equal(types.size, 10)
  for (const [type, { blockKey, id }] of types) {
    await goto(`/content/${blockKey}/${id}?in=ar`)
    await preview().locator(`.cf-design--${type}`).first().waitFor()
    assert.equal(await preview().locator('.cf-design').first().getAttribute('dir'), 'rtl')
    await shot(`editor-design-${type}-phone-ar`)
    await goto(`/content/${blockKey}/${id}?width=web`)
    await preview().locator(`.cf-design--${type}`).first().waitFor()
    await shot(`editor-design-${type}-web-en`)
  }
})

test('the page stands still while it loads slowly, and one that is not there says so', async () => {
  const hero = await find('Hero / Winter edit')
  await slow(400)
  await goto(hero.path)
  await field('Headline (English)').waitFor()
  await preview().locator('.cf-design').first().waitFor()
  await slow(0)
  assert.ok((await layoutShift()) < 0.1)
  await goto('/content/home_hero/no-such-instance')
  await page.getByRole('alert').waitFor()
})
