/** Who opened a mail and followed its links: of whom it is counted, what of it is true, and where links lead. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { launch } from '../../../test/builders/campaigns.ts'
import { behaviorOf, rollUp, workspaceOverTime } from '../../../test/builders/events.ts'
import { check, peopleIn, startJourney, wait } from '../../../test/builders/journeys.ts'
import { identify, personRow, rowsOfPerson } from '../../../test/builders/people.ts'
import { addPeople, countHits, openEmail } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { until } from '../../../test/harness/until.ts'
import { CLICKS, PICTURES } from './tracked-links.ts'

const PUBLIC = 'https://flow.example'
const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC })
const { ctx, operator, url, advance } = app

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0' }
const SCANNER = { 'user-agent': 'BarracudaCentral/1.0' }
const TO = 'https://shop.example/offers?from=mail&x=%D8%B9'
const CONTENT = { en: { title: 'Sale', body: 'Now', ctaLabel: 'Look', ctaUrl: TO } }

const work = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
const get = (path: string, headers: object = BROWSER, method = 'GET') =>
  fetch(url + path, { method, headers: { ...headers }, redirect: 'manual' })

async function shop() {
  const { signIn, ...ws } = await workspaceOverTime(app)
  const email = await openEmail()
  await email.connect(ws.admin)
  const editor = await ws.editor()
  return { ws, email, editor, signIn }
}
type Shop = Awaited<ReturnType<typeof shop>>

/** The campaign's id, and by address of the recipient where its button leads and what its picture is; undefined: nothing is counted. */
async function send({ ws, email, editor }: Shop, content: object = CONTENT) {
  const before = email.mails().length
  const { id } = await launch(ws, editor, { content, dispatchChannels: ['email'] })
  await work()
  const mails = email.mails().slice(before)
  const pathIn = (html: string, attribute: string, root: string) =>
    new RegExp(`${attribute}="${PUBLIC}(${root}[^"]+)"`).exec(html)?.[1]?.replaceAll('&amp;', '&')
  return {
    id: id as string,
    html: (user: string) => mails.find((mail) => mail.to[0] === `${user}@example.com`.toLowerCase())?.html as string,
    text: (user: string) => mails.find((mail) => mail.to[0] === `${user}@example.com`.toLowerCase())?.text as string,
    click(user: string) {
      return pathIn(this.html(user), 'href', CLICKS)
    },
    picture(user: string) {
      return pathIn(this.html(user), 'src', PICTURES)
    },
  }
}
const agree = (ws: Workspace, device: string, says = true) =>
  ws.app.post('/consent/full', { deviceId: device, channels: { inApp: true }, topics: { message_tracking: says } })
const consenting = async (ws: Workspace, users: readonly string[]) => {
  await addPeople(ws, users)
  for (const user of users) {
    await identify(ws.app, `D ${user}`, user)
    expectStatus(await agree(ws, `D ${user}`), 200)
  }
}
/** Until these hits are written, and the verdict on them is there. */
const settle = async ({ id }: Workspace, hits: number) => {
  await until('the hits are written', async () => (await countHits(ctx, id)) === hits)
  await advance(40)
  await work()
  await rollUp(operator)
}
const ofCampaign = (id: string) => ({
  logicalOperator: 'AND',
  conditions: [{ field: 'properties.campaignId', operator: 'equals', value: id }],
})
const reportOf = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(`/campaigns/${id}/responses`), 200).data

test('nothing is counted of people who did not agree: links as they are written, no picture', async () => {
  const it = await shop()
  await addPeople(it.ws, ['U', 'No'])
  await identify(it.ws.app, 'D', 'No')
  expectStatus(await agree(it.ws, 'D', false), 200)
  const mail = await send(it)
  for (const user of ['U', 'No']) {
    assert.deepEqual([mail.click(user), mail.picture(user)], [undefined, undefined])
    assert.ok(mail.html(user).includes(`href="${TO.replaceAll('&', '&amp;')}"`) && mail.text(user).includes(`Look: ${TO}`))
  }
  const { tracking, sent, tracked } = await reportOf(it.ws, mail.id)
  assert.deepEqual([tracking, sent, tracked], [{ opens: 'agreed', clicks: 'agreed', trap: false }, 2, 0])
})

test('who agreed is counted once, in the report, in rules on events and in the history of the person, and is not active in the app by it', async () => {
  const it = await shop()
  await consenting(it.ws, ['U', 'V', 'W'])
  await addPeople(it.ws, ['Unasked'])
  const mail = await send(it)
  const segment = expectStatus(
    await it.ws.admin.post('/segments', {
      name: 'Clicked',
      logicalOperator: 'AND',
      rules: [{ field: 'events.message_clicked', operator: 'did', value: { where: ofCampaign(mail.id) } }],
    }),
    201,
  ).data
  const before = await behaviorOf(ctx, it.ws, 'U')
  const activeAt = (await personRow(ctx, it.ws.id, 'U'))?.last_active_at
  await advance(10)
  const picture = await get(mail.picture('U') ?? '')
  assert.deepEqual(
    [picture.status, picture.headers.get('content-type'), picture.headers.get('cache-control'), (await picture.arrayBuffer()).byteLength],
    [200, 'image/gif', 'no-store', 43],
  )
  for (const again of [1, 2]) {
    const led = await get(`${mail.click('U') ?? ''}?utm_added=by-a-proxy`)
    assert.deepEqual([led.status, led.headers.get('location')], [302, TO], String(again))
    assert.deepEqual(
      ['cache-control', 'referrer-policy', 'x-robots-tag'].map((name) => led.headers.get(name)),
      ['no-store', 'no-referrer', 'noindex'],
    )
  }
  await get(mail.picture('V') ?? '')
  // Machines: one says so, one asks for a head.
  await get(mail.click('W') ?? '', SCANNER)
  await get(mail.click('W') ?? '', BROWSER, 'HEAD')
  await settle(it.ws, 6)
  const admin = await it.signIn()
  const report = await reportOf({ ...it.ws, admin }, mail.id)
  assert.deepEqual([report.sent, report.tracked], [4, 3])
  const { rate: _, ...opened } = report.opened
  const { rate, ...clicked } = report.clicked
  assert.deepEqual(
    [opened, clicked],
    [
      { people: 2, unknown: 0, machines: 0 },
      { people: 1, machines: 1 },
    ],
  )
  assert.ok(Math.abs(rate.rate - 1 / 3) < 1e-9)
  const links = [{ node: 'button', label: 'Look', url: TO, people: 1, times: 2, machines: 1, machineTimes: 2 }]
  assert.deepEqual(report.links, links)
  assert.deepEqual(expectStatus(await admin.get(`/campaigns/${mail.id}/links`), 200).data, { links })
  const { events } = expectStatus(await admin.get('/users/U/events'), 200).data
  assert.deepEqual(
    events.map(({ type, properties, deviceId }: any) => [type, properties.campaignId, properties.link, deviceId]).toSorted(),
    [
      ['message_clicked', mail.id, 'button', null],
      ['message_opened', mail.id, undefined, null],
    ],
  )
  await rollUp(operator)
  assert.deepEqual(expectStatus(await admin.get(`/segments/${segment.id}/members`), 200).data.userIds, ['U'])
  assert.deepEqual(await behaviorOf(ctx, it.ws, 'U'), before)
  assert.deepEqual((await personRow(ctx, it.ws.id, 'U'))?.last_active_at, activeAt)
})

test('a click begins a journey like any other event', async () => {
  const it = await shop()
  await consenting(it.ws, ['U', 'V'])
  const mail = await send(it)
  const trigger = { type: 'custom_event', event: 'message_clicked', where: ofCampaign(mail.id) }
  const id = await startJourney(it.ws, { trigger, steps: [wait(60)] })
  await advance(10)
  await get(mail.click('U') ?? '')
  await get(mail.click('V') ?? '', SCANNER)
  await settle(it.ws, 2)
  await check(operator)
  assert.deepEqual(await peopleIn({ ...it.ws, admin: await it.signIn() }, id), ['U'])
})

test('an address that is cut, changed or of another kind leads nowhere, and is a page in both languages', async () => {
  const it = await shop()
  await consenting(it.ws, ['U'])
  const mail = await send(it)
  const [click = '', picture = ''] = [mail.click('U'), mail.picture('U')]
  const token = click.slice(CLICKS.length)
  const opening = picture.slice(PICTURES.length, -4)
  const flipped = [...Array(token.length).keys()]
    .filter((at) => at % 17 === 0)
    .map((at) => token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1))
  const wrong = [token.slice(0, -1), `${token}A`, opening, '', '%00', 'A'.repeat(9_000), encodeURIComponent(TO), ...flipped]
  for (const each of wrong) {
    const answer = await get(CLICKS + each)
    assert.deepEqual([answer.status, answer.headers.get('location')], [404, null], each)
    assert.match(await answer.text(), /leads nowhere/)
  }
  const arabic = await get(`${CLICKS}x`, { ...BROWSER, 'accept-language': 'ar' })
  assert.match(await arabic.text(), /dir="rtl".*هذا الرابط لا يؤدي/s)
  assert.match(arabic.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  for (const each of [`${PICTURES}${token}.gif`, `${PICTURES}x.gif`]) assert.equal((await get(each)).status, 404, each)
  assert.equal((await get(click, BROWSER, 'POST')).status, 404)
  assert.equal((await get(click)).status, 302)
})

test('a link in letters of any language leads there as browsers send it; one that opens an app stands as it is written', async () => {
  const it = await shop()
  await consenting(it.ws, ['U'])
  const to = async (ctaUrl: string) => {
    const mail = await send(it, { en: { title: 'x', body: 'x', ctaLabel: 'Look', ctaUrl } })
    const path = mail.click('U')
    return path === undefined ? undefined : (await get(path)).headers.get('location')
  }
  assert.equal(await to('https://shop.example/عرض?q=قهوة 1'), 'https://shop.example/%D8%B9%D8%B1%D8%B6?q=%D9%82%D9%87%D9%88%D8%A9%201')
  assert.equal(await to('https://متجر.example/x'), 'https://xn--pgbep1f.example/x')
  assert.equal(await to('https://shop.example'), 'https://shop.example/')
  assert.equal(await to('myshop://offers/7'), undefined)
  assert.equal(await to('mailto:help@shop.example'), undefined)
})

test('a browser that wants no tracking is heard: it is not counted, the ledger says so, and the next mail has plain links', async () => {
  const it = await shop()
  expectStatus(await it.ws.admin.put('/settings/message-tracking', { opens: 'unless_refused', clicks: 'unless_refused' }), 200)
  await addPeople(it.ws, ['U'])
  await consenting(it.ws, ['Agreed'])
  const mail = await send(it)
  await advance(10)
  for (const user of ['U', 'Agreed']) assert.equal((await get(mail.click(user) ?? '', { ...BROWSER, 'sec-gpc': '1' })).status, 302)
  await settle(it.ws, 2)
  const admin = await it.signIn()
  const { clicked } = await reportOf({ ...it.ws, admin }, mail.id)
  assert.equal(clicked.people, 0)
  const { consents } = expectStatus(await admin.get('/users/U/consents'), 200).data
  const heard = consents.filter(({ source }: any) => source === 'browser_signal')
  assert.deepEqual(
    heard.map(({ channel, oldValue, newValue }: any) => [channel, oldValue, newValue]),
    [['topic:message_tracking', null, false]],
  )
  const ws = { ...it.ws, admin }
  const next = await send({ ...it, ws, editor: await ws.editor() })
  assert.equal(next.click('U'), undefined)
  assert.ok(next.click('Agreed'), 'who agreed here themselves is not overruled')
})

test('a mail of before leads on when its person was merged, who is then counted, and when they were erased, who is not', async () => {
  const it = await shop()
  await identify(it.ws.app, 'D', undefined, { email: 'd@example.com' })
  expectStatus(await it.ws.app.post('/consent/full', { deviceId: 'D', channels: { email: true }, topics: { message_tracking: true } }), 200)
  await consenting(it.ws, ['Gone'])
  const mail = await send(it)
  const [ofD = '', ofGone = ''] = [mail.click('d'), mail.click('Gone')]
  await identify(it.ws.app, 'D', 'User')
  const gone = (await personRow(ctx, it.ws.id, 'Gone'))?.id ?? ''
  expectStatus(await it.ws.admin.delete('/users/Gone'), 200)
  await advance(10)
  for (const path of [ofD, ofGone]) assert.equal((await get(path)).headers.get('location'), TO)
  await settle(it.ws, 1)
  const admin = await it.signIn()
  assert.deepEqual(
    Object.values(await rowsOfPerson(ctx, it.ws.id, gone)).filter((rows) => rows > 0),
    [],
  )
  const { clicked } = await reportOf({ ...it.ws, admin }, mail.id)
  assert.equal(clicked.people, 1)
  const { events } = expectStatus(await admin.get('/users/User/events?type=message_clicked'), 200).data
  assert.equal(events.length, 1)
})

test('the setting takes what it says and nothing else, of an admin alone; off is off', async () => {
  const it = await shop()
  await consenting(it.ws, ['U'])
  const path = '/settings/message-tracking'
  for (const body of [{}, { opens: 'off' }, { opens: 'x', clicks: 'off' }, { opens: null, clicks: 'off' }, []])
    assert.equal((await it.ws.admin.put(path, body)).status, 400, JSON.stringify(body))
  assert.equal((await it.editor.put(path, { opens: 'off', clicks: 'off' })).status, 403)
  assert.deepEqual(expectStatus(await it.editor.get(path), 200).data, { opens: 'agreed', clicks: 'agreed', trap: false })
  expectStatus(await it.ws.admin.put(path, { opens: 'off', clicks: 'agreed' }), 200)
  const clicks = await send(it)
  assert.deepEqual([clicks.picture('U'), clicks.click('U') !== undefined], [undefined, true])
  expectStatus(await it.ws.admin.put(path, { opens: 'off', clicks: 'off' }), 200)
  const none = await send(it)
  assert.deepEqual([none.picture('U'), none.click('U')], [undefined, undefined])
  for (const source of ['campaigns', 'journeys']) assert.equal((await it.ws.admin.get(`/${source}/none/responses`)).status, 404)
})

test('a scanner that follows the link which nobody sees gives away what it followed beside it', async () => {
  const it = await shop()
  const tracking = { opens: 'unless_refused', clicks: 'unless_refused', trap: true }
  assert.deepEqual(expectStatus(await it.ws.admin.put('/settings/message-tracking', tracking), 200).data, tracking)
  await addPeople(it.ws, ['U', 'V'])
  const mail = await send(it)
  const trapOf = (user: string) =>
    new RegExp(`aria-hidden="true"><a href="${PUBLIC}(${CLICKS}[^"]+)" tabindex="-1"`).exec(mail.html(user))?.[1]
  assert.ok(!mail.text('U').includes(trapOf('U') ?? 'nothing'))
  await advance(10)
  const trap = await get(trapOf('U') ?? '')
  assert.deepEqual([trap.status, trap.headers.get('cache-control'), (await trap.arrayBuffer()).byteLength], [204, 'no-store', 0])
  for (const user of ['U', 'V']) await get(mail.click(user) ?? '')
  await settle(it.ws, 3)
  const { clicked, links } = await reportOf(it.ws, mail.id)
  assert.deepEqual([clicked.people, clicked.machines], [1, 1])
  assert.deepEqual(
    links.map(({ node }: any) => node),
    ['button'],
    'the trap is no link of the mail',
  )
  expectStatus(await it.ws.admin.put('/settings/message-tracking', { opens: 'off', clicks: 'unless_refused' }), 200)
  assert.ok(!(await send(it)).html('U').includes('tabindex="-1"'), 'without it there is none')
})

test('a sandbox begins with what its workspace says of tracking', async () => {
  const { ws } = await shop()
  const tracking = { opens: 'off', clicks: 'agreed', trap: true }
  expectStatus(await ws.admin.put('/settings/message-tracking', tracking), 200)
  const { workspaceId } = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  const read = await ws.admin.get('/settings/message-tracking', { headers: { 'x-tenant-id': workspaceId } })
  assert.deepEqual(expectStatus(read, 200).data, tracking)
})
