import assert from 'node:assert/strict'
import { test } from 'node:test'
import { block, failedWith, identified, machine, ok, synced, write } from '../../test/support/states.ts'
import { nextWake } from './due.ts'
import type { Phase, StepEvent } from './state.ts'
import { TRANSITIONS } from './step.ts'

const PHASES = {
  stopped: () => machine(),
  starting: () => machine().send({ type: 'start' }),
  running: () => machine().run(),
  rejected: () => machine().run().answer('sync', failedWith(401, 'INVALID_SDK_KEY')),
} satisfies Record<Phase, () => ReturnType<typeof machine>>

const EVENTS: Record<StepEvent['type'], StepEvent> = {
  start: { type: 'start' },
  stop: { type: 'stop' },
  loaded: { type: 'loaded', stored: { deviceId: 'stored' } },
  enqueue: write('w', 'consent', { channels: {} }),
  ask: { type: 'ask', lane: 'sync', waiters: ['waiter'] },
  note: { type: 'note', patch: { locale: 'ar' } },
  online: { type: 'online' },
  tick: { type: 'tick' },
  heard: { type: 'heard', request: 1, signals: 1 },
  answered: { type: 'answered', lane: 'sync', request: 1, answer: synced() },
  keyRejected: { type: 'keyRejected', answer: failedWith(401, 'INVALID_SDK_KEY') },
}

/** The next phase, and what is done. No Partial: a phase or event without a line does not compile. */
const TABLE: Record<Phase, Record<StepEvent['type'], string>> = {
  stopped: {
    start: 'starting: load',
    stop: 'stopped:',
    loaded: 'stopped:',
    enqueue: 'stopped: settle w pending',
    ask: 'stopped: settle waiter STOPPED',
    note: 'stopped:',
    online: 'stopped:',
    tick: 'stopped:',
    heard: 'stopped:',
    answered: 'stopped:',
    keyRejected: 'rejected: emit rejected',
  },
  starting: {
    start: 'starting:',
    stop: 'stopped:',
    loaded: 'running: GET /sync, GET /strings',
    enqueue: 'starting:',
    ask: 'starting:',
    note: 'starting:',
    online: 'starting:',
    tick: 'starting:',
    heard: 'starting:',
    answered: 'starting:',
    keyRejected: 'rejected: emit rejected',
  },
  running: {
    start: 'running:',
    stop: 'stopped: abort, abort',
    loaded: 'running: abort, GET /sync',
    enqueue: 'running: POST /consent',
    ask: 'running:',
    note: 'running: abort, abort, GET /sync?locale=ar, GET /strings?locale=ar',
    online: 'running:',
    tick: 'running:',
    heard: 'running:',
    answered: 'running: emit synced, GET /stream',
    keyRejected: 'rejected: abort, abort, emit rejected',
  },
  rejected: {
    start: 'rejected:',
    stop: 'rejected:',
    loaded: 'rejected:',
    enqueue: 'rejected: settle w INVALID_SDK_KEY',
    ask: 'rejected: settle waiter INVALID_SDK_KEY',
    note: 'rejected:',
    online: 'rejected:',
    tick: 'rejected:',
    heard: 'rejected:',
    answered: 'rejected:',
    keyRejected: 'rejected:',
  },
}

function told(at: ReturnType<typeof machine>): string {
  const effects = at.effects.map((effect) => {
    if (effect.type === 'request') return `${effect.call.method} ${effect.call.path}`
    if (effect.type === 'emit') return `emit ${effect.emission.name}`
    if (effect.type !== 'settle') return effect.type
    return `settle ${effect.id} ${effect.outcome.status === 'failed' ? effect.outcome.error.code : effect.outcome.status}`
  })
  return `${at.state.phase}: ${effects.join(', ')}`.trim()
}

for (const phase of Object.keys(TABLE) as Phase[])
  for (const type of Object.keys(TABLE[phase]) as StepEvent['type'][])
    test(`${phase} × ${type} is ${TABLE[phase][type]}`, () => {
      assert.equal(typeof TRANSITIONS[phase][type], 'function')
      assert.equal(told(PHASES[phase]().send(EVENTS[type])), TABLE[phase][type])
    })

test('C-AUTH-41 after a key is refused nothing is due ever again, and what is shown stays', () => {
  const at = machine()
    .run()
    .answer('sync', synced([block('a')]))
  at.answer('strings', failedWith(403, 'SDK_KEY_IN_QUERY'))
  assert.equal(at.state.phase, 'rejected')
  assert.equal(nextWake(at.state), Infinity)
  assert.equal(at.state.content?.blocks.length, 1)
  for (let i = 0; i < 5; i++) assert.deepEqual(at.pass(3_600_000).effects, [])
})

test('C-ERR-28 C-STREAM-10 every 4xx of the service but 429 is final for its request: a write is gone, a read is asked at the pace of polls', () => {
  for (const status of [400, 403, 404, 405, 409, 413, 418]) {
    const at = machine({ isStreamWanted: false }).run().answer('sync', failedWith(status))
    const told = () => at.effects.flatMap((effect) => (effect.type === 'emit' ? [effect.emission.name] : []))
    assert.deepEqual(told(), ['error', 'offline'], String(status))
    at.answer('strings', failedWith(status))
    assert.deepEqual(at.pass(29_999).requested(), [], 'not repeated sooner than a poll')
    assert.deepEqual(at.pass(1).requested(), ['GET /sync'])
    assert.deepEqual([at.answer('sync', failedWith(status)).effects.length, told()], [0, []], 'told once')
    at.pass(30_000).answer('sync', synced([block('a')]))
    assert.deepEqual(told(), ['online', 'synced'])
    assert.deepEqual(at.pass(240_000).requested(), ['GET /sync', 'GET /strings'])
    at.answer('sync', synced()).send(write('w', 'consent')).answer('outbox', failedWith(status))
    assert.deepEqual(at.state.items, [])
    assert.deepEqual(at.pass(1_000).requested(), [])
  }
})

/** What stands in between says this: a rollout, a firewall, a hotel. */
const STRAY = [
  { status: 404, body: undefined },
  { status: 403, body: undefined },
  { status: 400, body: undefined },
  { status: 401, body: undefined },
  { status: 407, body: undefined },
  { status: 200, body: undefined },
] as const

test('C-ERR-27 what has no envelope is no refusal, whatever its status: reads and what people decided are repeated, the key stays good', () => {
  for (const stray of STRAY) {
    const at = machine({ isStreamWanted: false }).run().answer('sync', stray).answer('strings', stray)
    assert.equal(at.state.phase, 'running')
    assert.deepEqual(at.pass(1_000).requested().toSorted(), ['GET /strings', 'GET /sync'], String(stray.status))
    at.answer('strings', ok({ locale: 'en', strings: {} })).answer('sync', synced())
    assert.ok(at.effects.some((effect) => effect.type === 'emit' && effect.emission.name === 'online'))
    at.send(write('c', 'consent', { channels: { push: true } })).answer('outbox', stray)
    assert.deepEqual(at.effects, [{ type: 'settle', id: 'c', outcome: { status: 'pending' } }])
    assert.deepEqual(at.pass(1_000).requests()[0]?.call.body?.['channels'], { push: true })
    at.answer('outbox', ok({ channels: { push: true } }))
    assert.deepEqual([at.state.channels, at.state.items], [{ push: true }, []])
  }
})

test('C-STREAM-10 a stray answer on a live stream ends neither the stream nor the polls', () => {
  for (const stray of STRAY) {
    const at = machine().ready()
    at.send({ type: 'heard', request: at.state.lanes.stream.request, signals: 1 }).answer('sync', stray)
    assert.deepEqual(at.pass(1_000).requested(), ['GET /sync'])
    at.answer('sync', synced()).answer('stream', stray)
    assert.deepEqual(at.pass(1_000).requested(), ['GET /stream'])
  }
})

test('C-ERR-27 transport failures, 429, 5xx and answers that are not the service are repeated, and change nothing that is shown', () => {
  const html = { status: 200, body: undefined }
  for (const answer of [
    { status: 0 },
    failedWith(429),
    failedWith(500),
    failedWith(502),
    failedWith(503),
    failedWith(504),
    html,
    ok({ nothing: 1 }),
  ]) {
    const at = machine({ isStreamWanted: false })
      .run()
      .answer('sync', synced([block('a')]))
      .answer('strings', ok({ locale: 'en', strings: { k: 'v' } }))
    const [content, texts] = [at.state.content, at.state.texts]
    at.send({ type: 'ask', lane: 'sync' }).send({ type: 'ask', lane: 'strings' }).answer('sync', answer).answer('strings', answer)
    assert.equal(at.state.content, content)
    assert.equal(at.state.texts, texts)
    assert.equal(at.state.isOffline, true)
    assert.deepEqual(at.pass(999).requested(), [])
    assert.deepEqual(at.pass(1).requested(), ['GET /sync', 'GET /strings'])
  }
})

test('C-ERR-27 Retry-After holds against polls, signals, a restored network and the application itself', () => {
  const at = machine().ready().send({ type: 'ask', lane: 'sync' })
  at.send({ type: 'heard', request: at.state.lanes.stream.request, signals: 0 })
  at.answer('sync', failedWith(429, 'SDK_RATE_LIMIT_EXCEEDED', { retryAfterMs: 60_000 }))
  at.send({ type: 'heard', request: at.state.lanes.stream.request, signals: 1 })
  assert.deepEqual(at.requested(), [])
  assert.deepEqual(at.send({ type: 'online' }).requested(), [])
  at.send({ type: 'ask', lane: 'sync', waiters: ['w'] })
  assert.deepEqual(
    at.effects.map(
      (effect) =>
        effect.type === 'settle' &&
        effect.outcome.status === 'failed' && [effect.outcome.error.code, effect.outcome.error.retryAfterSeconds],
    ),
    [['RETRY_LATER', 60]],
  )
  at.pass(30_000).send({ type: 'heard', request: at.state.lanes.stream.request, signals: 0 })
  assert.deepEqual(at.pass(29_999).requested(), [])
  assert.deepEqual(at.pass(1).requested(), ['GET /sync'])
})

test('C-ERR-27 while the server is away, tracking does not make attempts come sooner, and neither does a stream that fails too', () => {
  const at = machine()
    .ready()
    .send(write('i', 'identify', { consent: true }))
    .answer('outbox', identified('u'))
  at.send(write('c', 'consent'))
  const attempts = new Map<string, number>()
  for (let second = 0; second < 1_200; second++) {
    at.send(write(`e${second}`, 'event')).pass(1_000)
    for (const lane of ['outbox', 'sync', 'strings', 'stream', 'sync'] as const) {
      if (at.state.lanes[lane].request === 0) continue
      attempts.set(lane, (attempts.get(lane) ?? 0) + 1)
      at.answer(lane, { status: 0 })
    }
  }
  // Eight in the first 255 seconds, and then one every 150.
  for (const [lane, count] of attempts) assert.ok(count >= 12 && count <= 15, `${lane}: ${count} attempts in 20 minutes`)
  assert.equal(attempts.size, 4)
})

test('C-SYNC-05 an ETag is sent only for what it stands for: not in another language, and not after blocks were taken out', () => {
  const etags = (at: ReturnType<typeof machine>) => at.requests().map(({ call }) => call.etag)
  const at = machine({ isStreamWanted: false })
    .ready()
    .send(write('i', 'identify', { consent: true, userId: 'u' }))
    .answer('outbox', identified('u'))
    .answer('sync', synced([block('b', { segment: 'Gold' })], {}, '"gold"'))
  assert.deepEqual(etags(at.send({ type: 'ask', lane: 'sync' })), ['"gold"'])
  at.answer('sync', { status: 304 })
  assert.deepEqual(etags(at.send({ type: 'note', patch: { locale: 'ar' } })), [undefined, undefined])
  at.answer('sync', synced([block('b', { segment: 'Gold' })], {}, '"arabic"')).send(write('o', 'logout'))
  at.answer('outbox', ok({ loggedOut: true }))
    .send(write('i2', 'identify', { consent: true, userId: 'u' }))
    .answer('outbox', identified('u'))
  assert.deepEqual(etags(at).filter(Boolean), [])
})
