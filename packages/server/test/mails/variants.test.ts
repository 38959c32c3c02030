/** What variants of a campaign say otherwise in its mail of sections (decision 72). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../builders/builders.ts'
import { approve, create, launch, read, submit } from '../builders/campaigns.ts'
import { carry, exported } from '../builders/code.ts'
import { agreesToTracking, MAIL, shopWithMail } from '../builders/mails/mails.ts'
import { addPeople } from '../builders/sends.ts'
import { startApp } from '../harness/start-app.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: 'https://flow.example' })
const { operator } = app
const work = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)

const SHORT = {
  texts: {
    en: {
      subject: 'It is on its way',
      nodes: { shop: { label: 'Open it', url: 'https://shop.example.com/short' } },
    },
  },
  hidden: ['intro', 'two'],
}
const variants = (short: unknown = SHORT) => [
  { id: 'long', weight: 1, values: {} },
  { id: 'short', weight: 1, mail: short },
]
const campaign = (short?: unknown) => ({ content: { en: { variants: variants(short) } }, dispatchChannels: ['email'], mail: MAIL })
const isShort = (subject: string) => subject === 'It is on its way'

test('each person gets the mail as their variant says it, and responses are counted by variant', async () => {
  const { ws, editor, email, mailTo } = await shopWithMail(app)
  const people = Array.from({ length: 12 }, (_, index) => `P${index}`)
  await addPeople(ws, people)
  for (const user of people) await agreesToTracking(ws, user)
  const { id } = await launch(ws, editor, campaign())
  await work()
  assert.equal(email.mails().length, people.length)
  const [short, long] = [
    people.filter((user) => isShort(mailTo(user)?.subject ?? '')),
    people.filter((user) => !isShort(mailTo(user)?.subject ?? '')),
  ]
  assert.ok(short.length > 0 && long.length > 0)
  for (const user of short) {
    const { html = '', text = '' } = mailTo(user) ?? {}
    assert.match(html, />Open it</)
    // What the variant leaves alone stays, what it hides is nowhere.
    assert.match(html, /Good news, friend/)
    assert.doesNotMatch(html + text, /Free to send back for|Scarves/)
  }
  for (const user of long) assert.match(mailTo(user)?.html ?? '', />See the order<.*Scarves/s)
  const { variants: told, links } = expectStatus(await ws.admin.get(`/campaigns/${id}/responses`), 200).data
  assert.deepEqual(
    told.map(({ variantId, tracked }: any) => [variantId, tracked]),
    [
      ['long', long.length],
      ['short', short.length],
    ],
  )
  assert.deepEqual(
    links.map(({ node }: any) => node),
    ['hero', 'intro.1', 'shop', 'all'],
  )
})

test('where no variant says anything of the mail, all get the same one and none is told apart', async () => {
  const { ws, editor, mailTo } = await shopWithMail(app)
  await addPeople(ws, ['U', 'V'])
  await agreesToTracking(ws, 'U')
  const texts = [
    { id: 'a', weight: 1, values: { title: 'A' } },
    { id: 'b', weight: 1, values: { title: 'B' } },
  ]
  const { id } = await launch(ws, editor, { ...campaign(), content: { en: { variants: texts } } })
  await work()
  assert.deepEqual([mailTo('U')?.subject, mailTo('V')?.subject], ['Your order, friend', 'Your order, friend'])
  const { variants: told } = expectStatus(await ws.admin.get(`/campaigns/${id}/responses`), 200).data
  assert.deepEqual(
    told.map(({ variantId, tracked }: any) => [variantId, tracked]),
    [[null, 1]],
  )
})

test('a variant is previewed, tested and checked by its id, before anybody gets it', async () => {
  const { ws, editor, email } = await shopWithMail(app)
  await addPeople(ws, ['U'])
  const { id } = await create(editor, campaign())
  const subjectOf = async (variantId: string) =>
    expectStatus(await editor.post(`/campaigns/${id}/preview`, { variantId }), 200).data.channels.email.samples[0].title
  assert.deepEqual([await subjectOf('short'), await subjectOf('long')], ['It is on its way', 'Your order, friend'])
  expectStatus(await editor.post(`/campaigns/${id}/test-send`, { to: ['U'], variantId: 'short' }), 200)
  assert.equal(email.mails().at(-1).subject, '[Test] It is on its way')
  const unknown = await editor.post(`/campaigns/${id}/preview`, { variantId: 'x' })
  assert.deepEqual([unknown.status, unknown.body.error], [400, 'variantId: the campaign has no variant "x"'])
  const drawn = expectStatus(await editor.post('/mails/render', { mail: MAIL, variant: SHORT }), 200).data
  assert.equal(drawn.subject, 'It is on its way')
  assert.doesNotMatch(drawn.html, /Scarves/)
  const wrong = await editor.post('/mails/render', { mail: MAIL, variant: { texts: { en: { subject: 7 } } } })
  assert.deepEqual([wrong.status, wrong.body.error], [400, 'variant.texts.en.subject must be a text of at most 500 characters'])
})

test('a variant whose mail cannot go out is not submitted, and the checks say which; what was approved is sealed with it', async () => {
  const { ws, editor } = await shopWithMail(app)
  const bad = {
    texts: {
      en: { subject: '', nodes: { gone: { label: 'x', url: 'https://shop.example.com' }, hello: { label: 'x', url: '' } } },
      fr: {},
    },
    hidden: ['nowhere'],
  }
  const { id } = await create(editor, campaign(bad))
  const refused = await submit(editor, id)
  assert.deepEqual([refused.status, refused.body.code], [409, 'MAIL_NOT_READY'])
  const stops = refused.body.checks.filter(({ level }: any) => level === 'stop')
  assert.deepEqual(
    stops.map(({ code, variant, locale, node }: any) => [code, variant, locale, node]),
    [
      ['variant_misplaced', 'short', 'en', 'gone'],
      ['variant_misplaced', 'short', 'en', 'hello'],
      ['variant_misplaced', 'short', 'fr', undefined],
      // In no language: it is told in the first.
      ['variant_misplaced', 'short', 'ar', 'nowhere'],
      ['subject_missing', 'short', 'en', undefined],
      ['button_unfinished', 'short', 'en', 'hello'],
    ],
  )
  expectStatus(await editor.put(`/campaigns/${id}`, campaign()), 200)
  expectStatus(await submit(editor, id), 200)
  const before = expectStatus(await approve(ws.admin, id, { activateTarget: 'test' }), 200).data.seal.hash
  const kept = expectStatus(await editor.get(`/campaigns/${id}/approved`), 200).data.approved
  assert.deepEqual([kept.content.en.variants[1].mail, kept.hash], [SHORT, before])
})

test('what a variant may not say in a mail is refused with its place, and it is part of the workspace as code', async () => {
  const [from, to] = [await app.workspace(), await app.workspace()]
  const { id, version } = await create(from.admin, campaign())
  for (const [short, message] of [
    [7, 'content.en.variants[1].mail must be an object'],
    [
      { texts: { en: { nodes: { a: { label: 'x', url: 'javascript:x' } } } } },
      /^content\.en\.variants\[1\]\.mail\.texts\.en\.nodes\["a"\]\.url /,
    ],
    [{ texts: { 'not a tag': {} } }, /not a tag/],
    [{ hidden: [7] }, 'content.en.variants[1].mail.hidden must be an array of ids of nodes or sections'],
    [{ other: 1 }, /^content\.en\.variants\[1\]\.mail: "other" is not known/],
  ] as const) {
    const refused = await from.admin.put(`/campaigns/${id}`, campaign(short))
    assert.equal(refused.status, 400)
    if (typeof message === 'string') assert.equal(refused.body.error, message)
    else assert.match(refused.body.error, message)
  }
  assert.equal((await read(from.admin, id)).version, version)
  expectStatus(await from.admin.put('/settings/link-schemes', { schemes: [] }), 200)
  const linked = campaign({ texts: { en: { nodes: { shop: { label: 'Go', url: 'myapp://x' } } } } })
  assert.equal((await from.admin.put(`/campaigns/${id}`, linked)).body.code, 'LINK_SCHEME_NOT_ALLOWED')
  const first = await exported(from, 'campaigns')
  assert.deepEqual(first.data.campaigns[0].content.en.variants[1].mail, SHORT)
  await carry(from, to)
  assert.equal((await exported(to, 'campaigns')).text, first.text)
})
