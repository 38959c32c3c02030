/** The settings say how much a workspace holds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uploadFile } from '../../../server/test/builders/files.ts'
import { expectStatus, openDashboard } from '../support/browser.ts'

const { page, goto, admin, ws, app, expectPresentable } = await openDashboard()

const storage = page.getByRole('region', { name: 'Storage', exact: true })
const grant = async (megabytes: number | null) => {
  const plan = { contentMegabytes: megabytes, mediaMegabytes: megabytes }
  expectStatus(await app.operator.put(`/operator/workspaces/${ws.id}/plan`, plan), 200)
}
const files = storage.getByRole('group', { name: 'Files in the library' })

test('how much is stored, of what, and when little is left', async () => {
  await grant(1)
  await ws.block('stored')
  const large = { values: { '#title': 'k'.repeat(205_000) } }
  const stored = await Promise.all(Array.from({ length: 4 }, () => ws.instance('stored', large)))
  await uploadFile(admin, Buffer.alloc(500_000, 'x'), 'large.txt', 'text/plain')
  await goto('/settings/workspace')
  await storage.getByText(/^8\d\d kB of 1 MB$/).waitFor()
  await files.getByText('500 kB of 1 MB').waitFor()
  await storage.getByText('Little is left.').waitFor()
  const most = storage.getByRole('table', { name: 'What takes it' }).getByRole('row').first()
  assert.match(await most.innerText(), /^Content\s+8\d\d kB$/)
  await expectPresentable('settings-storage')
  for (const { id } of stored) expectStatus(await admin.delete(`/blocks/stored/instances/${id}`), 200)
  await grant(null)
  await goto('/settings/workspace')
  await storage.getByText(/ kB of 100 MB$/).waitFor()
  await files.getByText(/500 kB of 5,000 MB/).waitFor()
  assert.equal(await storage.getByText('Little is left.').count(), 0)
})
