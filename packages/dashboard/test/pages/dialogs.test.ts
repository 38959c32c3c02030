/** Windows over a page: each has the focus as long as it is open, and gives it back to what opened it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator } from 'playwright-core'
import { makeJourney } from '../../../server/test/builders/journeys.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, ws, expectAccessible } = await openDashboard()
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const item = (name: string | RegExp) => page.getByRole('menuitem', { name })
const dialog = page.getByRole('dialog')
/** More than any of them has to stop at. */
const STOPS = 40

const isInside = async () => page.evaluate(() => document.activeElement?.closest('[aria-modal]') !== null)

/** Opens it, asks axe, goes round in it, closes it with Escape. */
async function goRound(name: string, open: () => Promise<unknown>, opener: Locator): Promise<void> {
  await open()
  await dialog.last().waitFor()
  await until(`${name} has the focus`, isInside)
  await expectAccessible()
  for (let stop = 0; stop < STOPS; stop++) {
    await page.keyboard.press('Tab')
    assert.ok(await isInside(), `${name}: the focus left it after ${stop + 1} stops`)
  }
  await page.keyboard.press('Shift+Tab')
  assert.ok(await isInside(), `${name}: the focus left it backwards`)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await until(`${name} gave the focus back`, () => opener.evaluate((element) => element === document.activeElement))
}

test('the window for publishing has the focus with unsaved changes as well, opened by mouse and by keyboard', async () => {
  const { id } = await ws.instance('promo_banner', { title: 'Focus', values: { '#title': 'Hello', '#cta_url': '/offers' } })
  await goto(`/content/promo_banner/${id}`)
  const publish = button('Publish')
  const live = item('Publish the changes to live apps')
  await page.getByRole('textbox', { name: 'Offer (English)' }).fill('Changed')
  await goRound('publish by mouse', async () => (await publish.click(), live.click()), publish)
  await goRound('publish by keyboard', async () => (await publish.press('Enter'), live.press('Enter')), publish)
  await publish.click()
  await live.click()
  const confirm = dialog.getByRole('button', { name: 'Publish the changes' })
  await until('what is meant to be pressed has the focus', () => confirm.evaluate((element) => element === document.activeElement))
  await page.keyboard.press('Escape')
})

test('every window keeps the focus and gives it back', async () => {
  const { id } = await makeJourney(admin)
  const { data: segment } = expectStatus(
    await admin.post('/segments', { name: 'All', logicalOperator: 'AND', rules: [{ field: 'customAttributes.plan', operator: 'exists' }] }),
    201,
  )
  const { id: instance } = await ws.instance('promo_banner', { title: 'Dialogs' }, { publish: false })
  const WINDOWS: { path: string; opener: Locator; open?: () => Promise<unknown> }[] = [
    { path: '/content', opener: button('New item') },
    { path: `/content/promo_banner/${instance}`, opener: button('More actions'), open: () => item('Delete').click() },
    { path: `/segments/${segment.id}`, opener: button('More'), open: () => item('Delete').click() },
    { path: `/journeys/${id}`, opener: button('Activate') },
    { path: `/journeys/${id}`, opener: button('More actions'), open: () => item('Delete journey').click() },
    { path: '/settings/members', opener: button('Add member') },
    { path: '/settings/keys', opener: button('New key').first() },
    { path: '/settings/webhooks', opener: button('Add endpoint').first() },
    { path: '/settings/channels', opener: button(/^Connect/).first() },
    { path: '/strings', opener: button('New string') },
    { path: '/strings', opener: button('File'), open: () => item('Export a file').click() },
    { path: '/strings/languages', opener: button('Add language').first() },
  ]
  for (const { path, opener, open } of WINDOWS) {
    await goto(path)
    await goRound(path, async () => (await opener.click(), open?.()), opener)
  }
})
