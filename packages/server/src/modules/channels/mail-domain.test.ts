/** The domain that mail is sent from: its names are looked up, and mail by SMTP is signed for it (decision 73). */
import assert from 'node:assert/strict'
import { createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { launch } from '../../../test/builders/campaigns.ts'
import { addChannel as add, assertSent } from '../../../test/builders/channels.ts'
import { openNameServer } from '../../../test/builders/mails/name-server.ts'
import { openMailServer } from '../../../test/builders/providers.ts'
import { addPeople } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const names = await openNameServer()
const server = await openMailServer()
after(() => Promise.all([names.close(), server.close()]))
const PUBLIC = 'https://flow.example'
const { operator, workspace } = await startApp({
  CF_WEBHOOK_ALLOW_PRIVATE: 'on',
  CF_PUBLIC_URL: PUBLIC,
  CF_DNS_SERVERS: names.address,
})

const pair = (bits = 2_048) =>
  generateKeyPairSync('rsa', {
    modulusLength: bits,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
const { privateKey, publicKey } = pair()
const SIGNING = { dkimDomain: 'shop.example', dkimSelector: 'cf', dkimPrivateKey: privateKey }
const SMTP = { host: '127.0.0.1', port: server.port, secure: false, from: 'متجر <news@shop.example>' }

/** What a receiver does with a signature (RFC 6376, 6.1.3), for relaxed canonicalisation: the headers that it covers, if it holds. */
function verifiedHeaders(mail: string, key: Buffer): string[] {
  // A dot at the beginning of a line came with another one (RFC 5321, 4.5.2).
  const [head, body] = splitOnce(mail.replaceAll(/^\.\./gm, '.'), '\r\n\r\n')
  const fields = head.split(/\r\n(?![ \t])/)
  const signature = fields.find((field) => /^dkim-signature:/i.test(field)) ?? ''
  const tags = new Map(
    splitOnce(signature, ':')[1]
      .split(';')
      .map((tag) => splitOnce(tag, '=').map((part) => part.replaceAll(/\s+/g, '')) as [string, string]),
  )
  const relaxedBody = `${body
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ (?=\r\n)/g, '')
    .replace(/(\r\n)*$/, '')}\r\n`
  assert.equal(tags.get('bh'), createHash('sha256').update(relaxedBody).digest('base64'))
  const signed = (tags.get('h') ?? '').split(':')
  const covered = signed.map((name) => relaxed(fields.findLast((field) => field.toLowerCase().startsWith(`${name.toLowerCase()}:`)) ?? ''))
  const unsigned = relaxed(signature).replace(/b=[^;]*$/, 'b=')
  const isRight = createVerify('RSA-SHA256')
    .update([...covered, unsigned].join('\r\n'))
    .verify({ key, format: 'der', type: 'spki' }, tags.get('b') ?? '', 'base64')
  assert.ok(isRight, 'the signature holds')
  assert.deepEqual([tags.get('d'), tags.get('s'), tags.get('a'), tags.get('c')], ['shop.example', 'cf', 'rsa-sha256', 'relaxed/relaxed'])
  return signed.map((name) => name.toLowerCase())
}

function splitOnce(text: string, by: string): [string, string] {
  const at = text.indexOf(by)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + by.length)]
}

function relaxed(field: string): string {
  const [name, value] = splitOnce(field, ':')
  return `${name.toLowerCase().trim()}:${value
    .replaceAll(/\r\n/g, '')
    .replaceAll(/[ \t]+/g, ' ')
    .trim()}`
}

async function sendCampaign(ws: Workspace): Promise<string> {
  await addPeople(ws, ['U'])
  const before = server.mails.length
  await launch(ws, await ws.editor(), {
    content: { en: { title: 'عرض اليوم', body: 'Hello  there \n\n.dot' } },
    dispatchChannels: ['email'],
  })
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  const mail = server.mails[before]
  assert.ok(mail)
  return mail.data
}

test('a mail of a channel that signs has a signature that holds, over both headers by which people leave', async () => {
  const ws = await workspace()
  await add(ws.admin, 'email', 'smtp', { ...SMTP, ...SIGNING })
  const mail = await sendCampaign(ws)
  const covered = verifiedHeaders(mail, publicKey)
  for (const name of ['from', 'to', 'subject', 'date', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post'])
    assert.ok(covered.includes(name), name)
  assert.throws(() => verifiedHeaders(mail.replace('One-Click', 'Two-Click'), publicKey), /the signature holds/)
  assert.throws(() => verifiedHeaders(mail, pair().publicKey), /the signature holds/)
})

test('a channel without a key signs nothing', async () => {
  const { admin } = await workspace()
  const channel = await add(admin, 'email', 'smtp', SMTP)
  const before = server.mails.length
  assertSent(await channel.test('sara@example.com'), 'smtp')
  assert.doesNotMatch(server.mails[before]?.data ?? 'none', /dkim-signature|none/i)
})

test('a key that cannot sign is refused, and one that can is shown to nobody', async () => {
  const { admin } = await workspace()
  const post = (more: object) =>
    admin.post('/notifications/channels', { type: 'email', provider: 'smtp', name: 'x', configuration: { ...SMTP, ...more } })
  const ec = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  for (const [more, says] of [
    [{ dkimDomain: 'shop.example' }, 'configuration.dkimSelector must be set with dkimDomain and dkimPrivateKey'],
    [{ ...SIGNING, dkimPrivateKey: undefined }, 'configuration.dkimPrivateKey must be set with dkimDomain and dkimSelector'],
    [{ ...SIGNING, dkimPrivateKey: 'x' }, 'configuration.dkimPrivateKey must be a private key in PEM form without a password'],
    [{ ...SIGNING, dkimPrivateKey: pair(512).privateKey }, 'configuration.dkimPrivateKey must have 1024 to 4096 bits'],
    [{ ...SIGNING, dkimPrivateKey: ec.privateKey }, 'configuration.dkimPrivateKey must be a key of RSA'],
    [{ ...SIGNING, dkimDomain: 'shop' }, 'configuration.dkimDomain must be the name of a domain'],
    [{ ...SIGNING, dkimSelector: 'a; d=b' }, 'configuration.dkimSelector must be letters, digits, ., _ and -, at most 63'],
  ] as const) {
    const { status, text } = await post(more)
    assert.equal(status, 400, says)
    assert.ok(text.includes(says), text)
  }
  const made = expectStatus(await post(SIGNING), 201)
  assert.deepEqual([made.data.configuration.dkimPrivateKey, made.data.configuration.dkimSelector], ['********', 'cf'])
  const kept = expectStatus(
    await admin.put(`/notifications/channels/${made.data.id}`, { configuration: { dkimSelector: 'new', dkimPrivateKey: '********' } }),
    200,
  )
  assert.equal(kept.data.configuration.dkimSelector, 'new')
  const off = expectStatus(
    await admin.put(`/notifications/channels/${made.data.id}`, {
      configuration: { dkimSelector: null, dkimPrivateKey: null, dkimDomain: null },
    }),
    200,
  )
  assert.equal(off.data.configuration.dkimPrivateKey, undefined)
})

test('the domain of a channel is looked up: who may send for it, its signature, its policy, each with what to do', async () => {
  const ws = await workspace()
  const channel = await add(ws.admin, 'email', 'smtp', { ...SMTP, ...SIGNING, from: 'a@news.shop.example' })
  const check = async (body = {}) => expectStatus(await ws.admin.post(`/notifications/channels/${channel.id}/check-domain`, body), 200).data
  const codes = ({ findings }: { findings: { code: string; name: string }[] }) => findings.map(({ code, name }) => `${code} ${name}`)
  const nothing = await check()
  assert.equal(nothing.domain, 'news.shop.example')
  assert.deepEqual(codes(nothing), [
    'spf_missing news.shop.example',
    'dkim_missing cf._domainkey.shop.example',
    'dmarc_missing _dmarc.news.shop.example',
  ])
  assert.ok(nothing.findings.every(({ advice, value }: any) => advice !== '' && value === null))
  names.texts.set('news.shop.example', ['v=spf1 mx -all'])
  // Longer than one string of a record.
  names.texts.set('cf._domainkey.shop.example', [`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`])
  names.texts.set('_dmarc.shop.example', ['v=DMARC1; p=quarantine'])
  assert.deepEqual(codes(await check()), ['spf_ok news.shop.example', 'dkim_ok cf._domainkey.shop.example', 'dmarc_ok _dmarc.shop.example'])
  names.texts.set('cf._domainkey.shop.example', [`v=DKIM1; p=${pair(1_024).publicKey.toString('base64')}`])
  assert.ok(codes(await check()).includes('dkim_other_key cf._domainkey.shop.example'))
  names.texts.set('own._domainkey.news.shop.example', ['v=DKIM1; p=QUJD'])
  assert.ok(codes(await check({ selector: 'own' })).includes('dkim_ok own._domainkey.news.shop.example'))
})

test('only admins look a domain up, of a channel of email, so often; providers are asked for the selectors that they use', async () => {
  const ws = await workspace()
  const email = await add(ws.admin, 'email', 'sendgrid', { apiKey: 'k', from: 'a@متجر.example' })
  const sms = await add(ws.admin, 'sms', 'taqnyat', { bearerToken: 'k', sender: 'SHOP' })
  const path = `/notifications/channels/${email.id}/check-domain`
  assert.equal((await (await ws.editor()).post(path, {})).status, 403)
  assert.equal((await ws.admin.post('/notifications/channels/nobody/check-domain', {})).status, 404)
  assert.equal((await ws.admin.post(`/notifications/channels/${sms.id}/check-domain`, {})).status, 400)
  for (const selector of ['', 'a b', 'a;b', 'x'.repeat(64), 7]) assert.equal((await ws.admin.post(path, { selector })).status, 400)
  const found = expectStatus(await ws.admin.post(path, {}), 200).data
  assert.match(found.domain, /^xn--[a-z0-9]+\.example$/)
  assert.ok(names.asked.includes(`s2._domainkey.${found.domain}`))
  for (let rest = 9; rest > 0; rest--) expectStatus(await ws.admin.post(path, {}), 200)
  const refused = await ws.admin.post(path, {})
  assert.deepEqual([refused.status, refused.body.code], [429, 'CHECK_RATE_LIMITED'])
})
