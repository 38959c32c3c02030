/** Requests of people about their data: recorded, handled, seen where their days run out; and the file of a person. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { identify } from '../../../server/test/builders/people.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, ws, openAs, expectPresentable, expectAccessible } = await openDashboard({ isDemo: false, name: 'Gulf Bank' })

const dialog = page.getByRole('dialog')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text })
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

test('a request is recorded, and stands there with the days of its law', async () => {
  await goto('/people/requests')
  await page.getByText('No requests here').waitFor()
  await expectPresentable('subject-requests-none')
  await button('Record a request').click()
  await dialog.getByLabel('User ID').fill('noura')
  await dialog.getByLabel('Received on').fill(daysAgo(27))
  await dialog.getByLabel('Note').fill('by letter')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Record a request' }).click()
  await rowOf('noura').getByText('3 days left').waitFor()
  await rowOf('noura').getByText('PDPL, Saudi Arabia').waitFor()
  for (const [kind, days] of [
    ['erasure', 33],
    ['correction', 1],
  ] as const)
    expectStatus(
      await admin.post('/subject-requests', { kind, law: 'pdpl_ksa', userId: `user of ${kind}`, receivedOn: daysAgo(days) }),
      201,
    )
  await page.reload()
  await rowOf('Erasure').getByText('3 days late').waitFor()
  await expectPresentable('subject-requests')
})

test('it is handled: refused only with a reason, extended, done', async () => {
  await rowOf('Correction').getByRole('button', { name: 'Handle', exact: true }).click()
  await dialog.getByRole('button', { name: 'Refuse', exact: true }).click()
  await dialog.getByText('Enter the reason first.').waitFor()
  await expectPresentable('subject-request')
  await dialog.getByLabel('Reason').fill('The value is right')
  await dialog.getByRole('button', { name: 'Refuse', exact: true }).click()
  await rowOf('Correction').waitFor({ state: 'detached' })
  await rowOf('noura').getByRole('button', { name: 'Handle', exact: true }).click()
  await dialog.getByLabel('Reason').fill('Many systems')
  await dialog.getByRole('button', { name: 'Extend', exact: true }).click()
  await rowOf('noura').getByText('33 days left').waitFor()
  await page.getByText('All', { exact: true }).click()
  await rowOf('Correction').getByText('Refused').waitFor()
  const { requests } = expectStatus(await admin.get('/subject-requests?state=waiting'), 200).data
  assert.equal(requests.length, 2)
})

test('viewers look, and only admins record and handle', async () => {
  const viewer = await openAs('viewer')
  await viewer.goto('/people/requests')
  await viewer.page.getByText('Only admins record and handle requests.').waitFor()
  assert.equal(await viewer.page.getByRole('button', { name: /Record|Handle/ }).count(), 0)
  await viewer.context.close()
})

test('the file of a person is downloaded from their page, and its receipt is listed beside erasures', async () => {
  await identify(ws.app, 'phone', 'noura', { name: 'Noura' })
  await goto('/people/noura')
  await button('Access file').click()
  await dialog.getByText('A ZIP with everything stored about noura').waitFor()
  await expectPresentable('access-file')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  const name = download.suggestedFilename()
  assert.match(name, /^person-[\w-]+\.zip$/)
  assert.equal(
    readFileSync(await download.path())
      .subarray(0, 2)
      .toString(),
    'PK',
  )
  await goto('/people/erasures')
  await page.getByRole('region', { name: 'Access files', exact: true }).getByText(name.slice('person-'.length, -'.zip'.length)).waitFor()
  await expectPresentable('access-files')
})

test('what waits is one of the things that wait for a member on Home', async () => {
  await ws.block('hero')
  await ws.instance('hero', { values: { '#title': 'Welcome' } })
  await goto('')
  await page.getByRole('link', { name: '2 requests about personal data' }).click()
  await rowOf('noura').waitFor()
})
