import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyOf, endOf, hasEnvironment, KINDS, pathOf } from './key-use.ts'

test('each kind of key is made where it is managed', () => {
  assert.deepEqual(
    KINDS.map((kind) => pathOf(kind)),
    ['/settings/sdk-keys', '/settings/sdk-keys', '/settings/write-keys', '/settings/read-keys'],
  )
})

test('only application keys are of an environment, so only their making says one', () => {
  assert.deepEqual(bodyOf({ kind: 'secret', environment: 'test', name: ' CI ' }), { kind: 'secret', environment: 'test', name: 'CI' })
  assert.deepEqual(bodyOf({ kind: 'write', environment: 'test', name: 'CI' }), { name: 'CI' })
  assert.deepEqual(
    KINDS.filter((kind) => hasEnvironment(kind)),
    ['publishable', 'secret'],
  )
})

test('a key is named by its last four characters', () => assert.equal(endOf({ masked: 'ws_cfpk...3f9a' }), '3f9a'))
