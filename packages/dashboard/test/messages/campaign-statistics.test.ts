/** The report of a campaign, where it says what people did with it. */
import { test } from 'node:test'
import { launch } from '../../../server/test/builders/campaigns.ts'
import { rollUp, track } from '../../../server/test/builders/events.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, ws, app, expectPresentable } = await openDashboard()

test('G-73 the report says what people did with each variant and language, and when one does better', async () => {
  const variants = ['short', 'long'].map((id) => ({ id, weight: 1, values: { title: id } }))
  const content = { en: { title: 'x', variants }, ar: { title: 'س', variants } }
  const { id } = await launch(ws, await ws.editor(), { name: 'Two titles', content })
  await goto(`/campaigns/${id}`)
  await page.getByRole('tab', { name: 'Report' }).click()
  await page.getByText('Nobody saw it in the app yet.').waitFor()

  const counts = { short: 0, long: 0 }
  for (let n = 0; n < 160; n++) {
    const headers = { 'x-cf-key': ws.live, 'x-cf-device': `visitor-${n}`, 'accept-language': n % 4 === 0 ? 'ar' : 'en' }
    expectStatus(await ws.sdk(headers).post('/identify', { consent: true }), 200)
    const { data } = expectStatus(await ws.sdk(headers).post('/campaigns', {}), 200)
    const variant: 'short' | 'long' = data[0].variantId
    const place = counts[variant]++
    const clicks = variant === 'short' ? place % 6 > 0 : place % 6 === 0
    await track(ws.app, `visitor-${n}`, [{ type: 'impression', campaignId: id }, ...(clicks ? [{ type: 'click', campaignId: id }] : [])])
  }
  await rollUp(app.operator)
  await page.getByText(/Variant short does better than long/).waitFor()
  await page.getByText(/You may look as often as you like/).waitFor()
  await page.getByText(/Reached the goal:/).waitFor()
  await page.getByText(/Too few to compare the variants/).waitFor()
  await page
    .getByRole('row', { name: /short.*Arabic/ })
    .getByRole('cell')
    .first()
    .waitFor()
  await expectPresentable('campaigns-statistics')
})

test('G-73 with a control group the report says what the campaign changes', async () => {
  const { id } = await launch(ws, await ws.editor(), { name: 'Does it help', type: 'helps', controlPercent: 50 })
  const places = { reached: 0, control: 0 }
  for (let n = 0; n < 160; n++) {
    const device = `customer-${n}`
    const headers = { 'x-cf-key': ws.live, 'x-cf-device': device }
    expectStatus(await ws.sdk(headers).post('/identify', { consent: true }), 200)
    const { data } = expectStatus(await ws.sdk(headers).post('/campaigns', {}), 200)
    const group = data.some(({ type }: any) => type === 'helps') ? 'reached' : 'control'
    const place = places[group]++
    if (place % 6 > 0 === (group === 'reached')) await track(ws.app, device, [{ type: 'purchase' }])
  }
  await rollUp(app.operator)
  await goto(`/campaigns/${id}`)
  await page.getByText(/Whoever it came to converts more often/).waitFor()
  await page.getByRole('row', { name: new RegExp(`Received it ${places.reached} `) }).waitFor()
  await page.getByRole('row', { name: new RegExp(`Control group \\(50%\\) ${places.control} `) }).waitFor()
  await expectPresentable('campaigns-control-group')
  await page.getByRole('tab', { name: 'Campaign', exact: true }).click()
  await page.getByText('50% of the audience gets nothing').waitFor()
})
