/** Signatures of providers against examples that were made with their own libraries. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { isFromProvider } from './verify-callback.ts'

const TIMESTAMP = '1767225600'
const at = Number(TIMESTAMP) * 1_000
const check = (
  provider: Parameters<typeof isFromProvider>[0],
  configuration: object,
  more: { headers?: Record<string, string>; body?: string; url?: string; at?: number },
) =>
  isFromProvider(provider, configuration as never, {
    headers: new Map(Object.entries(more.headers ?? {})),
    body: Buffer.from(more.body ?? ''),
    url: more.url ?? '',
    at: more.at ?? at,
  })

test('SendGrid signs time and bytes with a key of its own', () => {
  const configuration = {
    callbackKey:
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEMnf0ONRz8PrDBF0KZ21b0K8s4DAI628m0moDXtKkpUsQfIBKxqb8Bad+/xBTItxDU4Up+wR6D3cytRghfrsHJw==',
  }
  const headers = {
    'x-twilio-email-event-webhook-timestamp': TIMESTAMP,
    'x-twilio-email-event-webhook-signature':
      'MEUCIA2e9AqeJ5YPEP2AKxh7ErZr5bRBgcRXWkVbGuA0WyDQAiEAvTF4WMAj8KKvwChPgCn9uIXnMzXrs3LAv86PIgSKKNc=',
  }
  const body = '[{"email":"sara@example.org","event":"bounce","type":"bounce","sg_event_id":"ev1","sg_message_id":"m1.recv"}]\r\n'
  assert.equal(check('sendgrid', configuration, { headers, body }), true)
  assert.equal(check('sendgrid', configuration, { headers, body: body.trim() }), false)
  assert.equal(check('sendgrid', configuration, { headers, body, at: at + 6 * 60_000 }), false)
  assert.equal(check('sendgrid', { callbackKey: 'x' }, { headers, body }), false)
  assert.equal(check('sendgrid', {}, { headers, body }), false)
})

test('Mailgun signs a time and a token', () => {
  const signature = {
    timestamp: TIMESTAMP,
    token: 'c0ffee00112233445566778899aabbccddeeff001122334455',
    signature: 'e6acf8ac70633c729768564f864fc847983505ea6fea14da9901604c0d545d82',
  }
  const body = JSON.stringify({ signature })
  assert.equal(check('mailgun', { callbackKey: 'mg-demo-signing-key' }, { body }), true)
  assert.equal(check('mailgun', { callbackKey: 'another' }, { body }), false)
  assert.equal(check('mailgun', { callbackKey: 'mg-demo-signing-key' }, { body, at: at + 10 * 3_600_000 }), false)
  assert.equal(check('mailgun', { callbackKey: 'mg-demo-signing-key' }, { body: 'no json' }), false)
})

test('Resend signs as Svix does, with several signatures while a secret changes', () => {
  const configuration = { callbackSecret: 'whsec_Y29udGVudGZsb3ctZGVtby1zZWNyZXQtMzItYnl0ZXM=' }
  const body = '{"type":"email.bounced","data":{"email_id":"e-1"}}'
  const signature = 'v1,kTA6ct34ttMTYzXi2A39ZEffQTfeBeTZdbUHqEWRbu4='
  const headers = { 'svix-id': 'msg_demo_0001', 'svix-timestamp': TIMESTAMP, 'svix-signature': `v1,AAAA ${signature}` }
  assert.equal(check('resend', configuration, { headers, body }), true)
  assert.equal(check('resend', configuration, { headers, body: `${body} ` }), false)
  assert.equal(check('resend', configuration, { headers: { ...headers, 'svix-id': 'msg_demo_0002' }, body }), false)
  assert.equal(check('resend', configuration, { headers, body, at: at - 6 * 60_000 }), false)
})

test('Twilio signs its address and the members of the form, with the port of https or without', () => {
  const body = 'MessageSid=SM00000000000000000000000000000001&MessageStatus=undelivered&ErrorCode=30005&To=%2B966500000000&From=MATJAR'
  const headers = { 'x-twilio-signature': 'cNHUlt2G094OCBcRq7tWsGwhA4E=' }
  const url = 'https://cf.example.com/hooks/twilio/ch_1?w=ws1'
  assert.equal(check('twilio', { authToken: 'demo_auth_token' }, { headers, body, url }), true)
  assert.equal(check('twilio', { authToken: 'demo_auth_token' }, { headers, body, url: `${url}x` }), false)
  assert.equal(check('twilio', { authToken: 'demo_auth_token' }, { headers, body: body.replace('30005', '30003'), url }), false)
  assert.equal(check('twilio-whatsapp', { authToken: 'another' }, { headers, body, url }), false)
})

test('Huawei signs a time, a nonce and the name of the user, with a key or with what it is the base64 of', () => {
  const configuration = { callbackKey: 'cf-callback-key', callbackUser: 'cfuser' }
  const header = (value: string) => ({
    'x-huawei-callback-id': `timestamp=${at}; nonce=7f0c1c1e-0000-4000-8000-000000000001; value=${value}`,
  })
  const headers = header('xnifVfsXnJU/JId9j2YYVwL8dHkH9CR10ppkG/N/AxQ=')
  assert.equal(check('hms', configuration, { headers }), true)
  assert.equal(check('hms', configuration, { headers, at: at + 6 * 60_000 }), false)
  assert.equal(check('hms', { ...configuration, callbackUser: 'another' }, { headers }), false)
  assert.equal(check('hms', { ...configuration, callbackKey: 'another' }, { headers }), false)
  assert.equal(check('hms', { callbackUser: 'cfuser' }, { headers }), false)
  for (const odd of ['', 'timestamp=', 'value=x', 'a'.repeat(15_000), `${';'.repeat(9_000)}=`])
    assert.equal(check('hms', configuration, { headers: { 'x-huawei-callback-id': odd } }), false, odd)
  const secret = Buffer.alloc(32, 7)
  const value = createHmac('sha256', secret).update(`${at}7f0c1c1e-0000-4000-8000-000000000001cfuser`).digest('base64')
  assert.equal(check('hms', { ...configuration, callbackKey: secret.toString('base64') }, { headers: header(value) }), true)
  // Nothing that anybody could guess is taken for the base64 of a key.
  const empty = createHmac('sha256', '').update(`${at}7f0c1c1e-0000-4000-8000-000000000001cfuser`).digest('base64')
  assert.equal(check('hms', { ...configuration, callbackKey: '====' }, { headers: header(empty) }), false)
})

test('what has to be read before it is known to be theirs is refused when it is larger than they send', () => {
  const token = 'token'
  const url = 'https://cf.example.com/'
  const twilio = (length: number) => {
    const signature = createHmac('sha1', token)
      .update(`${url}Body${'x'.repeat(length)}`)
      .digest('base64')
    return check('twilio', { authToken: token }, { headers: { 'x-twilio-signature': signature }, body: `Body=${'x'.repeat(length)}`, url })
  }
  assert.deepEqual([twilio(60_000), twilio(65_536)], [true, false])
  const mailgun = (length: number) => {
    const signature = createHmac('sha256', token).update(`${TIMESTAMP}t`).digest('hex')
    const body = { signature: { timestamp: TIMESTAMP, token: 't', signature }, more: 'x'.repeat(length) }
    return check('mailgun', { callbackKey: token }, { body: JSON.stringify(body) })
  }
  assert.deepEqual([mailgun(60_000), mailgun(65_536)], [true, false])
})
