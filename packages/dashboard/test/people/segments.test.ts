/** Segments as a marketer meets them: found, made, explained, kept from harm. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { rollUp, track } from '../../../server/test/builders/events.ts'
import { identify } from '../../../server/test/builders/people.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { ws, app, page, admin, goto, shot, openAs, expectPresentable, inArabic, inEnglish, setOffline } = await openDashboard({
  isDemo: false,
})

const PLANS = ['gold', 'gold', 'gold', 'platinum', 'basic']
for (const [index, plan] of PLANS.entries())
  await identify(ws.app, `phone-${index}`, `user-${index}`, {
    ...(index === 2 && { name: 'Huda Nasser', email: 'huda@example.com' }),
    traits: { plan, cart_total: index * 100, tags: ['a', 'b'] },
  })

type Rules = { logicalOperator?: 'AND' | 'OR'; excludedSegments?: string[]; updateFrequency?: string }
async function segment(name: string, rules: unknown[], { logicalOperator = 'AND', ...more }: Rules = {}): Promise<string> {
  return expectStatus(await admin.post('/segments', { name, logicalOperator, rules, ...more }), 201).data.id
}
const stored = async (id: string) => expectStatus(await admin.get(`/segments/${id}`), 200).data

const GOLD = { field: 'customAttributes.plan', operator: 'equals', value: 'gold' }
const gold = await segment('Gold', [GOLD])
const vip = await segment(
  'VIP',
  [
    GOLD,
    {
      logicalOperator: 'OR',
      conditions: [
        { field: 'customAttributes.cart_total', operator: 'greater_than', value: 150 },
        { field: 'lifecycle', operator: 'equals', value: 'engaged' },
      ],
    },
  ],
  { updateFrequency: 'daily' },
)

/** Nth row's field is chosen by typing its name. */
async function pickField(at: Page, row: number, text: string, option: string | RegExp): Promise<void> {
  await at
    .getByRole('button', { name: /^Field:/ })
    .nth(row)
    .click()
  await at.getByRole('textbox', { name: 'Search fields or type a name' }).fill(text)
  await at.getByRole('option', { name: option }).first().click()
}
async function compare(at: Page, row: number, words: string): Promise<void> {
  await at.getByRole('combobox', { name: 'Comparison' }).nth(row).click()
  await at.getByRole('option', { name: words, exact: true }).click()
}
const count = (at: Page, people: string) => at.getByRole('status').filter({ hasText: people })

test('the list says who is meant in words, how many, and how fresh the number is', async () => {
  await goto('/segments')
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'VIP', exact: true }) })
  await row.getByText('plan is gold and (cart_total is more than 150 or Lifecycle stage is engaged)').waitFor()
  await row.getByText(/^Follows every change. Up to date as of/).waitFor()
  await row.getByText('Every day').waitFor()
  await row.getByRole('cell', { name: '1', exact: true }).waitFor()
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('gol')
  await page.getByRole('link', { name: 'VIP', exact: true }).waitFor({ state: 'detached' })
  assert.match(page.url(), /search=gol/)
  await goto('/segments')
  await expectPresentable('segments')
})

test('a segment is made from fields that occur, with a live count beside it, and leads to its own page (M-SEG-01)', async () => {
  await goto('/segments/new')
  await page.getByRole('button', { name: 'Create segment' }).click()
  await page.getByText('Enter a name.').waitFor()
  await page.getByText('Choose a field.').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('Spenders')
  await pickField(page, 0, 'plan', /^plan.*gold/)
  await compare(page, 0, 'is one of')
  await page.getByRole('combobox', { name: 'Values' }).fill('gold')
  await page.keyboard.press('Enter')
  await page.keyboard.type('platinum')
  await page.keyboard.press('Enter')
  await count(page, '4 people').waitFor()
  await page.getByRole('button', { name: 'Add group' }).first().click()
  await pickField(page, 1, 'cart', /^cart_total/)
  await compare(page, 1, 'is between')
  await page.getByRole('textbox', { name: 'From' }).fill('100')
  await page.getByRole('textbox', { name: 'To', exact: true }).fill('300')
  await count(page, '3 people').waitFor()
  await page.getByRole('link', { name: /user-3/ }).waitFor()
  await expectPresentable('segment-new')
  await page.getByRole('button', { name: 'Create segment' }).click()
  await page.waitForURL(/segments\/[0-9a-f-]{36}$/)
  await page.getByRole('heading', { level: 1, name: 'Spenders' }).waitFor()
  const { rules, logicalOperator, memberCount } = await stored(page.url().split('/').at(-1) ?? '')
  assert.equal(memberCount, 3)
  assert.equal(logicalOperator, 'AND')
  assert.deepEqual(rules, [
    { field: 'customAttributes.plan', operator: 'in', value: ['gold', 'platinum'] },
    { logicalOperator: 'OR', conditions: [{ field: 'customAttributes.cart_total', operator: 'between', value: [100, 300] }] },
  ])
})

test('groups go six levels deep and no deeper (C-SEG-14)', async () => {
  await goto('/segments/new')
  for (let level = 0; level < 6; level++) await page.getByRole('button', { name: 'Add group' }).first().click()
  assert.equal(await page.getByRole('button', { name: 'Add group' }).count(), 6)
  await page.getByText('Groups can be nested six levels deep.').waitFor()
  await shot('segment-six-levels-390', { width: 390 })
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Leave' }).click()
})

test('what came by the API and has no control is kept as it is, shown in words, and warned of', async () => {
  const strange = [
    { field: 'customAttributes.tags', operator: 'equals', value: ['a', 'b'] },
    { field: 'customAttributes.joined', operator: 'date_after', value: '2026-03-01' },
    { field: 'enrichment.tier', operator: 'equals', value: null },
    { field: 'demographic.country', operator: 'in', value: ['SA', 5] },
  ]
  const id = await segment('From the API', strange, { logicalOperator: 'OR' })
  await goto(`/segments/${id}`)
  await page.getByText('tags is the list a, b').waitFor()
  await page.getByText(/Never met: dates in traits/).waitFor()
  await page.getByText(/Never met for content/).waitFor()
  assert.equal(await page.getByText('Created through the API. Not editable here.').count(), 3)
  await expectPresentable('segment-from-api')
  await page.getByRole('textbox', { name: 'Name' }).fill('Renamed')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor()
  assert.deepEqual((await stored(id)).rules, strange)
})

test('a pattern that the server cannot run is refused at its row (C-SEG-34)', async () => {
  const id = await segment('Pattern', [{ field: 'demographic.email', operator: 'regex', value: '@a' }])
  await goto(`/segments/${id}`)
  await page.getByRole('textbox', { name: 'Pattern' }).fill('(')
  await page.getByText("The pattern isn't valid").waitFor()
  await page.getByRole('textbox', { name: 'Pattern' }).fill('(?=x)y')
  await page.getByText(/look-around is not supported/).waitFor()
  await page.getByRole('textbox', { name: 'Pattern' }).fill('@a')
  await page.getByText(/look-around/).waitFor({ state: 'detached' })
})

test('a second editor does not write over the first', async () => {
  const id = await segment('Shared', [GOLD])
  await goto(`/segments/${id}`)
  await page.getByRole('combobox', { name: 'Value', exact: true }).fill('platinum')
  await page.keyboard.press('Escape')
  expectStatus(await admin.put(`/segments/${id}`, { updateFrequency: 'weekly' }), 200)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Someone else changed this segment').waitFor()
  assert.equal((await stored(id)).rules[0].value, 'gold')
  await page.getByRole('button', { name: 'Save mine' }).click()
  await page.getByText('Segment saved').first().waitFor()
  assert.equal((await stored(id)).rules[0].value, 'platinum')
})

test('what was typed stays when the server is not reached, and is saved when it is back', async () => {
  const id = await segment('Away', [GOLD])
  await goto(`/segments/${id}`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Back again')
  await setOffline(true)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText("Can't reach the server").first().waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Back again')
  await setOffline(false)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1, name: 'Back again' }).waitFor()
  assert.equal((await stored(id)).name, 'Back again')
})

test('renaming names the content that is for the segment and renames it with it; left behind, it is warned of', async () => {
  await ws.block('promo', { name: 'Promo' })
  const { id: promo } = await ws.instance('promo', { title: 'Summer', seg: 'Regulars', values: { '#title': 'x' } })
  const id = await segment('Regulars', [GOLD])
  await identify(ws.app, 'phone-0', 'user-0')
  await goto(`/segments/${id}`)
  const rename = async (name: string) => {
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename segment?' })
    await dialog.getByRole('link', { name: '“Summer” in Promo' }).waitFor()
    return dialog
  }
  const targeted = async () => expectStatus(await admin.get(`/blocks/promo/instances/${promo}`), 200).data.seg
  const first = await rename('Loyal')
  await first.getByText('It keeps reaching the same people, under the new name.').waitFor()
  await shot('segment-rename')
  await inArabic()
  await page.getByRole('dialog', { name: 'تغيير اسم الشريحة؟' }).waitFor()
  await shot('segment-rename-ar-390', { width: 390 })
  await inEnglish()
  await first.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('heading', { level: 1, name: 'Loyal' }).waitFor()
  assert.equal(await targeted(), 'Loyal')
  assert.equal((await ws.blocks('phone-0')).length, 1)
  const second = await rename('Devoted')
  await second.getByRole('checkbox', { name: 'Rename it in this content too' }).uncheck()
  await second.getByText('It reaches no one until it targets another segment.').waitFor()
  await second.getByRole('button', { name: 'Rename' }).click()
  await page.getByText('Content still targets “Loyal” and reaches no one.').waitFor()
  assert.equal(await targeted(), 'Loyal')
  await goto(`/content/promo/${promo}`)
  await page.getByRole('img', { name: "Targets a segment that doesn't exist: Loyal" }).waitFor()
  await shot('instance-unknown-segment')
  await goto('/content?view=table')
  await page
    .getByRole('row', { name: /Summer/ })
    .getByText('Reaches no one')
    .waitFor()
  await shot('instances-unknown-segment')
})

test('a name that is taken is said at the name (M-SEG-03)', async () => {
  await goto(`/segments/${vip}`)
  await page.getByRole('textbox', { name: 'Name' }).fill('Gold')
  await page.getByText('Content that targets “VIP” can be renamed with it.').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Another segment has this name.').waitFor()
  assert.equal((await stored(vip)).name, 'VIP')
  await page.getByRole('textbox', { name: 'Name' }).fill('VIP')
})

test('one person is explained row by row with what was found', async () => {
  await goto(`/segments/${vip}?tab=explain&person=user-1`)
  await page.getByText('Not in “VIP”').waitFor()
  await page.getByText('Found: gold').waitFor()
  await page.getByText('Found: 100').waitFor()
  await page.getByText('Found: new').waitFor()
  await expectPresentable('segment-explain')
  const person = page.getByRole('combobox', { name: 'Person: name, email, phone or ID' })
  await person.fill('Huda')
  await page.getByRole('option', { name: /Huda Nasser.*user-2/ }).waitFor()
  await shot('segment-explain-picker')
  await page.keyboard.press('Enter')
  await page.getByText('In “VIP”', { exact: true }).waitFor()
  await person.fill('nobody')
  await page.getByRole('option', { name: /nobody/ }).click()
  await page.getByText('No person with this ID in this environment.').waitFor()
})

test('the people in it are listed and lead to their pages', async () => {
  await goto(`/segments/${gold}?tab=members`)
  const huda = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Huda Nasser user-2' }) })
  await huda.getByText('huda@example.com').waitFor()
  assert.equal(await page.getByRole('link', { name: /user-\d$/ }).count(), 3)
  await expectPresentable('segment-members')
})

test('deleting names what uses the segment first; a second yes deletes it anyway', async () => {
  const id = await segment('Staff', [GOLD])
  const other = await segment('Others', [GOLD], { excludedSegments: ['Staff'] })
  await goto(`/segments/${id}`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('link', { name: 'excluded from “Others”' }).waitFor()
  await shot('segment-delete-used')
  expectStatus(await admin.get(`/segments/${id}`), 200)
  await dialog.getByRole('button', { name: 'Delete anyway' }).click()
  await page.waitForURL(/segments$/)
  expectStatus(await admin.get(`/segments/${id}`), 404)
  assert.deepEqual((await stored(other)).excludedSegments, [])
})

test('a viewer reads the rules and is offered nothing that changes them', async () => {
  const viewer = await openAs('viewer')
  await viewer.goto('/segments')
  assert.equal(await viewer.page.getByRole('link', { name: 'New segment' }).count(), 0)
  await viewer.goto(`/segments/${vip}`)
  await viewer.page.getByText('plan is gold').waitFor()
  for (const name of ['Save', 'Recalculate', 'More', 'Add condition'])
    assert.equal(await viewer.page.getByRole('button', { name }).count(), 0, name)
  await viewer.context.close()
})

test('the rows are made by keyboard alone, in Arabic too', async () => {
  // What the browser kept of earlier new segments would be there again.
  await goto('/segments')
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('cf.kept.')) localStorage.removeItem(key)
  })
  await goto('/segments/new')
  await inArabic()
  await page.getByRole('button', { name: /^الحقل/ }).focus()
  await page.keyboard.press('Enter')
  // It takes the letters once it is focused, a moment after it is there.
  await page
    .getByRole('textbox', { name: /البحث في الحقول/ })
    .and(page.locator(':focus'))
    .waitFor()
  await Promise.all([page.waitForResponse(/segments\/fields\?search=plan/), page.keyboard.type('plan')])
  await page.getByRole('option').filter({ hasNotText: 'plan' }).first().waitFor({ state: 'detached' })
  await page.locator('[data-combobox-selected]', { hasText: 'plan' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'القيمة', exact: true }).focus()
  await page.keyboard.type('gold')
  await count(page, '3').waitFor()
  await inEnglish()
  await page.getByRole('link', { name: 'Home' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
})

test('G-94 a viewer is told no small number of a segment that imported data decide on, wherever it stands, in either language', async () => {
  const rules = [{ field: 'enrichment.tier', operator: 'equals', value: 'gold' }]
  const { id } = expectStatus(await admin.post('/segments', { name: 'By tier', logicalOperator: 'AND', rules }), 201).data
  await ws.block('promo')
  const item = await ws.instance('promo', { values: { '#title': 'Tier' }, seg: 'By tier' })
  const viewer = await openAs('viewer')
  const few = viewer.page.getByText('Fewer than 5 people')
  await viewer.goto('/segments')
  await viewer.page
    .getByRole('row', { name: /By tier/ })
    .getByText('Fewer than 5 people')
    .waitFor()
  await viewer.expectPresentable('segments-few')
  await viewer.goto(`/segments/${id}`)
  await few.first().waitFor()
  await viewer.shot('segment-few-390', { width: 390 })
  await viewer.goto(`/content/promo/${item.id}`)
  await few.first().waitFor()
  await viewer.inArabic()
  await viewer.page.getByText('أقل من 5 أشخاص').first().waitFor()
  await viewer.context.close()
})

test('a condition on what somebody did is made as a sentence, counted while it is made, and explained', async () => {
  await track(ws.app, 'phone-0', [
    { type: 'purchase', properties: { total: 150 } },
    { type: 'purchase', properties: { total: 120 } },
  ])
  await track(ws.app, 'phone-1', [{ type: 'purchase', properties: { total: 20 } }])
  await rollUp(app.operator)
  await goto('/segments/new')
  await page.getByRole('textbox', { name: 'Name' }).fill('Two large purchases')
  await page.getByRole('button', { name: 'Did something' }).click()
  const row = page.getByRole('group', { name: 'Did something' })
  await page.getByRole('button', { name: 'Remove empty condition' }).click()
  await row.getByRole('combobox', { name: 'Type of event' }).fill('purchase')
  await row.getByRole('combobox', { name: 'How often' }).selectOption('greater_than_or_equal')
  await row.getByRole('button', { name: 'With a property' }).click()
  await row.getByRole('textbox', { name: 'Property' }).fill('total')
  await row.getByRole('textbox', { name: 'Value' }).fill('100')
  await count(page, '1').first().waitFor()
  await expectPresentable('segments-did-something')
  await page.getByRole('button', { name: 'Create segment' }).click()
  await page.getByRole('heading', { name: 'Two large purchases' }).waitFor()
  await goto('/segments')
  await page.getByText('did purchase at least 2 times, in the last 14 days, where total is more than 100').waitFor()
  const { id } = expectStatus(await admin.get('/segments?search=Two large'), 200).data.segments[0]
  assert.equal((await stored(id)).memberCount, 1)
  const why = expectStatus(await admin.get(`/segments/${id}/explain?person=user-0`), 200).data
  assert.equal(why.trace.rules[0].found.count, 2)
})
