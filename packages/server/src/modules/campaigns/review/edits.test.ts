/** Changes of what is approved, launch protection, and what others are told. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { WEBHOOK_EVENTS } from '@contentflow/core/webhooks/events.ts'
import { expectStatus, type Client, type Workspace } from '../../../../test/builders/builders.ts'
import { approve, create, launch, read, recall, reject, setStatus, statusOf, submit, told } from '../../../../test/builders/campaigns.ts'
import { openReceiver } from '../../../../test/builders/receivers.ts'
import { openEmail } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, advance, operator } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

const inSeconds = (seconds: number) => new Date(ctx.clock.ms() + seconds * 1_000).toISOString()
const rename = (by: Client, id: string, name = 'New') => by.put(`/campaigns/${id}`, { name })
const requests = async (by: Client, id: string, query = '') =>
  expectStatus(await by.get(`/campaigns/${id}/edit-requests${query}`), 200).data.editRequests
const decide = (by: Client, id: string, rid: string, how: 'approve' | 'reject', body: object = {}) =>
  by.post(`/campaigns/${id}/edit-requests/${rid}/${how}`, body)

async function team() {
  const ws = await workspace()
  return { ws, admin: ws.admin, editor: await ws.editor(), approver: await ws.approver() }
}
async function pending(by: Client, body: object = {}) {
  const { id } = await create(by, body)
  expectStatus(await submit(by, id), 200)
  return id as string
}

test('M-CAMP-33 M-CAMP-34 G-53 what is approved changes for a non-approver only when an approver agrees', async () => {
  const { ws, admin, editor, approver } = await team()
  const approved = await pending(editor)
  expectStatus(await approve(admin, approved), 200)
  const scheduled = await pending(editor, { schedule: { startTime: inSeconds(3_600) } })
  expectStatus(await approve(admin, scheduled), 200)
  const active = (await launch(ws, editor)).id
  const trial = (await launch(ws, editor, {}, 'test')).id
  const paused = (await launch(ws, editor)).id
  expectStatus(await setStatus(editor, paused, 'paused'), 200)
  for (const id of [approved, scheduled, active, trial, paused]) {
    const before = await read(editor, id)
    const asked = expectStatus(await rename(editor, id), 202).data
    assert.deepEqual([asked.campaignId, asked.status, Object.keys(asked).length], [id, 'pending', 3])
    assert.equal((await read(editor, id)).name, 'Eid')
    const [request] = await requests(editor, id, '?status=pending')
    assert.deepEqual([request.id, request.changes, request.baseVersion], [asked.editRequestId, { name: 'New' }, before.version])
    assert.deepEqual(told(await decide(editor, id, request.id, 'approve')), [403, 'ROLE_REQUIRED'])
    assert.equal(expectStatus(await decide(approver, id, request.id, 'approve', { note: 'ok' }), 200).data.status, 'approved')
    const after = await read(editor, id)
    assert.deepEqual([after.name, after.status], ['New', before.status])
    assert.deepEqual(told(await decide(admin, id, request.id, 'approve')), [409, 'REVIEW_OVER'])
    assert.equal(expectStatus(await rename(admin, id, 'By an admin'), 200).data.name, 'By an admin')
    assert.equal(expectStatus(await rename(approver, id, 'By an approver'), 200).data.name, 'By an approver')
  }
})

test('G-53 nobody agrees to what they asked for, and what is sent back changes nothing', async () => {
  const { ws, admin, editor } = await team()
  const { id } = await launch(ws, editor)
  const asked = expectStatus(await rename(editor, id), 202).data.editRequestId
  // Who asked gets approval rights meanwhile.
  const userId = (await editor.get('/auth/me')).data.user.userId
  expectStatus(await admin.put(`/members/${userId}`, { role: 'editor', canApprove: true }), 200)
  assert.deepEqual(told(await decide(editor, id, asked, 'approve')), [403, 'SELF_APPROVAL_NOT_ALLOWED'])
  assert.deepEqual(told(await decide(editor, id, asked, 'reject', { note: 'x' })), [403, 'SELF_APPROVAL_NOT_ALLOWED'])
  assert.equal((await decide(admin, id, asked, 'reject')).status, 400)
  assert.equal(expectStatus(await decide(admin, id, asked, 'reject', { note: 'no' }), 200).data.status, 'rejected')
  assert.equal((await read(admin, id)).name, 'Eid')
  assert.equal((await decide(admin, id, 'none', 'approve')).status, 404)
})

test('G-53 a request is checked when it is asked for, and withdrawn when the campaign is a draft again or over', async () => {
  const { ws, admin, editor } = await team()
  const { id } = await launch(ws, editor)
  assert.equal((await editor.put(`/campaigns/${id}`, { schedule: { endTime: '2001-01-01' } })).status, 400)
  assert.equal((await editor.put(`/campaigns/${id}`, { dispatchChannels: ['pigeon'] })).status, 400)
  const asked = expectStatus(await rename(editor, id), 202).data.editRequestId
  expectStatus(await setStatus(editor, id, 'draft'), 200)
  assert.deepEqual(told(await decide(admin, id, asked, 'approve')), [409, 'REVIEW_OVER'])
  assert.equal((await requests(admin, id))[0].status, 'withdrawn')
})

test('G-53 an edit and a decision about it at the same moment leave what one of them meant', async () => {
  const { ws, admin, editor, approver } = await team()
  for (let round = 0; round < 5; round++) {
    const { id } = await launch(ws, editor)
    const rid = expectStatus(await rename(editor, id), 202).data.editRequestId
    const decided = await Promise.all([decide(admin, id, rid, 'approve'), decide(approver, id, rid, 'reject', { note: 'no' })])
    assert.deepEqual(decided.map(({ status }) => status).sort(), [200, 409])
    const [request] = await requests(admin, id)
    assert.equal((await read(admin, id)).name, request.status === 'approved' ? 'New' : 'Eid')
    // Whoever edits what is being approved either comes before, and changes a draft, or waits for the approver.
    const other = await pending(editor)
    const [edited, approved] = await Promise.all([rename(editor, other), approve(admin, other)])
    assert.equal(approved.status, 200)
    assert.ok([202, 409].includes(edited.status), String(edited.status))
    assert.equal((await read(admin, other)).name, 'Eid')
  }
})

test('M-CAMP-35 M-CAMP-37 G-54 with protection by admins only they let a campaign go live; a test needs none', async () => {
  const { ws, admin, editor, approver } = await team()
  for (const by of [editor, approver]) assert.equal((await by.put('/settings/launch-protection', { mode: 'off' })).status, 403)
  assert.equal((await admin.put('/settings/launch-protection', { mode: 'on' })).status, 400)
  const put = expectStatus(await admin.put('/settings/launch-protection', { mode: 'admin' }), 200).data
  assert.deepEqual(put, { mode: 'admin', sealAudience: false })
  assert.deepEqual(expectStatus(await editor.get('/settings/launch-protection'), 200).data, put)
  const refused = [403, 'LAUNCH_ADMIN_REQUIRED']
  const id = await pending(editor)
  assert.deepEqual(told(await approve(approver, id, { activateTarget: 'live' })), refused)
  assert.equal(await statusOf(admin, id), 'pending_review')
  expectStatus(await approve(approver, id, { activateTarget: 'test' }), 200)
  assert.deepEqual(told(await setStatus(editor, id, 'active')), refused)
  expectStatus(await setStatus(admin, id, 'active'), 200)
  // Resuming is not going live.
  expectStatus(await setStatus(editor, id, 'paused'), 200)
  assert.equal(expectStatus(await setStatus(editor, id, 'active'), 200).data.status, 'active')
  // Scheduling is.
  const later = await pending(editor, { schedule: { startTime: inSeconds(600) } })
  assert.deepEqual(told(await approve(approver, later)), refused)
  expectStatus(await approve(admin, later), 200)
  const ready = await pending(editor)
  expectStatus(await approve(approver, ready), 200)
  for (const status of ['active', 'scheduled']) assert.deepEqual(told(await setStatus(editor, ready, status)), refused)
  assert.equal((await read(ws.admin, ready)).status, 'approved')
})

test('M-CAMP-36 G-54 with protection by code it takes the code, which holds ten minutes, once, and for five tries', async () => {
  const { ws, admin, editor, approver } = await team()
  expectStatus(await admin.put('/settings/launch-protection', { mode: 'otp' }), 200)
  const id = await pending(editor)
  const code = async (by: Client, of = id) => expectStatus(await by.post(`/campaigns/${of}/launch-otp`, {}), 202).data.code as string
  const go = (otp?: string, by = admin, of = id) => approve(by, of, { activateTarget: 'live', ...(otp !== undefined && { otp }) })
  const refused = [403, 'LAUNCH_OTP_REQUIRED']
  assert.deepEqual(told(await go()), refused)
  const mine = await code(admin)
  assert.match(mine, /^\d{6}$/)
  const wrong = mine === '000000' ? '000001' : '000000'
  // Of another person, and of another campaign.
  assert.deepEqual(told(await go(mine, approver)), refused)
  const other = await pending(editor)
  assert.deepEqual(told(await go(mine, admin, other)), refused)
  for (let tries = 0; tries < 5; tries++) assert.deepEqual(told(await go(wrong)), refused)
  assert.deepEqual(told(await go(mine)), refused)
  const late = await code(admin)
  await advance(601)
  assert.deepEqual(told(await go(late)), refused)
  assert.equal(await statusOf(admin, id), 'pending_review')
  const right = await code(admin)
  assert.deepEqual(told(await go(wrong)), refused)
  expectStatus(await go(right), 200)
  expectStatus(await setStatus(editor, id, 'draft'), 200)
  expectStatus(await submit(editor, id), 200)
  assert.deepEqual(told(await go(right)), refused)
  expectStatus(await approve(admin, id, { activateTarget: 'test' }), 200)
  expectStatus(await setStatus(editor, id, 'active', { otp: await code(editor) }), 200)
  assert.deepEqual(told(await (await ws.viewer()).post(`/campaigns/${other}/launch-otp`, {})), [403, 'ROLE_REQUIRED'])
})

test('whoever asks for one code after another waits, and a code comes by the email channel where there is one', async () => {
  const { ws, admin, editor } = await team()
  const email = await openEmail()
  await email.connect(ws.admin)
  const id = await pending(editor)
  const ask = () => admin.post(`/campaigns/${id}/launch-otp`, {})
  const { code } = expectStatus(await ask(), 202).data
  assert.match(email.mails()[0]?.subject ?? '', new RegExp(`^${code} is your code for`))
  for (let codes = 1; codes < 20; codes++) expectStatus(await ask(), 202)
  const refused = await ask()
  assert.deepEqual(told(refused), [429, 'LAUNCH_OTP_RATE_LIMITED'])
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  expectStatus(await editor.post(`/campaigns/${id}/launch-otp`, {}), 202)
})

test('X-INT-33 of two refusals that hold, self approval is told first', async () => {
  const { admin } = await team()
  for (const mode of ['admin', 'otp']) {
    expectStatus(await admin.put('/settings/launch-protection', { mode }), 200)
    const id = await pending(admin)
    assert.deepEqual(told(await approve(admin, id, { activateTarget: 'live' })), [403, 'SELF_APPROVAL_NOT_ALLOWED'])
  }
})

test('G-82 one list says what of campaigns waits for a second person, the oldest first', async () => {
  const { ws, admin, editor } = await team()
  const first = await pending(editor)
  await advance(1)
  const { id: live } = await launch(ws, editor)
  const asked = expectStatus(await rename(editor, live), 202).data.editRequestId
  await advance(1)
  const last = await pending(editor)
  const list = async (query = '') => expectStatus(await admin.get(`/campaigns/reviews${query}`), 200).body
  const { data, metadata } = await list()
  assert.deepEqual(
    data.reviews.map(({ kind, id, campaignId }: any) => [kind, id, campaignId]),
    [
      ['campaign', first, first],
      ['campaign_edit', asked, live],
      ['campaign', last, last],
    ],
  )
  assert.equal(metadata.total, 3)
  const page = await list('?limit=2')
  const rest = await list(`?cursor=${encodeURIComponent(page.metadata.nextCursor)}`)
  assert.deepEqual([...page.data.reviews, ...rest.data.reviews], data.reviews)
  expectStatus(await approve(admin, first), 200)
  expectStatus(await decide(admin, live, asked, 'approve'), 200)
  assert.deepEqual(
    (await list()).data.reviews.map(({ id }: any) => id),
    [last],
  )
})

async function hooked(ws: Workspace) {
  const receiver = await openReceiver()
  after(() => receiver.close())
  expectStatus(
    await ws.admin.post('/webhooks', { url: receiver.url, events: WEBHOOK_EVENTS.filter((event) => !event.startsWith('audit.')) }),
    201,
  )
  const heard = async (count: number) => {
    expectStatus(await operator.post('/test-hooks/jobs', { job: 'webhooks' }), 200)
    return (await receiver.waitFor(count)).map(({ event }) => event).sort((a, b) => (a.id < b.id ? -1 : 1))
  }
  return { receiver, heard }
}

test('M-HOOK-04 M-HOOK-05 M-HOOK-06 M-HOOK-07 M-HOOK-09 M-HOOK-10 M-HOOK-15 M-HOOK-18 X-INT-48 each change of status is told, in one chain without a hole', async () => {
  const { ws, admin, editor } = await team()
  const { heard } = await hooked(ws)
  const { id } = await create(editor, { schedule: { endTime: inSeconds(600) } })
  expectStatus(await submit(editor, id), 200)
  expectStatus(await reject(admin, id, { note: 'too loud' }), 200)
  expectStatus(await submit(editor, id), 200)
  expectStatus(await recall(editor, id), 200)
  expectStatus(await submit(editor, id), 200)
  expectStatus(await approve(admin, id, { activateTarget: 'live', note: 'fine' }), 200)
  expectStatus(await setStatus(editor, id, 'paused', { reason: 'stock is out' }), 200)
  expectStatus(await setStatus(editor, id, 'paused'), 200)
  expectStatus(await setStatus(editor, id, 'active'), 200)
  expectStatus(await rename(admin, id), 200)
  await advance(601)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'scheduler' }), 200)
  assert.equal(await statusOf(admin, id), 'expired')
  const events = await heard(14)
  assert.equal(events.length, 14)
  const moves = events.filter(({ event }) => event === 'campaign.status_changed').map(({ data }) => data)
  assert.deepEqual(
    moves.map(({ to }) => to),
    ['pending_review', 'rejected', 'pending_review', 'draft', 'pending_review', 'active', 'paused', 'active', 'expired'],
  )
  for (const [index, { from }] of moves.entries()) assert.equal(from, moves[index - 1]?.to ?? 'draft')
  const [me, them] = [(await admin.get('/auth/me')).data.user, (await editor.get('/auth/me')).data.user]
  for (const { data } of events) assert.deepEqual([data.campaignId, data.type, typeof data.name], [id, 'promo', 'string'])
  assert.deepEqual([moves[6].reason, moves[6].actor.userId, moves[5].reason], ['stock is out', them.userId, undefined])
  assert.deepEqual(moves.at(-1).actor, { userId: 'system' })
  const one = (name: string) => events.filter(({ event }) => event === name).map(({ data }) => data)
  assert.deepEqual(
    one('campaign.submitted_for_review').map(({ status, actor }) => [status, actor.userId]),
    [1, 2, 3].map(() => ['pending_review', them.userId]),
  )
  const [approved] = one('campaign.approved')
  assert.deepEqual([approved.status, approved.note, approved.actor], ['active', 'fine', { userId: me.userId, name: me.name }])
  const [rejected] = one('campaign.rejected')
  assert.deepEqual([rejected.status, rejected.note], ['rejected', 'too loud'])
})

test('M-HOOK-16 a receiver that never answers holds nobody up', async () => {
  const { ws, admin, editor } = await team()
  const { receiver } = await hooked(ws)
  receiver.answers.push('hang', 'hang', 'hang', 'hang')
  const id = await pending(editor)
  const began = performance.now()
  expectStatus(await approve(admin, id), 200)
  assert.ok(performance.now() - began < 3_000)
})

test('M-CAMP-20 what was approved last can be compared with, after an edit and after the way back to a draft', async () => {
  const { ws, admin, editor } = await team()
  const { id } = await create(editor)
  const approved = async () => expectStatus(await editor.get(`/campaigns/${id}/approved`), 200).data.approved
  assert.equal(await approved(), null)
  expectStatus(await submit(editor, id), 200)
  assert.equal(await approved(), null)
  const first = expectStatus(await approve(admin, id), 200).data
  const kept = await approved()
  assert.deepEqual([kept.content, kept.hash, kept.approvedBy], [first.content, first.seal.hash, first.approvedBy])
  const content = { en: { title: 'Hello again' } }
  expectStatus(await admin.put(`/campaigns/${id}`, { content }), 200)
  assert.deepEqual((await approved()).content, content)
  expectStatus(await setStatus(editor, id, 'draft'), 200)
  expectStatus(await editor.put(`/campaigns/${id}`, { content: { en: { title: 'Third' } } }), 200)
  assert.deepEqual((await approved()).content, content)
  assert.equal((await (await workspace()).admin.get(`/campaigns/${id}/approved`)).status, 404)
  assert.equal((await read(ws.admin, id)).seal, null)
})
