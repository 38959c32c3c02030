/** A campaign in the demo shop: it comes while the page is open, is pressed and closed there, and goes when it is paused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, request, uniqueEmail, type Client } from '../../../server/test/builders/builders.ts'
import { create, approve, setStatus, submit } from '../../../server/test/builders/campaigns.ts'
import { until } from '../../../server/test/harness/until.ts'
import { openDemo } from '../support/demo.ts'

const { url, browser, printed } = await openDemo()

async function signIn(email: string, password: string): Promise<Client> {
  const { data } = expectStatus(await request('POST', `${url}/api/v1/auth/login`, { body: { email, password } }), 200)
  return clientOf(`${url}/api/v1`, { authorization: `Bearer ${data.token}`, 'x-tenant-id': printed('Workspace') })
}

test('C-CAMP-19 C-BLK-22 C-BLK-25 a campaign is made, approved and launched: the open shop shows it, and says what people do with it', async () => {
  const admin = await signIn(printed('Sign in'), printed('Password'))
  const email = uniqueEmail()
  const member = { email, name: 'Second', password: PASSWORD, role: 'admin', canApprove: true }
  expectStatus(await admin.post('/members', member), 201)
  const second = await signIn(email, PASSWORD)

  const visitor = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' })
  const shop = await visitor.newPage()
  const faults: unknown[] = []
  shop.on('pageerror', (fault) => faults.push(fault))
  await shop.goto(`${printed('Demo shop')}#/account`)
  const agree = shop.getByRole('button', { name: 'Accept all', exact: true })
  await agree.click()
  await agree.waitFor({ state: 'detached' })
  await shop.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  const dialog = shop.getByRole('dialog')
  const userId = await dialog.getByLabel('User ID').inputValue()
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await shop.getByText(/^Signed in as/).waitFor()
  const flags = async () => expectStatus(await admin.get(`/users/${userId}`), 200).data
  await until('the choices of the visitor', async () => (await flags()).channels?.inApp === true)
  await shop.getByRole('link', { name: 'Home' }).first().click()
  // The shop greets new visitors; a visitor closes that and goes on.
  const welcome = shop.locator('dialog.cf-popup')
  await welcome.waitFor()
  await shop.keyboard.press('Escape')
  await welcome.waitFor({ state: 'detached' })

  const launched = async (name: string, body: object): Promise<string> => {
    const { id } = await create(admin, { name, ...body })
    expectStatus(await submit(admin, id), 200)
    expectStatus(await approve(second, id, { activateTarget: 'live' }), 200)
    return id
  }
  const words = { title: 'Weekend at home', body: 'A fifth off until Saturday', ctaLabel: 'See offers', ctaUrl: '/c/majlis' }
  const placed = await launched('Banner', { content: { en: { ...words, placementIds: ['home_top'] } } })
  const banner = shop.locator('.cf-banner', { hasText: 'Weekend at home' })
  await banner.waitFor()
  // A campaign that names no placement is for every one, also for the one above.
  const content = { en: { title: 'One more thing', placementIds: ['nowhere'] } }
  const popup = await launched('Popup', { content, dispatchChannels: ['in_app'] })
  const message = shop.locator('dialog.cf-popup', { hasText: 'One more thing' })
  await message.waitFor()
  await shop.screenshot({ path: new URL('../screenshots/campaign-shop.png', import.meta.url).pathname })
  await shop.keyboard.press('Escape')
  await message.waitFor({ state: 'detached' })
  await banner.getByRole('link', { name: 'See offers' }).click()
  await shop.waitForURL(/majlis/)

  const seen = async () => {
    const { events } = expectStatus(await admin.get(`/users/${userId}/events?limit=100`), 200).data
    return new Set<string>(events.map(({ campaignId, type }: { campaignId: string | null; type: string }) => `${campaignId} ${type}`))
  }
  const wanted = [`${placed} impression`, `${placed} cta_click`, `${popup} impression`, `${popup} dismiss`]
  await until('the events', async () => {
    const found = await seen()
    return wanted.every((event) => found.has(event))
  })

  await shop.goBack()
  await banner.waitFor()
  expectStatus(await setStatus(admin, placed, 'paused'), 200)
  await banner.waitFor({ state: 'detached' })
  expectStatus(await setStatus(admin, placed, 'active'), 200)
  await banner.waitFor()
  expectStatus(await setStatus(admin, placed, 'completed'), 200)
  await banner.waitFor({ state: 'detached' })
  assert.deepEqual(faults, [])
  await visitor.close()
})
