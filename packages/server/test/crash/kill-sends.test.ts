/** The process that sends dies at every step: nobody gets a message twice, and what is uncertain is said. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { presentReport, readReport, startDispatches } from '../../src/modules/sends/index.ts'
import { expectStatus } from '../builders/builders.ts'
import { dieAt } from '../harness/die-at.ts'
import { addPeople, openEmail, openPush } from '../builders/sends.ts'
import { freshDatabase, startOn } from '../harness/start-app.ts'

/** Longer than a lease. */
const APART = 120
const POINTS = ['claim', 'claimed', 'marked', 'sent', 'worked', 'finished']
const PEOPLE = ['A', 'B', 'C']
/** Seconds ahead; of both tests, as they share a database. */
let clock = 0
const database = await freshDatabase()
const env = { ...database.env, CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
const push = await openPush()
const email = await openEmail()
after(() => database.remove())

/** A campaign for each step at which the process dies, and what the ledger says of them when another has gone on. */
async function sendWithKills(channel: 'push' | 'email') {
  const before = await startOn(database.env, env)
  const ws = await before.workspace()
  await (channel === 'push' ? push : email).connect(ws.admin)
  await addPeople(ws, PEOPLE)
  // The caps of a day are no part of this.
  expectStatus(await ws.admin.put('/settings/features', { features: { frequency_caps: false } }), 200)
  before.ctx.due.nudge = () => undefined
  const campaigns = POINTS.map((point) => `c-${point}`)
  for (const sourceId of campaigns)
    await before.ctx.change({ workspaceId: ws.id, actor: 'system' }, (change) =>
      startDispatches(change, {
        source: 'campaign',
        sourceId,
        name: sourceId,
        channels: [channel],
        content: { en: { title: sourceId, body: 'x' } },
        segments: ['All users'],
        window: {},
      }),
    )
  await before.stop()
  let seconds = clock
  for (const point of POINTS) {
    seconds += APART
    await dieAt(env, 'dispatch', `dispatch: ${point}`, seconds)
  }
  const last = await startOn(database.env, env)
  try {
    await last.advance(seconds + APART)
    for (let pass = 0; pass < 4; pass++) expectStatus(await last.operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
    clock = seconds + APART
    const sums = []
    for (const sourceId of campaigns) {
      const { channels } = presentReport(await readReport(last.ctx.db, ws.id, { source: 'campaign', sourceId }))
      const { attempted = 0, sent = 0, failures = {} } = channels[channel] ?? {}
      sums.push({ sourceId, attempted, sent, interrupted: failures['interrupted'] ?? 0 })
    }
    return sums
  } finally {
    await last.stop()
  }
}

test('whoever sends is killed before the claim, after it, before and after the calls, before and after its note', async () => {
  const sums = await sendWithKills('push')
  const calls = push.calls().map(({ token, notification }) => `${notification.title} ${token[0]}`)
  assert.equal(new Set(calls).size, calls.length, 'nobody got a message twice')
  for (const { sourceId, attempted, sent, interrupted } of sums) {
    assert.equal(attempted, PEOPLE.length, sourceId)
    assert.equal(sent + interrupted, PEOPLE.length, sourceId)
    assert.ok(sent <= calls.filter((call) => call.startsWith(`${sourceId} `)).length)
  }
  const interrupted = sums.reduce((sum, each) => sum + each.interrupted, 0)
  assert.equal(interrupted, 2 * PEOPLE.length, 'what two kills had under way, and nothing else')
})

test('Resend takes a message once, however often: what was under way is sent again with its key, and nothing is uncertain', async () => {
  for (const { sourceId, sent } of await sendWithKills('email')) assert.equal(sent, PEOPLE.length, sourceId)
  const keys = new Map(email.calls().map(({ headers, raw }) => [headers['idempotency-key'], raw]))
  assert.equal(keys.size, POINTS.length * PEOPLE.length)
  for (const { headers, raw } of email.calls()) assert.equal(raw, keys.get(headers['idempotency-key']))
})
