import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failedWith, machine, ok, synced } from '../../test/support/states.ts'

test('C-STREAM-15 any signal means sync again; one that comes while a sync is under way brings another', () => {
  const at = machine().ready()
  const { request } = at.state.lanes.stream
  at.send({ type: 'heard', request, signals: 0 })
  assert.deepEqual(at.requested(), ['GET /sync'], 'what happened before it opened is unknown')
  at.send({ type: 'heard', request, signals: 1, lastEventId: '7' })
  assert.deepEqual(at.requested(), [])
  assert.deepEqual(at.answer('sync', synced()).requested(), ['GET /sync'])
  assert.deepEqual(at.answer('sync', { status: 304 }).requested(), [])
  assert.deepEqual(at.send({ type: 'heard', request, signals: 3 }).requested(), ['GET /sync'])
})

test('C-STREAM-10 without a stream the server is polled at its own pace, 30 seconds when it names none', () => {
  for (const [config, seconds] of [
    [{ features: {}, pollIntervalSeconds: 45 }, 45],
    [{ features: {} }, 30],
    [{}, 30],
    [{ pollIntervalSeconds: 0 }, 1],
  ] as const) {
    const at = machine({ isStreamWanted: false })
      .run()
      .answer('sync', synced([], config))
      .answer('strings', ok({ locale: 'en', strings: {} }))
    assert.deepEqual(at.pass(seconds * 1000 - 1).requested(), [])
    assert.deepEqual(at.pass(1).requested(), ['GET /sync'])
  }
})

test('C-STREAM-03 a stream that says nothing for two keep-alives is left, polling goes on, and it is opened again with its last id', () => {
  const at = machine().ready()
  const { request } = at.state.lanes.stream
  at.send({ type: 'heard', request, signals: 1, lastEventId: '7' }).answer('sync', synced())
  at.pass(20_000).send({ type: 'heard', request, signals: 0 })
  assert.deepEqual(at.pass(34_999).effects, [], 'while it speaks it is not left')
  at.pass(1)
  assert.deepEqual(at.effects, [{ type: 'abort', request }])
  assert.equal(at.state.stream.isOpen, false)
  at.pass(1_000)
  const [again] = at.requests()
  assert.deepEqual([again?.call.path, again?.call.lastEventId], ['/stream', '7'])
  assert.deepEqual(at.pass(29_000).requested(), ['GET /sync'], 'back to the usual pace')
})

test('a stream that is refused, cannot be read, is switched off or not looked at leaves polling; a refused key ends everything', () => {
  const refused = machine().ready().answer('stream', failedWith(405))
  assert.deepEqual(refused.pass(30_000).requested(), ['GET /sync'])
  refused.answer('sync', synced()).pass(270_000)
  assert.deepEqual(refused.answer('sync', synced()).requested(), ['GET /stream'], 'now and then')
  const unreadable = machine().ready().answer('stream', { status: 0, retryAfterMs: Infinity })
  assert.deepEqual(unreadable.pass(86_400_000).requested(), ['GET /sync', 'GET /strings'])
  assert.ok(!unreadable.send({ type: 'online' }).requested().includes('GET /stream'))
  const off = machine()
    .run()
    .answer('sync', synced([], { features: { live_updates: false } }))
    .answer('strings', failedWith(404))
  assert.equal(off.state.lanes.stream.request, 0)
  const hidden = machine().ready()
  const { request } = hidden.state.lanes.stream
  assert.deepEqual(hidden.send({ type: 'note', patch: { isVisible: false } }).effects, [{ type: 'abort', request }])
  assert.deepEqual(hidden.pass(600_000).requested(), [], 'a page that nobody looks at asks for nothing')
  assert.deepEqual(hidden.send({ type: 'note', patch: { isVisible: true } }).requested(), ['GET /sync', 'GET /strings'])
  assert.deepEqual(
    hidden.answer('sync', synced()).requested(),
    ['GET /stream'],
    'it waits for the answer that says from where on it is to tell',
  )
  assert.equal(machine().ready().answer('stream', failedWith(401, 'INVALID_SDK_KEY')).state.phase, 'rejected')
})

test('a stream is opened from the answer on, and asks for nothing more', () => {
  const at = machine().run()
  assert.deepEqual(at.requested(), ['GET /sync', 'GET /strings'])
  const [opening] = at.answer('sync', { ...synced(), lastEventId: '12' }).requests()
  assert.deepEqual([opening?.call.path, opening?.call.lastEventId], ['/stream', '12'])
  assert.deepEqual(at.send({ type: 'heard', request: at.state.lanes.stream.request, signals: 0 }).requested(), [])
})

test('the wish of a stream for when to come back is kept', () => {
  const at = machine().ready()
  at.send({ type: 'heard', request: at.state.lanes.stream.request, signals: 0, retryMs: 9_000 }).answer('sync', synced())
  at.answer('stream', { status: 0 })
  assert.deepEqual(at.pass(8_999).requested(), [])
  assert.deepEqual(at.pass(1).requested(), ['GET /stream'])
})
