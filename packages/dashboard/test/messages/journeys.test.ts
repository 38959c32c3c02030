/** Journeys: from a template to one that runs, changed beside the canvas, tried out, and read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check, enroll, makeJourney, setStatus, startJourney, wait } from '../../../server/test/builders/journeys.ts'
import { addPeople, openPush } from '../../../server/test/builders/sends.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { app, ws, page, admin, goto, inArabic, inEnglish, inWidth, expectPresentable, openAs } = await openDashboard()
await addPeople(ws, ['sara', 'omar'], (id) => (id === 'omar' ? { consent: { push: false } } : {}))

const dialog = page.getByRole('dialog')
const button = (name: string | RegExp) => page.getByRole('button', { name })
const journeyOf = async (id: string) => expectStatus(await admin.get(`/journeys/${id}`), 200).data
const idInAddress = () => /journeys\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
const PUSH = { id: 'push', type: 'send', channel: 'push', content: { en: { title: 'Hi', body: 'x' }, ar: { title: 'أهلًا', body: 'x' } } }

test('G-57 a journey is made from a template, looked at and activated', async () => {
  await goto('/journeys')
  await page.getByText('No journeys yet').waitFor()
  await expectPresentable('journeys-empty')
  await page.getByRole('link', { name: /^Welcome/ }).click()
  await button(/^Trigger Signs up/).waitFor()
  await expectPresentable('journey-template')
  await button('Save draft').click()
  await page.waitForURL(/journeys\/[0-9a-f-]{36}/)
  const { name, status, trigger, steps } = await journeyOf(idInAddress())
  assert.deepEqual([name, status, trigger], ['Welcome', 'draft', { type: 'event', eventType: 'SIGN_UP' }])
  assert.deepEqual(
    steps.map(({ type }: any) => type),
    ['in_app', 'wait', 'condition'],
  )
  await button('Activate').click()
  await dialog.getByText(/Push is not connected/).waitFor()
  await expectPresentable('journey-activate')
  await dialog.getByRole('button', { name: 'Activate anyway' }).click()
  await page.getByText('Pause the journey to edit it.').waitFor()
  assert.equal((await journeyOf(idInAddress())).status, 'active')
  await button('Pause').click()
  await dialog.getByRole('button', { name: 'Pause' }).click()
  await button('Resume').waitFor()
  await goto('/journeys')
  await page
    .getByRole('row', { name: /Welcome/ })
    .getByText('Paused')
    .waitFor()
  await expectPresentable('journeys-list')
})

test('a template is stored as it is, and a journey once what it needs is chosen', async () => {
  expectStatus(
    await admin.post('/segments', {
      name: 'Has a cart',
      logicalOperator: 'AND',
      rules: [{ field: 'customAttributes.cartItems', operator: 'exists' }],
    }),
    201,
  )
  for (const template of ['winBack', 'cart']) {
    await goto(`/journeys/new?template=${template}`)
    await button('Save draft').click()
    await page.waitForURL(/journeys\/[0-9a-f-]{36}/)
  }
  const { entry, exitOn } = await journeyOf(idInAddress())
  assert.deepEqual([entry.policy, exitOn[0].sameKey], ['every_event', true])
  const trigger = { type: 'segment_entry', segment: '' }
  const { id } = await makeJourney(admin, { name: 'By segment', trigger, steps: [PUSH], incomplete: true })
  await goto(`/journeys/${id}`)
  await button('1 thing is missing').waitFor()
  await button(/^Trigger/).click()
  await page.getByText('Choose a segment.').waitFor()
  await expectPresentable('journey-trigger')
  await page.getByRole('combobox', { name: 'Segment' }).click()
  await page.getByRole('option', { name: 'Has a cart' }).click()
  await until('the segment is saved', async () => (await journeyOf(id)).incomplete === false)
})

test('G-57 a journey begins by a date that people have, some days before it', async () => {
  const traits = { weddingDay: '2015-06-12' }
  expectStatus(await ws.app.post('/identify', { deviceId: 'D', userId: 'sara', consent: true, traits }), 200)
  await goto('/journeys/new?template=birthday')
  await button('Trigger birthday, 09:00').click()
  await page.getByText('Each person enters once a year').waitFor()
  const trait = page.getByRole('combobox', { name: 'Trait with the date' })
  await trait.fill('')
  await page.getByText('Enter the name of the trait with the date').waitFor()
  await page.getByRole('option', { name: 'weddingDay' }).click()
  await page.getByRole('textbox', { name: 'Days before' }).fill('3')
  await page.getByRole('combobox', { name: 'Hour' }).click()
  await page.getByRole('option', { name: '18:00' }).click()
  await button('Trigger 3 days before weddingDay, 18:00').waitFor()
  await expectPresentable('journey-date')
  await button('Save draft').click()
  await page.waitForURL(/journeys\/[0-9a-f-]{36}/)
  const { trigger } = await journeyOf(idInAddress())
  assert.deepEqual(trigger, { type: 'date', trait: 'weddingDay', daysBefore: 3, hour: 18 })
})

test('G-57 steps are added, changed, moved, removed and brought back, and what is wrong is said at the step', async () => {
  const { id } = await makeJourney(admin, { name: 'Edited', steps: [{ ...wait(60), id: 'pause' }] })
  await goto(`/journeys/${id}`)
  await button('Add step after Wait').click()
  await page.getByRole('menuitem', { name: /^Send a message/ }).click()
  await page.getByText('No text: nobody gets anything.').waitFor()
  await page.getByRole('textbox', { name: 'Title' }).fill('Hello')
  await page.getByText('Missing: Arabic.').waitFor()
  await page.getByRole('tab', { name: /^Arabic/ }).click()
  await page.getByRole('textbox', { name: 'Title' }).fill('أهلًا')
  await page.getByText('Missing: Arabic.').waitFor({ state: 'detached' })
  await expectPresentable('journey-send')
  await button('Move step earlier').click()
  await button('Add step after Wait').click()
  await page.getByRole('menuitem', { name: /^Condition/ }).click()
  await page.getByText('Add at least one step under “If met”.').waitFor()
  await expectPresentable('journey-condition')
  await button('Remove step').click()
  await button('Undo').click()
  await button(/^Condition/).waitFor()
  await button('Undo').click()
  await button(/^Condition/).waitFor({ state: 'detached' })
  await button('Save').click()
  await page.getByText('Journey saved').waitFor()
  const { steps } = await journeyOf(id)
  assert.deepEqual(
    steps.map(({ type }: any) => type),
    ['send', 'wait'],
  )
  assert.deepEqual(steps[0].content, { en: { title: 'Hello' }, ar: { title: 'أهلًا' } })
  assert.equal(steps[1].id, 'pause')
})

test('G-57 a split, waits until an hour and after a prayer and a goal are edited, and the versions say what changed', async () => {
  const { id } = await makeJourney(admin, { name: 'Ways', steps: [{ ...wait(60), id: 'pause' }] })
  await goto(`/journeys/${id}`)
  await button('Add step after Wait').click()
  await page.getByRole('menuitem', { name: /^Split/ }).click()
  await page.getByRole('textbox', { name: 'Who goes the first way' }).fill('30')
  await button('Add step under “30% of people”').click()
  await page.getByRole('menuitem', { name: /^Wait until a time/ }).click()
  await expectPresentable('journey-split')
  await button('Add step after Wait until a time').click()
  await page.getByRole('menuitem', { name: /^Wait until a time/ }).click()
  await page.getByText('After a prayer', { exact: true }).click()
  await page.getByRole('textbox', { name: 'Minutes after' }).fill('200')
  await page.getByText('Minutes after the prayer: enter a whole number from 0 to 180.').waitFor()
  await page.getByRole('textbox', { name: 'Minutes after' }).fill('25')
  await page.getByRole('combobox', { name: 'Place' }).click()
  await page.getByRole('option', { name: 'Jeddah' }).click()
  await button(/25 min after Isha \(Jeddah\)/).waitFor()
  await expectPresentable('journey-after-prayer')
  await button(/^Trigger/).click()
  await page.getByRole('combobox', { name: 'Goal' }).click()
  await page.getByRole('option', { name: 'Purchase' }).click()
  await button('Save').click()
  await page.getByText('Journey saved').waitFor()
  const { steps, goal } = await journeyOf(id)
  assert.deepEqual([steps[1].percent, steps[1].then[0].type, steps[1].then[0].hour], [30, 'wait_until', 9])
  const { id: _, ...prayer } = steps[1].then[1]
  assert.deepEqual(prayer, { type: 'wait_until', afterPrayer: 'isha', minutesAfter: 25, latitude: 21.4858, longitude: 39.1925 })
  assert.deepEqual(goal, { eventType: 'CONVERSION', days: 7 })
  await goto(`/journeys/${id}?tab=versions`)
  // What saved itself on the way is a version before the one that was saved by hand.
  await page
    .getByText(/^Steps added: Split/)
    .first()
    .waitFor()
  await expectPresentable('journey-versions')
})

test('the same is done with a keyboard and on a phone, where the steps are a list', async () => {
  const { id } = await makeJourney(admin, { name: 'On a phone', steps: [{ ...wait(60), id: 'pause' }] })
  await inWidth(390)
  await goto(`/journeys/${id}`)
  await button(/^Wait 1 hour/).focus()
  await page.keyboard.press('Enter')
  await dialog.getByRole('textbox', { name: 'Duration' }).fill('3')
  await expectPresentable('journey-step-phone')
  await page.keyboard.press('Escape')
  await button(/^Wait 3 hours/).waitFor()
  await inWidth(1440)
  // A draft saves itself.
  await until('the draft is saved', async () => (await journeyOf(id)).steps[0].minutes === 180)
})

test('G-57 a draft saves itself though something is missing, says what, and is activated when nothing is', async () => {
  await goto('/journeys/new?template=blank')
  await button('Save draft').click()
  await page.waitForURL(/journeys\/[0-9a-f-]{36}/)
  const id = idInAddress()
  await page.getByText('Incomplete', { exact: true }).waitFor()
  await button(/^Add step/)
    .first()
    .click()
  await page.getByRole('menuitem', { name: /^Condition/ }).click()
  await until('the open condition is saved', async () => (await journeyOf(id)).steps[0]?.type === 'condition')
  await button(/^Trigger/).click()
  await page.getByRole('combobox', { name: 'Trigger' }).click()
  await page.getByRole('option', { name: 'Inactivity' }).click()
  await page.getByRole('textbox', { name: 'Days without a sign' }).fill('')
  await until('the open number is saved', async () => (await journeyOf(id)).trigger.days === null)
  assert.equal(await button('Activate').isDisabled(), true)
  await button(/things are missing$/).click()
  await dialog.getByText(/^The draft is saved all the same/).waitFor()
  await expectPresentable('journey-missing')
  await dialog.getByRole('button', { name: /^Trigger/ }).click()
  // What was stored is there again, an open number as an open field.
  await goto(`/journeys/${id}`)
  await button(/^Trigger/).click()
  assert.equal(await page.getByRole('textbox', { name: 'Days without a sign' }).inputValue(), '')
  await goto('/journeys')
  await page
    .getByRole('row', { name: /Untitled journey/ })
    .getByText('Incomplete')
    .waitFor()
  await expectPresentable('journeys-incomplete')
  await goto(`/journeys/${id}?tab=try`)
  await page.getByText('It can be tried when nothing is missing.').waitFor()
  await goto(`/journeys/${id}`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Whole at last')
  await button(/^Trigger/).click()
  await page.getByRole('textbox', { name: 'Days without a sign' }).fill('20')
  await button(/^Condition/).click()
  await button('Remove step').click()
  await page.getByText('Incomplete', { exact: true }).waitFor({ state: 'detached' })
  const { incomplete, trigger } = await journeyOf(id)
  assert.deepEqual([incomplete, trigger], [false, { type: 'inactivity', days: 20 }])
  assert.equal(await button('Activate').isEnabled(), true)
})

test('whoever saves over what another member saved does so on purpose', async () => {
  const { id } = await makeJourney(admin, { name: 'Two at once', steps: [wait(60)] })
  await goto(`/journeys/${id}`)
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Mine')
  expectStatus(await admin.put(`/journeys/${id}`, { name: 'Theirs' }), 200)
  await button('Save').click()
  await page.getByText('Another member saved this journey').waitFor()
  await button('Overwrite with mine').click()
  await page.getByText('Another member saved this journey').waitFor({ state: 'detached' })
  assert.equal((await journeyOf(id)).name, 'Mine')
})

test('a journey is tried out on people: who gets what when, and why not', async () => {
  const { id } = await makeJourney(admin, { name: 'Tried', steps: [{ ...wait(1_500), id: 'day' }, PUSH] })
  await goto(`/journeys/${id}?tab=try`)
  for (const person of ['sara', 'omar']) {
    await page.getByRole('combobox', { name: 'Add a person' }).fill(person)
    await page
      .getByRole('option', { name: new RegExp(person) })
      .first()
      .click()
  }
  await button('Try it').click()
  await page.getByText('People: 2. After 30 days:').waitFor()
  await page
    .getByRole('row', { name: /Push/ })
    .getByText(/No consent: hasn’t agreed to this channel/)
    .waitFor()
  await button(/sara/).filter({ hasText: 'Completed the journey' }).click()
  await page.getByText('Push: sent').filter({ visible: true }).waitFor()
  await page.getByText('Day 1, 01:00').filter({ visible: true }).first().waitFor()
  await expectPresentable('journey-try')
})

test('G-57 a journey is tried with what people would do meanwhile', async () => {
  const rule = { field: 'behavioral.conversions', operator: 'greater_than', value: 0 }
  const steps = [
    { ...wait(1_500), id: 'day' },
    { id: 'bought', type: 'condition', rule, then: [PUSH], else: [{ id: 'out', type: 'exit' }] },
  ]
  const { id } = await makeJourney(admin, { name: 'Bought', steps, goal: { eventType: 'CONVERSION', days: 7 } })
  await goto(`/journeys/${id}?tab=try`)
  await page.getByRole('combobox', { name: 'Add a person' }).fill('sara')
  await page.getByRole('option', { name: /sara/ }).first().click()
  await button('Add an event').click()
  await page.getByRole('textbox', { name: 'After' }).fill('3')
  await button('Try it').click()
  await page.getByText('They reach the goal on day 0, 03:00.').waitFor()
  await page
    .getByRole('row', { name: /Condition/ })
    .getByText('If met: 1')
    .waitFor()
  await expectPresentable('journey-try-events')
  await button('Remove event').click()
  await button('Try it').click()
  await page.getByText('They reach the goal').waitFor({ state: 'detached' })
})

test('M-JRN-01 people are added, the steps and the report count them, and a person shows what happened and why', async () => {
  await (await openPush()).connect(admin)
  const id = await startJourney(ws, { name: 'Counted', steps: [PUSH, { ...wait(60), id: 'pause' }] })
  await goto(`/journeys/${id}?tab=people`)
  await button('Add people').click()
  await dialog.getByRole('textbox', { name: 'User IDs' }).fill('sara\nomar, nobody')
  await dialog.getByRole('button', { name: 'Add people' }).click()
  await dialog.getByText('Not found: nobody').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'sara' }).waitFor()
  await check(app.operator)
  await goto(`/journeys/${id}`)
  await button(/Entered 2/).waitFor()
  await button(/Push.*Skipped 1/).waitFor()
  await expectPresentable('journey-counts')
  await goto(`/journeys/${id}?tab=report`)
  await page
    .getByRole('row', { name: /Push/ })
    .getByText(/No consent: hasn’t agreed to this channel/)
    .waitFor()
  await expectPresentable('journey-report')
  await goto(`/journeys/${id}?tab=people`)
  await page
    .getByText(/Wait · Waiting until/)
    .first()
    .waitFor()
  await expectPresentable('journey-people')
  await goto('/people/omar?tab=journeys')
  await page.getByText(/Push: Hi: not sent \(No consent: hasn’t agreed to this channel\)/).waitFor()
  await page.getByText(/Wait: Waiting until/).waitFor()
  await page.getByRole('combobox', { name: 'Journey' }).click()
  await page.getByRole('option', { name: 'Tried' }).click()
  await page.getByText('The journey is not live: it takes and moves nobody.').waitFor()
  await expectPresentable('journeys-of-person')
  await inArabic()
  await page.getByText(/بالانتظار حتى/).waitFor()
  await inEnglish()
})

test('a viewer sees journeys and changes none', async () => {
  const { id } = await makeJourney(admin, { name: 'Seen', steps: [PUSH] })
  const viewer = await openAs('viewer')
  await viewer.goto(`/journeys/${id}`)
  await viewer.page.getByRole('button', { name: /^Push/ }).click()
  assert.equal(await viewer.page.getByRole('textbox', { name: 'Title' }).isDisabled(), true)
  await viewer.page.getByRole('tab', { name: 'Arabic' }).click()
  assert.equal(await viewer.page.getByRole('textbox', { name: 'Title' }).inputValue(), 'أهلًا')
  assert.equal(await viewer.page.getByRole('button', { name: /^(Save|Activate|Add step)/ }).count(), 0)
  await viewer.context.close()
  expectStatus(await setStatus(admin, id, 'active'), 200)
  await enroll(ws, id, ['sara'])
})

test('G-54 G-92 where launches are protected, activating and resuming a journey ask for a code, and only the right one does it', async () => {
  expectStatus(await admin.put('/settings/launch-protection', { mode: 'otp' }), 200)
  const { id } = await makeJourney(admin, { name: 'Protected', steps: [{ ...wait(60), id: 'pause' }] })
  await goto(`/journeys/${id}`)
  const sendCode = async () => {
    const sent = page.waitForResponse((response) => response.url().endsWith(`/journeys/${id}/launch-otp`))
    await dialog.getByRole('button', { name: 'Send code' }).click()
    const { data } = (await (await sent).json()) as { data: { code: string } }
    await dialog.getByText(/Code sent to/).waitFor()
    return data.code
  }
  const code = dialog.getByLabel('One-time code')
  // What is not saved yet is saved first, once.
  await page.getByRole('button', { name: /^Wait/ }).first().click()
  await page.getByRole('textbox', { name: 'Duration' }).fill('2')
  await button('Close').click()
  await button('Activate').click()
  const right = await sendCode()
  await code.fill(right === '000000' ? '000001' : '000000')
  await dialog.getByRole('button', { name: /^Activate/ }).click()
  await dialog.getByText('The code is wrong or no longer valid.').waitFor()
  assert.equal((await journeyOf(id)).status, 'draft')
  await expectPresentable('journey-code')
  await code.fill(right)
  await dialog.getByRole('button', { name: /^Activate/ }).click()
  await page.getByText('Pause the journey to edit it.').waitFor()
  const stored = await journeyOf(id)
  assert.deepEqual([stored.status, stored.steps[0].minutes], ['active', 120])
  await button('Pause').click()
  await dialog.getByRole('button', { name: 'Pause' }).click()
  await button('Resume').click()
  await dialog.getByRole('button', { name: /^Resume/ }).click()
  await dialog.getByText('The code is wrong or no longer valid.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(await page.getByText(/launch-otp|LAUNCH_OTP/).count(), 0, 'what only the API needs to know is not said')
  await button('Resume').click()
  assert.equal(await dialog.getByText('The code is wrong or no longer valid.').count(), 0, 'it begins anew')
  await code.fill(await sendCode())
  await dialog.getByRole('button', { name: /^Resume/ }).click()
  await page.getByText('Pause the journey to edit it.').waitFor()
  assert.equal((await journeyOf(id)).status, 'active')
  // Where a second person decides, it is they who are asked for the code.
  expectStatus(await admin.put('/settings/protections', { protections: { approveMessages: true } }), 200)
  const other = await makeJourney(admin, { name: 'Asked for', steps: [{ ...wait(60), id: 'pause' }] })
  await goto(`/journeys/${other.id}`)
  await button('Activate').click()
  await dialog.getByText('It goes live when an approver agrees.').waitFor()
  assert.equal(await code.count(), 0)
  await dialog.getByRole('button', { name: /^Activate/ }).click()
  await page.getByText('Submitted for review').first().waitFor()
  await dialog.waitFor({ state: 'detached' })
  expectStatus(await admin.put('/settings/protections', { protections: { approveMessages: false } }), 200)
  expectStatus(await admin.put('/settings/launch-protection', { mode: 'off' }), 200)
})
