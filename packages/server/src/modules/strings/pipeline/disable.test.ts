import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { identify } from '../../../../test/builders/people.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { catalog, setSensor, sync } from '../../../../test/builders/strings.ts'
import { hashTables } from '../../../../test/harness/tables.ts'

const { ctx, workspace } = await startApp()

const signal = (key: string) => ({ events: [{ type: 'string_impression', stringKey: key }] })

test('M-STRS-25..M-STRS-29 disable turns sensors off, keeps the text, and says what it found', async () => {
  const ws = await workspace()
  await sync(ws, ...['on', 'off', 'other'].map((key) => ({ key, sourceText: key })))
  for (const key of ['on', 'other']) await setSensor(ws, key, true)
  const disable = async (...keys: string[]) => {
    const { body } = expectStatus(await ws.write.post('/strings/disable', { keys }), 200)
    assert.equal(body.success, true)
    return body.data
  }
  assert.deepEqual(await disable('nope', 'on', 'off'), { disabled: ['on'], alreadyDisabled: ['off'], unknown: ['nope'] })
  const { strings, smartKeys } = await catalog(ws)
  assert.deepEqual([smartKeys, strings.on], [['other'], 'on'])
  const before = await hashTables(ctx.db)
  assert.deepEqual(await disable('on', 'nope'), { disabled: [], alreadyDisabled: ['on'], unknown: ['nope'] })
  assert.equal(await hashTables(ctx.db), before)
})

test('M-STRS-26 X-INT-05 X-INT-08 signals of a disabled sensor are dropped from the next request on, and of a hidden string too', async () => {
  const ws = await workspace()
  await sync(ws, { key: 'a', sourceText: 'A' }, { key: 'h', sourceText: 'H' })
  await identify(ws.app, 'device')
  const taken = async (key: string) => {
    const { data } = expectStatus(await ws.app.post('/events', signal(key), { headers: { 'x-cf-device': 'device' } }), 202)
    return [data.accepted, Object.keys(data.dropReasons)]
  }
  assert.deepEqual(await taken('a'), [0, ['sensor_not_enabled']])
  for (const key of ['a', 'h']) await setSensor(ws, key, true)
  assert.deepEqual(await taken('a'), [1, []])
  expectStatus(await ws.write.post('/strings/disable', { keys: ['a'] }), 200)
  assert.deepEqual(await taken('a'), [0, ['sensor_not_enabled']])
  expectStatus(await ws.admin.put('/strings/h', { hidden: true }), 200)
  assert.deepEqual(await taken('h'), [0, ['sensor_not_enabled']])
})

test('M-STRS-30 M-STRS-31 M-LIMIT-14 keys are 1 to 500 distinct texts of 1 to 200 characters; else nothing is disabled', async () => {
  const ws = await workspace()
  const many = Array.from({ length: 501 }, (_, i) => `k${i}`)
  await sync(ws, { key: 'a', sourceText: 'A' })
  await setSensor(ws, 'a', true)
  const before = await hashTables(ctx.db)
  for (const body of [
    { keys: [] },
    { keys: many },
    { keys: ['a', 'a'] },
    { keys: ['a', ''] },
    { keys: ['a', 7] },
    { keys: ['a', null] },
    { keys: ['a', 'x'.repeat(201)] },
    { keys: 'a' },
    { keys: { 0: 'a' } },
    {},
    [],
    null,
    'x',
  ]) {
    const answer = await ws.write.post('/strings/disable', body)
    assert.deepEqual([answer.status, answer.body.code], [400, 'VALIDATION_ERROR'], JSON.stringify(body)?.slice(0, 60))
  }
  assert.equal(await hashTables(ctx.db), before)
  assert.equal(expectStatus(await ws.write.post('/strings/disable', { keys: many.slice(0, 500) }), 200).data.unknown.length, 500)
})

test('M-STRS-33 no route of a write key turns a sensor on', async () => {
  const ws = await workspace()
  await sync(ws, { key: 'a', sourceText: 'A' })
  for (const path of ['/strings/enable', '/strings/a/sensor', '/strings/a/sensor/approve']) {
    const { status } = await ws.write.post(path, { keys: ['a'], enabled: true })
    assert.ok([401, 404].includes(status), `${path} ${status}`)
  }
  assert.deepEqual((await catalog(ws)).smartKeys, [])
})
