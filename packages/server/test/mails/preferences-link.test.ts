/** The token `{{preferencesUrl}}`: the page of a person's preferences, in mails, HTML of one's own and text messages. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectStatus, type Workspace } from '../builders/builders.ts'
import { launch } from '../builders/campaigns.ts'
import { addChannel } from '../builders/channels.ts'
import { agreesToTracking, mailWith, shopWithMail } from '../builders/mails/mails.ts'
import { openProvider } from '../builders/providers.ts'
import { addPeople } from '../builders/sends.ts'
import { startApp } from '../harness/start-app.ts'
import { CLICKS } from '../../src/modules/responses/tracked-links.ts'

const PUBLIC = 'https://flow.example'
const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC })
const { operator, url } = app
const PAGE = `${PUBLIC}/api/v1/preferences/`
const TOKEN = '{{preferencesUrl}}'

const work = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
/** What the page behind an address that was sent says. */
async function pageAt(address: string): Promise<string> {
  assert.ok(address.startsWith(PAGE), address)
  const answer = await fetch(url + address.slice(PUBLIC.length))
  assert.equal(answer.status, 200)
  return answer.text()
}
const BOTH = mailWith({
  nodes: {
    shop: { label: 'Choose', url: TOKEN },
    intro: {
      blocks: [
        {
          p: [
            { v: 'Or here: ', url: 'https://shop.example.com/x' },
            { v: 'your choice', url: `{{ preferencesUrl }}` },
          ],
        },
      ],
    },
  },
})
const DESIGNED = { ...BOTH, texts: { en: BOTH.texts['en']! } }
const campaign = (more: object) => ({ content: { en: { title: 'Short', body: 'x' } }, dispatchChannels: ['email'], ...more })
const render = async ({ admin }: Workspace, mail: object) =>
  expectStatus(await admin.post('/mails/render', { mail, locale: 'en' }), 200).data

test('in a mail of sections it is filled for each person, counted for nobody, and previewed as nobody’s page', async () => {
  const { ws, editor, mailTo } = await shopWithMail(app)
  await addPeople(ws, ['U', 'V'])
  await agreesToTracking(ws, 'U')
  const drawn = await render(ws, DESIGNED)
  assert.ok(drawn.html.includes(`href="${PAGE}preview"`) && drawn.text.includes(`${PAGE}preview`))
  assert.deepEqual(drawn.mail.texts.en.nodes.shop.url, TOKEN, 'the document stays as it is written')
  const { id } = await launch(ws, editor, campaign({ mail: DESIGNED }))
  const preview = expectStatus(await editor.post(`/campaigns/${id}/preview`, {}), 200).data.channels.email
  assert.deepEqual([preview.reachable, preview.samples[0].html.includes(`${PAGE}preview`)], [2, true])
  await work()
  const [u, v] = [mailTo('U'), mailTo('V')]
  assert.match(u?.html ?? '', new RegExp(CLICKS), 'other links are counted')
  const linksIn = (html = '') => [...html.matchAll(new RegExp(`href="(${PAGE}[^"]+)"`, 'g'))].map(([, link = '']) => link)
  assert.deepEqual([new Set(linksIn(u?.html)).size, linksIn(u?.html).length >= 2], [1, true])
  assert.notEqual(linksIn(u?.html)[0], linksIn(v?.html)[0])
  assert.ok(u?.text.includes(linksIn(u.html)[0] ?? '?'))
  assert.match(await pageAt(linksIn(u?.html)[0] ?? ''), /u•••@e•••\.com/)
  const { links } = expectStatus(await editor.get(`/campaigns/${id}/links`), 200).data
  const nodes = links.map(({ node }: any) => node)
  assert.deepEqual([nodes.includes('shop'), nodes.filter((node: string) => node.startsWith('intro'))], [false, ['intro.1']])
})

test('hosts that links of data are held to do not bind it', async () => {
  const { ws, mailTo } = await shopWithMail(app)
  await addPeople(ws, ['U'])
  expectStatus(await ws.admin.put('/settings/brand', { brand: { linkHosts: ['shop.example.com'] } }), 200)
  expectStatus(await ws.admin.post('/notifications', { userId: 'U', channel: 'email', mail: DESIGNED }), 200)
  assert.ok(mailTo('U')?.html.includes(`href="${PAGE}`))
})

test('HTML of one’s own has it as the address of a link, and simple mails and text messages in their words', async () => {
  const { ws, editor, email, mailTo } = await shopWithMail(app)
  const sms = await openProvider({ judge: () => undefined, answer: () => ({ status: 201, body: { sid: 'SM1', status: 'queued' } }) })
  after(() => sms.close())
  await addChannel(ws.admin, 'sms', 'twilio', { accountSid: 'AC1', authToken: 't', from: '+15005550006', baseUrl: sms.url })
  await addPeople(ws, ['U'], () => ({ phone: '+966500000001' }))
  await agreesToTracking(ws, 'U')
  const html = `<p>Hello</p><p><a href="${TOKEN}">Choose</a> or <a href="https://shop.example.com/a">shop</a></p>`
  const { document } = expectStatus(await editor.post('/mails/import-html', { html, locale: 'en' }), 200).data
  document.texts.en.subject = 'Own'
  assert.ok((await render(ws, document)).html.includes(`href="${PAGE}preview"`))
  await launch(ws, editor, campaign({ mail: document }))
  await work()
  assert.match(mailTo('U')?.html ?? '', new RegExp(`<a href="${PAGE}[^"]+">Choose</a> or <a href="${PUBLIC}${CLICKS}`))
  await launch(ws, editor, campaign({ content: { en: { title: 'T', body: `At ${TOKEN}`, ctaLabel: 'Go', ctaUrl: TOKEN } } }))
  await work()
  const [, simple = ''] = new RegExp(`href="(${PAGE}[^"]+)"[^>]*>Go<`).exec(mailTo('U')?.html ?? '') ?? []
  assert.ok(mailTo('U')?.text.includes(`At ${simple}`))
  await pageAt(simple)
  const said = { body: `Choose: ${TOKEN}`, ctaUrl: TOKEN, shorten: true }
  await launch(ws, editor, campaign({ content: { en: said }, dispatchChannels: ['sms'] }))
  await work()
  const text: string = sms.taken.at(-1)?.body.Body
  const sent = text.match(new RegExp(`${PAGE}\\S+`, 'g')) ?? []
  assert.deepEqual([sent.length, new Set(sent).size, text.includes('/s/')], [2, 1, false])
  await pageAt(sent[0] ?? '')
  const mine = expectStatus(await ws.admin.post('/campaigns', { name: 'x', type: 'promo', ...campaign({ mail: DESIGNED }) }), 201).data
  expectStatus(await editor.post(`/campaigns/${mine.id}/test-send`, { to: 'me' }), 200)
  assert.ok(email.mails().at(-1).html.includes(`${PAGE}preview`))
})

test('the size counts the link to the page where mails have it', async () => {
  const { ws } = await shopWithMail(app)
  const before = (await render(ws, DESIGNED)).bytes
  expectStatus(await ws.admin.put('/settings/preference-page', { inMails: 'always', law: 'gdpr' }), 200)
  const { bytes, html, text } = await render(ws, DESIGNED)
  assert.ok(bytes > before + 200 && bytes > Buffer.byteLength(html))
  for (const shown of [html, text]) assert.match(shown, /Your preferences/)
})
