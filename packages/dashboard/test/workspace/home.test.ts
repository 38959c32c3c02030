/** Home: what is live, what comes, what happened, what waits; and how an empty workspace gets there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, type Client } from '../../../server/test/builders/builders.ts'
import { countsOf, track } from '../../../server/test/builders/events.ts'
import { identify } from '../../../server/test/builders/people.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'
import { until } from '../../../server/test/harness/until.ts'

const dashboard = await openDashboard()
const { page, url, account, goto, admin, ws, openAs, expectPresentable, layoutShift, setOffline } = dashboard

const section = (name: string) => page.getByRole('region', { name, exact: true })
/** The API as the signed-in person uses it in another workspace. */
async function inWorkspace(id: string): Promise<Client> {
  const { data } = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', account), 200)
  return clientOf(`${url}/api/v1`, { authorization: `Bearer ${data.token}`, 'x-tenant-id': id })
}
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

async function findInstances(blockKey: string): Promise<{ id: string; title: string }[]> {
  return expectStatus(await admin.get(`/blocks/${blockKey}/instances`), 200).data.instances
}

test('Home says per screen what is live and for whom, and leads to it', async () => {
  await goto('')
  const cart = section('Live now').getByRole('listitem').filter({ hasText: 'cart' })
  await cart.getByText('3 for everyone · 1 for Riyadh').waitFor()
  const unpublished = await findInstances('welcome_popup')
  for (const { id } of unpublished) expectStatus(await admin.post(`/blocks/welcome_popup/instances/${id}/unpublish`, {}), 200)
  await goto('')
  await section('Live now').getByText('2 block types with nothing live').waitFor()
  await section('Live now').getByRole('link', { name: 'cart' }).click()
  await page.waitForURL(/\/content\?screen=cart$/)
})

test('what starts or ends in the next 14 days stands on its day and in the list, with its zone', async () => {
  await goto('')
  await section('Next 14 days').getByText('Times in Asia/Riyadh').waitFor()
  const [first, second] = await findInstances('category_tile')
  expectStatus(await admin.put(`/blocks/category_tile/instances/${first?.id}`, { schedule: { endTime: inDays(3) } }), 200)
  expectStatus(await admin.put(`/blocks/category_tile/instances/${second?.id}`, { schedule: { startTime: inDays(5) } }), 200)
  await goto('')
  const next = section('Next 14 days')
  const rows = next.getByRole('listitem').filter({ has: page.getByRole('link') })
  await rows
    .first()
    .getByRole('link', { name: first?.title ?? '', exact: true })
    .waitFor()
  assert.deepEqual(await rows.getByRole('link').allTextContents(), [first?.title, second?.title])
  assert.match((await rows.first().textContent()) ?? '', /ends · \d+ \w+ \d{4}, \d\d:\d\d Riyadh time/)
  await next.getByRole('button', { name: /Starts: 1$/ }).click()
  assert.deepEqual(await rows.getByRole('link').allTextContents(), [second?.title])
})

test('events are shown over time beside the span before, and the blocks that were seen most', async () => {
  await goto('')
  await section('Go live in five steps').getByRole('heading', { name: 'See it in your app' }).waitFor()
  await identify(ws.app, 'phone-1', 'noura')
  await track(ws.app, 'phone-1', [
    ...Array.from({ length: 4 }, () => ({ type: 'impression', blockKey: 'home_hero' })),
    { type: 'cta_click', blockKey: 'home_hero' },
    { type: 'impression', blockKey: 'promo_banner' },
  ])
  // Events are added up within seconds.
  await until('they are counted', async () => (await countsOf(ws, 'home_hero')).total >= 5)
  await goto('')
  const row = section('Top blocks').getByRole('row').filter({ hasText: 'Home hero' })
  assert.match((await row.textContent()) ?? '', /Home hero41/)
  assert.match((await row.textContent()) ?? '', /25%$/)
  await section('Events').getByRole('img', { name: 'Events. Last 7 days: 6. Previous 7 days: 0.' }).waitFor()
  await section('Events').getByText('24 hours').click()
  await page.waitForURL(/span=24h/)
  await section('Events')
    .getByRole('img', { name: /^Events\. Last 24 hours: 6/ })
    .waitFor()
  assert.equal(await section('Go live in five steps').count(), 0, 'the last step is done')
})

test('what waits for somebody leads to where it is done', async () => {
  await goto('')
  const drafts = expectStatus(await admin.get('/content/overview'), 200).data.waiting.drafts
  await section('Waiting for you')
    .getByRole('link', { name: `${drafts} unpublished drafts` })
    .click()
  await page.getByRole('searchbox', { name: 'Search titles, types, texts' }).waitFor()
  const states = page.getByRole('table').getByText('Draft', { exact: true })
  await states.first().waitFor()
  assert.equal(await states.count(), drafts)
})

test('Home fits and can be used in every look, stays still while it loads, and keeps what it has while the server is away', async () => {
  await goto('')
  await section('Events').getByText('All events').waitFor()
  await page.waitForLoadState('networkidle')
  assert.ok((await layoutShift()) < 0.1, `jumped by ${await layoutShift()}`)
  await expectPresentable('home')
  await page.getByRole('link', { name: 'Content', exact: true }).first().click()
  await setOffline(true)
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await section('Live now').getByText('for Riyadh').first().waitFor()
  await setOffline(false)
})

test('when nothing could be read, Home says so and can be asked again', async () => {
  await page.route('**/api/v1/content/overview*', (route) => route.abort())
  await goto('')
  await page.getByRole('alert').getByText("Can't reach the server").waitFor()
  await page.unroute('**/api/v1/content/overview*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await section('Live now').getByText('for Riyadh').first().waitFor()
})

test('an empty workspace sees five steps, and each knows when it is done', async () => {
  const { id } = expectStatus(await admin.post('/workspaces', { name: 'New shop' }), 201).data
  const own = await inWorkspace(id)
  await page.goto(`${url}/w/${id}`)
  const steps = section('Go live in five steps')
  const current = steps.locator('[aria-current="step"]')
  await steps.getByText('0 of 5 done').waitFor()
  await expectPresentable('home-start')

  await steps.getByRole('button', { name: 'Create both keys' }).click()
  await steps.getByText('1 of 5 done').waitFor()
  const command = steps.getByRole('group', { name: 'Command' })
  await command.filter({ hasText: /X-CF-Write-Key: wk_live_/ }).waitFor()
  await steps.getByText(new RegExp(`^${id}_cfpk`)).waitFor()
  await expectPresentable('home-start-keys')
  await steps.getByRole('button', { name: 'Copy: Command' }).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const appKey = (await steps.getByText(new RegExp(`^${id}_cfpk`)).textContent()) ?? ''

  // What a terminal would do with the command.
  const [, address = ''] = /curl -X POST (\S+)/.exec(copied) ?? []
  const [, writeKey = ''] = /X-CF-Write-Key: (\S+)"/.exec(copied) ?? []
  const [, body = ''] = /-d '(.*)'$/s.exec(copied) ?? []
  const registered = await fetch(address, {
    method: 'POST',
    headers: { 'x-cf-write-key': writeKey, 'content-type': 'application/json' },
    body,
  })
  assert.equal(registered.status, 201)
  await page.reload()
  await steps.getByText('2 of 5 done').waitFor()
  await current.getByRole('link', { name: 'Open the draft' }).waitFor()

  const draft = expectStatus(await own.get('/instances'), 200).data.instances[0]
  const path = `/blocks/${draft.blockKey}/instances/${draft.id}`
  expectStatus(await own.put(path, { values: { '#title': 'Hello' } }), 200)
  await page.reload()
  await steps.getByText('3 of 5 done').waitFor()
  assert.match((await current.getByRole('link').getAttribute('href')) ?? '', new RegExp(`/content/home_hero/${draft.id}$`))

  expectStatus(await own.post(`${path}/publish`, {}), 200)
  await page.reload()
  await steps.getByText('4 of 5 done').waitFor()
  await section('Live now').getByText('1 for everyone').waitFor()
  await page.getByRole('button', { name: 'Hide' }).click()
  await steps.waitFor({ state: 'detached' })
  await page.reload()
  await section('Live now').waitFor()
  assert.equal(await steps.count(), 0)
  assert.ok(appKey.length > 20)
})

test('a viewer is shown the same and offered no step', async () => {
  const viewer = await openAs('viewer')
  await viewer.goto('')
  await viewer.page.getByRole('region', { name: 'Live now', exact: true }).waitFor()
  assert.equal(await viewer.page.getByRole('button', { name: 'Create both keys' }).count(), 0)
  await viewer.expectAccessible()
})
