/** Whoever counts events for journeys, or leads people on because of them, dies at each step: everybody is in once, moves once, and is written to once. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Client } from '../builders/builders.ts'
import { rollUp, track } from '../builders/events.ts'
import { check, runsOf, startJourney } from '../builders/journeys.ts'
import { identify } from '../builders/people.ts'
import { dieAt } from '../harness/die-at.ts'
import { freshDatabase, startOn, type TestApp } from '../harness/start-app.ts'

/** Longer than a lease; the wait is longer than all of them. */
const APART = 120
const TIMEOUT_MINUTES = 30

const database = await freshDatabase()
after(() => database.remove())

const cart = (cartId: string) => ({ type: 'cart_updated', properties: { cartId } })
const say = (title: string) => ({ type: 'in_app', content: { en: { title } } })

test('whoever leads people through a journey by events is killed at every step, and nobody is in it twice or written to twice', async () => {
  const before = await startOn(database.env)
  const email = uniqueEmail()
  const ws = await before.workspace({ email })
  const people = ['U', 'V', 'W']
  for (const id of people) {
    await identify(ws.app, id, id)
    expectStatus(await ws.app.post('/consent', { deviceId: id, channels: { inApp: true } }), 200)
  }
  const id = await startJourney(ws, {
    trigger: { type: 'custom_event', event: 'cart_updated', key: 'cartId' },
    entry: { policy: 'every_event' },
    steps: [
      say('{{event.cartId}} begins'),
      {
        type: 'wait_for',
        id: 'w',
        event: 'order_completed',
        sameKey: true,
        timeoutMinutes: TIMEOUT_MINUTES,
        then: [say('{{event.cartId}} bought')],
        else: [say('{{event.cartId}} left')],
      },
    ],
  })
  for (const person of people) await track(ws.app, person, [cart('A'), cart('B')])
  await before.stop()

  let seconds = APART
  const die = async (job: string, point: string) => {
    await dieAt(database.env, job, point, seconds)
    seconds += APART
  }
  const withServer = async (work: (app: Client, admin: Client, server: TestApp) => Promise<void>) => {
    const server = await startOn(database.env)
    try {
      await server.advance(seconds)
      const { data } = expectStatus(await clientOf(`${server.url}/api/v1`).post('/auth/login', { email, password: PASSWORD }), 200)
      const admin = clientOf(`${server.url}/api/v1`, { authorization: `Bearer ${data.token}`, 'x-tenant-id': ws.id })
      await work(clientOf(`${server.url}/sdk/v1`, { 'x-cf-key': ws.live }), admin, server)
    } finally {
      await server.stop()
    }
    seconds += APART
  }
  const heard = async ({ operator }: TestApp) => {
    await rollUp(operator)
    await check(operator)
  }

  await die('rollup', 'event-counts: worked')
  await withServer(async (app, _admin, server) => {
    // It fails when everybody has entered, before it says that it did.
    let failures = 0
    server.ctx.faults.watch((point) => {
      if (point === 'journeys: moved' && ++failures === 1) throw new Error('the check fails behind its commit')
    })
    await heard(server)
    for (const person of people) await track(app, person, [{ type: 'order_completed', properties: { cartId: 'A' } }])
  })
  await die('rollup', 'event-counts: worked')
  await withServer(async (_app, _admin, server) => heard(server))
  seconds += TIMEOUT_MINUTES * 60
  await die('journeys', 'journeys: moved')

  await withServer(async (_app, admin, server) => {
    const { ctx } = server
    await heard(server)
    const runs = await runsOf({ admin }, id)
    assert.deepEqual(
      runs.map(({ userId, key, status }) => `${userId} ${key} ${status}`).toSorted(),
      people.flatMap((person) => [`${person} A completed`, `${person} B completed`]),
    )
    const messages = await ctx.db
      .selectFrom('in_app_messages')
      .select(['profile_id', 'values', 'step_id'])
      .where('workspace_id', '=', ws.id)
      .execute()
    assert.equal(messages.length, people.length * 4, 'each message once')
    assert.deepEqual(await ctx.db.selectFrom('journey_inbox').select('batch').execute(), [], 'nothing is left to be heard')
  })
})
