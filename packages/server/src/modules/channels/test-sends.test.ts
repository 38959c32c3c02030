/** Test messages through stand-ins of the providers, which judge each call as the real ones would. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { clientOf, expectStatus, uniqueEmail } from '../../../test/builders/builders.ts'
import { claimsOf, openHttp2Provider, openMailServer, openProvider, type Judge, type Judged } from '../../../test/builders/providers.ts'
import { addChannel as add, assertFailed, assertSent } from '../../../test/builders/channels.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { EXPIRED_TLS, TLS } from '../../../test/harness/tls.ts'

const { url, workspace, advance } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const usual = getCACertificates('default')
setDefaultCACertificates([...usual, TLS.cert, EXPIRED_TLS.cert])
after(() => setDefaultCACertificates(usual))

const opened: { close(): Promise<void> }[] = []
after(() => Promise.all(opened.map((each) => each.close())))
async function stub(judge: Judge, answer: () => Judged) {
  const provider = await openProvider({ judge, answer })
  opened.push(provider)
  return provider
}

const PHONE = '+966500000000'
const bearer =
  (key: string, text: Judged): Judge =>
  ({ headers }) =>
    headers.authorization === `Bearer ${key}` ? undefined : text
const sendgridStub = () =>
  stub(
    ({ path, headers, body }) => {
      if (headers.authorization !== 'Bearer SG.s3cret')
        return {
          status: 401,
          body: { errors: [{ message: 'The provided authorization grant is invalid, expired, or revoked', field: null }] },
        }
      const isRight =
        path === '/v3/mail/send' &&
        body.personalizations[0].to[0].email &&
        body.from.email &&
        body.subject &&
        body.content[0].type === 'text/plain'
      return isRight ? undefined : { status: 400, body: { errors: [{ message: 'Bad Request', field: 'from' }] } }
    },
    () => ({ status: 202, headers: { 'x-message-id': 'm1' } }),
  )
const SENDGRID = { apiKey: 'SG.s3cret', from: 'a@shop.example' }

test('M-CHAN-08 M-CHAN-10 a masked secret that is written back is still the one that is sent with', async () => {
  const { admin } = await workspace()
  const provider = await sendgridStub()
  const { id, test: send } = await add(admin, 'email', 'sendgrid', { ...SENDGRID, baseUrl: provider.url })
  assertSent(await send('sara@example.com'), 'sendgrid')
  const path = `/notifications/channels/${id}`
  expectStatus(await admin.put(path, (await admin.get(path)).data), 200)
  assertSent(await send('sara@example.com'), 'sendgrid')
  assert.equal(provider.taken.length, 2)
  assert.equal(provider.taken[1]?.body.personalizations[0].to[0].email, 'sara@example.com')
  expectStatus(await admin.put(path, { configuration: { apiKey: 'SG.another' } }), 200)
  assertFailed(await send('sara@example.com'), /authorization grant is invalid/)
})

test('M-CHAN-09 M-CHAN-11 M-CHAN-14 of several active providers the highest sends, to the caller when nobody is named', async () => {
  const email = uniqueEmail()
  const { admin } = await workspace({ email })
  const [low, high, off] = [await sendgridStub(), await sendgridStub(), await sendgridStub()]
  const channels = [
    await add(admin, 'email', 'sendgrid', { ...SENDGRID, baseUrl: low.url }, { priority: 1 }),
    await add(admin, 'email', 'sendgrid', { ...SENDGRID, baseUrl: high.url }, { priority: 5 }),
    await add(admin, 'email', 'sendgrid', { ...SENDGRID, baseUrl: off.url }, { priority: 9, active: false }),
  ]
  assertSent(await admin.post('/notifications/channels/email/test', {}), 'sendgrid')
  assertSent(await admin.post('/notifications/channels/email/test', { to: 'sara@example.com' }), 'sendgrid')
  assert.deepEqual(
    high.taken.map(({ body }) => body.personalizations[0].to[0].email),
    [email, 'sara@example.com'],
  )
  expectStatus(await admin.put(`/notifications/channels/${channels[0]?.id}`, { priority: 7 }), 200)
  assertSent(await admin.post('/notifications/channels/email/test', { to: '' }), 'sendgrid')
  assert.deepEqual([low.taken.length, high.taken.length, off.taken.length], [1, 2, 0])
  expectStatus(await admin.post('/notifications/channels/email/test', { to: 'nobody' }), 400)
})

test('without an active channel a test email says so, without a code', async () => {
  const { admin } = await workspace()
  const none = expectStatus(await admin.post('/notifications/channels/email/test', {}), 200)
  assert.deepEqual(none.body, { success: false, error: 'No active channel configuration found' })
})

test('M-CHAN-12 after five tests in ten minutes a person waits, over both routes; others do not, and what was not tried counts nothing', async () => {
  const { id, admin } = await workspace()
  const email = uniqueEmail()
  expectStatus(await admin.post('/members', { email, name: 'n', password: 'another long one', role: 'admin' }), 201)
  const root = `${url}/api/v1`
  const { token } = expectStatus(await clientOf(root).post('/auth/login', { email, password: 'another long one' }), 200).data
  const other = clientOf(root, { authorization: `Bearer ${token}`, 'x-tenant-id': id })
  const provider = await sendgridStub()
  const channel = await add(admin, 'email', 'sendgrid', { ...SENDGRID, baseUrl: provider.url })
  const gateway = await add(admin, 'sms', 'contentflow-sms', { apiKey: 'k', sender: 'SHOP' })
  for (let i = 0; i < 6; i++) {
    expectStatus(await channel.test('nobody'), 400)
    assertFailed(await gateway.test(PHONE), /No gateway is set/)
  }
  for (let i = 0; i < 3; i++) assertSent(await channel.test('sara@example.com'), 'sendgrid')
  provider.next.push({ status: 500 })
  assertFailed(await channel.test('sara@example.com'), /500|not there/)
  assertSent(await admin.post('/notifications/channels/email/test', {}), 'sendgrid')
  for (const refused of [await channel.test('sara@example.com'), await admin.post('/notifications/channels/email/test', {})]) {
    assert.deepEqual([refused.status, refused.body.code], [429, 'CHANNEL_TEST_RATE_LIMITED'])
    const seconds = Number(refused.headers.get('retry-after'))
    assert.ok(seconds > 0 && seconds <= 600)
  }
  assertSent(await other.post('/notifications/channels/email/test', {}), 'sendgrid')
  await advance(601)
  assertSent(await channel.test('sara@example.com'), 'sendgrid')
})

test('M-CHAN-10 the number, address or token a test goes to has the form of its type', async () => {
  const { admin } = await workspace()
  const sms = await add(admin, 'sms', 'taqnyat', { bearerToken: 't', sender: 'S' })
  const push = await add(admin, 'push', 'hms', { appId: '1', appSecret: 's' })
  const mail = await add(admin, 'email', 'sendgrid', SENDGRID)
  for (const to of ['123', '0500000000', '966500000000', '+0500000000', '+96650000000000000', '', 'x'])
    expectStatus(await sms.test(to), 400)
  for (const to of ['', ' ', 'two words', 'رمز', 'a\r\nb']) expectStatus(await push.test(to), 400)
  for (const to of ['', 'a', 'a@b@c', 'a@b.c\r\nBcc: d@e.f', 'a@b.c,d@e.f', '<a@b.c>']) expectStatus(await mail.test(to), 400)
  expectStatus(await admin.post(`/notifications/channels/${sms.id}/test`, {}), 400)
  expectStatus(await admin.post(`/notifications/channels/${sms.id}/test`, { to: 5 }), 400)
  expectStatus(await admin.post('/notifications/channels/unknown/test', {}), 404)
})

test('M-CHAN-10 email by Mailgun and Resend, from a sender with an Arabic name', async () => {
  const { admin } = await workspace()
  const mailgun = await stub(
    ({ headers, path, body }) =>
      headers.authorization !== `Basic ${Buffer.from('api:key-1').toString('base64')}`
        ? { status: 401, body: 'Forbidden' }
        : path === '/v3/mg.shop.example/messages' && body.from && body.to && body.subject && body.text
          ? undefined
          : { status: 400, body: { message: 'from parameter is missing' } },
    () => ({ status: 200, body: { id: '<1@mg.shop.example>', message: 'Queued. Thank you.' } }),
  )
  const from = 'متجر، "المدينة" <a@shop.example>'
  const first = await add(admin, 'email', 'mailgun', { apiKey: 'key-1', domain: 'mg.shop.example', from, baseUrl: mailgun.url })
  assertSent(await first.test('sara@example.com'), 'mailgun')
  assert.equal(mailgun.taken[0]?.body.from, '"متجر، \\"المدينة\\"" <a@shop.example>')
  const resend = await stub(
    bearer('re_1', { status: 401, body: { statusCode: 401, name: 'missing_api_key', message: 'Missing API key' } }),
    () => ({
      status: 200,
      body: { id: 'e-1' },
    }),
  )
  const second = await add(admin, 'email', 'resend', { apiKey: 're_1', from: 'متجر المدينة <a@shop.example>', baseUrl: `${resend.url}/` })
  assertSent(await second.test('sara@example.com'), 'resend')
  assert.deepEqual([resend.taken[0]?.path, resend.taken[0]?.body.from], ['/emails', 'متجر المدينة <a@shop.example>'])
  assert.match(String(resend.taken[0]?.headers['idempotency-key']), /^[\w-]{36}$/)
})

test('M-CHAN-10 text messages by Taqnyat, Twilio and a gateway of one’s own, and WhatsApp', async () => {
  const { admin } = await workspace()
  const taqnyat = await stub(bearer('t-1', { status: 401, body: { statusCode: 401, message: 'invalid credentials information' } }), () => ({
    status: 201,
    body: { statusCode: 201, messageId: 5829452722, accepted: '[966500000000,]', rejected: '[]' },
  }))
  const first = await add(admin, 'sms', 'taqnyat', { bearerToken: 't-1', sender: 'SHOP', baseUrl: taqnyat.url })
  assertSent(await first.test(PHONE), 'taqnyat')
  assert.deepEqual(taqnyat.taken[0]?.body.recipients, ['966500000000'])
  taqnyat.next.push({ status: 201, body: { statusCode: 201, accepted: '[]', rejected: '[966500000000,]' } })
  assertFailed(await first.test(PHONE), /rejected/)

  const twilio = await stub(
    ({ path, headers, body }) =>
      headers.authorization !== `Basic ${Buffer.from('AC1:a-1').toString('base64')}`
        ? { status: 401, body: { code: 20003, message: 'Authenticate', status: 401 } }
        : path === '/2010-04-01/Accounts/AC1/Messages.json' && body.To && body.Body && (body.From || body.MessagingServiceSid)
          ? undefined
          : { status: 400, body: { code: 21604, message: 'A To phone number is required', status: 400 } },
    () => ({ status: 201, body: { sid: 'SM1', status: 'queued', error_code: null } }),
  )
  const account = { accountSid: 'AC1', authToken: 'a-1', baseUrl: twilio.url }
  const second = await add(admin, 'sms', 'twilio', { ...account, messagingServiceSid: 'MG1' })
  const third = await add(admin, 'whatsapp', 'twilio-whatsapp', { ...account, from: '+15005550006' })
  assertSent(await second.test(PHONE), 'twilio')
  assertSent(await third.test(PHONE), 'twilio-whatsapp')
  assert.deepEqual(
    twilio.taken.map(({ body }) => [body.To, body.From, body.MessagingServiceSid]),
    [
      [PHONE, undefined, 'MG1'],
      [`whatsapp:${PHONE}`, 'whatsapp:+15005550006', undefined],
    ],
  )
})

test('M-CHAN-10 a gateway of one’s own is told the same id, number and text, and its words reach whoever tests', async () => {
  const { admin } = await workspace()
  const gateway = await stub(bearer('k-1', { status: 401, body: { error: 'wrong key' } }), () => ({ status: 202, body: { id: 'g1' } }))
  const channel = await add(admin, 'sms', 'contentflow-sms', { apiKey: 'k-1', sender: 'SHOP', baseUrl: gateway.url })
  assertSent(await channel.test(PHONE), 'contentflow-sms')
  const [call] = gateway.taken
  assert.deepEqual(
    [call?.path, call?.body.to, call?.body.from, call?.body.id],
    ['/v1/messages', PHONE, 'SHOP', call?.headers['idempotency-key']],
  )
  gateway.next.push({ status: 422, body: { error: `no route for ${PHONE} with key k-1, secret ${'x'.repeat(400)}` } })
  const refused = await channel.test(PHONE)
  assertFailed(refused, /^no route for … /)
  assert.ok(!refused.text.includes(PHONE) && refused.body.error.length <= 300)
  gateway.next.push('cut')
  assertFailed(await channel.test(PHONE), /connection ended/)
  gateway.next.push({ status: 200, body: '<html>maintenance</html>' })
  assertSent(await channel.test(PHONE), 'contentflow-sms')
})

// --- push ---

const TOKEN = 'c0ffee'.repeat(10)

test('M-CHAN-10 FCM: an assertion the account signed is exchanged at its own address for a token, which is kept', async () => {
  const { admin } = await workspace()
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const account = { project_id: 'my-shop', client_email: 'a@my-shop.example', private_key_id: 'kid1', token_uri: '' }
  const tokens = await stub(
    ({ body }) => {
      const signed = claimsOf(body.assertion ?? '', privateKey, 'RS256')
      const isRight =
        body.grant_type === 'urn:ietf:params:oauth:grant-type:jwt-bearer' &&
        signed?.header.kid === 'kid1' &&
        signed.claims.iss === account.client_email &&
        signed.claims.aud === account.token_uri &&
        signed.claims.exp - signed.claims.iat === 3_600
      return isRight ? undefined : { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' } }
    },
    () => ({ status: 200, body: { access_token: `ya29.${tokens.taken.length}`, expires_in: 3599, token_type: 'Bearer' } }),
  )
  account.token_uri = `${tokens.url}/token`
  const current = () => `Bearer ya29.${tokens.taken.length}`
  const fcm = await stub(
    ({ path, headers, body }) =>
      headers.authorization !== current()
        ? {
            status: 401,
            body: { error: { code: 401, message: 'Request had invalid authentication credentials', status: 'UNAUTHENTICATED' } },
          }
        : path === '/v1/projects/my-shop/messages:send' &&
            body.message.token &&
            Object.values(body.message.data).every((each) => typeof each === 'string')
          ? undefined
          : { status: 400, body: { error: { code: 400, message: 'bad', status: 'INVALID_ARGUMENT' } } },
    () => ({ status: 200, body: { name: 'projects/my-shop/messages/0:1' } }),
  )
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const serviceAccount = { ...account, private_key: key.replaceAll('\n', '\\n') }
  const channel = await add(admin, 'push', 'fcm', { serviceAccount, baseUrl: fcm.url })
  assertSent(await channel.test(TOKEN), 'fcm')
  assertSent(await channel.test(TOKEN), 'fcm')
  assert.deepEqual([tokens.taken.length, fcm.taken.length], [1, 2])
  assert.equal(fcm.taken[0]?.body.message.token, TOKEN)
  // One that was taken back is made anew, once.
  fcm.next.push({ status: 401, body: { error: { code: 401, message: 'expired', status: 'UNAUTHENTICATED' } } })
  assertSent(await channel.test(TOKEN), 'fcm')
  assert.equal(tokens.taken.length, 2)
  const { privateKey: other } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const stolen = { ...serviceAccount, private_key: other.export({ type: 'pkcs8', format: 'pem' }) }
  const wrong = await add(admin, 'push', 'fcm', { serviceAccount: stolen, baseUrl: fcm.url })
  assertFailed(await wrong.test(TOKEN), /No access token: invalid_grant Invalid JWT Signature/)
  const noKey = await add(admin, 'push', 'fcm', { serviceAccount: { ...serviceAccount, private_key: 'no key' }, baseUrl: fcm.url })
  assertFailed(await noKey.test(TOKEN), /private key cannot be used/)
})

test('M-CHAN-10 HMS: a token for the id and secret of the app; 200 with another code is a refusal', async () => {
  const { admin } = await workspace()
  const hms = await stub(
    ({ path, headers, body }) => {
      if (path === '/oauth2/v3/token')
        return body.grant_type === 'client_credentials' && body.client_id === '10' && body.client_secret === 's-1'
          ? undefined
          : { status: 400, body: { error: 1101, sub_error: 20001, error_description: 'invalid client' } }
      if (headers.authorization !== 'Bearer AT==') return { status: 200, body: { code: '80200001', msg: 'Authentication error' } }
      const { notification, android, token, data } = body.message
      const isRight = path === '/v1/10/messages:send' && notification.title && android.notification.click_action && token.length === 1
      return isRight && typeof data === 'string' ? undefined : { status: 200, body: { code: '80100003', msg: 'Illegal payload' } }
    },
    () => ({
      status: 200,
      body:
        hms.taken.at(-1)?.path === '/oauth2/v3/token' ? { access_token: 'AT==', expires_in: 3600 } : { code: '80000000', requestId: '1' },
    }),
  )
  const channel = await add(admin, 'push', 'hms', { appId: '10', appSecret: 's-1', baseUrl: hms.url })
  assertSent(await channel.test(TOKEN), 'hms')
  hms.next.push({ status: 200, body: { code: '80300007', msg: 'All the tokens are invalid' } })
  assertFailed(await channel.test(TOKEN), /tokens are invalid/)
  const wrong = await add(admin, 'push', 'hms', { appId: '10', appSecret: 's-2', baseUrl: hms.url })
  assertFailed(await wrong.test(TOKEN), /No access token: 1101 20001 invalid client/)
  hms.next.push('cut')
  assertFailed(await wrong.test(TOKEN), /connection ended/)
})

test('M-CHAN-10 APNs: over HTTP/2, with a token the key of the team signed', async () => {
  const { admin } = await workspace()
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const apns = await openHttp2Provider(
    {
      judge: ({ path, headers, body }) => {
        const signed = claimsOf(String(headers.authorization).replace(/^bearer /, ''), privateKey, 'ES256')
        if (signed?.header.kid !== 'KEY1' || signed.claims.iss !== 'TEAM1') return { status: 403, body: { reason: 'InvalidProviderToken' } }
        if (headers['apns-topic'] !== 'com.example.shop') return { status: 400, body: { reason: 'TopicDisallowed' } }
        if (path !== `/3/device/${TOKEN}`) return { status: 400, body: { reason: 'BadDeviceToken' } }
        return headers['apns-push-type'] === 'alert' && body.aps.alert.body ? undefined : { status: 400, body: { reason: 'PayloadEmpty' } }
      },
      answer: ({ headers }) => ({ status: 200, headers: { 'apns-id': String(headers['apns-id']) } }),
    },
    TLS,
  )
  opened.push(apns)
  const team = {
    teamId: 'TEAM1',
    keyId: 'KEY1',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    baseUrl: apns.url,
  }
  const channel = await add(admin, 'push', 'apns', { ...team, bundleId: 'com.example.shop' })
  assertSent(await channel.test(TOKEN), 'apns')
  assertSent(await channel.test(TOKEN), 'apns')
  assertFailed(await channel.test('0badf00d'), /BadDeviceToken/)
  const tokens = new Set(apns.taken.map(({ headers }) => headers.authorization))
  assert.deepEqual([apns.taken.length, tokens.size], [2, 1], 'the token is kept')
  // One that Apple calls too old is not renewed as long as it is young: that would be too many.
  apns.next.push({ status: 403, body: { reason: 'ExpiredProviderToken' } })
  assertFailed(await channel.test(TOKEN), /ExpiredProviderToken/)
  await advance(1_300)
  apns.next.push({ status: 403, body: { reason: 'ExpiredProviderToken' } })
  assertSent(await channel.test(TOKEN), 'apns')
  assert.notEqual(apns.taken.at(-1)?.headers.authorization, apns.taken[0]?.headers.authorization)
})

test('a provider or a server of mail whose certificate has expired is sent nothing, and whoever tests is told why', async () => {
  const { admin } = await workspace()
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const apns = await openHttp2Provider({ judge: () => undefined, answer: () => ({ status: 200 }) }, EXPIRED_TLS)
  const server = await openMailServer({ tls: EXPIRED_TLS })
  opened.push(apns, server)
  const team = { teamId: 'T', keyId: 'K', bundleId: 'com.example.shop', privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) }
  const push = await add(admin, 'push', 'apns', { ...team, baseUrl: apns.url })
  assertFailed(await push.test(TOKEN), /certificate cannot be trusted \(CERT_HAS_EXPIRED\)/)
  const mail = await add(admin, 'email', 'smtp', { host: 'localhost', port: server.port, secure: true, from: 'a@shop.example' })
  assertFailed(await mail.test('sara@example.com'), /certificate has expired/)
  assert.deepEqual([apns.taken.length, server.mails.length], [0, 0])
})
