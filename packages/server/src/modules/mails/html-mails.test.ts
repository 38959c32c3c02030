/** Own HTML of mails through HTTP: imported, kept, sent, its links followed (decision 73). */
import assert from 'node:assert/strict'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expectStatus } from '../../../test/builders/builders.ts'
import { create, launch, read, submit } from '../../../test/builders/campaigns.ts'
import { carry, exported } from '../../../test/builders/code.ts'
import { workspaceOverTime } from '../../../test/builders/events.ts'
import { identify } from '../../../test/builders/people.ts'
import { addPeople, openEmail } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { TLS } from '../../../test/harness/tls.ts'
import { CLICKS } from '../responses/tracked-links.ts'

const PUBLIC = 'https://flow.example'
const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC })
const { operator } = app

const SENT = `<html lang="ar"><head><title>Hello {{name | friend}}</title><style>p{color:red;position:fixed}</style></head>
<body><p onclick="x()">Dear {{name | friend}}, twenty words are more than most people ever read of a mail, so here they are, one by one.</p>
<script>x</script><p><A HREF='https://shop.example.com/new'>Everything new</A></p></body></html>`

const work = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
const campaign = (mail: unknown) => ({ content: { en: { title: 'Short', body: 'Texts' } }, dispatchChannels: ['email'], mail })

test('HTML is imported clean, with a list of what was taken out, and a viewer may not', async () => {
  const ws = await app.workspace()
  const editor = await ws.editor()
  const { html, document, removed } = expectStatus(await editor.post('/mails/import-html', { html: SENT }), 200).data
  assert.deepEqual(removed, [
    { what: 'position in <style>', line: 1 },
    { what: 'onclick of <p>', line: 2 },
    { what: '<script>', line: 3 },
  ])
  assert.deepEqual([document.kind, Object.keys(document.texts), document.texts.ar.subject], ['html', ['ar'], 'Hello {{name | friend}}'])
  assert.equal(document.texts.ar.html, html)
  const { checks } = expectStatus(await editor.post('/mails/render', { mail: document }), 200).data
  assert.deepEqual(checks, [])
  const named = expectStatus(await editor.post('/mails/import-html', { html: SENT, locale: 'en' }), 200).data
  assert.deepEqual(Object.keys(named.document.texts), ['en'])
  const node = expectStatus(await editor.post('/mails/import-html', { html: '<p onclick=x>a', kind: 'node' }), 200).data
  assert.deepEqual([node.html, node.document, node.removed], ['<p>a</p>', null, [{ what: 'onclick of <p>', line: 1 }]])
  assert.equal((await (await ws.viewer()).post('/mails/import-html', { html: SENT })).status, 403)
  for (const [body, says] of [
    [{}, /html/],
    [{ html: 7 }, /html/],
    [{ html: 'x', kind: 'page' }, /kind/],
    [{ html: 'x', locale: '!' }, /locale must be the code of a language/],
    [{ html: '<div>'.repeat(200) }, /html: the HTML must have at most 100 elements in each other/],
    [{ html: '<frameset><frame>' }, /html: the HTML must have a body/],
    [{ html: 'x'.repeat(120_000) }, /at most 100000 characters/],
    [{ html: 'x'.repeat(30_000), kind: 'node' }, /at most 20000 characters once it is clean/],
    [{ html: 'x'.repeat(200_001) }, /html/],
  ] as const) {
    const refused = await editor.post('/mails/import-html', body)
    assert.equal(refused.status, 400, JSON.stringify(body).slice(0, 80))
    assert.match(refused.text, says)
  }
})

test('HTML that was not cleaned is refused wherever a mail is kept, and nothing is stored', async () => {
  const { admin } = await app.workspace()
  const dirty = { version: 1, kind: 'html', texts: { en: { subject: 'x', html: SENT } } }
  for (const path of ['/campaigns', '/mails/render', '/mails/check-links']) {
    const refused = await admin.post(path, path === '/campaigns' ? { name: 'x', type: 'promo', ...campaign(dirty) } : { mail: dirty })
    assert.equal(refused.status, 400)
    assert.match(
      refused.text,
      /mail\.texts\.en\.html, line 1: must have html, head and body once each, in this order; POST \/mails\/import-html cleans HTML/,
    )
  }
  assert.equal(expectStatus(await admin.get('/campaigns'), 200).body.metadata.total, 0)
})

test('a campaign of own HTML is sent with values, tracked links, and the way out that it lacks', async () => {
  const { signIn: _, ...ws } = await workspaceOverTime(app)
  const email = await openEmail()
  await email.connect(ws.admin)
  const editor = await ws.editor()
  await addPeople(ws, ['U', 'V'])
  await identify(ws.app, 'D', 'U')
  const consent = { deviceId: 'D', channels: { inApp: true }, topics: { message_tracking: true } }
  expectStatus(await ws.app.post('/consent/full', consent), 200)
  const { document } = expectStatus(await editor.post('/mails/import-html', { html: SENT, locale: 'en' }), 200).data
  document.texts.en.preheader = 'It is here'
  const { id } = await launch(ws, editor, campaign(document))
  await work()
  const mailTo = (user: string) => email.mails().findLast((mail) => mail.to[0] === `${user.toLowerCase()}@example.com`)
  const [tracked, plain] = [mailTo('U'), mailTo('V')]
  assert.equal(plain.subject, 'Hello friend')
  assert.match(plain.html, /<body><div style="display:none;[^>]*>It is here/)
  assert.match(plain.html, /<p>Dear friend, twenty/)
  assert.match(plain.html, /<a href="https:\/\/shop\.example\.com\/new">Everything new<\/a>/)
  assert.match(plain.html, /Unsubscribe from these emails<\/a><\/p><\/body><\/html>$/)
  assert.match(
    plain.text,
    /^Dear friend, twenty[^]*Everything new \(https:\/\/shop\.example\.com\/new\)[^]*Unsubscribe from these emails: https:/,
  )
  assert.doesNotMatch(plain.html + plain.text, /\{\{|Texts|script|onclick/)
  assert.match(tracked.html, new RegExp(`<a href="${PUBLIC}${CLICKS}[^"]+">Everything new</a>`))
  const { links } = expectStatus(await ws.admin.get(`/campaigns/${id}/links`), 200).data
  assert.deepEqual(
    links.map(({ node, url, label }: any) => [node, url, label]),
    [['html.1', 'https://shop.example.com/new', 'Everything new']],
  )
})

test('a mail of own HTML is checked, previewed, tried out and part of the workspace as code like any other', async () => {
  const [from, to] = [await app.workspace(), await app.workspace()]
  const email = await openEmail()
  await email.connect(from.admin)
  await addPeople(from, ['U'])
  const { document } = expectStatus(
    await from.admin.post('/mails/import-html', { html: '<title>x</title><p>a<img src="/a.png">', locale: 'en' }),
    200,
  ).data
  const { id } = await create(from.admin, campaign(document))
  const refused = await submit(from.admin, id)
  assert.deepEqual([refused.status, refused.body.code], [409, 'MAIL_NOT_READY'])
  assert.deepEqual(
    refused.body.checks.map(({ code, node }: any) => [code, node]),
    [
      ['alt_missing', 'html'],
      ['picture_missing', 'html'],
      ['few_words', undefined],
    ],
  )
  const preview = expectStatus(await from.admin.post(`/campaigns/${id}/preview`, {}), 200).data
  assert.match(preview.channels.email.samples[0].html, /<p>a<\/p>/)
  const [tried] = expectStatus(await from.admin.post(`/campaigns/${id}/test-send`, { to: ['U'] }), 200).data.results
  assert.equal(tried.sent, true)
  await carry(from, to)
  assert.deepEqual((await read(to.admin, id)).mail, (await read(from.admin, id)).mail)
  const { data } = await exported(from, 'campaigns')
  data.campaigns[0].mail.texts.en.html = data.campaigns[0].mail.texts.en.html.replace('<p>', '<p onclick="x">')
  const applied = await to.admin.post('/workspace/code/plan', { document: data })
  assert.equal(applied.status, 400)
  assert.match(applied.text, /<p> has an attribute or a value that a mail may not have/)
})

test('links that lead nowhere are found on demand, with HEAD before GET, so often a person', async () => {
  const calls: string[] = []
  const usual = getCACertificates('default')
  setDefaultCACertificates([...usual, TLS.cert])
  after(() => setDefaultCACertificates(usual))
  const shop = createServer(TLS, (request, response) => {
    calls.push(`${request.method} ${request.url}`)
    const status = Number(/\d+$/.exec(request.url ?? '')?.[0] ?? 200)
    // It answers only whoever wants the page.
    response.writeHead(request.url === '/get' && request.method === 'HEAD' ? 405 : status).end()
  })
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  after(() => shop.close())
  const { admin, viewer } = await app.workspace()
  expectStatus(await admin.put('/settings/web-address', { url: `https://localhost:${(shop.address() as AddressInfo).port}` }), 200)
  const paths = ['/fine', '/get', '/gone-410', '/lost-404', '/broken-503', '/moved-301', '/closed-403', '/lost-404', '/{{name | x}}']
  const html = paths.map((path) => `<p><a href="${path}">a</a></p>`).join('')
  const { document } = expectStatus(await admin.post('/mails/import-html', { html: `${html}<a href="mailto:a@b.example">a</a>` }), 200).data
  const said = expectStatus(await admin.post('/mails/check-links', { mail: document }), 200).data
  assert.deepEqual([said.locale, said.checked, said.skipped], ['en', 7, 2])
  assert.deepEqual(
    said.findings.map(({ code, node, url, status }: any) => [code, node, url, status]),
    [
      ['link_dead', 'html.3', '/gone-410', 410],
      ['link_dead', 'html.4', '/lost-404', 404],
      ['link_dead', 'html.5', '/broken-503', 503],
      ['link_dead', 'html.8', '/lost-404', 404],
    ],
  )
  assert.deepEqual(calls.filter((call) => /fine|get/.test(call)).sort(), ['GET /get', 'HEAD /fine', 'HEAD /get'])
  const many = Array.from({ length: 60 }, (_, at) => `<p><a href="/n/${at}/200">a</a></p>`).join('')
  const long = expectStatus(await admin.post('/mails/import-html', { html: many }), 200).data.document
  const bounded = expectStatus(await admin.post('/mails/check-links', { mail: long }), 200).data
  assert.deepEqual([bounded.checked, bounded.skipped], [50, 10])
  assert.equal((await (await viewer()).post('/mails/check-links', { mail: document })).status, 403)
  for (let rest = 8; rest > 0; rest--) expectStatus(await admin.post('/mails/check-links', { mail: document }), 200)
  const refused = await admin.post('/mails/check-links', { mail: document })
  assert.deepEqual([refused.status, refused.body.code], [429, 'CHECK_RATE_LIMITED'])
})
