/** Links, pictures and lengths of what leaves: whole, or told before anybody is written to. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Client, type Workspace } from '../../../../test/builders/builders.ts'
import { approve, create, submit, told } from '../../../../test/builders/campaigns.ts'
import { addChannel } from '../../../../test/builders/channels.ts'
import { makeJourney, setStatus } from '../../../../test/builders/journeys.ts'
import { segment } from '../../../../test/builders/imports.ts'
import { identify } from '../../../../test/builders/people.ts'
import { openProvider } from '../../../../test/builders/providers.ts'
import { addPeople, openEmail, openPush } from '../../../../test/builders/sends.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, operator } = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: 'https://flow.example' })
const PATH = '/settings/web-address'
const SHOP = 'https://shop.example.com/ar'
const work = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
const setAddress = async (ws: Workspace) => void expectStatus(await ws.admin.put(PATH, { url: `${SHOP}/` }), 200)
const preview = async (by: Client, id: string) => expectStatus(await by.post(`/campaigns/${id}/preview`, {}), 200).data
async function goLive(ws: Workspace, id: string) {
  expectStatus(await submit(await ws.editor(), id), 200)
  expectStatus(await approve(ws.admin, id, { activateTarget: 'live' }), 200)
  await work()
}

async function openTexts() {
  const texts = await openProvider({ judge: () => undefined, answer: () => ({ status: 200, body: { id: 's1' } }) })
  test.after(() => texts.close())
  return {
    texts: () => texts.taken.map(({ body }) => body.text as string),
    connect: (admin: Client) => addChannel(admin, 'sms', 'contentflow-sms', { apiKey: 'k', sender: 'SHOP', baseUrl: texts.url }),
  }
}

test('the web address is read by members and written by admins; what is none is refused and changes nothing', async () => {
  const ws = await workspace()
  const none = { url: null, mailLinks: { isConfigured: true, address: 'https://flow.example', preferences: false } }
  for (const member of [ws.admin, await ws.editor(), await ws.viewer()])
    assert.deepEqual(expectStatus(await member.get(PATH), 200).data, none)
  assert.equal(expectStatus(await (await ws.editor()).put(PATH, { url: SHOP }), 403).body.code, 'ROLE_REQUIRED')
  for (const url of [
    'http://shop.example',
    'https://',
    'shop.example',
    'https://shop.example/?a=b',
    'https://a@shop.example',
    `https://${'x'.repeat(500)}`,
    '',
    7,
  ])
    expectStatus(await ws.admin.put(PATH, { url }), 400)
  assert.deepEqual(expectStatus(await ws.admin.get(PATH), 200).data, none)
  assert.equal(expectStatus(await ws.admin.put(PATH, { url: ` ${SHOP}// ` }), 200).data.url, SHOP)
  assert.equal(expectStatus(await ws.admin.put(PATH, { url: null }), 200).data.url, null)
  expectStatus(await ws.admin.put('/settings/preference-page', { inMails: 'always', law: 'gdpr' }), 200)
  assert.equal(expectStatus(await ws.admin.get(PATH), 200).data.mailLinks.preferences, true)
})

test('a path leads nowhere in mails and texts: refused at submit until the workspace says its web address, then whole', async () => {
  const ws = await workspace()
  const [email, sms, push] = [await openEmail(), await openTexts(), await openPush()]
  for (const channel of [email, sms, push]) await channel.connect(ws.admin)
  await addPeople(ws, ['U'], () => ({ phone: '+966500000001' }))
  const content = { en: { title: 'Sale', body: 'Now', imageUrl: '/a.jpg', ctaUrl: '/offers/3?n={{userId}}', ctaLabel: 'Look' } }
  const { id } = await create(ws.admin, { content, dispatchChannels: ['email', 'sms', 'push'] })
  const at = { code: 'relative_link', locale: 'en' }
  const before = await preview(ws.admin, id)
  assert.deepEqual(before.warnings, [
    { ...at, channel: 'email', member: 'imageUrl' },
    { ...at, channel: 'email', member: 'ctaUrl' },
    { ...at, channel: 'sms', member: 'ctaUrl' },
    { ...at, channel: 'push', member: 'imageUrl' },
  ])
  assert.doesNotMatch(before.channels.email.samples[0].html, /href="\/|src="\//)
  assert.deepEqual(told(await submit(await ws.editor(), id)), [409, 'WEB_ADDRESS_NEEDED'])
  assert.equal(expectStatus(await ws.admin.get(`/campaigns/${id}`), 200).data.status, 'draft')
  await setAddress(ws)
  const after = await preview(ws.admin, id)
  assert.deepEqual(after.warnings, [])
  await goLive(ws, id)
  const link = `${SHOP}/offers/3?n=U`
  const [mail] = email.mails()
  assert.ok(mail.html.includes(`href="${link}"`) && mail.html.includes(`src="${SHOP}/a.jpg"`) && mail.text.includes(link), mail.html)
  assert.deepEqual(sms.texts(), [`Sale\nNow\n${link}`])
  // An app opens its own paths; its system fetches the picture.
  assert.equal(push.calls()[0].notification.image, `${SHOP}/a.jpg`)
  const shown = after.channels
  assert.equal(mail.text.split('--')[0], shown.email.samples[0].body.split('--')[0])
  assert.deepEqual(shown.sms.samples[0].button, { label: 'Look', url: link })
})

test('the same of journeys and messages that somebody sends now; in the app and over push a path is one', async () => {
  const ws = await workspace()
  const content = { title: 'Sale', body: 'Now', ctaUrl: '/offers/3' }
  const one = (channel: string) => ws.admin.post('/notifications', { userId: 'U', channel, content })
  for (const channel of ['email', 'sms', 'whatsapp']) assert.deepEqual(told(await one(channel)), [409, 'WEB_ADDRESS_NEEDED'])
  expectStatus(await one('push'), 200)
  await segment(ws, 'Gold', 'customAttributes.plan', 'equals', 'gold')
  const gold = await ws.admin.post('/notifications/segment/Gold', { channel: 'email', content })
  assert.deepEqual(told(gold), [409, 'WEB_ADDRESS_NEEDED'])
  const { id } = await makeJourney(ws.admin, { steps: [{ type: 'send', channel: 'email', content: { en: content } }] })
  assert.deepEqual(told(await setStatus(ws.admin, id, 'active')), [409, 'WEB_ADDRESS_NEEDED'])
  assert.equal(expectStatus(await ws.admin.get(`/journeys/${id}`), 200).data.status, 'draft')
  const inApp = await create(ws.admin, { content: { en: content }, dispatchChannels: ['in_app', 'push'] })
  expectStatus(await submit(await ws.editor(), inApp.id), 200)
  await setAddress(ws)
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
})

test('what is approved is not changed into what leads nowhere', async () => {
  const ws = await workspace()
  const { id } = await create(ws.admin, { dispatchChannels: ['email'] })
  await goLive(ws, id)
  const content = { en: { title: 'Hello', ctaUrl: '/offers' } }
  for (const by of [ws.admin, await ws.editor()])
    assert.deepEqual(told(await by.put(`/campaigns/${id}`, { content })), [409, 'WEB_ADDRESS_NEEDED'])
  expectStatus(await ws.admin.put(`/campaigns/${id}`, { name: 'Another' }), 200)
})

test('M-DISP-06 values in links are themselves and nothing else, over every channel, in previews and in test sends', async () => {
  const ws = await workspace()
  const [email, sms, push] = [await openEmail(), await openTexts(), await openPush()]
  for (const channel of [email, sms, push]) await channel.connect(ws.admin)
  await addPeople(ws, ['U'], () => ({ phone: '+966500000001' }))
  await identify(ws.app, 'D', 'U', { traits: { said: 'Tom & Co#1\n+x&id=1' } })
  const link = 'https://s.example/?n=Tom%20%26%20Co%231%0A%2Bx%26id%3D1&id=7'
  const content = {
    en: {
      title: 'Sale',
      body: 'See https://s.example/?n={{customAttributes.said}}&id=7 now',
      ctaUrl: 'https://s.example/?n={{customAttributes.said}}&id=7',
      ctaLabel: 'Look',
    },
  }
  const { id } = await create(ws.admin, { content, dispatchChannels: ['email', 'sms', 'push'] })
  const escaped = link.replaceAll('&', '&amp;')
  const isRight = ({ html, text }: { html: string; text: string }) =>
    html.includes(`href="${escaped}"`) &&
    html.includes(`See ${escaped} now`) &&
    text.includes(`See ${link} now`) &&
    text.includes(`Look: ${link}`)
  const { channels } = await preview(ws.admin, id)
  const [shown] = channels.email.samples
  assert.ok(isRight({ html: shown.html, text: shown.body }), shown.html)
  assert.equal(channels.push.samples[0].button.url, link)
  const tested = expectStatus(await ws.admin.post(`/campaigns/${id}/test-send`, { to: ['U'] }), 200).data.results
  assert.deepEqual(
    tested.map(({ sent }: { sent: boolean }) => sent),
    [true, true, true],
  )
  assert.ok(isRight(email.mails()[0]), email.mails()[0].html)
  await goLive(ws, id)
  assert.equal(email.mails().length, 2)
  assert.ok(isRight(email.mails()[1]))
  assert.deepEqual(
    sms.texts(),
    ['[Test] Sale', 'Sale'].map((title) => `${title}\nSee ${link} now\n${link}`),
  )
  for (const call of push.calls()) assert.equal(call.android.notification.click_action.url, link)
})

test('M-DISP-06 a value that is the whole link and is none is unresolvedToken, and is counted so before', async () => {
  const ws = await workspace()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U', 'V'])
  await identify(ws.app, 'D', 'U', { traits: { link: 'https://s.example/u?a=b' } })
  await identify(ws.app, 'E', 'V', { traits: { link: 'javascript:alert(1)' } })
  const content = { en: { title: 'Sale', body: 'Now', ctaUrl: '{{customAttributes.link}}', ctaLabel: 'Look' } }
  const { id } = await create(ws.admin, { content, dispatchChannels: ['email'] })
  const { reachable, skipped } = (await preview(ws.admin, id)).channels.email
  assert.deepEqual([reachable, skipped], [1, { unresolvedToken: 1 }])
  await goLive(ws, id)
  assert.deepEqual(
    email.mails().map(({ html }) => html.includes('href="https://s.example/u?a=b"')),
    [true],
  )
  const { channels } = expectStatus(await ws.admin.get(`/campaigns/${id}/report`), 200).data
  assert.deepEqual(channels.email.skipped, { unresolvedToken: 1 })
})

test('M-DISP push content that no provider takes is told by provider before anybody is tried', async () => {
  const ws = await workspace()
  const push = await openPush()
  await push.connect(ws.admin)
  await addPeople(ws, ['U'])
  const ar = { title: 'عرض', body: 'خصم '.repeat(700) }
  const { id } = await create(ws.admin, { content: { en: { title: 'Sale', body: 'Now' }, ar }, dispatchChannels: ['push', 'in_app'] })
  const { warnings } = await preview(ws.admin, id)
  assert.deepEqual(
    warnings.map(({ code, provider, locale, most }: Record<string, unknown>) => [code, provider, locale, most]),
    [['push_too_large', 'hms', 'ar', 4_096]],
  )
  assert.ok(warnings[0].bytes > 4_096 && warnings[0].bytes < 6_000, JSON.stringify(warnings))
  assert.deepEqual(told(await submit(await ws.editor(), id)), [409, 'PUSH_TOO_LARGE'])
  const { id: journey } = await makeJourney(ws.admin, { steps: [{ type: 'send', channel: 'push', content: { ar } }] })
  assert.deepEqual(told(await setStatus(ws.admin, journey, 'active')), [409, 'PUSH_TOO_LARGE'])
  assert.deepEqual(told(await ws.admin.post('/notifications', { userId: 'U', channel: 'push', content: ar })), [409, 'PUSH_TOO_LARGE'])
  assert.equal(push.calls().length, 0)
  // Without a channel it is counted for every provider; the names of tokens are not what is sent.
  const other = await workspace()
  const tokens = { en: { title: 'Sale', body: '{{customAttributes.aVeryLongNameOfAnAttribute}}'.repeat(100) } }
  const fits = await create(other.admin, { content: tokens, dispatchChannels: ['push'] })
  assert.deepEqual((await preview(other.admin, fits.id)).warnings, [])
  const long = await create(other.admin, { content: { en: { title: 'Sale', body: 'x'.repeat(4_090) } }, dispatchChannels: ['push'] })
  const providers = (await preview(other.admin, long.id)).warnings.map(({ provider }: { provider: string }) => provider)
  assert.deepEqual(providers, ['fcm', 'apns', 'hms'])
  // Near the limit one takes it and another does not: it goes out, and whoever submits is told.
  for (let length = 4_000; length > 3_600; length -= 10) {
    const near = await create(other.admin, { content: { en: { title: '', body: 'x'.repeat(length) } }, dispatchChannels: ['push'] })
    const of = (await preview(other.admin, near.id)).warnings
    if (of.length === 0 || of.length === 3) continue
    const submitted = expectStatus(await submit(await other.editor(), near.id), 200).data
    assert.deepEqual(submitted.warnings, of)
    return
  }
  assert.fail('no length is between the limits')
})

test('a subject that is made of a long first line is cut between signs', async () => {
  const ws = await workspace()
  const email = await openEmail()
  await email.connect(ws.admin)
  await addPeople(ws, ['U'])
  for (const sign of ['😀', '👩‍👩‍👧', 'لَّ']) {
    const body = `${'x'.repeat(75)}${sign.repeat(3)} end`
    expectStatus(await ws.admin.post('/notifications', { userId: 'U', channel: 'email', content: { body } }), 200)
    const { subject } = email.mails().at(-1)
    assert.match(subject, /^x{75}/)
    assert.equal(subject.isWellFormed(), true)
    assert.equal(subject.slice(75, -1), sign.length > 2 ? '' : sign.repeat(Math.floor(2 / sign.length)), subject)
  }
})
