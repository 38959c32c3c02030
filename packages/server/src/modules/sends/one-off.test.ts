/** One-off messages to a person and to a segment, through stand-ins of providers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { identify } from '../../../test/builders/people.ts'
import { addPeople, OF_HUAWEI, openEmail, openPush } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, advance, anyone } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

const content = { title: 'Hello {{name}}', body: 'Your code is 7' }
const send = async ({ admin }: Workspace, userId: string, body: object = {}) =>
  expectStatus(await admin.post('/notifications', { userId, channel: 'push', content: { body: 'x' }, ...body }), 200)

test('M-CHAN-13 M-ERR-18 without a provider nothing is sent, and it is said so without a code', async () => {
  const ws = await workspace()
  await addPeople(ws, ['U'])
  const { id } = expectStatus(
    await ws.admin.post('/segments', {
      name: 'S',
      logicalOperator: 'AND',
      rules: [{ field: 'demographic.email', operator: 'exists', value: true }],
    }),
    201,
  ).data
  const answer = { success: false, error: 'No active channel configuration found' }
  assert.deepEqual((await send(ws, 'U')).body, answer)
  assert.deepEqual(expectStatus(await ws.admin.post(`/notifications/segment/${id}`, { channel: 'sms', content }), 200).body, answer)
  const push = await openPush()
  const channel = await push.connect(ws.admin, { active: false })
  assert.deepEqual((await send(ws, 'U')).body, answer)
  expectStatus(await ws.admin.put(`/notifications/channels/${channel.id}`, { active: true }), 200)
  assert.deepEqual((await send(ws, 'U')).data, { sent: true })
})

test('M-NOTIF-01 M-NOTIF-03 M-DISP-13 C-CONS-04 one message to a person who agreed; otherwise why not', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['U', 'V', 'W', 'X'], (id) => ({
    ...(id === 'V' && { consent: { email: true } }),
    ...(id === 'W' && { consent: { push: false } }),
    ...(id === 'X' && { deviceToken: undefined }),
  }))
  assert.deepEqual((await send(ws, 'U')).data, { sent: true })
  assert.deepEqual((await send(ws, 'V')).data, { sent: false, reason: 'noConsent' })
  assert.deepEqual((await send(ws, 'W')).data, { sent: false, reason: 'noConsent' })
  assert.deepEqual((await send(ws, 'X')).data, { sent: false, reason: 'noContact' })
  assert.deepEqual((await send(ws, 'nobody')).data, { sent: false, reason: 'no_profile' })
  assert.deepEqual(push.tokens(), ['token-U'])
  assert.deepEqual((await send(ws, 'U')).data, { sent: true }, 'two messages are two')
  assert.equal(push.tokens().length, 2)
})

test('C-CONS-05 M-SUPP-10 X-INT-13 an opt-out bars every channel whatever the flags say; suppression takes the consent away', async () => {
  const ws = await workspace()
  const [push, email] = [await openPush(), await openEmail()]
  await push.connect(ws.admin)
  await email.connect(ws.admin)
  await addPeople(ws, ['U', 'V'])
  expectStatus(await ws.admin.put('/users/U/opt-out', { optedOut: true }), 200)
  for (const channel of ['push', 'email'])
    assert.deepEqual((await send(ws, 'U', { channel })).data, { sent: false, reason: 'pdpl_opt_out' }, channel)
  expectStatus(await ws.admin.post('/users/bulk/suppress', { userIds: ['U', 'V'] }), 200)
  assert.deepEqual((await send(ws, 'U')).data.reason, 'pdpl_opt_out')
  assert.deepEqual((await send(ws, 'V')).data.reason, 'noConsent')
  expectStatus(await ws.admin.post('/users/bulk/unsuppress', { userIds: ['U', 'V'] }), 200)
  assert.deepEqual((await send(ws, 'U')).data.reason, 'pdpl_opt_out')
  assert.deepEqual((await send(ws, 'V')).data, { sent: true })
  assert.deepEqual(email.mails(), [])
})

test('X-INT-14 a contact row does not open up a person who is suppressed', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['U'])
  expectStatus(await ws.admin.post('/users/bulk/suppress', { userIds: ['U'] }), 200)
  await addPeople(ws, ['U'])
  assert.deepEqual((await send(ws, 'U')).data, { sent: false, reason: 'noConsent' })
  assert.deepEqual(push.calls(), [])
})

test('M-NOTIF-02 M-NOTIF-05 everybody in a segment, by its id or its name, gets one message', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['A', 'B', 'C', 'D'], (id) => ({
    country: id === 'D' ? 'EG' : 'SA',
    ...(id === 'C' && { consent: { email: true } }),
  }))
  const body = { name: 'Riyadh', logicalOperator: 'AND', rules: [{ field: 'demographic.country', operator: 'equals', value: 'SA' }] }
  const { id } = expectStatus(await ws.admin.post('/segments', body), 201).data
  const first = expectStatus(await ws.admin.post(`/notifications/segment/${id}`, { channel: 'push', content: { body: 'x' } }), 202)
  assert.deepEqual(first.data, { recipients: 3, sent: 2, skipped: { noConsent: 1 }, failed: 0, waiting: 0 })
  assert.deepEqual(push.tokens().toSorted(), ['token-A', 'token-B'])
  const again = expectStatus(await ws.admin.post('/notifications/segment/Riyadh', { channel: 'push', content: { body: 'y' } }), 202)
  assert.equal(again.data.sent, 2)
  for (const body of [{ channel: 'push', content: { body: 'y' } }, {}])
    expectStatus(await ws.admin.post('/notifications/segment/nothing', body), 404)
})

test('M-NOTIF-04 only a signed-in editor of the workspace sends', async () => {
  const ws = await workspace()
  const body = { userId: 'U', channel: 'push', content: { body: 'x' } }
  expectStatus(await anyone.post('/api/v1/notifications', body), 401)
  expectStatus(await anyone.post('/api/v1/notifications/segment/S', body), 401)
  expectStatus(await (await ws.viewer()).post('/notifications', body), 403)
  expectStatus(await (await ws.editor()).post('/notifications', body), 200)
})

test('what cannot be a message is refused, and nothing is sent', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['U'])
  const right = { userId: 'U', channel: 'push', content: { body: 'x' } }
  for (const wrong of [
    {},
    [],
    { ...right, userId: '' },
    { ...right, userId: 7 },
    { ...right, channel: 'in_app' },
    { ...right, channel: 'fax' },
    { ...right, content: {} },
    { ...right, content: { body: '' } },
    { ...right, content: { body: '  ' } },
    { ...right, content: { body: 'x'.repeat(20_001) } },
    { ...right, content: { body: 'x', ctaUrl: 'javascript:alert(1)' } },
    { ...right, content: { body: 'x', imageUrl: 'ftp://x' } },
  ])
    expectStatus(await ws.admin.post('/notifications', wrong), 400)
  assert.deepEqual(push.calls(), [])
})

test('M-DISP-06 tokens are filled with what is known of the person; one that is not known keeps the message back', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['U'])
  await identify(ws.app, 'D', 'U', { name: 'Sara', traits: { plan: 'gold', n: 3, o: {} } })
  const say = async (title: string) => (await send(ws, 'U', { content: { title, body: 'b' } })).data
  for (const right of ['Hi {{name}}', 'Hi {{ name }}', '{{userId}}: {{customAttributes.plan}} {{customAttributes.n}}', '}} {{{name}}}'])
    assert.deepEqual(await say(right), { sent: true }, right)
  assert.deepEqual(
    push.calls().map(({ notification }) => notification.title),
    ['Hi Sara', 'Hi Sara', 'U: gold 3', '}} {Sara}'],
  )
  for (const wrong of [
    '{{missing}}',
    '{{customAttributes.none}}',
    '{{customAttributes.o}}',
    '{{a.b.c}}',
    '{{{{name}}}}',
    '{{name',
    '{{}}',
    '{{constructor}}',
    '{{customAttributes.__proto__}}',
  ])
    assert.deepEqual(await say(wrong), { sent: false, reason: 'unresolvedToken' }, wrong)
  assert.equal((await say('{{name}}'.repeat(60))).sent, true)
})

test('C-PUSH-10 C-PUSH-13 C-PUSH-14 C-PUSH-19 C-PUSH-21 C-OUT-02 X-INT-24 whose token it is decides whom a message reaches; consent is another matter', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  const register = async (deviceId: string, token: string) =>
    expectStatus(await ws.app.post('/register-push', { token, ...OF_HUAWEI }, { headers: { 'x-cf-device': deviceId } }), 200)
  const allow = async (deviceId: string, userId: string, isOn: boolean) =>
    expectStatus(await ws.app.post('/consent', { deviceId, userId, channels: { push: isOn } }), 200)
  await identify(ws.app, 'D', 'U')
  await identify(ws.app, 'E', 'V')
  await register('D', 't')
  assert.equal((await send(ws, 'U')).data.reason, 'noConsent', 'a token is no consent')
  await allow('D', 'U', true)
  await allow('E', 'V', true)
  assert.deepEqual((await send(ws, 'U')).data, { sent: true })
  await register('E', 't')
  assert.equal((await send(ws, 'U')).data.reason, 'noContact')
  assert.deepEqual((await send(ws, 'V')).data, { sent: true })
  await allow('E', 'V', false)
  assert.equal((await send(ws, 'V')).data.reason, 'noConsent')
  await allow('E', 'V', true)
  assert.deepEqual((await send(ws, 'V')).data, { sent: true }, 'withdrawing consent takes no token')
  const hours = { quietHours: { start: '00:00', end: '23:59', timezone: 'UTC' }, urgentOnly: true }
  expectStatus(await ws.app.patch('/push/preferences', hours, { headers: { 'x-cf-device': 'E' } }), 200)
  assert.deepEqual((await send(ws, 'V')).data, { sent: true }, 'preferences are stored and not applied')
  expectStatus(await ws.app.post('/logout', {}, { headers: { 'x-cf-device': 'E' } }), 200)
  assert.equal((await send(ws, 'V')).data.reason, 'noContact')
  assert.deepEqual(push.tokens(), ['t', 't', 't', 't'])
})

test('C-PUSH-11 C-PUSH-12 X-INT-25 a token goes with the device to whoever identifies with consent', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['U', 'U2'], () => ({ deviceToken: undefined }))
  expectStatus(await ws.app.post('/register-push', { token: 't', ...OF_HUAWEI }, { headers: { 'x-cf-device': 'D' } }), 200)
  await ws.app.post('/identify', { deviceId: 'D', userId: 'U', consent: false })
  assert.equal((await send(ws, 'U')).data.reason, 'noContact')
  await identify(ws.app, 'D', 'U')
  assert.deepEqual((await send(ws, 'U')).data, { sent: true })
  await identify(ws.app, 'D', 'U2')
  assert.equal((await send(ws, 'U')).data.reason, 'noContact')
  assert.deepEqual((await send(ws, 'U2')).data, { sent: true })
})

test('C-PUSH-25 C-LIMIT-14 a message goes to the ten newest installs of a person', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  for (let n = 1; n <= 12; n++) {
    const headers = { 'x-cf-device': `D${n}` }
    expectStatus(await ws.app.post('/register-push', { token: `t${n}`, ...OF_HUAWEI }, { headers }), 200)
    await identify(ws.app, `D${n}`, 'U')
    await advance(1)
  }
  expectStatus(await ws.app.post('/consent', { deviceId: 'D1', userId: 'U', channels: { push: true } }), 200)
  assert.deepEqual((await send(ws, 'U')).data, { sent: true })
  assert.deepEqual(
    push.tokens(),
    Array.from({ length: 10 }, (_, index) => `t${12 - index}`),
  )
})

test('C-ERASE-10 C-ERASE-17 after an erasure nothing goes to its tokens, and consent has to be given anew', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  const headers = { 'x-cf-device': 'D' }
  const join = async () => {
    await identify(ws.app, 'D', 'U')
    expectStatus(await ws.app.post('/register-push', { token: 't', ...OF_HUAWEI }, { headers }), 200)
  }
  await join()
  expectStatus(await ws.app.post('/consent', { deviceId: 'D', userId: 'U', channels: { push: true } }), 200)
  expectStatus(await ws.app.delete('/identify', { headers }), 200)
  assert.equal((await send(ws, 'U')).data.reason, 'no_profile')
  await join()
  assert.equal((await send(ws, 'U')).data.reason, 'noConsent')
  expectStatus(await ws.app.post('/consent', { deviceId: 'D', userId: 'U', channels: { push: true } }), 200)
  assert.deepEqual((await send(ws, 'U')).data, { sent: true })
  assert.equal(push.tokens().length, 1)
})

test('M-CHAN-09 of two providers the higher one sends', async () => {
  const ws = await workspace()
  const [low, high] = [await openEmail(), await openEmail()]
  await low.connect(ws.admin, { priority: 1 })
  await high.connect(ws.admin, { priority: 2 })
  await addPeople(ws, ['U'])
  assert.deepEqual((await send(ws, 'U', { channel: 'email' })).data, { sent: true })
  assert.deepEqual([low.mails().length, high.mails().length], [0, 1])
})

test('M-BULK-06 the token of a contact reaches the person', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['U'])
  assert.deepEqual((await send(ws, 'U')).data, { sent: true })
  assert.deepEqual(push.tokens(), ['token-U'])
})

test('GET /sends says what became of each message, newest first', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['U', 'V'], (id) => (id === 'V' ? { consent: {} } : {}))
  await send(ws, 'U', { content: { title: 'One', body: 'x' } })
  await advance(1)
  await send(ws, 'U', { content: { title: 'Two {{no}}', body: 'x' } })
  await send(ws, 'V')
  const list = async (query: string) => expectStatus(await ws.admin.get(`/sends?${query}`), 200)
  const all = await list('userId=U')
  const short = (answer: typeof all) => answer.data.sends.map(({ name, state, reason }: any) => [name, state, reason])
  assert.deepEqual(short(all), [
    ['Two {{no}}', 'skipped', 'unresolvedToken'],
    ['One', 'sent', null],
  ])
  assert.equal(all.data.sends[1].provider, 'hms')
  assert.deepEqual(short(await list('userId=U&state=sent')), [['One', 'sent', null]])
  const first = await list('userId=U&limit=1')
  assert.equal(first.body.metadata.total, 2)
  assert.deepEqual(short(await list(`userId=U&limit=1&cursor=${encodeURIComponent(first.body.metadata.nextCursor)}`)), [
    ['One', 'sent', null],
  ])
  expectStatus(await ws.admin.get('/sends'), 400)
  expectStatus(await ws.admin.get('/sends?userId=nobody'), 404)
  expectStatus(await ws.admin.get('/sends?userId=U&cursor=x'), 400)
})
