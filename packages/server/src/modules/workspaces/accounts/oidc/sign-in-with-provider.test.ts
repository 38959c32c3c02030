import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CookieBrowser, signInAtDirectory } from '../../../../../test/builders/cookie-browser.ts'
import { openDirectory } from '../../../../../test/builders/identity-provider.ts'
import { clientOf, expectStatus, PASSWORD, uniqueEmail } from '../../../../../test/builders/builders.ts'
import { startApp } from '../../../../../test/harness/start-app.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const { url, operator, workspace } = app
const root = `${url}/api/v1`
const ID = 'staff'
const directory = await openDirectory({ id: ID, url })
after(() => directory.close())

type Change = Record<string, unknown>
const save = (change: Change = {}, id = ID) =>
  operator.put(`/operator/identity-providers/${id}`, {
    name: 'Staff',
    issuer: directory.issuer,
    clientId: directory.clientId,
    clientSecret: directory.clientSecret,
    ...change,
  })
const start = (id = ID, returnTo = '/w/home') => `${root}/auth/oidc/${id}/start?returnTo=${encodeURIComponent(returnTo)}`
const own = { 'x-cf-dashboard': '1' }
async function me(browser: CookieBrowser) {
  const visit = await browser.send(`${root}/auth/me`, { headers: own })
  return { status: visit.status, data: visit.status === 200 ? JSON.parse(visit.text).data : undefined }
}
async function signIn(login: string, browser = new CookieBrowser()) {
  const visit = await signInAtDirectory(browser, start(), login)
  assert.equal(visit.status, 303, visit.text)
  return { browser, location: visit.headers.get('location') ?? '' }
}

test('somebody of a group signs in: an account is made, with the role of the group, and the session opens its workspace', async () => {
  const ws = await workspace()
  expectStatus(await save({ mapping: [{ group: 'editors', workspaceId: ws.id, role: 'editor' }] }), 200)
  const email = uniqueEmail()
  directory.people.set('amal', { email, email_verified: true, name: 'Amal', groups: ['editors', 'others'] })
  const { browser, location } = await signIn('amal')
  assert.equal(location, '/w/home')
  const { data } = await me(browser)
  assert.deepEqual([data.user.email, data.user.name], [email, 'Amal'])
  assert.deepEqual(
    data.workspaces.map((each: any) => [each.id, each.role]),
    [[ws.id, 'editor']],
  )
  const members = expectStatus(await ws.admin.get('/members'), 200).data.members
  const member = members.find((each: any) => each.email === email)
  assert.equal(member.source, 'oidc')
  const refused = await ws.admin.put(`/members/${member.userId}`, { role: 'viewer' })
  assert.deepEqual([refused.status, refused.body.code], [409, 'MEMBER_MANAGED'])
  assert.equal((await ws.admin.delete(`/members/${member.userId}`)).body.code, 'MEMBER_MANAGED')
  assert.equal((await clientOf(root).post('/auth/login', { email, password: PASSWORD })).status, 401)
})
