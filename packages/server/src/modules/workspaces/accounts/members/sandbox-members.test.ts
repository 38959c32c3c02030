import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Client } from '../../../../../test/builders/builders.ts'
import { startApp } from '../../../../../test/harness/start-app.ts'

const { workspace, url, ctx } = await startApp()
const root = `${url}/api/v1`

const logIn = async (email: string): Promise<Client> => {
  const { token } = expectStatus(await clientOf(root).post('/auth/login', { email, password: PASSWORD }), 200).data
  return clientOf(root, { authorization: `Bearer ${token}` })
}

/** A workspace with a linked sandbox, and who adds members to either. */
async function pair() {
  const ws = await workspace()
  const sandboxId: string = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data.workspaceId
  const inSandbox = { headers: { 'x-tenant-id': sandboxId } }
  const add = async (role: string, more: object = {}, options = {}) => {
    const email = uniqueEmail()
    const body = { email, name: 'Bo', password: PASSWORD, role, ...more }
    const { userId } = expectStatus(await ws.admin.post('/members', body, options), 201).data
    return { email, userId: userId as string }
  }
  /** `role, canApprove` there; undefined: no member. */
  const rights = async (userId: string) => {
    const { members } = expectStatus(await ws.admin.get('/members', inSandbox), 200).data
    const found = members.find((each: any) => each.userId === userId)
    return found && [found.role, found.canApprove]
  }
  return { ws, sandboxId, inSandbox, add, rights }
}

test('who is added, changed or removed in a workspace is so in its linked sandbox', async () => {
  const { ws, sandboxId, inSandbox, add, rights } = await pair()
  const { email, userId } = await add('admin')
  assert.deepEqual(await rights(userId), ['admin', true])
  const theirs = await logIn(email)
  expectStatus(await theirs.get('/members', inSandbox), 200)
  expectStatus(await ws.admin.put(`/members/${userId}`, { role: 'viewer' }), 200)
  assert.deepEqual(await rights(userId), ['viewer', false])
  expectStatus(await ws.admin.put(`/members/${userId}`, { canApprove: true }), 200)
  assert.deepEqual(await rights(userId), ['viewer', true])
  assert.equal((await theirs.post('/settings/write-keys', {}, inSandbox)).status, 403)
  expectStatus(await ws.admin.delete(`/members/${userId}`), 200)
  assert.equal(await rights(userId), undefined)
  assert.equal((await theirs.get('/members', inSandbox)).status, 403)
  assert.equal((await theirs.get('/workspaces')).data.workspaces.length, 0)
  assert.notEqual(sandboxId, ws.id)
})

test('who joins by an invitation joins the linked sandbox, and whoever was only invited does not', async () => {
  const { ws, sandboxId, rights } = await pair()
  const email = uniqueEmail()
  const other = await workspace({ email })
  const { userId } = (await other.admin.get('/auth/me')).data.user
  const body = { email, name: 'Bo', password: 'a password of the admin', role: 'editor' }
  const { invitation } = expectStatus(await ws.admin.post('/members', body), 201).data
  assert.equal(await rights(userId), undefined)
  expectStatus(await other.admin.post('/workspaces/join', { token: invitation.token }), 200)
  assert.deepEqual(await rights(userId), ['editor', false])
  // Strict approvals ask whose address is proved, and by whom somebody was invited.
  const rows = await ctx.db
    .selectFrom('members')
    .select(['invited_by', 'invited_at', 'proved_at'])
    .where('account_id', '=', userId)
    .where('workspace_id', 'in', [ws.id, sandboxId])
    .execute()
  assert.deepEqual(rows[0], rows[1])
  assert.ok(rows[0]?.invited_by && rows[0].proved_at)
})

test('an invitation that is changed or withdrawn touches nobody who works in the sandbox alone', async () => {
  const { ws, inSandbox, add, rights } = await pair()
  const agency = await add('editor', {}, inSandbox)
  const body = { email: agency.email, name: 'Bo', password: 'a password of the admin', role: 'viewer' }
  expectStatus(await ws.admin.post('/members', body), 201)
  assert.deepEqual(await rights(agency.userId), ['editor', false])
  expectStatus(await ws.admin.put(`/members/${agency.userId}`, { role: 'admin' }), 200)
  expectStatus(await ws.admin.delete(`/members/${agency.userId}`), 200)
  assert.deepEqual(await rights(agency.userId), ['editor', false])
})

test('members of the sandbox alone stay in it, and an unlinked sandbox follows nobody', async () => {
  const { ws, inSandbox, add, rights } = await pair()
  const agency = await add('editor', {}, inSandbox)
  const { userId } = await add('admin')
  expectStatus(await ws.admin.put(`/members/${userId}`, { role: 'viewer' }), 200)
  assert.deepEqual(await rights(agency.userId), ['editor', false])
  expectStatus(await ws.admin.delete('/settings/sandbox'), 200)
  expectStatus(await ws.admin.put(`/members/${userId}`, { role: 'admin' }), 200)
  assert.deepEqual(await rights(userId), ['viewer', false])
  expectStatus(await ws.admin.delete(`/members/${userId}`), 200)
  assert.deepEqual(await rights(userId), ['viewer', false])
})

test('a sandbox whose last admin leaves the workspace gets the admins of the workspace', async () => {
  const { ws, inSandbox, add, rights } = await pair()
  const { userId } = await add('admin')
  const { userId: owner } = (await ws.admin.get('/auth/me')).data.user
  expectStatus(await ws.admin.put(`/members/${owner}`, { role: 'viewer' }, inSandbox), 200)
  expectStatus(await ws.admin.delete(`/members/${userId}`), 200)
  assert.deepEqual(await rights(owner), ['admin', true])
})
