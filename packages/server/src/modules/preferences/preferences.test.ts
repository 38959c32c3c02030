/** The page on which people choose what they get, behind the link in a mail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PREFERENCE_LINK_DAYS } from '@contentflow/core/identity/consent/preference-page.ts'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { create, launch } from '../../../test/builders/campaigns.ts'
import { workspaceOverTime } from '../../../test/builders/events.ts'
import { identify, personRow } from '../../../test/builders/people.ts'
import { addPeople, openEmail } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const PUBLIC = 'https://flow.example'
const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC })
const { ctx, workspace, operator, anyone, url, advance } = app

const NEWS = { id: 'news', names: { en: 'News & more', ar: 'الأخبار' }, descriptions: { en: 'Once a week' }, channels: ['email', 'sms'] }
const OFFERS = { id: 'offers', names: { en: 'Offers' }, channels: ['email', 'whatsapp'], mode: 'opt_in', position: 1 }

async function withTopics(ws: Workspace) {
  for (const topic of [NEWS, OFFERS]) expectStatus(await ws.admin.post('/message-topics', topic), 201)
  return ws
}

const content = { en: { title: 'Sale', body: 'Now' }, ar: { title: 'تخفيضات', body: 'الآن' } }
const launched = async (ws: Workspace, body: object = {}) => {
  const { id } = await launch(ws, await ws.editor(), { content, dispatchChannels: ['email'], ...body })
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  return id as string
}

/** The path of the page of a person, as a link of today leads to it. */
async function pathTo(ws: Workspace, userId: string): Promise<string> {
  const { id = '' } = (await personRow(ctx, ws.id, userId)) ?? {}
  const day = ctx.clock.now().toISOString().slice(0, 10)
  return `/api/v1/preferences/${(await ctx.links.sealer('preferences'))([ws.id, id, day])}`
}

type Shown = { status: number; html: string; said: string; boxes: Map<string, boolean>; often: string; shown: string }

async function read(answer: Response): Promise<Shown> {
  const html = await answer.text()
  const boxes = [...html.matchAll(/<input type="checkbox" name="([^"]+)" value="on"( checked)?>/g)].map(
    ([, name = '', checked]): [string, boolean] => [name, checked !== undefined],
  )
  return {
    status: answer.status,
    html,
    said: /<p role="status"[^>]*>([^<]*)</.exec(html)?.[1] ?? '',
    boxes: new Map(boxes),
    often: /<option value="(\d*)" selected>/.exec(html)?.[1] ?? '?',
    shown: /name="shown" value="([^"]+)"/.exec(html)?.[1] ?? '',
  }
}

const look = async (path: string, headers: Record<string, string> = {}) => read(await fetch(url + path, { headers }))
const press = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  read(await fetch(url + path, { method: 'POST', body: new URLSearchParams(fields), headers }))

/** As a browser sends the form in which these boxes are ticked. */
async function save(path: string, ticked: readonly string[], more: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const { shown } = await look(path, headers)
  return press(path, { action: 'save', shown, often: '', ...Object.fromEntries(ticked.map((name) => [name, 'on'])), ...more }, headers)
}

const entriesOf = async (ws: Workspace, userId: string) => {
  const { consents } = expectStatus(await ws.admin.get(`/users/${userId}/consents`), 200).data
  return consents.filter(({ source }: any) => source === 'preferences')
}

test('mails link the page where the workspace has topics, or says so; as documented they do not', async () => {
  const ws = await workspace()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U'])
  await launched(ws)
  assert.doesNotMatch(JSON.stringify(email.mails()[0]), /preferences/)
  expectStatus(await ws.admin.put('/settings/preference-page', { inMails: 'always', law: 'gdpr' }), 200)
  assert.deepEqual((await (await ws.viewer()).get('/settings/preference-page')).data, {
    inMails: 'always',
    law: 'gdpr',
    publishedDays: null,
  })
  await launched(ws)
  const [, mail] = email.mails()
  const link = /https:\/\/flow\.example(\/api\/v1\/preferences\/[\w-]+)/.exec(mail.text)?.[1] ?? ''
  assert.ok(mail.html.includes(`href="${PUBLIC}${link}"`) && /Your preferences/.test(mail.html))
  assert.ok(/Unsubscribe/.test(mail.html), 'the other link stays')
  assert.match((await look(link)).html, /s•••|u•••@e•••\.com/)
  const other = await withTopics(await workspace())
  await email.connect(other.admin)
  await addPeople(other, ['U'])
  const mails = email.mails().length
  await launched(other)
  assert.match(email.mails()[mails].text, /Your preferences: https/)
  for (const [body, says] of [
    [{ inMails: 'never', law: 'gdpr' }, /inMails/],
    [{ inMails: 'always', law: 'gdpr', publishedDays: 10 }, /publishedDays/],
  ] as const) {
    const refused = await ws.admin.put('/settings/preference-page', body)
    assert.deepEqual([refused.status, says.test(refused.body.error)], [400, true])
  }
})

test('the page shows topics and channels the person can be reached by, in their language, and nothing else of them', async () => {
  const ws = await withTopics(await workspace())
  await addPeople(ws, ['U'], () => ({ email: 'sara.k@example.com', name: 'Sara Kamal', phone: '+966501234542' }))
  const path = await pathTo(ws, 'U')
  const before = await personRow(ctx, ws.id, 'U')
  const { status, html, boxes, often } = await look(path, { 'accept-language': 'en' })
  assert.equal(status, 200)
  assert.deepEqual(
    [...boxes.keys()],
    [
      'channel.email',
      'channel.sms',
      'channel.whatsapp',
      'channel.push',
      'topic.news.email',
      'topic.news.sms',
      'topic.offers.email',
      'topic.offers.whatsapp',
      'tracking',
    ],
  )
  assert.deepEqual([boxes.get('topic.news.email'), boxes.get('topic.offers.email'), boxes.get('tracking'), often], [true, false, false, ''])
  assert.match(html, /s•••@e•••\.com/)
  assert.match(html, /<legend>News &amp; more<\/legend><p class="hint">Once a week/)
  for (const secret of ['sara.k', 'Sara', 'Kamal', '0501234', '"U"', ws.id]) assert.ok(!html.includes(secret), secret)
  assert.doesNotMatch(html, /<script|\son\w+=|https?:\/\//)
  for (const [asked, headers] of [
    ['?lang=ar', {}],
    ['', { 'accept-language': 'ar-SA,ar;q=0.9' }],
  ] as const) {
    const arabic = await look(path + asked, headers)
    assert.match(arabic.html, /<html lang="ar" dir="rtl">.*<legend>الأخبار<\/legend>.*<legend>Offers<\/legend>/s)
  }
  const answer = await fetch(url + path)
  assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'.*form-action 'self'/)
  assert.deepEqual([answer.headers.get('cache-control'), answer.headers.get('referrer-policy')], ['no-store', 'no-referrer'])
  assert.deepEqual(await personRow(ctx, ws.id, 'U'), before, 'looking changes nothing')
  expectStatus(await ws.admin.put('/settings/message-tracking', { opens: 'off', clicks: 'off' }), 200)
  assert.equal((await look(path)).boxes.has('tracking'), false, 'what is counted of nobody is not asked')
})

test('what is saved is one group of the ledger, with what was shown, and holds for messages', async () => {
  const ws = await withTopics(await workspace())
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U'], () => ({ phone: '+966501234542' }))
  const path = await pathTo(ws, 'U')
  const saved = await save(
    path,
    ['channel.email', 'topic.news.sms', 'topic.offers.email', 'tracking'],
    { often: '2' },
    { 'accept-language': 'ar' },
  )
  assert.deepEqual([saved.status, saved.said], [200, 'حُفظ اختيارك.'])
  assert.deepEqual(
    [...saved.boxes].filter(([, isOn]) => isOn).map(([name]) => name),
    ['channel.email', 'topic.news.sms', 'topic.offers.email', 'tracking'],
  )
  assert.equal(saved.often, '2')
  const entries = await entriesOf(ws, 'U')
  const told = Object.fromEntries(entries.map(({ channel, newValue }: any) => [channel, newValue]))
  assert.deepEqual(told, {
    push: false,
    sms: false,
    whatsapp: false,
    'topic:news.email': false,
    'topic:news.sms': true,
    'topic:offers.email': true,
    'topic:offers.whatsapp': false,
    'topic:message_tracking': true,
    'frequency:2': true,
  })
  assert.equal(new Set(entries.map(({ textHash, locale, keyId }: any) => [textHash, locale, keyId].join())).size, 1)
  assert.deepEqual([entries[0].locale, /^[0-9a-f]{64}$/.test(entries[0].textHash)], ['ar', true])
  const again = await save(path, ['channel.email', 'topic.news.sms', 'topic.offers.email', 'tracking'], { often: '2' })
  assert.deepEqual([again.status, (await entriesOf(ws, 'U')).length], [200, entries.length])
  const send = async (topic: string) =>
    (await ws.admin.post('/notifications', { userId: 'U', channel: 'email', content: { body: 'x' }, topic })).data
  assert.deepEqual([await send('news'), await send('offers')], [{ sent: false, reason: 'topicOptOut' }, { sent: true }])
  // Two a week, whatever the workspace caps.
  expectStatus(await ws.admin.put('/settings/features', { features: { frequency_caps: false } }), 200)
  for (let n = 0; n < 2; n++) await launched(ws)
  const third = await create(ws.admin, { content, dispatchChannels: ['email'] })
  const preview = expectStatus(await ws.admin.post(`/campaigns/${third.id}/preview`, {}), 200).data
  assert.deepEqual(preview.channels.email.skipped, { frequencyCapped: 1 })
  const report = expectStatus(await ws.admin.get(`/campaigns/${await launched(ws)}/report`), 200).data
  assert.deepEqual(report.channels.email.skipped, { frequencyCapped: 1 })
  await save(path, ['channel.email'], { often: '4' })
  const fourth = expectStatus(await ws.admin.get(`/campaigns/${await launched(ws)}/report`), 200).data
  assert.equal(fourth.channels.email.sent, 1)
})

test('a form that shows something else than there is now saves nothing, and one that nobody can read neither', async () => {
  const ws = await withTopics(await workspace())
  await addPeople(ws, ['U'])
  const path = await pathTo(ws, 'U')
  const { shown } = await look(path)
  expectStatus(await ws.admin.put('/message-topics/news', { ...NEWS, names: { en: 'Something else' } }), 200)
  const stale = await press(path, { action: 'save', shown, often: '' })
  assert.deepEqual([stale.status, /have changed/.test(stale.said)], [409, true])
  assert.notEqual(stale.shown, shown)
  for (const fields of [{}, { action: 'dance' }, { action: 'save', shown: stale.shown, often: '3' }])
    assert.equal((await press(path, fields as Record<string, string>)).status, 400)
  const json = await fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"action":"leave"}' })
  assert.equal(json.status, 400)
  assert.deepEqual(await entriesOf(ws, 'U'), [])
  const large = await fetch(url + path, { method: 'POST', body: new URLSearchParams({ action: 'x'.repeat(40_000) }) })
  assert.equal(large.status, 413)
})

test('leaving stops all that leaves, at any time; what is shown in the app stays', async () => {
  const ws = await withTopics(await workspaceOverTime(app))
  await addPeople(ws, ['U'])
  const path = await pathTo(ws, 'U')
  await advance((PREFERENCE_LINK_DAYS + 2) * 86_400)
  const old = await look(path)
  assert.equal(old.boxes.size, 0, 'an old link shows nothing of what was chosen')
  assert.match(old.html, /This link is old/)
  for (const action of ['save', 'access', 'erasure']) {
    const refused = await press(path, { action, shown: old.shown })
    assert.deepEqual([refused.status, /too old/.test(refused.said)], [410, true])
  }
  const left = await press(path, { action: 'leave' })
  assert.deepEqual([left.status, left.said], [200, 'Done. No more messages will be sent to you.'])
  const channels = (await personRow(ctx, ws.id, 'U'))?.channels as Record<string, boolean>
  assert.deepEqual(channels, { push: false, email: false, sms: false, whatsapp: false, inApp: true, marketing: false })
  assert.equal((await press(path, { action: 'leave' })).status, 200)
})

test('an old link sends a fresh one to the address that is known, once an hour', async () => {
  const ws = await workspaceOverTime(app)
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U'])
  const path = await pathTo(ws, 'U')
  await advance((PREFERENCE_LINK_DAYS + 2) * 86_400)
  for (let n = 0; n < 2; n++) assert.match((await press(path, { action: 'fresh' })).said, /on its way/)
  const [mail, ...more] = email.mails()
  assert.deepEqual([mail.to, more.length], [['U@example.com'.toLowerCase()], 0])
  const fresh = /https:\/\/flow\.example(\/api\/v1\/preferences\/[\w-]+)/.exec(mail.text)?.[1] ?? ''
  assert.notEqual(fresh, path)
  assert.ok((await look(fresh)).boxes.size > 0)
})

test('what is asked about data waits for a look, once; the request says whence it came', async () => {
  const ws = await workspace()
  await addPeople(ws, ['U'])
  const path = await pathTo(ws, 'U')
  const pressed = await Promise.all([1, 2, 3].map(() => press(path, { action: 'erasure' })))
  assert.ok(pressed.every(({ status, said }) => status === 200 && /answered by \d{4}-\d\d-\d\d/.test(said)))
  await press(path, { action: 'access' })
  const { requests } = expectStatus(await ws.admin.get('/subject-requests?state=waiting'), 200).data
  assert.deepEqual(requests.map(({ kind, source, state, law, userId }: any) => [kind, source, state, law, userId]).toSorted(), [
    ['access', 'page', 'verifying', 'pdpl_ksa', 'U'],
    ['erasure', 'page', 'verifying', 'pdpl_ksa', 'U'],
  ])
  assert.ok(await personRow(ctx, ws.id, 'U'), 'nobody is erased by a link')
  const open = requests.find(({ kind }: any) => kind === 'access')
  expectStatus(await ws.admin.patch(`/subject-requests/${open.id}`, { state: 'refused', reason: 'not them' }), 200)
  assert.match((await press(path, { action: 'access' })).said, /is with the sender/)
})

test('a browser that asks not to be tracked is not asked, and a tick in it counts as no', async () => {
  const ws = await workspace()
  await addPeople(ws, ['U'])
  const path = await pathTo(ws, 'U')
  const signal = { 'sec-gpc': '1' }
  const page = await look(path, signal)
  assert.match(page.html, /disabled aria-describedby="signal".*Global Privacy Control/s)
  assert.equal(page.boxes.has('tracking'), false)
  await save(path, ['channel.email', 'tracking'], {}, signal)
  const person = await personRow(ctx, ws.id, 'U')
  assert.deepEqual(person?.consent_topics, { message_tracking: false })
})

test('whose link it is: the person they became, nobody who was erased, and no link of another kind', async () => {
  const ws = await withTopics(await workspace())
  await addPeople(ws, ['U'], () => ({ deviceToken: undefined }))
  await identify(ws.app, 'D', undefined, { email: 'd@example.com' })
  const path = await pathTo(ws, 'D')
  await identify(ws.app, 'D', 'U')
  assert.equal((await save(path, ['topic.news.email'])).status, 200)
  const merged = (await personRow(ctx, ws.id, 'U')) ?? assert.fail()
  assert.equal((merged.consent_topics as any)['news.email'], true)
  expectStatus(await ws.admin.delete('/users/U'), 200)
  for (const answer of [await look(path), await press(path, { action: 'leave' })])
    assert.deepEqual([answer.status, /Nothing is stored of you/.test(answer.said)], [410, true])
  const other = (await ctx.links.sealer('unsubscribe'))([ws.id, merged.id])
  for (const token of ['x', 'preview', other, `${path.split('/').at(-1)}A`]) {
    assert.equal((await anyone.get(`/api/v1/preferences/${token}`)).status, 404, token)
    assert.equal((await press(`/api/v1/preferences/${token}`, { action: 'leave' })).status, 404, token)
  }
})

test('many changes within an hour are refused, but for leaving', async () => {
  const ws = await workspace()
  await addPeople(ws, ['U'])
  const path = await pathTo(ws, 'U')
  const answers: number[] = []
  for (let n = 0; n < 21; n++) answers.push((await save(path, n % 2 === 0 ? ['channel.email'] : [])).status)
  assert.deepEqual([answers.filter((status) => status === 200).length, answers.at(-1)], [20, 429])
  assert.equal((await press(path, { action: 'leave' })).status, 200)
})

test('an app in which the person is identified shows the same choices, and saves those that it names', async () => {
  const ws = await withTopics(await workspace())
  await addPeople(ws, ['U'])
  await identify(ws.app, 'D', 'U')
  const device = { headers: { 'x-cf-device': 'D', 'accept-language': 'ar' } }
  const { data } = expectStatus(await ws.app.get('/preferences', device), 200)
  assert.deepEqual(
    data.topics.map(({ id, channels }: any) => [id, channels]),
    [
      ['news', [{ channel: 'email', wanted: true }]],
      ['offers', [{ channel: 'email', wanted: false }]],
    ],
  )
  assert.deepEqual([data.maxMessagesAWeek, data.tracking, data.topics[0].names.ar], [null, false, 'الأخبار'])
  const put = (body: object) => ws.app.put('/preferences', body, device)
  const saved = expectStatus(await put({ topics: { offers: { email: true } }, maxMessagesAWeek: 4 }), 200).data
  assert.deepEqual([saved.topics[1].channels[0].wanted, saved.topics[0].channels[0].wanted, saved.maxMessagesAWeek], [true, true, 4])
  const entries = await entriesOf(ws, 'U')
  assert.deepEqual(entries.map(({ channel, newValue, locale }: any) => [channel, newValue, locale]).toSorted(), [
    ['frequency:4', true, 'ar'],
    ['topic:offers.email', true, 'ar'],
  ])
  const faults: [object, RegExp][] = [
    [{ topics: { old: { email: true } } }, /topics\."old"/],
    [{ topics: { constructor: {} } }, /topics\."constructor"/],
    [{ topics: { news: { sms: true } } }, /topics\.news\.sms/],
    [{ channels: { whatsapp: true } }, /channels\.whatsapp/],
    [{ maxMessagesAWeek: 3 }, /maxMessagesAWeek/],
    [{ tracking: 'yes' }, /tracking/],
  ]
  for (const [body, says] of faults) {
    const refused = await put(body)
    assert.deepEqual([refused.status, says.test(refused.body.error)], [400, true], JSON.stringify([body, refused.body]))
  }
  assert.equal((await ws.app.get('/preferences', { headers: { 'x-cf-device': 'nobody' } })).body.code, 'DEVICE_NOT_IDENTIFIED')
  await ws.app.post('/identify', { deviceId: 'E', consent: false })
  assert.equal((await ws.app.put('/preferences', { deviceId: 'E', tracking: true })).body.code, 'DEVICE_NOT_IDENTIFIED')
})
