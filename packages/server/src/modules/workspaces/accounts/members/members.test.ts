import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail } from '../../../../../test/builders/builders.ts'
import { startApp } from '../../../../../test/harness/start-app.ts'

const { workspace, url } = await startApp()

const newMember = (more: object = {}) => ({ email: uniqueEmail(), name: 'Bo', password: PASSWORD, role: 'viewer', ...more })
const signIn = async (email: string, workspaceId: string) => {
  const { token } = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', { email, password: PASSWORD }), 200).data
  return clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': workspaceId })
}

test('G-06 an admin adds members of every role; admins may always approve, others when said so', async () => {
  const ws = await workspace()
  for (const [role, canApprove, told] of [
    ['admin', undefined, true],
    ['admin', false, true],
    ['editor', undefined, false],
    ['editor', true, true],
    ['viewer', undefined, false],
    ['viewer', true, true],
  ] as const) {
    const input = newMember({ role, ...(canApprove !== undefined && { canApprove }) })
    const { userId, ...member } = expectStatus(await ws.admin.post('/members', input), 201).data
    assert.deepEqual(member, { email: input.email, name: 'Bo', role, canApprove: told })
    const client = await signIn(input.email, ws.id)
    const { members } = expectStatus(await client.get('/members'), 200).data
    assert.deepEqual(
      members.find((each: any) => each.userId === userId),
      { userId, ...member },
    )
  }
  const { metadata, data } = (await ws.admin.get('/members')).body
  assert.deepEqual(metadata, { total: 7, nextCursor: null })
  assert.equal(data.members.length, 7)
})

test('G-06 who is a member already is 409, and wrong input is 400, both without a code', async () => {
  const ws = await workspace()
  const input = newMember()
  expectStatus(await ws.admin.post('/members', input), 201)
  for (const email of [input.email, input.email.toUpperCase()]) {
    const again = await ws.admin.post('/members', { ...input, email, role: 'admin' })
    assert.deepEqual([again.status, again.body.success, 'code' in again.body], [409, false, false])
  }
  for (const wrong of [{ role: 'owner' }, { role: undefined }, { email: 'x' }, { password: 'short' }, { name: 5 }, { canApprove: 'yes' }]) {
    const refused = await ws.admin.post('/members', newMember(wrong))
    assert.deepEqual([refused.status, 'code' in refused.body], [400, false], JSON.stringify(wrong))
  }
  assert.equal((await ws.admin.get('/members')).data.members.length, 2)
})

test('G-06 a change of role or approval right counts from the next call, a removal too', async () => {
  const ws = await workspace()
  const input = newMember()
  const { userId } = expectStatus(await ws.admin.post('/members', input), 201).data
  const client = await signIn(input.email, ws.id)
  const makeKey = async () => (await client.post('/settings/write-keys', {})).status
  assert.equal(await makeKey(), 403)
  const raised = expectStatus(await ws.admin.put(`/members/${userId}`, { role: 'editor', canApprove: true }), 200).data
  assert.deepEqual([raised.role, raised.canApprove], ['editor', true])
  assert.equal(await makeKey(), 201)
  assert.equal(expectStatus(await ws.admin.put(`/members/${userId}`, { canApprove: false }), 200).data.role, 'editor')
  expectStatus(await ws.admin.put(`/members/${userId}`, { role: 'viewer' }), 200)
  assert.equal(await makeKey(), 403)
  assert.deepEqual(expectStatus(await ws.admin.delete(`/members/${userId}`), 200).data, { deleted: true })
  assert.equal((await client.get('/members')).status, 403)
  for (const path of [`/members/${userId}`, '/members/nobody']) {
    assert.equal((await ws.admin.delete(path)).status, 404)
    assert.equal((await ws.admin.put(path, { role: 'viewer' })).status, 404)
  }
})

test('G-06 the last admin can neither leave nor step down, not even when two do so at once', async () => {
  const ws = await workspace()
  const [{ userId: first }] = (await ws.admin.get('/members')).data.members
  for (const refused of [await ws.admin.delete(`/members/${first}`), await ws.admin.put(`/members/${first}`, { role: 'editor' })])
    assert.deepEqual([refused.status, 'code' in refused.body], [409, false])
  const { userId: second } = expectStatus(await ws.admin.post('/members', newMember({ role: 'admin' })), 201).data
  const answers = await Promise.all([
    ws.admin.put(`/members/${first}`, { role: 'viewer' }),
    ws.admin.put(`/members/${second}`, { role: 'viewer' }),
  ])
  // The one refused is told so as the last admin, or, when it lost its role first, as no admin any more.
  const statuses = answers.map(({ status }) => status).sort()
  assert.ok(statuses[0] === 200 && [403, 409].includes(statuses[1] ?? 0), String(statuses))
})
