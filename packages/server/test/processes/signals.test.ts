/** What processes tell each other over PostgreSQL, and what each does by its role. The embedded database has no second process. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { expectStatus } from '../builders/builders.ts'
import { create, submit } from '../builders/campaigns.ts'
import { openReceiver } from '../builders/receivers.ts'
import { freshDatabase, startApp, startOn } from '../harness/start-app.ts'
import { until } from '../harness/until.ts'

if (process.env['TEST_DATABASE_URL']) testSignals()

/** Hears what processes tell, without being one of them. */
async function listenBeside(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl })
  const kinds: string[] = []
  client.on('notification', ({ payload = '' }) => {
    for (const { kind } of JSON.parse(payload).messages) kinds.push(kind)
  })
  await client.connect()
  await client.query('listen contentflow')
  return { kinds, client }
}

function testSignals(): void {
  test('while a process is alone it tells nobody of devices and due work, and tells once another one listens', async () => {
    const a = await startApp()
    const { kinds, client } = await listenBeside(a.databaseEnv['DATABASE_URL'] ?? '')
    const ws = await a.workspace()
    await ws.block('promo')
    const identify = (app: typeof a, userId: string) =>
      app.anyone.post('/sdk/v1/identify', { deviceId: `d-${userId}`, userId, consent: true }, { headers: { 'x-cf-key': ws.live } })
    expectStatus(await identify(a, 'one'), 200)
    await ws.instance('promo', { values: { '#title': 'one' } })
    await until('the publish is told', () => kinds.includes('content'))
    assert.ok(!kinds.includes('device') && !kinds.includes('due'), kinds.join())
    const b = await startOn(a.databaseEnv)
    try {
      expectStatus(await identify(a, 'two'), 200)
      await until('the device is told', () => kinds.includes('device'))
    } finally {
      await b.stop()
      await client.end()
    }
  })

  test('no transaction that writes notifies of devices, so first identifies do not queue at the lock of NOTIFY', async () => {
    const a = await startApp()
    const b = await startOn(a.databaseEnv)
    const ws = await a.workspace()
    const watcher = new pg.Client({ connectionString: a.databaseEnv['DATABASE_URL'] })
    await watcher.connect()
    const over = new AbortController()
    let [looks, waits] = [0, 0]
    const watch = async () => {
      while (!over.signal.aborted) {
        const { rows } = await watcher.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'object'
            and query not like 'select pg_notify%'`,
        )
        looks++
        waits += rows.length
      }
    }
    const watching = watch()
    try {
      const people = Array.from({ length: 200 }, (_, i) => i)
      const identify = (i: number) =>
        (i % 2 ? a : b).anyone.post(
          '/sdk/v1/identify',
          { deviceId: `d-${i}`, userId: `u-${i}`, consent: true },
          { headers: { 'x-cf-key': ws.live } },
        )
      await Promise.all(people.map(async (i) => expectStatus(await identify(i), 200)))
    } finally {
      over.abort()
      await watching
      await watcher.end()
      await b.stop()
    }
    assert.ok(looks > 3, `${looks} looks`)
    assert.equal(waits, 0)
  })

  test('what a web process makes due is done by a work process, which serves nothing else', async () => {
    const database = await freshDatabase()
    after(() => database.remove())
    const web = await startOn(database.env, { CF_ROLE: 'web', CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
    const ws = await web.workspace()
    const receiver = await openReceiver()
    const work = await startOn(database.env, { CF_ROLE: 'work', CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
    try {
      expectStatus(await ws.admin.post('/webhooks', { name: 'A', url: receiver.url, events: ['campaign.submitted_for_review'] }), 201)
      expectStatus(await submit(ws.admin, (await create(ws.admin)).id), 200)
      await receiver.waitFor(1)
      assert.equal((await work.anyone.get('/healthz')).status, 200)
      assert.equal((await work.anyone.get('/readyz')).status, 200)
      for (const path of ['/sdk/v1/sync', '/api/v1/auth/me', '/'])
        assert.equal((await work.anyone.get(path, { headers: { 'x-cf-key': ws.live } })).status, 404, path)
    } finally {
      await receiver.close()
      await work.stop()
      await web.stop()
    }
  })
}
