/** Who opened the mails of a campaign and followed their links, and of whom that is counted. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { launch } from '../../../server/test/builders/campaigns.ts'
import { rollUp } from '../../../server/test/builders/events.ts'
import { addChannel } from '../../../server/test/builders/channels.ts'
import { identify } from '../../../server/test/builders/people.ts'
import { openProvider } from '../../../server/test/builders/providers.ts'
import { addPeople, countHits, openEmail } from '../../../server/test/builders/sends.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const PUBLIC = 'https://flow.example'
const { page, goto, ws, app, openAs, expectPresentable } = await openDashboard({
  isDemo: false,
  env: { CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC },
})
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0' }

test('an admin says of whom opens and clicks are counted; others see it and change nothing', async () => {
  await goto('/settings/channels')
  const section = page.getByRole('region', { name: 'Opens and clicks', exact: true })
  const opens = section.getByRole('radiogroup', { name: 'Count opens' })
  assert.ok(await opens.getByLabel('Of people who agreed').isChecked())
  await opens.getByLabel('Of nobody').check()
  await section.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).first().waitFor()
  const { admin } = ws
  assert.deepEqual(expectStatus(await admin.get('/settings/message-tracking'), 200).data, { opens: 'off', clicks: 'agreed', trap: false })
  await expectPresentable('settings-message-tracking')
  const viewer = await openAs('viewer')
  await viewer.goto('/settings/channels')
  const seen = viewer.page.getByRole('radiogroup', { name: 'Count opens' })
  assert.ok((await seen.getByLabel('Of nobody').isChecked()) && (await seen.getByLabel('Of nobody').isDisabled()))
  expectStatus(await admin.put('/settings/message-tracking', { opens: 'agreed', clicks: 'agreed' }), 200)
})

test('the report says who opened and who clicked, by variant and link, with machines apart', async () => {
  const email = await openEmail()
  await email.connect(ws.admin)
  const users = Array.from({ length: 12 }, (_, n) => `U${n}`)
  await addPeople(ws, [...users, 'Unasked'])
  for (const user of users) {
    await identify(ws.app, `D ${user}`, user)
    const said = { deviceId: `D ${user}`, channels: { inApp: true }, topics: { message_tracking: true } }
    expectStatus(await ws.app.post('/consent/full', said), 200)
  }
  const variants = ['short', 'long'].map((id) => ({ id, weight: 1, values: { title: id } }))
  const content = { en: { title: 'Sale', body: 'Now', ctaLabel: 'See all offers', ctaUrl: 'https://shop.example/offers', variants } }
  const { id } = await launch(ws, await ws.editor(), { name: 'Offers', content, dispatchChannels: ['email'] })
  expectStatus(await app.operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  await goto(`/campaigns/${id}`)
  await page.getByRole('tab', { name: 'Report' }).click()
  await page.getByText('Counted emails: 12 of 13').waitFor()
  await app.advance(10)
  const pathsOf = (html: string) => [...html.matchAll(/"https:\/\/flow\.example(\/[ro]\/[^"]+)"/g)].map(([, path = '']) => path)
  const counted = email
    .mails()
    .map(({ html }) => pathsOf(html))
    .filter((paths) => paths.length > 0)
  const asks = counted.flatMap((paths, n) => {
    const headers = n < 8 ? BROWSER : { 'user-agent': 'Mimecast/1.0' }
    return paths.filter((path) => n < 4 || n >= 8 || path.startsWith('/o/')).map((path) => ({ path, headers }))
  })
  for (const { path, headers } of asks) await fetch(app.url + path, { headers, redirect: 'manual' })
  await until('the hits are written', async () => (await countHits(app.ctx, ws.id)) === asks.length)
  await app.advance(40)
  expectStatus(await app.operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  await rollUp(app.operator)
  await goto(`/campaigns/${id}`)
  await page.getByRole('tab', { name: 'Report' }).click()
  await page.getByRole('row', { name: /See all offers/ }).waitFor()
  await page
    .getByText(/Machines: /)
    .first()
    .waitFor()
  await page.getByRole('table', { name: 'By variant' }).getByText('short').waitFor()
  await expectPresentable('campaigns-responses')
})

test('clicks of text messages stand in the report of a campaign whose links are short, without opens', async () => {
  const gateway = await openProvider({ judge: () => undefined, answer: () => ({ status: 201, body: { sid: 'SM1', status: 'queued' } }) })
  after(() => gateway.close())
  await addChannel(ws.admin, 'sms', 'twilio', { accountSid: 'AC1', authToken: 'token', from: '+15005550006', baseUrl: gateway.url })
  await addPeople(ws, ['P1', 'P2'], (userId) => ({ phone: `+96650000000${userId.at(-1) ?? ''}` }))
  await identify(ws.app, 'D P1', 'P1')
  const said = { deviceId: 'D P1', channels: { sms: true }, topics: { message_tracking: true } }
  expectStatus(await ws.app.post('/consent/full', said), 200)
  const content = { en: { body: 'Sale', ctaUrl: 'https://shop.example/offers', shorten: true } }
  const { id } = await launch(ws, await ws.editor(), { name: 'Texts', content, dispatchChannels: ['sms'] })
  const work = async () => void expectStatus(await app.operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  await work()
  const before = await countHits(app.ctx, ws.id)
  const texts = gateway.taken.map(({ body }) => body as { To: string; Body: string })
  const path = texts.flatMap(({ To, Body }) => (To.endsWith('1') ? (/\/s\/\w{4}\/\w{7}/.exec(Body) ?? []) : []))[0] ?? ''
  await app.advance(10)
  assert.equal((await fetch(app.url + path, { headers: BROWSER, redirect: 'manual' })).status, 302)
  await until('the hit is written', async () => (await countHits(app.ctx, ws.id)) === before + 1)
  await app.advance(40)
  await work()
  await rollUp(app.operator)
  await goto(`/campaigns/${id}`)
  await page.getByRole('tab', { name: 'Report' }).click()
  const section = page.getByRole('region', { name: 'Clicks in text messages' })
  await section.getByText('Counted messages: 1 of 2').waitFor()
  await section.getByRole('row', { name: /shop\.example\/offers/ }).waitFor()
  assert.equal(await section.getByText('Opened', { exact: true }).count(), 0)
  await expectPresentable('campaigns-text-clicks')
})
