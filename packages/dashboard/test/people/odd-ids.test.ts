/** People whose ids no address can carry, and ids that an app with a fault sends for everybody. */
import { test } from 'node:test'
import { identify } from '../../../server/test/builders/people.ts'
import { openDashboard } from '../support/browser.ts'

const { ws, page, goto, expectPresentable } = await openDashboard({ isDemo: false })

test('people whose ids are dots or the addresses of pages are opened from the list', async () => {
  const ids = ['.', '..', 'erasures', '~']
  for (const id of ids) await identify(ws.app, `phone of ${id}`, id, { name: `Person ${id}` })
  await identify(ws.app, '..', undefined)
  for (const id of ids) {
    await goto('/people')
    await page.getByRole('link', { name: `Person ${id}`, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: `Person ${id}`, exact: true }).waitFor()
    await page.getByText(`phone of ${id}`, { exact: true }).first().waitFor()
  }
  await goto('/people')
  await page.getByRole('link', { name: 'Anonymous person' }).click()
  await page.getByText('..', { exact: true }).first().waitFor()
})

test('an id that an app sends for everybody is told of on the pages of people and Home, with the way to refuse it', async () => {
  for (let n = 0; n < 20; n++) await identify(ws.app, `d${n}`, '[object Object]')
  await goto('/people')
  const notice = page.getByRole('alert').filter({ hasText: 'An app sends one user ID for everybody' })
  await notice.getByText('20 devices').waitFor()
  await expectPresentable('people-placeholder-ids')
  await notice.getByRole('link', { name: '[object Object]' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.goBack()
  await notice.getByRole('link', { name: 'Reject such IDs' }).click()
  const isRefused = page.getByRole('switch', { name: 'Reject placeholder IDs', exact: true })
  await isRefused.focus()
  await page.keyboard.press('Space')
  await page.getByText('Reject placeholder IDs turned on').waitFor()
  await goto('/people')
  await notice.getByText('New calls with such IDs are rejected.').waitFor()
})
