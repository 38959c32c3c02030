/** Somebody of whom very much is known: the page begins with who it is, and stays a page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '../../../server/test/builders/campaigns.ts'
import { makeJourney } from '../../../server/test/builders/journeys.ts'
import { identify } from '../../../server/test/builders/people.ts'
import { addPeople, openEmail } from '../../../server/test/builders/sends.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { ws, page, admin, goto, inWidth, expectPresentable } = await openDashboard({
  isDemo: false,
})

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const BOUND = 4_000

await addPeople(ws, ['noura'])
await identify(ws.testApp, 'phone-of-tester', 'tester')
for (const n of numbers(39)) await identify(ws.app, `phone-of-noura-${n}`, 'noura')
const traits = Object.fromEntries(numbers(45).map((n) => [`trait_${n}`, `value ${n}`]))
const said = { userId: 'noura', consent: true, name: 'Noura Al-Otaibi', traits: { ...traits, plan: 'gold' } }
const fromSaudiArabia = { headers: { 'accept-language': 'ar-SA' } }
expectStatus(await ws.app.post('/identify', { deviceId: 'phone-of-noura-40', ...said }, fromSaudiArabia), 200)
expectStatus(await admin.post('/users/bulk/contacts', { contacts: [{ userId: 'noura', country: 'SA' }] }), 200)
for (const n of numbers(30)) {
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  expectStatus(await admin.post('/segments', { name: `Segment ${n}`, logicalOperator: 'AND', rules }), 201)
}
await ws.block('promo')
for (const n of numbers(45)) await ws.instance('promo', { title: `Offer ${n}` })
const fromPhone = { headers: { 'x-cf-device': 'phone-of-noura-1' } }
for (const n of numbers(40)) expectStatus(await admin.put('/users/noura/opt-out', { optedOut: n % 2 === 1 }), 200)
for (const n of numbers(6)) {
  const events = numbers(50).map((each) => ({ type: `event_${n}_${each}` }))
  expectStatus(await ws.app.post('/events', { events }, fromPhone), 202)
}
const email = await openEmail()
await email.connect(admin)
for (const n of numbers(60))
  expectStatus(
    await admin.post('/notifications', { userId: 'noura', channel: 'email', content: { title: `Message ${n}`, body: 'x' } }),
    200,
  )

await until(
  'the person is in every segment',
  async () => expectStatus(await admin.get('/users/noura'), 200).data.segmentNames.length === 30,
)

const heightOf = () => page.evaluate(() => document.documentElement.scrollHeight)

const openNoura = async (tab: string) => {
  await goto(`/people/noura?tab=${tab}`)
  await page.waitForLoadState('networkidle')
}

test('a page of somebody with 41 devices, 300 events and 60 messages stays short, and begins with who it is', async () => {
  for (const width of [1440, 390]) {
    await inWidth(width)
    for (const tab of ['overview', 'consent', 'events', 'messages', 'journeys']) {
      await openNoura(tab)
      const height = await heightOf()
      assert.ok(height < BOUND, `${tab} is ${height} px high in a window of ${width} px`)
    }
  }
  await openNoura('overview')
  const headings = await page.getByRole('main').getByRole('heading').allTextContents()
  assert.deepEqual(headings.slice(0, 3), ['Noura Al-Otaibi', 'Identity', 'Segments'])
  const identity = page.getByRole('region', { name: 'Identity' })
  for (const known of ['noura@example.com', 'Arabic', 'Saudi Arabia']) await identity.getByText(known).first().waitFor()
  await inWidth(1440)
  await expectPresentable('person-long')
})

test('what is not shown at first comes when it is asked for', async () => {
  await openNoura('overview')
  const devices = page.getByRole('region', { name: 'Devices' })
  const segments = page.getByRole('region', { name: 'Segments' })
  assert.equal(await devices.getByRole('link').count(), 5)
  await devices.getByText('5 of 41').waitFor()
  await page.getByRole('button', { name: 'Show more: Devices' }).click()
  assert.equal(await devices.getByRole('link').count(), 25)
  await page.getByRole('button', { name: 'Show more: Devices' }).click()
  await page.getByRole('button', { name: 'Show more: Devices' }).waitFor({ state: 'detached' })
  assert.equal(await devices.getByRole('link').count(), 41)
  assert.equal(await segments.getByRole('button', { name: /why/i }).count(), 8)
  await page.getByRole('button', { name: 'Show more: Segments' }).click()
  assert.equal(await segments.getByRole('button', { name: /why/i }).count(), 28)
  await openNoura('events')
  assert.equal(await page.getByRole('row').count(), 21)
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('40 of 300').waitFor()
  await openNoura('consent')
  const timeline = page.getByRole('region', { name: 'Consent history' })
  const decisions = timeline.getByText('Opt-out recorded or removed')
  const before = await decisions.count()
  await page.getByRole('button', { name: 'Show more: Consent history' }).click()
  await decisions.nth(before).waitFor()
})

test('an unknown tab in the address opens the first one, on every page with tabs', async () => {
  const segment = expectStatus(await admin.get('/segments'), 200).data.segments[0].id
  const journey = await makeJourney(admin, { name: 'Welcome', trigger: { type: 'segment_entry', segment: 'Segment 1' } })
  const campaign = await create(await ws.editor(), { name: 'Eid', segments: ['Segment 1'] })
  const pages = [
    ['/people/noura', 'Overview'],
    [`/segments/${segment}`, 'Rules'],
    [`/journeys/${journey.id}`, 'Steps'],
    [`/campaigns/${campaign.id}`, 'Campaign'],
    ['/data', 'Imports'],
  ] as const
  for (const [path, name] of pages) {
    await goto(`${path}?tab=of-another-time`)
    await page.getByRole('tab', { name, exact: true, selected: true }).waitFor()
    await page.getByRole('tabpanel', { name, exact: true }).waitFor()
  }
  await goto('/people/tester?environment=test&tab=messages')
  await page.getByRole('tabpanel', { name: 'Overview' }).waitFor()
  await goto('/content?view=of-another-time')
  await page.getByRole('radio', { name: 'By screen', checked: true }).waitFor({ state: 'attached' })
})
