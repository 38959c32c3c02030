/** Messages to segments and active journeys pass the gates of a campaign that goes live (G-54, G-92). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, reviewsOf, told } from '../../../test/builders/approvals.ts'
import { expectStatus, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { IN_APP, makeJourney, setStatus } from '../../../test/builders/journeys.ts'
import { addPeople, openPush } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

const content = { title: 'Hello', body: 'Everybody' }
const SEGMENT = { name: 'Buyers', logicalOperator: 'AND', rules: [{ field: 'demographic.email', operator: 'exists', value: true }] }

async function shop() {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['U', 'V'])
  const segment = expectStatus(await ws.admin.post('/segments', SEGMENT), 201).data.id as string
  const send = (by: Client, more: object = {}) => by.post(`/notifications/segment/${segment}`, { channel: 'push', content, ...more })
  return { ws, push, segment, send, editor: await ws.editor(), approver: await ws.approver() }
}
const protect = async (ws: Workspace, mode: string) => expectStatus(await ws.admin.put('/settings/launch-protection', { mode }), 200)
const askSecond = async (ws: Workspace) =>
  expectStatus(await ws.admin.put('/settings/protections', { protections: { approveMessages: true } }), 200)
const statusOf = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`/journeys/${id}`), 200).data.status

test('G-92 launch protection by admin holds for messages to segments and for activating journeys', async () => {
  const { ws, push, send, editor, approver } = await shop()
  const { id } = await makeJourney(editor)
  await protect(ws, 'admin')
  for (const by of [editor, approver]) {
    assert.deepEqual(told(await send(by)), [403, 'LAUNCH_ADMIN_REQUIRED'])
    assert.deepEqual(told(await setStatus(by, id, 'active')), [403, 'LAUNCH_ADMIN_REQUIRED'])
  }
  assert.deepEqual([push.calls().length, await statusOf(ws, id)], [0, 'draft'])
  assert.equal(expectStatus(await send(ws.admin), 202).data.sent, 2)
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  expectStatus(await setStatus(editor, id, 'active'), 200)
  expectStatus(await setStatus(editor, id, 'paused'), 200)
  assert.equal((await setStatus(editor, id, 'active')).status, 403, 'what was paused may be another by now')
  // A message to one person is no launch.
  expectStatus(await editor.post('/notifications', { userId: 'U', channel: 'push', content }), 200)
})

test('G-92 launch protection by code: each needs its own, once, and a wrong one is counted', async () => {
  const { ws, push, segment, send, editor } = await shop()
  const { id } = await makeJourney(editor)
  await protect(ws, 'otp')
  const code = async (path: string) => expectStatus(await editor.post(`${path}/launch-otp`, {}), 202).data.code as string
  const activate = (otp?: string) => editor.patch(`/journeys/${id}/status`, { status: 'active', otp })
  const refused = [403, 'LAUNCH_OTP_REQUIRED']
  assert.deepEqual(told(await send(editor)), refused)
  const [forSegment, forJourney] = [await code(`/notifications/segment/${segment}`), await code(`/journeys/${id}`)]
  if (forSegment !== forJourney) assert.deepEqual(told(await send(editor, { otp: forJourney })), refused)
  assert.equal(push.calls().length, 0)
  assert.equal(expectStatus(await send(editor, { otp: forSegment }), 202).data.sent, 2)
  assert.deepEqual(told(await send(editor, { otp: forSegment })), refused)
  assert.deepEqual(told(await activate()), refused)
  expectStatus(await activate(forJourney), 200)
  const viewer = await ws.viewer()
  for (const path of [`/notifications/segment/${segment}`, `/journeys/${id}`])
    assert.deepEqual(told(await viewer.post(`${path}/launch-otp`, {})), [403, 'ROLE_REQUIRED'])
  const last = await code(`/notifications/segment/${segment}`)
  for (let tries = 0; tries < 5; tries++) assert.deepEqual(told(await send(editor, { otp: 'wrong' })), refused)
  assert.deepEqual(told(await send(editor, { otp: last })), refused, 'five wrong ones void it')
})

test('G-92 with approveMessages a message to a segment leaves exactly as it was asked for once a second person agrees', async () => {
  const { ws, push, send, editor, approver } = await shop()
  await askSecond(ws)
  const asked = expectStatus(await send(editor), 202).data
  assert.deepEqual([Object.keys(asked).sort(), asked.status], [['requestId', 'status'], 'pending'])
  assert.deepEqual(expectStatus(await send(editor), 202).data, asked)
  const [review] = await reviewsOf(ws.admin)
  const { id, kind, segment, channel, content: said } = review
  assert.deepEqual([id, kind, segment, channel, said], [asked.requestId, 'notification', 'Buyers', 'push', content])
  assert.deepEqual(told(await decide(editor, id)), [403, 'ROLE_REQUIRED'])
  assert.equal(push.calls().length, 0)
  const done = expectStatus(await decide(approver, id, { note: 'fine' }), 200).data
  assert.deepEqual([done.kind, done.status, done.note], ['notification', 'approved', 'fine'])
  assert.equal(push.calls().length, 2)
  assert.deepEqual(told(await decide(ws.admin, id)), [409, 'REVIEW_OVER'])
  assert.equal(push.calls().length, 2)
  const own = expectStatus(await send(ws.admin), 202).data
  assert.deepEqual(told(await decide(ws.admin, own.requestId)), [403, 'SELF_APPROVAL_NOT_ALLOWED'])
  assert.equal((await approver.post(`/reviews/${own.requestId}/reject`, {})).status, 400)
  assert.equal(expectStatus(await approver.post(`/reviews/${own.requestId}/reject`, { note: 'no' }), 200).data.status, 'rejected')
  const other = expectStatus(await send(editor, { content: { body: 'Other' } }), 202).data
  assert.equal(expectStatus(await editor.post(`/reviews/${other.requestId}/reject`, {}), 200).data.status, 'withdrawn')
  assert.deepEqual(await reviewsOf(ws.admin), [])
  assert.equal((await reviewsOf(ws.admin, 'approved')).length, 1)
  assert.equal(push.calls().length, 2)
  await protect(ws, 'admin')
  const last = expectStatus(await send(editor), 202).data
  assert.deepEqual(told(await decide(approver, last.requestId)), [403, 'LAUNCH_ADMIN_REQUIRED'], 'launch protection is for who lets it go')
  expectStatus(await decide(ws.admin, last.requestId), 200)
  assert.equal(push.calls().length, 4)
})

test('G-92 a request for a segment that is gone, or without a provider, sends nothing and says so', async () => {
  const { ws, push, segment, send, editor, approver } = await shop()
  await askSecond(ws)
  const asked = expectStatus(await send(editor), 202).data
  const channels = expectStatus(await ws.admin.get('/notifications/channels'), 200).data.channels
  expectStatus(await ws.admin.put(`/notifications/channels/${channels[0].id}`, { active: false }), 200)
  assert.equal(expectStatus(await send(editor), 200).body.success, false)
  assert.equal((await decide(approver, asked.requestId)).status, 409)
  assert.equal((await reviewsOf(ws.admin)).length, 1)
  expectStatus(await ws.admin.put(`/notifications/channels/${channels[0].id}`, { active: true }), 200)
  expectStatus(await ws.admin.delete(`/segments/${segment}?force=true`), 200)
  assert.deepEqual(told(await decide(approver, asked.requestId)), [409, 'REVIEW_OVER'])
  assert.equal(push.calls().length, 0)
})

test('G-92 with approveMessages a journey becomes active when a second person agrees to what it is', async () => {
  const { ws, editor, approver } = await shop()
  await askSecond(ws)
  const { id } = await makeJourney(editor)
  const ask = async (by: Client) => expectStatus(await setStatus(by, id, 'active'), 202).data.requestId as string
  const first = await ask(editor)
  assert.equal(await ask(editor), first)
  const [review] = await reviewsOf(ws.admin)
  assert.deepEqual([review.id, review.kind, review.journeyId, review.name], [first, 'journey', id, 'Welcome'])
  assert.equal(await statusOf(ws, id), 'draft')
  expectStatus(await editor.put(`/journeys/${id}`, { steps: [IN_APP] }), 200)
  assert.deepEqual(told(await decide(approver, first)), [409, 'REVIEW_OVER'], 'what was looked at is no more')
  const second = await ask(approver)
  assert.deepEqual(told(await decide(approver, second)), [403, 'SELF_APPROVAL_NOT_ALLOWED'])
  expectStatus(await decide(ws.admin, second), 200)
  assert.equal(await statusOf(ws, id), 'active')
  expectStatus(await setStatus(editor, id, 'active'), 200)
  assert.deepEqual(told(await editor.post(`/journeys/${id}/enroll`, { userIds: ['U'] })), [409, 'APPROVAL_NEEDED'])
  expectStatus(await approver.post(`/journeys/${id}/enroll`, { userIds: ['U'] }), 200)
  expectStatus(await setStatus(editor, id, 'paused'), 200)
  const third = await ask(editor)
  expectStatus(await setStatus(editor, id, 'draft'), 200)
  expectStatus(await editor.delete(`/journeys/${id}`), 200)
  assert.deepEqual(told(await decide(approver, third)), [409, 'REVIEW_OVER'])
  assert.deepEqual(await reviewsOf(ws.admin), [])
})
