/** Channels of the workspace as one document: how providers are called, never with which secrets. Nothing is called. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describe, PROVIDERS, type ProviderName } from '@contentflow/core/channels/providers.ts'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { apply, applyPlanned, carry, exported, plan, refused, stale, told } from '../../../test/builders/code.ts'
import { subscriptionOf, VAPID } from '../../../test/builders/push-service.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { openOutbound } from '../../infra/outbound/outbound.ts'

const { ctx, workspace } = await startApp()
ctx.outbound = openOutbound({
  isPrivateAllowed: false,
  metrics: ctx.metrics,
  resolve: async (name) => (name === 'inside.example' ? ['10.0.0.7'] : ['93.184.216.34']),
})

const CHANNELS = '/notifications/channels'
const SECRET = 's3cret-of-a-provider'
/** What a document holds of each, and what it does not. */
const PARTS: Record<ProviderName, { open: Record<string, unknown>; secret: Record<string, unknown> }> = {
  smtp: {
    open: { host: 'mail.example', port: 587, secure: true, username: 'u', from: 'a@shop.example', fromName: 'متجر' },
    secret: { password: SECRET },
  },
  sendgrid: { open: { from: 'a@shop.example', fromName: 'no' }, secret: { apiKey: SECRET, callbackKey: SECRET } },
  mailgun: { open: { domain: 'mg.shop.example', region: 'eu', from: 'a@shop.example' }, secret: { apiKey: SECRET } },
  resend: { open: { from: 'متجر <a@shop.example>' }, secret: { apiKey: SECRET, callbackSecret: SECRET } },
  'contentflow-sms': { open: { sender: 'SHOP', baseUrl: 'https://sms.example' }, secret: { apiKey: SECRET } },
  taqnyat: { open: { sender: 'SHOP-AD' }, secret: { bearerToken: SECRET } },
  twilio: { open: { accountSid: 'AC1', messagingServiceSid: 'MG1' }, secret: { authToken: SECRET } },
  'twilio-whatsapp': { open: { accountSid: 'AC1', from: '+15005550006' }, secret: { authToken: SECRET } },
  fcm: {
    open: { serviceAccount: { project_id: 'p', client_email: 'a@p.example' } },
    secret: { serviceAccount: { private_key: SECRET, private_key_id: SECRET, token_uri: 'https://token.example/at' } },
  },
  apns: { open: { teamId: 'T', bundleId: 'com.example', production: false }, secret: { keyId: SECRET, privateKey: SECRET } },
  web_push: {
    open: { subject: 'mailto:push@shop.example', homeUrl: 'https://shop.example/', publicKey: VAPID.publicKey },
    secret: { privateKey: VAPID.privateKey },
  },
  hms: { open: { appId: '1', callbackUser: 'receipts' }, secret: { appSecret: SECRET, callbackKey: SECRET } },
}

/** As the API is sent it: with its secrets. */
function wholeOf(provider: ProviderName): Record<string, unknown> {
  const { open, secret } = PARTS[provider]
  return provider === 'fcm'
    ? { serviceAccount: { ...Object(open['serviceAccount']), ...Object(secret['serviceAccount']) } }
    : { ...open, ...secret }
}

async function connect(ws: Workspace, provider: ProviderName, more: object = {}) {
  const body = { type: describe(provider).type, provider, name: provider, configuration: wholeOf(provider), ...more }
  return expectStatus(await ws.admin.post(CHANNELS, body), 201).data
}
const read = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`${CHANNELS}/${id}`), 200).data
const change = (ws: Workspace, id: string, body: object) => ws.admin.put(`${CHANNELS}/${id}`, body)
const sealedOf = async (ws: Workspace, id: string) =>
  (await ctx.db.selectFrom('channels').select('secrets').where('workspace_id', '=', ws.id).where('id', '=', id).execute())[0]?.secrets

test('channels: export, apply to an empty workspace, export: the same bytes of all twelve providers; no secret is in them, and new ones are off', async () => {
  const [from, to] = [await workspace(), await workspace()]
  for (const [at, provider] of PROVIDERS.entries()) await connect(from, provider, { priority: at - 5, active: at % 2 === 0 })
  const first = await exported(from, 'channels')
  assert.deepEqual(
    first.data.channels.map(({ provider, priority, configuration }: Record<string, unknown>) => [provider, priority, configuration]),
    PROVIDERS.map((provider, at) => [provider, at - 5, PARTS[provider].open]),
  )
  assert.ok(!first.text.includes(SECRET) && !first.text.includes('****') && !first.text.includes('token.example'))
  const changes = await carry(from, to)
  assert.deepEqual(
    changes.map(({ kind, key, change: done, off }) => [kind, key, done, off]),
    first.data.channels.map(({ id }: { id: string }) => ['channels', id, 'create', true]),
  )
  const made = expectStatus(await to.admin.get(CHANNELS), 200).data.channels
  assert.ok(made.every(({ active }: { active: boolean }) => !active))
  assert.deepEqual(
    made.map(({ type }: { type: string }) => type),
    PROVIDERS.map((provider) => describe(provider).type),
  )
  // Those of the first workspace go on as they did.
  const kept = expectStatus(await from.admin.get(CHANNELS), 200).data.channels
  assert.deepEqual(
    kept.map(({ active }: { active: boolean }) => active),
    PROVIDERS.map((_, at) => at % 2 === 0),
  )
})

test('a channel that a document made sends nothing, and is not switched on, until its secrets are entered', async () => {
  const [from, to] = [await workspace(), await workspace()]
  for (const provider of PROVIDERS) await connect(from, provider)
  const { data } = await exported(from, 'channels')
  await apply(to, data)
  const subscription = subscriptionOf('https://push.example/1').token
  const recipient = { email: 'a@shop.example', push: 'token', sms: '+966500000000', whatsapp: '+966500000000' }
  for (const { id, provider } of data.channels as { id: string; provider: ProviderName }[]) {
    const isComplete = provider === 'smtp'
    if (!isComplete) {
      const missing = /^configuration\.\S+ (and \S+ must be set together|is missing)$/
      assert.match(expectStatus(await change(to, id, { active: true }), 400).body.error, missing)
      assert.match(expectStatus(await change(to, id, { name: 'n', active: true }), 400).body.error, missing)
      const tried = expectStatus(
        await to.admin.post(`${CHANNELS}/${id}/test`, { to: provider === 'web_push' ? subscription : recipient[describe(provider).type] }),
        200,
      )
      assert.equal(tried.body.success, false, provider)
      assert.match(tried.body.error, missing)
    }
    const configuration = PARTS[provider].secret
    expectStatus(await change(to, id, { configuration }), 200)
    const entered = expectStatus(await change(to, id, { active: true }), 200).data
    assert.deepEqual([entered.active, entered.configuration], [true, (await read(from, id)).configuration])
  }
  assert.deepEqual((await plan(to.admin, data)).changes, [])
})

test('channels change and go exactly as planned; what is there keeps its secrets, and is on or off as it was', async () => {
  const ws = await workspace()
  const [smtp, twilio, gone] = [await connect(ws, 'smtp'), await connect(ws, 'twilio', { active: false }), await connect(ws, 'hms')]
  const { data } = await exported(ws, 'channels')
  const sealed = await Promise.all([smtp, twilio].map(({ id }) => sealedOf(ws, id)))
  const [first, second] = data.channels
  const { fromName: _, ...configuration } = { ...first.configuration, from: 'b@shop.example' }
  const written = [
    { ...first, priority: 9, configuration },
    { ...second, name: 'other' },
  ]
  const changes = await apply(ws, { channels: written }, ['channels'])
  assert.deepEqual(told(changes), [`change channels ${smtp.id}`, `change channels ${twilio.id}`, `delete channels ${gone.id}`])
  assert.deepEqual(
    changes.map(({ members, off }) => [members, off]),
    [
      [['priority', 'configuration'], false],
      [['name'], false],
      [[], false],
    ],
  )
  const after = await Promise.all([smtp, twilio].map(({ id }) => read(ws, id)))
  assert.deepEqual(
    after.map(({ name, priority, active }) => [name, priority, active]),
    [
      ['smtp', 9, true],
      ['other', 0, false],
    ],
  )
  assert.deepEqual(after[0].configuration, { ...configuration, password: '********' })
  assert.deepEqual(await Promise.all([smtp, twilio].map(({ id }) => sealedOf(ws, id))), sealed)
  expectStatus(await ws.admin.get(`${CHANNELS}/${gone.id}`), 404)
  await stale(ws, data, () => change(ws, smtp.id, { priority: 4 }))
})

test('what a document of another workspace leaves out of channels and webhooks stays, and goes only where that is asked for, by its kind', async () => {
  const [staging, production] = [await workspace(), await workspace()]
  await connect(staging, 'sendgrid')
  await staging.block('hero')
  const hook = { url: 'https://shop.example/hook', events: ['campaign.approved'], description: '' }
  expectStatus(await staging.admin.post('/webhooks', hook), 201)
  const own = await connect(production, 'smtp')
  const { id: endpoint } = expectStatus(await production.admin.post('/webhooks', hook), 201).data
  const sealed = await sealedOf(production, own.id)
  const { data } = await exported(staging)
  const kept = [
    { kind: 'webhooks', key: endpoint },
    { kind: 'channels', key: own.id },
  ]
  assert.deepEqual((await plan(production.admin, data)).kept, kept)
  const changes = await apply(production, data)
  assert.deepEqual(new Set(changes.map(({ change: done }) => done)), new Set(['create']))
  assert.deepEqual([(await read(production, own.id)).active, await sealedOf(production, own.id)], [true, sealed])
  const once = await plan(production.admin, data)
  assert.deepEqual([once.changes, once.kept], [[], kept])
  // A plan is of what was to go: that of the one is none of the other.
  const both = ['channels', 'webhooks']
  const late = await applyPlanned(production.admin, data, once.version, both)
  assert.deepEqual([late.status, late.body.code], [409, 'WORKSPACE_CHANGED'])
  assert.deepEqual(told(await apply(production, data, ['webhooks'])), [`delete webhooks ${endpoint}`])
  const asked = await plan(production.admin, data, both)
  assert.deepEqual([told(asked.changes), asked.kept], [[`delete channels ${own.id}`], []])
  expectStatus(await applyPlanned(production.admin, data, asked.version, both), 200)
  assert.equal((await exported(production)).text, (await exported(staging)).text)
  // Nothing else takes the word, and kinds that the document does not name stay whatever is asked.
  for (const prune of [['segments'], ['all'], 'channels', {}])
    expectStatus(await production.admin.post('/workspace/code/plan', { document: data, prune }), 400)
  assert.deepEqual(await apply(production, { geofences: [] }, both), [])
})

test('what stays counts: a document makes no more channels and webhooks than a workspace may have', async () => {
  const ws = await workspace()
  const { id } = await connect(ws, 'taqnyat')
  const channels = Array.from({ length: 50 }, (_, at) => {
    return { id: `k${at}`, provider: 'taqnyat', name: 'n', configuration: PARTS.taqnyat.open }
  })
  expectStatus(await ws.admin.post('/webhooks', { url: 'https://shop.example/hook', events: ['campaign.approved'] }), 201)
  const webhooks = Array.from({ length: 20 }, (_, at) => ({
    id: `w${at}`,
    url: 'https://shop.example/hook',
    events: ['campaign.approved'],
  }))
  const refusal = async (document: object) => (await applyPlanned(ws.admin, document, (await plan(ws.admin, document)).version)).body.code
  assert.deepEqual([await refusal({ channels }), await refusal({ webhooks })], ['CHANNEL_LIMIT', 'WEBHOOK_LIMIT'])
  assert.equal((await apply(ws, { channels: channels.slice(1) })).length, 49)
  assert.equal((await ws.admin.get(CHANNELS)).body.metadata.total, 50)
  assert.equal((await apply(ws, { channels }, ['channels'])).length, 2)
  expectStatus(await ws.admin.get(`${CHANNELS}/${id}`), 404)
})

test('a document that names no channels leaves them alone', async () => {
  const ws = await workspace()
  const { id } = await connect(ws, 'sendgrid')
  assert.deepEqual(await apply(ws, { webhooks: [], geofences: [] }, ['channels']), [])
  assert.equal((await read(ws, id)).active, true)
})

test('secrets stay only where they were meant to be sent: another address, or another provider, is not for a document', async () => {
  const ws = await workspace()
  const { id } = await connect(ws, 'sendgrid')
  const [channel] = (await exported(ws, 'channels')).data.channels
  const wrong = (other: object, error: RegExp) => refused(ws, { channels: [{ ...channel, ...other }] }, error)
  const moved = { ...channel.configuration, baseUrl: 'https://gateway.example' }
  await wrong(
    { configuration: moved },
    new RegExp(`channel "${id}": configuration.apiKey must be sent again, because baseUrl changes, in the`),
  )
  await wrong({ provider: 'resend', configuration: { from: 'a@shop.example' } }, /its provider is sendgrid, which stays/)
  // One that sends does not come to lack any either.
  const push = await workspace()
  await connect(push, 'hms', { configuration: { appId: '1', appSecret: SECRET } })
  const [phones] = (await exported(push, 'channels')).data.channels
  await refused(
    push,
    { channels: [{ ...phones, configuration: { appId: '1', callbackUser: 'u' } }] },
    /callbackUser and callbackKey must be set together, in the dashboard or by the API/,
  )
  // One that has none yet may be called elsewhere.
  const empty = await workspace()
  await apply(empty, { channels: [channel] })
  assert.deepEqual(told(await apply(empty, { channels: [{ ...channel, configuration: moved }] })), [`change channels ${id}`])
  assert.equal((await read(empty, id)).configuration.baseUrl, moved.baseUrl)
})

test('the keys by which browsers know a workspace are no matter of a document', async () => {
  const ws = await workspace()
  await connect(ws, 'web_push')
  const [channel] = (await exported(ws, 'channels')).data.channels
  const { publicKey: other } = subscriptionOf('https://push.example/1')
  await refused(ws, { channels: [{ ...channel, configuration: { ...channel.configuration, publicKey: other } }] }, /publicKey stays/)
  // One that a document made without keys gets them when it is switched on.
  const { publicKey: _, ...configuration } = channel.configuration
  const bare = await workspace()
  await apply(bare, { channels: [{ ...channel, configuration }] })
  assert.match(expectStatus(await change(bare, channel.id, { active: true }), 200).data.configuration.publicKey, /^B[\w-]{86}$/)
})

test('channels that cannot be are refused where they stand, and a secret by its name', async () => {
  const ws = await workspace()
  const channel = { id: 'k', provider: 'sendgrid', name: 'n', priority: 1, configuration: PARTS.sendgrid.open }
  const wrong = (other: object, error: RegExp) => refused(ws, { channels: [{ ...channel, ...other }] }, error)
  const configured = (provider: ProviderName, members: object, error: RegExp) =>
    wrong({ provider, configuration: { ...PARTS[provider].open, ...members } }, error)
  for (const provider of PROVIDERS.filter((each) => each !== 'fcm'))
    for (const [member, value] of Object.entries(PARTS[provider].secret))
      for (const sent of [value, '********', null])
        await configured(
          provider,
          { [member]: sent },
          new RegExp(`channels\\[0\\]: configuration.${member} is secret, and no document holds it$`),
        )
  await wrong({ provider: 'fcm', configuration: wholeOf('fcm') }, /configuration\.serviceAccount\.private_key is secret, and no document/)
  await wrong(
    { provider: 'fcm', configuration: { serviceAccount: JSON.stringify({ private_key: SECRET }) } },
    /serviceAccount must be an object/,
  )
  await wrong({ active: true }, /channels\[0\]: active is not a member of a channel/)
  await wrong({ id: 'a b' }, /channels\[0\]: id must be/)
  await wrong({ provider: 'fax' }, /channels\[0\]: provider must be one of smtp, /)
  await wrong({ name: '' }, /channels\[0\]: name must be/)
  await wrong({ name: 'n'.repeat(101) }, /channels\[0\]: name must be/)
  await wrong({ priority: 1.5 }, /channels\[0\]: priority must be/)
  await wrong({ priority: 1_000_001 }, /channels\[0\]: priority must be/)
  await wrong({ configuration: [] }, /channels\[0\]: configuration must be an object/)
  await configured('sendgrid', { from: null }, /channels\[0\]: configuration\.from is missing/)
  await configured('sendgrid', { other: 1 }, /channels\[0\]: configuration\.other is not a member of this provider/)
  await configured('twilio', { messagingServiceSid: '' }, /channels\[0\]: configuration\.from or messagingServiceSid must be set/)
  await configured('fcm', { serviceAccount: { project_id: 'p' } }, /configuration\.serviceAccount\.client_email is missing/)
  await configured('smtp', { port: 22 }, /channel "k": configuration\.host /)
  await configured('smtp', { host: 'inside.example' }, /channel "k": configuration\.host /)
  await configured('sendgrid', { baseUrl: 'http://127.0.0.1:9' }, /channel "k": configuration\.baseUrl /)
  const many = Array.from({ length: 51 }, (_, at) => ({ ...channel, id: `k${at}` }))
  await refused(ws, { channels: many }, /channels must be an array of at most 50/)
  await refused(ws, { channels: [channel, channel] }, /channels\[1\]: "k" stands there twice/)
})

test('only admins apply channels, as only they connect them', async () => {
  const ws = await workspace()
  const document = { channels: [{ id: 'k', provider: 'taqnyat', name: 'n', configuration: PARTS.taqnyat.open }] }
  const editor = await ws.editor()
  const { version, changes } = await plan(editor, document)
  assert.deepEqual(told(changes), ['create channels k'])
  assert.equal(expectStatus(await applyPlanned(editor, document, version), 403).body.code, 'ROLE_REQUIRED')
  assert.equal((await ws.admin.get(CHANNELS)).body.metadata.total, 0)
  expectStatus(await applyPlanned(ws.admin, document, version), 200)
})
