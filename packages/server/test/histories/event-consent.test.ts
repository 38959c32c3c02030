/**
 * Random histories of consent under a steady stream of events, on two processes where there are two. An event is taken
 * when consent stood for as long as it was under way, and dropped when it did not; in between either may be. The seed of
 * a failing history is in its error; `fc.assert(..., {seed, path})` repeats it.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { assertProperty } from '../harness/assert-property.ts'
import { expectStatus, type Client, type Workspace } from '../builders/builders.ts'
import { deny, erase, identify } from '../builders/people.ts'
import { startApp, startOn } from '../harness/start-app.ts'
import { pause, until } from '../harness/until.ts'
import { countWaiting } from '../harness/waiting.ts'

const here = await startApp()
const there = process.env['TEST_DATABASE_URL'] ? await startOn(here.databaseEnv) : here
after(() => there.stop())

type Kind = 'grant' | 'deny' | 'logout' | 'erase'
type Act = { kind: Kind; at: number; pauseMs: number }
/** From before it was sent until its answer was read, on the one clock of this test. */
type Span = { from: number; to: number }
type Sent = Span & { name: string; isTaken: boolean }
type Done = Span & { kind: Kind }

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom<Kind>('grant', 'grant', 'grant', 'deny', 'logout', 'erase'),
  at: fc.nat(1),
  pauseMs: fc.constantFrom(0, 0, 2, 10),
})
const histories = fc.array(fc.array(act, { minLength: 4, maxLength: 12 }), { minLength: 3, maxLength: 3 })

let time = 0
const tick = () => ++time

async function during<T>(work: () => Promise<T>): Promise<Span & { result: T }> {
  const from = tick()
  const result = await work()
  return { from, to: tick(), result }
}

function perform(app: Client, device: string, kind: Kind) {
  if (kind === 'grant') return identify(app, device, `user of ${device}`)
  if (kind === 'deny') return deny(app, device)
  return kind === 'erase' ? erase(app, device) : app.post('/logout', { deviceId: device })
}

/** One device lives its history while events of it come in through both processes. */
async function live(apps: readonly Client[], device: string, acts: readonly Act[]): Promise<{ done: Done[]; sent: Sent[] }> {
  const [done, sent]: [Done[], Sent[]] = [[], []]
  const life = { isOver: false }
  const senders = apps.map(async (app, sender) => {
    while (!life.isOver) {
      const name = `${device} ${sender} ${sent.length}`
      const { from, to, result } = await during(() => app.post('/events', { deviceId: device, events: [{ type: 'a', screen: name }] }))
      sent.push({ from, to, name, isTaken: expectStatus(result, 202).data.accepted === 1 })
    }
  })
  for (const { kind, at, pauseMs } of acts) {
    const { from, to, result } = await during(() => perform(apps[at] as Client, device, kind))
    assert.equal(result.status, 200, result.text)
    done.push({ from, to, kind })
    await pause(pauseMs)
  }
  life.isOver = true
  await Promise.all(senders)
  return { done, sent }
}

/** Whether consent stood all the while, or none of it; undefined when it may have changed meanwhile. A logout changes nothing of it. */
function consentDuring({ from, to }: Span, done: readonly Done[]): boolean | undefined {
  const decisions = done.filter(({ kind }) => kind !== 'logout')
  const before = decisions.filter((one) => one.to < from)
  const isGranted = before.at(-1)?.kind === 'grant'
  const meanwhile = decisions.filter((one) => one.to >= from && one.from <= to)
  return meanwhile.some(({ kind }) => (kind === 'grant') !== isGranted) ? undefined : isGranted
}

/** Whether it is surely erased: answered before anybody could consent again after an erasure. */
function isErased({ to }: Span, done: readonly Done[]): boolean {
  return done.some(({ kind }, index) => {
    const next = done.slice(index + 1).find((later) => later.kind === 'grant')
    return kind === 'erase' && to < (next?.from ?? Infinity)
  })
}

/** Whether an erasure can have taken it along: one that was not answered yet when it was sent. */
const mayBeErased = ({ from }: Span, done: readonly Done[]) => done.some((one) => one.kind === 'erase' && one.to > from)

async function storedNames({ id }: Workspace): Promise<Map<string, number>> {
  const rows = await here.ctx.db.selectFrom('events').select('screen').where('workspace_id', '=', id).execute()
  const counts = new Map<string, number>()
  for (const { screen } of rows) counts.set(screen ?? '', (counts.get(screen ?? '') ?? 0) + 1)
  return counts
}

test('C-EVT-11 C-EVT-14 C-DEV-10 C-ERASE-03 whatever happens at once: no event without consent when it came, none refused with it, none behind an erasure', async () => {
  let [taken, dropped, unsure, runs] = [0, 0, 0, 0]
  const ws = await here.workspace()
  expectStatus(await here.operator.put(`/operator/workspaces/${ws.id}/plan`, { requestsPerMinute: null }), 200)
  const thereApp = there.anyone
  const far: Client = {
    ...ws.app,
    post: (path, body) => thereApp.post(`/sdk/v1${path}`, body, { headers: { 'x-cf-key': ws.live } }),
    delete: (path, options) => thereApp.delete(`/sdk/v1${path}`, { headers: { 'x-cf-key': ws.live, ...options?.headers } }),
  }
  const holds = async (all: Act[][]) => {
    const number = ++runs
    const lives = await Promise.all(all.map((acts, index) => live([ws.app, far], `D${number}-${index}`, acts)))
    const stored = await storedNames(ws)
    for (const { done, sent } of lives)
      for (const event of sent) {
        const told = `${JSON.stringify(event)} in ${JSON.stringify(done)}`
        const consent = consentDuring(event, done)
        if (consent === undefined) unsure++
        else assert.equal(event.isTaken, consent, told)
        if (event.isTaken) taken++
        else dropped++
        const count = stored.get(event.name) ?? 0
        if (!event.isTaken || isErased(event, done)) assert.equal(count, 0, told)
        else if (mayBeErased(event, done)) assert.ok(count <= 1, told)
        else assert.equal(count, 1, told)
      }
  }
  await assertProperty([histories], holds, { numRuns: 25, interruptAfterTimeLimit: 20_000 })
  assert.ok(taken > 50 && dropped > 50 && unsure > 10, JSON.stringify({ taken, dropped, unsure }))
})

// The embedded database has one connection: there nothing comes between the statements of a transaction.
if (process.env['TEST_DATABASE_URL'])
  test('C-ERASE-03 an event that is being stored when its device is erased is erased with it', async () => {
    const ws = await here.workspace()
    await identify(ws.app, 'D', 'U')
    const event = { type: 'a', screen: 'late', eventId: 'late' }
    const [sending, erasing] = await here.ctx.db.transaction().execute(async (tx) => {
      // Between the judgement of an event and its storing ids are claimed: here it waits.
      await sql`lock table event_ids in exclusive mode`.execute(tx)
      const sent = ws.app.post('/events', { deviceId: 'D', events: [event] })
      await until('the event waits', async () => (await countWaiting(here.ctx.db)) > 0)
      const erased = erase(ws.app, 'D')
      await pause(700)
      return [sent, erased]
    })
    assert.equal(expectStatus(await sending, 202).data.accepted, 1)
    expectStatus(await erasing, 200)
    assert.deepEqual([...(await storedNames(ws))], [])
  })
