/** A segment that is renamed with its uses: nobody loses what is live for them, at any moment. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { identify, titlesFor } from '../../../test/builders/people.ts'
import { makeJourney } from '../../../test/builders/journeys.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, ctx, advance } = await startApp()

const RULE = { field: 'customAttributes.plan', operator: 'equals', value: 'gold' }
const make = async (ws: Workspace, name: string, rule: object = RULE) =>
  expectStatus(await ws.admin.post('/segments', { name, logicalOperator: 'AND', rules: [rule] }), 201).data
const rename = async (ws: Workspace, id: string, name: string) =>
  expectStatus(await ws.admin.put(`/segments/${id}`, { name, renameUses: true }), 200).data
const path = (id: string) => `/blocks/promo/instances/${id}`
const read = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(path(id)), 200).data
const put = async (ws: Workspace, id: string, body: object) => expectStatus(await ws.admin.put(`${path(id)}?draft=true`, body), 200).data
const revision = async (ws: Workspace, id: string, number: number) =>
  expectStatus(await ws.admin.get(`${path(id)}/revisions`), 200).data.revisions.find((each: any) => each.number === number).content
const in1h = () => new Date(ctx.clock.ms() + 3_600_000).toISOString()

async function shop() {
  const ws = await workspace()
  await ws.block('promo')
  const gold = await make(ws, 'Gold')
  const { id } = await ws.instance('promo', { title: 'Sale', seg: 'Gold', values: { '#title': 'sale' } })
  await identify(ws.app, 'D', 'U', { traits: { plan: 'gold' } })
  return { ws, gold, id: id as string }
}

test('a journey goes on with a segment that is renamed, and shows and takes its new name', async () => {
  const { ws, gold } = await shop()
  const entry = (segment: string) => ({ trigger: { type: 'segment_entry', segment } })
  const byName = await makeJourney(ws.admin, entry('Gold'))
  const byId = await makeJourney(ws.admin, entry(gold.id))
  await rename(ws, gold.id, 'Golden')
  const triggerOf = async (id: string) => expectStatus(await ws.admin.get(`/journeys/${id}`), 200).data.trigger
  assert.deepEqual([await triggerOf(byName.id), await triggerOf(byId.id)], [entry('Golden').trigger, entry(gold.id).trigger])
  expectStatus(await ws.admin.put(`/journeys/${byName.id}`, { trigger: await triggerOf(byName.id) }), 200)
})

test('M-SEG-10 a segment is renamed with its uses, and at no moment does its content miss its people', async () => {
  const { ws, gold } = await shop()
  const seen: string[][] = []
  const over = new AbortController()
  const watching = (async () => {
    while (!over.signal.aborted) seen.push(await titlesFor(ws, 'D'))
  })()
  const renamed = await rename(ws, gold.id, 'Golden')
  assert.deepEqual([renamed.name, renamed.warnings, renamed.usedBy.instanceCount], ['Golden', undefined, 1])
  seen.push(await titlesFor(ws, 'D'))
  await advance(61)
  // The view is read anew behind this answer.
  for (let i = 0; i < 5; i++) seen.push(await titlesFor(ws, 'D'))
  over.abort()
  await watching
  assert.ok(seen.length > 6)
  assert.deepEqual(
    seen.filter((titles) => titles.join() !== 'sale'),
    [],
  )
  assert.deepEqual((await identify(ws.app, 'D', 'U')).data.segments, ['Golden'])
  assert.deepEqual(await titlesFor(ws, 'D'), ['sale'])
  assert.deepEqual(await titlesFor(ws, 'E'), [])
})

test('M-SEG-10 a device that still knows the former name gets the content after several renames and back', async () => {
  const { ws, gold } = await shop()
  for (const name of ['Golden', 'Best', 'Gold', 'Finest']) {
    await rename(ws, gold.id, name)
    assert.deepEqual(await titlesFor(ws, 'D'), ['sale'], name)
  }
})

test('M-SEG-10 a former name that another segment takes is its own: nobody gets what is for the other', async () => {
  const { ws, gold } = await shop()
  await identify(ws.app, 'E', 'V', { traits: { plan: 'new' } })
  await rename(ws, gold.id, 'Golden')
  await make(ws, 'Gold', { ...RULE, value: 'new' })
  assert.deepEqual((await identify(ws.app, 'E', 'V')).data.segments, ['Gold'])
  assert.deepEqual(await titlesFor(ws, 'E'), [])
})

test('G-82 M-SEG-10 every revision that counts gets a successor; what is served, what is worked on and what is to come stay apart', async () => {
  const { ws, gold, id } = await shop()
  await put(ws, id, { values: { '#title': 'for test' } })
  expectStatus(await ws.admin.post(`${path(id)}/publish`, { target: 'test' }), 200)
  await put(ws, id, { values: { '#title': 'later' } })
  expectStatus(await ws.admin.post(`${path(id)}/publish`, { target: 'live', at: in1h() }), 202)
  await put(ws, id, { seg: null, values: { '#title': 'draft' } })
  const before = await read(ws, id)
  assert.deepEqual([before.head, before.live, before.test], [4, 1, 2])
  await rename(ws, gold.id, 'Golden')
  const after = await read(ws, id)
  assert.deepEqual([after.head, after.live, after.test, after.seg, after.values['#title']], [8, 5, 6, null, 'draft'])
  const [scheduled] = expectStatus(await ws.admin.get(`${path(id)}/schedule`), 200).data.schedule
  assert.equal(scheduled.revision, 7)
  const kept = await Promise.all([1, 2, 3, 5, 6, 7].map((number) => revision(ws, id, number)))
  assert.deepEqual(
    kept.map((content) => `${content.seg} ${content.values['#title']}`),
    ['Gold sale', 'Gold for test', 'Gold later', 'Golden sale', 'Golden for test', 'Golden later'],
  )
  assert.deepEqual(await titlesFor(ws, 'D'), ['sale'])
})

test('M-SEG-10 a request to publish goes on waiting, for what is for the new name', async () => {
  const { ws, gold, id } = await shop()
  expectStatus(await ws.admin.put('/settings/publishing', { approval: true }), 200)
  await put(ws, id, { values: { '#title': 'asked' } })
  const asked = expectStatus(await ws.admin.post(`${path(id)}/publish`, { target: 'live' }), 202).data
  await rename(ws, gold.id, 'Golden')
  assert.deepEqual(await titlesFor(ws, 'D'), ['sale'])
  const approver = await ws.approver()
  expectStatus(await approver.post(`/reviews/${asked.requestId}/approve`, {}), 200)
  assert.deepEqual(await titlesFor(ws, 'D'), ['asked'])
})

test('M-SEG-10 content that could no longer be published does not stop a rename', async () => {
  const { ws, gold, id } = await shop()
  const fields = [
    { id: 'f_title', tag: '#title', type: 'text' },
    { id: 'f_more', tag: '#more', type: 'text', required: true },
  ]
  expectStatus(await ws.admin.put('/blocks/promo', { fields }), 200)
  await rename(ws, gold.id, 'Golden')
  assert.equal((await read(ws, id)).seg, 'Golden')
  assert.deepEqual(await titlesFor(ws, 'D'), ['sale'])
})

test('X-INT-40 what is for a segment there is none of says so wherever it is shown', async () => {
  const { ws, gold, id } = await shop()
  assert.equal((await read(ws, id)).warnings, undefined)
  expectStatus(await ws.admin.put(`/segments/${gold.id}`, { name: 'Golden' }), 200)
  const warnings = [{ code: 'unknown_segment', segment: 'Gold' }]
  assert.deepEqual((await read(ws, id)).warnings, warnings)
  assert.deepEqual((await ws.admin.get('/instances')).data.instances[0].warnings, warnings)
  assert.deepEqual((await ws.admin.get('/blocks/promo/instances')).data.instances[0].warnings, warnings)
  // What is served still names it.
  assert.deepEqual((await put(ws, id, { seg: 'Golden' })).warnings, warnings)
  assert.equal(expectStatus(await ws.admin.post(`${path(id)}/publish`, {}), 200).data.warnings, undefined)
  for (const seg of [null, '', 'All users']) assert.equal((await put(ws, id, { seg })).warnings, undefined)
})

test('M-SEG-10 renameUses is a boolean, and of another workspace nothing changes', async () => {
  const [{ ws, gold }, other] = [await shop(), await shop()]
  for (const renameUses of ['true', 1, null, {}])
    assert.equal((await ws.admin.put(`/segments/${gold.id}`, { name: 'Golden', renameUses })).status, 400, JSON.stringify(renameUses))
  await rename(ws, gold.id, 'Golden')
  assert.deepEqual([(await read(other.ws, other.id)).seg, await titlesFor(other.ws, 'D')], ['Gold', ['sale']])
  // Without a new name there is nothing to rename.
  assert.equal(expectStatus(await ws.admin.put(`/segments/${gold.id}`, { renameUses: true }), 200).data.name, 'Golden')
})

test('M-SEG-10 G-82 of many uses in every state none is left behind, in one change, and others write afterwards', async () => {
  const { ws, gold } = await shop()
  const MANY = 120
  const seeds = Array.from({ length: MANY }, (_, index) => ({
    externalId: `many-${index}`,
    title: `Many ${index}`,
    seg: index % 6 === 5 ? 'Others' : 'Gold',
    status: index % 3 === 2 ? 'draft' : 'live',
    values: { '#title': `seed ${index}` },
  }))
  const fields = [{ id: 'f_title', tag: '#title', type: 'text' }]
  expectStatus(await ws.write.post('/cards/sync', { blocks: [{ key: 'promo', name: 'Promo', fields, instances: seeds }] }), 200)
  const listed = async () => {
    const pages = await Promise.all(seeds.map(({ title }) => ws.admin.get(`/blocks/promo/instances?search=${encodeURIComponent(title)}`)))
    return pages.map(({ data }, index) => data.instances.find(({ title }: { title: string }) => title === seeds[index]?.title))
  }
  for (const [index, { id }] of (await listed()).entries()) {
    if (index % 4 === 1) await put(ws, id, { values: { '#title': `draft ${index}` } })
    if (index % 8 === 1) expectStatus(await ws.admin.post(`${path(id)}/publish`, { target: 'test' }), 200)
    if (index % 8 === 5) await put(ws, id, { seg: null })
  }
  const before = await listed()
  await identify(ws.testApp, 'T', 'U', { traits: { plan: 'gold' } })
  const shown = async (deviceId: string, key: string) =>
    (await ws.blocks(deviceId, { key })).map(({ values }) => values['#title']).toSorted()
  const titles = async () => [await shown('D', ws.live), await shown('T', ws.test)]
  const served = await titles()
  await Promise.all([rename(ws, gold.id, 'Golden'), put(ws, before[0].id, { priority: 3 })])
  const renamed = (seg: string | null) => (seg === 'Gold' ? 'Golden' : seg)
  for (const [index, after] of (await listed()).entries()) {
    const then = before[index]
    const numbers = [then.head, then.live, then.test].filter((number) => number !== null)
    const isUse = seeds[index]?.seg === 'Gold'
    assert.equal(after.seg, renamed(then.seg), then.title)
    if (index > 0) assert.equal(after.head, then.head + (isUse ? new Set(numbers).size : 0), then.title)
    for (const pointer of ['live', 'test']) {
      assert.equal(after[pointer] === null, then[pointer] === null, `${then.title} ${pointer}`)
      if (after[pointer] === null) continue
      const [now, old] = await Promise.all([revision(ws, then.id, after[pointer]), revision(ws, then.id, then[pointer])])
      const { priority: _, ...kept } = { ...old, seg: renamed(old.seg) }
      assert.partialDeepStrictEqual(now, kept, `${then.title} ${pointer}`)
    }
  }
  assert.deepEqual(await titles(), served)
  assert.deepEqual(
    served.map((each) => each.length),
    [81, 81],
  )
  assert.equal(expectStatus(await ws.admin.get(`/segments/${gold.id}`), 200).data.usedBy.instanceCount, 101)
})
