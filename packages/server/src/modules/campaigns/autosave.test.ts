/** Drafts that save themselves: everything is stored, and the history stays one that people read. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../test/builders/builders.ts'
import { CAMPAIGN, create, submit } from '../../../test/builders/campaigns.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, advance } = await startApp()

test('a draft of a campaign that saves itself is one change in its history, for a while and for one member', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const { id } = await create(ws.admin, CAMPAIGN)
  const save = (name: string, by = ws.admin) => by.put(`/campaigns/${id}?autosave=true`, { name })
  const actions = async () =>
    expectStatus(await ws.admin.get(`/campaigns/${id}/history`), 200).data.history.map(({ action }: { action: string }) => action)
  for (const name of ['E', 'Ei', 'Eid']) expectStatus(await save(name), 200)
  assert.equal(expectStatus(await ws.admin.get(`/campaigns/${id}`), 200).data.name, 'Eid')
  assert.deepEqual(await actions(), ['change', 'create'])
  expectStatus(await save('Eid sale', editor), 200)
  assert.deepEqual(await actions(), ['change', 'change', 'create'])
  await advance(31 * 60)
  expectStatus(await save('Eid sales', editor), 200)
  assert.equal((await actions()).length, 4)
  expectStatus(await ws.admin.put(`/campaigns/${id}`, { name: 'By hand' }), 200)
  assert.equal((await actions()).length, 5)
  expectStatus(await ws.admin.put(`/campaigns/${id}?autosave=perhaps`, { name: 'x' }), 400)
  // What waits for an approval is changed as ever.
  expectStatus(await submit(ws.admin, id), 200)
  const before = (await actions()).length
  for (const name of ['In', 'In review']) await save(name, editor)
  assert.notEqual((await actions()).length, before + 1)
})

test('a change that was saved by hand is never replaced by a draft that saves itself', async () => {
  const ws = await workspace()
  const { id } = await create(ws.admin, CAMPAIGN)
  const save = async (name: string, query = '') => expectStatus(await ws.admin.put(`/campaigns/${id}${query}`, { name }), 200)
  const history = async () => expectStatus(await ws.admin.get(`/campaigns/${id}/history`), 200).data.history
  await save('By hand')
  const [kept] = await history()
  await save('By itself', '?autosave=true')
  await save('By itself again', '?autosave=true')
  const [last, before, ...others] = await history()
  assert.deepEqual([last.action, before, others.length], ['change', kept, 1])
  await save('By hand again')
  assert.equal((await history()).length, 4)
})
