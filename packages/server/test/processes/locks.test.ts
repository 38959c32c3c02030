/** Writes that meet: in one order of locks (ARCHITECTURE.md) none waits for another in a circle, and one workspace's writes leave connections to the others. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql, type RawBuilder } from 'kysely'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Answer, type Workspace } from '../builders/builders.ts'
import type { Context } from '../../src/context.ts'
import { startApp, startOn } from '../harness/start-app.ts'
import { countWaiting } from '../harness/waiting.ts'

const app = await startApp()
const { workspace, ctx } = app
// On the embedded database there is one connection, so no two transactions ever meet.
const postgres = { skip: ctx.engine === 'embedded' && 'one connection: transactions never meet' }

const FIELDS = [{ id: 'f_title', tag: '#title', type: 'text' }]
const manifest = (title: string, types = 10) => ({
  blocks: Array.from({ length: types }, (_, index) => ({
    key: `type_${index}`,
    name: title,
    fields: FIELDS,
    instances: [{ externalId: 'only', status: 'live', values: { '#title': title } }],
  })),
})
const unique = (() => {
  let count = 0
  return () => `x${++count}`
})()

/** Writes of one workspace, each through its own way in; several of a kind may be refused, none may fail. */
type Write = (ws: Workspace) => Promise<Answer>
const writes = {
  switches: (ws) => ws.admin.put('/settings/features', { features: { campaigns: false } }),
  policy: (ws) => ws.admin.put('/settings/sdk-key-policy', { derivedKeysEnabled: true }),
  key: async (ws) => {
    const { data } = await ws.admin.post('/settings/sdk-keys', { kind: 'publishable', environment: 'live' })
    return ws.admin.delete(`/settings/sdk-keys/${data?.id}`)
  },
  sandbox: async (ws) => {
    await ws.admin.post('/settings/sandbox', {})
    return ws.admin.delete('/settings/sandbox')
  },
  source: async (ws) => {
    await ws.admin.put('/settings/source-locale', { code: 'de' })
    return ws.admin.put('/settings/source-locale', { code: 'en' })
  },
  language: async (ws) => {
    await ws.admin.post('/locales', { code: 'fr' })
    return ws.admin.delete('/locales/fr')
  },
  strings: (ws) => ws.write.post('/strings/sync', { strings: [{ key: 'shared', sourceText: unique(), values: { de: unique() } }] }),
  // New types, because only a row that is made holds on to the workspace it names.
  manifest: (ws) => ws.write.post('/cards/sync', { blocks: [...manifest(unique()).blocks, { key: unique() }] }),
  register: (ws) => ws.write.post('/cards/register', { key: unique() }),
  segment: async (ws) => {
    const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'pro' }]
    const { data } = await ws.admin.post('/segments', { name: unique(), logicalOperator: 'AND', rules })
    return ws.admin.delete(`/segments/${data?.id}`)
  },
  identify: (ws) => ws.app.post('/identify', { deviceId: 'shared', userId: 'sara', consent: true, traits: { plan: unique() } }),
  events: (ws) => ws.app.post('/events', { deviceId: 'shared', events: [{ type: 'impression', blockKey: 'type_1' }] }),
  contacts: (ws) => ws.admin.post('/users/bulk/contacts', { contacts: [{ userId: 'sara', email: `${unique()}@example.com` }] }),
  suppress: (ws) => ws.admin.post('/users/bulk/suppress', { userIds: ['sara'] }),
} satisfies Record<string, Write>

/** Circles that PostgreSQL found and broke in this database; each connection is made to write down what it counted. */
async function countDeadlocks(contexts: readonly Context[]): Promise<number> {
  const all = contexts.flatMap(({ db, config }) => Array.from({ length: config.databasePool }, () => db))
  await Promise.all(all.map((db) => sql`select pg_stat_force_next_flush(), pg_sleep(0.5)`.execute(db)))
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(ctx.db)
  return rows[0]?.deadlocks ?? NaN
}

test('writes of every two kinds that meet in one workspace never wait for each other in a circle', postgres, async () => {
  const other = await startOn(app.databaseEnv)
  after(() => other.stop())
  const email = uniqueEmail()
  const here = await workspace({ email })
  expectStatus(await here.write.post('/cards/sync', manifest('first')), 200)
  const { token } = expectStatus(await other.anyone.post('/api/v1/auth/login', { email, password: PASSWORD }), 200).data
  const there: Workspace = {
    ...here,
    admin: clientOf(`${other.url}/api/v1`, { 'x-tenant-id': here.id, authorization: `Bearer ${token}` }),
    app: clientOf(`${other.url}/sdk/v1`, { 'x-cf-key': here.live }),
    write: clientOf(`${other.url}/sdk/v1`, { 'x-cf-write-key': here.writeKey }),
  }
  const all = Object.entries<Write>(writes)
  for (const [index, [one, writeOne]] of all.entries()) {
    for (const [two, writeTwo] of all.slice(index)) {
      const answers = await Promise.all([here, there].flatMap((ws) => [writeOne(ws), writeTwo(ws)]))
      for (const { status, text } of answers) assert.ok(status < 500, `${one} and ${two}: ${status} ${text}`)
    }
  }
  assert.equal(await countDeadlocks([ctx, other.ctx]), 0, 'PostgreSQL ended a circle')
})

test('many large writes of one workspace take a share of the connections; another workspace is answered meanwhile', postgres, async () => {
  const [busy, quiet] = [await workspace(), await workspace()]
  expectStatus(await busy.write.post('/cards/sync', manifest('first')), 200)
  const free = await hold(sql`select from content_heads where workspace_id = ${busy.id} for update`)
  let answered = 0
  const busyWrites = Array.from({ length: 12 }, async (_, index) => {
    const answer = await busy.write.post('/cards/sync', manifest(`round ${index}`))
    answered++
    return answer
  })
  await until('two wait for the lock', async () => (await countWaiting(ctx.db)) === 2)
  expectStatus(await quiet.write.post('/cards/sync', manifest('quiet')), 200)
  expectStatus(await quiet.admin.put('/settings/features', { features: { campaigns: false } }), 200)
  expectStatus(await quiet.app.get('/sync'), 200)
  assert.deepEqual([answered, await countWaiting(ctx.db)], [0, 2])
  await free()
  // A statement that waits longer than it may, as on a slow machine, is 503 for whoever sent it.
  for (const { status, headers, text } of await Promise.all(busyWrites)) assert.ok(status === 200 || headers.has('retry-after'), text)
})

test('many slow reads of one workspace take a share of the connections; another workspace is answered meanwhile', postgres, async () => {
  const [busy, quiet] = [await workspace(), await workspace()]
  const free = await hold(sql`lock table channels in access exclusive mode`)
  const reads = Array.from({ length: 12 }, () => busy.admin.get('/notifications/channels'))
  await until('four wait for the lock', async () => (await countWaiting(ctx.db)) === 4)
  expectStatus(await quiet.admin.get('/blocks'), 200)
  expectStatus(await quiet.app.post('/identify', { deviceId: 'd', userId: 'u', consent: true }), 200)
  expectStatus(await busy.write.post('/cards/sync', manifest('a change')), 200)
  assert.equal(await countWaiting(ctx.db), 4)
  await free()
  for (const { status, headers, text } of await Promise.all(reads)) assert.ok(status === 200 || headers.has('retry-after'), text)
})

test(
  'large bodies that wait for the changes of their workspace have a bound; small ones wait, and another workspace is answered',
  postgres,
  async () => {
    const [busy, quiet] = [await workspace(), await workspace()]
    const free = await hold(sql`select from content_heads where workspace_id = ${busy.id} for update`)
    const large = { ...manifest('large'), x: 'x'.repeat(9_000_000) }
    const isRefused = ({ text }: { text: string }) => text.includes('Too much work of this workspace waits already')
    let refused = 0
    const writes = Array.from({ length: 14 }, async () => {
      let answer = await busy.write.post('/cards/sync', large)
      // So many do not even arrive at once.
      while (answer.headers.get('retry-after') === '2') answer = await busy.write.post('/cards/sync', large)
      if (isRefused(answer)) refused++
      return answer
    })
    await until('one is refused', async () => refused > 0)
    const small = busy.write.post('/cards/sync', manifest('small'))
    expectStatus(await quiet.write.post('/cards/sync', large), 200)
    await free()
    for (const answer of await Promise.all([...writes, small]))
      assert.ok(answer.status === 200 || answer.headers.has('retry-after'), answer.text)
    assert.equal(isRefused(await small), false)
  },
)

/** Runs a statement in a transaction that goes on until it is let go. */
async function hold(statement: RawBuilder<unknown>): Promise<() => Promise<void>> {
  const { promise: isFree, resolve: free } = Promise.withResolvers<void>()
  const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
  const holder = ctx.db.transaction().execute(async (tx) => {
    await statement.execute(tx)
    held()
    await isFree
  })
  await Promise.race([isHeld, holder])
  return () => {
    free()
    return holder
  }
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let look = 0; !(await isSo()); look++) {
    assert.ok(look < 500, what)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('a write is answered before the twelve large ones that another workspace sent with it', async () => {
  const [busy, quiet] = [await workspace(), await workspace()]
  const order: string[] = []
  const note = async (name: string, answer: Promise<Answer>) => {
    expectStatus(await answer, 200)
    order.push(name)
  }
  const all = Array.from({ length: 12 }, (_, index) => note('busy', busy.write.post('/cards/sync', manifest(`round ${index}`, 5))))
  all.push(note('quiet', quiet.write.post('/cards/sync', manifest('quiet', 1))))
  await Promise.all(all)
  assert.ok(order.indexOf('quiet') < 11, order.join(' '))
})
