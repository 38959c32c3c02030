/** The settings say how much a workspace holds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, openDashboard } from './browser.ts'

const { page, goto, admin, ws, app, expectPresentable } = await openDashboard()

const storage = page.getByRole('region', { name: 'Storage', exact: true })
const grant = async (contentMegabytes: number | null) =>
  expectStatus(await app.operator.put(`/operator/workspaces/${ws.id}/plan`, { contentMegabytes }), 200)

test('how much is stored, of what, and when little is left', async () => {
  await grant(1)
  await ws.block('stored')
  const large = { values: { '#title': 'k'.repeat(205_000) } }
  const stored = await Promise.all(Array.from({ length: 4 }, () => ws.instance('stored', large)))
  await goto('/settings/workspace')
  await storage.getByText(/^8\d\d kB of 1 MB$/).waitFor()
  await storage.getByText('Little is left.').waitFor()
  const most = storage.getByRole('table', { name: 'What takes it' }).getByRole('row').first()
  assert.match(await most.innerText(), /^Content\s+8\d\d kB$/)
  await expectPresentable('settings-storage')
  for (const { id } of stored) expectStatus(await admin.delete(`/blocks/stored/instances/${id}`), 200)
  await grant(null)
  await goto('/settings/workspace')
  await storage.getByText(/ kB of 100 MB$/).waitFor()
  assert.equal(await storage.getByText('Little is left.').count(), 0)
})
