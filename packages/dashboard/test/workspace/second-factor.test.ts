/** A second step at sign-in, with an authenticator app and with passkeys of a device that the browser itself plays. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { codeOf } from '../../../server/test/builders/sign-in/second-factors.ts'
import { launchChromium } from '../../../server/test/harness/chromium.ts'
import { startApp } from '../../../server/test/harness/start-app.ts'
import { until } from '../../../server/test/harness/until.ts'
import { expectStatus, PASSWORD, signIn, uniqueEmail } from '../support/browser.ts'
import { openView, type View } from '../support/view.ts'

const app = await startApp()
const browser = await launchChromium()
after(() => browser.close())
/** Passkeys are of a name, and need no https on the own machine. */
const url = app.url.replace('127.0.0.1', 'localhost')
const button = (name: string, at: Page | Locator) => at.getByRole('button', { name, exact: true })
const dialog = (at: Page) => at.getByRole('dialog')

type Device = View & { setVerified(isVerified: boolean): Promise<void>; credentials(): Promise<number> }

/** A device that has passkeys. */
async function openDevice(workspaceId: string): Promise<Device> {
  const view = await openView(browser, { url, workspaceId })
  after(() => view.context.close())
  const network = await view.context.newCDPSession(view.page)
  await network.send('WebAuthn.enable')
  const { authenticatorId } = await network.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    ...view,
    setVerified: (isUserVerified) => network.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }).then(() => undefined),
    credentials: async () => (await network.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}

async function openAccount() {
  const account = { email: uniqueEmail(), password: PASSWORD }
  const ws = await app.workspace({ name: 'Souq Lane', email: account.email })
  return { account, ws, device: await openDevice(ws.id) }
}

async function storeCodes({ page }: View): Promise<string[]> {
  await dialog(page).getByText('Your recovery codes').waitFor()
  const codes = await dialog(page).locator('code').allTextContents()
  await dialog(page).getByLabel('I stored it').check()
  await button('Done', dialog(page)).click()
  return codes
}

async function signOut(device: View): Promise<void> {
  await device.context.clearCookies()
  await device.page.goto(`${url}/login`)
}

async function givePassword({ page }: View, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await button('Sign in', page).click()
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
}

test('a passkey is made, named, signs in alone and after the password, and is removed', async () => {
  const { account, device } = await openAccount()
  const { page } = device
  await signIn(device, account)
  await device.goto('/settings/account')
  await button('Add passkey', page).click()
  await dialog(page).getByText('Your recovery codes').waitFor()
  await device.expectPresentable('recovery-codes')
  const codes = await storeCodes(device)
  assert.equal(codes.length, 10)
  assert.equal(await device.credentials(), 1)
  await button('Rename: Chrome, Linux', page).click()
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Work phone')
  await button('Save', dialog(page)).click()
  await page.getByText('Work phone').waitFor()
  await device.expectPresentable('settings-account-passkeys')

  await signOut(device)
  await button('Sign in with a passkey', page).waitFor()
  await device.expectPresentable('login-passkey')
  await button('Sign in with a passkey', page).click()
  await page.waitForURL(/\/w\//)

  await signOut(device)
  await givePassword(device, account)
  await device.expectPresentable('second-step-passkey')
  await device.setVerified(false)
  await button('Use passkey', page).click()
  await page.getByText('No passkey was used.').waitFor()
  await device.setVerified(true)
  await button('Use passkey', page).click()
  await page.waitForURL(/\/w\//)

  await signOut(device)
  await givePassword(device, account)
  await page.getByRole('textbox', { name: 'Recovery code' }).fill(codes[0] ?? '')
  await button('Sign in', page).click()
  await page.waitForURL(/\/w\//)
  await device.goto('/settings/account')
  await page.getByText('9 of 10 left.').waitFor()
  await button('Remove: Work phone', page).click()
  await button('Remove', dialog(page)).click()
  await until('the codes are gone with it', async () => (await page.getByText('9 of 10 left.').count()) === 0)
})

test('an authenticator app is set up by its code, which is asked for at sign-in', async () => {
  const { account, device } = await openAccount()
  const { page } = device
  await signIn(device, account)
  await device.goto('/settings/account')
  await button('Set up', page).click()
  const code = dialog(page).getByRole('textbox', { name: 'Code' })
  await dialog(page).getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  await device.expectPresentable('authenticator-set-up')
  const secret = await dialog(page).locator('.cf-code').innerText()
  await code.fill('123')
  await button('Confirm', dialog(page)).click()
  await dialog(page).getByText('This code is wrong').waitFor()
  await code.fill(codeOf(secret, app.ctx.clock.ms()))
  await button('Confirm', dialog(page)).click()
  await storeCodes(device)
  await page.getByText('On: at sign-in the app shows a code.').waitFor()

  await signOut(device)
  await givePassword(device, account)
  await device.expectPresentable('second-step')
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await button('Sign in', page).click()
  await page.getByText('This code is wrong, over or was used before.').waitFor()
  await app.advance(30)
  await page.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, app.ctx.clock.ms()))
  await button('Sign in', page).click()
  await page.waitForURL(/\/w\//)

  // What a stolen session must not do takes a fresh one: asked for over the page, which then goes on.
  await device.goto('/settings/account')
  await app.advance(601)
  await button('New codes', page).click()
  await button('New codes', dialog(page)).click()
  await page.getByText('prove once more').waitFor()
  await device.expectPresentable('sign-in-again')
  const again = page.getByRole('dialog', { name: 'Sign in again' })
  await again.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await button('Sign in', again).click()
  await again.getByRole('textbox', { name: 'Code' }).fill(codeOf(secret, app.ctx.clock.ms()))
  await button('Sign in', again).click()
  await storeCodes(device)
})

test('a page at which nobody does anything signs out, though it goes on asking the server', async () => {
  const { account, ws, device } = await openAccount()
  const { page } = device
  expectStatus(await ws.admin.put('/settings/sign-in', { sessionIdleMinutes: 5 }), 200)
  await page.clock.install()
  await signIn(device, account)
  await device.goto('/settings/members')
  await page.clock.fastForward(4 * 60_000)
  await page.mouse.move(200, 200)
  await page.clock.fastForward(4 * 60_000)
  await page.getByRole('heading', { name: 'Members' }).waitFor()
  await page.clock.fastForward(2 * 60_000)
  await page.waitForURL('**/login**')
})

test('a workspace asks its members for a second step: they add one at its door, and come in', async () => {
  const { account, ws, device } = await openAccount()
  const { page } = device
  const member = { email: uniqueEmail(), password: 'chosen by its person' }
  expectStatus(await ws.admin.post('/members', { ...member, name: 'Mona', role: 'editor' }), 201)
  await signIn(device, account)
  await device.goto('/settings/sign-in')
  await page.getByRole('radio', { name: 'Every member' }).click()
  await page.getByText('Add a second step to your own account first').waitFor()
  await device.goto('/settings/account')
  await button('Add passkey', page).click()
  await storeCodes(device)
  await device.goto('/settings/sign-in')
  await page.getByRole('radio', { name: 'Every member' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.getByLabel('Sign out members who did nothing for').selectOption('30')
  await until('it is stored', async () => {
    const row = await app.ctx.db.selectFrom('sign_in_settings').selectAll().where('workspace_id', '=', ws.id).executeTakeFirst()
    return row?.second_factor === 'all' && row.session_idle_minutes === 30
  })
  await device.expectPresentable('settings-second-factor')

  const theirs = await openDevice(ws.id)
  await theirs.page.goto(`${url}/login`)
  await theirs.page.getByRole('textbox', { name: 'Email' }).fill(member.email)
  await theirs.page.getByRole('textbox', { name: 'Password' }).fill(member.password)
  await button('Sign in', theirs.page).click()
  // Somebody else gave it to them.
  for (const name of ['New password', 'New password again'])
    await theirs.page.getByRole('textbox', { name, exact: true }).fill('known to nobody else')
  await button('Change password and sign in', theirs.page).click()
  await theirs.page.getByRole('heading', { name: 'This workspace needs a second step' }).waitFor()
  await theirs.expectPresentable('second-factor-gate')
  await button('Add passkey', theirs.page).click()
  await storeCodes(theirs)
  await theirs.page.getByRole('navigation').first().waitFor()
  await theirs.goto('/settings/members')
  await theirs.page.getByText('Mona').first().waitFor()
  assert.deepEqual([...device.complaints, ...theirs.complaints], [])
})
