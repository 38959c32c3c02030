/** Channels through HTTP: who may, what is refused, what is shown of secrets. Names lead where the test says; nothing is called. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROVIDERS } from '@contentflow/core/channels/providers.ts'
import { expectStatus, type Client } from '../../../test/builders/builders.ts'
import { VAPID } from '../../../test/builders/push-service.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { openOutbound } from '../../infra/outbound/outbound.ts'

const { ctx, workspace } = await startApp()

const names: Record<string, string[]> = { 'inside.example': ['93.184.216.34', '10.0.0.7'], redis: ['172.18.0.3'] }
ctx.outbound = openOutbound({ isPrivateAllowed: false, metrics: ctx.metrics, resolve: async (name) => names[name] ?? ['93.184.216.34'] })

const SECRET = 's3cret'
const CHANNELS: Record<(typeof PROVIDERS)[number], { type: string; configuration: Record<string, unknown> }> = {
  smtp: {
    type: 'email',
    configuration: { host: 'mail.example', port: 587, secure: true, username: 'u', password: SECRET, from: 'a@shop.example' },
  },
  sendgrid: { type: 'email', configuration: { apiKey: SECRET, from: 'a@shop.example', fromName: 'متجر' } },
  mailgun: { type: 'email', configuration: { apiKey: SECRET, domain: 'mg.shop.example', region: 'eu', from: 'a@shop.example' } },
  resend: { type: 'email', configuration: { apiKey: SECRET, from: 'متجر <a@shop.example>' } },
  'contentflow-sms': { type: 'sms', configuration: { apiKey: SECRET, sender: 'SHOP' } },
  taqnyat: { type: 'sms', configuration: { bearerToken: SECRET, sender: 'SHOP-AD' } },
  twilio: { type: 'sms', configuration: { accountSid: 'AC1', authToken: SECRET, messagingServiceSid: 'MG1' } },
  'twilio-whatsapp': { type: 'whatsapp', configuration: { accountSid: 'AC1', authToken: SECRET, from: '+15005550006' } },
  fcm: {
    type: 'push',
    configuration: { serviceAccount: { project_id: 'p', client_email: 'a@p.example', private_key: SECRET, private_key_id: SECRET } },
  },
  apns: {
    type: 'push',
    configuration: { teamId: 'T', keyId: 'K', bundleId: 'com.example', privateKey: SECRET, production: false },
  },
  hms: { type: 'push', configuration: { appId: '1', appSecret: SECRET } },
  web_push: { type: 'push', configuration: { subject: 'mailto:push@shop.example', homeUrl: 'https://shop.example/', ...VAPID } },
}
const bodyOf = (provider: keyof typeof CHANNELS, more: object = {}) => ({ provider, name: provider, ...CHANNELS[provider], ...more })
const add = async (admin: Client, provider: keyof typeof CHANNELS, more: object = {}) =>
  expectStatus(await admin.post('/notifications/channels', bodyOf(provider, more)), 201).data

test('M-CHAN-01 M-CHAN-03 M-CHAN-06 M-ROLE-16 each of the twelve providers is connected, and no answer and no row holds its secrets', async () => {
  const { id: workspaceId, admin, viewer } = await workspace()
  for (const provider of PROVIDERS) {
    const made = await add(admin, provider)
    assert.match(made.id, /^\S+$/)
    assert.deepEqual([made.provider, made.type, made.priority, made.active], [provider, CHANNELS[provider].type, 0, true])
    assert.deepEqual(Object.keys(made.configuration).sort(), Object.keys(CHANNELS[provider].configuration).sort())
    assert.ok(!JSON.stringify(made).includes(SECRET), provider)
  }
  const listed = expectStatus(await (await viewer()).get('/notifications/channels'), 200)
  assert.equal(listed.body.metadata.total, 12)
  assert.ok(!listed.text.includes(SECRET))
  const fcm = listed.data.channels.find(({ provider }: { provider: string }) => provider === 'fcm')
  assert.deepEqual(fcm.configuration.serviceAccount, {
    project_id: 'p',
    client_email: 'a@p.example',
    private_key: '********',
    private_key_id: '********',
  })
  const stored = await ctx.db.selectFrom('channels').selectAll().where('workspace_id', '=', workspaceId).execute()
  assert.ok(!JSON.stringify(stored).includes(SECRET) && stored.every(({ secrets }) => secrets.startsWith('v1.')))
})

test('M-CHAN-02 M-CHAN-03 M-CHAN-04 a type or provider nobody has, and a provider of another type, are refused', async () => {
  const { admin } = await workspace()
  for (const wrong of [
    { type: 'fax' },
    { provider: 'foo' },
    { type: 'push' },
    { type: undefined },
    { provider: undefined },
    { name: '' },
    { name: undefined },
    { priority: 1.5 },
    { active: 'yes' },
  ])
    expectStatus(await admin.post('/notifications/channels', bodyOf('smtp', wrong)), 400)
  assert.equal((await admin.get('/notifications/channels')).body.metadata.total, 0)
})

test('M-CHAN-05 the list is of all channels, or of one type, and comes page by page', async () => {
  const { admin } = await workspace()
  for (const provider of PROVIDERS) await add(admin, provider)
  const push = expectStatus(await admin.get('/notifications/channels?type=push'), 200)
  assert.deepEqual(
    push.data.channels.map(({ provider }: { provider: string }) => provider),
    ['fcm', 'apns', 'hms', 'web_push'],
  )
  assert.equal(push.body.metadata.total, 4)
  const first = expectStatus(await admin.get('/notifications/channels?limit=6'), 200)
  const rest = expectStatus(await admin.get(`/notifications/channels?limit=6&cursor=${first.body.metadata.nextCursor}`), 200)
  assert.deepEqual([first.data.channels.length, rest.data.channels.length, rest.body.metadata.nextCursor], [6, 6, null])
  expectStatus(await admin.get('/notifications/channels?type=fax'), 400)
})

test('M-CHAN-07 M-CHAN-08 a channel is changed in parts and disconnected; the mask keeps a secret, and there is nothing to keep at first', async () => {
  const { admin } = await workspace()
  const made = await add(admin, 'twilio')
  const path = `/notifications/channels/${made.id}`
  const { data: same } = expectStatus(await admin.put(path, (await admin.get(path)).data), 200)
  assert.deepEqual({ ...same, updatedAt: made.updatedAt }, made)
  const changed = expectStatus(
    await admin.put(path, { name: 'n', priority: 7, active: false, configuration: { from: '+1', messagingServiceSid: null } }),
    200,
  ).data
  assert.deepEqual([changed.name, changed.priority, changed.active], ['n', 7, false])
  assert.deepEqual(changed.configuration, { accountSid: 'AC1', authToken: '********', from: '+1' })
  for (const wrong of [
    { provider: 'taqnyat' },
    { type: 'email' },
    { configuration: { from: null } },
    { configuration: { authToken: null } },
    { configuration: null },
    { configuration: [] },
    { configuration: 'x' },
    { configuration: { accountSid: 5 } },
  ])
    expectStatus(await admin.put(path, wrong), 400)
  assert.deepEqual((await admin.get(path)).data, changed)
  const masked = bodyOf('twilio', { configuration: { ...CHANNELS.twilio.configuration, authToken: '********' } })
  assert.match(expectStatus(await admin.post('/notifications/channels', masked), 400).body.error, /authToken/)
  expectStatus(await admin.delete(path), 200)
  for (const answer of [await admin.get(path), await admin.put(path, { name: '' }), await admin.delete(path)]) expectStatus(answer, 404)
  assert.equal((await admin.get('/notifications/channels')).body.metadata.total, 0)
})

test('M-CHAN-08 another address takes no stored secret along: it is entered anew', async () => {
  const { admin } = await workspace()
  const { id } = await add(admin, 'sendgrid')
  const path = `/notifications/channels/${id}`
  const baseUrl = 'https://gateway.example'
  for (const configuration of [{ baseUrl }, { baseUrl, apiKey: '********' }])
    assert.match(expectStatus(await admin.put(path, { configuration }), 400).body.error, /apiKey/)
  expectStatus(await admin.put(path, { configuration: { baseUrl, apiKey: SECRET } }), 200)
  expectStatus(await admin.put(path, { configuration: { baseUrl, apiKey: '********', fromName: 'n' } }), 200)
  assert.match(expectStatus(await admin.put(path, { configuration: { baseUrl: null } }), 400).body.error, /apiKey/)
})

test('members that are missing, of another kind or with line breaks are refused by name, and others are dropped', async () => {
  const { admin } = await workspace()
  const wrong: [keyof typeof CHANNELS, object, RegExp][] = [
    ['smtp', { host: undefined }, /configuration\.host/],
    ['smtp', { host: 'mail example' }, /configuration\.host/],
    ['smtp', { host: 'a/b' }, /configuration\.host/],
    ['smtp', { port: '587' }, /configuration\.port/],
    ['smtp', { port: 70_000 }, /configuration\.port/],
    ['smtp', { secure: 'yes' }, /configuration\.secure/],
    ['smtp', { username: null }, /configuration\.username/],
    ['smtp', { from: 'no address' }, /configuration\.from/],
    ['smtp', { from: 'a@shop.example\r\nBcc: b@shop.example' }, /configuration\.from/],
    ['smtp', { from: 'A\r\nBcc: b@shop.example <a@shop.example>' }, /configuration\.from/],
    ['smtp', { fromName: 'A\nBcc: b@shop.example' }, /configuration\.fromName/],
    ['sendgrid', { apiKey: 'a b' }, /configuration\.apiKey/],
    ['sendgrid', { apiKey: 'مفتاح' }, /configuration\.apiKey/],
    ['sendgrid', { apiKey: { a: 1 } }, /configuration\.apiKey/],
    ['mailgun', { domain: '../x' }, /configuration\.domain/],
    ['mailgun', { region: 'mars' }, /configuration\.region/],
    ['twilio', { messagingServiceSid: null }, /from or messagingServiceSid/],
    ['twilio', { accountSid: 'A/../B' }, /configuration\.accountSid/],
    ['fcm', { serviceAccount: 'not JSON' }, /configuration\.serviceAccount/],
    ['fcm', { serviceAccount: { project_id: 'p' } }, /configuration\.serviceAccount\.client_email/],
    ['apns', { bundleId: 'com example' }, /configuration\.bundleId/],
    ['hms', { appSecret: 'x'.repeat(3_000) }, /configuration\.appSecret/],
  ]
  for (const [provider, members, says] of wrong) {
    const configuration = { ...CHANNELS[provider].configuration, ...members }
    assert.match(expectStatus(await admin.post('/notifications/channels', bodyOf(provider, { configuration })), 400).body.error, says)
  }
  const made = await add(admin, 'hms', { configuration: { appId: '1', appSecret: SECRET, other: SECRET, deep: { secret: SECRET } } })
  assert.deepEqual(Object.keys(made.configuration), ['appId', 'appSecret'])
  const file = JSON.stringify(CHANNELS.fcm.configuration['serviceAccount'])
  assert.equal((await add(admin, 'fcm', { configuration: { serviceAccount: file } })).configuration.serviceAccount.project_id, 'p')
})

test('an address on this network, or on a port that is not called, is refused wherever a configuration names one', async () => {
  const { admin } = await workspace()
  const refused: [keyof typeof CHANNELS, object][] = [
    ['sendgrid', { baseUrl: 'http://127.0.0.1:9/' }],
    ['sendgrid', { baseUrl: 'http://inside.example' }],
    ['sendgrid', { baseUrl: 'http://redis:6379' }],
    ['sendgrid', { baseUrl: 'file:///etc/passwd' }],
    ['sendgrid', { baseUrl: 'https://u:p@shop.example' }],
    ['sendgrid', { baseUrl: 'x' }],
    ['smtp', { host: '10.0.0.7' }],
    ['smtp', { host: 'localhost' }],
    ['smtp', { host: 'inside.example' }],
    ['smtp', { port: 22 }],
    ['fcm', { serviceAccount: { ...Object(CHANNELS.fcm.configuration['serviceAccount']), token_uri: 'http://169.254.169.254/' } }],
  ]
  for (const [provider, members] of refused) {
    const configuration = { ...CHANNELS[provider].configuration, ...members }
    const { body } = expectStatus(await admin.post('/notifications/channels', bodyOf(provider, { configuration })), 400)
    assert.match(body.error, /configuration\.(baseUrl|host|serviceAccount\.token_uri) /)
    assert.doesNotMatch(body.error, /172\.18|10\.0\.0/)
  }
})

test('M-ROLE-15 M-ROLE-17 only admins connect, change, disconnect and test; the refusal changes nothing', async () => {
  const { admin, editor, viewer } = await workspace()
  const made = await add(admin, 'contentflow-sms')
  const path = `/notifications/channels/${made.id}`
  for (const member of [await editor(), await viewer()]) {
    for (const answer of [
      await member.post('/notifications/channels', bodyOf('hms')),
      await member.put(path, { priority: 9 }),
      await member.delete(path),
      await member.post(`${path}/test`, { to: '+966500000000' }),
      await member.post('/notifications/channels/email/test', {}),
    ])
      assert.deepEqual([answer.status, answer.body.code], [403, 'ROLE_REQUIRED'])
    assert.deepEqual(expectStatus(await member.get(path), 200).data, made)
  }
  assert.equal((await admin.get('/notifications/channels')).body.metadata.total, 1)
})

test('a workspace has at most fifty channels', async () => {
  const { admin } = await workspace()
  for (let i = 0; i < 50; i++) await add(admin, 'hms')
  assert.equal(expectStatus(await admin.post('/notifications/channels', bodyOf('hms')), 409).body.code, 'CHANNEL_LIMIT')
})
