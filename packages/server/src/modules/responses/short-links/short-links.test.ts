/** Short links of text messages: where they lead, of whom a click is counted, and how long they last. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { launch } from '../../../../test/builders/campaigns.ts'
import { addChannel } from '../../../../test/builders/channels.ts'
import { rollUp, workspaceOverTime } from '../../../../test/builders/events.ts'
import { check, enroll, startJourney } from '../../../../test/builders/journeys.ts'
import { identify, personRow } from '../../../../test/builders/people.ts'
import { openProvider } from '../../../../test/builders/providers.ts'
import { addPeople, countHits } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { until } from '../../../../test/harness/until.ts'

const [PUBLIC, LINKS] = ['https://flow.example', 'https://go.example']
const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC, CF_LINK_URL: LINKS })
const { ctx, operator, url, advance } = app

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0' }
const TO = 'https://shop.example/offers?from=sms&x=%D8%B9'
const CONTENT = { en: { body: 'Sale', ctaUrl: TO, shorten: true } }
const PHONES: Record<string, string> = { U: '+966500000001', V: '+966500000002', W: '+966500000003' }

const work = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
const get = (path: string, headers: object = BROWSER, method = 'GET') =>
  fetch(url + path, { method, headers: { ...headers }, redirect: 'manual' })
const leadsTo = async (path: string) => (await get(path)).headers.get('location')

async function shop() {
  const { signIn: _, ...ws } = await workspaceOverTime(app)
  const stub = await openProvider({ judge: () => undefined, answer: () => ({ status: 201, body: { sid: 'SM1', status: 'queued' } }) })
  after(() => stub.close())
  const account = { accountSid: 'AC1', authToken: 'token', from: '+15005550006', baseUrl: stub.url }
  await addChannel(ws.admin, 'sms', 'twilio', account)
  await addChannel(ws.admin, 'whatsapp', 'twilio-whatsapp', account)
  await addPeople(ws, ['U', 'V', 'W'], (userId) => ({ phone: PHONES[userId] }))
  const editor = await ws.editor()
  /** By person, what the texts say that were sent since the last time. */
  let seen = 0
  const texts = () => {
    const calls = stub.taken.slice(seen).map(({ body }) => body as { To: string; Body: string })
    seen = stub.taken.length
    return new Map(
      Object.entries(PHONES).flatMap(([user, phone]) =>
        calls.flatMap(({ To, Body }) => (To.replace('whatsapp:', '') === phone ? [[user, Body] as const] : [])),
      ),
    )
  }
  return { ws, editor, texts }
}
type Shop = Awaited<ReturnType<typeof shop>>

/** The paths of the links by person. */
async function send({ ws, editor, texts }: Shop, content: object = CONTENT, channel = 'sms') {
  const { id } = await launch(ws, editor, { content, dispatchChannels: [channel] })
  await work()
  const paths = [...texts()].map(([user, text]) => {
    const path = /\n(\S+)$/.exec(text)?.[1]?.replace(LINKS, '') ?? ''
    return [user, path] as const
  })
  return { id: id as string, path: new Map(paths) }
}
const agree = async (ws: Workspace, user: string) => {
  await identify(ws.app, `D ${user}`, user)
  const body = { deviceId: `D ${user}`, channels: { sms: true }, topics: { message_tracking: true } }
  expectStatus(await ws.app.post('/consent/full', body), 200)
}
const pathOf = (sent: Awaited<ReturnType<typeof send>>, user: string): string => {
  const path = sent.path.get(user)
  assert.ok(path !== undefined, `no message to ${user}`)
  return path
}
const SHORT = /^\/s\/[0-9A-Za-z]{4}\/[0-9A-Za-z]{7}$/

test('people of whom nothing is counted share a short link, whoever agreed has their own, and all lead to the same place', async () => {
  const it = await shop()
  await agree(it.ws, 'W')
  const sent = await send(it)
  const [u, v, w] = ['U', 'V', 'W'].map((user) => pathOf(sent, user))
  for (const path of [u, v, w]) assert.match(path ?? '', SHORT)
  assert.equal(u, v)
  assert.notEqual(u, w)
  assert.equal(u?.slice(0, 8), w?.slice(0, 8), 'one slug a workspace')
  // Sooner nobody reads a message.
  await advance(10)
  const answer = await get(`${w}?utm=added`)
  const headers = ['location', 'cache-control', 'referrer-policy', 'x-robots-tag'].map((name) => answer.headers.get(name))
  assert.deepEqual([answer.status, ...headers], [302, TO, 'no-store', 'no-referrer', 'noindex'])
  assert.equal(await leadsTo(u ?? ''), TO)
  assert.equal((await get(w ?? '', BROWSER, 'HEAD')).status, 302)
  await until('both hits of W are written', async () => (await countHits(ctx, it.ws.id)) === 2)
  await advance(40)
  await work()
  await rollUp(operator)
  const report = expectStatus(await it.ws.admin.get(`/campaigns/${sent.id}/responses?channel=sms`), 200).data
  assert.deepEqual([report.sent, report.tracked, report.clicked.people, report.clicked.machines], [3, 1, 1, 1])
  assert.equal(report.opened.people, 0, 'whether a text message was opened is nowhere heard of')
  assert.deepEqual(
    report.links.map(({ node, url: to, people }: any) => [node, to, people]),
    [['button', TO, 1]],
  )
  assert.equal(expectStatus(await it.ws.admin.get(`/campaigns/${sent.id}/responses`), 200).data.sent, 0)
  const eventsOf = async (type: string) => expectStatus(await it.ws.admin.get(`/users/W/events?type=${type}`), 200).data.events
  assert.deepEqual(
    (await eventsOf('message_clicked')).map(({ properties }: any) => [properties.channel, properties.campaignId, properties.link]),
    [['sms', sent.id, 'button']],
  )
  assert.deepEqual(await eventsOf('message_opened'), [])
})

test('a link says how it is written unless it is asked to be short, and an app link always; other workspaces have another slug', async () => {
  const [it, other] = [await shop(), await shop()]
  assert.equal(pathOf(await send(it, { en: { body: 'Sale', ctaUrl: TO } }), 'U'), TO)
  assert.equal(pathOf(await send(it, { en: { body: 'Sale', ctaUrl: 'shop://offers', shorten: true } }), 'U'), 'shop://offers')
  const [mine, theirs] = [pathOf(await send(it), 'U'), pathOf(await send(other), 'U')]
  const [, , slug = '', code = ''] = mine.split('/')
  const [, , otherSlug = ''] = theirs.split('/')
  assert.notEqual(slug, otherSlug)
  assert.equal((await get(`/s/${otherSlug}/${code}`)).status, 404)
})

test('an address with something of a person in it is theirs alone, and goes with them', async () => {
  const it = await shop()
  const sent = await send(it, { en: { body: 'Sale', ctaUrl: 'https://shop.example/{{userId}}', shorten: true } })
  const [u, v] = [pathOf(sent, 'U'), pathOf(sent, 'V')]
  assert.deepEqual([await leadsTo(u), await leadsTo(v)], ['https://shop.example/U', 'https://shop.example/V'])
  expectStatus(await it.ws.admin.delete('/users/U'), 200)
  await until('the person is gone', async () => (await personRow(ctx, it.ws.id, 'U')) === undefined)
  // What is held in memory is looked up again after ten minutes.
  await advance(601)
  assert.deepEqual([(await get(u)).status, (await get(v)).status], [404, 302])
})

test('a message that is tried again has the same link, and journeys and messages to one person have short ones too', async () => {
  const it = await shop()
  const one = async () => {
    const body = { userId: 'U', channel: 'sms', content: { body: 'x', ctaUrl: TO, shorten: true } }
    expectStatus(await it.ws.admin.post('/notifications', body), 200)
    return it.texts().get('U') ?? ''
  }
  assert.match(await one(), /^x\nhttps:\/\/go\.example\/s\/\w{4}\/\w{7}$/)
  const stored = () => ctx.db.selectFrom('short_links').select(['profile_id', 'variant_id']).where('workspace_id', '=', it.ws.id).execute()
  assert.deepEqual(await stored(), [{ profile_id: null, variant_id: null }])
  const id = await startJourney(it.ws, { steps: [{ id: 'm', type: 'send', channel: 'whatsapp', content: CONTENT }] })
  await enroll(it.ws, id, ['U', 'V'])
  await check(operator)
  await work()
  assert.match(it.texts().get('V') ?? '', /\/s\/\w{4}\/\w{7}$/)
  assert.equal((await stored()).length, 2, 'one for all of a step')
})

test('after 180 days a link leads to a page in the language of the browser, and its row is gone', async () => {
  const it = await shop()
  const path = pathOf(await send(it), 'U')
  assert.equal(await leadsTo(path), TO)
  await advance(180 * 86_400 + 1)
  const page = await get(path, { ...BROWSER, 'accept-language': 'ar-SA' })
  assert.deepEqual([page.status, page.headers.get('cache-control')], [404, 'no-store'])
  assert.match(await page.text(), /dir="rtl".*180 يومًا/s)
  assert.match(await (await get(path)).text(), /older than 180 days/)
  await work()
  assert.deepEqual(await ctx.db.selectFrom('short_links').select('id').where('workspace_id', '=', it.ws.id).execute(), [])
})

test('whoever guesses is refused after thirty links that are not there, and what is known goes on for them', async () => {
  const it = await shop()
  const path = pathOf(await send(it), 'U')
  assert.equal(await leadsTo(path), TO)
  const [, , slug = ''] = path.split('/')
  // The address of this test may have missed before.
  await advance(61)
  assert.equal(await leadsTo(path), TO)
  const guess = async (number: number) => (await get(`/s/${slug}/${String(number).padStart(7, '0')}`)).status
  for (let number = 0; number < 30; number++) assert.equal(await guess(number), 404)
  const refused = await get(`/s/${slug}/9999999`)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60'])
  assert.equal(await leadsTo(path), TO)
  for (const odd of ['/s/', '/s/abc', '/s/abcd/123456', '/s/abcd/12345678', '/s/abcd/12345%2F', `/s/${slug}/__proto__`])
    assert.equal((await get(odd)).status, 404, odd)
  await advance(61)
  assert.equal(await guess(1), 404)
})

test('what cannot be shortened is refused with its path', async () => {
  const it = await shop()
  const refusedAt = async (path: string, body: object) => {
    const answer = await it.ws.admin.post(path, body)
    assert.equal(answer.status, 400)
    return answer.body.error as string
  }
  const campaign = { name: 'C', type: 'promo', content: { en: { body: 'x', shorten: 'yes' } } }
  assert.match(await refusedAt('/campaigns', campaign), /content\.en\.shorten must be true or false/)
  const message = { userId: 'U', channel: 'sms', content: { body: 'x', shorten: 1 } }
  assert.match(await refusedAt('/notifications', message), /shorten/)
})
