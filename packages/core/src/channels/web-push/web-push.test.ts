/** Web push: which tokens are subscriptions, which push services are called, what is sent, and what fits (decision 67). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carrierOf } from '../../push/providers.ts'
import { readConfiguration } from '../configuration.ts'
import type { Message } from '../channel.ts'
import { payloadOf, PLAIN_BYTES } from './payload.ts'
import { isPushService, readSubscription } from './subscription.ts'
import { vapidClaims, webPush } from './web-push.ts'

const KEYS = { p256dh: `BA${'a'.repeat(85)}`, auth: 'a'.repeat(22) }
const ENDPOINT = 'https://fcm.googleapis.com/fcm/send/abc:def'
const tokenOf = (more: object = {}) => JSON.stringify({ endpoint: ENDPOINT, expirationTime: null, keys: KEYS, ...more })
const PUBLIC = `BA${'b'.repeat(85)}`
const CHANNEL = { subject: 'mailto:push@shop.example', homeUrl: 'https://shop.example/ar/', publicKey: PUBLIC, privateKey: 'c'.repeat(43) }
const MESSAGE: Message = {
  id: '01970000-0000-7000-8000-000000000001',
  to: tokenOf(),
  title: 'عرض نهاية الأسبوع',
  body: 'خصم ٢٠٪ حتى السبت',
  imageUrl: 'https://cdn.example.com/a.jpg',
  button: { label: 'تسوّق الآن', url: 'https://shop.example.com/ar' },
  language: 'ar',
}
const shownOf = (more: Partial<Message>, channel: object = {}) =>
  JSON.parse(payloadOf({ ...CHANNEL, ...channel }, { ...MESSAGE, ...more })).notification

test('a subscription is what a browser makes of itself as JSON, whole; everything else is none', () => {
  assert.deepEqual(readSubscription(tokenOf()), {
    endpoint: ENDPOINT,
    ...KEYS,
    origin: 'https://fcm.googleapis.com',
    host: 'fcm.googleapis.com',
  })
  assert.equal(readSubscription(tokenOf({ endpoint: 'https://Push.Example:8443/1' }))?.host, 'push.example:8443')
  const wrong = [
    'c0ffee:APA91b',
    '{',
    '[]',
    'null',
    '{}',
    JSON.stringify(tokenOf()),
    tokenOf({ keys: null }),
    tokenOf({ keys: { ...KEYS, p256dh: 'BA' } }),
    tokenOf({ keys: { ...KEYS, p256dh: `CA${'a'.repeat(85)}` } }),
    tokenOf({ keys: { ...KEYS, auth: `${KEYS.auth}a` } }),
    tokenOf({ keys: { p256dh: KEYS.p256dh } }),
    ...['http://push.example/1', 'https://push.example', 'https://a:b@push.example/1', 'https://push.example/a b', 'ftp://x/', 5].map(
      (endpoint) => tokenOf({ endpoint }),
    ),
    tokenOf({ endpoint: `https://push.example/${'x'.repeat(2_048)}` }),
  ]
  for (const token of wrong) assert.equal(readSubscription(token), undefined, token)
})

test('a subscription is carried by web push whatever was said of it, and no other token is', () => {
  for (const provider of ['web_push', 'fcm', 'apns', 'hms']) assert.equal(carrierOf({ token: tokenOf(), provider }), 'web_push')
  assert.deepEqual(
    ['web_push', 'fcm', 'apns', 'hms'].map((provider) => carrierOf({ token: 'c0ffee:APA91b', provider })),
    [undefined, 'fcm', 'apns', 'hms'],
  )
})

test('push services of the four browsers are called, those that a channel names too, and nothing that only looks like one', () => {
  const more = ['push.example:8443', '*.own.example']
  const of = (host: string) => isPushService({ host }, more)
  for (const host of [
    'fcm.googleapis.com',
    'updates.push.services.mozilla.com',
    'web.push.apple.com',
    'wns2-par02p.notify.windows.com',
    'push.example:8443',
    'a.b.own.example',
  ])
    assert.ok(of(host), host)
  for (const host of [
    'googleapis.com',
    'fcm.googleapis.com.evil.example',
    'evilpush.apple.com',
    'push.apple.com',
    'fcm.googleapis.com:8443',
    'push.example',
    'own.example',
    '127.0.0.1',
    '',
  ])
    assert.ok(!of(host), host)
  const unasked = (to: string, hosts?: string) => webPush.unaskedOf?.({ ...CHANNEL, ...(hosts && { hosts }) }, { ...MESSAGE, to })
  assert.equal(unasked(tokenOf()), undefined)
  assert.match(unasked(tokenOf({ endpoint: 'https://10.0.0.1/x' })) ?? '', /does not name/)
  assert.equal(unasked(tokenOf({ endpoint: 'https://10.0.0.1/x' }), '*.a.example, 10.0.0.1'), undefined)
  assert.match(unasked('c0ffee') ?? '', /no subscription/)
})

test('the members: a subject that Apple takes, both keys or none', () => {
  const says = (more: object) => {
    const read = readConfiguration('web_push', { ...CHANNEL, ...more })
    return read.ok ? 'ok' : `${read.fault.member} ${read.fault.kind}`
  }
  assert.equal(says({ subject: 'https://shop.example/contact', hosts: '*.own.example push.example:8443' }), 'ok')
  assert.equal(says({ publicKey: null, privateKey: null }), 'ok')
  assert.equal(says({ privateKey: null }), 'publicKey together')
  for (const subject of ['push@shop.example', 'mailto:a@localhost', 'https://localhost/', 'http://shop.example', 'mailto:a b@shop.example'])
    assert.equal(says({ subject }), 'subject form', subject)
  assert.equal(says({ subject: null }), 'subject missing')
  assert.equal(says({ homeUrl: '/ar' }), 'homeUrl form')
  assert.equal(says({ publicKey: 'x' }), 'publicKey form')
  assert.equal(says({ hosts: 'https://push.example' }), 'hosts form')
})

test('what a push service is sent: the headers of RFC 8030, 8188 and 8292, and the declarative document', () => {
  const { headers, url, body, encryptFor, isHttp2 } = webPush.toRequest(
    CHANNEL,
    { ...MESSAGE, topic: 'T', ttlSeconds: 90.7, urgency: 'low' },
    'JWT',
  )
  assert.deepEqual([url, encryptFor, isHttp2], [ENDPOINT, KEYS, true])
  assert.deepEqual(headers, {
    authorization: `vapid t=JWT, k=${PUBLIC}`,
    'content-encoding': 'aes128gcm',
    'content-type': 'application/notification+json',
    ttl: '90',
    urgency: 'low',
    topic: 'T',
  })
  assert.deepEqual(JSON.parse(body), {
    web_push: 8030,
    notification: {
      title: MESSAGE.title,
      body: MESSAGE.body,
      lang: 'ar',
      dir: 'rtl',
      navigate: 'https://shop.example.com/ar',
      image: MESSAGE.imageUrl,
      tag: 'T',
      silent: false,
      data: { cf: MESSAGE.id },
    },
  })
  const usual = webPush.toRequest(CHANNEL, { ...MESSAGE, ttlSeconds: 1e9 }, '').headers
  assert.deepEqual([usual['ttl'], usual['urgency'], usual['topic']], ['2419200', 'normal', undefined])
  assert.equal(webPush.toRequest(CHANNEL, { ...MESSAGE, ttlSeconds: -5 }, '').headers['ttl'], '0')
  assert.deepEqual(vapidClaims(CHANNEL, 'https://push.example', 1_000), { aud: 'https://push.example', exp: 47_800, sub: CHANNEL.subject })
})

test('it always leads somewhere on the web: a path of the app to the home page, what only an app opens to the home page itself', () => {
  const leads = (url: string) => shownOf({ button: { label: 'x', url } }).navigate
  assert.equal(leads('/offers?a=1'), 'https://shop.example/offers?a=1')
  for (const url of ['shop://cart', '//evil.example/x', `https://shop.example/${'ع'.repeat(1_000)}`])
    assert.equal(leads(url), CHANNEL.homeUrl, url)
  assert.equal(shownOf({}, { iconUrl: 'https://shop.example/i.png' }).icon, 'https://shop.example/i.png')
  const { language: _, button: __, ...plain } = MESSAGE
  const { dir, navigate } = JSON.parse(payloadOf(CHANNEL, plain)).notification
  assert.deepEqual([dir, navigate], ['auto', CHANNEL.homeUrl])
  assert.equal(shownOf({ title: '', body: 'Only words' }).title, 'Only words')
})

test('whatever is said fits, cut between signs: the body first, then the picture, then the title', () => {
  const bytes = (text: string) => new TextEncoder().encode(text).length
  const family = '👩‍👩‍👧‍👦'
  for (const text of ['x'.repeat(20_000), 'سلام '.repeat(4_000), family.repeat(2_000), '\u0001"\\'.repeat(5_000)]) {
    const payload = payloadOf(CHANNEL, { ...MESSAGE, body: text })
    assert.ok(bytes(payload) <= PLAIN_BYTES && bytes(payload) > PLAIN_BYTES - 60, String(bytes(payload)))
    const { body, image } = JSON.parse(payload).notification
    assert.ok(text.startsWith(body.slice(0, -1).trimEnd()) && body.endsWith('…'))
    assert.equal(image, MESSAGE.imageUrl)
  }
  const families = shownOf({ body: family.repeat(2_000) }).body
  assert.equal(families, `${family.repeat(families.length / family.length)}…`.slice(0, families.length))
  const long = shownOf({ title: 'ع'.repeat(500), body: 'x'.repeat(9_000), imageUrl: `https://cdn.example.com/${'a'.repeat(1_400)}` })
  assert.equal(long.title, 'ع'.repeat(500))
  const longest = payloadOf(CHANNEL, {
    ...MESSAGE,
    title: 'ع'.repeat(5_000),
    button: { label: 'x', url: `https://shop.example/${'a'.repeat(1_400)}` },
  })
  assert.ok(bytes(longest) <= PLAIN_BYTES)
  assert.ok(JSON.parse(longest).notification.title.endsWith('…'))
})
