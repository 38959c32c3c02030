/** Texts of mails that translators write where they write all others (decision 72). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../builders/builders.ts'
import { approve, create, launch, read, submit } from '../builders/campaigns.ts'
import { carry, exported } from '../builders/code.ts'
import { makeJourney, setStatus } from '../builders/journeys.ts'
import { MAIL, shopWithMail } from '../builders/mails/mails.ts'
import { addLocales, sync } from '../builders/strings.ts'
import { addPeople } from '../builders/sends.ts'
import { startApp } from '../harness/start-app.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })
const work = async () => void expectStatus(await app.operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)

/** Its heading comes from the catalog, in both languages. */
function mailOf(key: string) {
  const mail = structuredClone(MAIL) as any
  for (const locale of ['en', 'ar']) mail.texts[locale].nodes.hello = { string: key }
  return mail
}
const campaign = (key: string) => ({ content: {}, dispatchChannels: ['email'], mail: mailOf(key) })
const saidIn = ({ mail }: any, locale: string) => mail.texts[locale].nodes.hello

async function withTexts(ws: Workspace): Promise<void> {
  await addLocales(ws, 'ar')
  await sync(ws, { key: 'mail.hello', sourceText: 'Hello {{name | friend}}\n\nAgain', values: { ar: 'مرحبا' } })
}

test('the approved text of the language goes out, else the source text, with its tokens filled', async () => {
  const { ws, editor, mailTo } = await shopWithMail(app)
  await withTexts(ws)
  await addPeople(ws, ['U'])
  const drawn = async (locale: string) => expectStatus(await editor.post('/mails/render', { mail: mailOf('mail.hello'), locale }), 200).data
  assert.match((await drawn('en')).html, />Hello \{\{name \| friend\}\}<br>Again</)
  assert.match((await drawn('ar')).text, /مرحبا/)
  // In review it is nobody's text yet.
  expectStatus(await ws.admin.put('/strings/mail.hello/translations/ar', { text: 'أهلا' }), 200)
  assert.match((await drawn('ar')).text, /Hello/)
  expectStatus(await ws.admin.post('/strings/mail.hello/translations/ar/approve', {}), 200)
  assert.match((await drawn('ar')).text, /أهلا/)
  await launch(ws, editor, campaign('mail.hello'))
  await work()
  assert.match(mailTo('U')?.html ?? '', />Hello friend<br>Again</)
})

test('what is submitted says what the catalog says then, and stays that whatever it becomes; a draft follows', async () => {
  const { ws, editor } = await shopWithMail(app)
  await withTexts(ws)
  const { id } = await create(editor, campaign('mail.hello'))
  assert.deepEqual(saidIn(await read(editor, id), 'ar'), { string: 'mail.hello', blocks: [{ p: [{ v: 'مرحبا' }] }] })
  await sync(ws, { key: 'mail.hello', sourceText: 'Second' })
  const [sample] = expectStatus(await editor.post(`/campaigns/${id}/preview`, {}), 200).data.channels.email.samples
  assert.equal(sample, undefined, 'nobody is there to be written to')
  expectStatus(await submit(editor, id), 200)
  assert.deepEqual(saidIn(await read(editor, id), 'en').blocks, [{ p: [{ v: 'Second' }] }])
  await sync(ws, { key: 'mail.hello', sourceText: 'Third' })
  const { seal } = expectStatus(await approve(ws.admin, id, { activateTarget: 'test' }), 200).data
  const { approved } = expectStatus(await editor.get(`/campaigns/${id}/approved`), 200).data
  assert.deepEqual([saidIn(approved, 'en').blocks, approved.hash], [[{ p: [{ v: 'Second' }] }], seal.hash])
})

test('a key that the catalog does not have stops a campaign and a journey, and is named', async () => {
  const { ws, editor } = await shopWithMail(app)
  const { id } = await create(editor, campaign('nowhere'))
  const refused = await submit(editor, id)
  assert.deepEqual([refused.status, refused.body.code], [409, 'MAIL_NOT_READY'])
  // Languages come in the order in which a database keeps them.
  const stops = (checks: any[]) =>
    checks.filter(({ level }) => level === 'stop').map(({ code, locale, node, value }) => [code, locale, node, value])
  const missing = [
    ['string_missing', 'ar', 'hello', 'nowhere'],
    ['string_missing', 'en', 'hello', 'nowhere'],
  ]
  assert.deepEqual(stops(refused.body.checks), missing)
  const step = { id: 'mail', type: 'send', channel: 'email', content: {}, mail: mailOf('nowhere') }
  const journey = await makeJourney(ws.admin, { steps: [step] })
  assert.deepEqual(stops((await setStatus(ws.admin, journey.id, 'active')).body.checks), missing)
  // It is there by the time of the next try, and the journey says what it says then.
  await sync(ws, { key: 'nowhere', sourceText: 'Here' })
  const active = expectStatus(await setStatus(ws.admin, journey.id, 'active'), 200).data
  assert.deepEqual(saidIn(active.steps[0], 'ar').blocks, [{ p: [{ v: 'Here' }] }])
  const wrong = await editor.put(`/campaigns/${id}`, campaign(''))
  assert.deepEqual([wrong.status, wrong.body.error], [400, 'mail.texts.en.nodes["hello"].string must be the key of a text'])
})

test('the workspace as code names the key alone, and each workspace has its own text', async () => {
  const [from, to] = [await app.workspace(), await app.workspace()]
  await withTexts(from)
  await create(from.admin, campaign('mail.hello'))
  await makeJourney(from.admin, { steps: [{ id: 'mail', type: 'send', channel: 'email', content: {}, mail: mailOf('mail.hello') }] })
  const { campaigns, journeys } = (await exported(from)).data
  assert.deepEqual(saidIn(campaigns[0], 'en'), { string: 'mail.hello', blocks: [] })
  assert.deepEqual(saidIn(journeys[0].steps[0], 'en'), { string: 'mail.hello', blocks: [] })
  await carry(from, to)
  const [{ id }] = expectStatus(await to.admin.get('/campaigns'), 200).data.campaigns
  assert.deepEqual(saidIn(await read(to.admin, id), 'ar').blocks, [{ p: [{ v: 'مرحبا' }] }])
})
