/** How many sessions an account has, and how one that has no password is deleted. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { LIMITS } from '@contentflow/core/limits.ts'
import { CookieBrowser, signInAtDirectory } from '../../../../test/builders/sign-in/cookie-browser.ts'
import { openDirectory } from '../../../../test/builders/sign-in/identity-provider.ts'
import { clientOf, expectStatus, PASSWORD, request, uniqueEmail, type Client } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, url, advance, operator } = await startApp({ CF_TRUST_PROXY: '1', CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const root = `${url}/api/v1`
const MOST = LIMITS.sessionsPerAccount

let address = 0
async function logIn(email: string): Promise<Client> {
  const headers = { 'x-forwarded-for': `203.0.113.${++address % 250}` }
  const answer = await request('POST', `${root}/auth/login`, { headers, body: { email, password: PASSWORD } })
  return clientOf(root, { authorization: `Bearer ${expectStatus(answer, 200).data.token}` })
}
const isIn = async (client: Client) => (await client.get('/auth/me')).status === 200

test('with one session more than an account may have the oldest ends, also of those that are opened side by side', async () => {
  const email = uniqueEmail()
  const { admin: first } = await workspace({ email })
  const opened: Client[] = []
  while (opened.length < MOST - 1) {
    await advance(1)
    opened.push(await logIn(email))
  }
  assert.ok(await isIn(first), `${MOST} are allowed`)
  await advance(1)
  const last = await logIn(email)
  assert.ok(!(await isIn(first)))
  assert.deepEqual(
    await Promise.all(opened.map(isIn)),
    opened.map(() => true),
  )
  await advance(1)
  const together = await Promise.all([logIn(email), logIn(email), logIn(email)])
  assert.deepEqual(await Promise.all(together.map(isIn)), [true, true, true])
  assert.deepEqual(
    await Promise.all(opened.map(isIn)),
    opened.map((_, index) => index >= 3),
  )
  assert.equal(expectStatus(await last.get('/auth/sessions'), 200).data.sessions.length, MOST)
  const other = uniqueEmail()
  const { admin } = await workspace({ email: other })
  assert.ok(await isIn(admin), 'each account has its own')
})

test('an account without a password is deleted by who signed in lately; one with a password still takes it', async () => {
  const directory = await openDirectory({ id: 'staff', url })
  after(() => directory.close())
  const ws = await workspace()
  const provider = {
    name: 'Staff',
    issuer: directory.issuer,
    clientId: directory.clientId,
    clientSecret: directory.clientSecret,
    mapping: [{ group: 'editors', workspaceId: ws.id, role: 'editor' }],
  }
  expectStatus(await operator.put('/operator/identity-providers/staff', provider), 200)
  directory.people.set('amal', { email: uniqueEmail(), email_verified: true, name: 'Amal', groups: ['editors'] })
  const enter = async () => {
    const browser = new CookieBrowser()
    await signInAtDirectory(browser, `${root}/auth/oidc/staff/start`, 'amal')
    const cookie = [...browser.cookies].find(([key]) => key.endsWith(' cf_session'))?.[1].value
    return clientOf(root, { 'x-cf-dashboard': '1', cookie: `cf_session=${cookie}` })
  }
  const before = await enter()
  assert.equal(expectStatus(await before.get('/auth/me'), 200).data.hasPassword, false)
  await advance(601)
  const refused = await before.delete('/auth/me', { body: {} })
  assert.deepEqual([refused.status, refused.body.code], [403, 'REAUTHENTICATE'])
  const again = await enter()
  const { endsAt } = expectStatus(await again.delete('/auth/me', { body: {} }), 202).data
  assert.equal(expectStatus(await again.get('/auth/me'), 200).data.endsAt, endsAt)
  assert.ok(!(await isIn(before)), 'its other sessions end')
  expectStatus(await again.post('/auth/me/restore'), 200)

  const email = uniqueEmail()
  expectStatus(await ws.admin.post('/members', { email, name: 'Bo', password: PASSWORD, role: 'viewer' }), 201)
  const person = await logIn(email)
  assert.ok(!('hasPassword' in expectStatus(await person.get('/auth/me'), 200).data))
  const bare = await person.delete('/auth/me', { body: {} })
  assert.deepEqual([bare.status, 'code' in bare.body], [400, false])
})
