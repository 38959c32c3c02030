import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, url, advance } = await startApp()
const root = `${url}/api/v1`

async function person() {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const logIn = (password: string) => clientOf(root).post('/auth/login', { email, password })
  const session = async (password = PASSWORD) => {
    const { token } = expectStatus(await logIn(password), 200).data
    return clientOf(root, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
  }
  return { ws, email, logIn, session }
}

test('people change their name; nobody else is renamed', async () => {
  const { ws, email, session } = await person()
  const other = await person()
  const mine = await session()
  const { user } = expectStatus(await mine.put('/auth/me', { name: 'نورة' }), 200).data
  assert.deepEqual([user.email, user.name], [email, 'نورة'])
  assert.deepEqual(expectStatus(await ws.admin.get('/auth/me'), 200).data.user, user)
  assert.equal(expectStatus(await other.ws.admin.get('/auth/me'), 200).data.user.name, 'Admin')
  for (const name of ['', 'x'.repeat(151), 5, null, undefined])
    assert.equal((await mine.put('/auth/me', { name })).status, 400, String(name))
  assert.equal((await clientOf(root).put('/auth/me', { name: 'x' })).status, 401)
})

test('a new password needs the current one, ends the other sessions and keeps this one', async () => {
  const { session, logIn } = await person()
  const stranger = await (await person()).session()
  const [mine, others] = [await session(), [await session(), await session()]]
  const next = 'another correct horse'
  for (const [body, status] of [
    [{ current: 'wrong', next }, 400],
    [{ current: PASSWORD, next: 'short' }, 400],
    [{ current: PASSWORD, next: 'x'.repeat(201) }, 400],
    [{ next }, 400],
    [{ current: PASSWORD }, 400],
  ] as const)
    assert.equal((await mine.put('/auth/password', body)).status, status)
  for (const each of [mine, ...others]) expectStatus(await each.get('/auth/me'), 200)
  const answer = expectStatus(await mine.put('/auth/password', { current: PASSWORD, next }), 200)
  assert.deepEqual(answer.data, { changed: true })
  expectStatus(await mine.get('/auth/me'), 200)
  for (const each of others) assert.equal((await each.get('/auth/me')).status, 401)
  expectStatus(await stranger.get('/auth/me'), 200)
  assert.equal((await logIn(PASSWORD)).status, 401)
  expectStatus(await logIn(next), 200)
})

test('a session is no way to guess the password: after ten tries it has to wait', async () => {
  const { session } = await person()
  const mine = await session()
  const tries = await Promise.all(Array.from({ length: 12 }, () => mine.put('/auth/password', { current: 'wrong', next: 'x'.repeat(20) })))
  assert.deepEqual(tries.map(({ status }) => status).sort(), [...Array(10).fill(400), 429, 429])
  const refused = await mine.put('/auth/password', { current: PASSWORD, next: 'x'.repeat(20) })
  assert.deepEqual([refused.status, refused.body.code], [429, 'LOGIN_RATE_LIMITED'])
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  await advance(301)
  expectStatus(await mine.put('/auth/password', { current: PASSWORD, next: 'x'.repeat(20) }), 200)
})

test('two changes of one password at once: one is made', async () => {
  const { session, logIn } = await person()
  const mine = await session()
  const nexts = ['first new password', 'second new password']
  const answers = await Promise.all(nexts.map((next) => mine.put('/auth/password', { current: PASSWORD, next })))
  const made = answers.findIndex(({ status }) => status === 200)
  assert.deepEqual(answers.filter(({ status }) => status === 200).length, 1)
  assert.ok(answers.every(({ status }) => [200, 400, 409].includes(status)))
  expectStatus(await logIn(nexts[made] ?? ''), 200)
})

test('an admin renames the workspace', async () => {
  const { ws } = await person()
  const other = await workspace({ name: 'Other' })
  assert.deepEqual(expectStatus(await ws.admin.put('/workspaces/current', { name: 'Souq' }), 200).data, { id: ws.id, name: 'Souq' })
  const nameOf = async ({ admin }: typeof ws) => expectStatus(await admin.get('/auth/me'), 200).data.workspaces[0].name
  assert.deepEqual([await nameOf(ws), await nameOf(other)], ['Souq', 'Other'])
  for (const client of [await ws.editor(), await ws.viewer()]) {
    const refused = await client.put('/workspaces/current', { name: 'x' })
    assert.deepEqual([refused.status, refused.body.code], [403, 'ROLE_REQUIRED'])
  }
  for (const name of ['', 'x'.repeat(151), 5]) assert.equal((await ws.admin.put('/workspaces/current', { name })).status, 400)
  assert.equal(await nameOf(ws), 'Souq')
})
