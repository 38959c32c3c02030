/** Writes of one installation, and refusals on demand: with a test key only, so that no live person is touched. */
import { must, mustBe, expectRefusal, expectSuccess, type Check, type Subject } from './check.ts'

const identify = (to: Subject, more: object = {}) =>
  to.ask('POST', '/identify', { body: { deviceId: to.deviceId, consent: true, ...more } })
const onDevice = (to: Subject) => ({ 'x-cf-device': to.deviceId })

/** Run in this order: each begins where the one before ended. */
const story: Check[] = [
  {
    name: 'events without a decision about consent are not taken',
    run: async (to) => {
      const reply = await to.ask('POST', '/events', { headers: onDevice(to), body: { events: [{ type: 'impression' }] } })
      mustBe(reply.data?.accepted, 0, 'accepted')
    },
  },
  {
    name: 'identify with a denial echoes it and identifies nobody',
    run: async (to) => {
      const reply = await identify(to, { consent: false, userId: 'conformance' })
      expectSuccess(reply)
      mustBe(reply.data.consent, false, 'consent')
      must(reply.data.results?.identity?.status !== 'identified', 'somebody is identified')
    },
  },
  {
    name: 'identify with consent and a user identifies',
    run: async (to) => {
      const reply = await identify(to, { userId: `user-${to.deviceId}`, traits: { plan: 'gold' } })
      expectSuccess(reply)
      mustBe(reply.data.consent, true, 'consent')
      mustBe(reply.data.results?.identity?.status, 'identified', 'results.identity.status')
    },
  },
  {
    name: 'identify again is the same',
    run: async (to) => expectSuccess(await identify(to, { userId: `user-${to.deviceId}` })),
  },
  {
    name: 'identify without a device is 400',
    run: async (to) => expectRefusal(await to.ask('POST', '/identify', { body: { consent: true } }), 400, null),
  },
  {
    name: 'events of somebody who agreed are taken',
    run: async (to) => {
      const reply = await to.ask('POST', '/events', { headers: onDevice(to), body: { events: [{ type: 'video_play' }] } })
      must(reply.status === 202 || reply.status === 200, `the status is ${reply.status}`)
      mustBe(reply.data?.accepted, 1, 'accepted')
    },
  },
  {
    name: 'an event of sign-in is for another route: ENDPOINT_MISMATCH',
    run: async (to) =>
      expectRefusal(
        await to.ask('POST', '/events', { headers: onDevice(to), body: { events: [{ type: 'sign_in' }] } }),
        400,
        'ENDPOINT_MISMATCH',
      ),
  },
  {
    name: 'more than 100 events are 400 MAX_BATCH_SIZE',
    run: async (to) => {
      const events = Array.from({ length: 101 }, () => ({ type: 'impression' }))
      expectRefusal(await to.ask('POST', '/events', { headers: onDevice(to), body: { events } }), 400, 'MAX_BATCH_SIZE')
    },
  },
  {
    name: 'flags of consent outside channels are 400 CHANNELS_REQUIRED',
    run: async (to) =>
      expectRefusal(await to.ask('POST', '/consent', { headers: onDevice(to), body: { push: true } }), 400, 'CHANNELS_REQUIRED'),
  },
  {
    name: 'consent for a channel is taken',
    run: async (to) => expectSuccess(await to.ask('POST', '/consent', { headers: onDevice(to), body: { channels: { push: true } } })),
  },
  {
    name: 'push without a token is 400',
    run: async (to) =>
      expectRefusal(await to.ask('POST', '/register-push', { headers: onDevice(to), body: { platform: 'ios' } }), 400, null),
  },
  {
    name: 'push of an unknown platform is 400 INVALID_PUSH_PLATFORM',
    run: async (to) =>
      expectRefusal(
        await to.ask('POST', '/register-push', { headers: onDevice(to), body: { token: 't', platform: 'toaster' } }),
        400,
        'INVALID_PUSH_PLATFORM',
      ),
  },
  {
    name: 'push of an unknown provider is 400 INVALID_PUSH_PROVIDER',
    run: async (to) =>
      expectRefusal(
        await to.ask('POST', '/register-push', { headers: onDevice(to), body: { token: 't', platform: 'ios', provider: 'pigeon' } }),
        400,
        'INVALID_PUSH_PROVIDER',
      ),
  },
  {
    name: 'a push token is registered for the person',
    run: async (to) => {
      const reply = await to.ask('POST', '/register-push', {
        headers: onDevice(to),
        body: { token: `token-${to.deviceId}`, platform: 'ios' },
      })
      expectSuccess(reply)
      mustBe(reply.data.linkage?.status, 'identified', 'linkage.status')
    },
  },
  {
    name: 'an erasure says that wiping here is safe',
    run: async (to) => {
      const reply = await to.ask('DELETE', '/identify', { headers: onDevice(to) })
      expectSuccess(reply)
      mustBe(reply.data.localWipeSafe, true, 'localWipeSafe')
    },
  },
]

/** Checks the code, the status, and whether the answer says how long to wait. Answers below 400 are with their routes. */
const REFUSALS: readonly (readonly [code: string, status: number, route?: string])[] = [
  ['MISSING_SDK_KEY', 401],
  ['INVALID_SDK_KEY', 401],
  ['TENANT_KEY_MISMATCH', 401],
  ['DEVICE_REQUIRED', 400],
  ['CHANNELS_REQUIRED', 400],
  ['INVALID_PUSH_PLATFORM', 400],
  ['INVALID_PUSH_PROVIDER', 400],
  ['ENDPOINT_MISMATCH', 400],
  ['MAX_BATCH_SIZE', 400],
  ['DEVICE_NOT_IDENTIFIED', 403],
  ['USER_MISMATCH', 403],
  ['USER_ID_DEVICE_MISMATCH', 403],
  ['SDK_KEY_IN_QUERY', 403],
  ['SANDBOX_LIVE_KEY_FORBIDDEN', 403],
  ['DEVICE_ENVIRONMENT_MISMATCH', 409],
  ['DEVICE_STATE_CHANGED', 409],
  ['ERASURE_PENDING', 409],
  ['SUBJECT_ERASED', 409],
  ['SANDBOX_REQUIRED', 409],
  ['TEST_ENV_RETIRED', 409],
  ['LOCATION_CONSENT_REQUIRED', 202, '/location'],
  ['PUSH_LINKAGE_INCOMPLETE', 207, '/identify'],
  ['SDK_RATE_LIMIT_EXCEEDED', 429],
  ['USER_RATE_LIMITED', 429],
  ['IP_RATE_LIMITED', 429],
  ['UPSTREAM_UNAVAILABLE', 503],
  ['SANDBOX_ROUTE_UNAVAILABLE', 503],
]

const onDemand: Check[] = REFUSALS.map(([code, status, route]) => ({
  name: `X-CF-Simulate: ${code} is ${status} in its envelope`,
  run: async (to) => {
    const headers = { 'x-cf-simulate': code }
    const reply = route === undefined ? await to.ask('GET', '/sync', { headers }) : await to.ask('POST', route, { headers, body: {} })
    expectRefusal(reply, status, code)
    if (status === 429 || status === 503)
      must(/^[1-9]\d*$/.test(reply.headers.get('retry-after') ?? ''), 'Retry-After is no whole number of seconds')
    if (code === 'UPSTREAM_UNAVAILABLE') mustBe(reply.body.retryable, true, 'retryable')
    if (code === 'SDK_RATE_LIMIT_EXCEEDED') mustBe(typeof reply.body.error.details?.limit, 'number', 'error.details.limit')
  },
}))

export const WRITE_CHECKS: readonly Check[] = [...story, ...onDemand]
