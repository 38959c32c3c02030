/** The shared counters around a start: with Redis there late, and with none. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startApp } from '../../test/harness/start-app.ts'
import { startTcpProxy } from '../../test/harness/tcp-proxy.ts'
import { openRedis, type KeyValue } from './kv.ts'
import { openLog } from './log.ts'

const log = openLog('silent')
const redisUrl = process.env['TEST_REDIS_URL']

if (redisUrl) {
  test('two processes count together from their first request, also when Redis takes connections only after they began to start', async () => {
    const proxy = await startTcpProxy(new URL(redisUrl).hostname, Number(new URL(redisUrl).port || 6379))
    proxy.cut()
    const url = `redis://127.0.0.1:${proxy.port}`
    const starting = [openRedis(url, 'cf-test', log), openRedis(url, 'cf-test', log)]
    setTimeout(() => proxy.join(), 200)
    const stores = await Promise.all(starting)
    try {
      const name = randomUUID()
      const used: number[] = []
      for (const store of [...stores, ...stores]) used.push((await store.take(name, 1, 10, 60, Date.now())).used)
      assert.deepEqual(used, [1, 2, 3, 4])
    } finally {
      await Promise.all(stores.map((store) => store.close()))
      await proxy.close()
    }
  })

  test('a Redis that takes connections and says nothing does not hold a start up; once it answers it is counted with', async () => {
    const proxy = await startTcpProxy(new URL(redisUrl).hostname, Number(new URL(redisUrl).port || 6379))
    proxy.swallow()
    const store = await openRedis(`redis://127.0.0.1:${proxy.port}`, 'cf-test', log)
    try {
      const name = randomUUID()
      assert.equal((await store.take(name, 1, 10, 60, Date.now())).used, 1)
      proxy.join()
      const other = await openRedis(redisUrl, 'cf-test', log)
      const shared = randomUUID()
      const take = async (from: KeyValue, want: number) => (await from.take(shared, want, 1_000_000, 60, Date.now())).used
      for (let heard = 0; heard === 0; heard = await take(other, 0)) {
        await take(store, 1)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await other.close()
    } finally {
      await store.close()
      await proxy.close()
    }
  })
}

test('a server starts without the Redis it is told of, and counts by itself', async () => {
  const { workspace } = await startApp({ REDIS_URL: 'redis://127.0.0.1:1' })
  const ws = await workspace()
  const left: number[] = []
  for (let i = 0; i < 3; i++) left.push(Number((await ws.app.get('/sync')).headers.get('x-ratelimit-remaining')))
  assert.deepEqual(left, [left[0], left[0]! - 1, left[0]! - 2])
})
