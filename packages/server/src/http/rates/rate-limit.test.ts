/** The limiter by itself, on the store the tests run with: Redis when TEST_REDIS_URL names one, else memory. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { after, test } from 'node:test'
import { loadConfig } from '../../config.ts'
import { openClock } from '../../infra/clock.ts'
import { openMemory, openRedis, type KeyValue } from '../../infra/kv.ts'
import { openLog } from '../../infra/log.ts'
import { openMetrics } from '../../infra/metrics.ts'
import { callerAddress, rateAddress } from '../callers/caller-address.ts'
import { RateLimiter, type Rate } from './rate-limit.ts'

const redisUrl = process.env['TEST_REDIS_URL']
const log = openLog('silent')

/** Stores as `count` processes have them: a connection each to one Redis, or packets out of one memory. */
async function openStores(count: number): Promise<KeyValue[]> {
  const memory = openMemory()
  const stores = Array.from({ length: count }, async (): Promise<KeyValue> =>
    redisUrl ? openRedis(redisUrl, 'cf-test', log) : { ...memory, packet: 20, take: async (...asked) => memory.take(...asked) },
  )
  const opened = await Promise.all(stores)
  after(() => Promise.all(opened.map((store) => store.close())))
  // Until it is connected, a store counts by itself and answers 1 to every first taking.
  for (let isShared = false; !isShared; await new Promise((resolve) => setTimeout(resolve, 5))) {
    const name = randomUUID()
    const used: number[] = []
    for (const store of opened) used.push((await store.take(name, 1, 10, 60, Date.now())).used)
    isShared = used.every((count, index) => count === index + 1)
  }
  return opened
}

function openLimiter(kv: KeyValue, env: Record<string, string> = {}) {
  const clock = openClock()
  return { limiter: new RateLimiter({ kv, clock, config: loadConfig(env), metrics: openMetrics() }), clock }
}

const requestFrom = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } }) as IncomingMessage

test('two processes that share a store serve a crowd never more than 1,100 requests, and no fewer than both had a packet left', async () => {
  const [first, second] = (await openStores(2)).map((store) => openLimiter(store).limiter)
  const workspaceId = randomUUID()
  const callers = [first, second].map(() => ({ workspaceId, requestsPerMinute: 1000 }))
  const answers = await Promise.all(
    Array.from({ length: 2_400 }, async (_, index) => [first, second][index % 2]!.spendWorkspace(callers[index % 2]!)),
  )
  const served = answers.filter((rate) => rate !== false)
  assert.ok(served.length <= 1_100, `${served.length} served`)
  assert.ok(served.length > 1_100 - 2 * 20, `${served.length} served`)
  for (const limiter of [first, second]) assert.equal(await limiter!.spendWorkspace(callers[0]!), false)
})

test('a crowd at one process leaves the allowance to the others: whoever asks there next is served', async () => {
  const [first, second] = (await openStores(2)).map((store) => openLimiter(store).limiter)
  const caller = { workspaceId: randomUUID(), requestsPerMinute: 1000 }
  const crowd = await Promise.all(Array.from({ length: 200 }, async () => first!.spendWorkspace({ ...caller })))
  assert.equal(
    crowd.every((rate) => rate !== false),
    true,
  )
  for (let i = 0; i < 800; i++) assert.notEqual(await second!.spendWorkspace(caller), false, `refused at ${i + 201} of all`)
})

test('what is left falls by one with each request and never below zero, to the very last', async () => {
  const [store] = await openStores(2)
  const { limiter } = openLimiter(store!)
  const caller = { workspaceId: randomUUID(), requestsPerMinute: 50 }
  for (let used = 1; used <= 150; used++) {
    const rate: Rate | false = await limiter.spendWorkspace(caller)
    assert.deepEqual(rate, { limit: 50, remaining: Math.max(0, 50 - used) })
  }
  assert.equal(await limiter.spendWorkspace(caller), false)
})

test('a window ends after 60 seconds for every process, and a new one is full', async () => {
  const stores = await openStores(2)
  const opened = stores.map((store) => openLimiter(store))
  const caller = { workspaceId: randomUUID(), requestsPerMinute: 1 }
  for (let used = 0; used < 101; used++) assert.notEqual(await opened[0]!.limiter.spendWorkspace(caller), false)
  for (const { limiter } of opened) assert.equal(await limiter.spendWorkspace(caller), false)
  for (const { clock } of opened) clock.advance(59)
  for (const { limiter } of opened) assert.equal(await limiter.spendWorkspace(caller), false)
  for (const { clock } of opened) clock.advance(2)
  for (const { limiter } of opened) assert.notEqual(await limiter.spendWorkspace(caller), false)
})

test('while Redis is away a process counts by itself instead of refusing or serving without end', async () => {
  const away = await openRedis('redis://127.0.0.1:1', 'cf-test', log)
  const { limiter } = openLimiter(away)
  const caller = { workspaceId: randomUUID(), requestsPerMinute: 10 }
  const answers = []
  for (let i = 0; i < 130; i++) answers.push(await limiter.spendWorkspace(caller))
  await away.close()
  assert.deepEqual(
    answers.map((rate) => rate !== false),
    answers.map((_, index) => index < 110),
  )
})

test('C-LIMIT-08 addresses of one /64 share the per-address count of 300 and 100, those of another do not', async () => {
  const [store] = await openStores(2)
  const { limiter } = openLimiter(store!)
  const group = randomUUID().slice(0, 4)
  for (let used = 0; used < 400; used++) {
    const spent = await limiter.spendAddress(requestFrom(`2001:db8:${group}:1::${used.toString(16)}`))
    assert.equal(spent, undefined, `over the rate at ${used + 1}`)
  }
  const endsAt = await limiter.spendAddress(requestFrom(`2001:DB8:${group}:1:ffff::`))
  assert.ok(endsAt !== undefined && endsAt > Date.now() && endsAt <= Date.now() + 60_000)
  assert.equal(await limiter.spendAddress(requestFrom(`2001:db8:${group}:2::`)), undefined)
})

test('C-LIMIT-08 every spelling of an address counts as one caller', () => {
  for (const [counted, spellings] of [
    [
      '203.0.113.7',
      ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:203.0.113.7', '::ffff:cb00:7107', '0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7:4711'],
    ],
    [
      '2001:db8:0:1::/64',
      [
        '2001:db8:0:1::',
        '2001:db8:0:1::5',
        '2001:DB8:0000:0001:ffff:ffff:ffff:ffff',
        '2001:db8::1:0:0:0:0',
        '[2001:db8:0:1::5]:443',
        '[2001:db8:0:1::5]',
      ],
    ],
    ['::/64', ['::', '::1', '0:0:0:0:0:0:0:1']],
    ['fe80::/64', ['fe80::1', 'fe80::1%eth0', 'FE80:0::2%1']],
    ['64:ff9b::/64', ['64:ff9b::203.0.113.7']],
  ] as const)
    for (const spelling of spellings) assert.equal(rateAddress(spelling), counted, spelling)
})

test('what is no address counts as the text it is, and nothing makes it throw', () => {
  for (const text of [
    '',
    'unknown',
    '_hidden',
    ':',
    '1:2:3:4:5:6:7:8:9::1',
    '::1::2',
    'g::1',
    '1.2.3.4.5:9',
    '[',
    '[]',
    ':::',
    '1:2',
    'x'.repeat(10_000),
  ])
    assert.equal(typeof rateAddress(text), 'string', text.slice(0, 40))
})

test('only as many entries of X-Forwarded-For are believed as there are trusted proxies, counted from this end', () => {
  const client = '198.51.100.9'
  const forwarded = `203.0.113.66, ${client}, 10.0.0.2`
  assert.equal(callerAddress(requestFrom('10.0.0.1', forwarded), 0), '10.0.0.1')
  assert.equal(callerAddress(requestFrom('10.0.0.1', forwarded), 1), '10.0.0.2')
  assert.equal(callerAddress(requestFrom('10.0.0.1', forwarded), 2), client)
  assert.equal(callerAddress(requestFrom('10.0.0.1', client), 1), client)
  assert.equal(callerAddress(requestFrom('10.0.0.1', client), 5), client)
  for (const empty of [undefined, '', ' , ,']) assert.equal(callerAddress(requestFrom('10.0.0.1', empty), 1), '10.0.0.1')
})
