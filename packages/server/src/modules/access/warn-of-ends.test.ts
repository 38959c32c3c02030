/** Whoever answers for a token or a key hears by mail that it ends: two weeks and three days before, once each, on whatever process. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { openMailServer } from '../../../test/builders/providers.ts'
import { openEmail } from '../../../test/builders/sends.ts'
import { startApp, startOn, type TestApp } from '../../../test/harness/start-app.ts'

const server = await openMailServer()
after(() => server.close())
const PUBLIC_URL = 'https://content.example.com'
const mailEnv = {
  CF_SMTP_URL: `smtp://127.0.0.1:${server.port}`,
  CF_MAIL_FROM: 'ContentFlow <no-reply@example.com>',
  CF_PUBLIC_URL: PUBLIC_URL,
}
const first = await startApp(mailEnv)
// The embedded database has no second process.
const processes = process.env['TEST_DATABASE_URL'] ? [first, await startOn(first.databaseEnv, mailEnv)] : [first]
for (const each of processes.slice(1)) after(() => each.stop())
const { workspace } = first
const { workspace: plainWorkspace, ...plain } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

const DAY = 86_400
/** The texts of the mails to an address, with the line breaks of their encoding taken out. */
const mailsTo = (email: string) => server.mails.filter(({ to }) => to.includes(email)).map(({ data }) => data.replace(/=\r\n/g, ''))

/** Time goes on in every process, and each of them looks for what is due, side by side. */
async function pass(days: number, apps: readonly TestApp[] = processes): Promise<void> {
  for (const { ctx } of apps) ctx.clock.advance(days * DAY)
  await Promise.all(apps.map(async ({ operator }) => expectStatus(await operator.post('/test-hooks/jobs', { job: 'accounts' }), 200)))
}

/** Signed in anew: sessions last a day. */
async function enter(url: string, email: string, workspaceId: string): Promise<Client> {
  const { token } = expectStatus(await clientOf(`${url}/api/v1`).post('/auth/login', { email, password: PASSWORD }), 200).data
  return clientOf(`${url}/api/v1`, { authorization: `Bearer ${token}`, 'x-tenant-id': workspaceId })
}

async function member(ws: Workspace, role: string): Promise<{ email: string; userId: string }> {
  const email = uniqueEmail()
  const { userId } = expectStatus(await ws.admin.post('/members', { email, name: 'Bo', password: PASSWORD, role }), 201).data
  return { email, userId }
}

async function service(admin: Client, ownerId: string, name = 'Release pipeline'): Promise<string> {
  return expectStatus(await admin.post('/service-accounts', { name, role: 'viewer', ownerId }), 201).data.id
}
const token = async (admin: Client, id: string, expiresInDays: number) =>
  expectStatus(await admin.post(`/service-accounts/${id}/tokens`, { expiresInDays }), 201).data
const endings = async (client: Client) => expectStatus(await client.get('/access/ending'), 200).data.ending

test('the owner of a token hears two weeks and three days before its end, once each however many processes look for it', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email, name: 'Shop of ends' })
  const owner = await member(ws, 'viewer')
  const id = await service(ws.admin, owner.userId)
  const long = await token(ws.admin, id, 90)
  // Made with less than two weeks to go: its owner knows.
  const brief = await token(ws.admin, id, 10)
  await pass(7.5)
  assert.deepEqual(
    mailsTo(owner.email).map((mail) => mail.includes(brief.hint)),
    [true],
  )
  await pass(68.6)
  await pass(0)
  const [, second, ...more] = mailsTo(owner.email)
  assert.ok(second?.includes(long.hint) && second.includes('Shop of ends') && second.includes(`${PUBLIC_URL}/w/${ws.id}/settings/access`))
  assert.equal(more.length, 0)
  await pass(11)
  await pass(0)
  assert.deepEqual([mailsTo(owner.email).length, mailsTo(email).length], [3, 0])
  await pass(4)
  assert.equal(mailsTo(owner.email).length, 3, 'it is over')
})

test('a token that was replaced or taken back is not told of; one whose days were changed is, by its new end', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const owner = await member(ws, 'viewer')
  const id = await service(ws.admin, owner.userId)
  const [replaced, back, changed] = [await token(ws.admin, id, 20), await token(ws.admin, id, 20), await token(ws.admin, id, 200)]
  const path = (each: any) => `/service-accounts/${id}/tokens/${each.id}`
  const next = expectStatus(await ws.admin.post(`${path(replaced)}/rotate`, { overlapHours: 168, expiresInDays: 300 }), 201).data
  expectStatus(await ws.admin.delete(path(back)), 200)
  expectStatus(await ws.admin.put(path(changed), { expiresInDays: 20 }), 200)
  await pass(6.5)
  assert.deepEqual(
    mailsTo(owner.email).map((mail) => [replaced, back, changed, next].findIndex(({ hint }) => mail.includes(`${hint}`))),
    [2],
  )
  const admin = await enter(first.url, email, ws.id)
  assert.deepEqual(
    (await endings(admin)).map((each: any) => [each.id, each.kind, each.name, each.serviceAccountId]),
    [[changed.id, 'token', 'Release pipeline', id]],
  )
})

test('without an owner every admin hears of it, and of a key whoever made it; each sees what they may replace', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const [owner, other, editor] = [await member(ws, 'viewer'), await member(ws, 'admin'), await member(ws, 'editor')]
  await token(ws.admin, await service(ws.admin, owner.userId), 20)
  expectStatus(await ws.admin.delete(`/members/${owner.userId}`), 200)
  const expiresAt = new Date(first.ctx.clock.ms() + 20 * DAY * 1_000).toISOString()
  const key = { kind: 'secret', environment: 'live', name: 'Web server', expiresAt }
  const byEditor = await enter(first.url, editor.email, ws.id)
  const made = expectStatus(await byEditor.post('/settings/sdk-keys', key), 201).data
  const gone = expectStatus(await byEditor.post('/settings/sdk-keys', key), 201).data
  expectStatus(await byEditor.delete(`/settings/sdk-keys/${gone.id}`), 200)
  await pass(6.5)
  assert.deepEqual(
    [owner, other, editor, { email }].map((each) => mailsTo(each.email).length),
    [0, 1, 1, 1],
  )
  assert.ok(mailsTo(editor.email)[0]?.includes('Web server'))
  const kinds = async (who: string) => (await endings(await enter(first.url, who, ws.id))).map(({ kind }: any) => kind)
  assert.deepEqual([(await kinds(email)).sort(), await kinds(editor.email)], [['secret', 'token'], ['secret']])
  const shown = (await endings(await enter(first.url, editor.email, ws.id)))[0]
  assert.deepEqual([shown.id, shown.hint, shown.endsAt], [made.id, made.masked, expiresAt])
  const viewer = await member({ ...ws, admin: await enter(first.url, email, ws.id) }, 'viewer')
  assert.deepEqual(await kinds(viewer.email), [])
})

test('a mail that is refused for now is sent later, and nobody gets it twice', async () => {
  const email = uniqueEmail()
  const ws = await workspace({ email })
  const [owner, other] = [await member(ws, 'viewer'), await member(ws, 'admin')]
  await token(ws.admin, await service(ws.admin, owner.userId), 20)
  expectStatus(await ws.admin.delete(`/members/${owner.userId}`), 200)
  const arrived = () => mailsTo(email).length + mailsTo(other.email).length
  server.refusalOf = (to) => (to.includes(email) ? '451 later' : undefined)
  await pass(6.5)
  server.refusalOf = () => undefined
  assert.equal(arrived(), 1)
  await pass(0.1)
  assert.deepEqual([mailsTo(email).length, mailsTo(other.email).length], [1, 1])
})

test('where the installation sends no mail, the email channel of the workspace does; a workspace that rests hears of nothing', async () => {
  const apps = [{ ...plain, workspace: plainWorkspace }]
  const addresses = [uniqueEmail(), uniqueEmail()]
  const email = await openEmail()
  const [ws, resting] = [await plainWorkspace({ email: addresses[0]! }), await plainWorkspace({ email: addresses[1]! })]
  for (const each of [ws, resting]) {
    await email.connect(each.admin)
    const { userId } = expectStatus(await each.admin.get('/auth/me'), 200).data.user
    await token(each.admin, await service(each.admin, userId), 20)
  }
  expectStatus(await plain.operator.post(`/operator/workspaces/${resting.id}/suspend`), 200)
  await pass(6.5, apps)
  await pass(0, apps)
  assert.deepEqual(
    email.mails().map(({ to }: any) => [to].flat()),
    [[addresses[0]]],
  )
})
