/** Messages over WhatsApp, through a stand-in that takes templates and free texts as Twilio does. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { create, launch } from '../../../../test/builders/campaigns.ts'
import { addChannel } from '../../../../test/builders/channels.ts'
import { check, enroll, startJourney } from '../../../../test/builders/journeys.ts'
import { openProvider, type Judge } from '../../../../test/builders/providers.ts'
import { addPeople } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const PUBLIC = 'https://flow.example'
const { workspace, operator, url } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC })
const work = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)

const [ENGLISH, ARABIC] = [`HX${'1'.repeat(32)}`, `HX${'a'.repeat(32)}`]
/** What is approved, and the variables each has. */
const APPROVED = new Map([
  [ENGLISH, ['1', '2']],
  [ARABIC, ['1']],
])

const PHONES: Record<string, string> = { omar: '+966500000001', sara: '+966500000002', nada: '+966500000003' }

const refuse = (code: number, message: string) => ({ status: 400, body: { code, message, status: 400 } })
const judge: Judge = ({ headers, body }) => {
  if (headers.authorization !== `Basic ${Buffer.from('AC1:token').toString('base64')}`) return { status: 401, body: { code: 20003 } }
  if (!body.To?.startsWith('whatsapp:+') || !body.From?.startsWith('whatsapp:+')) return refuse(21910, 'Both must be of one channel')
  if (body.ContentSid === undefined) {
    if (body.ContentVariables !== undefined) return refuse(21654, 'ContentSid required')
    // Outside of a conversation too: only the callback says that it was not delivered (63016).
    return body.Body ? undefined : refuse(21619, 'A message body is required')
  }
  const variables = APPROVED.get(body.ContentSid)
  if (!variables) return refuse(21655, 'The ContentSid is invalid')
  const given: object = JSON.parse(body.ContentVariables)
  const isRight = (value: unknown) => typeof value === 'string' && value !== '' && !/[\n\r\t]| {5}/.test(value)
  return Object.keys(given).toString() === variables.toString() && Object.values(given).every(isRight)
    ? undefined
    : refuse(21656, 'The ContentVariables parameter is invalid')
}

async function connected() {
  const ws = await workspace()
  const stub = await openProvider({ judge, answer: () => ({ status: 201, body: { sid: `SM${stub.taken.length}`, status: 'queued' } }) })
  after(() => stub.close())
  const { id } = await addChannel(ws.admin, 'whatsapp', 'twilio-whatsapp', {
    accountSid: 'AC1',
    authToken: 'token',
    from: '+15005550006',
    baseUrl: stub.url,
  })
  await addPeople(ws, ['sara', 'omar', 'nada'], (userId) => ({ phone: PHONES[userId]! }))
  /** As Twilio tells it. */
  const report = async (form: Record<string, string>) => {
    const path = `/api/v1/callbacks/twilio-whatsapp/${ws.id}/${id}`
    const said = Object.entries(form).toSorted(([a], [b]) => (a < b ? -1 : 1))
    const signature = createHmac('sha1', 'token')
      .update(PUBLIC + path + said.flat().join(''))
      .digest('base64')
    const headers = { 'x-twilio-signature': signature, 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await fetch(url + path, { method: 'POST', headers, body: new URLSearchParams(form).toString() })
    assert.equal(answer.status, 200)
  }
  return { ws, report, sent: () => stub.taken.map(({ body }) => body) }
}

const content = {
  en: { title: 'For apps', whatsappTemplate: { id: ENGLISH, variables: { 1: '{{name}}', 2: '{{customAttributes.plan}}' } } },
  ar: { title: 'للتطبيق', whatsappTemplate: { id: ARABIC, variables: { 1: 'يا {{name}}' } } },
}
const identify = async ({ app }: Workspace, userId: string, language: string, more: object) =>
  void expectStatus(
    await app.post('/identify', { deviceId: userId, userId, consent: true, ...more }, { headers: { 'accept-language': language } }),
    200,
  )

test('an approved template goes in the language of each person with what it says of them, and apps are shown none of it', async () => {
  const { ws, sent } = await connected()
  await identify(ws, 'sara', 'en', { name: 'Sara\n  Ali', traits: { plan: 'gold' } })
  await identify(ws, 'omar', 'ar', { name: 'عمر' })
  await identify(ws, 'nada', 'en', { name: 'Nada' })
  const body = { content, dispatchChannels: ['whatsapp', 'in_app'] }
  const draft = await create(ws.admin, body)
  assert.deepEqual(draft.content, content)
  const preview = expectStatus(await ws.admin.post(`/campaigns/${draft.id}/preview`, {}), 200).data.channels.whatsapp
  assert.deepEqual([preview.reachable, preview.skipped], [2, { unresolvedToken: 1 }])
  const samples = preview.samples.map(({ locale, title, body, template }: any) => ({ locale, title, body, template }))
  const forSara = { id: ENGLISH, variables: { 1: 'Sara Ali', 2: 'gold' } }
  const forOmar = { id: ARABIC, variables: { 1: 'يا عمر' } }
  assert.deepEqual(
    samples.toSorted((a: any, b: any) => (a.locale < b.locale ? -1 : 1)),
    [
      { locale: 'ar', title: '', body: '', template: forOmar },
      { locale: 'en', title: '', body: '', template: forSara },
    ],
  )
  const tried = expectStatus(await ws.admin.post(`/campaigns/${draft.id}/test-send`, { to: ['sara'] }), 200).data.results
  assert.deepEqual(tried[0], { userId: 'sara', channel: 'whatsapp', sent: true })

  await launch(ws, await ws.editor(), body)
  await work()
  const calls = sent().map(({ To, ContentSid, ContentVariables, Body }) => [To, ContentSid, JSON.parse(ContentVariables), Body])
  assert.deepEqual(
    calls.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    [
      ['whatsapp:+966500000001', ARABIC, forOmar.variables, undefined],
      ['whatsapp:+966500000002', ENGLISH, forSara.variables, undefined],
      ['whatsapp:+966500000002', ENGLISH, forSara.variables, undefined],
    ],
  )
  const shown = expectStatus(await ws.app.post('/campaigns', { userId: 'sara', deviceId: 'sara' }), 200)
  assert.match(shown.text, /For apps/)
  assert.doesNotMatch(shown.text, /whatsappTemplate|HX1/)
})

test('a free text is taken and may come back undelivered; a template that the provider does not know fails with its words', async () => {
  const { ws, report, sent } = await connected()
  const send = async (content: object) =>
    expectStatus(await ws.admin.post('/notifications', { userId: 'sara', channel: 'whatsapp', content }), 200).data
  assert.deepEqual(await send({ body: 'Hello' }), { sent: true })
  await report({ MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '63016' })
  assert.deepEqual(await send({ whatsappTemplate: { id: ARABIC, variables: { 1: 'x' } } }), { sent: true })
  await report({ MessageSid: 'SM2', MessageStatus: 'delivered' })
  const unknown = await send({ body: 'b', whatsappTemplate: { id: 'HX0' } })
  assert.deepEqual(unknown, { sent: false, reason: 'The ContentSid is invalid' })
  const lacking = await send({ whatsappTemplate: { id: ENGLISH, variables: { 1: 'x' } } })
  assert.deepEqual(lacking, { sent: false, reason: 'The ContentVariables parameter is invalid' })
  const { sends } = expectStatus(await ws.admin.get('/sends?userId=sara'), 200).data
  assert.deepEqual(sends.map(({ told }: any) => told).toSorted(), ['delivered', 'failed', null, null])
  assert.deepEqual(
    sent().map(({ Body, ContentSid }) => [Body, ContentSid]),
    [
      ['Hello', undefined],
      [undefined, ARABIC],
    ],
  )
})

test('a step of a journey sends a template; other channels are sent the texts, and whoever lacks them nothing', async () => {
  const { ws, sent } = await connected()
  const said = { en: { body: 'Free', whatsappTemplate: { id: ARABIC, variables: { 1: '{{userId}}' } } } }
  const id = await startJourney(ws, { steps: [{ type: 'send', channel: 'whatsapp', content: said }] })
  await enroll(ws, id, ['sara'])
  await check(operator)
  await work()
  assert.deepEqual(
    sent().map(({ ContentSid, ContentVariables, Body }) => [ContentSid, ContentVariables, Body]),
    [[ARABIC, '{"1":"sara"}', undefined]],
  )
  await addChannel(ws.admin, 'sms', 'contentflow-sms', { apiKey: 'k', sender: 's' })
  const { whatsappTemplate } = content.ar
  const draft = await create(ws.admin, { content: { en: { whatsappTemplate } }, dispatchChannels: ['sms', 'whatsapp'] })
  const { channels } = expectStatus(await ws.admin.post(`/campaigns/${draft.id}/preview`, {}), 200).data
  assert.deepEqual([channels.sms.skipped, channels.whatsapp.skipped], [{ noContent: 3 }, { unresolvedToken: 3 }])
})

test('a template that could not be sent is refused where it is written', async () => {
  const { admin } = await workspace()
  const wrong = [
    'HX1',
    {},
    { id: 7 },
    { id: 'with space' },
    { id: '' },
    { id: 'HX1', name: 'x' },
    { id: 'HX1', variables: [] },
    { id: 'HX1', variables: { 1: '' } },
    { id: 'HX1', variables: { 1: 7 } },
    { id: 'HX1', variables: { 1: 'x'.repeat(1_025) } },
    { id: 'HX1', variables: { '{{1}}': 'x' } },
    { id: 'HX1', variables: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n + 1, 'x'])) },
  ]
  const campaign = { name: 'n', type: 't' }
  for (const whatsappTemplate of wrong) {
    const content = { en: { whatsappTemplate } }
    const variants = [{ id: 'A', weight: 1, values: { whatsappTemplate } }]
    const trigger = { type: 'manual' }
    for (const [path, body] of [
      ['/campaigns', { ...campaign, content }],
      ['/campaigns', { ...campaign, content: { en: { variants } } }],
      ['/journeys', { name: 'n', trigger, steps: [{ type: 'send', channel: 'whatsapp', content }] }],
      ['/notifications', { userId: 'u', channel: 'whatsapp', content: { body: 'b', whatsappTemplate } }],
    ] as const)
      assert.equal((await admin.post(path, body)).status, 400, `${path} ${JSON.stringify(whatsappTemplate).slice(0, 60)}`)
  }
  const right = { id: 'order_ready-2', variables: {} }
  expectStatus(await admin.post('/campaigns', { ...campaign, content: { en: { whatsappTemplate: right } } }), 201)
  // The text is left out only where nothing but the template is sent.
  expectStatus(await admin.post('/notifications', { userId: 'u', channel: 'sms', content: { whatsappTemplate: right } }), 400)
  expectStatus(await admin.post('/notifications', { userId: 'u', channel: 'whatsapp', content: {} }), 400)
})
