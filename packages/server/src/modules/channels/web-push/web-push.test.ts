/** Web push through a stand-in of a push service that reads what browsers would (decision 67). */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expectStatus, type Client, type Workspace } from '../../../../test/builders/builders.ts'
import { addChannel, assertFailed, assertSent } from '../../../../test/builders/channels.ts'
import { dispatching } from '../../../../test/builders/dispatches.ts'
import { openPushService, subscriptionOf, VAPID, type BrowserStub } from '../../../../test/builders/push-service.ts'
import { addPeople, openPush } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { TLS } from '../../../../test/harness/tls.ts'

const { ctx, workspace, operator, advance } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { campaignOf, start, work, pushOf } = dispatching({ ctx, operator })
const usual = getCACertificates('default')
setDefaultCACertificates([...usual, TLS.cert])
after(() => setDefaultCACertificates(usual))

const CHANNELS = '/notifications/channels'
const CONFIGURATION = { subject: 'mailto:push@shop.example', homeUrl: 'https://shop.example/' }
async function pushService() {
  const service = await openPushService(() => ctx.clock.ms())
  after(() => service.close())
  const connect = (admin: Client, more: object = {}) =>
    addChannel(admin, 'push', 'web_push', { ...CONFIGURATION, hosts: service.host, ...more })
  return { ...service, connect }
}
/** A person for each browser, with the token as `/register-push` takes it. */
async function people(ws: Workspace, browsers: Record<string, { token: string }>, more: object = {}) {
  const contact = (id: string) => ({ deviceToken: browsers[id]?.token, platform: 'web', provider: 'web_push', ...more })
  await addPeople(ws, Object.keys(browsers), contact)
}
const tokens = async ({ id }: Workspace) =>
  (await ctx.db.selectFrom('push_registrations').select('token').where('workspace_id', '=', id).execute()).map(({ token }) => token)
const channelOf = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`${CHANNELS}/${id}`), 200).data

test('a channel that is connected without keys gets a pair, whose public half apps are told; without a channel there is none', async () => {
  const ws = await workspace()
  const key = async (client: Client) => expectStatus(await client.get('/push/web-key'), 200).data
  assert.equal(await key(ws.app), null)
  const service = await pushService()
  const { id } = await service.connect(ws.admin)
  const { configuration } = await channelOf(ws, id)
  assert.match(configuration.publicKey, /^B[\w-]{86}$/)
  assert.equal(configuration.privateKey, '********')
  assert.deepEqual(
    [await key(ws.app), await key(ws.testApp)],
    [{ publicKey: configuration.publicKey }, { publicKey: configuration.publicKey }],
  )
  const again = expectStatus(await ws.admin.put(`${CHANNELS}/${id}`, { configuration: { homeUrl: 'https://shop.example/ar' } }), 200).data
  assert.equal(again.configuration.publicKey, configuration.publicKey)
  const { id: own } = await addChannel(ws.admin, 'push', 'web_push', { ...CONFIGURATION, ...VAPID }, { priority: 5 })
  assert.deepEqual(await key(ws.app), { publicKey: VAPID.publicKey })
  expectStatus(await ws.admin.put(`${CHANNELS}/${own}`, { active: false }), 200)
  assert.deepEqual(await key(ws.app), { publicKey: configuration.publicKey })
  const body = { type: 'push', provider: 'web_push', name: 'n' }
  const refused = await ws.admin.post(CHANNELS, {
    ...body,
    configuration: { ...CONFIGURATION, ...VAPID, publicKey: configuration.publicKey },
  })
  assert.match(expectStatus(refused, 400).body.error, /publicKey is not the public key of privateKey/)
  for (const wrong of [{ subject: 'mailto:a@localhost' }, { homeUrl: 'shop' }, { publicKey: VAPID.publicKey }, { hosts: 'https://x/' }])
    expectStatus(await ws.admin.post(CHANNELS, { ...body, configuration: { ...CONFIGURATION, ...wrong } }), 400)
})

test('a message is as urgent as its content says, and one whose urgency is none is refused with its path', async () => {
  const ws = await workspace()
  const service = await pushService()
  await service.connect(ws.admin)
  await people(ws, { sara: service.subscribe() })
  const urgent = { en: { title: 'Call', urgency: 'low' }, ar: { title: 'مكالمة', urgency: 'high' } } as const
  const campaign = campaignOf({ content: { en: { ...urgent.en }, ar: { ...urgent.ar } } })
  await start(ws, campaign)
  await pushOf(ws, campaign)
  assert.equal(service.taken[0]?.headers['urgency'], 'high', 'the greatest of its languages')
  const body = { name: 'C', type: 'promo', content: { en: { title: 'x', urgency: 'urgent' } } }
  const refused = expectStatus(await ws.admin.post('/campaigns', body), 400)
  assert.match(refused.body.error, /content\.en\.urgency must be one of very-low, low, normal, high/)
})

test('a message reaches the browser and nobody else can read it; a token is signed once for each push service and 12 hours', async () => {
  const ws = await workspace()
  const service = await pushService()
  const { id } = await service.connect(ws.admin)
  const [sara, omar] = [service.subscribe(), service.subscribe()]
  await people(ws, { sara, omar })
  const content = { en: { title: 'عرض', body: 'خصم ٢٠٪', ctaLabel: 'افتح', ctaUrl: '/offers' } }
  const endTime = new Date(ctx.clock.ms() + 3_600_000).toISOString()
  const campaign = campaignOf({ content, window: { endTime } })
  await start(ws, campaign)
  assert.deepEqual(await pushOf(ws, campaign), { attempted: 2, sent: 2, failed: 0, waiting: 0, skipped: {}, failures: {} })
  assert.deepEqual(new Set(service.taken.map(({ browser }) => browser)), new Set([sara, omar]))
  const [first] = service.taken
  const { publicKey } = (await channelOf(ws, id)).configuration
  assert.ok(String(first?.headers['authorization']).endsWith(`k=${publicKey}`))
  assert.equal(first?.claims.sub, CONFIGURATION.subject)
  assert.deepEqual(
    [first?.version, first?.headers['urgency'], Number(first?.headers['ttl']) > 3_500 && Number(first?.headers['ttl']) <= 3_600],
    ['2.0', 'normal', true],
  )
  const topic = String(first?.headers['topic'])
  assert.match(topic, /^[\w-]{32}$/)
  assert.ok(first)
  const { data, ...shown } = first.shown.notification
  assert.deepEqual(shown, {
    title: 'عرض',
    body: 'خصم ٢٠٪',
    lang: 'en',
    dir: 'ltr',
    navigate: 'https://shop.example/offers',
    tag: topic,
    silent: false,
  })
  assert.match(data.cf, /^[\w-]{36}$/)
  const signed = () => new Set(service.taken.map(({ headers }) => headers['authorization'])).size
  assert.equal(signed(), 1)
  await advance(6 * 3_600)
  await start(ws, campaignOf())
  assert.deepEqual([service.taken.length, signed()], [4, 1])
  assert.equal(service.taken.at(-1)?.headers['ttl'], '2419200')
  assert.notEqual(service.taken.at(-1)?.headers['topic'], topic)
  await advance(6 * 3_600)
  await start(ws, campaignOf())
  assert.deepEqual([service.taken.length, signed()], [6, 2])
})

test('by the shape of the token: a subscription goes to web push whatever was said of it, and no other token does', async () => {
  const ws = await workspace()
  const service = await pushService()
  const push = await openPush()
  await service.connect(ws.admin, {})
  await push.connect(ws.admin, { priority: 9 })
  const browser = service.subscribe()
  await people(ws, { named: browser }, { provider: 'hms', platform: 'android' })
  await people(ws, { firebase: { token: 'c0ffee:APA91b' } })
  await people(ws, { phone: { token: 'token-phone' } }, { provider: 'hms', platform: 'android' })
  const campaign = campaignOf()
  await start(ws, campaign)
  assert.deepEqual((await pushOf(ws, campaign))?.skipped, { noContact: 1 })
  assert.deepEqual([push.tokens(), service.taken.map((each) => each.browser)], [['token-phone'], [browser]])
  const one = async (userId: string) =>
    expectStatus(await ws.admin.post('/notifications', { userId, channel: 'push', content: { title: 't', body: 'b' } }), 200).data
  assert.deepEqual([await one('firebase'), await one('named')], [{ sent: false, reason: 'noContact' }, { sent: true }])
})

test('an address that no browser registers at is never called, and says nothing of the channel', async () => {
  const ws = await workspace()
  const [service, elsewhere] = [await pushService(), await pushService()]
  const { id } = await service.connect(ws.admin)
  const strangers = Array.from({ length: 25 }, () => elsewhere.subscribe())
  const { endpoint, auth } = subscriptionOf(`https://${service.host}/push/x`)
  const noPoint = { p256dh: `BA${'A'.repeat(85)}`, auth: auth.toString('base64url') }
  const broken = { token: JSON.stringify({ endpoint, keys: noPoint }) }
  await people(ws, { ...Object.fromEntries(strangers.map((each, at) => [`s${at}`, each])), broken, half: { token: '{"endpoint":1}' } })
  const campaign = campaignOf()
  await start(ws, campaign)
  const report = await pushOf(ws, campaign)
  assert.deepEqual([report?.failed, elsewhere.calls(), service.calls()], [27, 0, 0])
  assert.deepEqual(Object.keys(report?.failures ?? {}).toSorted(), [
    'The keys of the subscription cannot be used',
    'The subscription is of a push service that this channel does not name',
    'The token is no subscription of a browser',
  ])
  const { pausedAt, failure } = await channelOf(ws, id)
  assert.deepEqual([pausedAt, failure, (await tokens(ws)).length], [null, null, 27])
})

test('what a push service answers: taken, gone, refused, asked too often by seconds or by date, away', async () => {
  const ws = await workspace()
  const service = await pushService()
  const { test: send } = await service.connect(ws.admin)
  const browser = service.subscribe()
  assertSent(await send(browser.token), 'web_push')
  const refuse = async (said: (typeof service.next)[number], says: RegExp) => {
    service.next.push(said)
    assertFailed(await send(browser.token), says)
    await advance(601)
  }
  await refuse({ status: 400, body: 'Bad request' }, /Bad request/)
  await refuse({ status: 403, body: { reason: 'BadJwtToken' } }, /BadJwtToken/)
  await refuse({ status: 401, body: { errno: 109, message: `no key of ${browser.endpoint}` } }, /^no key of …$/)
  await refuse({ status: 410 }, /has ended/)
  await refuse({ status: 413 }, /413/)
  await refuse('cut', /ended|failed/)
  expectStatus(await ws.admin.get('/push/web-key'), 404)
  for (const to of ['c0ffee', browser.endpoint]) expectStatus(await send(to), 400)
  const hms = await addChannel(ws.admin, 'push', 'hms', { appId: '1', appSecret: 's' })
  expectStatus(await hms.test(browser.token), 400)
})

test('M-DISP-09 429 and 5xx are tried again after the time that is said, and one browser keeps nobody else waiting', async () => {
  const ws = await workspace()
  const service = await pushService()
  await service.connect(ws.admin)
  const browsers: Record<string, BrowserStub> = { seconds: service.subscribe(), date: service.subscribe(), away: service.subscribe() }
  await people(ws, { ...browsers, well: service.subscribe() })
  const later = new Date(ctx.clock.ms() + 900_000).toUTCString()
  service.answers.set(browsers['seconds']!.endpoint, { status: 429, headers: { 'retry-after': '300' } })
  service.answers.set(browsers['date']!.endpoint, { status: 429, headers: { 'retry-after': later } })
  service.answers.set(browsers['away']!.endpoint, { status: 503 })
  const campaign = campaignOf()
  await start(ws, campaign)
  const now = async () => {
    const report = await pushOf(ws, campaign)
    return [report?.sent, report?.waiting, report?.failed]
  }
  assert.deepEqual(await now(), [1, 3, 0])
  service.answers.clear()
  for (const [seconds, sent] of [
    [30, 2],
    [400, 3],
    [1_200, 4],
  ] as const) {
    await advance(seconds)
    await work()
    assert.deepEqual(await now(), [sent, 4 - sent, 0], `after ${seconds} s more`)
  }
})

test('M-DISP-10 subscriptions that have ended go, one of another key once the channel is proven, and of many at once none', async () => {
  const ws = await workspace()
  const service = await pushService()
  await service.connect(ws.admin)
  const [gone, unknown, other, well] = [service.subscribe(), service.subscribe(), service.subscribe(), service.subscribe()]
  service.answers.set(gone.endpoint, { status: 410 })
  service.answers.set(unknown.endpoint, { status: 404 })
  service.answers.set(other.endpoint, { status: 400, body: { reason: 'VapidPkHashMismatch' } })
  await people(ws, { gone, unknown, other, well })
  await start(ws, campaignOf())
  assert.deepEqual(await tokens(ws), [well.token])
  const many = Array.from({ length: 40 }, () => service.subscribe())
  for (const { endpoint } of many) service.answers.set(endpoint, { status: 403, body: 'the credentials do not correspond' })
  service.answers.set(well.endpoint, { status: 410 })
  await people(ws, Object.fromEntries(many.map((each, at) => [`m${at}`, each])))
  await start(ws, campaignOf())
  assert.equal((await tokens(ws)).length, 41)
})

test('a channel that refuses everybody rests, and goes on by itself', async () => {
  const ws = await workspace()
  const service = await pushService()
  const { id } = await service.connect(ws.admin)
  await people(ws, { a: service.subscribe(), b: service.subscribe() })
  const refusal = { status: 403, body: { reason: 'BadJwtToken' } }
  service.next.push(refusal, refusal)
  const campaign = campaignOf()
  await start(ws, campaign)
  const { pausedAt, failure } = await channelOf(ws, id)
  assert.deepEqual([typeof pausedAt, failure], ['string', 'BadJwtToken'])
  await advance(400)
  await work()
  await advance(400)
  await work()
  assert.equal((await pushOf(ws, campaign))?.sent, 2)
  assert.equal((await channelOf(ws, id)).pausedAt, null)
})

test('other keys for a channel that browsers subscribed with are refused with their number, and when wanted these go', async () => {
  const ws = await workspace()
  const service = await pushService()
  const { id } = await service.connect(ws.admin)
  const path = `${CHANNELS}/${id}`
  const keyOf = async () => (await channelOf(ws, id)).configuration.publicKey
  const first = await keyOf()
  const anew = { publicKey: null, privateKey: null }
  expectStatus(await ws.admin.put(path, { configuration: anew }), 200)
  const second = await keyOf()
  assert.notEqual(second, first, 'as long as nobody subscribed nothing is lost')
  await people(ws, { a: service.subscribe(), b: service.subscribe() })
  await people(ws, { phone: { token: 'token-phone' } }, { provider: 'hms', platform: 'android' })
  for (const configuration of [anew, VAPID]) {
    const refused = expectStatus(await ws.admin.put(path, { configuration }), 409).body
    assert.deepEqual([refused.code, refused.subscriptions], ['KEYS_IN_USE', 2])
  }
  assert.deepEqual([await keyOf(), (await tokens(ws)).length], [second, 3])
  expectStatus(await ws.admin.put(path, { configuration: { iconUrl: 'https://shop.example/i.png' } }), 200)
  // A spare channel loses nobody.
  const { id: spare } = await addChannel(ws.admin, 'push', 'web_push', CONFIGURATION, { priority: -1 })
  expectStatus(await ws.admin.put(`${CHANNELS}/${spare}`, { configuration: VAPID }), 200)
  expectStatus(await ws.admin.put(path, { configuration: VAPID, replaceKeys: true }), 200)
  assert.deepEqual([await keyOf(), await tokens(ws)], [VAPID.publicKey, ['token-phone']])
  expectStatus(await ws.admin.put(path, { replaceKeys: 'yes' }), 400)
})
