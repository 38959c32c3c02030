import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Client, type Workspace } from '../../../../test/builders/builders.ts'
import { approve as approveCampaign, create, launch, submit } from '../../../../test/builders/campaigns.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, advance } = await startApp()

const path = (id: string) => `/blocks/promo/instances/${id}`
const live = async (ws: Workspace) => (await ws.blocks()).map(({ values }) => values['#title'])
const reviews = async (ws: Workspace, status = 'pending') => expectStatus(await ws.admin.get(`/reviews?status=${status}`), 200).data.reviews

async function shop() {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': 'one' } })
  expectStatus(await ws.admin.put('/settings/publishing', { approval: true }), 200)
  assert.deepEqual(expectStatus(await ws.admin.get('/settings/publishing'), 200).data, { approval: true })
  return { ws, id: id as string, editor: await ws.editor(), approver: await ws.approver() }
}
const save = async (by: Client, id: string, title: string) =>
  expectStatus(await by.put(`${path(id)}?draft=true`, { values: { '#title': title } }), 200)

test('G-82 publishing to live waits for a second person, who publishes the revision that was asked for', async () => {
  const { ws, id, editor, approver } = await shop()
  await save(editor, id, 'two')
  const asked = expectStatus(await editor.post(`${path(id)}/publish`, {}), 202).data
  assert.equal(asked.status, 'pending')
  assert.deepEqual(expectStatus(await editor.post(`${path(id)}/publish`, {}), 202).data, asked)
  await save(editor, id, 'three')
  assert.deepEqual(await live(ws), ['one'])
  const [review] = await reviews(ws)
  assert.deepEqual([review.id, review.revision, review.targets, review.title, review.blockKey], [asked.requestId, 2, ['live'], '', 'promo'])
  const approve = (by: Client) => by.post(`/reviews/${asked.requestId}/approve`, { note: 'fine' })
  assert.deepEqual([(await approve(editor)).status, (await approve(editor)).body.code], [403, 'ROLE_REQUIRED'])
  assert.equal(expectStatus(await approve(approver), 200).data.status, 'approved')
  assert.deepEqual(await live(ws), ['two'])
  const over = await approve(ws.admin)
  assert.deepEqual([over.status, over.body.code], [409, 'REVIEW_OVER'])
  assert.deepEqual(await reviews(ws), [])
  assert.equal((await reviews(ws, 'approved'))[0].note, 'fine')
})

test('G-82 who asked does not approve, not even an admin', async () => {
  const { ws, id, approver } = await shop()
  const asked = expectStatus(await ws.admin.put(path(id), { values: { '#title': 'two' } }), 202).data
  const own = await ws.admin.post(`/reviews/${asked.requestId}/approve`, {})
  assert.deepEqual([own.status, own.body.code], [403, 'SELF_APPROVAL_NOT_ALLOWED'])
  assert.deepEqual(await live(ws), ['one'])
  expectStatus(await approver.post(`/reviews/${asked.requestId}/approve`, {}), 200)
  assert.deepEqual(await live(ws), ['two'])
})

test('G-82 it is sent back with a note, or withdrawn by whoever asked; test keys need nobody', async () => {
  const { ws, id, editor, approver } = await shop()
  const ask = async () =>
    expectStatus(await editor.post(`${path(id)}/publish`, { revision: 1, targets: ['live', 'test'] }), 202).data.requestId
  const sent = await ask()
  assert.equal((await approver.post(`/reviews/${sent}/reject`, {})).status, 400)
  assert.equal(expectStatus(await approver.post(`/reviews/${sent}/reject`, { note: 'too loud' }), 200).data.status, 'rejected')
  const withdrawn = await ask()
  assert.equal(expectStatus(await editor.post(`/reviews/${withdrawn}/reject`, {}), 200).data.status, 'withdrawn')
  await save(editor, id, 'two')
  expectStatus(await editor.post(`${path(id)}/publish`, { target: 'test' }), 200)
  assert.deepEqual(await reviews(ws), [])
  const viewer = await ws.viewer()
  assert.equal((await viewer.post(`/reviews/${withdrawn}/reject`, { note: 'x' })).status, 409)
})

test('G-82 a roll back of what is live waits too, a pipeline does not, and what was asked for a moment comes at that moment', async () => {
  const { ws, id, editor, approver } = await shop()
  const asked = expectStatus(await editor.post(`${path(id)}/revisions/1/rollback`), 202).data
  expectStatus(await approver.post(`/reviews/${asked.requestId}/reject`, { note: 'no' }), 200)
  const at = new Date(ctx.clock.ms() + 60_000).toISOString()
  const later = expectStatus(await editor.post(`${path(id)}/publish`, { at }), 202).data
  expectStatus(await approver.post(`/reviews/${later.requestId}/approve`, {}), 200)
  await save(editor, id, 'never')
  assert.equal(expectStatus(await ws.admin.get(`${path(id)}/schedule`), 200).data.schedule.length, 1)
  await advance(61)
  assert.equal(expectStatus(await ws.admin.get(path(id)), 200).data.live, 2)
  const fields = [{ id: 'f_title', tag: '#title', type: 'text' }]
  const instances = [{ externalId: 'e', status: 'published', values: { '#title': 'seed' } }]
  expectStatus(await ws.write.post('/cards/sync', { blocks: [{ key: 'promo', fields, instances }] }), 200)
  assert.deepEqual((await live(ws)).sort(), ['one', 'seed'])
})

test('G-82 a request for what is deleted is withdrawn', async () => {
  const { ws, id, editor, approver } = await shop()
  const asked = expectStatus(await editor.post(`${path(id)}/publish`, {}), 202).data
  expectStatus(await ws.admin.delete(path(id)), 200)
  assert.equal((await approver.post(`/reviews/${asked.requestId}/approve`, {})).status, 409)
  assert.equal((await reviews(ws, 'withdrawn')).length, 1)
  assert.equal((await approver.post('/reviews/none/approve', {})).status, 404)
})

test('G-82 one list has what waits of every kind, the oldest first, and what became of it, the newest first', async () => {
  const { ws, id, editor } = await shop()
  const { id: campaign } = await create(editor, { name: 'Weekend' })
  expectStatus(await submit(editor, campaign), 200)
  await advance(1)
  const { requestId } = expectStatus(await editor.post(`${path(id)}/publish`, {}), 202).data
  await advance(1)
  const { id: live } = await launch(ws, await ws.editor(), { name: 'Live' })
  const edit = expectStatus(await editor.put(`/campaigns/${live}`, { name: 'Other' }), 202).data.editRequestId
  const all = await reviews(ws)
  assert.deepEqual(
    all.map(({ kind, id: of, campaignId, instanceId, name }: any) => [kind, of, campaignId, instanceId, name]),
    [
      ['campaign', campaign, campaign, undefined, 'Weekend'],
      ['instance', requestId, undefined, id, undefined],
      ['campaign_edit', edit, live, undefined, 'Live'],
    ],
  )
  const pages: unknown[] = []
  let cursor = ''
  do {
    const { body } = expectStatus(await ws.admin.get(`/reviews?limit=1${cursor}`), 200)
    assert.equal(body.metadata.total, 3)
    pages.push(...body.data.reviews)
    cursor = body.metadata.nextCursor ? `&cursor=${encodeURIComponent(body.metadata.nextCursor)}` : ''
  } while (cursor)
  assert.deepEqual(pages, all)
  const ofInstance = expectStatus(await ws.admin.get(`/reviews?instanceId=${id}`), 200).data.reviews
  assert.deepEqual(ofInstance, [all[1]])
  expectStatus(await approveCampaign(ws.admin, campaign), 200)
  expectStatus(await ws.admin.post(`/campaigns/${live}/edit-requests/${edit}/reject`, { note: 'no' }), 200)
  expectStatus(await ws.admin.post(`/reviews/${requestId}/reject`, { note: 'no' }), 200)
  assert.deepEqual(await reviews(ws), [])
  const over = (await reviews(ws, 'rejected')).map(({ kind, id: of, note }: any) => [kind, of, note])
  assert.deepEqual(over, [
    ['campaign_edit', edit, 'no'],
    ['instance', requestId, 'no'],
  ])
  assert.deepEqual((await (await workspace()).admin.get('/reviews')).data.reviews, [])
})

test('G-82 the history of an instance says who asked, who decided and what was said', async () => {
  const { ws, id, editor, approver } = await shop()
  await save(editor, id, 'two')
  const ask = async () => expectStatus(await editor.post(`${path(id)}/publish`, {}), 202).data.requestId
  expectStatus(await approver.post(`/reviews/${await ask()}/reject`, { note: 'too loud' }), 200)
  advance(1_000)
  const second = await ask()
  const { data } = expectStatus(await ws.admin.get(`/reviews?instanceId=${id}`), 200)
  assert.deepEqual([data.reviews.length, data.reviews[0].id], [1, second])
  assert.equal(expectStatus(await ws.admin.get('/reviews?instanceId=other'), 200).data.reviews.length, 0)
  advance(1_000)
  expectStatus(await approver.post(`/reviews/${second}/approve`, {}), 200)
  const { history } = expectStatus(await ws.admin.get(`${path(id)}/history`), 200).data
  const [editorId, approverId] = [history.find(({ action }: any) => action === 'ask').madeBy, history[0].madeBy]
  assert.notEqual(editorId, approverId)
  const told = history.slice(0, 6).map(({ action, revision, note, source }: any) => [action, revision, note, source])
  assert.deepEqual(told, [
    ['approve', 2, null, null],
    ['publish', 2, null, null],
    ['ask', 2, null, null],
    ['reject', 2, 'too loud', null],
    ['ask', 2, null, null],
    ['save', 2, null, 'edit'],
  ])
  const pages: unknown[] = []
  let cursor = ''
  do {
    const { body } = expectStatus(await ws.admin.get(`${path(id)}/history?limit=1${cursor}`), 200)
    pages.push(...body.data.history)
    cursor = body.metadata.nextCursor ? `&cursor=${body.metadata.nextCursor}` : ''
  } while (cursor)
  assert.deepEqual(pages, history)
})
