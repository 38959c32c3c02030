/** The life of a campaign: who may take which step, and what comes of it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { expectStatus, type Client } from '../../../../test/builders/builders.ts'
import { approve, create, launch, read, recall, reject, setStatus, statusOf, submit, told } from '../../../../test/builders/campaigns.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, advance, operator } = await startApp()

const inSeconds = (seconds: number) => new Date(ctx.clock.ms() + seconds * 1_000).toISOString()
const runScheduler = async () => expectStatus(await operator.post('/test-hooks/jobs', { job: 'scheduler' }), 200)

async function team() {
  const ws = await workspace()
  return { ws, admin: ws.admin, editor: await ws.editor(), approver: await ws.approver(), viewer: await ws.viewer() }
}
async function pending(by: Client, body: object = {}) {
  const { id } = await create(by, body)
  expectStatus(await submit(by, id), 200)
  return id as string
}

test('M-CAMP-09 M-CAMP-10 M-CAMP-11 a draft and a rejected campaign are submitted, nothing else is', async () => {
  const { ws, admin, editor } = await team()
  const { id } = await create(editor)
  const submitted = expectStatus(await submit(editor, id), 200).data
  assert.deepEqual([submitted.status, typeof submitted.submittedBy], ['pending_review', 'string'])
  const refused = async () => assert.deepEqual(told(await submit(editor, id)), [409, 'CAMPAIGN_SUBMIT_REVIEW_FAILED'])
  await refused()
  expectStatus(await reject(admin, id), 200)
  assert.equal(expectStatus(await submit(editor, id), 200).data.status, 'pending_review')
  expectStatus(await approve(admin, id, { activateTarget: 'live' }), 200)
  for (const status of ['paused', 'completed']) {
    await refused()
    expectStatus(await setStatus(editor, id, status), 200)
  }
  await refused()
  assert.equal(await statusOf(ws.admin, id), 'completed')
})

test('M-CAMP-12 M-CAMP-41 who may create, submit, approve, reject and change a status', async () => {
  const { admin, editor, approver, viewer } = await team()
  const forbidden = [403, 'ROLE_REQUIRED']
  assert.deepEqual(told(await viewer.post('/campaigns', { name: 'n', type: 't' })), forbidden)
  const { id } = await create(editor)
  for (const step of [submit, recall]) assert.deepEqual(told(await step(viewer, id)), forbidden)
  assert.deepEqual(told(await setStatus(viewer, id, 'completed')), forbidden)
  assert.deepEqual(told(await viewer.put(`/campaigns/${id}`, { name: 'x' })), forbidden)
  assert.deepEqual(told(await viewer.delete(`/campaigns/${id}`)), forbidden)
  expectStatus(await submit(editor, id), 200)
  for (const by of [editor, viewer]) for (const step of [approve, reject]) assert.deepEqual(told(await step(by, id)), forbidden)
  assert.equal(await statusOf(viewer, id), 'pending_review')
  for (const by of [admin, approver]) expectStatus(await approve(by, await pending(editor)), 200)
  for (const by of [admin, approver]) expectStatus(await reject(by, await pending(editor)), 200)
})

test('M-CAMP-13 M-CAMP-14 nobody approves what they submitted, whoever created it', async () => {
  const { admin, editor } = await team()
  const own = await pending(admin)
  assert.deepEqual(told(await approve(admin, own)), [403, 'SELF_APPROVAL_NOT_ALLOWED'])
  assert.equal(await statusOf(admin, own), 'pending_review')
  // Sending back what is one's own is allowed.
  expectStatus(await reject(admin, own), 200)
  const { id: created } = await create(admin)
  expectStatus(await submit(editor, created), 200)
  expectStatus(await approve(admin, created), 200)
  const { id: submitted } = await create(editor)
  expectStatus(await submit(admin, submitted), 200)
  assert.deepEqual(told(await approve(admin, submitted)), [403, 'SELF_APPROVAL_NOT_ALLOWED'])
})

test('M-CAMP-15 M-CAMP-16 M-CAMP-17 M-CAMP-18 M-CAMP-19 M-CAMP-20 what an approval leads to', async () => {
  const { admin, editor } = await team()
  const later = { schedule: { startTime: inSeconds(3_600) } }
  const cases = [
    [later, { activateTarget: 'live' }, 'active'],
    [later, { activateTarget: 'test' }, 'test'],
    [later, {}, 'scheduled'],
    [{}, {}, 'approved'],
  ] as const
  for (const [body, target, status] of cases) {
    const approved = expectStatus(await approve(admin, await pending(editor, body), target), 200).data
    assert.deepEqual([approved.status, approved.seal.by], [status, approved.approvedBy])
  }
  const { id } = await create(editor)
  assert.deepEqual(told(await approve(admin, id)), [409, 'CAMPAIGN_APPROVE_FAILED'])
  assert.equal(await statusOf(admin, id), 'draft')
  expectStatus(await submit(editor, id), 200)
  assert.deepEqual(told(await approve(admin, id, { activateTarget: 'prod' })), [400, undefined])
  assert.equal(await statusOf(admin, id), 'pending_review')
})

test('M-CAMP-21 M-CAMP-22 a rejection says why', async () => {
  const { admin, editor } = await team()
  const id = await pending(editor)
  for (const body of [{}, { note: '' }, { note: '  ' }, { note: 5 }])
    assert.deepEqual(told(await reject(admin, id, body)), [400, 'CAMPAIGN_REJECT_FAILED'])
  assert.equal(await statusOf(admin, id), 'pending_review')
  const rejected = expectStatus(await reject(admin, id, { note: 'x' }), 200).data
  assert.deepEqual([rejected.status, rejected.rejectionNote], ['rejected', 'x'])
  assert.deepEqual(told(await reject(admin, id)), [409, 'CAMPAIGN_REJECT_FAILED'])
})

test('M-CAMP-23 X-INT-32 what is recalled is a draft; its next review is judged by who submits it then', async () => {
  const { admin, editor, approver } = await team()
  const id = await pending(editor)
  const recalled = expectStatus(await recall(editor, id), 200).data
  assert.deepEqual([recalled.status, recalled.submittedBy], ['draft', null])
  assert.deepEqual(told(await recall(editor, id)), [409, 'CAMPAIGN_RECALL_FAILED'])
  expectStatus(await submit(approver, id), 200)
  assert.deepEqual(told(await approve(approver, id)), [403, 'SELF_APPROVAL_NOT_ALLOWED'])
  expectStatus(await approve(admin, id), 200)
})

test('M-CAMP-24 M-HOOK-18 the scheduler starts a campaign at its moment', async () => {
  const { ws, admin, editor } = await team()
  const id = await pending(editor, { schedule: { startTime: inSeconds(60) } })
  expectStatus(await approve(admin, id), 200)
  await runScheduler()
  assert.equal(await statusOf(admin, id), 'scheduled')
  await advance(61)
  await runScheduler()
  assert.equal(await statusOf(ws.admin, id), 'active')
  const [event] = expectStatus(await admin.get(`/campaigns/${id}/history`), 200).data.history
  assert.deepEqual([event.action, event.from, event.to, event.madeBy], ['start', 'scheduled', 'active', 'system'])
})

test('M-CAMP-25 M-CAMP-26 M-CAMP-32 a live campaign is paused and resumed without a review', async () => {
  const { ws, admin, editor } = await team()
  const later = { schedule: { startTime: inSeconds(3_600) } }
  const scheduled = await pending(editor, later)
  expectStatus(await approve(admin, scheduled), 200)
  const ids = { active: (await launch(ws, editor)).id, test: (await launch(ws, editor, {}, 'test')).id, scheduled }
  for (const [status, id] of Object.entries(ids)) {
    const paused = expectStatus(await setStatus(editor, id, 'paused'), 200).data
    assert.deepEqual([paused.status, paused.pausedFrom], ['paused', status])
    // Any live word resumes.
    const resumed = expectStatus(await setStatus(editor, id, status === 'active' ? 'test' : 'active'), 200).data
    assert.deepEqual([resumed.status, resumed.pausedFrom], [status, null])
  }
})

test('M-CAMP-27 M-CAMP-28 any campaign can be completed, or taken back to draft, which ends its approval', async () => {
  const { ws, admin, editor } = await team()
  const { id: draft } = await create(editor)
  const { id: paused } = await launch(ws, editor)
  expectStatus(await setStatus(editor, paused, 'paused'), 200)
  for (const id of [draft, (await launch(ws, editor)).id, paused, await pending(editor)])
    assert.equal(expectStatus(await setStatus(editor, id, 'completed'), 200).data.status, 'completed')
  const id = await pending(editor)
  expectStatus(await approve(admin, id), 200)
  const back = expectStatus(await setStatus(editor, id, 'draft'), 200).data
  assert.deepEqual([back.status, back.approvedBy, back.seal], ['draft', null, null])
  assert.deepEqual(told(await setStatus(editor, id, 'active')), [409, 'REVIEW_REQUIRED'])
  expectStatus(await submit(editor, id), 200)
})

test('M-CAMP-29 M-CAMP-30 only a review leads to a live state', async () => {
  const { admin, editor } = await team()
  const { id: draft } = await create(editor)
  const waiting = await pending(editor)
  const rejected = await pending(editor)
  expectStatus(await reject(admin, rejected), 200)
  for (const [id, state] of [
    [draft, 'draft'],
    [waiting, 'pending_review'],
    [rejected, 'rejected'],
  ] as const)
    for (const status of ['active', 'test', 'scheduled', 'approved']) {
      assert.deepEqual(told(await setStatus(admin, id, status)), [409, 'REVIEW_REQUIRED'])
      assert.equal(await statusOf(admin, id), state)
    }
})

test('M-CAMP-40 an unknown campaign is 404', async () => {
  const { admin } = await team()
  const id = randomUUID()
  for (const step of [submit, approve, reject, recall]) assert.equal((await step(admin, id)).status, 404)
  for (const path of ['', '/history', '/report', '/edit-requests']) assert.equal((await admin.get(`/campaigns/${id}${path}`)).status, 404)
  assert.equal((await setStatus(admin, id, 'paused')).status, 404)
  assert.equal((await admin.put(`/campaigns/${id}`, { name: 'x' })).status, 404)
  assert.equal((await admin.delete(`/campaigns/${id}`)).status, 404)
  assert.equal((await admin.post(`/campaigns/${id}/launch-otp`, {})).status, 404)
})

test('M-CAMP-39 G-55 what is approved or live expires at its end; from there it is completed or a draft again', async () => {
  const { ws, admin, editor } = await team()
  const schedule = { endTime: inSeconds(600) }
  const approved = await pending(editor, { schedule })
  expectStatus(await approve(admin, approved), 200)
  const scheduled = await pending(editor, { schedule: { ...schedule, startTime: inSeconds(500) } })
  expectStatus(await approve(admin, scheduled), 200)
  const paused = (await launch(ws, editor, { schedule })).id
  expectStatus(await setStatus(editor, paused, 'paused'), 200)
  const { id: draft } = await create(editor, { schedule })
  const ending = [
    approved,
    scheduled,
    paused,
    (await launch(ws, editor, { schedule })).id,
    (await launch(ws, editor, { schedule }, 'test')).id,
  ]
  await advance(601)
  await runScheduler()
  for (const id of ending) assert.equal(await statusOf(admin, id), 'expired')
  assert.equal(await statusOf(admin, draft), 'draft')
  assert.deepEqual(told(await setStatus(admin, approved, 'active')), [409, 'REVIEW_REQUIRED'])
  assert.equal(expectStatus(await setStatus(admin, approved, 'completed'), 200).data.status, 'completed')
  assert.equal(expectStatus(await setStatus(admin, paused, 'draft'), 200).data.status, 'draft')
})

test('G-52 the same state again says so and tells nobody; other words are refused', async () => {
  const { ws, admin, editor } = await team()
  const { id } = await launch(ws, editor)
  const { version } = await read(admin, id)
  assert.equal(expectStatus(await setStatus(editor, id, 'active'), 200).data.version, version)
  for (const status of ['pending_review', 'rejected', 'expired'])
    assert.deepEqual(told(await setStatus(admin, id, status)), [409, 'INVALID_STATUS_TRANSITION'])
  assert.equal((await setStatus(admin, id, 'running')).status, 400)
  expectStatus(await setStatus(editor, id, 'completed'), 200)
  assert.deepEqual(told(await setStatus(admin, id, 'paused')), [409, 'INVALID_STATUS_TRANSITION'])
  const approved = await pending(editor)
  expectStatus(await approve(admin, approved), 200)
  assert.equal(expectStatus(await setStatus(editor, approved, 'test'), 200).data.status, 'test')
  assert.equal(expectStatus(await setStatus(editor, approved, 'active'), 200).data.status, 'active')
  assert.deepEqual(told(await setStatus(editor, approved, 'test')), [409, 'REVIEW_REQUIRED'])
})

test('M-CAMP-12 of two who decide at the same moment one does', async () => {
  const { admin, editor, approver } = await team()
  for (let round = 0; round < 5; round++) {
    const id = await pending(editor)
    const answers = await Promise.all([approve(admin, id, { activateTarget: 'live' }), approve(approver, id, { activateTarget: 'test' })])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    const other = await pending(editor)
    const [approved, recalled] = await Promise.all([approve(admin, other), recall(editor, other)])
    assert.deepEqual([approved.status, recalled.status].sort(), [200, 409])
    assert.equal(await statusOf(admin, other), approved.status === 200 ? 'approved' : 'draft')
    const third = await pending(editor)
    const [rejected, agreed] = await Promise.all([reject(admin, third), approve(approver, third)])
    assert.deepEqual([rejected.status, agreed.status].sort(), [200, 409])
  }
})

test('M-CAMP-14 an approver who says what they read approves nothing else', async () => {
  const { admin, editor } = await team()
  const id = await pending(editor)
  const { version } = await read(admin, id)
  expectStatus(await recall(editor, id), 200)
  expectStatus(await editor.put(`/campaigns/${id}`, { content: { en: { title: 'Another' } } }), 200)
  expectStatus(await submit(editor, id), 200)
  const late = await admin.post(`/campaigns/${id}/approve`, {}, { headers: { 'if-match': `"${version}"` } })
  assert.deepEqual(told(late), [412, 'VERSION_CHANGED'])
  assert.equal(await statusOf(admin, id), 'pending_review')
})
