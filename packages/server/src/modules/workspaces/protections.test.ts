import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROTECTIONS } from '@contentflow/core/protections.ts'
import { expectStatus } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace } = await startApp()
const PATH = '/settings/protections'

test('protections are off until an admin turns one on; the others stay, members read them, a sandbox begins with them', async () => {
  const ws = await workspace()
  const off = Object.fromEntries(PROTECTIONS.map((name) => [name, false]))
  assert.deepEqual(expectStatus(await ws.admin.get(PATH), 200).data, { protections: off })
  const changed = expectStatus(await ws.admin.put(PATH, { protections: { confirmErasures: true } }), 200).data
  assert.deepEqual(changed, { protections: { ...off, confirmErasures: true } })
  for (const member of [await ws.viewer(), await ws.editor()]) {
    assert.deepEqual(expectStatus(await member.get(PATH), 200).data, changed)
    assert.equal(expectStatus(await member.put(PATH, { protections: { confirmErasures: false } }), 403).body.code, 'ROLE_REQUIRED')
  }
  for (const protections of [undefined, null, { confirmErasures: 'yes' }, { unknown: true }, []])
    expectStatus(await ws.admin.put(PATH, { protections }), 400)
  assert.deepEqual(expectStatus(await ws.admin.get(PATH), 200).data, changed)
  const sandbox = expectStatus(await ws.admin.post('/settings/sandbox'), 201).data
  const inside = { headers: { 'x-tenant-id': sandbox.workspaceId } }
  assert.deepEqual(expectStatus(await ws.admin.get(PATH, inside), 200).data, changed)
})
