import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, PASSWORD, request, uniqueEmail } from '../../../../../test/builders/builders.ts'
import { startApp } from '../../../../../test/harness/start-app.ts'

const { workspace, url } = await startApp()
const OWN = { 'x-cf-dashboard': '1' }
const api = (method: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
  request(method, `${url}/api/v1${path}`, { headers, ...(body !== undefined && { body }) })

async function signIn() {
  const ws = await workspace()
  const email = ((await ws.admin.get('/members')).data.members as { email: string }[])[0]?.email ?? ''
  const answer = expectStatus(await api('POST', '/auth/session', OWN, { email, password: PASSWORD }), 200)
  const [cookie = ''] = answer.headers.getSetCookie()
  return { ws, email, answer, cookie, sent: { ...OWN, cookie: cookie.split(';', 1)[0] ?? '' } }
}

test('a page of this server signs in with a cookie that scripts cannot read and other sites cannot send', async () => {
  const { ws, answer, cookie, sent } = await signIn()
  assert.match(cookie, /^cf_session=[\w-]{40,}; Max-Age=86400; Path=\/api\/v1; HttpOnly; SameSite=Strict$/)
  assert.deepEqual(Object.keys(answer.data).sort(), ['expiresAt', 'user', 'workspaces'], 'the token is nowhere but in the cookie')
  assert.equal(expectStatus(await api('GET', '/auth/me', sent), 200).data.user.userId, answer.data.user.userId)
  expectStatus(await api('GET', '/members', { ...sent, 'x-tenant-id': ws.id }), 200)
  expectStatus(await api('PUT', '/settings/features', { ...sent, 'x-tenant-id': ws.id }, { features: { campaigns: false } }), 200)
})

test('behind a proxy that speaks https the cookie is only sent over https', async () => {
  const { email } = await signIn()
  const answer = await api('POST', '/auth/session', { ...OWN, 'x-forwarded-proto': 'https' }, { email, password: PASSWORD })
  assert.match(answer.headers.getSetCookie()[0] ?? '', /; Secure$/)
})

test('with CF_PUBLIC_URL on https the cookie is only ever sent over https', async () => {
  const app = await startApp({ CF_PUBLIC_URL: 'https://content.example.com' })
  const email = uniqueEmail()
  await app.workspace({ email })
  const answer = await request('POST', `${app.url}/api/v1/auth/session`, { headers: OWN, body: { email, password: PASSWORD } })
  const cookies = expectStatus(answer, 200).headers.getSetCookie()
  assert.deepEqual(
    cookies.map((cookie) => [cookie.split('=', 1)[0], cookie.endsWith('; Secure')]),
    [
      ['cf_session', true],
      ['cf_device', true],
    ],
  )
  const [cookie = ''] = (cookies[0] ?? '').split(';', 1)
  const left = await request('DELETE', `${app.url}/api/v1/auth/session`, { headers: { ...OWN, cookie } })
  assert.match(left.headers.getSetCookie()[0] ?? '', /^cf_session=; Max-Age=0; .*; Secure$/)
})

test('the cookie without the header of our own pages opens nothing, and no session is opened without it', async () => {
  const { ws, email, sent } = await signIn()
  const { cookie } = sent
  assert.equal((await api('GET', '/auth/me', { cookie })).status, 401)
  assert.equal((await api('PUT', '/settings/features', { cookie, 'x-tenant-id': ws.id }, { features: { campaigns: false } })).status, 401)
  const refused = await api('POST', '/auth/session', {}, { email, password: PASSWORD })
  assert.deepEqual([refused.status, refused.headers.getSetCookie()], [403, []])
  const foreign = await request('OPTIONS', `${url}/api/v1/auth/session`, {
    headers: {
      origin: 'https://evil.example',
      'access-control-request-headers': 'x-cf-dashboard',
      'access-control-request-method': 'POST',
    },
  })
  assert.equal(foreign.status, 403)
})

test('a wrong password is 401, sets no cookie, and is counted like every other', async () => {
  const { email } = await signIn()
  for (let i = 0; i < 10; i++) {
    const wrong = await api('POST', '/auth/session', OWN, { email, password: `wrong-${i}` })
    assert.deepEqual([wrong.status, wrong.headers.getSetCookie()], [401, []])
  }
  assert.equal((await api('POST', '/auth/session', OWN, { email, password: PASSWORD })).status, 429)
})

test('signing out ends this session, and with `everywhere` every session of the person', async () => {
  const { email, sent } = await signIn()
  const again = async () => {
    const [cookie = ''] = (await api('POST', '/auth/session', OWN, { email, password: PASSWORD })).headers.getSetCookie()
    return { ...OWN, cookie: cookie.split(';', 1)[0] ?? '' }
  }
  const [second, third] = [await again(), await again()]
  const { token } = expectStatus(await api('POST', '/auth/login', {}, { email, password: PASSWORD }), 200).data
  const program = { authorization: `Bearer ${token}` }
  const left = expectStatus(await api('DELETE', '/auth/session', sent), 200)
  assert.match(left.headers.getSetCookie()[0] ?? '', /^cf_session=; Max-Age=0; Path=\/api\/v1; HttpOnly; SameSite=Strict$/)
  const statuses = async () => Promise.all([sent, second, third, program].map(async (one) => (await api('GET', '/auth/me', one)).status))
  assert.deepEqual(await statuses(), [401, 200, 200, 200])
  expectStatus(await api('DELETE', '/auth/session?everywhere=true', second), 200)
  assert.deepEqual(await statuses(), [401, 401, 401, 401])
})

test('an installation with accounts does not offer to open the first one', async () => {
  await workspace()
  const told = { mayOpenFirstAccount: false, needsSetupToken: false, resetsByMail: false, areWorkspacesOpen: true }
  assert.deepEqual(expectStatus(await api('GET', '/auth/installation'), 200).data, told)
})
