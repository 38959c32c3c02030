/** Mail that people can leave. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { identify, personRow } from '../../../../test/builders/people.ts'
import { addPeople, openEmail } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { startDispatches } from '../index.ts'

const PUBLIC = 'https://flow.example'
const { ctx, workspace, operator, url, anyone } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC })

let campaigns = 0
async function mailTo(ws: Workspace) {
  const campaign = {
    source: 'campaign' as const,
    sourceId: `c${++campaigns}`,
    name: 'Sale',
    channels: ['email'] as const,
    content: { en: { title: 'Sale', body: 'Now' }, ar: { title: 'تخفيضات', body: 'الآن' } },
    segments: ['All users'],
    window: {},
  }
  await ctx.change({ workspaceId: ws.id, actor: 'a' }, (change) => startDispatches(change, campaign))
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
}
const leaveAddress = (mail: any): string => {
  assert.equal(mail.headers['List-Unsubscribe-Post'], 'List-Unsubscribe=One-Click')
  const address = /^<(https:\S+)>$/.exec(mail.headers['List-Unsubscribe'])?.[1] ?? ''
  assert.ok(address.startsWith(`${PUBLIC}/api/v1/unsubscribe/`), address)
  assert.ok(mail.html.includes(address) && mail.text.includes(address))
  return address.slice(PUBLIC.length)
}

test('one click in a mail withdraws the consent to email, in the ledger too; to look changes nothing', async () => {
  const ws = await workspace()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U'])
  await mailTo(ws)
  const path = leaveAddress(email.mails()[0])
  const bytes = Buffer.from(path.split('/').at(-1) ?? '', 'base64url').toString('latin1')
  for (const id of [ws.id, (await personRow(ctx, ws.id, 'U'))?.id ?? ''])
    assert.ok(!path.includes(id) && !bytes.includes(id), 'nothing of it says whose it is')
  for (const language of ['en', 'ar']) {
    const page = await anyone.get(path, { headers: { 'accept-language': language } })
    assert.deepEqual([page.status, page.headers.get('content-type')], [200, 'text/html; charset=utf-8'])
    assert.match(page.text, language === 'ar' ? /dir="rtl".*إلغاء الاشتراك<\/button>/s : /dir="ltr".*Unsubscribe<\/button>/s)
    assert.doesNotMatch(page.text, /<script/)
  }
  const consent = async () => expectStatus(await ws.admin.get('/users/U'), 200).data
  assert.equal(JSON.stringify(await consent()).includes('"email":true'), true)
  for (let n = 0; n < 2; n++) {
    const done = await fetch(url + path, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })
    assert.equal(done.status, 200)
    assert.match(await done.text(), /You are unsubscribed/)
  }
  const entries = await ctx.db
    .selectFrom('consent_ledger')
    .select(['channel', 'old_value', 'new_value'])
    .where('workspace_id', '=', ws.id)
    .where('source', '=', 'unsubscribe')
    .execute()
  assert.deepEqual(entries, [{ channel: 'email', old_value: true, new_value: false }])
  const again = await ws.admin.post('/notifications', { userId: 'U', channel: 'email', content: { body: 'x' } })
  assert.deepEqual(again.data, { sent: false, reason: 'noConsent' })
})

test('who was anonymous when they were written to and has signed in since leaves as the user they are; another device of theirs too', async () => {
  const ws = await workspace()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U'])
  for (const [device, address] of [
    ['D', 'd@example.com'],
    ['E', 'e@example.com'],
  ] as const) {
    await identify(ws.app, device, undefined, { email: address })
    expectStatus(await ws.app.post('/consent', { deviceId: device, channels: { email: true } }), 200)
  }
  await mailTo(ws)
  const addressOf = (to: string) => leaveAddress(email.mails().find((mail) => mail.to[0] === to))
  const paths = [addressOf('d@example.com'), addressOf('e@example.com')]
  for (const device of ['D', 'E']) await identify(ws.app, device, 'U')
  const isWritten = async () => (await personRow(ctx, ws.id, 'U'))?.channels
  assert.equal(((await isWritten()) as any).email, true)
  for (const path of paths) assert.equal((await anyone.post(path)).status, 200)
  assert.equal(((await isWritten()) as any).email, false)
  const { consents } = expectStatus(await ws.admin.get('/users/U/consents'), 200).data
  const left = consents.filter((entry: any) => entry.source === 'unsubscribe')
  assert.deepEqual(
    left.map(({ channel, oldValue, newValue }: any) => [channel, oldValue, newValue]),
    [['email', true, false]],
  )
  const again = await ws.admin.post('/notifications', { userId: 'U', channel: 'email', content: { body: 'x' } })
  assert.deepEqual(again.data, { sent: false, reason: 'noConsent' })

  // What is erased is nobody: the links of before name nobody any more.
  expectStatus(await ws.admin.delete('/users/U'), 200)
  for (const path of paths) assert.equal((await anyone.post(path)).status, 200)
  assert.equal(await personRow(ctx, ws.id, 'U'), undefined)
})

test('an address that is not whole, or of another workspace, changes nothing', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U'])
  await mailTo(ws)
  const path = leaveAddress(email.mails()[0])
  const token = path.split('/').at(-1) ?? ''
  const former = `${other.id}~${ctx.secrets.seal('p', { workspaceId: ws.id, row: 'unsubscribe' })}`
  const forErasure = (await ctx.links.sealer('erasure'))([ws.id, 'p'])
  for (const wrong of [token.slice(0, -2), `${token}x`, former, forErasure, 'x', '~', 'A'.repeat(2_000)].map(
    (each) => `/api/v1/unsubscribe/${each}`,
  )) {
    assert.equal((await anyone.get(wrong)).status, 404, wrong)
    assert.equal((await anyone.post(wrong, {})).status, 404, wrong)
  }
  assert.deepEqual((await ws.admin.post('/notifications', { userId: 'U', channel: 'email', content: { body: 'x' } })).data, { sent: true })
})

test('an address of a mail that was sent before links had a secret of their own still leads there', async () => {
  const ws = await workspace()
  await addPeople(ws, ['U'])
  const { id = '' } = (await personRow(ctx, ws.id, 'U')) ?? {}
  const path = `/api/v1/unsubscribe/${ws.id}~${ctx.secrets.seal(id, { workspaceId: ws.id, row: 'unsubscribe' })}`
  assert.equal((await anyone.post(path, {})).status, 200)
  const left = (await personRow(ctx, ws.id, 'U')) ?? assert.fail()
  assert.equal((left.channels as { email?: boolean }).email, false)
})

test('what a person wrote is text in a mail; an Arabic mail runs from right to left', async () => {
  const ws = await workspace({ sourceLocale: 'ar' })
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U'])
  await ws.app.post('/identify', { deviceId: 'D', userId: 'U', consent: true, name: '<b>"Sara" & co</b>' })
  await mailTo(ws)
  assert.match(email.mails()[0].html, /<html lang="ar" dir="rtl">/)
  const answer = await ws.admin.post('/notifications', {
    userId: 'U',
    channel: 'email',
    content: { title: 'Hi {{name}}', body: '{{name}}\nline' },
  })
  assert.deepEqual(answer.data, { sent: true })
  const mail = email.mails()[1]
  assert.ok(mail.html.includes('&lt;b&gt;&quot;Sara&quot; &amp; co&lt;/b&gt;<br>line'), mail.html)
  assert.ok(mail.text.includes('<b>"Sara" & co</b>\nline'))
  assert.equal(mail.headers, undefined, 'what is written to one person is no newsletter')
})
