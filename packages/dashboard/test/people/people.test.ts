/** People as a compliance officer meets them: found, understood, left alone, erased with proof. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { identify } from '../../../server/test/builders/people.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { ws, page, admin, goto, shot, openAs, expectPresentable } = await openDashboard({ isDemo: false })

await identify(ws.app, 'sara-phone', 'sara', {
  name: 'Sara Al-Qahtani',
  email: 'sara@shop.example',
  traits: { plan: 'gold', tags: ['vip', 'fashion'] },
})
await identify(ws.app, 'tablet', undefined, { traits: { plan: 'basic' } })
await identify(ws.testApp, 'tester-phone', 'tester')
const fromPhone = { headers: { 'x-cf-device': 'sara-phone', 'accept-language': 'ar-SA' } }
expectStatus(await ws.app.post('/consent', { userId: 'sara', channels: { push: true, marketing: true } }, fromPhone), 200)
const form = {
  userId: 'sara',
  channels: { sms: false, email: true },
  preset: 'banking_ksa',
  topics: { offers: true },
  requiredConsents: { data_processing: true },
}
expectStatus(await ws.app.post('/consent/full', form, fromPhone), 200)
expectStatus(await ws.app.post('/events', { events: [{ type: 'click', blockKey: 'promo' }, { type: 'swipe' }] }, fromPhone), 202)
const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
expectStatus(await admin.post('/segments', { name: 'Gold', logicalOperator: 'AND', rules }), 201)

const channel = (name: string) => page.getByRole('region', { name: 'Channels' }).getByText(`${name} · `)

test('people are found by user id, device id and exact email, in the environment that is chosen', async () => {
  await goto('/people')
  await page.getByRole('link', { name: 'Sara Al-Qahtani' }).waitFor()
  await page.getByRole('link', { name: 'Anonymous person' }).waitFor()
  await expectPresentable('people')
  for (const text of ['sara', 'sara-phone', 'sara@shop.example']) {
    await page.getByRole('searchbox').fill(text)
    await page.getByRole('link', { name: 'Anonymous person' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Sara Al-Qahtani' }).waitFor()
    await page.getByRole('searchbox').fill('')
    await page.getByRole('link', { name: 'Anonymous person' }).waitFor()
  }
  await page.getByText('Test', { exact: true }).click()
  await page.getByRole('link', { name: 'tester' }).waitFor()
  assert.match(page.url(), /environment=test/)
  await page.getByRole('link', { name: 'tester' }).click()
  await page.getByText('tester-phone').waitFor()
})

test('a page says who somebody is, what they are in and why, and how they may be reached (C-CONS-04)', async () => {
  await goto('/people/sara')
  await page.getByRole('heading', { level: 1, name: 'Sara Al-Qahtani' }).waitFor()
  await page.getByText('vip, fashion').waitFor()
  assert.match((await channel('Email').textContent()) ?? '', /Allowed$/)
  assert.match((await channel('SMS').textContent()) ?? '', /Not allowed$/)
  await page.getByText('Consent declined.').waitFor()
  await page.getByText('Agreed, no device yet: none accepts push.').waitFor()
  assert.match((await channel('Push').textContent()) ?? '', /Agreed, not reachable$/)
  await page.getByRole('button', { name: /^Gold/ }).click()
  await page.getByText('In “Gold”').waitFor()
  await page.getByText('Found: gold').waitFor()
  await expectPresentable('person')
})

test('every decision is on the timeline with the form, its version, the language and the moment (C-CONS-17)', async () => {
  await goto('/people/sara?tab=consent')
  const timeline = page.getByRole('region', { name: 'Consent history' })
  await timeline.getByText('The person answered the consent form in the app').waitFor()
  await timeline.getByText('banking_ksa').waitFor()
  await timeline.getByText(/M\/19 1443/).waitFor()
  await timeline.getByText('Arabic (Saudi Arabia)').first().waitFor()
  await timeline.getByText('Offers and discounts yes (before: not asked)').waitFor()
  await timeline.getByText('SMS no (before: not asked)').waitFor()
  await expectPresentable('person-consent')
})

test('an opt-out is asked for, blocks every outbound channel and can be lifted (C-CONS-05)', async () => {
  await goto('/people/sara?tab=consent')
  const record = async (action: string) => {
    await page.getByRole('switch', { name: 'Opted out of all messages' }).click()
    await page.getByRole('dialog').getByRole('button', { name: action }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }
  await record('Record opt-out')
  await page.getByText('Opted out of all messages.').nth(3).waitFor()
  assert.equal(expectStatus(await admin.get('/users/sara'), 200).data.personalOptOut, true)
  await page.getByText('Opt-out recorded or removed').waitFor()
  await shot('person-opted-out')
  await record('Remove opt-out')
  await page.getByText('Opted out of all messages.').first().waitFor({ state: 'detached' })
  assert.equal(expectStatus(await admin.get('/users/sara'), 200).data.personalOptOut, false)
})

test('suppression switches off and gives back what was decided (M-SUPP-06)', async () => {
  await goto('/people/sara?tab=consent')
  const before = expectStatus(await admin.get('/users/sara'), 200).data.channels
  for (const name of ['Suppress', 'End suppression']) {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    if (name === 'Suppress') await page.getByText('Suppressed by a member.').first().waitFor()
  }
  await page.getByText('Suppressed by a member.').first().waitFor({ state: 'detached' })
  assert.deepEqual(expectStatus(await admin.get('/users/sara'), 200).data.channels, before)
})

test('what they did is listed newest first', async () => {
  await goto('/people/sara?tab=events')
  await page.getByRole('cell', { name: 'Clicked' }).waitFor()
  await page.getByRole('cell', { name: 'swipe' }).waitFor()
  await expectPresentable('person-events')
})

test('a device leads to who is signed in on it; one of nobody has a page of its own', async () => {
  await goto('/people/devices/sara-phone')
  await page.getByRole('link', { name: 'sara', exact: true }).waitFor()
  await expectPresentable('device')
  await goto('/people/devices/tablet')
  await page.getByRole('heading', { level: 1, name: 'Anonymous person' }).waitFor()
  await page.getByText('basic').waitFor()
  await goto('/people/devices/never-seen')
  await page.getByRole('heading', { name: 'Device not found' }).waitFor()
  await expectPresentable('device-unknown')
})

test('erasing asks for the id, ends at a receipt of every part, and leaves nobody behind (C-ERASE-04)', async () => {
  await goto('/people/sara')
  await page.getByRole('button', { name: 'Erase' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase this person?' })
  const erase = dialog.getByRole('button', { name: 'Erase permanently' })
  assert.ok(await erase.isDisabled())
  await dialog.getByRole('textbox').fill('sar')
  assert.ok(await erase.isDisabled())
  await shot('erase-asks')
  await dialog.getByRole('textbox').fill('sara')
  await erase.click()
  await page.waitForURL(/erasures\/[0-9a-f-]{36}$/)
  await page.getByText('All 9 parts are erased.').waitFor()
  await page.getByText('sara is erased. The receipt number proves it').waitFor()
  assert.equal(await page.getByRole('cell', { name: 'erased' }).count(), 9)
  await expectPresentable('receipt')
  expectStatus(await admin.get('/users/sara'), 404)
  expectStatus(await admin.get('/devices/sara-phone'), 404)

  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download as JSON' }).click()])
  const receipt = JSON.parse(readFileSync(await file.path(), 'utf8'))
  assert.equal(receipt.id, page.url().split('/').at(-1))
  assert.equal(receipt.parts.length, 9)
  assert.ok(!JSON.stringify(receipt).includes('sara'), 'a receipt holds nothing of the person')
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('button', { name: 'Print' }).waitFor({ state: 'hidden' })
  assert.ok(await page.getByText('All 9 parts are erased.').isVisible())
  await page.emulateMedia({ media: 'screen' })

  await page.goBack()
  await page.getByRole('heading', { name: 'Person not found' }).waitFor()
  await goto('/people/erasures')
  await page.getByRole('link', { name: receipt.id }).waitFor()
  await expectPresentable('erasures')
})

test('an editor may stop contact and not erase; a viewer may do neither', async () => {
  for (const role of ['editor', 'viewer'] as const) {
    await identify(ws.app, `${role}-phone`, `of-${role}`)
    const member = await openAs(role)
    await member.goto(`/people/of-${role}?tab=consent`)
    await member.page.getByText('Consent history').waitFor()
    assert.equal(await member.page.getByRole('button', { name: 'Erase' }).count(), 0)
    assert.equal(await member.page.getByRole('switch').count(), role === 'editor' ? 1 : 0)
    await member.context.close()
  }
})

test('a search that finds nobody says so and speaks of no filter; a row opens wherever it is clicked', async () => {
  await goto('/people?search=nobody-of-this-name')
  await page.getByText('No results for “nobody-of-this-name”.').waitFor()
  assert.equal(await page.getByText(/[Ff]ilter/).count(), 0)
  await page.getByRole('button', { name: 'Clear search' }).click()
  await page.getByRole('row').filter({ hasText: 'tablet' }).getByRole('cell').last().click()
  await page.waitForURL(/people\/devices\/tablet$/)
})

test('somebody who was erased and came back is shown with both days (C-ERASE-10)', async () => {
  await identify(ws.app, 'returning-phone', 'returning', { name: 'Layla', traits: { plan: 'gold' } })
  await goto('/people/returning')
  await page.getByRole('heading', { level: 1, name: 'Layla' }).waitFor()
  assert.equal(await page.getByText(/^Erased on/).count(), 0)
  const { id } = expectStatus(await admin.delete('/users/returning'), 200).data
  await until('erased', async () => (await admin.get(`/erasures/${id}`)).data.status === 'complete')
  await identify(ws.app, 'returning-phone', 'returning', { name: 'Layla' })
  await goto('/people/returning')
  await page.getByText(/^Erased on \d+ \w+ \d{4}, back since \d+ \w+ \d{4}, \d\d:\d\d/).waitFor()
  await expectPresentable('person-returned')
})

test('a page says what the person sees, and leads to why', async () => {
  await identify(ws.app, 'nora-phone', 'nora', { name: 'Nora', traits: { plan: 'gold' } })
  await ws.block('promo')
  await ws.instance('promo', { title: 'For all', values: { '#title': 'Hello' } })
  await ws.instance('promo', { title: 'For gold', seg: 'Gold', values: { '#title': 'Gold' } })
  await ws.instance('promo', { title: 'For others', seg: 'Silver', values: { '#title': 'Silver' } })
  await goto('/people/nora')
  const sees = page.getByRole('region', { name: 'What this person sees' })
  await sees.getByRole('link', { name: 'For all', exact: true }).waitFor()
  await sees.getByRole('link', { name: 'For gold', exact: true }).waitFor()
  assert.equal(await sees.getByRole('link', { name: 'For others', exact: true }).count(), 0)
  await sees.getByRole('button', { name: /Show 1 more/ }).click()
  await expectPresentable('person-sees')
  await sees.getByRole('link', { name: 'Why: For others' }).click()
  await page.getByText("The device isn't in Silver.").waitFor()
})
