/** Campaigns as they meet the channels: what leaves, what is held back, and how it is looked at before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { told } from '../../../test/builders/campaigns.ts'
import { workspaceOverTime } from '../../../test/builders/events.ts'
import { segment } from '../../../test/builders/imports.ts'
import { identify } from '../../../test/builders/people.ts'
import { addPeople, openEmail, openPush } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { ctx, workspace, advance, operator } = app

const work = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
const content = { en: { title: 'Hi {{name}}', body: 'There' }, ar: { title: 'مرحبا', body: 'هنا' } }
const campaignOf = async (ws: Workspace, body: object = {}) => {
  const whole = {
    name: 'Sale',
    type: 'promo',
    segments: ['All users'],
    content: { en: { title: 'Hi', body: 'x' } },
    dispatchChannels: ['push'],
    schedule: {},
    ...body,
  }
  return expectStatus(await ws.admin.post('/campaigns', whole), 201).data.id as string
}
const golive = async (ws: Workspace, id: string) => {
  expectStatus(await (await ws.editor()).post(`/campaigns/${id}/submit-review`, {}), 200)
  expectStatus(await ws.admin.post(`/campaigns/${id}/approve`, { activateTarget: 'live' }), 200)
  await work()
}
const setStatus = async (ws: Workspace, id: string, status: string) => {
  expectStatus(await ws.admin.patch(`/campaigns/${id}/status`, { status }), 200)
  await work()
}
const reportOf = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`/campaigns/${id}/report`), 200).data

test('M-DISP-03 a scheduled campaign that starts more than a day late is active and sends nothing, which its report says', async () => {
  const ws = await workspaceOverTime(app)
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A'])
  const startTime = new Date(ctx.clock.ms() + 300_000).toISOString()
  const schedule = async (name: string) => {
    const id = await campaignOf(ws, { name, schedule: { startTime } })
    expectStatus(await (await ws.editor()).post(`/campaigns/${id}/submit-review`, {}), 200)
    assert.equal(expectStatus(await ws.admin.post(`/campaigns/${id}/approve`, {}), 200).data.status, 'scheduled')
    return id
  }
  const [left, paused] = [await schedule('left'), await schedule('paused')]
  await setStatus(ws, paused, 'paused')
  await advance(300 + 25 * 3_600)
  await work()
  const admin = await ws.signIn()
  const { data } = expectStatus(await admin.get(`/campaigns/${left}/report`), 200)
  assert.deepEqual([data.missed, data.channels.push.sent, push.calls().length], [true, 0, 0])
  assert.equal(expectStatus(await admin.get(`/campaigns/${left}`), 200).data.status, 'active')
  // Somebody who lets it go on now means it.
  await setStatus({ ...ws, admin }, paused, 'active')
  await advance(60)
  await work()
  assert.equal(push.calls().length, 1)
})

test('M-DISP-01 M-CAMP-38 M-DISP-08 a campaign sends when it goes live, and again to the rest when it is changed', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B'], (id) => (id === 'B' ? { consent: {} } : {}))
  const id = await campaignOf(ws)
  assert.equal(push.calls().length, 0)
  await golive(ws, id)
  assert.deepEqual(push.tokens(), ['token-A'])
  const report = await reportOf(ws, id)
  assert.deepEqual(
    [report.campaignId, report.missed, report.channels.push.sent, report.channels.push.skipped],
    [id, false, 1, { noConsent: 1 }],
  )
  await addPeople(ws, ['B'])
  expectStatus(await ws.admin.put(`/campaigns/${id}`, { content: { en: { title: 'Newer', body: 'x' } } }), 200)
  await work()
  assert.deepEqual(
    push.calls().map(({ token, notification }) => [token[0], notification.title]),
    [
      ['token-A', 'Hi'],
      ['token-B', 'Newer'],
    ],
  )
  const nobody = await campaignOf(ws, { segments: [] })
  await golive(ws, nobody)
  assert.deepEqual(await reportOf(ws, nobody), { campaignId: nobody, missed: false, channels: {} })
})

test('M-CAMP-38 X-INT-27 what is in test, paused, completed or a draft sends nothing', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B', 'C'])
  const id = await campaignOf(ws)
  expectStatus(await (await ws.editor()).post(`/campaigns/${id}/submit-review`, {}), 200)
  expectStatus(await ws.admin.post(`/campaigns/${id}/approve`, { activateTarget: 'test' }), 200)
  await work()
  assert.equal(push.calls().length, 0)
  push.queue.push({ status: 500, body: { code: '81000001', msg: 'busy' } })
  await setStatus(ws, id, 'active')
  assert.equal((await reportOf(ws, id)).channels.push.waiting, 1)
  await setStatus(ws, id, 'paused')
  await advance(600)
  await work()
  assert.equal(push.calls().length, 3)
  await setStatus(ws, id, 'active')
  assert.equal((await reportOf(ws, id)).channels.push.sent, 3)
  await addPeople(ws, ['D'])
  await setStatus(ws, id, 'completed')
  await work()
  assert.equal(push.calls().length, 4)
})

test('X-INT-31 what somebody without approval rights changes is sent to nobody before it is approved', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A'])
  const id = await campaignOf(ws)
  await golive(ws, id)
  await addPeople(ws, ['B'])
  expectStatus(await (await ws.editor()).put(`/campaigns/${id}`, { content: { en: { title: 'Unseen', body: 'x' } } }), 202)
  await work()
  assert.deepEqual(
    push.calls().map(({ notification }) => notification.title),
    ['Hi'],
  )
})

test('M-DISP-02 G-71 nothing leaves in a prayer blackout; it leaves in the minute the blackout ends', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A'])
  const prayerBlackout = { enabled: true, latitude: 21.4225, longitude: 39.8262, minutesBefore: 60, minutesAfter: 60 }
  const id = await campaignOf(ws, { schedule: { prayerBlackout } })
  const held = async () => expectStatus(await ws.admin.post(`/campaigns/${id}/preview`, {}), 200).data.heldUntil
  // Of the five prayers of a day there is always one within nine hours.
  for (let n = 0; n < 40 && (await held()) === null; n++) await advance(900)
  const until = Date.parse(await held())
  await golive(ws, id)
  assert.equal(push.calls().length, 0)
  await advance(Math.ceil((until - ctx.clock.ms()) / 1_000) - 30)
  await work()
  assert.equal(push.calls().length, 0)
  await advance(31)
  await work()
  assert.equal(push.calls().length, 1)
})

test('M-SEG-08 M-SEG-09 a segment of imported values is reached by a campaign', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B'])
  const upload = { sourceRef: 'r', records: [{ userId: 'A', attributes: { tier: 'gold' } }] }
  expectStatus(await ws.admin.post('/enrichment/upload', upload), 201)
  const rule = { field: 'enrichment.tier', operator: 'equals', value: 'gold' }
  expectStatus(await ws.admin.post('/segments', { name: 'Tier gold', logicalOperator: 'AND', rules: [rule] }), 201)
  await golive(ws, await campaignOf(ws, { segments: ['Tier gold'] }))
  assert.deepEqual(push.tokens(), ['token-A'])
})

test('a preview says whom it would reach and what they would read, and writes nothing', async () => {
  const ws = await workspace()
  const [push, email] = [await openPush(), await openEmail()]
  await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B', 'C', 'D'], (id) => ({
    ...(id === 'B' && { consent: { email: true } }),
    ...(id === 'C' && { deviceToken: undefined }),
  }))
  for (const [device, user, language, name] of [
    ['dA', 'A', 'en', 'Amal'],
    ['dD', 'D', 'ar', 'Dana'],
  ] as const)
    expectStatus(
      await ws.app.post('/identify', { deviceId: device, userId: user, consent: true, name }, { headers: { 'accept-language': language } }),
      200,
    )
  const id = await campaignOf(ws, { content, dispatchChannels: ['push', 'email'] })
  const preview = async () => expectStatus(await (await ws.viewer()).post(`/campaigns/${id}/preview`, {}), 200).data
  const before = await preview()
  assert.equal(before.audience, 4)
  assert.deepEqual(
    [before.channels.push.hasProvider, before.channels.push.reachable, before.channels.push.skipped, before.channels.email.hasProvider],
    [true, 2, { noConsent: 1, noContact: 1 }, false],
  )
  assert.deepEqual(before.channels.email.skipped, { unresolvedToken: 2 })
  assert.deepEqual(before.channels.push.samples.map(({ locale, title }: any) => [locale, title]).toSorted(), [
    ['ar', 'مرحبا'],
    ['en', 'Hi Amal'],
  ])
  assert.match(before.channels.email.samples.find(({ locale }: any) => locale === 'ar').html, /dir="rtl"/)
  assert.deepEqual([push.calls(), email.mails()], [[], []])
  await email.connect(ws.admin)
  await golive(ws, id)
  const { channels } = await reportOf(ws, id)
  for (const channel of ['push', 'email']) {
    const expected = (await preview()).channels[channel].skipped
    assert.deepEqual([channels[channel].sent, channels[channel].skipped], [before.channels[channel].reachable, expected])
  }
})

test('a test goes to whoever tries it, or to people who are named and agreed; it is marked, and in no report', async () => {
  const ws = await workspace()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['A', 'B'], (id) => (id === 'B' ? { consent: {} } : {}))
  const id = await campaignOf(ws, { content: { en: { title: 'Hi {{customAttributes.plan}}', body: 'x' } }, dispatchChannels: ['email'] })
  const results = async (to: unknown) => expectStatus(await ws.admin.post(`/campaigns/${id}/test-send`, { to }), 200).data.results
  assert.deepEqual(await results('me'), [{ userId: null, channel: 'email', sent: true }])
  assert.equal(email.mails()[0].subject, '[Test] Hi {{customAttributes.plan}}')
  expectStatus(await ws.app.post('/identify', { deviceId: 'd', userId: 'A', consent: true, traits: { plan: 'gold' } }), 200)
  assert.deepEqual(await results(['A', 'B', 'nobody']), [
    { userId: 'A', channel: 'email', sent: true },
    { userId: 'B', channel: 'email', sent: false, reason: 'noConsent' },
    { userId: 'nobody', channel: 'email', sent: false, reason: 'no_profile' },
  ])
  assert.equal(email.mails()[1].subject, '[Test] Hi gold')
  assert.deepEqual((await reportOf(ws, id)).channels, {})
  for (const to of [[], 'you', ['A', 'A'], [7], undefined]) expectStatus(await ws.admin.post(`/campaigns/${id}/test-send`, { to }), 400)
  for (let n = 0; n < 3; n++) await results('me')
  const refused = await ws.admin.post(`/campaigns/${id}/test-send`, { to: 'me' })
  assert.deepEqual([refused.status, refused.body.code], [429, 'CHANNEL_TEST_RATE_LIMITED'])
  expectStatus(await (await ws.viewer()).post(`/campaigns/${id}/test-send`, { to: 'me' }), 403)
})

test('a test to oneself is in the language that is chosen, with the values of a person or with examples', async () => {
  const ws = await workspace()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['A'])
  expectStatus(await ws.app.post('/identify', { deviceId: 'd', userId: 'A', consent: true, name: 'Huda', traits: { plan: 'gold' } }), 200)
  const content = {
    en: { title: 'Hi {{name}}, {{customAttributes.plan}}', body: 'x' },
    ar: { title: 'مرحبًا {{name}}، {{customAttributes.plan}}', body: 'x' },
  }
  const id = await campaignOf(ws, { content, dispatchChannels: ['email'] })
  const subjectOf = async (body: object) => {
    const { results } = expectStatus(await ws.admin.post(`/campaigns/${id}/test-send`, body), 200).data
    return results[0].sent ? email.mails().at(-1).subject : results[0].reason
  }
  assert.equal(await subjectOf({ to: 'me', locale: 'ar', as: 'A' }), '[Test] مرحبًا Huda، gold')
  assert.match(await subjectOf({ to: 'me', locale: 'en', values: { 'customAttributes.plan': 'silver' } }), /^\[Test\] Hi .+, silver$/)
  assert.equal(await subjectOf({ to: ['A'], locale: 'ar' }), '[Test] مرحبًا Huda، gold')
  assert.equal(await subjectOf({ to: 'me', as: 'nobody' }), 'no_profile')
  for (const wrong of [{ locale: 7 }, { as: '' }, { values: { name: 7 } }])
    expectStatus(await ws.admin.post(`/campaigns/${id}/test-send`, { to: 'me', ...wrong }), 400)
})

test('G-84 what was interrupted is sent again to exactly these, once', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B', 'C'])
  const id = await campaignOf(ws)
  const again = () => ws.admin.post(`/campaigns/${id}/resend-interrupted`, {})
  assert.deepEqual(told(await again()), [409, 'CAMPAIGN_NOT_ACTIVE'])
  push.queue.push('cut', 'cut')
  await golive(ws, id)
  assert.deepEqual((await reportOf(ws, id)).channels.push.failures, { interrupted: 2 })
  assert.deepEqual(told(await (await ws.viewer()).post(`/campaigns/${id}/resend-interrupted`, {})), [403, 'ROLE_REQUIRED'])
  const answers = await Promise.all([again(), again()])
  assert.deepEqual(answers.map((answer) => expectStatus(answer, 200).data.resent).toSorted(), [0, 2])
  await work()
  const { attempted, sent, failures } = (await reportOf(ws, id)).channels.push
  assert.deepEqual([attempted, sent, failures, push.calls().length], [3, 3, {}, 5])
  assert.equal(new Set(push.tokens().slice(2)).size, 3)
  assert.equal(expectStatus(await again(), 200).data.resent, 0)
  await work()
  assert.equal(push.calls().length, 5)
  const [last] = expectStatus(await ws.admin.get(`/campaigns/${id}/history`), 200).data.history
  assert.deepEqual([last.action, last.note], ['resend_interrupted', '2'])
})

test('why somebody gets a campaign or does not: by channel, before it leaves and afterwards', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B'], (id) => (id === 'B' ? { consent: {} } : {}))
  await addPeople(ws, ['T'])
  await identify(ws.app, 'dT', 'T', { traits: { tier: 'gold' } })
  await segment(ws, 'Gold', 'customAttributes.tier', 'equals', 'gold')
  const id = await campaignOf(ws, { segments: ['All users'], dispatchChannels: ['push', 'in_app'] })
  const why = async (userId: string, of = id) => {
    const { data } = expectStatus(await ws.admin.get(`/campaigns/${of}/explain?userId=${userId}`), 200)
    return Object.fromEntries(data.channels.map(({ channel, because }: { channel: string; because: string }) => [channel, because]))
  }
  assert.deepEqual(await why('A'), { push: 'campaign_not_active', in_app: 'campaign_not_active' })
  await golive(ws, id)
  assert.deepEqual(await why('A'), { push: 'sent', in_app: 'shown' })
  assert.deepEqual(await why('B'), { push: 'noConsent', in_app: 'noConsent' })
  await addPeople(ws, ['Late'])
  assert.deepEqual(await why('Late'), { push: 'came_later', in_app: 'shown' })
  assert.deepEqual(told(await ws.admin.get(`/campaigns/${id}/explain?userId=nobody`)), [404, undefined])

  const gold = await campaignOf(ws, { segments: ['Gold'], schedule: { startTime: new Date(ctx.clock.ms() + 3_600_000).toISOString() } })
  await golive(ws, gold)
  assert.deepEqual(await why('T', gold), { push: 'waits' })
  await advance(3_601)
  await work()
  assert.deepEqual(await why('A', gold), { push: 'not_in_audience' })
  const explained = expectStatus(await ws.admin.get(`/campaigns/${gold}/explain?userId=T`), 200).data
  assert.deepEqual(
    [explained.isInAudience, explained.segments, explained.channels[0].because],
    [true, [{ name: 'Gold', isMember: true }], 'sent'],
  )
})

test('what is only shown in the app has an audience in its preview too', async () => {
  const ws = await workspace()
  await addPeople(ws, ['sara', 'omar'])
  const id = await campaignOf(ws, { dispatchChannels: ['in_app'] })
  const { audience, channels } = expectStatus(await ws.admin.post(`/campaigns/${id}/preview`, {}), 200).data
  assert.deepEqual([audience, channels], [2, {}])
})
