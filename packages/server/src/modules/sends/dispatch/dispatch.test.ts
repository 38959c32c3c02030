/** Dispatches as campaigns and journeys hand them over: whom they reach, how often, and what is left when something fails. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus } from '../../../../test/builders/builders.ts'
import { dispatching } from '../../../../test/builders/dispatches.ts'
import { deny, identify } from '../../../../test/builders/people.ts'
import { addPeople, OF_HUAWEI, openEmail, openPush } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { until } from '../../../../test/harness/until.ts'
import { queueSends, startDispatches, stopDispatches } from '../index.ts'

const { ctx, workspace, advance, operator } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

const { campaignOf, work, start, report, pushOf, content } = dispatching({ ctx, operator })

test('M-DISP-01 M-DISP-04 M-DISP-05 M-DISP-06 M-DISP-07 everybody is judged, and whoever gets nothing has a reason', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B', 'C', 'D', 'E'], (id) => ({
    ...(id === 'B' && { consent: { push: false } }),
    ...(id === 'C' && { deviceToken: undefined }),
  }))
  expectStatus(await ws.admin.put('/users/D/opt-out', { optedOut: true }), 200)
  await identify(ws.app, 'dA', 'A', { name: 'Amal' })
  const campaign = campaignOf({ content: { en: { title: 'Hi {{name}}', body: 'x' } } })
  await start(ws, campaign)
  const sums = { attempted: 1, sent: 1, failed: 0, waiting: 0, failures: {} }
  assert.deepEqual(await pushOf(ws, campaign), { ...sums, skipped: { noConsent: 1, noContact: 1, pdpl_opt_out: 1, unresolvedToken: 1 } })
  assert.deepEqual(push.tokens(), ['token-A'])
  const french = campaignOf({ content: { fr: { title: 'Salut', body: 'x' } } })
  await start(ws, french)
  assert.equal((await pushOf(ws, french))?.skipped['noContent'], 2)
})

test('M-DISP-08 a message for nobody sends nothing and is no error', async () => {
  const ws = await workspace()
  await addPeople(ws, ['A'])
  const campaign = campaignOf({ segments: [] })
  await start(ws, campaign)
  assert.deepEqual(await report(ws, campaign), { missed: false, channels: {} })
  const unknown = campaignOf({ segments: ['No such segment'] })
  await start(ws, unknown)
  assert.deepEqual((await report(ws, unknown)).channels['push']?.attempted, 0)
})

test('M-DISP-01 G-70 started again it goes to whoever did not get it, and to nobody twice', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B'], (id) => (id === 'B' ? { consent: { push: false } } : {}))
  const campaign = campaignOf()
  await start(ws, campaign)
  await start(ws, campaign)
  assert.deepEqual(push.tokens(), ['token-A'])
  await addPeople(ws, ['B', 'C'])
  await start(ws, { ...campaign, content: { en: { title: 'Newer', body: 'x' } } })
  assert.deepEqual(push.tokens().toSorted(), ['token-A', 'token-B', 'token-C'])
  assert.deepEqual(await pushOf(ws, campaign), { attempted: 3, sent: 3, failed: 0, waiting: 0, skipped: {}, failures: {} })
})

test('M-DISP-11 M-LIMIT-18 the 25,001st recipient is capped; who was skipped before takes nobody a place', async (t) => {
  const most = LIMITS.recipientsPerDispatch
  assert.equal(most, 25_000)
  const limits = LIMITS as { recipientsPerDispatch: number }
  limits.recipientsPerDispatch = 30
  t.after(() => (limits.recipientsPerDispatch = most))
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  const people = Array.from({ length: 50 }, (_, index) => `P${index}`)
  await addPeople(ws, people, (id) => (Number(id.slice(1)) < 10 ? { consent: {} } : {}))
  const campaign = campaignOf()
  await start(ws, campaign)
  assert.deepEqual(await pushOf(ws, campaign), {
    attempted: 30,
    sent: 30,
    failed: 0,
    waiting: 0,
    skipped: { noConsent: 10, capped: 10 },
    failures: {},
  })
  await start(ws, campaign)
  assert.equal(push.tokens().length, 30)
  assert.equal(new Set(push.tokens()).size, 30)
})

test('M-DISP-12 G-70 at most five messages of campaigns and journeys a day, while the switch is on', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A'])
  for (let n = 0; n < 5; n++) await start(ws, campaignOf())
  const sixth = campaignOf()
  await start(ws, sixth)
  assert.deepEqual((await pushOf(ws, sixth))?.skipped, { frequencyCapped: 1 })
  assert.equal(push.tokens().length, 5)
  const answer = await ws.admin.post('/notifications', { userId: 'A', channel: 'push', content: { body: 'x' } })
  assert.deepEqual(answer.data, { sent: true }, 'one-off messages are no part of it')
  expectStatus(await ws.admin.put('/settings/features', { features: { frequency_caps: false } }), 200)
  await start(ws, campaignOf())
  assert.equal(push.tokens().length, 7)
  expectStatus(await ws.admin.put('/settings/features', { features: { frequency_caps: true } }), 200)
  await advance(86_401)
  await start(ws, campaignOf())
  assert.equal(push.tokens().length, 8)
})

test('C-ERASE-08 whoever was erased and comes back has got nothing today', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  const headers = { 'x-cf-device': 'D' }
  const join = async () => {
    await identify(ws.app, 'D', 'U')
    expectStatus(await ws.app.post('/register-push', { token: 't', ...OF_HUAWEI }, { headers }), 200)
    expectStatus(await ws.app.post('/consent', { deviceId: 'D', userId: 'U', channels: { push: true } }), 200)
  }
  await join()
  for (let n = 0; n < 6; n++) await start(ws, campaignOf())
  assert.equal(push.calls().length, 5)
  expectStatus(await ws.app.delete('/identify', { headers }), 200)
  await join()
  await start(ws, campaignOf())
  assert.equal(push.calls().length, 6)
})

test('G-50 G-73 the language is the one the person asked for last, its parent, the source language; a variant is laid over it', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B', 'C'])
  const ask = async (deviceId: string, userId: string, language: string) =>
    expectStatus(await ws.app.post('/identify', { deviceId, userId, consent: true }, { headers: { 'accept-language': language } }), 200)
  await ask('dA', 'A', 'ar-EG')
  await ask('dB', 'B', 'fr')
  const variants = [
    { id: 'x', weight: 1, values: { title: 'X' } },
    { id: 'y', weight: 1, values: { title: 'Y' } },
  ]
  await start(ws, campaignOf({ content: { ar: { title: 'مرحبا', body: 'a' }, en: { title: 'Hi', body: 'e', variants } } }))
  const titles = new Map(push.calls().map(({ token, notification }) => [token[0], notification.title]))
  assert.equal(titles.get('token-A'), 'مرحبا')
  for (const token of ['token-B', 'token-C']) assert.match(titles.get(token), /^[XY]$/)
})

test('G-50 a language that an app asks for when it reads counts as one it says when it identifies', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A'])
  const localeOf = async () =>
    (await ctx.db.selectFrom('profiles').select(['locale', 'language']).where('workspace_id', '=', ws.id).execute()).map(
      ({ locale, language }) => [locale, language],
    )
  const asks = (path: string, headers = {}, device = 'dA') => ws.app.get(path, { headers: { 'x-cf-device': device, ...headers } })
  await identify(ws.app, 'dA', 'A')
  for (const [path, headers, locale, language] of [
    ['/strings?locale=fr-CA', { 'accept-language': 'de' }, 'fr-CA', 'fr'],
    ['/strings', { 'accept-language': 'de, en;q=0.5' }, 'de', 'de'],
    ['/sync?locale=ar-EG', {}, 'ar-EG', 'ar'],
    ['/blocks/journey_message?locale=tr', {}, 'tr', 'tr'],
  ] as const) {
    expectStatus(await asks(path, headers), 200)
    await until(`${path} is heard`, async () => (await localeOf())[0]?.[0] === locale)
    assert.deepEqual(await localeOf(), [[locale, language]])
  }
  expectStatus(await ws.app.post('/campaigns', {}, { headers: { 'x-cf-device': 'dA', 'accept-language': 'ar-SA' } }), 200)
  await until('campaigns are heard', async () => (await localeOf())[0]?.[0] === 'ar-SA')
  // Neither another environment nor whoever said no is written about.
  await identify(ws.app, 'dB', 'B')
  await deny(ws.app, 'dB')
  await asks('/sync?locale=it', {}, 'dB')
  await ws.testApp.get('/sync?locale=it', { headers: { 'x-cf-device': 'dA' } })
  await asks('/sync?locale=*', {}, 'dA')
  await asks('/sync?locale=ar', {})
  await until('the last is heard', async () => (await localeOf()).some(([locale]) => locale === 'ar'))
  assert.ok(!(await localeOf()).some(([locale]) => locale === 'it'))
  await start(ws, campaignOf({ content: { ar: { title: 'مرحبا', body: 'a' }, en: { title: 'Hi', body: 'e' } } }))
  assert.deepEqual(
    push.calls().map(({ notification }) => notification.title),
    ['مرحبا'],
  )
})

test('M-DISP-09 a message is tried three times, with waits between; the third may succeed', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A'])
  const down = { status: 500, body: { code: '81000001', msg: 'busy' } }
  push.queue.push(down, down)
  const campaign = campaignOf()
  await start(ws, campaign)
  await work()
  assert.equal(push.calls().length, 1, 'not before its time')
  await advance(60)
  await work()
  assert.equal(push.calls().length, 2)
  await advance(120)
  await work()
  assert.deepEqual(await pushOf(ws, campaign), { attempted: 1, sent: 1, failed: 0, waiting: 0, skipped: {}, failures: {} })
  push.queue.push(down, down, down, down)
  const other = campaignOf()
  await start(ws, other)
  for (let n = 0; n < 5; n++) {
    await advance(300)
    await work()
  }
  assert.equal(push.calls().length, 6)
  assert.deepEqual((await pushOf(ws, other))?.failures, { busy: 1 })
})

test('M-DISP-10 a token that is nobody s any more goes, and is not tried again', async () => {
  const ws = await workspace()
  const push = await openPush()
  const channel = await push.connect(ws.admin)
  await addPeople(ws, ['A'])
  const gone = { status: 200, body: { code: '80300007', msg: 'All tokens are invalid' } }
  push.queue.push(gone)
  const first = campaignOf()
  await start(ws, first)
  assert.equal((await pushOf(ws, first))?.failed, 1)
  await start(ws, campaignOf())
  assert.equal(push.calls().length, 2, 'the channel might be set up for another app: the token is kept until it took a message')
  push.queue.push(gone)
  await start(ws, campaignOf())
  const last = campaignOf()
  await start(ws, last)
  assert.equal(push.calls().length, 3)
  assert.deepEqual((await pushOf(ws, last))?.skipped, { noContact: 1 })
  assert.notEqual(expectStatus(await ws.admin.get(`/notifications/channels/${channel.id}`), 200).data.sentAt, null)
})

test('M-CHAN-13 M-DISP-01 a campaign without a provider fails for everybody, in the words of the documents', async () => {
  const ws = await workspace()
  await addPeople(ws, ['A', 'B'])
  const campaign = campaignOf({ channels: ['push', 'sms'] })
  await start(ws, campaign)
  const { channels } = await report(ws, campaign)
  assert.deepEqual(channels['push']?.failures, { 'No active channel configuration found': 2 })
  assert.deepEqual(channels['sms']?.skipped, { noContact: 2 })
  // Once there is one, the next update reaches them (M-DISP-01).
  await start(ws, campaign)
  assert.equal((await pushOf(ws, campaign))?.failed, 2)
  const push = await openPush()
  await push.connect(ws.admin)
  await start(ws, campaign)
  const { sent, failed } = (await pushOf(ws, campaign)) ?? {}
  assert.deepEqual([push.calls().length, sent, failed], [2, 2, 0])
  await start(ws, campaign)
  assert.equal(push.calls().length, 2)
})

test('M-DISP-02 before its start nothing leaves; after its end nothing does any more', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A'])
  const at = (seconds: number) => new Date(ctx.clock.ms() + seconds * 1_000).toISOString()
  const later = campaignOf({ window: { startTime: at(600) } })
  await start(ws, later)
  assert.equal(push.calls().length, 0)
  await advance(601)
  await work()
  assert.equal(push.calls().length, 1)
  const over = campaignOf({ window: { endTime: at(-1) } })
  await start(ws, over)
  assert.equal(push.calls().length, 1)
})

test('M-DISP-03 what is more than a day late is missed', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A'])
  const campaign = campaignOf()
  await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.clock.now()
    await startDispatches(
      {
        tx,
        now,
        workspaceId: ws.id,
        actor: 'a',
        submitter: 'a',
        mayPublish: true,
        require: () => assert.fail(),
        limits: {},
        touch: () => {},
        emit: () => {},
        nudge: () => {},
        audited: () => {},
        auditedPerson: () => {},
      },
      campaign,
    )
  })
  await advance(25 * 3_600)
  await work()
  assert.deepEqual([push.calls().length, (await report(ws, campaign)).missed], [0, true])
})

test('what is stopped sends nothing more, and goes on where it was', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B'])
  push.queue.push({ status: 500, body: { code: '81000001', msg: 'busy' } })
  const campaign = campaignOf()
  await start(ws, campaign)
  await ctx.change({ workspaceId: ws.id, actor: 'a' }, (change) => stopDispatches(change, campaign))
  await advance(3_600)
  await work()
  assert.equal(push.calls().length, 2)
  assert.equal((await pushOf(ws, campaign))?.waiting, 1)
  await start(ws, campaign)
  assert.equal((await pushOf(ws, campaign))?.sent, 2)
})

test('a step of a journey goes to the people it is handed, once each', async () => {
  const ws = await workspace()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['A', 'B', 'C'])
  const ids = await ctx.db.selectFrom('profiles').select(['id', 'user_id']).where('workspace_id', '=', ws.id).execute()
  const idOf = (userId: string) => ids.find((row) => row.user_id === userId)!.id
  const step = { source: 'journey', sourceId: 'j1', step: 's1', occasion: 0, name: 'Welcome', channel: 'email', content } as const
  const queue = async (...userIds: string[]) => {
    await ctx.change({ workspaceId: ws.id, actor: 'a' }, (change) => queueSends(change, step, userIds.map(idOf)))
    await work()
  }
  await queue('A', 'B')
  await queue('B', 'C')
  assert.deepEqual(
    email
      .mails()
      .map(({ to }) => to[0])
      .toSorted(),
    ['a@example.com', 'b@example.com', 'c@example.com'],
  )
  assert.match(email.mails()[0]?.html, /<h1[^>]*>Hi<\/h1>/)
})
