/** The person's own token: when it is asked for, and with what it goes; against a scripted server on a real socket. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import type { Client } from '../src/types.ts'
import { bench } from './support/bench.ts'
import { json, succeed, type ScriptedServer } from './support/scripted-server.ts'
import { until } from '../../server/test/harness/until.ts'

const settled = (client: Client) => until('an answer', () => client.snapshot().status !== 'loading')

const tokens = (server: ScriptedServer, path: string) => server.to(path).map(({ headers }) => headers['x-cf-user-token'])
const refuseToken = (reason: string) => (_request: unknown, response: ServerResponse) =>
  json(response, 403, { success: false, error: 'no', code: 'USER_TOKEN_INVALID', reason })

test("the person's own token goes with every call that names them, and with no other", async () => {
  const { server, client } = await bench({ userToken: async (userId) => `of-${userId}` })
  client.start()
  await client.identify({ consent: true, userId: 'sara' })
  server.on('/profile', (_request, response) => succeed(response, {}))
  await client.setIndustryData('retail', { tier: 'gold' })
  client.track({ type: 'x' })
  client.flush()
  await until('the event', () => server.to('/events').length === 1)
  client.stop()
  assert.deepEqual([tokens(server, '/identify'), tokens(server, '/profile')], [['of-sara'], ['of-sara']])
  assert.deepEqual(
    server.received.filter(({ path, headers }) => headers['x-cf-user-token'] && !/^\/(identify|profile)$/.test(path)),
    [],
  )
})

test('a token that had expired is asked for once again; another refusal is told as it is', async () => {
  let asked = 0
  const { server, client, heard } = await bench({ userToken: async () => `token-${++asked}` })
  server.on('/identify', (request, response) => {
    if (request.headers['x-cf-user-token'] === 'token-1') refuseToken('expired')(request, response)
    else succeed(response, { consent: true, results: { identity: { status: 'identified', userId: 'sara' } } })
  })
  client.start()
  await client.identify({ consent: true, userId: 'sara' })
  assert.deepEqual(tokens(server, '/identify'), ['token-1', 'token-2'])

  server.on('/identify', refuseToken('expired'))
  await assert.rejects(client.identify({ consent: true, userId: 'sara' }), { code: 'USER_TOKEN_INVALID', reason: 'expired' })
  assert.equal(asked, 4, 'once')
  server.on('/identify', refuseToken('signature'))
  await assert.rejects(client.identify({ consent: true, userId: 'sara' }), { code: 'USER_TOKEN_INVALID', reason: 'signature' })
  assert.equal(asked, 5)
  assert.deepEqual(
    heard.filter(({ name }) => name === 'identity_refused').map(({ value }) => (value as { reason?: unknown }).reason),
    ['expired', 'signature'],
  )
  client.stop()
})

for (const [name, userToken] of [
  ['rejects', () => Promise.reject(new Error('no session'))],
  ['is never settled', () => new Promise<string>(() => {})],
] as const)
  test(`a token function that ${name} is like no connection: nothing is sent, and it is repeated`, async () => {
    let isGood = false
    const { server, client, time } = await bench({ userToken: () => (isGood ? Promise.resolve('good') : userToken()) })
    client.start()
    await settled(client)
    const identified = client.identify({ consent: true, userId: 'sara' })
    await until('it fails', () => (time.advance(31_000), client.pending() === 1))
    assert.deepEqual(await identified, { status: 'pending' })
    assert.deepEqual(server.to('/identify'), [])
    isGood = true
    await until('it is sent', () => (time.advance(31_000), server.to('/identify').length === 1))
    assert.deepEqual(tokens(server, '/identify'), ['good'])
    client.stop()
  })
