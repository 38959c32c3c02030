/** Coming in, staying in and leaving, and what holds for every page: policy, secrets, weight and stillness. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { openDashboard, signIn } from '../support/browser.ts'

const {
  url,
  ws,
  page,
  context,
  account,
  goto,
  openDevice,
  openAs,
  complaints,
  expectAccessible,
  expectPresentable,
  inWidth,
  layoutShift,
  shot,
  slow,
} = await openDashboard()

const PAGES = ['', '/content', '/segments', '/people', '/strings', '/campaigns', '/journeys', '/settings', '/settings/keys', '/nowhere']
/** What the start page may ask for in scripts, compressed. */
const FIRST_LOAD_BYTES = 250_000
/** Cumulative layout shift of a page that is called good (web.dev/cls). */
const STILL = 0.1

const alert = (at: Page) => at.getByRole('alert')

test('a wrong password is refused in words, keeps what was typed, and the right one opens the start page', async () => {
  const device = await openDevice()
  await device.page.goto(`${url}/`)
  await device.page.waitForURL('**/login')
  await device.page.getByRole('textbox', { name: 'Email' }).fill(account.email)
  await device.page.getByRole('textbox', { name: 'Password' }).fill('not the password')
  await device.page.getByRole('button', { name: 'Sign in' }).click()
  await alert(device.page).getByText('Email or password is wrong.').waitFor()
  assert.equal(await device.page.getByRole('textbox', { name: 'Email' }).inputValue(), account.email)
  assert.match(device.page.url(), /\/login$/)
  await device.expectPresentable('sign-in-refused')
  await signIn(device, account)
  assert.equal(device.page.url(), `${url}/w/${ws.id}`)
  await device.context.close()
})

test('a deep link comes back after signing in, and an address from outside is not followed', async () => {
  const device = await openDevice()
  await device.page.goto(`${url}/w/${ws.id}/settings?from=mail`)
  await device.page.waitForURL('**/login?from=*')
  await signIn(device, account)
  await device.page.waitForURL(`${url}/w/${ws.id}/settings**`)
  assert.match(device.page.url(), /from=mail/)
  await device.context.clearCookies()
  await device.page.goto(`${url}/login?from=${encodeURIComponent('//elsewhere.example/w/')}`)
  await signIn(device, account)
  assert.equal(device.page.url(), `${url}/w/${ws.id}`)
  await device.context.close()
})

test('the session survives a reload and a new tab, and no script, address or storage holds its secret', async () => {
  const device = await openDevice()
  const addresses: string[] = []
  device.context.on('request', (request) => void addresses.push(request.url()))
  await signIn(device, account)
  await device.page.reload()
  await device.page.getByRole('heading', { level: 1 }).waitFor()
  const tab = await device.context.newPage()
  await tab.goto(`${url}/`)
  await tab.waitForURL(`**/w/${ws.id}`)

  const cookies = await device.context.cookies()
  assert.deepEqual(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]).sort(), [
    ['cf_device', true, 'Strict'],
    ['cf_session', true, 'Strict'],
  ])
  const readable = await tab.evaluate(() =>
    [document.cookie, location.href, JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join(' '),
  )
  for (const { name, value } of cookies)
    for (const text of [readable, ...addresses]) assert.ok(!text.includes(value), `${name} can be read`)
  for (const text of [readable, ...addresses.map((address) => new URL(address).search)]) assert.doesNotMatch(text, /token|password/i)
  await device.context.close()
})

test('signing out ends the session in the other tab too, and the back button shows nothing', async () => {
  const device = await openDevice()
  await signIn(device, account)
  const tab = await device.context.newPage()
  await tab.goto(`${url}/w/${ws.id}/settings`)
  await tab.getByRole('heading', { level: 1 }).waitFor()
  await device.page.getByRole('button', { name: 'Your account' }).click()
  await device.page.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await device.page.waitForURL('**/login**')
  await tab.waitForURL('**/login**')
  await device.page.goBack()
  await device.page.waitForURL('**/login**')
  // That this browser once signed in is kept: whoever guesses elsewhere does not lock it out.
  assert.deepEqual(
    (await device.context.cookies()).map(({ name }) => name),
    ['cf_device'],
  )
  await device.context.close()
})

test('signing out everywhere ends the sessions of this person on other devices, and of nobody else', async () => {
  const member = await openAs('editor')
  const phone = await openDevice()
  await signIn(phone, member.account)
  await member.page.getByRole('button', { name: 'Your account' }).click()
  await member.page.getByRole('menuitem', { name: 'Sign out on all devices' }).click()
  await member.page.waitForURL('**/login**')
  await phone.page.reload()
  await phone.page.waitForURL('**/login?from=*')
  await goto('')
  assert.equal(page.url(), `${url}/w/${ws.id}`)
  await member.context.close()
  await phone.context.close()
})

test('every page comes under the content policy and none breaks it or complains', async () => {
  for (const path of PAGES) {
    const [answer] = await Promise.all([page.waitForResponse(`${url}/w/${ws.id}${path}`), goto(path)])
    const headers = answer.headers()
    assert.match(headers['content-security-policy'] ?? '', /default-src 'none'; script-src 'self';/, path)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    await page.waitForLoadState('networkidle')
    assert.deepEqual(complaints, [], path)
  }
})

test(`the start page asks for at most ${FIRST_LOAD_BYTES / 1000} kB of compressed scripts`, async () => {
  // A browser that has loaded nothing yet, with the session of this one.
  const device = await openDevice()
  await device.context.addCookies(await context.cookies())
  const [asked, sizes]: [string[], Map<string, number>] = [[], new Map()]
  device.page.on('request', (request) => void (request.resourceType() === 'script' && asked.push(request.url())))
  device.page.on('response', (response) => {
    if (response.request().resourceType() !== 'script') return
    void response.body().then((body) => sizes.set(response.url(), gzipSync(body).length))
  })
  await device.page.goto(`${url}/w/${ws.id}`)
  await device.page.getByRole('heading', { level: 1 }).waitFor()
  await device.page.waitForLoadState('networkidle')
  // What the palette is made of is fetched ahead once the page is there; on a slow machine the network is not quiet by then.
  const ahead = asked.findIndex((address) => address.includes('/palette-'))
  const scripts = (ahead === -1 ? asked : asked.slice(0, ahead)).map((address) => ({ address, bytes: sizes.get(address) ?? 0 }))
  const sum = scripts.reduce((total, { bytes }) => total + bytes, 0)
  assert.ok(scripts.length > 1 && scripts.every(({ bytes }) => bytes > 0))
  assert.ok(sum <= FIRST_LOAD_BYTES, `${sum} bytes:\n${scripts.map(({ address, bytes }) => `${bytes} ${address}`).join('\n')}`)
  await device.context.close()
})

test('Home does not jump while its data arrives over a slow network', async () => {
  await slow(400)
  await page.goto(`${url}/w/${ws.id}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  const shift = await layoutShift()
  assert.ok(shift < STILL, `layout shift of ${shift}`)
  await slow(0)
})

test('what is typed while the sign-in page is still loading stays', async () => {
  const device = await openDevice()
  await device.slow(1000)
  await device.page.goto(`${url}/login`)
  const email = device.page.getByRole('textbox', { name: 'Email' })
  const answer = device.page.waitForResponse('**/auth/installation')
  await email.fill(account.email)
  await answer
  await device.page.waitForLoadState('networkidle')
  assert.equal(await email.inputValue(), account.email)
  await device.context.close()
})

test('the sign-in page and a page that does not exist are for everybody', async () => {
  await goto('/nowhere')
  await expectPresentable('not-found')
  const device = await openDevice()
  await device.page.goto(`${url}/login`)
  await device.page.getByRole('heading', { level: 1 }).waitFor()
  await device.expectPresentable('sign-in')
  await device.context.close()
})

test('a further workspace is made from the menu and opened, and the menu leads back', async () => {
  await goto('')
  await page.getByRole('button', { name: 'Workspace: Souq Lane' }).click()
  await page.getByRole('menuitem', { name: 'New workspace…' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: 'Workspace name' }).fill('Souq Lane Egypt')
  await expectAccessible()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Workspace: Souq Lane Egypt' }).click()
  await page.getByRole('menuitem', { name: 'Souq Lane', exact: true }).click()
  await page.waitForURL(`${url}/w/${ws.id}`)
})

test('on a phone the navigation is a drawer that is out of reach while it is closed', async () => {
  await goto('')
  await inWidth(390)
  const link = page.getByRole('link', { name: 'Segments', exact: true })
  assert.equal(await link.isVisible(), false)
  await page.getByRole('button', { name: 'Open navigation' }).click()
  await link.waitFor()
  await expectAccessible()
  await shot('navigation-390-en-light')
  await shot('navigation-390-ar-dark', { language: 'ar', theme: 'dark' })
  await link.click()
  await page.waitForURL('**/segments')
  await link.waitFor({ state: 'hidden' })
  await inWidth(1440)
})
