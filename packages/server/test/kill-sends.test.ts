/** The process that sends dies at every step: nobody gets a message twice, and what is uncertain is said. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { presentReport, readReport, startDispatches } from '../src/modules/sends/index.ts'
import { expectStatus } from './builders.ts'
import { addPeople, openPush } from './sends.ts'
import { freshDatabase, startOn } from './start-app.ts'

const CHILD = fileURLToPath(new URL('./due-child.ts', import.meta.url))
/** Longer than a lease. */
const APART = 120
const POINTS = ['claim', 'claimed', 'marked', 'sent', 'worked', 'finished']
const PEOPLE = ['A', 'B', 'C']
const database = await freshDatabase()
const env = { ...database.env, CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
const push = await openPush()
after(() => database.remove())

async function dieAt(point: string, seconds: number): Promise<void> {
  const child = spawn(process.execPath, [CHILD, 'dispatch', point, String(seconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...env },
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
  const signal = await new Promise((resolve) => child.once('close', (_code, by) => resolve(by)))
  assert.equal(signal, 'SIGKILL', said)
}

test('whoever sends is killed before the claim, after it, before and after the calls, before and after its note', async () => {
  const before = await startOn(database.env, env)
  const ws = await before.workspace()
  await push.connect(ws.admin)
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
        channels: ['push'],
        content: { en: { title: sourceId, body: 'x' } },
        segments: ['All users'],
        window: {},
      }),
    )
  await before.stop()
  let seconds = APART
  for (const point of POINTS) {
    await dieAt(`dispatch: ${point}`, seconds)
    seconds += APART
  }

  const last = await startOn(database.env, env)
  try {
    await last.advance(seconds)
    for (let pass = 0; pass < 4; pass++) expectStatus(await last.operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
    const calls = push.calls().map(({ token, notification }) => `${notification.title} ${token[0]}`)
    assert.equal(new Set(calls).size, calls.length, 'nobody got a message twice')
    let interrupted = 0
    for (const sourceId of campaigns) {
      const report = presentReport(await readReport(last.ctx.db, ws.id, { source: 'campaign', sourceId })).channels['push']
      assert.equal(report?.attempted, PEOPLE.length, sourceId)
      assert.equal((report?.sent ?? 0) + (report?.failures['interrupted'] ?? 0), PEOPLE.length, sourceId)
      assert.ok((report?.sent ?? 0) <= calls.filter((call) => call.startsWith(`${sourceId} `)).length)
      interrupted += report?.failures['interrupted'] ?? 0
    }
    assert.equal(interrupted, 2 * PEOPLE.length, 'what two kills had under way, and nothing else')
  } finally {
    await last.stop()
  }
})
