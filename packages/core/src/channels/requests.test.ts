/** What each provider is sent, beside its documents: a message with Arabic text, a picture and a button. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Configuration, Message } from './channel.ts'
import { PROVIDERS, describe, httpProvider, type ProviderName } from './providers.ts'
import { apnsClaims, fcmClaims, fcmTokenRequest, hmsTokenRequest } from './push.ts'
import { smtpServer, toMail } from './smtp.ts'

const MESSAGE: Message = {
  id: '01970000-0000-7000-8000-000000000001',
  to: 'sara@example.org',
  toName: 'سارة',
  title: 'عرض نهاية الأسبوع',
  body: 'خصم ٢٠٪ حتى السبت',
  html: '<html lang="ar" dir="rtl">…</html>',
  imageUrl: 'https://cdn.example.com/a.jpg',
  button: { label: 'تسوّق الآن', url: 'https://shop.example.com/ar' },
  language: 'ar',
  unsubscribeUrl: 'https://cf.example.com/u/TOKEN',
}
const PHONE: Message = { ...MESSAGE, to: '+966500000000' }
const DEVICE: Message = { ...MESSAGE, to: 'TOKEN' }
const FROM = 'متجر المدينة <news@example.com>'
const LIST = { 'List-Unsubscribe': '<https://cf.example.com/u/TOKEN>', 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }

function requestOf(provider: ProviderName, configuration: Configuration, message: Message, token = '') {
  const called = httpProvider(provider)
  assert.ok(called)
  return called.toRequest(configuration, message, token)
}
const jsonOf = (request: { body: string }) => JSON.parse(request.body)
function formOf(request: { body: string }): Record<string, string> {
  const pairs = request.body.split('&').map((pair) => pair.split('=').map(decodeURIComponent))
  return Object.fromEntries(pairs)
}

test('SendGrid: text before html, an id of ours that comes back, the headers of one click', () => {
  const request = requestOf('sendgrid', { apiKey: 'SG.1', from: 'news@example.com', fromName: 'Matjar, the; shop' }, MESSAGE)
  assert.equal(request.url, 'https://api.sendgrid.com/v3/mail/send')
  assert.deepEqual(request.headers, { authorization: 'Bearer SG.1', 'content-type': 'application/json' })
  assert.deepEqual(jsonOf(request), {
    personalizations: [{ to: [{ email: 'sara@example.org', name: 'سارة' }], custom_args: { cf_send: MESSAGE.id } }],
    from: { email: 'news@example.com', name: 'Matjar  the  shop' },
    subject: MESSAGE.title,
    content: [
      { type: 'text/plain', value: MESSAGE.body },
      { type: 'text/html', value: MESSAGE.html },
    ],
    headers: LIST,
    tracking_settings: { click_tracking: { enable: false, enable_text: false }, subscription_tracking: { enable: false } },
  })
})

test('Mailgun: a form with basic authorization, in the region of the domain', () => {
  const request = requestOf('mailgun', { apiKey: 'key-1', domain: 'mg.example.com', region: 'eu', from: FROM }, MESSAGE)
  assert.equal(request.url, 'https://api.eu.mailgun.net/v3/mg.example.com/messages')
  assert.deepEqual(
    [request.basic, request.headers],
    [{ name: 'api', password: 'key-1' }, { 'content-type': 'application/x-www-form-urlencoded' }],
  )
  assert.deepEqual(formOf(request), {
    from: FROM,
    to: 'سارة <sara@example.org>',
    subject: MESSAGE.title,
    text: MESSAGE.body,
    html: MESSAGE.html,
    'h:List-Unsubscribe': LIST['List-Unsubscribe'],
    'h:List-Unsubscribe-Post': LIST['List-Unsubscribe-Post'],
    'v:cf_send': MESSAGE.id,
    'o:tracking': 'no',
  })
  assert.match(requestOf('mailgun', { apiKey: 'k', domain: 'd.example', from: FROM }, MESSAGE).url, /^https:\/\/api\.mailgun\.net\//)
})

test('Resend: the same bytes and the same key at every attempt', () => {
  const request = requestOf('resend', { apiKey: 're_1', from: FROM }, MESSAGE)
  assert.deepEqual(request, requestOf('resend', { apiKey: 're_1', from: FROM }, MESSAGE))
  assert.deepEqual([request.url, request.headers['idempotency-key']], ['https://api.resend.com/emails', MESSAGE.id])
  assert.deepEqual(jsonOf(request), {
    from: FROM,
    to: ['سارة <sara@example.org>'],
    subject: MESSAGE.title,
    text: MESSAGE.body,
    html: MESSAGE.html,
    headers: LIST,
    tags: [{ name: 'cf_send', value: MESSAGE.id }],
  })
})

test('Twilio: text with its link last; WhatsApp marks its numbers, and takes a template', () => {
  const account = { accountSid: 'AC1', authToken: 'a1' }
  const sms = requestOf('twilio', { ...account, messagingServiceSid: 'MG1', from: 'MATJAR' }, PHONE)
  assert.equal(sms.url, 'https://api.twilio.com/2010-04-01/Accounts/AC1/Messages.json')
  assert.deepEqual(sms.basic, { name: 'AC1', password: 'a1' })
  const Body = `${MESSAGE.title}\n${MESSAGE.body}\nhttps://shop.example.com/ar`
  assert.deepEqual(formOf(sms), { To: PHONE.to, MessagingServiceSid: 'MG1', Body })
  const whatsapp = { ...account, from: 'whatsapp:+15005550006' }
  assert.deepEqual(formOf(requestOf('twilio-whatsapp', whatsapp, PHONE)), {
    To: 'whatsapp:+966500000000',
    From: 'whatsapp:+15005550006',
    Body,
    MediaUrl: MESSAGE.imageUrl,
  })
  const template = { id: 'HX1', variables: { 1: 'سارة' } }
  assert.deepEqual(formOf(requestOf('twilio-whatsapp', whatsapp, { ...PHONE, template })), {
    To: 'whatsapp:+966500000000',
    From: 'whatsapp:+15005550006',
    ContentSid: 'HX1',
    ContentVariables: '{"1":"سارة"}',
  })
})

test('Taqnyat: a number without its plus; a gateway of one’s own: with it, and with the same key', () => {
  const taqnyat = requestOf('taqnyat', { bearerToken: 't1', sender: 'MATJAR-AD' }, PHONE)
  assert.deepEqual([taqnyat.url, taqnyat.headers['authorization']], ['https://api.taqnyat.sa/v1/messages', 'Bearer t1'])
  const text = `${MESSAGE.title}\n${MESSAGE.body}\nhttps://shop.example.com/ar`
  assert.deepEqual(jsonOf(taqnyat), { recipients: ['966500000000'], sender: 'MATJAR-AD', body: text })
  const own = requestOf('contentflow-sms', { apiKey: 'k1', sender: 'MATJAR', baseUrl: 'https://sms.example.com/base/' }, PHONE)
  assert.deepEqual([own.url, own.headers['idempotency-key']], ['https://sms.example.com/base/v1/messages', MESSAGE.id])
  assert.deepEqual(jsonOf(own), { id: MESSAGE.id, to: PHONE.to, from: 'MATJAR', text })
})

const ACCOUNT = { project_id: 'my-shop', client_email: 'a@my-shop.example', private_key: 'k' }

test('FCM: texts alone in data, the picture for each platform, and the claims that a token is asked for with', () => {
  const request = requestOf('fcm', { serviceAccount: ACCOUNT }, DEVICE, 'ya29')
  assert.equal(request.url, 'https://fcm.googleapis.com/v1/projects/my-shop/messages:send')
  assert.equal(request.headers['authorization'], 'Bearer ya29')
  const { message } = jsonOf(request)
  assert.deepEqual(message.notification, { title: MESSAGE.title, body: MESSAGE.body, image: MESSAGE.imageUrl })
  assert.deepEqual(message.data, { cf_send: MESSAGE.id, url: MESSAGE.button?.url, button: MESSAGE.button?.label, lang: 'ar', dir: 'rtl' })
  assert.deepEqual(message.webpush, { notification: { lang: 'ar', dir: 'rtl' }, fcm_options: { link: MESSAGE.button?.url } })
  assert.deepEqual(message.apns.fcm_options, { image: MESSAGE.imageUrl })
  assert.equal(message.token, 'TOKEN')
  assert.deepEqual(fcmClaims({ serviceAccount: ACCOUNT }, 100), {
    iss: 'a@my-shop.example',
    scope: 'https://www.googleapis.com/auth/firebase.messaging',
    aud: 'https://oauth2.googleapis.com/token',
    iat: 100,
    exp: 3_700,
  })
  const asked = fcmTokenRequest({ serviceAccount: { ...ACCOUNT, token_uri: 'https://t.example/' } }, 'a.b.c')
  assert.equal(asked.url, 'https://t.example/')
  assert.deepEqual(formOf(asked), { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'a.b.c' })
})

test('APNs: over HTTP/2 to the live host, or to the sandbox, with our id', () => {
  const team = { teamId: 'T1', keyId: 'K1', bundleId: 'com.example.shop', privateKey: 'k' }
  const request = requestOf('apns', team, DEVICE, 'jwt')
  assert.deepEqual([request.url, request.isHttp2], ['https://api.push.apple.com/3/device/TOKEN', true])
  assert.deepEqual(request.headers, {
    authorization: 'bearer jwt',
    'content-type': 'application/json',
    'apns-topic': 'com.example.shop',
    'apns-push-type': 'alert',
    'apns-priority': '10',
    'apns-id': MESSAGE.id,
  })
  assert.deepEqual(jsonOf(request), {
    aps: { alert: { title: MESSAGE.title, body: MESSAGE.body }, sound: 'default', 'mutable-content': 1 },
    cf: { id: MESSAGE.id, image: MESSAGE.imageUrl, url: MESSAGE.button?.url, button: MESSAGE.button?.label },
  })
  assert.match(requestOf('apns', { ...team, production: false }, DEVICE).url, /^https:\/\/api\.sandbox\.push\.apple\.com\//)
  assert.deepEqual(apnsClaims(team, 100), { iss: 'T1', iat: 100 })
})

test('HMS: data is one text, and what a tap does cannot be left out', () => {
  const request = requestOf('hms', { appId: '10', appSecret: 's' }, DEVICE, 'AT')
  assert.deepEqual([request.url, request.headers['authorization']], ['https://push-api.cloud.huawei.com/v1/10/messages:send', 'Bearer AT'])
  const { message } = jsonOf(request)
  assert.deepEqual(message.token, ['TOKEN'])
  assert.equal(message.data, JSON.stringify({ cf_send: MESSAGE.id }))
  assert.deepEqual(message.android.notification, {
    click_action: { type: 2, url: 'https://shop.example.com/ar' },
    buttons: [{ name: 'تسوّق الآن', action_type: 2, intent: 'https://shop.example.com/ar' }],
  })
  const bare = jsonOf(requestOf('hms', { appId: '10', appSecret: 's' }, { id: '1', to: 'T', title: 't', body: 'b' }))
  assert.deepEqual(bare.message.android.notification, { click_action: { type: 3 } })
  const asked = hmsTokenRequest({ appId: '10', appSecret: 's&1' })
  assert.equal(asked.url, 'https://oauth-login.cloud.huawei.com/oauth2/v3/token')
  assert.deepEqual(formOf(asked), { grant_type: 'client_credentials', client_id: '10', client_secret: 's&1' })
})

test('SMTP: names beside addresses, one line each, and a connection that is encrypted unless it is said otherwise', () => {
  const hostile = { ...MESSAGE, title: 'a\r\nBcc: x@example.com\u202e', toName: 'S\nBcc: y@example.com' }
  assert.deepEqual(toMail({ host: 'h', from: FROM, fromName: 'Matjar' }, hostile), {
    from: { name: 'Matjar', address: 'news@example.com' },
    to: { name: 'S Bcc: y@example.com', address: 'sara@example.org' },
    subject: 'a Bcc: x@example.com',
    text: MESSAGE.body,
    html: MESSAGE.html,
    messageId: `<${MESSAGE.id}@example.com>`,
    headers: {
      'List-Unsubscribe': { prepared: true, value: LIST['List-Unsubscribe'] },
      'List-Unsubscribe-Post': { prepared: true, value: LIST['List-Unsubscribe-Post'] },
    },
  })
  const encryption: [Configuration, [port: number, isTls: boolean, isTlsRequired: boolean]][] = [
    [{}, [587, false, true]],
    [{ port: 465 }, [465, true, false]],
    [{ port: 465, secure: false }, [465, true, false]],
    [{ port: 587, secure: true }, [587, false, true]],
    [{ port: 25, secure: false }, [25, false, false]],
    [{ port: 9_465, secure: true }, [9_465, true, false]],
    [{ port: 1_025, secure: false }, [1_025, false, false]],
  ]
  for (const [configuration, expected] of encryption) {
    const { port, isTls, isTlsRequired } = smtpServer({ host: 'h', ...configuration })
    assert.deepEqual([port, isTls, isTlsRequired], expected, JSON.stringify(configuration))
  }
})

test('M-CHAN-04 every provider says its type and its members, each with an example', () => {
  const types = Object.fromEntries(PROVIDERS.map((provider) => [provider, describe(provider).type]))
  assert.deepEqual(types, {
    smtp: 'email',
    sendgrid: 'email',
    mailgun: 'email',
    resend: 'email',
    'contentflow-sms': 'sms',
    taqnyat: 'sms',
    twilio: 'sms',
    'twilio-whatsapp': 'whatsapp',
    fcm: 'push',
    apns: 'push',
    hms: 'push',
    web_push: 'push',
  })
  for (const provider of PROVIDERS) for (const { name, example } of describe(provider).members) assert.ok(name && example !== '', provider)
})
