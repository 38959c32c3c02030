/** Protection `confirmErasures`: whoever holds the key of an app erases nobody at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Workspace } from '../../../../test/builders/builders.ts'
import { erase, identify, personRow } from '../../../../test/builders/people.ts'
import { addPeople, openEmail } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const PUBLIC = 'https://flow.example'
const { ctx, workspace, operator, anyone, advance, url } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC })

async function guarded(email = uniqueEmail()): Promise<Workspace> {
  const ws = await workspace({ email })
  expectStatus(await ws.admin.put('/settings/protections', { protections: { confirmErasures: true } }), 200)
  return ws
}
const isThere = async (ws: Workspace, userId: string) => (await personRow(ctx, ws.id, userId)) !== undefined
const requests = async (ws: Workspace, query = '') => expectStatus(await ws.admin.get(`/erasure-requests${query}`), 200).data.requests
const runErasure = async () => expectStatus(await operator.post('/test-hooks/jobs', { job: 'erasure' }), 200)

/** The path of the link in the only mail. */
function linkIn(mail: { html: string; text: string }): string {
  const [, path = ''] = /href="https:\/\/flow\.example(\/api\/v1\/confirm-erasure\/[\w-]+)"/.exec(mail.html) ?? []
  assert.ok(path !== '' && mail.text.includes(path), mail.html)
  return path
}

test('a device that has just become the user’s files a request, once, with the capability or without; the person stays and is told by nobody', async () => {
  const ws = await guarded()
  await addPeople(ws, ['U'])
  await identify(ws.app, 'stranger', 'U')
  const asked = await Promise.all([erase(ws.app, 'stranger'), erase(ws.app, 'stranger', 'erasure-partial-v1'), erase(ws.app, 'stranger')])
  for (const answer of asked) {
    expectStatus(answer, 202)
    assert.deepEqual(
      { ...answer.data, requestId: typeof answer.data.requestId },
      { localWipeSafe: false, requested: true, requestId: 'string' },
    )
  }
  assert.equal(new Set(asked.map(({ data }) => data.requestId)).size, 1)
  assert.ok(await isThere(ws, 'U'))
  // Nothing is pending: neither the person nor anybody else is kept out.
  await identify(ws.app, 'own', 'U')
  const [request, ...others] = await requests(ws)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [request.state, request.userId, request.environment, request.decidedBy, request.erasureId],
    ['open', 'U', 'live', null, null],
  )
  assert.deepEqual(expectStatus(await (await ws.viewer()).get('/erasure-requests?state=open'), 200).body.metadata, {
    total: 1,
    nextCursor: null,
  })
})

test('the same of both client roots; an anonymous person, a key of a server, a device of long standing and the switch turned off erase at once', async () => {
  const ws = await guarded()
  await identify(ws.app, 'D', 'U')
  const legacy = clientOf(`${url}/api/v1/sdk`, { 'x-cf-key': ws.live })
  expectStatus(await erase(legacy, 'D'), 202)
  await identify(ws.app, 'nobody')
  expectStatus(await erase(ws.app, 'nobody'), 200)
  const { key } = await ws.key('secret', 'live')
  const server = clientOf(`${url}/sdk/v1`, { 'x-cf-key': key })
  expectStatus(await erase(server, 'D'), 200)
  assert.equal(await isThere(ws, 'U'), false)
  assert.deepEqual(await requests(ws), [], 'a request goes with the person it is about')

  await identify(ws.app, 'F', 'W')
  expectStatus(await ws.admin.put('/settings/protections', { protections: { confirmErasures: false } }), 200)
  expectStatus(await erase(ws.app, 'F'), 200)
  expectStatus(await ws.admin.put('/settings/protections', { protections: { confirmErasures: true } }), 200)

  await identify(ws.app, 'E', 'V')
  await advance(12 * 3_600)
  await identify(ws.app, 'E', 'V')
  expectStatus(await erase(ws.app, 'E'), 202)
  await advance(12 * 3_600)
  // Of a record that lapsed nobody is signed in, but the person stays on it.
  expectStatus(await erase(ws.app, 'E'), 200)
  assert.equal(await isThere(ws, 'V'), false)
})

test('signing out and in again begins the day anew', async () => {
  const ws = await guarded()
  await identify(ws.app, 'D', 'U')
  await advance(25 * 3_600)
  expectStatus(await ws.app.post('/logout', { deviceId: 'D' }), 200)
  await identify(ws.app, 'D', 'U')
  expectStatus(await erase(ws.app, 'D'), 202)
})

test('an admin confirms or rejects; what is decided is over, and says nothing of the person any more', async () => {
  const ws = await guarded()
  await identify(ws.app, 'D', 'U')
  const { requestId: first } = expectStatus(await erase(ws.app, 'D'), 202).data
  for (const member of [await ws.viewer(), await ws.editor()])
    for (const decision of ['confirm', 'reject'])
      assert.equal(expectStatus(await member.post(`/erasure-requests/${first}/${decision}`), 403).body.code, 'ROLE_REQUIRED')
  const rejected = expectStatus(await ws.admin.post(`/erasure-requests/${first}/reject`), 200).data
  assert.deepEqual([rejected.state, rejected.userId, rejected.erasureId], ['rejected', null, null])
  assert.ok(await isThere(ws, 'U'))
  const { requestId: second } = expectStatus(await erase(ws.app, 'D'), 202).data
  assert.notEqual(second, first)
  const confirmed = expectStatus(await ws.admin.post(`/erasure-requests/${second}/confirm`), 200).data
  assert.deepEqual([confirmed.state, confirmed.userId], ['confirmed', null])
  assert.equal(await isThere(ws, 'U'), false)
  assert.equal(expectStatus(await ws.admin.get(`/erasures/${confirmed.erasureId}`), 200).data.status, 'complete')
  for (const id of [first, second])
    for (const decision of ['confirm', 'reject'])
      assert.equal(expectStatus(await ws.admin.post(`/erasure-requests/${id}/${decision}`), 409).body.code, 'ERASURE_REQUEST_OVER')
  expectStatus(await ws.admin.post('/erasure-requests/nothing/confirm'), 404)
  assert.deepEqual(
    (await requests(ws)).map(({ state }: { state: string }) => state),
    ['confirmed', 'rejected'],
  )
  assert.deepEqual((await requests(ws, '?state=rejected')).length, 1)
})

test('of two who decide at once one does', async () => {
  const ws = await guarded()
  await identify(ws.app, 'D', 'U')
  const { requestId } = expectStatus(await erase(ws.app, 'D'), 202).data
  const answers = await Promise.all(['confirm', 'reject', 'confirm'].map((each) => ws.admin.post(`/erasure-requests/${requestId}/${each}`)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
})

test('the person confirms by the link of a mail, in their language; to look changes nothing', async () => {
  const ws = await guarded()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U'])
  await ws.app.post(
    '/identify',
    { deviceId: 'D', userId: 'U', consent: true, name: 'visit evil.example' },
    { headers: { 'accept-language': 'ar' } },
  )
  const { requestId } = expectStatus(await erase(ws.app, 'D'), 202).data
  await runErasure()
  const [mail, ...others] = email.mails()
  assert.deepEqual([others.length, mail.to[0]], [0, 'u@example.com'])
  assert.match(mail.html, /dir="rtl"/)
  assert.ok(!mail.html.includes('evil') && !mail.html.includes(ws.id))
  const path = linkIn(mail)
  const page = await anyone.get(path, { headers: { 'accept-language': 'en' } })
  assert.deepEqual([page.status, /Erase my data<\/button>/.test(page.text)], [200, true])
  assert.ok(await isThere(ws, 'U'))
  for (const wrong of [`${path}x`, path.replace('confirm-erasure', 'unsubscribe')]) assert.equal((await anyone.post(wrong)).status, 404)
  assert.equal((await anyone.post(path)).status, 200)
  assert.equal(await isThere(ws, 'U'), false)
  for (const method of ['get', 'post'] as const) assert.equal((await anyone[method](path)).status, 410)
  const [row] = await requests(ws)
  assert.deepEqual([row.id, row.state, row.decidedBy, row.mailedAt !== null], [requestId, 'confirmed', 'person', true])
})

test('an address that an app has just named is asked nothing: it may be that of whoever asks', async () => {
  const ws = await guarded()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U', 'V'])
  await identify(ws.app, 'D', 'U', { email: 'stranger@example.com' })
  // What an app says again is no news.
  await identify(ws.app, 'E', 'V', { email: 'v@example.com' })
  for (const device of ['D', 'E']) expectStatus(await erase(ws.app, device), 202)
  await runErasure()
  assert.deepEqual(
    email.mails().map(({ to }) => to[0]),
    ['v@example.com'],
  )
  await runErasure()
  assert.equal(email.mails().length, 1)
})

test('a request expires after 30 days, and another can be filed', async () => {
  const email = uniqueEmail()
  const ws = await guarded(email)
  await identify(ws.app, 'D', 'U')
  const { requestId } = expectStatus(await erase(ws.app, 'D'), 202).data
  await advance(30 * 86_400 + 1)
  const { token } = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', { email, password: PASSWORD }), 200).data
  ws.admin = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
  assert.deepEqual((await requests(ws, '?state=expired')).length, 1)
  assert.deepEqual(await requests(ws, '?state=open'), [])
  assert.equal(expectStatus(await ws.admin.post(`/erasure-requests/${requestId}/confirm`), 409).body.code, 'ERASURE_REQUEST_OVER')
  await runErasure()
  const [row] = await requests(ws)
  assert.deepEqual([row.state, row.userId], ['expired', null])
  await identify(ws.app, 'E', 'U')
  assert.notEqual(expectStatus(await erase(ws.app, 'E'), 202).data.requestId, requestId)
})

test('the mail is sent once its channel works', async () => {
  const ws = await guarded()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U'])
  await identify(ws.app, 'D', 'U')
  email.next.push({ status: 503 })
  expectStatus(await erase(ws.app, 'D'), 202)
  await runErasure()
  assert.equal((await requests(ws))[0].mailedAt, null)
  await advance(601)
  await runErasure()
  assert.equal((await requests(ws))[0].mailedAt !== null, true)
})

test('while it is on, an address and a key ask for so many erasures an hour', async () => {
  const ws = await guarded()
  for (let n = 0; n < 20; n++) expectStatus(await erase(ws.app, `never-seen-${n}`), 200)
  const refused = expectStatus(await erase(ws.app, 'never-seen'), 429)
  assert.equal(refused.body.code, 'ERASURE_RATE_LIMITED')
  assert.ok(Number(refused.headers.get('retry-after')) > 3_000)
  const { key } = await ws.key('secret', 'live')
  expectStatus(await erase(clientOf(`${url}/sdk/v1`, { 'x-cf-key': key }), 'never-seen'), 200)
  expectStatus(await erase((await workspace()).app, 'never-seen'), 200)
  await advance(3_601)
  expectStatus(await erase(ws.app, 'never-seen'), 200)
})
