import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, advance } = await startApp({ CF_IP_LIMIT: 'enforce', CF_TRUST_PROXY: '1' })

/** Statuses of `count` requests from one address. */
async function ask(client: Client, address: string, count: number): Promise<Map<number, number>> {
  const seen = new Map<number, number>()
  for (let done = 0; done < count; done += 50) {
    const answers = await Promise.all(
      Array.from({ length: Math.min(50, count - done) }, () => client.get('/sync', { headers: { 'x-forwarded-for': address } })),
    )
    for (const { status } of answers) seen.set(status, (seen.get(status) ?? 0) + 1)
  }
  return seen
}

test('C-LIMIT-07 C-ERR-24 C-HDR-10 when enforced, request 401 of a minute from one address is refused in the flat form', async () => {
  const [a, b] = [await workspace(), await workspace()]
  assert.deepEqual([...(await ask(a.app, '203.0.113.7', 200))], [[200, 200]])
  assert.deepEqual([...(await ask(b.app, '203.0.113.7', 250))].sort(), [
    [200, 200],
    [429, 50],
  ])
  const refused = await a.app.get('/sync', { headers: { 'x-forwarded-for': '203.0.113.7' } })
  assert.equal(refused.status, 429)
  assert.deepEqual([refused.body.success, refused.body.code, typeof refused.body.error], [false, 'IP_RATE_LIMITED', 'string'])
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
  assert.equal(refused.headers.get('x-cf-env'), 'live')
  assert.equal((await a.app.get('/sync', { headers: { 'x-forwarded-for': '203.0.113.8' } })).status, 200)
  await advance(60)
  assert.equal((await a.app.get('/sync', { headers: { 'x-forwarded-for': '203.0.113.7' } })).status, 200)
})

test('C-LIMIT-08 addresses of one IPv6 /64 share a count, another /64 has its own', async () => {
  const ws = await workspace()
  for (const [address, count] of [
    ['2001:db8:1:2::1', 200],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', 150],
    ['2001:db8:1:2:0:0:0:9', 50],
  ] as const)
    assert.deepEqual([...(await ask(ws.app, address, count))], [[200, count]], address)
  assert.deepEqual([...(await ask(ws.app, '2001:db8:1:2:a::', 10))], [[429, 10]])
  assert.deepEqual([...(await ask(ws.app, '2001:db8:1:3::1', 10))], [[200, 10]])
})

test('only the address that the configured proxy saw counts: what a client writes before it changes nothing', async () => {
  const ws = await workspace()
  const seen = new Map<number, number>()
  for (let i = 0; i < 450; i++) {
    const { status } = await ws.app.get('/sync', { headers: { 'x-forwarded-for': `198.51.100.${i % 250}, 192.0.2.1` } })
    seen.set(status, (seen.get(status) ?? 0) + 1)
  }
  assert.deepEqual([...seen].sort(), [
    [200, 400],
    [429, 50],
  ])
})
