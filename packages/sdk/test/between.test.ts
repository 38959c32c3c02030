/** What stands between an app and its server says something of its own: a rollout, a firewall, a hotel. On a real socket. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bench } from './support/bench.ts'
import { CONFIG, succeed, type Script } from './support/scripted-server.ts'
import { until } from '../../server/test/harness/until.ts'

const STRAY: readonly (readonly [number, string])[] = [
  [404, '<h1>404 Not Found</h1>'],
  [403, '{"message": "Forbidden", "code": "WAF_7"}'],
  [400, ''],
  [401, '{"error": "sign in to the network", "code": "INVALID_SDK_KEY"}'],
  [200, '{"code": "SDK_KEY_IN_QUERY"}'],
]

for (const [status, body] of STRAY)
  test(`C-ERR-27 a stray ${status} ends neither updates nor what a person decided, and online is told`, async () => {
    const { server, time, client } = await bench()
    const heard: string[] = []
    for (const name of ['offline', 'online', 'rejected', 'error'] as const) client.on(name, () => void heard.push(name))
    const stray: Script = (_request, response) => void response.writeHead(status, { 'content-type': 'text/html' }).end(body)
    for (const path of ['/sync', '/consent', '/push/preferences']) server.on(path, stray)
    client.start()
    assert.deepEqual(await client.setChannels({ push: true }), { status: 'pending' })
    assert.deepEqual(await client.setPushPreferences({ digest: 'daily' }), { status: 'pending' })
    await until('offline', () => client.snapshot().status === 'offline')
    server.on('/sync', (_request, response) => succeed(response, { blocks: [], config: CONFIG }))
    server.on('/consent', ({ body: asked }, response) => succeed(response, { channels: asked.channels }))
    server.on('/push/preferences', (_request, response) => succeed(response, { stored: true }))
    time.advance(1_000)
    await until('ready', () => client.snapshot().status === 'ready')
    await until('sent', () => client.pending() === 0)
    assert.deepEqual(client.snapshot().channels, { push: true })
    assert.deepEqual(heard, ['offline', 'online'])
    client.stop()
  })
