import assert from 'node:assert/strict'
import { test } from 'node:test'
import { block, failedWith, identified, machine, ok, synced, write } from '../../test/support/states.ts'
import { nextWake } from './due.ts'

test('C-DEV-07 C-DEV-08 the echo of the server decides: targeted content, events and what is kept follow it', () => {
  const at = machine({ isStreamWanted: false })
    .ready()
    .send(write('e', 'event', { type: 'x' }))
    .pass(5_000)
  assert.deepEqual(at.requested(), [], 'events wait for a decision')
  at.send(write('i', 'identify', { consent: true, userId: 'u' }))
  assert.deepEqual(at.requests()[0]?.call.body, { consent: true, userId: 'u', deviceId: at.state.deviceId })
  at.answer('outbox', identified('u'))
  assert.deepEqual([at.state.link.consent, at.state.link.userId], ['granted', 'u'])
  assert.deepEqual(at.requested().toSorted(), ['GET /sync', 'POST /events'])
  at.answer('sync', synced([block('a'), block('b', { segment: 'Gold' })])).answer(
    'outbox',
    ok({ accepted: 1, dropped: 0, dropReasons: {} }),
  )
  assert.equal(at.state.content?.blocks.length, 2)

  at.send(write('e2', 'event')).send(write('no', 'identify', { consent: false }))
  assert.deepEqual(
    at.state.content?.blocks.map(({ instanceId }) => instanceId),
    ['a'],
    'at once, not when the server has heard of it',
  )
  assert.deepEqual(
    at.state.items.map(({ id }) => id),
    ['no'],
    'events that wait are dropped',
  )
  assert.equal(
    at.requests().find(({ lane }) => lane === 'sync')?.call.deviceId,
    undefined,
    'until it has, only content for everyone may come in',
  )
  at.answer('outbox', ok({ consent: false, results: { identity: { status: 'anonymous' } } }))
  assert.deepEqual([at.state.link.consent, at.state.link.userId], ['denied', undefined])
  assert.deepEqual(at.send(write('e3', 'event')).state.items, [])
})

test('an answer from before a logout, another person or another language does not come back', () => {
  const late = (at: ReturnType<typeof machine>, request: number) =>
    at.send({ type: 'answered', lane: 'sync', request, answer: synced([block('b', { segment: 'Gold' })]) }).state.content?.blocks.length
  for (const leave of [write('w', 'logout'), write('w', 'identify', { consent: true, userId: 'v' }), write('w', 'erase')]) {
    const at = machine({ isStreamWanted: false })
      .ready()
      .send(write('i', 'identify', { consent: true, userId: 'u' }))
      .answer('outbox', identified('u'))
    const { request } = at.state.lanes.sync
    at.send(leave)
    assert.ok(at.effects.some((effect) => effect.type === 'abort' && effect.request === request))
    assert.equal(late(at, request), 0)
  }
  const at = machine({ isStreamWanted: false }).run()
  const { request } = at.state.lanes.sync
  at.send({ type: 'note', patch: { locale: 'ar' } })
  assert.equal(late(at, request), undefined)
})

test('C-ERASE-02 C-ERASE-11 erase clears what waits, and wipes the device only when the server says it is safe', () => {
  const at = machine({ isStreamWanted: false })
    .ready()
    .send(write('i', 'identify', { consent: true, userId: 'u' }))
    .answer('outbox', identified('u'))
  at.answer('sync', synced([block('a'), block('b', { segment: 'Gold' })])).send({ type: 'note', patch: { shown: { a: [1] }, over: ['m'] } })
  const { deviceId } = at.state
  at.send(write('c', 'consent')).send(write('e', 'event')).send(write('x', 'erase'))
  assert.deepEqual(
    at.state.items.map(({ id }) => id),
    ['x'],
  )
  at.answer('outbox', ok({ channels: {} }))
  const [erase] = at.requests()
  assert.deepEqual([erase?.call.method, erase?.call.deviceId, erase?.call.body], ['DELETE', deviceId, undefined])
  at.answer('outbox', {
    status: 207,
    body: { success: false, code: 'ERASURE_PENDING', data: { localWipeSafe: false, remaining: ['kyc'] } },
  })
  assert.deepEqual([at.state.deviceId, at.state.link.userId], [deviceId, 'u'])
  assert.deepEqual(at.effects, [{ type: 'settle', id: 'x', outcome: { status: 'pending' } }])
  at.pass(2_000).answer('outbox', ok({ localWipeSafe: true, erased: [] }))
  assert.notEqual(at.state.deviceId, deviceId)
  const { link, shown, over, channels, items } = at.state
  assert.deepEqual(
    { link, shown, over, channels, items },
    { link: { userId: undefined, consent: 'unknown', renewAt: undefined }, shown: {}, over: [], channels: {}, items: [] },
  )
  assert.deepEqual(
    at.state.content?.blocks.map(({ instanceId }) => instanceId),
    ['a'],
  )
})

test('C-IDN-11 C-IDN-12 C-OUT-03 after a 207 the identity stands and the call is repeated', () => {
  const at = machine({ isStreamWanted: false })
    .ready()
    .send(write('i', 'identify', { consent: true, userId: 'u' }))
  at.answer('outbox', {
    ...identified('u'),
    status: 207,
    body: {
      success: false,
      code: 'PUSH_LINKAGE_INCOMPLETE',
      data: { consent: true, results: { identity: { status: 'identified', userId: 'u' } } },
    },
  })
  assert.equal(at.state.link.userId, 'u')
  assert.equal(at.state.items.length, 1)
  assert.deepEqual(at.pass(1_000).requested(), ['POST /identify'])
  at.answer('outbox', identified('u'))
    .send(write('o', 'logout'))
    .answer('outbox', { status: 207, body: { success: false, code: 'PUSH_LINKAGE_INCOMPLETE', data: { loggedOut: true } } })
  assert.equal(at.state.link.userId, undefined)
  assert.deepEqual(at.pass(1_000).requested(), ['POST /logout'])
})

test('C-IDN-15 DEVICE_STATE_CHANGED is repeated although it is a 4xx', () => {
  const at = machine({ isStreamWanted: false })
    .ready()
    .send(write('i', 'identify', { consent: true }))
    .answer('outbox', failedWith(409, 'DEVICE_STATE_CHANGED'))
  assert.deepEqual(at.pass(1_000).requested(), ['POST /identify'])
})

test('C-DEV-02 the device record is renewed long before its 24 hours are over; a lapsed one is renewed and the same events are sent again, once', () => {
  const at = machine({ isStreamWanted: false })
    .ready()
    .send(write('i', 'identify', { consent: true, userId: 'u', traits: { plan: 'gold' } }))
    .answer('outbox', identified('u'))
  at.pass(12 * 3_600_000)
  const renewal = at.requests().find(({ lane }) => lane === 'outbox')
  assert.deepEqual(
    renewal?.call.body,
    { consent: true, userId: 'u', deviceId: at.state.deviceId },
    'without traits, which would replace the stored ones',
  )
  at.answer('outbox', identified('u')).send(write('e', 'event')).pass(2_000)
  const lapsed = ok({ accepted: 0, dropped: 1, dropReasons: { device_not_identified: 1 } })
  assert.deepEqual(at.answer('outbox', lapsed).requested(), ['POST /identify'])
  const again = at
    .answer('outbox', identified('u'))
    .requests()
    .find(({ lane }) => lane === 'outbox')
  assert.deepEqual(again?.call.body?.['events'], [{ eventId: 'e' }])
  at.answer('outbox', lapsed)
  assert.deepEqual(at.state.items, [])
  assert.deepEqual(at.effects, [{ type: 'emit', emission: { name: 'dropped', value: { device_not_identified: 1 } } }])
})

test('a renewal that is refused is tried again half a day later, not at once', () => {
  const at = machine({ isStreamWanted: false })
    .ready()
    .send(write('i', 'identify', { consent: true }))
    .answer('outbox', identified('u'))
    .pass(12 * 3_600_000)
  assert.equal(at.state.items.length, 1)
  assert.deepEqual(at.answer('outbox', failedWith(409, 'ERASURE_PENDING')).requested(), [])
  assert.ok(nextWake(at.state) > at.now)
  assert.deepEqual(at.state.items, [])
})

test('C-CONS-12 a limit of the person holds back one write, not those behind it', () => {
  const at = machine({ isStreamWanted: false }).ready().send(write('c', 'consent'))
  at.send(write('p', 'registerPush')).answer('outbox', failedWith(429, 'USER_RATE_LIMITED', { retryAfterMs: 600_000 }))
  assert.deepEqual(at.requested(), ['POST /register-push'])
  at.answer('outbox', ok({ registered: true }))
  assert.deepEqual(
    at
      .pass(599_999)
      .requested()
      .filter((call) => call.startsWith('POST')),
    [],
  )
  assert.deepEqual(
    at
      .pass(1_001)
      .requested()
      .filter((call) => call.startsWith('POST')),
    ['POST /consent'],
  )
})

test('one event that is refused does not take its batch along', () => {
  const at = machine({ isStreamWanted: false })
    .ready()
    .send(write('i', 'identify', { consent: true }))
    .answer('outbox', identified('u'))
  for (let i = 0; i < 8; i++) at.send(write(`e${i}`, 'event'))
  at.pass(2_000)
  const delivered: string[] = []
  for (let i = 0; i < 20 && at.state.lanes.outbox.request > 0; i++) {
    const sent = [...at.state.sending]
    if (sent.includes('e5')) at.answer('outbox', failedWith(400))
    else {
      delivered.push(...sent)
      at.answer('outbox', ok({ accepted: sent.length, dropped: 0, dropReasons: {} }))
    }
  }
  assert.deepEqual(delivered, ['e0', 'e1', 'e2', 'e3', 'e4', 'e6', 'e7'])
  assert.deepEqual(at.state.items, [])
  for (let i = 0; i < 8; i++) at.send(write(`f${i}`, 'event'))
  assert.equal(at.pass(2_000).state.sending.length, 8, 'after a success all go at once again')
})

test('C-DEV-08 a server that echoes a denial is believed, whatever was asked', () => {
  const at = machine({ isStreamWanted: false })
    .ready()
    .send(write('i', 'identify', { consent: true, userId: 'u' }))
    .answer('outbox', identified('u'))
    .answer('sync', synced([block('a'), block('b', { segment: 'Gold' })]))
    .send(write('i2', 'identify', { consent: true, userId: 'u' }))
    .answer('outbox', ok({ consent: false, results: { identity: { status: 'anonymous' } } }))
  assert.deepEqual([at.state.link.consent, at.state.content?.blocks.map(({ instanceId }) => instanceId)], ['denied', ['a']])
})

test('a key of another environment starts anew: another device, none of the stored content, none of the old queue', () => {
  const at = machine({ isStreamWanted: false }).send({ type: 'start' })
  at.send(write('new', 'identify', { consent: true }))
  const old = { id: 'old', kind: 'consent', body: {}, sessionId: 'earlier' } as const
  at.send({
    type: 'loaded',
    stored: {
      deviceId: 'd-live',
      environment: 'live',
      items: [old],
      content: {
        blocks: [],
        config: { features: {}, pollIntervalSeconds: 30, popupDefaultFrequency: { per: 'day', max: 1 } },
        etag: '"x"',
        view: ' ',
      },
    },
  })
  at.answer('outbox', failedWith(409, 'DEVICE_ENVIRONMENT_MISMATCH', { environment: 'test' }))
  assert.notEqual(at.state.deviceId, 'd-live')
  assert.deepEqual([at.state.environment, at.state.content, at.state.items.map(({ id }) => id)], ['test', undefined, ['new']])
  assert.deepEqual(at.requested().toSorted(), ['GET /strings', 'GET /sync', 'POST /identify'])
  assert.equal(at.requests().find(({ lane }) => lane === 'sync')?.call.etag, undefined)
})

test('with an id of its own the application keeps its device through everything', () => {
  const at = machine({ isStreamWanted: false, deviceId: 'mine' })
    .ready()
    .send(write('x', 'erase'))
    .answer('outbox', ok({ localWipeSafe: true }))
  assert.equal(at.state.deviceId, 'mine')
})

/** A firewall that does not like one event. */
function behindFirewall(at: ReturnType<typeof machine>): string[] {
  const arrived: string[] = []
  for (let i = 0; i < 60; i++) {
    const { request } = at.state.lanes.outbox
    if (request === 0) at.pass(200_000)
    else if (at.state.sending.includes('bad')) at.answer('outbox', { status: 403, body: undefined })
    else {
      arrived.push(...at.state.sending)
      at.answer('outbox', ok({ accepted: 1, dropped: 0, dropReasons: {} }))
    }
    if (at.state.lanes.sync.request > 0) at.answer('sync', synced())
    if (at.state.lanes.strings.request > 0) at.answer('strings', ok({ locale: 'en', strings: {} }))
  }
  return arrived
}

test('an event that a firewall takes offence at holds up neither other events nor what people decide', () => {
  const at = machine({ isStreamWanted: false })
    .ready()
    .send(write('i', 'identify', { consent: true, userId: 'u' }))
    .answer('outbox', identified('u'))
  for (const id of ['a', 'bad', 'b']) at.send(write(id, 'event'))
  at.send(write('c', 'consent'))
  assert.deepEqual(behindFirewall(at).toSorted(), ['a', 'b', 'c'])
  assert.deepEqual(
    at.state.items.map(({ id }) => id),
    ['bad'],
    'it is kept',
  )
})

test('such an event is not sent in the name of the next person, and does not keep anybody from leaving', () => {
  const at = machine({ isStreamWanted: false })
    .ready()
    .send(write('i', 'identify', { consent: true, userId: 'u' }))
    .answer('outbox', identified('u'))
    .send(write('bad', 'event'))
    .send(write('o', 'logout'))
  assert.deepEqual(behindFirewall(at), ['o'])
  assert.deepEqual([at.state.link.userId, at.state.items], [undefined, []])
})

test('content that events may bring is asked for when the server says that it is ready, and not before', () => {
  const sent = () =>
    machine({ isStreamWanted: false })
      .ready()
      .send(write('i', 'identify', { consent: true, userId: 'u' }))
      .answer('outbox', identified('u'))
      .answer('sync', synced())
      .send(write('e', 'event'))
      .pass(2_000)
  const taken = (more: object) => ok({ accepted: 1, dropped: 0, dropReasons: {}, ...more })
  const at = sent().answer('outbox', taken({ syncAfterMs: 1_500 }))
  assert.deepEqual(at.requested(), [])
  assert.equal(nextWake(at.state), at.now + 1_500)
  assert.deepEqual(at.pass(1_499).requested(), [])
  assert.deepEqual(at.pass(1).requested(), ['GET /sync'])
  // A running answer may be too old.
  const running = sent()
    .send({ type: 'ask', lane: 'sync' })
    .answer('outbox', taken({ syncAfterMs: 1_500 }))
    .pass(1_000)
  assert.deepEqual(running.answer('sync', synced()).requested(), [])
  assert.deepEqual(running.pass(500).requested(), ['GET /sync'])
  // What is due earlier stays due, and what cannot be read changes nothing.
  for (const more of [{}, { syncAfterMs: 3_600_000 }, { syncAfterMs: 'soon' }, { syncAfterMs: null }]) {
    const before = sent()
    const { dueAt } = before.state.lanes.sync
    assert.equal(before.answer('outbox', taken(more)).state.lanes.sync.dueAt, dueAt)
  }
})
