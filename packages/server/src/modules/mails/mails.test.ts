/** Mails of typed sections, from the campaign that holds one to the person who reads it (decision 66). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE } from '@contentflow/core/mail/example-mail.ts'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { approve, create, launch, read, submit } from '../../../test/builders/campaigns.ts'
import { carry, exported } from '../../../test/builders/code.ts'
import { workspaceOverTime } from '../../../test/builders/events.ts'
import { identify, personRow } from '../../../test/builders/people.ts'
import { addPeople, countHits, openEmail } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { until } from '../../../test/harness/until.ts'
import { CLICKS } from '../responses/tracked-links.ts'

const PUBLIC = 'https://flow.example'
const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC })
const { ctx, operator, url, advance } = app

/** Its links are whole ones, so that nothing of it waits for a web address. */
const MAIL = JSON.parse(JSON.stringify(EXAMPLE).replaceAll('"/new"', '"https://shop.example.com/new"')) as typeof EXAMPLE
const campaign = (mail: unknown = MAIL) => ({ content: { en: { title: 'Short', body: 'Texts' } }, dispatchChannels: ['email'], mail })

const work = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)

async function shop() {
  const { signIn: _, ...ws } = await workspaceOverTime(app)
  const email = await openEmail()
  await email.connect(ws.admin)
  const mailTo = (user: string): { subject: string; html: string; text: string } =>
    email.mails().findLast((mail) => mail.to[0] === `${user}@example.com`.toLowerCase())
  return { ws, email, editor: await ws.editor(), mailTo }
}

async function speaks(ws: Workspace, user: string, locale: string) {
  await identify(ws.app, `D ${user}`, user)
  expectStatus(await ws.app.get(`/sync?locale=${locale}`, { headers: { 'x-cf-device': `D ${user}` } }), 200)
  await until(`${user} speaks ${locale}`, async () => (await personRow(ctx, ws.id, user))?.locale === locale)
}

test('a campaign with a mail of sections sends it instead of its texts, to each in their language with their values', async () => {
  const { ws, editor, mailTo } = await shop()
  await addPeople(ws, ['U', 'V'])
  await speaks(ws, 'V', 'ar')
  await launch(ws, editor, campaign())
  await work()
  const { subject, html, text } = mailTo('U')
  assert.equal(subject, 'Your order, friend')
  assert.match(html, /aria-roledescription="email" aria-label="Your order, friend" lang="en" dir="ltr"/)
  assert.match(html, /Free to send back for/)
  assert.match(text, /1\. Open\n2\. Try/)
  for (const said of [html, text]) assert.match(said, /Unsubscribe from these emails/)
  assert.doesNotMatch(html + text, /Texts|\{\{/)
  assert.match(mailTo('V').html, /lang="ar" dir="rtl"/)
  assert.match(mailTo('V').subject, /^طلبك يا/)
})

test('whoever lacks the value of a token without words for it gets no mail, which the preview says before', async () => {
  const { ws, editor, email } = await shop()
  await addPeople(ws, ['U'])
  const mail = structuredClone(MAIL)
  mail.texts['en']!.nodes['shop'] = { label: 'Go', url: 'https://shop.example.com/{{customAttributes.city}}' }
  const { id } = await create(editor, campaign(mail))
  const preview = expectStatus(await editor.post(`/campaigns/${id}/preview`, {}), 200).data
  assert.deepEqual(preview.channels.email.skipped, { unresolvedToken: 1 })
  await launch(ws, editor, campaign(mail))
  await work()
  assert.equal(email.mails().length, 0)
})

test('the preview and a test show the mail of sections; the campaign keeps it until null takes it away', async () => {
  const { ws, editor, email } = await shop()
  await addPeople(ws, ['U'])
  const { id, version } = await create(editor, campaign())
  const preview = expectStatus(await editor.post(`/campaigns/${id}/preview`, {}), 200).data
  assert.match(preview.channels.email.samples[0].html, /Free to send back for/)
  const [tried] = expectStatus(await editor.post(`/campaigns/${id}/test-send`, { to: ['U'] }), 200).data.results
  assert.deepEqual([tried.sent, email.mails().at(-1)?.subject], [true, '[Test] Your order, friend'])
  expectStatus(await editor.put(`/campaigns/${id}`, { name: 'Other' }), 200)
  assert.deepEqual((await read(editor, id)).mail, JSON.parse(JSON.stringify(MAIL)))
  expectStatus(await editor.put(`/campaigns/${id}`, { mail: null }), 200)
  const after = await read(editor, id)
  assert.deepEqual([after.mail, after.version], [undefined, version + 2])
})

test('a mail that would reach nobody whole is not submitted, and says where; what was approved is sealed with its mail', async () => {
  const { ws, editor } = await shop()
  const mail = structuredClone(MAIL)
  mail.texts['en']!.subject = ''
  mail.texts['ar']!.nodes['all'] = { label: 'الجديد', url: '/new' }
  const { id } = await create(editor, campaign(mail))
  const refused = await submit(editor, id)
  assert.deepEqual([refused.status, refused.body.code], [409, 'MAIL_NOT_READY'])
  assert.deepEqual(
    refused.body.checks.filter(({ level }: { level: string }) => level === 'stop'),
    [
      { code: 'link_leads_nowhere', level: 'stop', locale: 'ar', node: 'all', value: '/new' },
      { code: 'subject_missing', level: 'stop', locale: 'en' },
    ],
  )
  assert.equal((await read(editor, id)).status, 'draft')
  expectStatus(await editor.put(`/campaigns/${id}`, { mail: MAIL }), 200)
  expectStatus(await submit(editor, id), 200)
  const approved = expectStatus(await approve(ws.admin, id, { activateTarget: 'test' }), 200).data
  const kept = expectStatus(await editor.get(`/campaigns/${id}/approved`), 200).data.approved
  assert.deepEqual([kept.mail.texts.en.subject, kept.hash], ['Your order, {{name | friend}}', approved.seal.hash])
})

test('links of a mail of sections are heard of by the place they stand at, and reported with their words', async () => {
  const { ws, editor, mailTo } = await shop()
  await addPeople(ws, ['U'])
  await identify(ws.app, 'D', 'U')
  const consent = { deviceId: 'D', channels: { inApp: true }, topics: { message_tracking: true } }
  expectStatus(await ws.app.post('/consent/full', consent), 200)
  const { id } = await launch(ws, editor, campaign())
  await work()
  const { html } = mailTo('U')
  const link = new RegExp(`href="${PUBLIC}(${CLICKS}[^"]+)"[^>]*>where it is<`).exec(html)?.[1]
  // Later than programs look that read mails before people do.
  await advance(10)
  const answer = await fetch(url + link, { redirect: 'manual', headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/132.0' } })
  assert.deepEqual([answer.status, answer.headers.get('location')], [302, 'https://shop.example.com/track?n=friend'])
  await until('the hit is written', async () => (await countHits(ctx, ws.id)) === 1)
  await advance(40)
  await work()
  const { links } = expectStatus(await ws.admin.get(`/campaigns/${id}/links`), 200).data
  assert.deepEqual(
    links.map(({ node, url: to, people }: any) => [node, to, people]),
    [
      ['hero', 'https://shop.example.com/orders', 0],
      ['intro.1', 'https://shop.example.com/track?n={{name | friend}}', 1],
      ['shop', 'https://shop.example.com/orders', 0],
      ['all', 'https://shop.example.com/new', 0],
    ],
  )
})

test('a mail of sections is part of the workspace as code', async () => {
  const [from, to] = [await app.workspace(), await app.workspace()]
  const { id } = await create(from.admin, { ...campaign(), controlPercent: 10 })
  const first = await exported(from, 'campaigns')
  assert.deepEqual([first.data.campaigns[0].controlPercent, first.data.campaigns[0].mail.texts.en.subject], [10, MAIL.texts['en']?.subject])
  await carry(from, to)
  assert.equal((await exported(to, 'campaigns')).text, first.text)
  assert.deepEqual((await read(to.admin, id)).mail, (await read(from.admin, id)).mail)
})

test('a mail is drawn and checked before it is kept, by every member', async () => {
  const ws = await app.workspace()
  const viewer = await ws.viewer()
  const drawn = expectStatus(await viewer.post('/mails/render', { mail: EXAMPLE, locale: 'ar-EG' }), 200).data
  assert.equal(drawn.locale, 'ar')
  assert.match(drawn.html, /dir="rtl"/)
  assert.ok(drawn.bytes > drawn.html.length / 2 && drawn.text.includes('خبر سار'))
  assert.ok(drawn.checks.some(({ code, node }: any) => code === 'link_leads_nowhere' && node === 'all'))
  for (const [body, message] of [
    [{}, 'mail is required'],
    [{ mail: 7 }, 'mail must be an object'],
    [{ mail: { ...EXAMPLE, sections: [] } }, /^mail\.texts\.en\.nodes\["hello"\] is no node of the mail$/],
    [{ mail: EXAMPLE, locale: 'fr' }, 'locale: the mail has no texts in "fr"'],
    [{ mail: { ...EXAMPLE, texts: { en: { subject: 'x'.repeat(2_000_000), nodes: {} } } } }, /.*/],
  ] as const) {
    const { status, body: refused } = await viewer.post('/mails/render', body)
    assert.ok(status === 400 || status === 413, `${status}`)
    if (typeof message === 'string') assert.equal(refused.message ?? refused.error, message)
    else assert.match(refused.message ?? refused.error, message)
  }
})

test('a campaign with a mail that is wrong is refused with the place of the fault, and nothing is stored', async () => {
  const ws = await app.workspace()
  const { id } = await create(ws.admin, campaign())
  const wrong = structuredClone(MAIL) as any
  wrong.sections[1].columns[0].width = 99
  const refused = await ws.admin.put(`/campaigns/${id}`, { name: 'x', mail: wrong })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /mail\.sections\[1\]\.columns: their widths must make 100 percent, and make 99/)
  assert.deepEqual([(await read(ws.admin, id)).name, (await read(ws.admin, id)).version], ['Eid', 1])
  const schemes = expectStatus(await ws.admin.put('/settings/link-schemes', { schemes: [] }), 200)
  assert.ok(schemes)
  const linked = structuredClone(MAIL)
  linked.texts['en']!.nodes['shop'] = { label: 'Go', url: 'myapp://x' }
  assert.equal((await ws.admin.put(`/campaigns/${id}`, { mail: linked })).body.code, 'LINK_SCHEME_NOT_ALLOWED')
})
