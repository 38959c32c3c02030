/** A workspace with more instances than a page ever loads: no count, state or empty sentence may come from what was loaded. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, ws, shot, inArabic, inEnglish } = await openDashboard({ isDemo: false })
const main = page.getByRole('main')
const region = (name: string) => page.getByRole('region', { name, exact: true })

/** The first key alone has more than one page of a list holds, so whatever counts what it loaded sees nothing of the others. */
const TYPES = [
  { key: 'a_many', name: 'Many', screen: 'home', instances: 1_500 },
  { key: 'b_some', name: 'Some', screen: 'home', instances: 40 },
  { key: 'y_cart', name: 'Late', screen: 'cart', instances: 515 },
  { key: 'z_last', name: 'Last', screen: 'deals', instances: 5 },
  { key: 'z_none', name: 'Empty', screen: 'deals', instances: 0 },
] as const

const fields = [{ id: 'f_title', tag: '#title', type: 'text' }]
const seed = (key: string, index: number) => ({
  externalId: `${key}-${index}`,
  title: `${key} ${index}`,
  priority: -index,
  status: index % 2 === 0 ? 'live' : 'draft',
  values: { '#title': `Text ${index}` },
})
const blocks = TYPES.map(({ instances, ...type }) => ({
  ...type,
  fields,
  instances: Array.from({ length: instances }, (_, index) => seed(type.key, index)),
}))
expectStatus(await ws.write.post('/cards/sync', { blocks }), 200)

test('with 2,060 instances every number on the board is the server’s', async () => {
  assert.equal(expectStatus(await admin.get('/instances?limit=1'), 200).body.metadata.total, 2_060)
  await goto('/content')
  await region('Last').getByRole('listitem').first().waitFor()
  for (const [screen, live] of [
    ['home', 770],
    ['cart', 258],
    ['deals', 3],
  ] as const)
    await region(screen).getByText(`${live} live`, { exact: true }).waitFor()
  await region('Many').getByRole('button', { name: 'Show all 1,500' }).waitFor()
  await region('Some').getByRole('button', { name: 'Show all 40' }).waitFor()
  assert.equal(await region('Last').getByRole('listitem').count(), 5)
  assert.equal(await main.getByText('Nothing here yet').count(), 1)
  assert.equal(await region('Empty').getByText('Nothing here yet').count(), 1)
  await shot('board-many')
  await inArabic()
  await shot('board-many-390-ar', { width: 390 })
  await inEnglish()
})

test('all of a large type are shown page by page; of a small one the order is set as a whole', async () => {
  await goto('/content?screen=home')
  await region('Many').getByRole('button', { name: 'Show all 1,500' }).click()
  await region('Many').getByRole('listitem').nth(49).waitFor()
  await region('Many').getByRole('button', { name: 'Load more' }).click()
  await region('Many').getByRole('listitem').nth(99).waitFor()
  assert.equal(await region('Many').getByRole('button', { name: /^Move/ }).count(), 0)
  await region('Some').getByRole('button', { name: 'Move b_some 0', exact: true }).focus()
  for (const key of ['Space', 'ArrowDown', 'Space']) {
    await page.keyboard.press(key)
    await page.waitForTimeout(120)
  }
  await page.getByRole('alert').filter({ hasText: 'Order saved' }).waitFor()
  const { data } = expectStatus(await admin.get('/instances?blockKey=b_some&limit=200'), 200)
  const titles = data.instances.map(({ title }: { title: string }) => title)
  assert.deepEqual([titles[0], titles[1], titles[2], titles.length], ['b_some 1', 'b_some 0', 'b_some 2', 40])
})
