/** Refusals on demand, for teams that build clients. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLIENT_ERROR_CODES, ERRORS } from '../errors.ts'
import { assertRefusal } from '../../test/harness/refusals.ts'
import { startApp } from '../../test/harness/start-app.ts'

const { workspace } = await startApp()

/** A key that is refused belongs to no environment. */
const ABOUT_THE_KEY = new Set<string>(['MISSING_SDK_KEY', 'INVALID_SDK_KEY', 'SDK_KEY_IN_QUERY', 'TENANT_KEY_MISMATCH'])
/** Answers below 400 belong to one route each. */
const OWN_ROUTES: Record<string, string> = { LOCATION_CONSENT_REQUIRED: '/location', PUSH_LINKAGE_INCOMPLETE: '/identify' }

test('a test key gets every documented refusal on demand, also where answers are finished', async () => {
  const ws = await workspace()
  await ws.testApp.get('/sync')
  for (const code of CLIENT_ERROR_CODES) {
    const headers = { 'x-cf-simulate': code }
    const route = OWN_ROUTES[code]
    const answer = route === undefined ? await ws.testApp.get('/sync', { headers }) : await ws.testApp.post(route, {}, { headers })
    assert.equal(answer.status, ERRORS[code][0], code)
    const isNested = code === 'SDK_RATE_LIMIT_EXCEEDED'
    assert.equal(isNested ? answer.body.error.code : answer.body.code, code)
    if (answer.status >= 400 && !isNested) assertRefusal(answer, answer.status, code)
    assert.equal(answer.headers.has('retry-after'), answer.status === 429 || answer.status === 503, code)
    assert.equal(answer.headers.get('x-cf-env'), ABOUT_THE_KEY.has(code) ? null : 'test', code)
  }
  assert.equal((await ws.testApp.get('/sync', { headers: { 'x-cf-simulate': 'NONSENSE' } })).status, 400)
})

test('nothing is done when a refusal was asked for, and a live key cannot ask', async () => {
  const ws = await workspace()
  const body = { deviceId: 'd', userId: 'u', consent: true }
  assert.equal((await ws.testApp.post('/identify', body, { headers: { 'x-cf-simulate': 'ERASURE_PENDING' } })).status, 409)
  assert.equal((await ws.admin.get('/devices/d/events?environment=test')).status, 404)
  const headers = { 'x-cf-simulate': 'SDK_RATE_LIMIT_EXCEEDED' }
  assert.equal((await ws.app.get('/sync', { headers })).status, 200)
  assert.equal((await ws.app.post('/identify', body, { headers })).status, 200)
})
