import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { ctx, workspace } = await startApp()

const send = async (app: Client, deviceId: string, events: object[]) =>
  expectStatus(await app.post('/events', { deviceId, events }), 202).data
const countOf = async ({ id }: Workspace, environment: 'live' | 'test' = 'live') => {
  const rows = await ctx.db
    .selectFrom('events')
    .select('type')
    .where('workspace_id', '=', id)
    .where('environment', '=', environment)
    .execute()
  return rows.length
}
const named = (eventId: string) => ({ type: 'impression', eventId })

test('C-EVT-03 an event with an id counts as accepted each time and is stored once, within a batch and across batches', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  const batch = [named('a'), named('b'), named('a'), { type: 'impression' }]
  for (let time = 0; time < 3; time++) assert.deepEqual(await send(ws.app, 'D', batch), { accepted: 4, dropped: 0, dropReasons: {} })
  assert.equal(await countOf(ws), 2 + 3)
})

test('batches with shared ids that arrive at once store each id once', async () => {
  const ws = await workspace()
  await identify(ws.app, 'D')
  const ids = Array.from({ length: 40 }, (_, i) => `e${i}`)
  const batches = Array.from({ length: 30 }, (_, i) => ids.slice(i % 10, (i % 10) + 30).map(named))
  await Promise.all(batches.map((batch, i) => send(ws.app, 'D', i % 2 === 0 ? batch : batch.toReversed())))
  assert.equal(await countOf(ws), new Set(batches.flat().map(({ eventId }) => eventId)).size)
})

test('an id is the device’s own, of one environment and workspace', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  await identify(ws.app, 'D')
  await identify(ws.app, 'E')
  await identify(ws.testApp, 'T')
  await identify(other.app, 'D')
  for (const [app, device] of [
    [ws.app, 'D'],
    [ws.app, 'E'],
    [ws.testApp, 'T'],
    [other.app, 'D'],
  ] as const)
    await send(app, device, [named('1'), named('1')])
  assert.deepEqual([await countOf(ws), await countOf(ws, 'test'), await countOf(other)], [2, 1, 1])
})

test('an event that was dropped leaves its id free', async () => {
  const ws = await workspace()
  assert.equal((await send(ws.app, 'D', [named('a')])).accepted, 0)
  await identify(ws.app, 'D')
  assert.equal((await send(ws.app, 'D', [named('a')])).accepted, 1)
  assert.equal(await countOf(ws), 1)
})
