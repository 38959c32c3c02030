/** Ways into an account and out of it: lost passwords, passwords of others, devices, addresses, deletion, the set-up token. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { openMailServer } from '../../../server/test/builders/providers.ts'
import { startApp } from '../../../server/test/harness/start-app.ts'
import { until } from '../../../server/test/harness/until.ts'
import { clientFor, expectStatus, openDashboard, PASSWORD, signIn, uniqueEmail } from '../support/browser.ts'

const server = await openMailServer()
after(() => server.close())
const { page, goto, expectPresentable, app, ws, admin, url, account, openDevice, openAs } = await openDashboard({
  isDemo: false,
  env: {
    CF_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    CF_MAIL_FROM: 'ContentFlow <no-reply@example.com>',
    CF_PUBLIC_URL: 'http://content.example.com',
  },
})
const dialog = (at: Page = page) => at.getByRole('dialog')
const button = (name: string, at: Page | Locator = page) => at.getByRole('button', { name, exact: true })
const field = (name: string, at: Page | Locator = page) => at.getByRole('textbox', { name, exact: true })
const OWN = 'chosen by its person'

/** What stands behind the server's name in the link that was mailed to an address. */
async function linkTo(email: string): Promise<string> {
  const found = () =>
    server.mails
      .filter(({ to }) => to.includes(email))
      .flatMap(({ data }) => /http:\/\/content\.example\.com(\/[\w-]+#[\w-]+)/.exec(data.replace(/=\r\n/g, ''))?.[1] ?? [])
  await until(`a link to ${email}`, () => found().length > 0)
  return found()[0] ?? ''
}

test('a lost password: a link is asked for, comes by mail, and gives a new one', async () => {
  const email = uniqueEmail()
  await app.workspace({ email, name: 'Lost' })
  const device = await openDevice()
  await device.page.goto(`${url}/login`)
  await device.page.getByRole('link', { name: 'Forgot your password?' }).click()
  await device.page.getByText('Enter the email address of your account.').waitFor()
  await device.expectPresentable('forgot-password')
  await field('Email', device.page).fill(email)
  await button('Send link', device.page).click()
  await device.page.getByText('Look in your mailbox').waitFor()
  await device.expectPresentable('forgot-password-sent')

  const link = `${url}${await linkTo(email)}`
  await device.page.goto(link)
  await field('New password', device.page).fill('password1')
  await field('New password again', device.page).fill('password2')
  await button('Change password', device.page).click()
  await device.page.getByText('The passwords differ.').waitFor()
  await field('New password again', device.page).fill('password1')
  await button('Change password', device.page).click()
  await device.page.getByText('Others guess this password').waitFor()
  await device.expectPresentable('reset-password')
  await field('New password', device.page).fill(OWN)
  await field('New password again', device.page).fill(OWN)
  await button('Change password', device.page).click()
  await device.page.getByText('You can sign in with it now.').waitFor()
  await device.expectPresentable('reset-password-done')
  assert.equal(new URL(device.page.url()).hash, '', 'the secret is nowhere any more')
  await device.page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(device, { email, password: OWN })

  await device.page.goto(`${url}/login`)
  await device.page.goto(link)
  await field('New password', device.page).fill(OWN)
  await field('New password again', device.page).fill(OWN)
  await button('Change password', device.page).click()
  await device.page.getByText('This link was used').waitFor()
  await device.context.close()
})

test('whoever got a password from an admin chooses another one before they come in', async () => {
  const email = uniqueEmail()
  expectStatus(await admin.post('/members', { email, name: 'Mona', password: PASSWORD, role: 'viewer' }), 201)
  const device = await openDevice()
  await device.page.goto(`${url}/login`)
  await field('Email', device.page).fill(email)
  await field('Password', device.page).fill(PASSWORD)
  await button('Sign in', device.page).click()
  await device.page.getByRole('heading', { name: 'Choose your own password' }).waitFor()
  await device.expectPresentable('own-password')
  await field('New password', device.page).fill(PASSWORD)
  await field('New password again', device.page).fill(PASSWORD)
  await button('Change password and sign in', device.page).click()
  await device.page.getByText('Choose another password than the one you were given').waitFor()
  await field('New password', device.page).fill(OWN)
  await field('New password again', device.page).fill(OWN)
  await button('Change password and sign in', device.page).click()
  await device.page.waitForURL(`**/w/${ws.id}`)
  await device.context.close()
})

test('people see their devices, and sign one of them out', async () => {
  const other = await openDevice()
  await signIn(other, account)
  await goto('/settings/account')
  const rows = page.getByRole('row').filter({ hasText: 'Chrome, Linux' })
  await until('both browsers in the list', async () => (await rows.count()) === 2)
  await expectPresentable('settings-account')
  const theirs = rows.filter({ hasNotText: 'This device' })
  await theirs.getByRole('button', { name: 'Sign out: Chrome, Linux' }).click()
  await until('one browser left', async () => (await rows.count()) === 1)
  await other.page.reload()
  await other.page.waitForURL('**/login**')
  await other.context.close()
})

test('an address is changed by the link that is sent to it', async () => {
  const member = await openAs('editor', { name: 'Omar Said' })
  const next = uniqueEmail()
  await member.goto('/settings/account')
  await field('New email address', member.page).fill(next)
  const section = member.page.getByRole('region', { name: 'Email address' })
  await section.getByLabel('Your password').fill('wrong password')
  await button('Change address', member.page).click()
  await section.getByText('This password is wrong.').waitFor()
  await section.getByLabel('Your password').fill(member.account.password)
  await button('Change address', member.page).click()
  await member.page.getByText('Look in your new mailbox').waitFor()
  await member.page.goto(`${url}${await linkTo(next)}`)
  await member.page.getByText(member.account.email).waitFor()
  await member.expectPresentable('confirm-email')
  await button('Use the new address', member.page).click()
  await member.page.waitForURL(`**/w/${ws.id}`)
  await member.goto('/settings/account')
  await member.page.getByText(next).first().waitFor()
  await member.context.close()
})

test('an account is deleted and kept after all; the only admin is told of which workspaces', async () => {
  await goto('/settings/account')
  await button('Delete account').click()
  await dialog().getByLabel('Your password').fill(account.password)
  await button('Delete account', dialog()).click()
  await dialog().getByText('You are the only admin').waitFor()
  await dialog().getByText('Souq Lane').waitFor()
  await expectPresentable('settings-account-last-admin')
  await button('Cancel', dialog()).click()

  const member = await openAs('viewer', { name: 'Huda' })
  await member.goto('/settings/account')
  await button('Delete account', member.page).click()
  await dialog(member.page).getByLabel('Your password').fill(member.account.password)
  await button('Delete account', dialog(member.page)).click()
  await member.page.getByText('Your account will be deleted on').waitFor()
  await member.expectPresentable('settings-account-ending')
  await button('Keep account', member.page).click()
  await button('Delete account', member.page).waitFor()
  const { data } = expectStatus(await (await clientFor({ url, ws }, member.account)).get('/auth/me'), 200)
  assert.equal('endsAt' in data, false)
  await member.context.close()
})

test('an admin passes on a link to a new password', async () => {
  const email = uniqueEmail()
  expectStatus(await admin.post('/members', { email, name: 'Layla', password: PASSWORD, role: 'viewer' }), 201)
  await goto('/settings/members')
  await button('Link to a new password for Layla').click()
  await button('Create link', dialog()).click()
  await dialog().getByText("It isn't shown again").waitFor()
  await expectPresentable('settings-reset-link')
  await button('Copy: Link to a new password', dialog()).click()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await dialog().getByLabel('I shared or stored it').check()
  await button('Done', dialog()).click()
  const device = await openDevice()
  await device.page.goto(link)
  await field('New password', device.page).fill(OWN)
  await field('New password again', device.page).fill(OWN)
  await button('Change password', device.page).click()
  await device.page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(device, { email, password: OWN })
  await device.context.close()
})

test('a fresh server that others reach asks for its set-up token, and one without mail says who makes links', async () => {
  const fresh = await startApp({ HOST: '0.0.0.0', CF_SIGNUP: 'first', CF_TEST_HOOKS: 'off', CF_WORKSPACES: 'operator' })
  const device = await openDevice()
  await device.page.goto(`${fresh.url}/login`)
  await field('Set-up token', device.page).waitFor()
  await device.expectPresentable('set-up-token')
  await field('Your name', device.page).fill('Sara')
  await field('Workspace name', device.page).fill('Shop')
  await field('Email', device.page).fill(uniqueEmail())
  await field('Password', device.page).fill(OWN)
  await field('Set-up token', device.page).fill('wrong')
  await button('Create account', device.page).click()
  await device.page.getByText('The set-up token is wrong.').waitFor()
  await field('Set-up token', device.page).fill(fresh.ctx.secrets.derive('set-up token').slice(0, 24))
  await button('Create account', device.page).click()
  await device.page.waitForURL('**/w/**')
  await device.page.getByRole('button', { name: /Workspace: Shop/ }).click()
  await device.page.getByRole('menuitem', { name: 'Shop' }).waitFor()
  await device.page.getByRole('menuitem', { name: 'New workspace' }).waitFor({ state: 'detached' })
  await device.page.goto(`${fresh.url}/forgot-password`)
  await device.page.getByText('This server sends no email.').waitFor()
  await device.expectPresentable('forgot-password-without-mail')
  await device.context.close()
})
