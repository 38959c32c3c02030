/** Settings as an admin, an editor and a viewer use them, and what applications notice of each. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { clientFor, expectStatus, openDashboard, signIn, uniqueEmail } from '../support/browser.ts'

const dashboard = await openDashboard()
const { page, goto, admin, ws, url, openAs, openDevice, expectPresentable, expectAccessible, shot, layoutShift, slow, setOffline } =
  dashboard

const TABS = ['workspace', 'members', 'keys', 'protection', 'languages', 'calendar', 'features', 'environments', 'data', 'audit', 'account']

const section = (name: string, at: Page = page) => at.getByRole('region', { name, exact: true })
const dialog = (at: Page = page) => at.getByRole('dialog')
const button = (name: string, at: Page | Locator = page) => at.getByRole('button', { name, exact: true })
const said = (text: string) => page.getByText(text).waitFor()
/** The row of what bears exactly this name: part of a text would do for a masked key, whose letters are random. */
const row = (name: string) => page.getByRole('row').filter({ has: page.getByText(name, { exact: true }) })

async function choose(key: string, action: string): Promise<void> {
  await button(`Actions for ${key}`).click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Reads the key that is shown once, says that it is stored and leaves. */
async function takeKey(): Promise<string> {
  const key = await dialog().getByTestId('key-text').innerText()
  assert.equal(await button('Done', dialog()).isDisabled(), true)
  await page.keyboard.press('Escape')
  assert.equal(await dialog().isVisible(), true, 'a key must not be lost to a slip')
  await dialog().getByLabel('I stored it').check()
  await button('Done', dialog()).click()
  await dialog().waitFor({ state: 'detached' })
  return key
}

/** A state of a page whose other looks are those of the page. */
async function look(name: string): Promise<void> {
  await expectAccessible()
  await shot(`${name}-1440-en-light`)
  await shot(`${name}-390-ar-dark`, { width: 390, language: 'ar', theme: 'dark' })
}

const syncStatus = async (key: string) => (await ws.sdk({ 'x-cf-key': key }).get('/sync')).status

test('every part of the settings fits, can be used by everybody and looks right in both languages and themes', async () => {
  await openAs('viewer', { name: 'Ayşe Nur Kovalenko-Oberschneider' }).then(({ context }) => context.close())
  for (const tab of TABS) {
    await goto(`/settings/${tab}`)
    await expectPresentable(`settings-${tab}`)
  }
  await goto('/settings/keys?new=publishable')
  await dialog().waitFor()
  await expectPresentable('settings-new-key')
})

test('the address holds the part that is open, and the keyboard goes from one to the next', async () => {
  await goto('/settings')
  await section('Workspace name').waitFor()
  const keys = page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Keys' })
  await keys.focus()
  await page.keyboard.press('Enter')
  await section('App keys').waitFor()
  assert.match(page.url(), /\/settings\/keys$/)
  await page.goBack()
  await section('Workspace name').waitFor()
  await goto('/settings/nowhere')
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
})

test('an admin renames the workspace; without a connection what was typed stays and can be sent again', async () => {
  await goto('/settings/workspace')
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Souq Lane Riyadh')
  await setOffline(true)
  await button('Save').click()
  await page.getByText("Can't reach the server").waitFor()
  assert.equal(await name.inputValue(), 'Souq Lane Riyadh')
  await setOffline(false)
  await button('Save').click()
  await page.getByRole('button', { name: 'Workspace: Souq Lane Riyadh' }).waitFor()
  assert.equal(await button('Save').isDisabled(), true)
  const { data } = expectStatus(await admin.get('/workspaces'), 200)
  assert.equal(data.workspaces[0].name, 'Souq Lane Riyadh')
})

test('G-06 a member is added with a password that is shown once and opens the dashboard', async () => {
  await goto('/settings/members')
  const email = uniqueEmail()
  await button('Add member').click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Mona Al-Harbi')
  await dialog().getByRole('textbox', { name: 'Email' }).fill('no address')
  await button('Add member', dialog()).click()
  await dialog().getByText('Enter an email address.').waitFor()
  await dialog().getByRole('textbox', { name: 'Email' }).fill(email)
  await dialog().getByRole('radio', { name: 'Viewer' }).check()
  await dialog().getByRole('checkbox', { name: 'Can approve' }).check()
  await expectPresentable('settings-add-member')
  await button('Add member', dialog()).click()
  await dialog().getByText('Mona Al-Harbi added').waitFor()
  await look('settings-member-added')
  await button('Copy: Password', dialog()).click()
  const password = await page.evaluate(() => navigator.clipboard.readText())
  assert.match(password, /^(\w{5}-){3}\w{5}$/)
  await dialog().getByLabel('I shared or stored it').check()
  await button('Done', dialog()).click()

  const device = await openDevice()
  await signIn(device, { email, password, next: 'chosen by its person' })
  await device.context.close()
  const { data } = expectStatus(await admin.get('/members'), 200)
  const member = data.members.find((one: { email: string }) => one.email === email)
  assert.deepEqual([member.role, member.canApprove], ['viewer', true])

  await button('Add member').click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('Mona')
  await dialog().getByRole('textbox', { name: 'Email' }).fill(email)
  await button('Add member', dialog()).click()
  await dialog().getByText('Someone with this email is already a member.').waitFor()
})

test('G-06 role and approval change in the list, and a removed member is out', async () => {
  const member = await openAs('viewer', { name: 'Omar Said' })
  await goto('/settings/members')
  await page.getByRole('combobox', { name: 'Role of Omar Said' }).selectOption('Editor')
  await said('Omar Said updated')
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === 'PUT'),
    page.getByRole('checkbox', { name: 'Omar Said can approve' }).click(),
  ])
  await page.getByRole('checkbox', { name: 'Omar Said can approve', checked: true }).waitFor()
  const mine = async () => {
    const { data } = expectStatus(await admin.get('/members'), 200)
    return data.members.find((one: { email: string }) => one.email === member.account.email)
  }
  const changed = await mine()
  assert.deepEqual([changed.role, changed.canApprove], ['editor', true])

  await row('Omar Said').waitFor()
  await button('Remove Omar Said').click()
  await button('Remove', dialog()).click()
  await row('Omar Said').waitFor({ state: 'detached' })
  assert.equal(await mine(), undefined)
  await member.page.reload()
  await member.page.getByText("You aren't a member of this workspace").waitFor()
  await member.context.close()
})

test('G-06 the last admin cannot be locked out: the refusal says why and what to do', async () => {
  await goto('/settings/members')
  const role = page.getByRole('combobox', { name: 'Role of Admin' })
  await role.selectOption('Viewer')
  await dialog().getByText('Only another admin can make you an admin again.').waitFor()
  await button('Give up admin role', dialog()).click()
  await page.getByRole('alert').getByText('This is the only admin').waitFor()
  await look('settings-last-admin')
  await button('Remove Admin').click()
  await button('Remove', dialog()).click()
  await page.getByRole('alert').getByText('Make another member an admin first').waitFor()
  assert.equal(await role.inputValue(), 'admin')
})

test('C-AUTH-03 M-KEY-03 a key is shown once, opens the workspace, and is nowhere afterwards', async () => {
  await goto('/settings/keys')
  await button('New key').click()
  await dialog().getByRole('textbox', { name: 'Name' }).fill('iOS app')
  await button('Create key', dialog()).click()
  await dialog().getByText('it is shown once').waitFor()
  await expectPresentable('settings-key-shown')
  assert.match(await dialog().getByRole('tabpanel').innerText(), /createClient/)
  await dialog().getByRole('tab', { name: 'curl' }).click()
  const curl = await dialog().getByRole('tabpanel').innerText()
  await button('Copy key', dialog()).click()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  const key = await takeKey()
  assert.match(key, new RegExp(`^${ws.id}_cfpk[0-9a-f]{40}$`))
  assert.equal(copied, key)
  assert.ok(curl.includes(key) && curl.includes(`${url}/sdk/v1/sync`))
  assert.equal(await syncStatus(key), 200)
  await row('iOS app').waitFor()
  assert.ok(!(await page.content()).includes(key))
  await page.reload()
  await row('iOS app').waitFor()
  assert.ok(!(await page.content()).includes(key))
})

test('M-KEY-06 C-AUTH-19 rotating and revoking say what breaks, and end the old key at once', async () => {
  const { key, masked } = expectStatus(
    await admin.post('/settings/sdk-keys', { kind: 'secret', environment: 'test', name: 'CI' }),
    201,
  ).data
  await goto('/settings/keys')
  await choose('CI', 'Rotate')
  await dialog().getByText('Servers with this key are rejected until they have the new one.').waitFor()
  await look('settings-rotate')
  await button('Rotate', dialog()).click()
  await dialog().getByTestId('key-text').waitFor()
  const fresh = await takeKey()
  assert.notEqual(fresh, key)
  assert.deepEqual([await syncStatus(key), await syncStatus(fresh)], [401, 200])
  await row('CI').getByText('Rotated').waitFor()

  await choose('CI', 'Revoke')
  const confirm = button('Revoke', dialog())
  assert.equal(await confirm.isDisabled(), true)
  await dialog().getByRole('textbox').fill(masked.slice(-4))
  assert.equal(await confirm.isDisabled(), true, 'the end of the old key is not that of this one')
  await dialog().getByRole('textbox').fill(fresh.slice(-4))
  await confirm.click()
  await row('CI').waitFor({ state: 'detached' })
  assert.equal(await syncStatus(fresh), 401)
})

test('G-09 write and read keys are made by an editor; a viewer sees application keys only and makes none', async () => {
  const editor = await openAs('editor')
  await editor.goto('/settings/keys')
  await button('New write key', editor.page).click()
  await dialog(editor.page).getByRole('textbox', { name: 'Name' }).fill('Pipeline')
  await button('Create key', dialog(editor.page)).click()
  const key = await dialog(editor.page).getByTestId('key-text').innerText()
  assert.match(key, /^wk_live_/)
  expectStatus(
    await ws.sdk({ 'x-cf-write-key': key }).post('/strings/sync', { strings: [{ key: 'a.pipeline', sourceText: 'Hello' }] }),
    200,
  )
  await dialog(editor.page).getByLabel('I stored it').check()
  await button('Done', dialog(editor.page)).click()
  await section('Read keys', editor.page).waitFor()
  await editor.goto('/settings/members')
  assert.equal(await editor.page.getByRole('combobox', { name: /^Role of/ }).count(), 0)
  assert.equal(await button('Add member', editor.page).count(), 0)
  await editor.context.close()

  const viewer = await openAs('viewer')
  await viewer.goto('/settings/keys?new=publishable')
  await section('App keys', viewer.page).getByRole('row').nth(1).waitFor()
  assert.deepEqual([await dialog(viewer.page).count(), await section('Write keys', viewer.page).count()], [0, 0])
  assert.equal(await viewer.page.getByRole('button', { name: /^New|^Actions for/ }).count(), 0)
  for (const tab of TABS) {
    await viewer.goto(`/settings/${tab}`)
    await viewer.page.waitForLoadState('networkidle')
    assert.equal(await viewer.page.getByRole('alert').count(), 0, `a viewer is shown a refusal in ${tab}`)
    assert.equal(await viewer.page.getByRole('switch').count(), 0, tab)
  }
  await viewer.context.close()
})

test('M-KEY-09 M-KEY-10 derived keys are switched off once there is a live app key; until then the refusal leads to making one', async () => {
  const { data } = expectStatus(await admin.get('/settings/sdk-keys?limit=100'), 200)
  for (const { id, kind, environment } of data.keys)
    if (kind === 'publishable' && environment === 'live') expectStatus(await admin.delete(`/settings/sdk-keys/${id}`), 200)
  const derived = `${ws.id}_app`
  assert.equal(await syncStatus(derived), 200)

  await goto('/settings/keys')
  const toggle = page.getByRole('switch', { name: 'Derived keys open this workspace' })
  await toggle.focus()
  await page.keyboard.press('Space')
  await button('Turn off', dialog()).click()
  await page.getByRole('alert').getByText('Create a live app key first').waitFor()
  await look('settings-policy-refused')
  assert.equal(await syncStatus(derived), 200)
  await button('Create live app key').click()
  await dialog().getByRole('checkbox', { name: 'Turn off derived keys' }).uncheck()
  await button('Create key', dialog()).click()
  await dialog().getByTestId('key-text').waitFor()
  const key = await takeKey()
  await toggle.focus()
  await page.keyboard.press('Space')
  await button('Turn off', dialog()).click()
  await said('Saved. It applies at the next request.')
  assert.equal(await toggle.isChecked(), false)
  assert.deepEqual([await syncStatus(derived), await syncStatus(key)], [401, 200])
})

test('G-07 switching a feature off is asked about and reaches apps; switching it on is not', async () => {
  await goto('/settings/features')
  const toggle = page.getByRole('switch', { name: 'Campaigns' })
  await toggle.focus()
  await page.keyboard.press('Space')
  await dialog().getByText('When off, apps get no campaigns and show none.').waitFor()
  await button('Cancel', dialog()).click()
  await dialog().waitFor({ state: 'detached' })
  assert.equal(await toggle.isChecked(), true)
  await toggle.focus()
  await page.keyboard.press('Space')
  await button('Turn off', dialog()).click()
  await said('Campaigns turned off')
  await dialog().waitFor({ state: 'detached' })
  const features = async () => expectStatus(await ws.sdk({ 'x-cf-key': ws.test }).get('/sync'), 200).data.config.features
  assert.equal((await features()).campaigns, false)
  await toggle.focus()
  await page.keyboard.press('Space')
  await said('Campaigns turned on')
  assert.equal((await features()).campaigns, true)
})

test('G-11 a sandbox is made, opened and unlinked; a retired test environment takes no more reports', async () => {
  await goto('/settings/environments')
  await button('Create sandbox').click()
  const link = page.getByRole('link', { name: 'Souq Lane Riyadh (sandbox)' })
  await link.waitFor()
  await look('settings-sandbox')
  await link.click()
  await page.getByRole('button', { name: 'Workspace: Souq Lane Riyadh (sandbox)' }).waitFor()
  await page.getByRole('banner').getByText('Sandbox', { exact: true }).waitFor()
  await look('sandbox')

  await goto('/settings/environments')
  await button('Unlink').click()
  await button('Unlink', dialog()).click()
  await page.getByText('No sandbox yet.').waitFor()
  await button('Close environment').click()
  await dialog().getByText('No sandbox is linked').waitFor()
  await button('Close environment', dialog()).click()
  await page.getByText('so apps with a test key can only read. Create a sandbox').waitFor()
  const report = () => ws.testApp.post('/consent', { analytics: true }, { headers: { 'x-cf-device': 'a-device' } })
  assert.equal((await report()).body.code, 'SANDBOX_REQUIRED')
  await button('Reopen').click()
  await said('The test environment is open.')
  assert.notEqual((await report()).body.code, 'SANDBOX_REQUIRED')
})

test('event retention takes whole days in range, and fewer days are asked about because events go', async () => {
  await goto('/settings/data')
  const days = page.getByRole('textbox', { name: 'Days' })
  await days.fill('4000')
  await page.getByText('Enter a whole number from 1 to 3,650.').waitFor()
  assert.equal(await button('Save').isDisabled(), true)
  await days.fill('90')
  await page.getByRole('link', { name: 'Home' }).click()
  await dialog().getByText("Your changes on this page aren't saved yet.").waitFor()
  await button('Stay', dialog()).click()
  await dialog().waitFor({ state: 'detached' })
  await button('Save').click()
  await dialog().getByText('Events older than 90 days are deleted within a day').waitFor()
  await look('settings-retention')
  await button('Delete older events', dialog()).click()
  await said('Saved')
  assert.equal(expectStatus(await admin.get('/settings/event-retention'), 200).data.days, 90)
})

test('sensor approval is switched, and languages lead to where they are added', async () => {
  await goto('/settings/languages')
  await page.getByRole('switch', { name: 'Tracking needs approval' }).focus()
  await page.keyboard.press('Space')
  await said('Saved')
  assert.equal(expectStatus(await admin.get('/settings/sensor-approval'), 200).data.required, true)
  await row('Arabic').waitFor()
  await page.getByRole('link', { name: 'Add or remove languages' }).click()
  await page.waitForURL('**/strings/languages')
})

test('a person changes name and password; a wrong password keeps what was typed, the right one signs other devices out', async () => {
  const member = await openAs('editor', { name: 'Huda' })
  const other = await openDevice()
  await signIn(other, member.account)
  await member.goto('/settings/account')
  await member.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Huda Salem')
  await button('Save', member.page).click()
  await member.page.getByText('Saved').waitFor()
  const me = await clientFor(dashboard, member.account)
  assert.equal(expectStatus(await me.get('/auth/me'), 200).data.user.name, 'Huda Salem')

  const field = (name: string) => member.page.getByRole('textbox', { name, exact: true })
  await field('Current password').fill('not the password')
  await field('New password').fill('a quiet green river')
  await field('New password again').fill('a quiet green')
  await button('Change password', member.page).click()
  await member.page.getByText('The passwords differ.').waitFor()
  await field('New password again').fill('a quiet green river')
  await button('Change password', member.page).click()
  await member.page.getByText('The current password is wrong.').waitFor()
  assert.equal(await field('New password').inputValue(), 'a quiet green river')
  await field('Current password').fill(member.account.password)
  await button('Change password', member.page).click()
  await member.page.getByText('Password changed.').waitFor()
  await other.page.reload()
  await other.page.waitForURL('**/login**')
  await signIn(other, { email: member.account.email, password: 'a quiet green river' })

  await button('Sign out on all devices', member.page).click()
  await button('Sign out on all devices', dialog(member.page)).click()
  await member.page.waitForURL('**/login**')
  await other.page.reload()
  await other.page.waitForURL('**/login**')
  await member.context.close()
  await other.context.close()
})

test('over a slow network the list of switches comes without a jump', async () => {
  await slow(400)
  await goto('/settings/features')
  await page.getByRole('switch', { name: 'Geofences' }).waitFor()
  assert.ok((await layoutShift()) < 0.1)
  await slow(0)
})
