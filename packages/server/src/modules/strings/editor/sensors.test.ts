import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, reviewsOf, told } from '../../../../test/builders/approvals.ts'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { catalog, pathOf, sync } from '../../../../test/builders/strings.ts'
import { hashTables } from '../../../../test/harness/tables.ts'

const { ctx, workspace } = await startApp()

async function shop(required: boolean, ...keys: string[]): Promise<Workspace> {
  const ws = await workspace()
  await sync(ws, ...['a', ...keys].map((key) => ({ key, sourceText: key })))
  assert.deepEqual((await ws.admin.get('/settings/sensor-approval')).data, { required: false })
  assert.deepEqual(expectStatus(await ws.admin.put('/settings/sensor-approval', { required }), 200).data, { required })
  return ws
}
const smartKeys = async (ws: Workspace) => (await catalog(ws)).smartKeys
const requests = async ({ admin }: Workspace) => expectStatus(await admin.get('/strings/sensor-requests'), 200).data.requests
const pending = async (ws: Workspace) => (await requests(ws)).map(({ key }: any) => key)

test('M-STRS-34 M-ERR-11 turning a sensor on for an unknown key is 404 UNKNOWN_STRING', async () => {
  const ws = await shop(false)
  for (const enabled of [true, false]) {
    const answer = await ws.admin.put('/strings/nope/sensor', { enabled })
    assert.deepEqual([answer.status, answer.body.code], [404, 'UNKNOWN_STRING'])
  }
  assert.deepEqual(expectStatus(await ws.admin.put('/strings/a/sensor', { enabled: true }), 200).data, { key: 'a', sensor: true })
  const before = await hashTables(ctx.db)
  expectStatus(await ws.admin.put('/strings/a/sensor', { enabled: true }), 200)
  assert.equal(await hashTables(ctx.db), before)
  assert.deepEqual(await smartKeys(ws), ['a'])
})

test('M-STRS-35 where approval is required an editor waits for somebody else; members with approval rights do not', async () => {
  const ws = await shop(true, 'b', 'c')
  const [editor, approver] = [await ws.editor(), await ws.approver()]
  const asked = expectStatus(await editor.put('/strings/a/sensor', { enabled: true }), 202).data
  assert.deepEqual({ ...asked, requestId: typeof asked.requestId }, { key: 'a', sensor: false, requestId: 'string' })
  assert.deepEqual([await smartKeys(ws), await pending(ws)], [[], ['a']])
  assert.deepEqual((await editor.put('/strings/a/sensor', { enabled: true })).data, asked, 'asking again is the same request')
  for (const client of [editor, await ws.viewer()]) {
    const refused = await client.post('/strings/a/sensor/approve', {})
    assert.deepEqual([refused.status, refused.body.code], [403, 'ROLE_REQUIRED'])
  }
  assert.deepEqual(expectStatus(await approver.post('/strings/a/sensor/approve', {}), 200).data, { key: 'a', sensor: true })
  assert.deepEqual([await smartKeys(ws), await pending(ws)], [['a'], []])
  assert.equal((await approver.post('/strings/a/sensor/approve', {})).status, 409)
  assert.equal((await approver.post('/strings/nope/sensor/approve', {})).status, 404)
  for (const [client, key] of [
    [approver, 'b'],
    [ws.admin, 'c'],
  ] as const)
    assert.deepEqual(expectStatus(await client.put(`${pathOf(key)}/sensor`, { enabled: true }), 200).data, { key, sensor: true })
  expectStatus(await editor.put('/strings/a/sensor', { enabled: false }), 200)
  assert.deepEqual(await smartKeys(ws), ['b', 'c'], 'turning off needs nobody')
})

test('M-STRS-35 whoever asked cannot approve, even with approval rights since', async () => {
  const ws = await shop(true)
  const email = 'asks@example.com'
  const password = 'a long enough one'
  const { userId } = expectStatus(await ws.admin.post('/members', { email, name: 'E', password, role: 'editor' }), 201).data
  const { token } = expectStatus(await ws.admin.post('/auth/login', { email, password }), 200).data
  const headers = { authorization: `Bearer ${token}` }
  expectStatus(await ws.admin.put('/strings/a/sensor', { enabled: true }, { headers }), 202)
  assert.equal((await requests(ws))[0].requestedBy, userId)
  expectStatus(await ws.admin.put(`/members/${userId}`, { canApprove: true }), 200)
  const refused = await ws.admin.post('/strings/a/sensor/approve', {}, { headers })
  assert.deepEqual([refused.status, refused.body.code], [403, 'SELF_APPROVAL_NOT_ALLOWED'])
  assert.deepEqual(await smartKeys(ws), [])
  expectStatus(await ws.admin.post('/strings/a/sensor/approve', {}), 200)
  assert.deepEqual(await smartKeys(ws), ['a'])
})

test('M-STRS-35 a request is withdrawn by whoever made it, refused by an approver, or settled by turning the sensor on or off', async () => {
  const ws = await shop(true)
  const [editor, other, approver] = [await ws.editor(), await ws.editor(), await ws.approver()]
  const ask = async () => void expectStatus(await editor.put('/strings/a/sensor', { enabled: true }), 202)
  const drop = (client: typeof editor) => client.delete('/strings/a/sensor/request')
  await ask()
  assert.equal((await drop(other)).status, 403)
  expectStatus(await drop(editor), 200)
  assert.equal((await drop(editor)).status, 409)
  for (const settle of [() => drop(approver), () => editor.put('/strings/a/sensor', { enabled: false })]) {
    await ask()
    expectStatus(await settle(), 200)
    assert.deepEqual([await smartKeys(ws), await pending(ws)], [[], []])
  }
  await ask()
  expectStatus(await ws.admin.put('/strings/a/sensor', { enabled: true }), 200)
  assert.deepEqual([await smartKeys(ws), await pending(ws)], [['a'], []])
})

test('G-39 only an admin changes whether approval is required; the list of requests pages', async () => {
  const ws = await shop(true, 'b', 'c')
  const editor = await ws.editor()
  assert.equal((await editor.put('/settings/sensor-approval', { required: false })).status, 403)
  for (const required of ['x', 1, null, undefined])
    assert.equal((await ws.admin.put('/settings/sensor-approval', { required })).status, 400)
  for (const key of ['c', 'a', 'b']) expectStatus(await editor.put(`/strings/${key}/sensor`, { enabled: true }), 202)
  const first = expectStatus(await ws.admin.get('/strings/sensor-requests?limit=2'), 200)
  assert.deepEqual([first.data.requests.map(({ key }: any) => key), first.body.metadata.total], [['c', 'a'], 3])
  const next = expectStatus(await ws.admin.get(`/strings/sensor-requests?limit=2&cursor=${first.body.metadata.nextCursor}`), 200)
  assert.deepEqual([next.data.requests.map(({ key }: any) => key), next.body.metadata.nextCursor], [['b'], null])
})

test('M-STRS-35 G-82 what waits for approval stands among the reviews, and is decided there as well', async () => {
  const ws = await shop(true, 'b', 'c')
  const [editor, other, approver] = [await ws.editor(), await ws.editor(), await ws.approver()]
  const ask = async (key: string): Promise<string> =>
    expectStatus(await editor.put(`/strings/${key}/sensor`, { enabled: true }), 202).data.requestId
  const ids = [await ask('a'), await ask('b'), await ask('c')]
  const waiting = await reviewsOf(ws.admin)
  assert.deepEqual(
    waiting.map(({ id, kind, key, status }: any) => [id, kind, key, status]),
    ['a', 'b', 'c'].map((key, index) => [ids[index], 'sensor', key, 'pending']),
  )
  const { requestedBy, requestedAt, decidedBy } = waiting[0]
  assert.deepEqual({ requestedBy, createdAt: requestedAt }, pick((await requests(ws))[0]))
  assert.equal(decidedBy, null)
  assert.deepEqual((await ws.admin.get('/reviews?limit=2')).body.metadata.total, 3)
  assert.deepEqual(expectStatus(await ws.admin.get('/reviews?instanceId=a'), 200).data.reviews, [])

  const [a = '', b = '', c = ''] = ids
  assert.deepEqual(told(await decide(editor, a)), [403, 'ROLE_REQUIRED'])
  const approved = expectStatus(await decide(approver, a, { note: 'fine' }), 200).data
  assert.deepEqual([approved.kind, approved.key, approved.status, approved.note], ['sensor', 'a', 'approved', 'fine'])
  assert.deepEqual([await smartKeys(ws), await pending(ws)], [['a'], ['b', 'c']])
  const reject = (by: typeof editor, id: string) => by.post(`/reviews/${id}/reject`, { note: 'no' })
  assert.equal((await reject(other, b)).status, 403)
  assert.equal(expectStatus(await reject(approver, b), 200).data.status, 'rejected')
  assert.equal(expectStatus(await reject(editor, c), 200).data.status, 'withdrawn')
  assert.deepEqual([await smartKeys(ws), await pending(ws), await reviewsOf(ws.admin)], [['a'], [], []])
  assert.equal((await decide(approver, a)).status, 404)
  assert.equal((await decide(await (await shop(true)).approver(), a)).status, 404)
})

test('M-STRS-35 G-82 whoever asked approves it nowhere, reviews included', async () => {
  const ws = await shop(true)
  const approver = await ws.approver()
  expectStatus(await (await ws.editor()).put('/strings/a/sensor', { enabled: true }), 202)
  const [{ id }] = await reviewsOf(ws.admin)
  await ctx.db
    .updateTable('sensor_requests')
    .set({ requested_by: (await approver.get('/auth/me')).data.user.userId })
    .where('workspace_id', '=', ws.id)
    .execute()
  assert.deepEqual(told(await decide(approver, id)), [403, 'SELF_APPROVAL_NOT_ALLOWED'])
  assert.deepEqual([await smartKeys(ws), await pending(ws)], [[], ['a']])
})

const pick = ({ requestedBy, createdAt }: any) => ({ requestedBy, createdAt })
