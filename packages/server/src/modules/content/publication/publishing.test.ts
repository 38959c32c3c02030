import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { openStream } from '../../../../test/harness/streams.ts'

const { workspace, advance, url } = await startApp()

const path = (id: string) => `/blocks/promo/instances/${id}`
const publish = (ws: Workspace, id: string, body?: object) => ws.admin.post(`${path(id)}/publish`, body)
const unpublish = (ws: Workspace, id: string, body?: object) => ws.admin.post(`${path(id)}/unpublish`, body)
const counts = async (ws: Workspace) => [(await ws.blocks()).length, (await ws.blocks(undefined, { key: ws.test })).length]

async function shop(definition: object = {}) {
  const ws = await workspace()
  await ws.block('promo', definition)
  return ws
}

test('G-37 publish goes to live unless it names test, and unpublish takes out of one or of both', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', {}, { publish: false })
  const steps: [typeof publish, object | undefined, string[], number[]][] = [
    [publish, undefined, ['live'], [1, 1]],
    [publish, { target: 'test' }, ['live', 'test'], [1, 1]],
    [unpublish, { target: 'live' }, ['test'], [0, 1]],
    [publish, { target: 'live' }, ['live', 'test'], [1, 1]],
    [unpublish, { target: 'test' }, ['live'], [1, 1]],
    [publish, { target: 'test' }, ['live', 'test'], [1, 1]],
    [unpublish, undefined, [], [0, 0]],
    [publish, { target: 'test' }, ['test'], [0, 1]],
    [unpublish, {}, [], [0, 0]],
  ]
  for (const [i, [step, body, targets, seen]] of steps.entries()) {
    const { data } = expectStatus(await step(ws, id, body), 200)
    assert.deepEqual([data.targets, data.status, data.version], [targets, targets.length > 0 ? 'published' : 'draft', 1], `step ${i}`)
    assert.deepEqual(await counts(ws), seen, `step ${i}`)
    assert.deepEqual((await ws.admin.get(path(id))).data, data)
  }
  for (const target of ['prod', '', 5, null, ['live']]) {
    assert.equal((await publish(ws, id, { target })).status, 400, String(target))
    assert.equal((await unpublish(ws, id, { target })).status, 400, String(target))
  }
})

test('C-SBX-15 G-37 with a retired test environment publishing to test is refused and publishing to live is not', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', {}, { publish: false })
  expectStatus(await ws.admin.put('/settings/test-environment', { retired: true }), 200)
  const refused = await publish(ws, id, { target: 'test' })
  assert.deepEqual([refused.status, refused.body.code], [409, 'TEST_ENV_RETIRED'])
  assert.equal((await ws.admin.get(path(id))).data.status, 'draft')
  assert.deepEqual(expectStatus(await publish(ws, id), 200).data.targets, ['live'])
})

test('G-37 equal priorities come in the order of their publication, which a repeated publish does not change', async () => {
  const ws = await shop()
  const order = async () => (await ws.blocks()).map(({ values }) => values['#title']).join('')
  const ids = new Map<string, string>()
  for (const title of ['a', 'b', 'c']) ids.set(title, (await ws.instance('promo', { values: { '#title': title } }, { publish: false })).id)
  for (const title of ['c', 'a', 'b']) {
    await advance(1)
    expectStatus(await publish(ws, ids.get(title) ?? ''), 200)
  }
  assert.equal(await order(), 'cab')
  await advance(1)
  expectStatus(await publish(ws, ids.get('c') ?? ''), 200)
  expectStatus(await ws.admin.put(path(ids.get('c') ?? ''), { title: 'edited' }), 200)
  assert.equal(await order(), 'cab')
  expectStatus(await unpublish(ws, ids.get('c') ?? ''), 200)
  expectStatus(await publish(ws, ids.get('c') ?? ''), 200)
  assert.equal(await order(), 'abc')
  expectStatus(await ws.admin.put(path(ids.get('b') ?? ''), { priority: 1 }), 200)
  assert.equal(await order(), 'bac')
})

test('G-36 G-37 a change made while an instance is unpublished is seen after its next publish only', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', { values: { '#title': 'before' } })
  expectStatus(await unpublish(ws, id), 200)
  expectStatus(await ws.admin.put(path(id), { values: { '#title': 'after' } }), 200)
  assert.deepEqual(await counts(ws), [0, 0])
  expectStatus(await publish(ws, id), 200)
  const [block] = await ws.blocks()
  assert.deepEqual([block.values, block.version], [{ '#title': 'after' }, 2])
})

test('publishing and unpublishing signal the streams that see it, live streams nothing of test', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', {}, { publish: false })
  const [live, testing] = await Promise.all([ws.live, ws.test].map((key) => openStream(`${url}/sdk/v1/stream`, { 'x-cf-key': key })))
  assert.ok(live && testing)
  for (const stream of [live, testing]) await stream.until('the greeting', () => stream.comments.length > 0)
  expectStatus(await publish(ws, id, { target: 'test' }), 200)
  assert.equal((await testing.next()).event, 'block.published')
  expectStatus(await publish(ws, id), 200)
  for (const stream of [live, testing]) assert.equal((await stream.next()).event, 'block.published')
  expectStatus(await unpublish(ws, id), 200)
  for (const stream of [live, testing]) assert.equal((await stream.next()).event, 'block.unpublished')
  assert.equal(live.events.length, 2)
  for (const stream of [live, testing]) stream.close()
})

test('G-70 a frequency is delivered on its block, a pop-up or interruptive type without one has one a day, others have none', async () => {
  const ws = await workspace()
  const frequencyOf = async (key: string) => (await ws.app.get(`/blocks/${key}`)).data.frequency
  const types: [string, object, object | undefined][] = [
    ['plain', {}, undefined],
    ['banner', { designType: 'banner', interruptive: false }, undefined],
    ['popup', { designType: 'popup' }, { per: 'day', max: 1 }],
    ['modal', { interruptive: true }, { per: 'day', max: 1 }],
  ]
  for (const [key, definition, expected] of types) {
    await ws.block(key, definition)
    const { id } = await ws.instance(key)
    assert.deepEqual(await frequencyOf(key), expected, key)
    for (const per of ['session', 'day', 'week', 'ever']) {
      expectStatus(await ws.admin.put(`/blocks/${key}/instances/${id}`, { frequency: { per, max: 3 } }), 200)
      assert.deepEqual(await frequencyOf(key), { per, max: 3 }, key)
    }
    expectStatus(await ws.admin.put(`/blocks/${key}/instances/${id}`, { frequency: null }), 200)
    assert.deepEqual(await frequencyOf(key), expected, key)
    for (const frequency of [{ per: 'hour', max: 1 }, { per: 'day', max: 0 }, { per: 'day', max: 1.5 }, { per: 'day' }, 'day'])
      assert.equal((await ws.admin.put(`/blocks/${key}/instances/${id}`, { frequency })).status, 400)
  }
})

test('G-70 the server leaves a block with a frequency in every answer', async () => {
  const ws = await shop({ designType: 'popup' })
  await ws.instance('promo', { frequency: { per: 'ever', max: 1 } })
  for (let i = 0; i < 4; i++) assert.equal((await ws.blocks('one-device')).length, 1)
})
