/** Signing in with the directory of a company: its set-up in the settings, the buttons, the trial, and a workspace that requires it. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDirectory } from '../../../server/test/builders/sign-in/identity-provider.ts'
import { expectStatus, openDashboard, PASSWORD, signIn, uniqueEmail } from '../support/browser.ts'

const { page, goto, ws, url, app, admin, account, openDevice, openAs, expectPresentable } = await openDashboard({
  isDemo: false,
  name: 'Souq',
})
const id = `${ws.id}.acme`
const directory = await openDirectory({ id, url })
after(() => directory.close())

const section = (at: Page = page) => at.getByRole('region', { name: 'Sign-in providers' })
/** At the directory's own pages. */
async function signInThere(at: Page, login: string): Promise<void> {
  await at.getByPlaceholder('Enter any login').fill(login)
  await at.getByPlaceholder('and password').fill('any')
  await at.getByRole('button', { name: 'Sign-in' }).click()
  await at.getByRole('button', { name: 'Continue' }).click()
}

test('an admin adds a provider, sees what groups would give, and tries it before it counts', async () => {
  await goto('/settings/sign-in')
  await section().getByText('No provider yet').waitFor()
  await section().getByRole('button', { name: 'Add provider' }).click()
  const form = page.getByRole('dialog', { name: 'Add provider' })
  await form.getByRole('button', { name: 'Save provider' }).click()
  assert.equal(await form.getByText('Enter this.').count(), 3)
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme')
  await form.getByRole('textbox', { name: 'Issuer' }).fill('http://login.example')
  await form.getByRole('textbox', { name: 'Client ID' }).fill(directory.clientId)
  await form.getByLabel('Client secret').fill(directory.clientSecret)
  await form.getByRole('button', { name: 'Add group' }).click()
  await form.getByRole('textbox', { name: 'Group 1' }).fill('content-team')
  await form.getByLabel('Role of group 1').selectOption('editor')
  const preview = form.getByRole('textbox', { name: 'Somebody in these groups' })
  await preview.fill('others')
  await form.getByText('Would not be let in.').waitFor()
  await preview.fill('others, content-team')
  await form.getByText('Would be: Editor').waitFor()
  await expectPresentable('settings-sign-in-form')
  await form.getByRole('button', { name: 'Save provider' }).click()
  await form.getByRole('alert').getByText(/https/).waitFor()
  await form.getByRole('textbox', { name: 'Issuer' }).fill(directory.issuer)
  const domains = form.getByRole('combobox', { name: 'Domains of email addresses' })
  await domains.fill('acme.example')
  await domains.press('Enter')
  await form.getByRole('button', { name: 'Save provider' }).click()
  await section().getByText(`${url}/api/v1/auth/oidc/${id}/callback`).waitFor()
  await section().getByText('Not proven').waitFor()
  await expectPresentable('settings-sign-in')

  directory.people.set('tester', { email: 'tester@acme.example', name: 'Tester', groups: ['content-team'] })
  const device = await openDevice()
  await device.page.goto(`${url}/api/v1/auth/oidc/${id}/start?try=true`)
  await signInThere(device.page, 'tester')
  await device.page.getByRole('heading', { name: 'Trial sign-in' }).waitFor()
  await device.page.getByText('content-team').waitFor()
  await device.page.getByText(/^Editor/).waitFor()
  await device.expectPresentable('sign-in-tried')
  await device.context.close()
  const viewer = await openAs('viewer')
  await viewer.goto('/settings/sign-in')
  await section(viewer.page).getByText('Only admins can change this.').waitFor()
  await viewer.context.close()
})

test('an account that exists is connected after one sign-in with its password; then the button is enough', async () => {
  expectStatus(await admin.put('/settings/identity-providers/acme', { name: 'Acme', isOn: true }), 200)
  // As if the text record were there: no server of names is asked here.
  await app.ctx.db.updateTable('sign_in_domains').set({ proved_at: new Date() }).where('workspace_id', '=', ws.id).execute()
  const email = `known-${uniqueEmail().slice(0, 8)}@acme.example`
  expectStatus(await admin.post('/members', { email, name: 'Known', password: PASSWORD, role: 'viewer' }), 201)
  directory.people.set('known', { email, name: 'Known', groups: ['content-team'] })
  const device = await openDevice()
  const at = device.page
  await at.goto(`${url}/login`)
  await at.getByRole('textbox', { name: 'Email' }).fill(email)
  const button = at.getByRole('link', { name: 'Sign in with Acme' })
  await button.waitFor()
  await device.expectPresentable('sign-in-with-provider')
  await button.click()
  await signInThere(at, 'known')
  await at.getByText('Sign in with its password once to connect the two.').waitFor()
  await device.expectPresentable('sign-in-link-required')
  await at.getByRole('textbox', { name: 'Email' }).fill(email)
  await at.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await at.getByRole('button', { name: 'Sign in', exact: true }).click()
  for (const name of ['New password', 'New password again'])
    await at.getByRole('textbox', { name, exact: true }).fill('a password of my own')
  await at.getByRole('button', { name: 'Change password and sign in' }).click()
  await at.getByRole('heading', { name: 'Connect your account' }).waitFor()
  await at.getByText('Known at Acme as:').waitFor()
  await device.expectPresentable('link-account')
  await at.getByRole('button', { name: 'Connect' }).click()
  await at.waitForURL(new RegExp(`/w/${ws.id}`))
  await at.getByRole('heading', { level: 1 }).waitFor()
  await goto('/settings/members')
  await page.getByText('From your directory').first().waitFor()
  await expectPresentable('settings-members-directory')

  // Signing out leads to the provider, where it is asked and then done.
  await at.getByRole('button', { name: 'Account' }).click()
  await at.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
  await at.waitForURL((to) => to.href.startsWith(directory.issuer))
  await device.context.close()
})

test('a workspace that requires its provider asks for it, and leads there and back', async () => {
  directory.people.set('boss', { email: 'boss@acme.example', name: 'Boss', groups: ['bosses'] })
  const mapping = [{ group: 'bosses', role: 'admin' }]
  expectStatus(await admin.put('/settings/identity-providers/acme', { name: 'Acme', mapping }), 200)
  await app.ctx.db.updateTable('sign_in_domains').set({ proved_at: new Date() }).where('workspace_id', '=', ws.id).execute()
  const device = await openDevice()
  const at = device.page
  await at.goto(`${url}/api/v1/auth/oidc/${id}/start?returnTo=/w/${ws.id}/settings/sign-in`)
  await signInThere(at, 'boss')
  const required = at.getByRole('region', { name: 'Who may come in' })
  await required.getByLabel('Require a provider').click()
  await device.expectPresentable('settings-sign-in-required')
  await required.getByRole('button', { name: 'Save' }).click()
  await at.getByText('Saved', { exact: true }).first().waitFor()

  await page.reload()
  await page.getByRole('heading', { name: 'Sign in with your provider' }).waitFor()
  await expectPresentable('sign-in-required')
  const go = page.getByRole('link', { name: 'Go to sign-in' })
  assert.match((await go.getAttribute('href')) ?? '', new RegExp(`^/api/v1/auth/oidc/${id}/start\\?returnTo=%2Fw%2F`))
  expectStatus(await app.operator.delete(`/operator/workspaces/${ws.id}/sign-in`), 200)
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await device.context.close()
  await page.context().clearCookies()
  await signIn({ ...device, page, url }, account)
})

test('why somebody was not let in is said in words', async () => {
  const device = await openDevice()
  for (const [fault, words] of [
    ['sso_failed', 'The sign-in was not completed'],
    ['sso_away', 'does not answer just now'],
    ['not_assigned', 'no workspace is open to you'],
    ['domain_not_verified', 'has not proven the domain'],
    ['too_many_groups', 'more groups than the provider sends'],
  ] as const) {
    await device.page.goto(`${url}/sign-in?error=${fault}`)
    await device.page.getByRole('alert').getByText(words).waitFor()
  }
  await device.expectPresentable('sign-in-refused-by-provider')
  await device.page.goto(`${url}/sign-in/tried#x`)
  await device.page.getByText('does not hold the result of a trial').waitFor()
  await device.context.close()
})
