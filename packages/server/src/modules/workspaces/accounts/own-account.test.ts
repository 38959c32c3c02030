import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, request, uniqueEmail, type Answer, type Client } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, url, advance, ctx } = await startApp({ CF_TRUST_PROXY: '1' })
const root = `${url}/api/v1`
const told = ({ status, body }: Answer) => [status, body.code]
const DAY = 86_400

async function logIn(email: string, headers: Record<string, string> = {}): Promise<Client> {
  const answer = await request('POST', `${root}/auth/login`, { headers, body: { email, password: PASSWORD } })
  return clientOf(root, { authorization: `Bearer ${expectStatus(answer, 200).data.token}` })
}
const listOf = async (client: Client) => expectStatus(await client.get('/auth/sessions'), 200).data.sessions

test('people see where they are signed in, and end any of it', async () => {
  const email = uniqueEmail()
  await workspace({ email })
  const phone = await logIn(email, { 'user-agent': 'A phone', 'x-forwarded-for': '203.0.113.77' })
  const desk = await logIn(email, { 'user-agent': 'D'.repeat(400) })
  const sessions = await listOf(desk)
  assert.equal(sessions.length, 3)
  const [mine, theirs] = [sessions.find((each: any) => each.isThis), sessions.find((each: any) => each.userAgent === 'A phone')]
  assert.equal(mine.userAgent, 'D'.repeat(300))
  assert.equal(theirs.address, '203.0.113.77')
  assert.ok(!JSON.stringify(sessions).includes('token'))
  const stranger = (await workspace()).admin
  assert.equal((await stranger.delete(`/auth/sessions/${theirs.id}`)).status, 404)
  expectStatus(await phone.get('/auth/me'), 200)
  expectStatus(await desk.delete(`/auth/sessions/${theirs.id}`), 200)
  assert.equal((await phone.get('/auth/me')).status, 401)
  assert.equal((await desk.delete(`/auth/sessions/${theirs.id}`)).status, 404)
  expectStatus(await desk.delete(`/auth/sessions/${mine.id}`), 200)
  assert.equal((await desk.get('/auth/me')).status, 401)
})

test('when a session was seen last is true to a minute', async () => {
  const email = uniqueEmail()
  await workspace({ email })
  const client = await logIn(email)
  const seen = async () => (await listOf(client)).find((each: any) => each.isThis).lastSeenAt
  const first = await seen()
  await advance(30)
  assert.equal(await seen(), first)
  await advance(31)
  await seen()
  assert.ok(Date.parse(await seen()) - Date.parse(first) >= 61_000)
})

test('the last admin of a workspace cannot delete the account: the refusal names the workspaces', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email, name: 'Souq' })
  assert.deepEqual(told(await ws.admin.delete('/auth/me', { body: { password: 'wrong password' } })), [400, 'PASSWORD_WRONG'])
  const refused = await ws.admin.delete('/auth/me', { body: { password: PASSWORD } })
  assert.deepEqual([...told(refused), refused.body.workspaces], [409, 'LAST_ADMIN', [{ id: ws.id, name: 'Souq' }]])
  assert.match(refused.body.error, /“Souq”/)
  assert.equal((await ws.admin.delete('/auth/me', { body: {} })).status, 400)
})

test('a deleted account ends after 14 days, and is kept when its person says so until then', async () => {
  const ws = await workspace()
  const add = async (role: string) => {
    const email = uniqueEmail()
    const { userId } = expectStatus(await ws.admin.post('/members', { email, name: 'Bo', password: PASSWORD, role }), 201).data
    return { email, userId: userId as string, client: await logIn(email) }
  }
  const [leaving, staying] = [await add('editor'), await add('viewer')]
  const elsewhere = await logIn(leaving.email)
  const { endsAt } = expectStatus(await leaving.client.delete('/auth/me', { body: { password: PASSWORD } }), 202).data
  assert.equal(Math.round((Date.parse(endsAt) - ctx.clock.ms()) / 1000 / DAY), 14)
  assert.equal((await elsewhere.get('/auth/me')).status, 401)
  assert.equal(expectStatus(await leaving.client.get('/auth/me'), 200).data.endsAt, endsAt)
  expectStatus(await staying.client.delete('/auth/me', { body: { password: PASSWORD } }), 202)
  await advance(13 * DAY)
  expectStatus(await (await logIn(staying.email)).post('/auth/me/restore'), 200)
  const back = await logIn(leaving.email)
  assert.equal((await back.get('/auth/me')).data.endsAt, endsAt)
  await advance(DAY + 60)
  assert.equal((await back.get('/auth/me')).status, 401)
  const kept = expectStatus(await (await logIn(staying.email)).get('/auth/me'), 200).data
  assert.deepEqual([kept.workspaces.length, 'endsAt' in kept], [1, false])
  const rows = await ctx.db.selectFrom('members').select('account_id').where('workspace_id', '=', ws.id).execute()
  assert.ok(!rows.some(({ account_id }) => account_id === leaving.userId))
  const answer = await request('POST', `${root}/auth/login`, { body: { email: leaving.email, password: PASSWORD } })
  assert.equal(answer.status, 401)
  expectStatus(
    await request('POST', `${root}/auth/signup`, { body: { email: leaving.email, password: PASSWORD, name: 'A', workspaceName: 'W' } }),
    201,
  )
})

test('an account that ends is no admin that a workspace could be left with, and one left alone as admin does not end', async () => {
  const [email, second] = [uniqueEmail(), uniqueEmail()]
  const ws = await workspace({ email })
  const { userId } = expectStatus(
    await ws.admin.post('/members', { email: second, name: 'Bo', password: PASSWORD, role: 'admin' }),
    201,
  ).data
  const owner = (await ws.admin.get('/auth/me')).data.user.userId
  expectStatus(await (await logIn(second)).delete('/auth/me', { body: { password: PASSWORD } }), 202)
  assert.equal((await ws.admin.delete(`/members/${owner}`)).status, 409)
  assert.equal((await ws.admin.delete('/auth/me', { body: { password: PASSWORD } })).status, 409)
  // As when the other admin's account went another way.
  await ctx.db.deleteFrom('members').where('workspace_id', '=', ws.id).where('account_id', '=', owner).execute()
  await advance(15 * DAY)
  const me = expectStatus(await (await logIn(second)).get('/auth/me'), 200).data
  assert.deepEqual([me.user.userId, me.workspaces.length], [userId, 1])
})
