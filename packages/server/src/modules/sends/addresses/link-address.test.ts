/** Where mails can be left while nobody said where the server is reached. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { approve, create, submit, told } from '../../../../test/builders/campaigns.ts'
import { check, enroll, makeJourney, setStatus } from '../../../../test/builders/journeys.ts'
import { send } from '../../../../test/harness/raw.ts'
import { addPeople, openEmail } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const open = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const PATH = '/settings/web-address'

async function withMail({ workspace }: Pick<typeof open, 'workspace'>) {
  const ws = await workspace()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U', 'V'])
  const leaving = () =>
    email.mails().map(({ headers }) => /^<(\S+)\/api\/v1\/unsubscribe\/[\w-]+>$/.exec(headers?.['List-Unsubscribe'] ?? '')?.[1])
  return { ws, email, leaving }
}
/** The same request as by `ws.admin`, sent to another host. */
type Sent = { method?: string; body: object; forwarded?: string }
async function byHost(ws: Workspace, host: string, path: string, { method = 'POST', body, forwarded = 'http' }: Sent) {
  const headers = {
    host,
    authorization: `Bearer ${ws.token}`,
    'x-tenant-id': ws.id,
    'content-type': 'application/json',
    'x-forwarded-proto': forwarded,
  }
  const answer = await send(open.url, `/api/v1${path}`, { method, headers, body: JSON.stringify(body) })
  assert.equal(answer.status, 200, answer.body.toString())
}
const work = async ({ operator }: Pick<typeof open, 'operator'>) =>
  void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
async function submitted(ws: Workspace): Promise<string> {
  const { id } = await create(ws.admin, { dispatchChannels: ['email'] })
  expectStatus(await submit(await ws.editor(), id), 200)
  return id
}

test('mail of a campaign can be left where whoever approved it reached this server, and preview and channels say so', async () => {
  const { ws, email, leaving } = await withMail(open)
  const { id } = await create(ws.admin, { dispatchChannels: ['email'] })
  const shown = expectStatus(await ws.admin.post(`/campaigns/${id}/preview`, {}), 200).data
  assert.deepEqual(shown.warnings, [{ code: 'public_url_missing' }])
  const link = /href="([^"]+\/api\/v1\/unsubscribe\/[^"]+)"/.exec(shown.channels.email.samples[0].html)?.[1] ?? ''
  assert.equal(link, `${open.url}/api/v1/unsubscribe/preview`)
  // Whoever follows it leaves nobody's mail.
  assert.match(await (await fetch(link)).text(), /not complete/)
  expectStatus(await submit(await ws.editor(), id), 200)
  assert.equal((await open.ctx.db.selectFrom('link_addresses').selectAll().where('workspace_id', '=', ws.id).execute()).length, 0)
  await byHost(ws, 'flow.example', `/campaigns/${id}/approve`, { body: { activateTarget: 'live' }, forwarded: 'https' })
  await work(open)
  assert.deepEqual(leaving(), ['https://flow.example', 'https://flow.example'])
  assert.deepEqual(expectStatus(await (await ws.viewer()).get(PATH), 200).data.mailLinks, {
    isConfigured: false,
    address: 'https://flow.example',
    preferences: false,
  })
  const mail = email.mails()[0]
  const address = mail.headers['List-Unsubscribe'].slice(1, -1)
  assert.ok(mail.html.includes(address) && mail.text.includes(address))
  assert.equal((await fetch(address.replace('https://flow.example', open.url), { method: 'POST' })).status, 200)
  expectStatus(await ws.admin.post(`/campaigns/${id}/test-send`, { to: 'me' }), 200)
  assert.equal(leaving().at(-1), open.url)
})

test('nobody else says where links lead: no stranger, no app, no editor once somebody with approval rights did, and nothing that is no address', async () => {
  const { ws, leaving } = await withMail(open)
  const id = await submitted(ws)
  const editor = await ws.editor()
  const at = (host: string) => ({ headers: { 'x-forwarded-host': host } })
  await fetch(`${open.url}/api/v1/campaigns/${id}/approve`, { method: 'POST', headers: { 'x-tenant-id': ws.id }, body: '{}' })
  await send(open.url, '/sdk/v1/sync', { headers: { host: 'evil.example', 'x-cf-key': ws.live } })
  await send(open.url, `/api/v1/campaigns/${id}/approve`, { method: 'POST', headers: { host: 'evil.example', 'x-tenant-id': ws.id } })
  assert.ok((await editor.post(`/campaigns/${id}/approve`, {}, at('evil.example'))).status >= 400)
  expectStatus(await approve(ws.admin, id, { activateTarget: 'live' }), 200)
  await work(open)
  assert.deepEqual(leaving(), [open.url, open.url])
  const { id: journey } = await makeJourney(ws.admin, { steps: [{ type: 'send', channel: 'email', content: { en: { title: 'Hi' } } }] })
  const another = { headers: { 'x-forwarded-proto': 'https' } }
  expectStatus(await editor.patch(`/journeys/${journey}/status`, { status: 'active' }, another), 200)
  for (const host of ['evil.example/x', 'a b', '', '<b>', '"']) {
    const other = await submitted(ws)
    const headers = { host, authorization: `Bearer ${ws.token}`, 'x-tenant-id': ws.id, 'content-type': 'application/json' }
    await send(open.url, `/api/v1/campaigns/${other}/approve`, { method: 'POST', headers, body: '{"activateTarget":"live"}' })
  }
  assert.equal(expectStatus(await (await ws.viewer()).get(PATH), 200).data.mailLinks.address, open.url)
})

test('while nobody with approval rights said so, whoever lets a journey begin does; the next approval corrects it', async () => {
  const { ws, leaving } = await withMail(open)
  const { id } = await makeJourney(ws.admin, { steps: [{ type: 'send', channel: 'email', content: { en: { title: 'Hi' } } }] })
  const another = { headers: { 'x-forwarded-proto': 'https' } }
  expectStatus(await (await ws.editor()).patch(`/journeys/${id}/status`, { status: 'active' }, another), 200)
  await enroll(ws, id, ['U'])
  await check(open.operator)
  await work(open)
  assert.deepEqual(leaving(), [open.url.replace('http:', 'https:')])
  expectStatus(await approve(ws.admin, await submitted(ws), { activateTarget: 'live' }), 200)
  await work(open)
  assert.deepEqual(leaving().slice(1), [open.url, open.url])
})

test('a journey that an approver lets begin does the same', async () => {
  const { ws, leaving } = await withMail(open)
  const { id } = await makeJourney(ws.admin, { steps: [{ type: 'send', channel: 'email', content: { en: { title: 'Hi' } } }] })
  await byHost(ws, 'flow.example:8443', `/journeys/${id}/status`, { method: 'PATCH', body: { status: 'active' } })
  await enroll(ws, id, ['U'])
  await check(open.operator)
  await work(open)
  assert.deepEqual(leaving(), ['http://flow.example:8443'])
})

test('with CF_UNSUBSCRIBE_LINKS=configured no mail of campaigns and journeys goes out without CF_PUBLIC_URL', async () => {
  const strict = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_UNSUBSCRIBE_LINKS: 'configured' })
  const { ws, email } = await withMail(strict)
  const { id } = await create(ws.admin, { dispatchChannels: ['email', 'push'] })
  const shown = expectStatus(await ws.admin.post(`/campaigns/${id}/preview`, {}), 200).data
  assert.doesNotMatch(shown.channels.email.samples[0].html, /unsubscribe/i)
  assert.deepEqual(told(await submit(await ws.editor(), id)), [409, 'PUBLIC_URL_NEEDED'])
  const { id: journey } = await makeJourney(ws.admin, { steps: [{ type: 'send', channel: 'email', content: { en: { title: 'Hi' } } }] })
  assert.deepEqual(told(await setStatus(ws.admin, journey, 'active')), [409, 'PUBLIC_URL_NEEDED'])
  // What was approved before it was so, and is changed to go out by mail now.
  const { id: running } = await create(ws.admin, { dispatchChannels: ['in_app'] })
  expectStatus(await submit(await ws.editor(), running), 200)
  expectStatus(await approve(ws.admin, running, { activateTarget: 'live' }), 200)
  expectStatus(await ws.admin.put(`/campaigns/${running}`, { dispatchChannels: ['email'] }), 200)
  await work(strict)
  assert.equal(email.mails().length, 0)
  const { channels } = expectStatus(await ws.admin.get(`/campaigns/${running}/report`), 200).data
  assert.equal(channels.email.failed, 2)
  // A message to one person, which is no advertising, leaves.
  const one = { userId: 'U', channel: 'email', content: { body: 'Your order is here' } }
  assert.deepEqual(expectStatus(await ws.admin.post('/notifications', one), 200).data, { sent: true })
})
