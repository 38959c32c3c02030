/** What the documented answers of each provider mean, and answers that no document has. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactText } from './answers.ts'
import type { ProviderOutcome, ProviderAnswer } from './channel.ts'
import { httpProvider, PROVIDERS, type ProviderName } from './providers.ts'
import { readToken } from './push.ts'
import { readSmtpError, type SmtpError } from './smtp.ts'

const AT = Date.parse('2026-11-22T10:00:00Z')
type Said = { status: number; body?: unknown; headers?: Record<string, string> }
function answerOf({ status, body = '', headers = {} }: Said): ProviderAnswer {
  return { status, headers, body: typeof body === 'string' ? body : JSON.stringify(body), at: AT }
}
function read(provider: ProviderName, said: Said): ProviderOutcome {
  const called = httpProvider(provider)
  assert.ok(called)
  return called.readAnswer(answerOf(said))
}

/** `sent:<id>`, `retry:<seconds>`, `failed`, `gone`, `uncertain`, with what else the outcome says. */
function short(outcome: ProviderOutcome, provider?: string): string {
  const marks = [
    'pauses' in outcome && 'pauses',
    'isTokenStale' in outcome && 'stale',
    'isOptOut' in outcome && 'opt-out',
    provider === 'web_push' && 'isDoubtful' in outcome && 'doubtful',
  ].filter(Boolean)
  const more = outcome.kind === 'sent' ? outcome.id : outcome.kind === 'retry' ? outcome.after : undefined
  return [outcome.kind, ...(more === undefined ? [] : [String(more)]), ...marks].join(' ')
}

const google = (errorCode: string, message = 'm') => ({
  error: { code: 400, message, status: 'X', details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }] },
})
const TOO_OFTEN = { 'retry-after': '7' }

const CASES: Record<Exclude<ProviderName, 'smtp'>, [Said, string][]> = {
  sendgrid: [
    [{ status: 202, headers: { 'x-message-id': 'm1' } }, 'sent m1'],
    [{ status: 200 }, 'sent null'],
    [{ status: 400, body: { errors: [{ message: 'The from address does not match', field: 'from' }] } }, 'failed'],
    [{ status: 401, body: { errors: [{ message: 'wrong' }] } }, 'failed pauses'],
    [{ status: 403 }, 'failed pauses'],
    [{ status: 413 }, 'failed'],
    [{ status: 429, headers: { 'x-ratelimit-reset': String(AT / 1000 + 30) } }, 'retry 30'],
    [{ status: 429, headers: { 'x-ratelimit-reset': '12' } }, 'retry 12'],
    [{ status: 429, headers: TOO_OFTEN }, 'retry 7'],
    [{ status: 429 }, 'retry'],
    [{ status: 500 }, 'retry 60'],
    [{ status: 502 }, 'uncertain'],
  ],
  mailgun: [
    [{ status: 200, body: { id: '<1@d>', message: 'Queued. Thank you.' } }, 'sent <1@d>'],
    [{ status: 400, body: { message: 'to parameter is not a valid address. please check documentation' } }, 'gone'],
    [{ status: 400, body: { message: "'to' parameter is not a valid address." } }, 'gone'],
    [{ status: 400, body: { message: "'from' parameter is not a valid address." } }, 'failed'],
    [{ status: 401, body: 'Forbidden' }, 'failed pauses'],
    [{ status: 402 }, 'failed pauses'],
    [{ status: 404, body: { message: 'Domain not found: d' } }, 'failed pauses'],
    [{ status: 429, body: { message: 'Domain d request limit exceeded, try again after Sun, 22 Nov 2026 10:00:21 UTC' } }, 'retry 21'],
    [{ status: 429, body: 'often' }, 'retry'],
    [{ status: 500 }, 'retry'],
    [{ status: 503 }, 'retry'],
    [{ status: 504 }, 'uncertain'],
  ],
  resend: [
    [{ status: 200, body: { id: 'e-1' } }, 'sent e-1'],
    [{ status: 422, body: { statusCode: 422, name: 'missing_required_field', message: 'Missing `from`' } }, 'failed'],
    [{ status: 401, body: { name: 'missing_api_key' } }, 'failed pauses'],
    [{ status: 403, body: { name: 'invalid_api_key' } }, 'failed pauses'],
    [{ status: 409, body: { name: 'concurrent_idempotent_requests' } }, 'retry 2'],
    [{ status: 409, body: { name: 'invalid_idempotent_request' } }, 'uncertain'],
    [{ status: 429, body: { name: 'rate_limit_exceeded' }, headers: TOO_OFTEN }, 'retry 7'],
    [{ status: 429, body: { name: 'monthly_quota_exceeded' } }, 'retry 3600 pauses'],
    [{ status: 500, body: { name: 'application_error' } }, 'retry'],
    [{ status: 502 }, 'retry'],
  ],
  'contentflow-sms': [
    [{ status: 202, body: { id: 'g1' } }, 'sent g1'],
    [{ status: 410, body: { error: 'out of service' } }, 'gone'],
    [{ status: 422, body: { error: 'no route' } }, 'failed'],
    [{ status: 429, headers: TOO_OFTEN }, 'retry 7'],
  ],
  taqnyat: [
    [{ status: 201, body: { statusCode: 201, messageId: '58', accepted: '[966500000000,]', rejected: '[]' } }, 'sent 58'],
    [{ status: 201, body: { statusCode: 201, messageId: 58, accepted: '[966500000000,]', rejected: '[]' } }, 'sent 58'],
    [{ status: 201, body: { statusCode: 201, accepted: '[]', rejected: '[966500000000,]' } }, 'failed'],
    [{ status: 201, body: { statusCode: 201, accepted: [], rejected: ['966500000000'] } }, 'failed'],
    [{ status: 200, body: { statusCode: 400, message: 'Sender Name not active' } }, 'failed'],
    [{ status: 400, body: { statusCode: 400, message: 'Sender Name not active' } }, 'failed'],
    [{ status: 401, body: { statusCode: 401, message: 'invalid credentials information' } }, 'failed pauses'],
    [{ status: 503 }, 'retry 60'],
  ],
  twilio: [
    [{ status: 201, body: { sid: 'SM1', status: 'queued', error_code: null } }, 'sent SM1'],
    [{ status: 400, body: { code: 21211, message: "The 'To' number is not valid", status: 400 } }, 'gone'],
    [{ status: 400, body: { code: 21614, message: 'not a mobile number' } }, 'gone'],
    [{ status: 400, body: { code: 21610, message: 'unsubscribed recipient' } }, 'gone opt-out'],
    [{ status: 400, body: { code: 21408, message: 'not enabled for the region' } }, 'failed'],
    [{ status: 401, body: { code: 20003, message: 'Authenticate' } }, 'failed pauses'],
    [{ status: 404, body: { code: 20404, message: 'not found' } }, 'failed'],
    [{ status: 429, body: { code: 20429, message: 'Too Many Requests' } }, 'retry 1'],
    [{ status: 429, body: { code: 20429, message: 'Too Many Requests' }, headers: TOO_OFTEN }, 'retry 7'],
    [{ status: 400, body: { code: 21611, message: 'queue full' } }, 'retry 60'],
    [{ status: 201, body: { sid: 'SM1', status: 'failed', error_code: 30001, error_message: 'queue' } }, 'retry 60'],
    [{ status: 201, body: { sid: 'SM1', status: 'failed', error_code: 30450, error_message: 'blocked' } }, 'failed'],
    [{ status: 502 }, 'uncertain'],
  ],
  'twilio-whatsapp': [
    [{ status: 400, body: { code: 63016, message: 'outside the allowed window' } }, 'failed'],
    [{ status: 400, body: { code: 63003, message: 'no such recipient' } }, 'gone'],
    [{ status: 400, body: { code: 63033, message: 'blocked' } }, 'gone opt-out'],
    [{ status: 400, body: { code: 63038, message: 'daily limit' } }, 'retry 3600'],
    [{ status: 400, body: { code: 63051, message: 'locked' } }, 'failed pauses'],
  ],
  fcm: [
    [{ status: 200, body: { name: 'projects/p/messages/1' } }, 'sent projects/p/messages/1'],
    [{ status: 404, body: google('UNREGISTERED') }, 'gone'],
    [{ status: 404, body: { error: { code: 404, status: 'NOT_FOUND' } } }, 'failed pauses'],
    [{ status: 400, body: google('INVALID_ARGUMENT', 'The registration token is not a valid FCM registration token') }, 'gone'],
    [{ status: 400, body: google('INVALID_ARGUMENT', 'Message is too big') }, 'failed'],
    [{ status: 403, body: google('SENDER_ID_MISMATCH') }, 'failed'],
    [{ status: 403, body: { error: { status: 'PERMISSION_DENIED' } } }, 'failed pauses stale'],
    [{ status: 401, body: google('THIRD_PARTY_AUTH_ERROR') }, 'failed'],
    [{ status: 401 }, 'failed pauses stale'],
    [{ status: 429, body: google('QUOTA_EXCEEDED'), headers: TOO_OFTEN }, 'retry 60'],
    [{ status: 429, headers: { 'retry-after': '90' } }, 'retry 90'],
    [{ status: 503, headers: { 'retry-after': 'Sun, 22 Nov 2026 10:00:05 GMT' } }, 'retry 5'],
    [{ status: 500 }, 'retry'],
  ],
  apns: [
    [{ status: 200, headers: { 'apns-id': 'a1' } }, 'sent a1'],
    [{ status: 410, body: { reason: 'Unregistered', timestamp: 1 } }, 'gone'],
    [{ status: 400, body: { reason: 'BadDeviceToken' } }, 'gone'],
    [{ status: 403, body: { reason: 'ExpiredProviderToken' } }, 'retry 60 stale'],
    [{ status: 403, body: { reason: 'InvalidProviderToken' } }, 'failed pauses'],
    [{ status: 429, body: { reason: 'TooManyRequests' } }, 'retry 30'],
    [{ status: 429, body: { reason: 'TooManyProviderTokenUpdates' } }, 'retry 1200'],
    [{ status: 413, body: { reason: 'PayloadTooLarge' } }, 'failed'],
    [{ status: 400, body: { reason: 'TopicDisallowed' } }, 'failed'],
    [{ status: 400, body: { reason: 'IdleTimeout' } }, 'retry 1'],
    [{ status: 503, body: { reason: 'Shutdown' } }, 'retry 30'],
  ],
  hms: [
    [{ status: 200, body: { code: '80000000', msg: 'Success', requestId: 'r1' } }, 'sent r1'],
    [{ status: 200, body: { code: '80100000', msg: '{"success":0,"failure":1,"illegal_tokens":["T"]}' } }, 'gone'],
    [{ status: 200, body: { code: '80300007', msg: 'All the tokens are invalid' } }, 'gone'],
    [{ status: 200, body: { code: '80200003', msg: 'expired' } }, 'retry stale'],
    [{ status: 200, body: { code: '80200001', msg: 'auth' } }, 'failed pauses stale'],
    [{ status: 200, body: { code: '80100003', msg: 'Illegal payload' } }, 'failed'],
    [{ status: 200, body: { code: '80300002', msg: 'no permission' } }, 'failed pauses'],
    [{ status: 200, body: { code: '81000001', msg: 'internal' } }, 'retry 30'],
    [{ status: 503 }, 'retry 30'],
    [{ status: 502 }, 'uncertain'],
    [{ status: 200, body: '<html></html>' }, 'uncertain'],
  ],
  web_push: [
    [{ status: 201, headers: { location: 'https://push.example/m/1' } }, 'sent https://push.example/m/1'],
    [{ status: 200 }, 'sent null'],
    [{ status: 202 }, 'sent null'],
    [{ status: 404 }, 'gone'],
    [{ status: 410, body: { code: 410, errno: 106, message: 'Request did not validate' } }, 'gone'],
    [{ status: 400, body: 'InvalidTokenFormat' }, 'failed'],
    [{ status: 400, body: { reason: 'VapidPkHashMismatch' } }, 'gone doubtful'],
    [{ status: 400, body: { reason: 'BadAuthorizationHeader' } }, 'failed pauses'],
    [{ status: 401, body: { code: 401, errno: 109, error: 'Unauthorized', message: 'VAPID public key mismatch' } }, 'gone doubtful'],
    [
      {
        status: 403,
        body: 'the VAPID credentials in the authorization header do not correspond to the credentials used to create the subscriptions.\n',
      },
      'gone doubtful',
    ],
    [{ status: 401, body: { code: 401, errno: 109, message: 'Request did not validate missing authorization header' } }, 'failed pauses'],
    [{ status: 403, body: { reason: 'BadJwtToken' } }, 'failed pauses'],
    [{ status: 413, body: 'payload too large' }, 'failed'],
    [{ status: 429, headers: TOO_OFTEN }, 'retry 7'],
    [{ status: 429 }, 'retry'],
    [{ status: 500 }, 'retry'],
    [{ status: 502, headers: TOO_OFTEN }, 'retry 7'],
    [{ status: 503, body: '<html></html>' }, 'retry'],
  ],
}

for (const [provider, cases] of Object.entries(CASES))
  test(`${provider} answers as its documents say, and each answer has its meaning`, () => {
    for (const [said, expected] of cases)
      assert.equal(short(read(provider as ProviderName, said), provider), expected, JSON.stringify(said))
  })

const ODD = [
  '',
  '<html><body>502 Bad Gateway</body></html>',
  '{"error":{"message":"ha',
  '[]',
  'null',
  '"x"',
  '5',
  '{"message":{"a":1},"errors":[5],"error":[]}',
]
const STATUSES = [200, 201, 301, 400, 401, 403, 404, 408, 409, 410, 418, 425, 429, 500, 502, 503, 504]

test('an answer no document has is an outcome with words and no error, and what was not refused is never sent again', () => {
  for (const provider of PROVIDERS.filter((each) => each !== 'smtp'))
    for (const body of ODD)
      for (const status of STATUSES) {
        const outcome = read(provider, { status, body })
        const name = `${provider} ${status} ${body}`
        if (outcome.kind !== 'sent') assert.ok(outcome.text.length > 0 && !outcome.text.includes('<html'), name)
        if (status < 300) assert.ok(['sent', 'uncertain'].includes(outcome.kind), name)
        if (status === 429) assert.equal(outcome.kind, 'retry', name)
      }
})

test('a token is read from its answer, or why there is none; nothing was sent, so nothing is uncertain', () => {
  const cases: [Said, string][] = [
    [{ status: 200, body: { access_token: 'a', expires_in: 3599, token_type: 'Bearer' } }, 'a 3599'],
    [{ status: 200, body: { access_token: 'a' } }, 'a 0'],
    [{ status: 200, body: { access_token: 'a\r\nb', expires_in: 1 } }, 'failed pauses'],
    [{ status: 200, body: 'no' }, 'failed pauses'],
    [{ status: 400, body: { error: 'invalid_grant' } }, 'failed pauses'],
    [{ status: 503, headers: TOO_OFTEN }, 'retry 7'],
    [{ status: 502 }, 'retry'],
  ]
  for (const [said, expected] of cases) {
    const token = readToken(answerOf(said))
    assert.equal(token.ok ? `${token.token} ${token.seconds}` : short(token.outcome), expected, JSON.stringify(said))
  }
})

test('what a server of mail refuses, and what was cut off', () => {
  const cases: [Partial<SmtpError>, string][] = [
    [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550, response: '550 5.1.1 No such user' }, 'gone'],
    [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550, response: '550 5.7.1 Refused by policy' }, 'failed'],
    [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550, response: '550 5.1.1 No such sender' }, 'failed'],
    [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 552, response: '552 5.2.2 Full' }, 'failed'],
    [{ code: 'EMESSAGE', responseCode: 554, response: '554 5.7.1 Spam' }, 'failed'],
    [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 451, response: '451 Greylisted' }, 'retry 300'],
    [{ code: 'ECONNECTION', responseCode: 421, response: '421 Shutting down' }, 'retry 300'],
    [{ code: 'EAUTH', responseCode: 454, response: '454 Temporary failure' }, 'retry 300'],
    [{ code: 'EAUTH', responseCode: 535, response: '535 wrong' }, 'failed pauses'],
    [{ code: 'ETLS', message: 'no STARTTLS' }, 'failed pauses'],
    [{ code: 'EDNS', message: 'no such host' }, 'retry 60'],
    [{ code: 'ESOCKET', message: 'connect ECONNREFUSED 10.0.0.1:25' }, 'retry 60'],
    [{ code: 'ECONNECTION', command: 'CONN', message: 'Connection closed unexpectedly' }, 'uncertain'],
    [{ code: 'ETIMEDOUT', message: 'Timeout' }, 'uncertain'],
  ]
  for (const [error, expected] of cases)
    assert.equal(short(readSmtpError({ message: '', ...error }, false)), expected, JSON.stringify(error))
  assert.equal(short(readSmtpError({ message: 'No connection within 3 s' }, true)), 'retry 60')
})

test('Retry-After is seconds or a date, at least one second and at most an hour', () => {
  const after = (said: string) => short(read('contentflow-sms', { status: 429, headers: { 'retry-after': said } }))
  const cases = {
    '0': 'retry 1',
    '90': 'retry 90',
    '99999': 'retry 3600',
    'Sun, 22 Nov 2026 10:01:00 GMT': 'retry 60',
    soon: 'retry',
    '': 'retry',
  }
  for (const [said, expected] of Object.entries(cases)) assert.equal(after(said), expected, said)
})

test('words of a provider are one line, short, and without what was told it in confidence', () => {
  assert.equal(
    redactText('key SG.1234 of sara@example.com\r\nis wrong\u202e', ['SG.1234', 'sara@example.com', 'is']),
    'key … of … is wrong',
  )
  assert.equal(redactText('😀'.repeat(200), []).length <= 300, true)
  assert.ok(!/[\ud800-\udbff]…$/.test(redactText(`x${'😀'.repeat(200)}`, [])))
})
