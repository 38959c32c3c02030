import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, request, uniqueEmail, type Answer } from '../../../../../test/builders/builders.ts'
import { startApp } from '../../../../../test/harness/start-app.ts'

const { workspace, url } = await startApp()
const root = clientOf(`${url}/api/v1`)
const OWN = { 'x-cf-dashboard': '1' }
const told = ({ status, body }: Answer) => [status, body.code]
const browse = (body: object) => request('POST', `${url}/api/v1/auth/session`, { headers: OWN, body })
const cookieOf = (answer: Answer) => (answer.headers.getSetCookie()[0] ?? '').split(';', 1)[0] ?? ''
const NEXT = 'chosen by its person'

async function made(password = PASSWORD) {
  const ws = await workspace()
  const email = uniqueEmail()
  const { userId } = expectStatus(await ws.admin.post('/members', { email, name: 'Bo', password, role: 'viewer' }), 201).data
  return { ws, email, userId: userId as string }
}

test('who got an account from somebody else chooses a password of their own at the first sign-in in a browser', async () => {
  const { ws, email } = await made()
  const { token } = expectStatus(await root.post('/auth/login', { email, password: PASSWORD }), 200).data
  const program = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
  expectStatus(await program.get('/members'), 200)
  const refused = await browse({ email, password: PASSWORD })
  assert.deepEqual([...told(refused), refused.headers.getSetCookie()], [403, 'PASSWORD_CHANGE_REQUIRED', []])
  for (const next of [PASSWORD, 'password1', email, '          '])
    assert.deepEqual(told(await browse({ email, password: PASSWORD, next })), [400, 'PASSWORD_WEAK'], next)
  for (const next of ['short', 5, 'x'.repeat(201)]) assert.equal((await browse({ email, password: PASSWORD, next })).status, 400)
  assert.equal((await browse({ email, password: 'wrong password', next: NEXT })).status, 401)
  const answer = expectStatus(await browse({ email, password: PASSWORD, next: NEXT }), 200)
  expectStatus(await request('GET', `${url}/api/v1/auth/me`, { headers: { ...OWN, cookie: cookieOf(answer) } }), 200)
  assert.equal((await program.get('/members')).status, 401, 'whoever else knew the password is signed out')
  assert.equal((await root.post('/auth/login', { email, password: PASSWORD })).status, 401)
  expectStatus(await browse({ email, password: NEXT }), 200)
})

test('a password changed by a program is changed for the browser too, and a `next` that nobody asked for changes nothing', async () => {
  const { email } = await made()
  const { token } = expectStatus(await root.post('/auth/login', { email, password: PASSWORD }), 200).data
  const program = clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}` })
  expectStatus(await program.put('/auth/password', { current: PASSWORD, next: NEXT }), 200)
  expectStatus(await browse({ email, password: NEXT, next: 'yet another password' }), 200)
  expectStatus(await browse({ email, password: NEXT }), 200)
  const own = uniqueEmail()
  await workspace({ email: own })
  expectStatus(await browse({ email: own, password: PASSWORD }), 200)
})

test('easy passwords: programs open accounts with them as documented, browsers then ask for another, pages and changes refuse them', async () => {
  const signUp = (password: string, headers: Record<string, string> = {}) => {
    const email = uniqueEmail()
    const body = { email, password, name: 'A', workspaceName: 'W' }
    return request('POST', `${url}/api/v1/auth/signup`, { headers, body }).then((answer) => ({ email, answer }))
  }
  const { email, answer } = await signUp('password')
  expectStatus(answer, 201)
  expectStatus(await root.post('/auth/login', { email, password: 'password' }), 200)
  assert.deepEqual(told(await browse({ email, password: 'password' })), [403, 'PASSWORD_CHANGE_REQUIRED'])
  for (const password of ['password', '        ', 'Qwertyuiop'])
    assert.deepEqual(told((await signUp(password, OWN)).answer), [400, 'PASSWORD_WEAK'])
  const client = clientOf(`${url}/api/v1`, { authorization: `Bearer ${answer.data.token}` })
  for (const next of ['password1', email, email.split('@')[0] ?? ''])
    assert.deepEqual(told(await client.put('/auth/password', { current: 'password', next })), [400, 'PASSWORD_WEAK'], next)
  const member = { email: uniqueEmail(), name: 'B', password: 'password1', role: 'viewer' }
  const headers = { ...OWN, authorization: `Bearer ${answer.data.token}`, 'x-tenant-id': answer.data.workspace.id }
  assert.deepEqual(told(await request('POST', `${url}/api/v1/members`, { headers, body: member })), [400, 'PASSWORD_WEAK'])
})

test('with CF_PASSWORDS=strict programs are refused easy passwords too', async () => {
  const { url: strictUrl } = await startApp({ CF_PASSWORDS: 'strict' })
  const strict = clientOf(`${strictUrl}/api/v1`)
  const body = { email: uniqueEmail(), name: 'A', workspaceName: 'W' }
  for (const password of ['password1', body.email, '\u2003'.repeat(8)])
    assert.deepEqual(told(await strict.post('/auth/signup', { ...body, password })), [400, 'PASSWORD_WEAK'], password)
  expectStatus(await strict.post('/auth/signup', { ...body, password: PASSWORD }), 201)
})
