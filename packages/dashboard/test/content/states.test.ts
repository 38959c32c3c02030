/** What lists say of an instance, and what becomes of deleted ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, openDashboard } from '../support/browser.ts'

const dashboard = await openDashboard()
const { page, goto, admin, openAs, expectPresentable } = dashboard
const row = (name: string) => page.getByRole('row').filter({ hasText: name })
const path = '/blocks/promo_banner/instances'

async function make(title: string): Promise<string> {
  return expectStatus(await admin.post(path, { title, values: { '#title': title, '#cta_url': '/offers' } }), 201).data.id
}

const publish = async (id: string, body: object, status = 200) => expectStatus(await admin.post(`${path}/${id}/publish`, body), status)

test('G-82 every list says Live, changes not published, in test, draft, scheduled and ended, and can be asked for each', async () => {
  const draft = await make('Stays a draft')
  const live = await make('Is live')
  await publish(live, { target: 'live' })
  const changed = await make('Live and changed')
  await publish(changed, { target: 'live' })
  expectStatus(await admin.put(`${path}/${changed}?draft=true`, { priority: 7 }), 200)
  await publish(await make('Only in test'), { target: 'test' })
  await publish(await make('Comes later'), { at: '2040-01-01T09:00:00Z' }, 202)
  const ended = await make('Is over')
  expectStatus(await admin.put(`${path}/${ended}?draft=true`, { schedule: { endTime: '2026-01-01T00:00:00Z' } }), 200)
  await publish(ended, { target: 'live' })
  assert.notEqual(draft, live)

  await goto('/content?view=table&type=promo_banner')
  for (const [name, state] of [
    ['Stays a draft', 'Draft'],
    ['Is live', 'Live'],
    ['Only in test', 'In test'],
    ['Comes later', 'Scheduled'],
    ['Is over', 'Ended'],
  ] as const)
    await row(name).getByText(state, { exact: true }).waitFor()
  await row('Comes later').getByText('Published 1 Jan 2040').waitFor()
  await row('Live and changed').getByText('Live', { exact: true }).waitFor()
  await row('Live and changed').getByText('Changes not published', { exact: true }).waitFor()
  assert.equal(await page.getByText('Changes not published', { exact: true }).count(), 1)
  await expectPresentable('content-states')

  await page.getByRole('combobox', { name: 'State', exact: true }).click()
  await page.getByRole('option', { name: 'Live, changes not published' }).click()
  await page.getByText('1 of 1').waitFor()
  assert.match(page.url(), /state=changed/)
  await goto('/content?screen=home')
  await page.getByRole('region', { name: 'Promo banner' }).getByText('Changes not published', { exact: true }).waitFor()
})

test('G-82 what was deleted stands in a list of its own with who and when, and is restored as a draft', async () => {
  const id = await make('Thrown away')
  const editor = await openAs('editor', { name: 'Noura' })
  await editor.goto(`/content/promo_banner/${id}`)
  await editor.page.getByRole('button', { name: 'More actions', exact: true }).click()
  await editor.page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = editor.page.getByRole('dialog')
  await dialog.getByText('for 30 days').waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await editor.page.waitForURL(/\/content$/)

  await goto('/content')
  await page.getByText('Deleted', { exact: true }).click()
  await row('Thrown away').getByText('Noura').waitFor()
  await expectPresentable('content-deleted')
  const [first] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith('/restore')),
    row('Thrown away').getByRole('button', { name: 'Restore Thrown away' }).dblclick(),
  ])
  assert.equal(first.status(), 200)
  await page.getByRole('alert').filter({ hasText: 'Thrown away restored as a draft' }).waitFor()
  await row('Thrown away').waitFor({ state: 'detached' })
  const restored = expectStatus(await admin.get(`${path}/${id}`), 200).data
  assert.deepEqual([restored.status, restored.live], ['draft', null])
  const viewer = await openAs('viewer')
  await viewer.goto('/content?view=deleted')
  assert.equal(await viewer.page.getByRole('button', { name: /^Restore/ }).count(), 0)
})

test('a list that a search leaves empty names the search and speaks of no filter; with a filter it speaks of both', async () => {
  for (const [path, search, filter] of [
    ['/content?view=table', 'search', 'state=ended'],
    ['/library', 'search', 'kind=video'],
    ['/people', 'search', undefined],
    ['/segments', 'search', undefined],
    ['/strings', 'q', 'status=missing'],
  ] as const) {
    const sign = path.includes('?') ? '&' : '?'
    await goto(`${path}${sign}${search}=nothing-like-it`)
    await page.getByText('No results for “nothing-like-it”.').waitFor()
    assert.equal(await page.getByText(/remove a filter|clear filters/i).count(), 0, path)
    await page.getByRole('button', { name: 'Clear search' }).waitFor()
    if (filter === undefined) continue
    await goto(`${path}${sign}${search}=nothing-like-it&${filter}`)
    await page.getByText('Remove a filter or search for something else.').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.waitForURL((address) => !address.search.includes('nothing-like-it') && !address.search.includes(filter))
  }
})
