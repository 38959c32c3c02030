/** Proving who asks: the token of the installation, and what becomes of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failedWith, identified, machine, ok, write } from '../../test/support/states.ts'
import { requestOf } from '../shell/transport.ts'
import { changedParts, readStored } from '../shell/storage.ts'

const proven = (userId: string, deviceToken: string) =>
  ok({ consent: true, results: { identity: { status: 'identified', userId } }, deviceToken })
const signedIn = () =>
  machine({ isStreamWanted: false })
    .ready()
    .send(write('i', 'identify', { consent: true, userId: 'u' }))
    .answer('outbox', proven('u', '1.first'))
    .answer('sync', ok({ blocks: [], config: {} }))

const TRANSPORT = {
  fetch,
  baseUrl: '',
  key: 'k',
  sdk: 'js/1',
  now: Date.now,
  schedule: () => () => undefined,
  userToken: undefined,
}
/** The header with which a call leaves. */
const tokenOf = (at: ReturnType<typeof machine>) => {
  const [request] = at.requests()
  assert.ok(request)
  return (requestOf(TRANSPORT, request.call, at.state)[1].headers as Record<string, string>)['X-CF-Device-Token']
}

test('the token that identify answers is kept beside the device id and goes with everything from then on', () => {
  const at = machine({ isStreamWanted: false })
    .ready()
    .send(write('i', 'identify', { consent: true, userId: 'u' }))
  assert.equal(tokenOf(at), undefined)
  const before = at.state
  at.answer('outbox', proven('u', '1.first'))
  assert.equal(tokenOf(at), '1.first', 'the blocks asked for after it')
  const stored = readStored(changedParts(before, at.state))
  assert.deepEqual([stored.deviceId, stored.deviceToken], [at.state.deviceId, '1.first'])
  at.answer('sync', ok({ blocks: [], config: {} })).send(write('c', 'consent', { channels: {} }))
  assert.equal(tokenOf(at), '1.first')
  at.answer('outbox', ok({})).send(write('i2', 'identify', { consent: true, userId: 'u' }))
  at.answer('outbox', identified('u'))
  assert.equal(at.state.deviceToken, '1.first', 'an answer without one takes none away')
})

test('a lost token: the person is named again, and what was refused is sent once more', () => {
  const at = signedIn().send(write('c', 'consent', { channels: {} }))
  at.answer('outbox', failedWith(403, 'DEVICE_PROOF_REQUIRED'))
  assert.deepEqual(at.requested(), ['POST /identify'])
  const { deviceId } = at.state
  assert.deepEqual(at.requests()[0]?.call.body, { consent: true, userId: 'u', deviceId })
  at.answer('outbox', proven('u', '2.second'))
  assert.ok(at.requested().includes('POST /consent'))
  assert.deepEqual([at.state.deviceId, at.state.deviceToken], [deviceId, '2.second'])
})

test('when the person cannot get it back either, the installation goes on under a new id', () => {
  const at = signedIn().send(write('c', 'consent', { channels: {} }))
  const { deviceId } = at.state
  at.answer('outbox', failedWith(403, 'DEVICE_PROOF_REQUIRED')).answer('outbox', failedWith(403, 'DEVICE_PROOF_REQUIRED'))
  assert.notEqual(at.state.deviceId, deviceId)
  assert.equal(tokenOf(at), undefined, 'the token of another installation proves nothing')
  assert.deepEqual(at.requests()[0]?.call.body, { consent: true, userId: 'u', deviceId: at.state.deviceId })
  at.answer('outbox', proven('u', '1.new'))
  assert.ok(at.requests().some(({ call }) => call.path === '/consent' && call.deviceId === at.state.deviceId))
})

test('an erasure without its token names the person first: a new installation would have nothing to erase', () => {
  const at = signedIn().send(write('x', 'erase'))
  at.answer('outbox', failedWith(403, 'DEVICE_PROOF_REQUIRED'))
  assert.deepEqual(at.requested(), ['POST /identify'])
  at.answer('outbox', failedWith(403, 'DEVICE_PROOF_REQUIRED')).answer('outbox', proven('u', '1.new'))
  assert.ok(at.requested().includes('DELETE /identify'))
  at.answer('outbox', ok({ localWipeSafe: true }))
  assert.deepEqual([at.state.deviceToken, at.state.link.userId, at.state.items], ['', undefined, []])
})

test('what is refused again is refused for good, and told as an identity that is refused', () => {
  const at = machine({ isStreamWanted: false, deviceId: 'fixed' })
    .ready()
    .send(write('i', 'identify', { consent: true, userId: 'u' }))
  at.answer('outbox', failedWith(403, 'DEVICE_PROOF_REQUIRED'))
  assert.equal(at.state.deviceId, 'fixed', 'the application named it')
  at.answer('outbox', failedWith(403, 'DEVICE_PROOF_REQUIRED'))
  assert.deepEqual(
    at.effects.map((effect) => (effect.type === 'emit' ? effect.emission.name : effect.type)),
    ['settle', 'identity_refused'],
  )
  assert.deepEqual(at.state.items, [])
})

test('a person whose token is refused stays whoever they were; nothing is repeated', () => {
  const at = signedIn().send(write('i2', 'identify', { consent: true, userId: 'other' }))
  at.answer('outbox', {
    status: 403,
    body: { success: false, error: 'no', code: 'USER_TOKEN_INVALID', reason: 'subject' },
    environment: 'live',
  })
  const refused = at.effects.find((effect) => effect.type === 'emit')
  assert.ok(refused?.type === 'emit' && refused.emission.name === 'identity_refused')
  assert.deepEqual([refused.emission.value.code, refused.emission.value.reason], ['USER_TOKEN_INVALID', 'subject'])
  assert.deepEqual([at.state.link.userId, at.state.items, at.state.phase], ['u', [], 'running'])
})

test('a denial is repeated as a denial when its token was lost', () => {
  const at = signedIn().send(write('no', 'identify', { consent: false }))
  at.answer('outbox', ok({ consent: false, results: { identity: { status: 'anonymous' } }, deviceToken: '1.first' }))
  at.send(write('p', 'registerPush', { token: 't', platform: 'web' })).answer('outbox', failedWith(403, 'DEVICE_PROOF_REQUIRED'))
  assert.deepEqual(at.requests()[0]?.call.body, { consent: false, userId: undefined, deviceId: at.state.deviceId })
})

test('another tab that erased the person takes the token along', () => {
  const at = signedIn()
  at.send({ type: 'loaded', stored: readStored({ device: JSON.stringify({ deviceId: 'other', deviceToken: '', link: at.state.link }) }) })
  assert.deepEqual([at.state.deviceId, at.state.deviceToken], ['other', ''])
})

test('whose token a call takes: of whoever is named, and of who is erased', () => {
  const at = signedIn()
  const userOf = (...event: Parameters<typeof write>) => {
    const sent = at.send(write(...event)).requests()
    return sent.find(({ lane }) => lane === 'outbox')?.call.userId
  }
  assert.equal(userOf('c', 'consent', { channels: {} }), undefined)
  at.answer('outbox', ok({}))
  assert.equal(userOf('i2', 'identify', { consent: true, userId: 'v' }), 'v')
  at.answer('outbox', identified('v'))
  assert.equal(userOf('x', 'erase'), 'v')
})
