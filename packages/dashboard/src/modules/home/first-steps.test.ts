import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseDefinition } from '@contentflow/core/blocks/definition.ts'
import { FIRST_TYPE, nextStep, registerCommand, stepsDone, type Facts } from './first-steps.ts'

const EMPTY: Facts = { appKeys: 0, writeKeys: 0, blockTypes: 0, instances: [], liveInstances: 0, events: 0 }

test('an empty workspace has every step before it', () => {
  assert.deepEqual(stepsDone(EMPTY), { keys: false, types: false, fill: false, publish: false, see: false })
  assert.equal(nextStep(stepsDone(EMPTY)), 'keys')
})

test('each step is done by what it asks for, in any order', () => {
  const after = (change: Partial<Facts>) => stepsDone({ ...EMPTY, ...change })
  assert.equal(after({ appKeys: 1 }).keys, false)
  assert.equal(after({ appKeys: 1, writeKeys: 1 }).keys, true)
  assert.equal(after({ appKeys: 1, writeKeys: undefined }).keys, true)
  assert.equal(after({ blockTypes: 1 }).types, true)
  // What a pipeline seeds is blank.
  assert.equal(after({ instances: [{ label: null, state: 'draft' }] }).fill, false)
  assert.equal(after({ instances: [{ label: 'Hello', state: 'draft' }] }).fill, true)
  assert.equal(after({ instances: [{ label: 'Hello', state: 'draft' }] }).publish, false)
  assert.equal(after({ instances: [{ label: 'Hello', state: 'test' }] }).publish, true)
  assert.equal(after({ liveInstances: 1 }).publish, true)
  assert.equal(after({ events: 1 }).see, true)
})

test('nothing is left when all is done', () => {
  assert.equal(nextStep({ keys: true, types: true, fill: true, publish: true, see: true }), undefined)
  assert.equal(nextStep({ keys: true, types: false, fill: true, publish: true, see: true }), 'types')
})

test('the command declares a block type that the server takes', () => {
  assert.ok(parseDefinition(FIRST_TYPE).ok)
  const command = registerCommand('https://cf.example', 'wk_live_1')
  assert.match(command, /X-CF-Write-Key: wk_live_1"/)
  assert.deepEqual(JSON.parse(/-d '(.*)'$/s.exec(command)?.[1] ?? ''), FIRST_TYPE)
  assert.match(registerCommand('https://cf.example', undefined), /\$CF_WRITE_KEY/)
})
