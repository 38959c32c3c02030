import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Client } from '../../../../../test/builders/builders.ts'
import { startApp } from '../../../../../test/harness/start-app.ts'

const { workspace, url, advance } = await startApp()
const root = clientOf(`${url}/api/v1`)

async function signIn(email: string, workspaceId: string, password = PASSWORD): Promise<Client> {
  const { token } = expectStatus(await root.post('/auth/login', { email, password }), 200).data
  return clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': workspaceId })
}

/** Somebody who opened an account with an email of their choice, in a workspace of their own. */
async function stranger() {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  return { email, ws }
}

const entry = (email: string, more: object = {}) => ({ email, name: 'Boss', password: 'a password of the admin', role: 'admin', ...more })

test('G-06 an account opened by anybody with that email gets no rights by being added: who brings the invitation does', async () => {
  const [ws, squatter] = [await workspace(), await stranger()]
  const added = expectStatus(await ws.admin.post('/members', entry(squatter.email)), 201).data
  const { userId, invitation, invitedUntil, ...shown } = added
  assert.deepEqual(shown, { email: squatter.email, name: squatter.email, role: 'admin', canApprove: true })
  assert.equal(invitation.expiresAt, invitedUntil)
  const inside = await signIn(squatter.email, ws.id)
  assert.equal((await inside.get('/members')).status, 403)
  assert.equal(expectStatus(await inside.get('/auth/me'), 200).data.workspaces.length, 1)
  const { members } = expectStatus(await ws.admin.get('/members'), 200).data
  assert.deepEqual(
    members.find((each: any) => each.userId === userId),
    { userId, ...shown, invitedUntil },
  )

  const boss = await stranger()
  const joined = expectStatus(await boss.ws.admin.post('/workspaces/join', { token: invitation.token }), 200).data
  assert.deepEqual(joined, { id: ws.id, name: 'Shop', role: 'admin', calendar: null, canApprove: true, isSandbox: false })
  const now = expectStatus(await (await signIn(boss.email, ws.id)).get('/members'), 200).data.members
  assert.deepEqual(
    now.map(({ email, invitedUntil: until }: any) => [email, until]).sort(),
    [
      [boss.email, undefined],
      [(await ws.admin.get('/auth/me')).data.user.email, undefined],
    ].sort(),
  )
  assert.equal((await inside.get('/members')).status, 403)
  const again = await boss.ws.admin.post('/workspaces/join', { token: invitation.token })
  assert.deepEqual([again.status, again.body.code], [404, 'INVITATION_OVER'])
})

test('G-06 an account whose password the admin knows joins at once, and wrong guesses at it are counted', async () => {
  const [ws, other] = [await workspace(), await stranger()]
  const member = expectStatus(
    await ws.admin.post('/members', entry(other.email.toUpperCase(), { password: PASSWORD, role: 'viewer' })),
    201,
  ).data
  assert.deepEqual([member.email, member.role, 'invitation' in member, 'invitedUntil' in member], [other.email, 'viewer', false, false])
  expectStatus(await (await signIn(other.email, ws.id)).get('/members'), 200)
  assert.equal((await ws.admin.post('/members', entry(other.email, { password: PASSWORD }))).status, 409)
  const third = await stranger()
  for (let i = 0; i < 10; i++) expectStatus(await ws.admin.post('/members', entry(third.email)), 201)
  const refused = await ws.admin.post('/members', entry(third.email, { password: PASSWORD }))
  assert.deepEqual([refused.status, refused.body.code], [429, 'LOGIN_RATE_LIMITED'])
})

test('G-06 an invitation ends when it is made anew, withdrawn, a week old, or taken by somebody else', async () => {
  const email = uniqueEmail()
  const [ws, one, two] = [await workspace({ email }), await stranger(), await stranger()]
  const invite = async (more: object = {}) => expectStatus(await ws.admin.post('/members', entry(one.email, more)), 201).data
  const join = async (who: typeof one, token: unknown) => (await who.ws.admin.post('/workspaces/join', { token })).status
  const first = await invite()
  const second = await invite({ role: 'viewer' })
  assert.equal(await join(one, first.invitation.token), 404)
  expectStatus(await ws.admin.delete(`/members/${second.userId}`), 200)
  assert.equal(await join(one, second.invitation.token), 404)
  const third = await invite()
  await advance(7 * 86_400 + 1)
  const later = { one: await signIn(one.email, ''), two: await signIn(two.email, '') }
  assert.equal((await later.one.post('/workspaces/join', { token: third.invitation.token })).status, 404)
  const admin = await signIn(email, ws.id)
  const fourth = expectStatus(await admin.post('/members', entry(one.email, { role: 'editor' })), 201).data
  const answers = await Promise.all([later.one, later.two].map((each) => each.post('/workspaces/join', { token: fourth.invitation.token })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404])
  for (const token of ['', 5, undefined, 'x'.repeat(201)]) assert.equal((await later.one.post('/workspaces/join', { token })).status, 400)
  assert.equal((await root.post('/workspaces/join', { token: fourth.invitation.token })).status, 401)
})

test('G-06 somebody invited is no admin that a workspace could be left with, and comes into no sandbox', async () => {
  const [ws, other] = [await workspace(), await stranger()]
  const invited = expectStatus(await ws.admin.post('/members', entry(other.email)), 201).data
  const { userId } = (await ws.admin.get('/auth/me')).data.user
  assert.equal((await ws.admin.delete(`/members/${userId}`)).status, 409)
  const { workspaceId } = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  assert.equal((await ws.admin.get('/members', { headers: { 'x-tenant-id': workspaceId } })).data.members.length, 1)
  const taken = await ws.admin.post('/workspaces/join', { token: invited.invitation.token })
  assert.equal(taken.status, 409, 'who is a member already cannot take the place of another')
})

test('emails are compared as they are stored: who signs up with any letters signs in with them, and no other email is theirs', async () => {
  const name = uniqueEmail()
  const email = `İx-${name}`
  const ws = await workspace({ email })
  for (const spelling of [email, `İX-${name.toUpperCase()}`, `i\u0307x-${name}`])
    expectStatus(await root.post('/auth/login', { email: spelling, password: PASSWORD }), 200)
  assert.equal(
    (await root.post('/auth/signup', { email: `i\u0307X-${name}`, password: PASSWORD, name: 'A', workspaceName: 'W' })).status,
    409,
  )
  const other = await workspace()
  const { userId, email: shown } = expectStatus(await other.admin.post('/members', entry(`ix-${name}`, { password: PASSWORD })), 201).data
  assert.equal(shown, `ix-${name}`)
  assert.notEqual(userId, (await ws.admin.get('/auth/me')).data.user.userId)
})
