import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Client, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, advance } = await startApp()

const FIELDS = [{ id: 'f_title', tag: '#title', type: 'text', required: true }]
const path = (id: string) => `/blocks/promo/instances/${id}`
const read = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(path(id)), 200).data
const draft = async (ws: Workspace, id: string, title: string) =>
  expectStatus(await ws.admin.put(`${path(id)}?draft=true`, { values: { '#title': title } }), 200).data
const publish = async (ws: Workspace, id: string, body: object, as: Client = ws.admin) => as.post(`${path(id)}/publish`, body)
const titles = async (ws: Workspace) => {
  const of = async (key: string) => (await ws.blocks(undefined, { key })).map(({ values }) => values['#title'])
  return { live: await of(ws.live), test: await of(ws.test) }
}
const pointers = ({ head, live, test: forTest, targets }: any) => ({ head, live, test: forTest, targets })
const at = (ms: number) => new Date(ctx.clock.ms() + ms).toISOString()

async function shop() {
  const ws = await workspace()
  await ws.block('promo', { fields: FIELDS })
  return ws
}
const one = async (ws: Workspace, title = 'one') => (await ws.instance('promo', { values: { '#title': title } })).id as string

test('G-82 a draft of what is live reaches nobody until it is published, to test first and then to live', async () => {
  const ws = await shop()
  const id = await one(ws)
  const saved = await draft(ws, id, 'two')
  assert.deepEqual(pointers(saved), { head: 2, live: 1, test: null, targets: ['live'] })
  assert.deepEqual(saved.values, { '#title': 'two' })
  assert.deepEqual(await titles(ws), { live: ['one'], test: ['one'] })
  expectStatus(await publish(ws, id, { target: 'test' }), 200)
  assert.deepEqual(await titles(ws), { live: ['one'], test: ['two'] })
  assert.deepEqual(pointers(await read(ws, id)), { head: 2, live: 1, test: 2, targets: ['live', 'test'] })
  await draft(ws, id, 'three')
  expectStatus(await publish(ws, id, { targets: ['live'], revision: 2 }), 200)
  assert.deepEqual(await titles(ws), { live: ['two'], test: ['two'] })
  expectStatus(await ws.admin.post(`${path(id)}/unpublish`, { targets: ['test'] }), 200)
  assert.deepEqual(pointers(await read(ws, id)), { head: 3, live: 2, test: null, targets: ['live'] })
  assert.deepEqual((await ws.blocks())[0].version, 2)
})

test('G-36 G-82 a save that is no draft moves every pointer that is set to it, and so does a roll back', async () => {
  const ws = await shop()
  const id = await one(ws)
  await draft(ws, id, 'two')
  expectStatus(await publish(ws, id, { target: 'test' }), 200)
  expectStatus(await ws.admin.put(path(id), { values: { '#title': 'three' } }), 200)
  assert.deepEqual(pointers(await read(ws, id)), { head: 3, live: 3, test: 3, targets: ['live', 'test'] })
  const back = expectStatus(await ws.admin.post(`${path(id)}/revisions/1/rollback`), 200).data
  assert.deepEqual(pointers(back), { head: 4, live: 4, test: 4, targets: ['live', 'test'] })
  assert.deepEqual(await titles(ws), { live: ['one'], test: ['one'] })
})

test('G-82 a draft needs no required values, what a pointer moves to does', async () => {
  const ws = await shop()
  const id = await one(ws)
  expectStatus(await ws.admin.put(`${path(id)}?draft=true`, { values: { '#title': null } }), 200)
  assert.equal((await publish(ws, id, {})).status, 400)
  assert.equal((await publish(ws, id, { revision: 9 })).status, 404)
  assert.equal((await publish(ws, id, { at: at(-1000) })).status, 400)
  assert.equal((await ws.admin.put(path(id), { title: 'x' })).status, 400)
  assert.deepEqual(await titles(ws), { live: ['one'], test: ['one'] })
  expectStatus(await publish(ws, id, { revision: 1, target: 'test' }), 200)
})

test('M-SYNC-24 G-38 a pipeline that declares the same again publishes no draft, and what it changes it changes in what is served', async () => {
  const ws = await shop()
  const manifest = (title: string) => ({
    blocks: [
      { key: 'promo', fields: FIELDS, instances: [{ externalId: 'e', status: 'published', values: { '#title': title }, priority: 1 }] },
    ],
  })
  expectStatus(await ws.write.post('/cards/sync', manifest('one')), 200)
  const { id } = expectStatus(await ws.admin.get('/blocks/promo/instances'), 200).data.instances[0]
  expectStatus(await ws.admin.put(`${path(id)}?draft=true`, { title: 'Ours', seg: 'Gold' }), 200)
  const again = expectStatus(await ws.write.post('/cards/sync', manifest('one')), 200).data
  assert.deepEqual(again.instances, { created: 0, updated: 0 })
  assert.deepEqual(pointers(await read(ws, id)), { head: 2, live: 1, test: null, targets: ['live'] })
  expectStatus(await ws.write.post('/cards/sync', manifest('two')), 200)
  assert.deepEqual(await titles(ws), { live: ['two'], test: ['two'] })
  const { head, live, seg, values } = await read(ws, id)
  assert.deepEqual({ head, live, seg, values }, { head: 4, live: 3, seg: 'Gold', values: { '#title': 'two' } })
})

test('G-82 a revision is published at its moment, moved or cancelled before that', async () => {
  const ws = await shop()
  const id = await one(ws)
  await draft(ws, id, 'two')
  const { scheduled } = expectStatus(await publish(ws, id, { at: at(60_000) }), 202).data
  await draft(ws, id, 'three')
  const list = async () => expectStatus(await ws.admin.get(`${path(id)}/schedule`), 200).data.schedule
  assert.deepEqual(
    (await list()).map(({ revision, targets, fault }: any) => [revision, targets, fault]),
    [[2, ['live'], null]],
  )
  expectStatus(await ws.admin.put(`${path(id)}/schedule/${scheduled.id}`, { at: at(120_000) }), 200)
  assert.equal((await ws.admin.put(`${path(id)}/schedule/${scheduled.id}`, { at: at(-1) })).status, 400)
  await advance(61)
  assert.deepEqual((await titles(ws)).live, ['one'])
  await advance(60)
  assert.deepEqual((await titles(ws)).live, ['two'])
  assert.deepEqual(await list(), [])
  const cancelled = expectStatus(await publish(ws, id, { at: at(60_000) }), 202).data.scheduled
  expectStatus(await ws.admin.delete(`${path(id)}/schedule/${cancelled.id}`), 200)
  assert.equal((await ws.admin.delete(`${path(id)}/schedule/${cancelled.id}`)).status, 404)
  await advance(61)
  assert.deepEqual((await titles(ws)).live, ['two'])
})

test('G-82 what cannot be published at its moment says why, stays in the list and can be moved', async () => {
  const ws = await shop()
  const id = await one(ws)
  expectStatus(await publish(ws, id, { target: 'test', at: at(60_000) }), 202)
  expectStatus(await ws.admin.put('/settings/test-environment', { retired: true }), 200)
  await advance(61)
  const [entry] = expectStatus(await ws.admin.get(`${path(id)}/schedule`), 200).data.schedule
  assert.match(entry.fault, /retired/)
  expectStatus(await ws.admin.put('/settings/test-environment', { retired: false }), 200)
  expectStatus(await ws.admin.put(`${path(id)}/schedule/${entry.id}`, { at: at(60_000) }), 200)
  await advance(61)
  assert.deepEqual(pointers(await read(ws, id)).targets, ['live', 'test'])
})

test('G-82 what was served at a time is told, of each environment', async () => {
  const ws = await shop()
  const id = await one(ws)
  const times: [string, string | null, string | null][] = [[at(-3_600_000), null, null]]
  const note = async (live: string | null, forTest: string | null) => {
    times.push([at(0), live, forTest])
    await advance(60)
  }
  await note('one', 'one')
  await draft(ws, id, 'two')
  expectStatus(await publish(ws, id, { target: 'test' }), 200)
  await note('one', 'two')
  expectStatus(await ws.admin.put(path(id), { values: { '#title': 'three' } }), 200)
  await note('three', 'three')
  expectStatus(await ws.admin.post(`${path(id)}/unpublish`, { target: 'live' }), 200)
  await note(null, 'three')
  for (const [time, ...expected] of times) {
    const served = async (environment: string) => {
      const query = `time=${encodeURIComponent(time)}&environment=${environment}`
      return expectStatus(await ws.admin.get(`${path(id)}/at?${query}`), 200).data.content?.values['#title'] ?? null
    }
    assert.deepEqual([await served('live'), await served('test')], expected, time)
  }
  assert.equal((await ws.admin.get(`${path(id)}/at?time=yesterday`)).status, 400)
})

test('G-82 history says who saved, published, scheduled and deleted, newest first, page by page', async () => {
  const ws = await shop()
  const id = await one(ws)
  await advance(1)
  await draft(ws, id, 'two')
  await advance(1)
  expectStatus(await publish(ws, id, { at: at(60_000) }), 202)
  await advance(61)
  const whole = expectStatus(await ws.admin.get(`${path(id)}/history`), 200)
  const told = (entries: any[]) => entries.map(({ action, environment, revision }) => [action, environment, revision])
  const expected = [
    ['publish', 'live', 2],
    ['schedule', 'live', 2],
    ['save', null, 2],
    ['publish', 'live', 1],
    ['save', null, 1],
  ]
  assert.deepEqual(told(whole.data.history), expected)
  const members = expectStatus(await ws.admin.get('/members'), 200).data.members
  assert.ok(whole.data.history.every(({ madeBy }: any) => madeBy === members[0].userId))
  const pages = []
  for (let cursor = ''; ;) {
    const { data, body } = expectStatus(await ws.admin.get(`${path(id)}/history?limit=2${cursor}`), 200)
    pages.push(...data.history)
    if (body.metadata.nextCursor === null) break
    cursor = `&cursor=${body.metadata.nextCursor}`
  }
  assert.deepEqual(told(pages), expected)
})

test('G-82 a deleted instance is out of delivery and lists, comes back as a draft, and is gone after 30 days', async () => {
  const ws = await shop()
  const made = expectStatus(await ws.admin.post('/blocks/promo/instances', { externalId: 'e', values: { '#title': 'one' } }), 201).data
  expectStatus(await publish(ws, made.id, {}), 200)
  expectStatus(await publish(ws, made.id, { at: at(60_000) }), 202)
  expectStatus(await ws.admin.delete(path(made.id)), 200)
  assert.deepEqual(await titles(ws), { live: [], test: [] })
  const list = async (query: string) =>
    expectStatus(await ws.admin.get(`/instances?${query}`), 200).data.instances.map((each: any) => each.id)
  assert.deepEqual([await list(''), await list('state=draft'), await list('state=deleted')], [[], [], [made.id]])
  for (const call of [ws.admin.get(path(made.id)), ws.admin.put(path(made.id), {}), ws.admin.delete(path(made.id))])
    assert.equal((await call).status, 404)
  await advance(61)
  const taken = expectStatus(await ws.admin.post('/blocks/promo/instances', { externalId: 'e', values: { '#title': 'new' } }), 201).data
  const restored = expectStatus(await ws.admin.post(`${path(made.id)}/restore`), 200).data
  assert.deepEqual([pointers(restored), restored.externalId], [{ head: 1, live: null, test: null, targets: [] }, null])
  assert.equal((await ws.admin.post(`${path(made.id)}/restore`)).status, 404)
  const actions = expectStatus(await ws.admin.get(`${path(made.id)}/history`), 200).data.history.map(({ action }: any) => action)
  assert.deepEqual(actions.slice(0, 3), ['restore', 'delete', 'unpublish'])
  expectStatus(await ws.admin.delete(path(taken.id)), 200)
  await advance(30 * 86_400 + 1)
  const left = await ctx.db.selectFrom('block_instances').select('id').where('workspace_id', '=', ws.id).execute()
  assert.deepEqual(left, [{ id: made.id }])
})

test('G-82 lists tell the state of what is served, and that there are changes nobody gets yet', async () => {
  const ws = await shop()
  const id = await one(ws)
  const schedule = { startTime: at(3_600_000) }
  expectStatus(await ws.admin.put(`${path(id)}?draft=true`, { schedule, seg: 'Gold' }), 200)
  const found = async (query: string) =>
    expectStatus(await ws.admin.get(`/instances?${query}`), 200).data.instances.map(({ state, isChanged, seg, head, live }: any) => [
      state,
      isChanged,
      seg,
      head,
      live,
    ])
  assert.deepEqual(await found('state=live'), [['live', true, null, 2, 1]])
  assert.deepEqual([await found('state=scheduled'), await found('segment=Gold')], [[], []])
  assert.deepEqual((await found('state=changed')).length, 1)
  const { waiting, screens } = expectStatus(await ws.admin.get('/content/overview'), 200).data
  assert.deepEqual([waiting.drafts, waiting.changes, screens[0].forEveryone], [0, 1, 1])
  expectStatus(await publish(ws, id, {}), 200)
  assert.deepEqual(await found('state=scheduled'), [['scheduled', false, 'Gold', 2, 2]])
})
