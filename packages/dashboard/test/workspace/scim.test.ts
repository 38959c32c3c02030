/** What admins see of their directory: where it sends people, how it is set up, and what became of whom it sent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scimOf, tokenFor } from '../../../server/test/builders/sign-in/provisioned-workspace.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, ws, url, app, admin, openAs, expectPresentable } = await openDashboard({ isDemo: false, name: 'Souq' })
const section = page.getByRole('region', { name: 'People from your directory' })

test('an admin sees the address, the steps, and who waits, is a member, or left', async () => {
  await goto('/settings/sign-in')
  await section.getByText(`${url}/scim/v2`).waitFor()
  await section.getByText('Nobody yet').waitFor()
  assert.equal(await section.getByRole('link', { name: 'Roles and programs' }).getAttribute('href'), `/w/${ws.id}/settings/access`)

  const scim = scimOf(url, await tokenFor(ws))
  const send = async (userName: string, displayName: string, active = true) =>
    expectStatus(await scim.post('/Users', { userName, displayName, active }), 201).body.id as string
  await send('amal@acme.example', 'Amal Haddad')
  const editor = await send('badr@acme.example', 'Badr Nasser')
  const gone = await send('sara@acme.example', 'سارة العلي', false)
  const lastAdmin = await send('zain@acme.example', 'Zain', false)
  expectStatus(await scim.post('/Groups', { displayName: 'Writers', members: [{ value: editor }] }), 201)
  await openAs('editor')
  const { members } = expectStatus(await admin.get('/members'), 200).data
  // As if they had signed in with the provider of the workspace.
  for (const [id, role] of [
    [editor, 'editor'],
    [lastAdmin, 'admin'],
  ] as const)
    await app.ctx.db
      .updateTable('scim_users')
      .set({ account_id: members.find((each: any) => each.role === role).userId })
      .where('workspace_id', '=', ws.id)
      .where('id', '=', id)
      .execute()
  await goto('/settings/members')
  await goto('/settings/sign-in')
  const row = (name: string) => section.getByRole('row', { name })
  await row('Amal Haddad').getByText('Waiting').waitFor()
  await row('Badr Nasser').getByText('Member').waitFor()
  await row('سارة العلي').getByText('Inactive').waitFor()
  await row('Zain').getByText('Still a member').waitFor()
  await section.getByText('Last change').waitFor()
  assert.ok(gone)
  await expectPresentable('settings-sign-in-scim')
})
