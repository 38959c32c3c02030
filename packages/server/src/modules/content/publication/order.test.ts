/** Publications that fall due together, or late: each environment ends with what was planned for the latest moment. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, advance } = await startApp()

const FIELDS = [{ id: 'f_title', tag: '#title', type: 'text', required: true }]
const path = (id: string) => `/blocks/promo/instances/${id}`
const draft = async (ws: Workspace, id: string, title: string) =>
  expectStatus(await ws.admin.put(`${path(id)}?draft=true`, { values: { '#title': title } }), 200)
const at = (minutes: number) => new Date(ctx.clock.ms() + minutes * 60_000).toISOString()
const plan = async (ws: Workspace, id: string, wish: object) =>
  expectStatus(await ws.admin.post(`${path(id)}/publish`, wish), 202).data.scheduled.id as string
const served = async (ws: Workspace) => {
  const of = async (key: string) => (await ws.blocks(undefined, { key })).map(({ values }) => values['#title']).join()
  return { live: await of(ws.live), test: await of(ws.test) }
}
const planned = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`${path(id)}/schedule`), 200).data.schedule
const overtaken = async (ws: Workspace, id: string) =>
  expectStatus(await ws.admin.get(`${path(id)}/history`), 200)
    .data.history.filter(({ action }: any) => action === 'overtaken')
    .map(({ environment, revision }: any) => [environment, revision])

/** Live with "one", and with "two" and "three" as drafts. */
async function shop() {
  const ws = await workspace()
  await ws.block('promo', { fields: FIELDS })
  const { id } = await ws.instance('promo', { values: { '#title': 'one' } })
  await draft(ws, id, 'two')
  await draft(ws, id, 'three')
  return { ws, id: id as string }
}
/** Whoever claimed it is away: it is due again when its lease ends. */
async function takeAway(ws: Workspace, id: string, minutes: number) {
  const until = new Date(ctx.clock.ms() + minutes * 60_000)
  await ctx.db
    .updateTable('publications')
    .set({ lease: randomUUID(), lease_until: until, due_at: until, attempts: 1 })
    .where('workspace_id', '=', ws.id)
    .where('id', '=', id)
    .execute()
}

test('G-89 G-82 what fell due while the process was away is published in the order of its moments, however it was planned', async () => {
  const orders = [
    [70, 90],
    [90, 70],
  ] as const
  for (const minutes of orders) {
    const { ws, id } = await shop()
    for (const minute of minutes) await plan(ws, id, { revision: minute === 70 ? 2 : 3, at: at(minute) })
    // A third, which is not due yet.
    await plan(ws, id, { revision: 2, at: at(200) })
    await advance(95 * 60)
    assert.deepEqual(await served(ws), { live: 'three', test: 'three' }, minutes.join())
    assert.deepEqual(await overtaken(ws, id), [])
    assert.equal((await planned(ws, id)).length, 1)
    await advance(110 * 60)
    assert.deepEqual((await served(ws)).live, 'two')
  }
})

test('G-89 G-82 of one moment the one that was planned last holds', async () => {
  const { ws, id } = await shop()
  const moment = at(70)
  await plan(ws, id, { revision: 3, at: moment })
  await plan(ws, id, { revision: 2, at: moment })
  await advance(71 * 60)
  assert.deepEqual((await served(ws)).live, 'two')
})

test('G-89 an earlier one that is tried again after a later one is overtaken: it changes nothing, and the history says so', async () => {
  const { ws, id } = await shop()
  const earlier = await plan(ws, id, { revision: 2, at: at(70) })
  await plan(ws, id, { revision: 3, at: at(90) })
  await takeAway(ws, earlier, 100)
  await advance(95 * 60)
  assert.deepEqual((await served(ws)).live, 'three')
  await advance(10 * 60)
  assert.deepEqual((await served(ws)).live, 'three')
  assert.deepEqual(await planned(ws, id), [])
  assert.deepEqual(await overtaken(ws, id), [['live', 2]])
})

test('G-89 it is overtaken too where the later one found what it wanted there, and where a person decided meanwhile', async () => {
  const found = await shop()
  const first = await plan(found.ws, found.id, { revision: 2, at: at(70) })
  await plan(found.ws, found.id, { revision: 1, at: at(90) })
  await takeAway(found.ws, first, 100)
  await advance(105 * 60)
  assert.deepEqual((await served(found.ws)).live, 'one')
  const byHand = [
    (ws: Workspace, id: string) => ws.admin.post(`${path(id)}/publish`, { revision: 3 }),
    (ws: Workspace, id: string) => ws.admin.put(path(id), { values: { '#title': 'three' } }),
    (ws: Workspace, id: string) => ws.admin.post(`${path(id)}/unpublish`, {}),
  ]
  for (const [index, decide] of byHand.entries()) {
    const { ws, id } = await shop()
    await takeAway(ws, await plan(ws, id, { revision: 2, at: at(70) }), 100)
    await advance(80 * 60)
    expectStatus(await decide(ws, id), 200)
    await advance(25 * 60)
    assert.deepEqual((await served(ws)).live, index === 2 ? '' : 'three', String(index))
    assert.deepEqual(await overtaken(ws, id), [['live', 2]], String(index))
  }
})

test('G-89 it stays planned for the environment that nothing came to, and a draft overtakes nothing', async () => {
  const { ws, id } = await shop()
  const earlier = await plan(ws, id, { revision: 2, targets: ['live', 'test'], at: at(70) })
  await plan(ws, id, { revision: 3, at: at(90) })
  await takeAway(ws, earlier, 100)
  await advance(95 * 60)
  await draft(ws, id, 'four')
  assert.deepEqual(
    (await planned(ws, id)).map(({ targets }: any) => targets),
    [['test']],
  )
  await advance(10 * 60)
  assert.deepEqual(await served(ws), { live: 'three', test: 'two' })
  assert.deepEqual(await overtaken(ws, id), [['live', 2]])
})
