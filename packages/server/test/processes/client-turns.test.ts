/** A crowd of writes about one person, which an app key is enough for, waits for that person without connections: others are served. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql, type RawBuilder } from 'kysely'
import { expectStatus, type Answer, type Workspace } from '../builders/builders.ts'
import { startApp } from '../harness/start-app.ts'
import { until } from '../harness/until.ts'
import { countWaiting } from '../harness/waiting.ts'

const { workspace, ctx, url } = await startApp({ CF_PUBLIC_URL: 'https://reach.example.com' })
const postgres = { skip: ctx.engine === 'embedded' && 'one connection: a lock holds everybody' }
const CROWD = 40

const device = 'd-0'
const identify = (ws: Workspace, deviceId = device, plan = 'gold') =>
  ws.app.post('/identify', { deviceId, userId: 'sara', consent: true, traits: { plan } })

/** Every write that an application can make about somebody. */
const writes: Record<string, (ws: Workspace, deviceId: string, round: number) => Promise<Answer>> = {
  consent: (ws, deviceId) => ws.app.post('/consent', { deviceId, channels: { push: true } }),
  fullConsent: (ws, deviceId) => ws.app.post('/consent/full', { deviceId, userId: 'sara', channels: { email: true } }),
  push: (ws, deviceId) => ws.app.post('/register-push', { deviceId, token: `token-${deviceId}`, platform: 'android' }),
  noPush: (ws, deviceId) => ws.app.delete('/register-push', { headers: { 'x-cf-device': deviceId } }),
  preferences: (ws, deviceId) => ws.app.patch('/push/preferences', { deviceId, digest: 'daily' }),
  topic: (ws, deviceId, round) => ws.app.post('/push/topics', { deviceId, topic: `topic-${round % 10}` }),
  noTopic: (ws, deviceId) => ws.app.delete('/push/topics/news', { headers: { 'x-cf-device': deviceId } }),
  profile: (ws, deviceId) => ws.app.post('/profile', { deviceId, userId: 'sara', category: 'fintech', data: { tier: 'a' } }),
  location: (ws, deviceId) => ws.app.post('/location', { deviceId, points: [{ latitude: 24.7, longitude: 46.6 }] }),
  identify: (ws, deviceId, round) => identify(ws, deviceId, `plan-${round}`),
  logOut: (ws, deviceId) => ws.app.post('/logout', { deviceId }),
  erase: (ws, deviceId) => ws.app.delete('/identify', { headers: { 'x-cf-device': deviceId } }),
}

/** Runs a statement in a transaction that goes on while `work` does. */
async function whileHeld(statement: RawBuilder<unknown>, work: () => Promise<void>): Promise<void> {
  const free = await hold(statement)
  try {
    await work()
  } finally {
    await free()
  }
}

/** The same until it is let go. */
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

const deviceOf = (ws: Workspace) => sql`select from devices where workspace_id = ${ws.id} and device_id = ${device} for update`
const personOf = (ws: Workspace) => sql`select from profiles where workspace_id = ${ws.id} and user_id = 'sara' for update`

async function assertServed(ws: Workspace, name: string): Promise<void> {
  expectStatus(await ws.app.post('/consent', { deviceId: name, channels: { push: true } }), 200)
  expectStatus(await identify(ws, name, name), 200)
  expectStatus(await ws.app.patch('/push/preferences', { deviceId: name, digest: 'weekly' }), 200)
  const { data } = expectStatus(await ws.app.post('/events', { deviceId: name, events: [{ type: 'click', blockKey: 'a' }] }), 202)
  assert.equal(data.accepted, 1)
}

/** A write that waited too long, or for what a slow machine does not get done, is 503 and may come again. */
async function assertAnswered(name: string, answers: Promise<Answer>[]): Promise<void> {
  for (const { status, headers, text } of await Promise.all(answers))
    assert.ok(status < 500 || headers.has('retry-after'), `${name}: ${status} ${text}`)
}

for (const [name, write] of Object.entries(writes))
  test(`a crowd of ${name} about one device waits with one connection; another workspace is served meanwhile`, postgres, async () => {
    const [busy, quiet] = [await workspace(), await workspace()]
    expectStatus(await identify(busy), 200)
    let crowd: Promise<Answer>[] = []
    await whileHeld(deviceOf(busy), async () => {
      crowd = Array.from({ length: CROWD }, (_, round) => write(busy, device, round))
      await until('one waits for the device', async () => (await countWaiting(ctx.db)) >= 1)
      await assertServed(quiet, `beside-${name}`)
      assert.equal(await countWaiting(ctx.db), 1)
    })
    await assertAnswered(name, crowd)
  })

for (const name of ['consent', 'preferences', 'location', 'identify'])
  test(`a crowd of ${name} by many devices of one person takes a share of the connections`, postgres, async () => {
    const [busy, quiet] = [await workspace(), await workspace()]
    const devices = Array.from({ length: CROWD }, (_, index) => `d-${index}`)
    for (const id of devices) expectStatus(await identify(busy, id), 200)
    let crowd: Promise<Answer>[] = []
    const most = name === 'identify' ? 1 : 4
    await whileHeld(personOf(busy), async () => {
      crowd = devices.map((id, round) => writes[name]!(busy, id, round))
      await until(`${most} wait for the person`, async () => (await countWaiting(ctx.db)) >= most)
      await assertServed(quiet, `beside-${name}`)
      assert.equal(await countWaiting(ctx.db), most)
    })
    await assertAnswered(name, crowd)
  })

test('a link out of a mail that is opened again and again waits with one connection', postgres, async () => {
  const { unsubscribeUrls } = await import('../../src/modules/sends/unsubscribe/unsubscribe.ts')
  const [busy, quiet] = [await workspace(), await workspace()]
  expectStatus(await identify(busy), 200)
  const { id } = await ctx.db.selectFrom('profiles').select('id').where('workspace_id', '=', busy.id).executeTakeFirstOrThrow()
  const link = new URL((await unsubscribeUrls(ctx, { workspaceId: busy.id, address: 'https://flow.example' }))(id))
  let crowd: Promise<Response>[] = []
  await whileHeld(personOf(busy), async () => {
    crowd = Array.from({ length: CROWD }, () => fetch(url + link.pathname, { method: 'POST' }))
    await until('one waits for the person', async () => (await countWaiting(ctx.db)) >= 1)
    await assertServed(quiet, 'beside-links')
    assert.equal(await countWaiting(ctx.db), 1)
  })
  for (const { status } of await Promise.all(crowd)) assert.equal(status, 200)
})

test('a write is answered before the hundred and fifty about one person that another workspace sent with it', async () => {
  const [busy, quiet] = [await workspace(), await workspace()]
  for (const ws of [busy, quiet]) expectStatus(await identify(ws), 200)
  const order: string[] = []
  const note = async (name: string, answer: Promise<Answer>) => {
    await assertAnswered(name, [answer])
    order.push(name)
  }
  const all = Array.from({ length: 150 }, () => note('busy', writes['preferences']!(busy, device, 0)))
  all.push(note('quiet', writes['preferences']!(quiet, device, 0)))
  await Promise.all(all)
  assert.ok(order.indexOf('quiet') < 75, `${order.indexOf('quiet')} of 150 came before it`)
})

test('C-CONS-15 C-PUSH-16 what a bound of an hour or a day refuses again is refused without a connection, until the device is told of', async () => {
  const ws = await workspace()
  const devices = Array.from({ length: 4 }, (_, index) => `d-${index}`)
  for (const id of devices) expectStatus(await identify(ws, id), 200)
  for (let change = 0; change < 10; change++) expectStatus(await writes['consent']!(ws, device, change), 200)
  for (const id of devices.slice(0, 3)) expectStatus(await writes['push']!(ws, id, 0), 200)
  const refuse = async () => {
    const consent = expectStatus(await writes['consent']!(ws, device, 0), 429)
    const push = expectStatus(await writes['push']!(ws, 'd-3', 0), 429)
    for (const { body, headers } of [consent, push]) assert.deepEqual([body.code, headers.has('retry-after')], ['USER_RATE_LIMITED', true])
  }
  await refuse()
  // All that the database has to give.
  const free = await Promise.all(Array.from({ length: ctx.engine === 'embedded' ? 1 : 10 }, () => hold(sql`select 1`)))
  for (let again = 0; again < 10; again++) await refuse()
  await Promise.all(free.map((letGo) => letGo()))
  // Somebody else signs in on it, to whom the bound of the other does not apply.
  expectStatus(await ws.app.post('/identify', { deviceId: device, userId: 'omar', consent: true }), 200)
  expectStatus(await writes['consent']!(ws, device, 0), 200)
})
