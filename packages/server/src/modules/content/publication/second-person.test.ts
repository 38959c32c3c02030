/** While publishing takes a second person, whatever changes what live apps get takes one, whatever the route (G-92). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, reviewsOf, told } from '../../../../test/builders/approvals.ts'
import { expectStatus, type Client, type Workspace } from '../../../../test/builders/builders.ts'
import { uploadFile } from '../../../../test/builders/files.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, advance } = await startApp()

const path = (id: string) => `/blocks/promo/instances/${id}`
const live = async (ws: Workspace) => (await ws.blocks()).map(({ values }) => values['#title'])
const inSeconds = (seconds: number) => new Date(ctx.clock.ms() + seconds * 1_000).toISOString()
const idOf = async (by: Client): Promise<string> => expectStatus(await by.get('/auth/me'), 200).data.user.userId
const schedule = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`${path(id)}/schedule`), 200).data.schedule
const FIELDS = [{ id: 'f_title', tag: '#title', type: 'text' }]

async function shop() {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': 'one' } })
  const turn = async (approval: boolean) => expectStatus(await ws.admin.put('/settings/publishing', { approval }), 200)
  await turn(true)
  return { ws, turn, id: id as string, editor: await ws.editor(), approver: await ws.approver() }
}

async function planned(seconds: number) {
  const made = await shop()
  const { ws, id, editor, approver } = made
  expectStatus(await editor.put(`${path(id)}?draft=true`, { values: { '#title': 'two' } }), 200)
  const { requestId } = expectStatus(await editor.post(`${path(id)}/publish`, { at: inSeconds(seconds) }), 202).data
  expectStatus(await decide(approver, requestId), 200)
  const [{ id: scheduleId }] = await schedule(ws, id)
  return { ...made, scheduleId: scheduleId as string }
}

test('G-92 an approved moment moves only when somebody agrees to the new one, and the history names who moved it and who agreed', async () => {
  const { ws, id, editor, approver, scheduleId } = await planned(90 * 86_400)
  const [{ at: first }] = await schedule(ws, id)
  const soon = inSeconds(65)
  const asked = expectStatus(await editor.put(`${path(id)}/schedule/${scheduleId}`, { at: soon }), 202).data
  assert.equal(asked.status, 'pending')
  assert.deepEqual(expectStatus(await editor.put(`${path(id)}/schedule/${scheduleId}`, { at: soon }), 202).data, asked)
  await advance(70)
  assert.deepEqual([await live(ws), (await schedule(ws, id))[0].at], [['one'], first], 'the old moment stays')
  const [review] = await reviewsOf(ws.admin)
  assert.deepEqual([review.action, review.scheduleId, review.at, review.revision], ['reschedule', scheduleId, soon, 2])
  assert.deepEqual(told(await decide(editor, asked.requestId)), [403, 'ROLE_REQUIRED'])
  const later = inSeconds(600)
  const moved = expectStatus(await approver.put(`${path(id)}/schedule/${scheduleId}`, { at: later }), 202).data
  assert.deepEqual(told(await decide(approver, moved.requestId)), [403, 'SELF_APPROVAL_NOT_ALLOWED'])
  expectStatus(await decide(ws.admin, moved.requestId), 200)
  assert.equal((await schedule(ws, id))[0].at, later)
  const { history } = expectStatus(await ws.admin.get(`${path(id)}/history`), 200).data
  const entries = history.map(({ action, madeBy }: any) => [action, madeBy])
  assert.deepEqual(entries.slice(0, 3), [
    ['approve', await idOf(ws.admin)],
    ['reschedule', await idOf(approver)],
    ['ask', await idOf(approver)],
  ])
  await advance(601)
  assert.deepEqual(await live(ws), ['two'])
  assert.deepEqual(await reviewsOf(ws.admin), [], 'there is nothing left to move')
  assert.deepEqual(told(await decide(approver, asked.requestId)), [409, 'REVIEW_OVER'])
})

test('G-92 cancelling is free and ends what was asked of it; moments of the test environment and without approval move at once', async () => {
  const { ws, id, editor, scheduleId, turn } = await planned(3_600)
  const asked = expectStatus(await editor.put(`${path(id)}/schedule/${scheduleId}`, { at: inSeconds(60) }), 202).data
  expectStatus(await editor.delete(`${path(id)}/schedule/${scheduleId}`), 200)
  assert.deepEqual(told(await decide(ws.admin, asked.requestId)), [409, 'REVIEW_OVER'])
  expectStatus(await editor.post(`${path(id)}/publish`, { at: inSeconds(3_600), target: 'test' }), 202)
  const [{ id: ofTest }] = await schedule(ws, id)
  expectStatus(await editor.put(`${path(id)}/schedule/${ofTest}`, { at: inSeconds(60) }), 200)
  assert.equal((await editor.put(`${path(id)}/schedule/${ofTest}`, { at: inSeconds(-60) })).status, 400)
  await turn(false)
  expectStatus(await editor.post(`${path(id)}/publish`, { at: inSeconds(3_600) }), 202)
  const own = (await schedule(ws, id)).find(({ targets }: any) => targets[0] === 'live')
  expectStatus(await editor.put(`${path(id)}/schedule/${own.id}`, { at: inSeconds(60) }), 200)
})

test('G-92 what is live is taken from people by an approver; others ask', async () => {
  const { ws, id, editor, approver, turn } = await shop()
  const asked = expectStatus(await editor.post(`${path(id)}/unpublish`, {}), 202).data
  assert.deepEqual(await live(ws), ['one'])
  const [review] = await reviewsOf(ws.admin)
  assert.deepEqual([review.id, review.action, review.revision, review.targets], [asked.requestId, 'unpublish', 1, ['live', 'test']])
  expectStatus(await decide(approver, asked.requestId), 200)
  assert.deepEqual(await live(ws), [])
  await turn(false)
  expectStatus(await editor.post(`${path(id)}/publish`, {}), 200)
  await turn(true)
  const gone = expectStatus(await editor.delete(path(id)), 202).data
  assert.deepEqual(await live(ws), ['one'])
  assert.equal((await reviewsOf(ws.admin))[0].action, 'delete')
  expectStatus(await decide(approver, gone.requestId), 200)
  assert.equal((await ws.admin.get(path(id))).status, 404)
  // A draft concerns nobody, and an approver needs nobody.
  const draft = expectStatus(await editor.post('/blocks/promo/instances', {}), 201).data.id
  expectStatus(await editor.delete(path(draft)), 200)
  await turn(false)
  const { id: other } = await ws.instance('promo', { values: { '#title': 'other' } })
  await turn(true)
  expectStatus(await approver.post(`${path(other)}/unpublish`, { target: 'live' }), 200)
  assert.deepEqual(await live(ws), [])
})

test('G-92 a type with something live is archived, changed and restored by an approver, others are refused and nothing changes', async () => {
  const { ws, editor, approver, turn } = await shop()
  const needed = [409, 'APPROVAL_NEEDED']
  assert.deepEqual(told(await editor.delete('/blocks/promo')), needed)
  assert.deepEqual(told(await editor.put('/blocks/promo', { name: 'Other' })), needed)
  assert.deepEqual(await live(ws), ['one'])
  expectStatus(await approver.delete('/blocks/promo'), 200)
  assert.deepEqual(told(await editor.post('/blocks/promo/restore')), needed)
  expectStatus(await approver.post('/blocks/promo/restore'), 200)
  assert.deepEqual(await live(ws), ['one'])
  // Of a type with nothing live nobody gets anything.
  expectStatus(await editor.post('/blocks', { key: 'idle', fields: FIELDS }), 201)
  expectStatus(await editor.put('/blocks/idle', { name: 'Idle' }), 200)
  expectStatus(await editor.delete('/blocks/idle'), 200)
  await turn(false)
  expectStatus(await editor.put('/blocks/promo', { name: 'Other' }), 200)
  expectStatus(await editor.delete('/blocks/promo'), 200)
})

test('G-92 write keys are made by approvers; one of somebody else reaches no live app, one of an approver publishes as documented', async () => {
  const { ws, id, editor, approver, turn } = await shop()
  assert.deepEqual(told(await editor.post('/settings/write-keys', {})), [403, 'ROLE_REQUIRED'])
  expectStatus(await editor.post('/settings/read-keys', {}), 201)
  await turn(false)
  const made = expectStatus(await editor.post('/settings/write-keys', {}), 201).data
  const by = (key: string) => ws.sdk({ 'x-cf-write-key': key })
  const manifest = (title: string, blocks: object[] = []) => {
    const instances = [{ externalId: 'e', status: 'published', values: { '#title': title } }]
    return { blocks: [{ key: 'promo', fields: FIELDS, instances }, ...blocks] }
  }
  expectStatus(await by(made.key).post('/cards/sync', manifest('seed')), 200)
  await turn(true)
  const needed = [409, 'APPROVAL_NEEDED']
  assert.deepEqual(told(await by(made.key).post('/cards/sync', manifest('changed'))), needed)
  assert.deepEqual(told(await by(made.key).post('/cards/sync', { blocks: [{ key: 'fresh', fields: FIELDS }] })), needed)
  assert.deepEqual(told(await by(made.key).post('/cards/register', { key: 'promo', fields: FIELDS, name: 'Other' })), needed)
  assert.deepEqual((await live(ws)).sort(), ['one', 'seed'])
  expectStatus(await by(made.key).post('/cards/sync', manifest('seed', [{ key: 'fresh', fields: FIELDS }])), 200)
  assert.deepEqual(told(await editor.post(`/settings/write-keys/${made.id}/rotate`)), [403, 'ROLE_REQUIRED'])
  const { key } = expectStatus(await approver.post(`/settings/write-keys/${made.id}/rotate`), 200).data
  expectStatus(await by(key).post('/cards/sync', manifest('changed')), 200)
  expectStatus(await ws.write.post('/cards/sync', manifest('again')), 200)
  assert.deepEqual((await live(ws)).sort(), ['again', 'one'])
  assert.equal(expectStatus(await ws.admin.get(path(id)), 200).data.live, 1)
})

test('G-92 a file that content uses is deleted against the warning by an approver only', async () => {
  const { ws, editor, approver, turn } = await shop()
  const { contentId } = await uploadFile(ws.admin, 'a.txt', 'text', 'text/plain')
  await turn(false)
  await ws.instance('promo', { values: { '#title': `/api/v1/content/${contentId}/raw` } })
  await turn(true)
  assert.deepEqual(told(await editor.delete(`/content/${contentId}?force=true`)), [409, 'APPROVAL_NEEDED'])
  expectStatus(await approver.delete(`/content/${contentId}?force=true`), 200)
})
