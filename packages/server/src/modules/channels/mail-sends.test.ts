/** Test emails by SMTP, through a stand-in that speaks as a server of mail does. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expectStatus, uniqueEmail } from '../../../test/builders/builders.ts'
import { addChannel as add, assertFailed, assertSent } from '../../../test/builders/channels.ts'
import { openMailServer } from '../../../test/builders/providers.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { TLS } from '../../../test/harness/tls.ts'
import { openOutbound } from '../../infra/outbound/outbound.ts'

const { ctx, workspace } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

const opened: { close(): Promise<void> }[] = []
after(() => Promise.all(opened.map((each) => each.close())))
const mailServer = async (options?: Parameters<typeof openMailServer>[0]) => {
  const server = await openMailServer(options)
  opened.push(server)
  return server
}

test('M-CHAN-11 a test email by SMTP goes to the caller, with its Arabic name and text as they were', async () => {
  const email = uniqueEmail()
  const { admin } = await workspace({ email })
  const server = await mailServer({ password: 's3cret' })
  const configuration = {
    host: '127.0.0.1',
    port: server.port,
    secure: false,
    username: 'u',
    password: 's3cret',
    from: 'متجر, المدينة <a@shop.example>',
  }
  const channel = await add(admin, 'email', 'smtp', configuration)
  assertSent(await admin.post('/notifications/channels/email/test', {}), 'smtp')
  const [mail] = server.mails
  assert.deepEqual([mail?.from, mail?.to, mail?.user], ['a@shop.example', [email], 'u'])
  const name = /^From: =\?UTF-8\?B\?(.+?)\?= <a@shop\.example>/im.exec(mail?.data ?? '')?.[1] ?? ''
  assert.equal(Buffer.from(name, 'base64').toString(), 'متجر, المدينة')
  assert.match(mail?.data ?? '', /^Message-ID: <[\w-]{36}@shop\.example>/im)
  expectStatus(await admin.put(`/notifications/channels/${channel.id}`, { configuration: { password: 'wrong' } }), 200)
  assertFailed(await channel.test('sara@example.com'), /Authentication credentials invalid/)
})

test('SMTP: nothing is sent in the open unless the channel says so, and what a server says reaches whoever tests', async () => {
  const { admin } = await workspace()
  const server = await mailServer()
  const base = { host: '127.0.0.1', port: server.port, from: 'a@shop.example' }
  const closed = await add(admin, 'email', 'smtp', base)
  assertFailed(await closed.test('sara@example.com'), /^No encrypted connection: /)
  assert.equal(server.mails.length, 0)
  const channel = await add(admin, 'email', 'smtp', { ...base, secure: false })
  server.next.set('RCPT', '550 5.1.1 No such user')
  assertFailed(await channel.test('sara@example.com'), /5\.1\.1 No such user/)
  server.next.set('MAIL', '451 4.7.1 Greylisted, come back later')
  assertFailed(await channel.test('sara@example.com'), /Greylisted/)
  server.next.set('.', 'cut')
  assertFailed(await channel.test('sara@example.com'), /./)
  assert.equal(server.mails.length, 1, 'it is not sent a second time')
})

test('SMTP: a name that leads to this network when it is called is not connected to', async () => {
  const { admin } = await workspace()
  const server = await mailServer()
  const channel = await add(admin, 'email', 'smtp', { host: 'rebound.example', port: server.port, secure: false, from: 'a@shop.example' })
  const outside = ctx.outbound
  ctx.outbound = openOutbound({ isPrivateAllowed: false, metrics: ctx.metrics, resolve: async () => ['127.0.0.1'] })
  try {
    assertFailed(await channel.test('sara@example.com'), /private network/)
  } finally {
    await ctx.outbound.close()
    ctx.outbound = outside
  }
  assert.equal(server.connections, 0)
})

test('SMTP: a certificate that nobody vouches for ends the connection before the password is said; a trusted one does not', async () => {
  const { admin } = await workspace()
  const server = await mailServer({ password: 's3cret', tls: TLS })
  const account = { host: 'localhost', port: server.port, secure: true, username: 'u', password: 's3cret', from: 'a@shop.example' }
  const channel = await add(admin, 'email', 'smtp', account)
  assertFailed(await channel.test('sara@example.com'), /certificate/)
  assert.equal(server.mails.length, 0)
  const usual = getCACertificates('default')
  setDefaultCACertificates([...usual, TLS.cert])
  try {
    assertSent(await channel.test('sara@example.com'), 'smtp')
  } finally {
    setDefaultCACertificates(usual)
  }
  assert.equal(server.mails[0]?.user, 'u')
})
