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
  assert.deepEqual(bodyOf({ kind: 'write', environment: 'test', name: 'CI', origins: 'https://a.example' }), { name: 'CI' })
  const web = { kind: 'publishable', environment: 'live', name: 'Web' } as const
  assert.deepEqual(bodyOf({ ...web, origins: ' https://a.example, https://b.example\n', endsOn: '' }), {
    ...web,
    allowedOrigins: ['https://a.example', 'https://b.example'],
  })
  assert.equal(bodyOf({ ...web, endsOn: '2099-01-31' }).expiresAt, new Date(2099, 0, 31).toISOString())
  assert.deepEqual(bodyOf({ kind: 'read', environment: 'live', name: 'CRM', networks: '10.0.0.0/8، 203.0.113.7', endsOn: '2099-01-31' }), {
    name: 'CRM',
    allowedCidrs: ['10.0.0.0/8', '203.0.113.7'],
    expiresAt: new Date(2099, 0, 31).toISOString(),
  })
  assert.deepEqual(
    KINDS.filter((kind) => hasEnvironment(kind)),
    ['publishable', 'secret'],
  )
})

test('a key is named by its last four characters', () => assert.equal(endOf({ masked: 'ws_cfpk...3f9a' }), '3f9a'))
