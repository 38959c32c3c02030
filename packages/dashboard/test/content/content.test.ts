/** Content: instances on their screens, in a table and on a calendar; block types; new instances. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, openDashboard } from '../support/browser.ts'

const dashboard = await openDashboard()
const { page, goto, admin, ws, openAs, expectPresentable, layoutShift, inArabic, inEnglish, inWidth } = dashboard

const said = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor()
const group = (name: string) => page.getByRole('region', { name, exact: true })
const namesIn = (name: string) => group(name).getByRole('listitem').getByRole('link').allTextContents()
const main = page.getByRole('main')

async function storedOrder(blockKey: string): Promise<string[]> {
  const { data } = expectStatus(await admin.get(`/instances?blockKey=${blockKey}&limit=200`), 200)
  return data.instances.map(({ title }: { title: string }) => title)
}

/** Nothing of a drag is said before the page has drawn the step before. */
async function press(...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key)
    await page.waitForTimeout(120)
  }
}

test('G-37 each screen shows its block types with instances in the order of delivery', async () => {
  await goto('/content')
  for (const key of ['home_hero', 'promo_banner']) {
    const { name } = expectStatus(await admin.get(`/blocks/${key}`), 200).data
    await group(name).getByRole('listitem').first().waitFor()
    assert.deepEqual(await namesIn(name), await storedOrder(key))
  }
  await group('Category tile').getByRole('button', { name: 'Show all 8' }).click()
  await group('Category tile').getByRole('listitem').nth(7).waitFor()
  assert.deepEqual(await namesIn('Category tile'), await storedOrder('category_tile'))
  assert.ok((await layoutShift()) < 0.1, `jumped by ${await layoutShift()}`)
  await expectPresentable('content-screens')
})

test('one screen can be looked at alone, and its address shared', async () => {
  await goto('/content?screen=cart')
  await group('Cart tooltip').waitFor()
  assert.equal(await group('Home hero').count(), 0)
  await expectPresentable('content-screen')
  await page.getByText('All screens').click()
  await group('Home hero').waitFor()
})

test('the order is changed from the keyboard, is delivered at once, and can be undone', async () => {
  await goto('/content?screen=home')
  const before = await storedOrder('home_hero')
  const [first = '', second = '', third = '', ...rest] = before
  await group('Home hero')
    .getByRole('button', { name: `Move ${first}`, exact: true })
    .focus()
  await press('Space', 'ArrowDown', 'ArrowDown')
  await page.getByText(`${first} is at place 3 of ${before.length}.`).waitFor({ state: 'attached' })
  await press('Space')
  await said('Order saved')
  assert.deepEqual(await namesIn('Home hero'), [second, third, first, ...rest])
  assert.deepEqual(await storedOrder('home_hero'), [second, third, first, ...rest])
  await page.getByRole('button', { name: 'Undo' }).click()
  await said('Order restored')
  assert.deepEqual(await storedOrder('home_hero'), before)
  assert.deepEqual(await namesIn('Home hero'), before)
})

test('the order is changed by dragging, also in Arabic', async () => {
  await goto('/content?screen=home')
  await inArabic()
  const [first = '', second = '', ...rest] = await storedOrder('promo_banner')
  const handles = group('Promo banner').getByRole('button', { name: /^نقل/ })
  await handles.nth(1).scrollIntoViewIfNeeded()
  const [from, to] = [await handles.nth(0).boundingBox(), await handles.nth(1).boundingBox()]
  assert.ok(from && to)
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(to.x + to.width / 2, to.y + to.height, { steps: 8 })
  await page.mouse.up()
  await said('تم حفظ الترتيب')
  assert.deepEqual(await storedOrder('promo_banner'), [second, first, ...rest])
  await inEnglish()
})

test('an order that is refused goes back to what it was and says why', async () => {
  await goto('/content?screen=orders')
  const before = await storedOrder('order_toast')
  await page.route('**/instances/order', (route) =>
    route.fulfill({ status: 409, json: { success: false, error: 'Priorities have no room left' } }),
  )
  await group('Order toast').getByRole('button', { name: /^Move/ }).first().focus()
  await press('Space', 'ArrowDown', 'Space')
  await said('Priorities have no room left')
  await page.unroute('**/instances/order')
  assert.deepEqual(await namesIn('Order toast'), before)
})

test('the table is filtered by type, state, segment, language and text, all of it in the address', async () => {
  await goto('/content?view=table')
  const rows = page.getByRole('table').getByRole('row')
  const choose = async (filter: string, option: string) => {
    await page.getByRole('combobox', { name: filter, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  const expectRows = async (query: string) => {
    const { metadata } = expectStatus(await admin.get(`/instances?limit=200&${query}`), 200).body
    await page.getByText(`of ${metadata.total}`).waitFor()
    await rows.nth(metadata.total).waitFor()
    assert.equal(await rows.count(), metadata.total + 1)
  }
  await rows.nth(1).waitFor()
  await expectPresentable('content-table')
  await choose('Block type', 'Promo banner')
  await expectRows('blockKey=promo_banner')
  await choose('State', 'Draft')
  await expectRows('blockKey=promo_banner&state=draft')
  assert.match(page.url(), /type=promo_banner&state=draft/)
  await goto('/content?view=table')
  await choose('Audience', 'Everyone')
  await choose('Languages', 'Arabic: incomplete')
  await expectRows('segment=All%20users&missingLocale=ar')
  await page.getByRole('searchbox').fill('nothing has this name')
  await page.getByText('Nothing matches').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByText('50 of').waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expectRows('')
})

test('the calendar shows starts and ends on the days of the zone that it names', async () => {
  const [instance] = expectStatus(await admin.get('/blocks/order_toast/instances'), 200).data.instances
  // 22:30 UTC is the next day in Riyadh.
  const schedule = { startTime: '2031-03-09T22:30:00Z', endTime: '2031-03-20T05:00:00Z' }
  expectStatus(await admin.put(`/blocks/order_toast/instances/${instance.id}`, { schedule }), 200)
  await goto('/content?view=calendar&month=2031-03')
  await main.getByText('Times in Asia/Riyadh').waitFor()
  const cell = (day: string) => page.getByRole('cell').filter({ hasText: day })
  await cell('Mon 10 Mar').getByText('01:30').waitFor()
  assert.match((await cell('Mon 10 Mar').textContent()) ?? '', /starts$/)
  assert.match((await cell('Thu 20 Mar').textContent()) ?? '', /08:00.*ends$/)
  await expectPresentable('content-calendar')
  await page.getByRole('button', { name: 'Next month' }).click()
  await page.getByText('Nothing starts, ends or is published in this month.').waitFor()
  assert.match(page.url(), /month=2031-04/)
  await inWidth(390)
  await page.getByRole('button', { name: 'Previous month' }).click()
  await page.getByRole('link', { name: /01:30/ }).click()
  await page.waitForURL(new RegExp(`/content/order_toast/${instance.id}`))
  await inWidth(1440)
})

test('what is searched for from anywhere is found and opened from the keyboard', async () => {
  const find = async (text: string, name: RegExp) => {
    await goto('')
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('textbox', { name: 'Search pages, content, campaigns, journeys, segments, strings, people' }).fill(text)
    await page.getByRole('button', { name }).first().waitFor()
    await press('ArrowDown', 'Enter')
  }
  await find('Toast / Order placed', /Toast \/ Order placed/)
  await page.waitForURL(/\/content\/order_toast\/[\w-]+$/)
  await find('size_guide', /Size guide/)
  await page.waitForURL(/\/content\/types\/size_guide$/)
})

test('a new instance is made of a type that is searched, and opened in the editor', async () => {
  await goto('/content')
  await page.getByRole('button', { name: 'New item', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Block type' }).fill('tooltip')
  await page.getByRole('option', { name: /Cart tooltip/ }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Tooltip / Spring')
  await expectPresentable('content-new')
  await dialog.getByRole('button', { name: 'Create draft' }).click()
  await page.waitForURL(/\/content\/cart_tooltip\/[\w-]+$/)
  const { data } = expectStatus(await admin.get('/instances?search=Tooltip%20%2F%20Spring'), 200)
  assert.deepEqual([data.instances[0].blockKey, data.instances[0].state], ['cart_tooltip', 'draft'])
})

test('the page of a block type says in words what its fields ask for', async () => {
  await goto('/content/types/product_carousel')
  const row = (name: string) => page.getByRole('region', { name: 'Fields' }).last().getByRole('row').filter({ hasText: name })
  await row('#title').getByText('required to publish · at most 50 characters').waitFor()
  await row('#items').getByRole('link', { name: 'Product card' }).waitFor()
  assert.match((await row('#items').textContent()) ?? '', /List of items.*at least 3 · at most 10 · Product card/)
  const instances = page.getByRole('table', { name: 'Content' }).getByRole('row')
  await instances.nth(1).waitFor()
  assert.equal(await instances.count(), (await storedOrder('product_carousel')).length + 1)
  await expectPresentable('content-type')
})

test('M-REG-23 a block type is made, changed after a warning, and archived by forms', async () => {
  await goto('/content/types/new-type')
  const text = (name: string) => page.getByRole('textbox', { name, exact: true })
  await text('Name').fill('Gift note')
  assert.equal(await text('Key').inputValue(), 'gift_note')
  await page.getByRole('button', { name: 'Create block type' }).click()
  await page.getByText('Enter a tag.').waitFor()
  await text('Label').fill('Message')
  await text('Tag').fill('#message')
  await text('Maximum characters').fill('80')
  await page.mouse.move(0, 0)
  await expectPresentable('content-type-new')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Create block type' }).click()
  await page.waitForURL(/\/content\/types\/gift_note$/)
  const made = expectStatus(await admin.get('/blocks/gift_note'), 200).data
  assert.deepEqual(made.fields, [{ id: '#message', tag: '#message', type: 'text', label: 'Message', maxLength: 80 }])

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await text('Tag').fill('#note')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').getByText('apps must read').waitFor()
  await page.getByRole('button', { name: 'Save anyway' }).click()
  await page.waitForURL(/\/content\/types\/gift_note$/)
  assert.deepEqual(expectStatus(await admin.get('/blocks/gift_note'), 200).data.fields[0], { ...made.fields[0], tag: '#note' })

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  await page.waitForURL(/\/content\/types\?show=archived$/)
  expectStatus(await admin.get('/blocks/gift_note'), 404)
})

test('G-35 an archived block type is found in the list of types and brought back after a question', async () => {
  expectStatus(await admin.delete('/blocks/size_guide'), 200)
  await goto('/content')
  await page.getByRole('link', { name: 'Block types', exact: true }).click()
  await page.getByRole('link', { name: 'Home hero', exact: true }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Size guide', exact: true }).count(), 0)
  await expectPresentable('content-types')
  await main.getByText('Archived', { exact: true }).click()
  const back = page.getByRole('button', { name: 'Restore Size guide' })
  await back.waitFor()
  await expectPresentable('content-types-archived')
  await page.getByRole('searchbox').fill('nothing like it')
  await page.getByText('Nothing matches').waitFor()
  await page.getByRole('searchbox').fill('size')
  await back.click()
  await page.getByRole('dialog').getByText('Apps show its live items again at once.').waitFor()
  await expectPresentable('content-types-restore')
  await page.getByRole('dialog').getByRole('button', { name: 'Restore', exact: true }).click()
  await said('Size guide restored')
  await back.waitFor({ state: 'detached' })
  expectStatus(await admin.get('/blocks/size_guide'), 200)
  await goto('/content/types/size_guide')
  await group('Items').getByRole('link').first().waitFor()
})

test('what the server refuses stands in the form, which keeps what was typed', async () => {
  await goto('/content/types/new-type')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Home hero')
  await page.getByRole('textbox', { name: 'Tag', exact: true }).fill('#title')
  await page.getByRole('button', { name: 'Create block type' }).click()
  await main.getByRole('alert').getByText('A block type with this key exists').waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Tag', exact: true }).inputValue(), '#title')
  await goto('/content/types/gone')
  await page.getByText('Block type not found').waitFor()
})

test('long names in any language stay inside', async () => {
  const title = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung '.repeat(2).trim()
  const draft = await ws.instance('promo_banner', { title, values: { '#title': title.slice(0, 60) } }, { publish: false })
  await goto('/content?screen=home')
  await page.getByText(title).first().waitFor()
  await expectPresentable('content-long-screen')
  await goto('/content?view=table&type=promo_banner')
  await page.getByText(title).first().waitFor()
  await expectPresentable('content-long-table')
  expectStatus(await admin.delete(`/blocks/promo_banner/instances/${draft.id}`), 200)
})

test('a viewer looks and is offered no change', async () => {
  const viewer = await openAs('viewer')
  for (const [path, ready] of [
    ['/content', 'Home hero'],
    ['/content?view=table', 'Home hero'],
    ['/content/types/home_hero', 'Fields'],
    ['/content/types?show=archived', 'Gift note'],
  ] as const) {
    await viewer.goto(path)
    await viewer.page.getByText(ready).first().waitFor()
    assert.equal(
      await viewer.page
        .getByRole('main')
        .getByRole('button', { name: /New|Move|Archive|Edit|Restore/ })
        .count(),
      0,
    )
    assert.equal(
      await viewer.page
        .getByRole('main')
        .getByRole('link', { name: /New block type|Edit/ })
        .count(),
      0,
    )
  }
  await viewer.goto('/content/types/new-type')
  await viewer.page.getByText('Block type not found').waitFor()
})
