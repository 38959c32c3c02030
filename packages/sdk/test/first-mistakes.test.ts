/** What goes wrong on the first day, and what says so: a client made without its address, a wrong key, a wrong root. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '../src/index.ts'
import type { ClientOptions } from '../src/types.ts'
import { bench } from './support/bench.ts'
import { json, succeed } from './support/scripted-server.ts'
import { until } from '../../server/test/harness/until.ts'

/** What the console is told while something runs, by whoever develops or in production. */
function watchConsole(t: { after(run: () => void): void }, mode: string | undefined): string[] {
  const told: string[] = []
  const { warn } = console
  const before = process.env['NODE_ENV']
  const set = (value: string | undefined) => (value === undefined ? delete process.env['NODE_ENV'] : (process.env['NODE_ENV'] = value))
  console.warn = (text: string) => void told.push(text)
  set(mode)
  t.after(() => {
    console.warn = warn
    set(before)
  })
  return told
}

test('without a key or an address createClient says which is missing', () => {
  assert.throws(() => createClient({ baseUrl: 'https://content.example/sdk/v1' } as ClientOptions), /createClient needs key/)
  assert.throws(() => createClient({ key: 'k', baseUrl: undefined } as unknown as ClientOptions), /createClient needs baseUrl/)
  assert.throws(() => createClient({ key: '', baseUrl: 'https://content.example/sdk/v1' }), /createClient needs key/)
})

test('a refused key is told once in the console while an app is developed', async (t) => {
  const told = watchConsole(t, 'development')
  for (let i = 0; i < 2; i++) {
    const { server, client } = await bench()
    for (const path of ['/sync', '/strings'])
      server.on(path, (_request, response) => json(response, 401, { success: false, error: 'Invalid API key', code: 'INVALID_SDK_KEY' }))
    client.start()
    await until('rejected', () => client.snapshot().status === 'rejected')
    await until('told', () => told.length > 0)
  }
  assert.equal(told.length, 1)
  assert.match(told[0] ?? '', /the key is refused \(INVALID_SDK_KEY\)/)
})

test('an address where something else answers is told once, and the client goes on asking', async (t) => {
  const told = watchConsole(t, undefined)
  const { server, time, client } = await bench()
  server.on('/sync', (_request, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>'))
  client.start()
  await until('told', () => told.length > 0)
  assert.match(told[0] ?? '', /is not the client API.*ends in \/sdk\/v1/)
  server.on('/sync', (_request, response) => succeed(response, { blocks: [] }))
  time.advance(1_000)
  await until('ready', () => client.snapshot().status === 'ready')
  assert.equal(told.length, 1)
  client.stop()
})

test('in production the console is left alone', async (t) => {
  const told = watchConsole(t, 'production')
  const { server, client } = await bench()
  server.on('/sync', (_request, response) => void response.writeHead(404).end('no'))
  client.start()
  await until('offline', () => client.snapshot().status === 'offline')
  const { hint } = await import('../src/shell/hints.ts')
  hint(
    Object.assign(new Error('x'), { name: 'ContentFlowError' as const, status: 404, code: 'BAD_ANSWER', retryAfterSeconds: undefined }),
    'https://other.example',
  )
  assert.deepEqual(told, [])
  client.stop()
})
