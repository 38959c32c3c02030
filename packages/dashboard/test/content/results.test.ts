/** What people did with an item, and how many devices a test of it needs. */
import { test } from 'node:test'
import { rollUp, track } from '../../../server/test/builders/events.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, ws, app, expectPresentable } = await openDashboard()

test('the results of an item are shown by variant and language, and the planner says what a test needs', async () => {
  const variants = ['short', 'long'].map((id) => ({ id, weight: 1, values: { '#title': id } }))
  const { id } = await ws.instance(
    'promo_banner',
    { title: 'Offers', values: { '#title': 'One', '#cta_url': '/offers' }, variants },
    { publish: 'live' },
  )
  await goto(`/content/promo_banner/${id}?side=results&view=results`)
  await page.getByText('Nobody saw it in this time.').waitFor()
  for (let n = 0; n < 24; n++) {
    const headers = { 'x-cf-key': ws.live, 'x-cf-device': `reader-${n}`, 'accept-language': n % 4 === 0 ? 'ar' : 'en' }
    expectStatus(await ws.sdk(headers).post('/identify', { consent: true }), 200)
    expectStatus(await ws.sdk(headers).get('/sync'), 200)
    const clicks = n % 3 === 0 ? [{ type: 'click', instanceId: id }] : []
    await track(ws.app, `reader-${n}`, [{ type: 'impression', instanceId: id }, ...clicks])
  }
  await rollUp(app.operator)
  await page.reload()
  await page.getByText('Clicks of a hundred views').waitFor()
  await page.getByRole('row', { name: /^All 24 8 0 0/ }).waitFor()
  await page
    .getByRole('row', { name: /short.*Arabic/ })
    .first()
    .waitFor()
  await expectPresentable('editor-results')

  await goto(`/content/promo_banner/${id}`)
  await page.getByRole('button', { name: 'How many devices does the test need?' }).click()
  // It begins with what the item does now.
  await page.waitForFunction(() => [...document.querySelectorAll('input')].some(({ value }) => value.startsWith('33.3')))
  await page.getByLabel('Do it now').fill('5')
  await page.getByLabel('Devices a day').fill('1000')
  await page.getByRole('button', { name: 'Work it out' }).click()
  await page.getByText(/from 5% to 6%, each variant needs 9,428 devices, 18,856 in all. That takes about 19 days/).waitFor()
  await page.getByLabel('Do it now').fill('0')
  await page.getByRole('button', { name: 'Work it out' }).and(page.locator(':disabled')).waitFor()
})
