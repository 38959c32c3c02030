import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../test/builders/builders.ts'
import { makeJourney, setStatus, wait } from '../../../test/builders/journeys.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, advance } = await startApp()

test('G-57 a draft of a journey that saves itself is one version, which says what changed since the one before', async () => {
  const ws = await workspace()
  const { id } = await makeJourney(ws.admin)
  const save = (body: object, query = '?autosave=true') => ws.admin.put(`/journeys/${id}${query}`, body)
  const versions = async () => expectStatus(await ws.admin.get(`/journeys/${id}/versions`), 200).data.versions
  for (const name of ['B', 'Ba', 'Back']) expectStatus(await save({ name }), 200)
  expectStatus(await save({ steps: [wait(60), wait(5)] }), 200)
  const [last, first, ...others] = await versions()
  assert.deepEqual([first.version, others, last.version], [1, [], 5])
  assert.deepEqual(last.changes.members, ['name'])
  assert.ok(last.changes.steps.some(({ change }: { change: string }) => change === 'added'))
  // Back to what it was: there is nothing to tell.
  expectStatus(await save({ name: 'Welcome', steps: [wait(60)] }), 200)
  assert.ok((await versions()).length <= 2)
  await advance(31 * 60)
  expectStatus(await save({ name: 'Later' }), 200)
  const count = (await versions()).length
  expectStatus(await save({ name: 'By hand' }, ''), 200)
  assert.equal((await versions()).length, count + 1)
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  expectStatus(await setStatus(ws.admin, id, 'paused'), 200)
  expectStatus(await save({ name: 'Paused one' }), 200)
  expectStatus(await save({ name: 'Paused two' }), 200)
  assert.equal((await versions()).length, count + 3, 'what runs or has run keeps each')
})

test('G-57 a version that was saved by hand, or that ran, is never replaced by a draft that saves itself', async () => {
  const ws = await workspace()
  const { id } = await makeJourney(ws.admin)
  const save = async (name: string, query = '?autosave=true') => expectStatus(await ws.admin.put(`/journeys/${id}${query}`, { name }), 200)
  const numbers = async () =>
    expectStatus(await ws.admin.get(`/journeys/${id}/versions`), 200).data.versions.map(({ version }: { version: number }) => version)
  const nameOf = async (version: number) => expectStatus(await ws.admin.get(`/journeys/${id}/versions/${version}`), 200).data.name
  await save('By hand', '')
  await save('By itself')
  await save('By itself again')
  assert.deepEqual(await numbers(), [4, 2, 1])
  assert.equal(await nameOf(2), 'By hand')
  // Saving by hand what had saved itself keeps it too.
  await save('By itself again', '')
  await save('After that')
  assert.deepEqual(await numbers(), [6, 4, 2, 1])
  assert.equal(await nameOf(4), 'By itself again')
  for (const status of ['active', 'draft'] as const) expectStatus(await setStatus(ws.admin, id, status), 200)
  await save('After it ran')
  assert.equal(await nameOf(6), 'After that')
})
