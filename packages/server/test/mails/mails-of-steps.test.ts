/** Mails of sections that steps of journeys send (decision 72). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../builders/builders.ts'
import { carry, exported } from '../builders/code.ts'
import { rollUp, track } from '../builders/events.ts'
import { enroll, makeJourney, setStatus, startJourney } from '../builders/journeys.ts'
import * as journeys from '../builders/journeys.ts'
import { agreesToTracking, MAIL, mailWith, shopWithMail } from '../builders/mails/mails.ts'
import { identify } from '../builders/people.ts'
import { addPeople, countHits } from '../builders/sends.ts'
import { startApp } from '../harness/start-app.ts'
import { until } from '../harness/until.ts'
import { CLICKS } from '../../src/modules/responses/tracked-links.ts'

const PUBLIC = 'https://flow.example'
const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: PUBLIC })
const { ctx, operator, url, advance } = app

const step = (mail: unknown = MAIL, more: object = {}) => ({ id: 'mail', type: 'send', channel: 'email', content: {}, mail, ...more })
const work = async () => {
  await journeys.check(operator)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
}

test('a step sends its mail of sections to whoever comes to it, and its links are heard of by their places', async () => {
  const { ws, mailTo } = await shopWithMail(app)
  await addPeople(ws, ['U', 'V'])
  await agreesToTracking(ws, 'U')
  const id = await startJourney(ws, { steps: [step()] })
  await enroll(ws, id, ['U', 'V'])
  await work()
  const mail = mailTo('U')
  assert.ok(mail)
  assert.equal(mail.subject, 'Your order, friend')
  assert.match(mail.html, /Free to send back for/)
  assert.match(mail.text, /1\. Open\n2\. Try/)
  assert.match(mail.html, /Unsubscribe from these emails/)
  assert.doesNotMatch(mailTo('V')?.html ?? CLICKS, new RegExp(CLICKS), 'who said nothing is not tracked')
  const link = new RegExp(`href="${PUBLIC}(${CLICKS}[^"]+)"[^>]*>where it is<`).exec(mail.html)?.[1]
  // Later than programs look that read mails before people do.
  await advance(10)
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/132.0' }
  assert.equal(
    (await fetch(url + link, { redirect: 'manual', headers })).headers.get('location'),
    'https://shop.example.com/track?n=friend',
  )
  await until('the hit is written', async () => (await countHits(ctx, ws.id)) === 1)
  await advance(40)
  await work()
  const { links, clicked } = expectStatus(await ws.admin.get(`/journeys/${id}/responses?step=mail`), 200).data
  assert.deepEqual([clicked.people, links.filter(({ people }: any) => people > 0).map(({ node }: any) => node)], [1, ['intro.1']])
})

test('tokens of events are filled in it, and only their values are kept for it', async () => {
  const { ws, mailTo } = await shopWithMail(app)
  await addPeople(ws, ['U'])
  await startJourney(ws, {
    trigger: { type: 'custom_event', event: 'ordered' },
    steps: [step(mailWith({ subject: 'Order of {{event.total}}' }))],
  })
  await identify(ws.app, 'D', 'U')
  await track(ws.app, 'D', [{ type: 'ordered', properties: { total: 40, secret: 'x' } }])
  await rollUp(operator)
  await work()
  assert.equal(mailTo('U')?.subject, 'Order of 40')
  const kept = await ctx.db.selectFrom('send_values').select('values').where('workspace_id', '=', ws.id).execute()
  assert.equal(JSON.stringify(kept).includes('secret'), false)
})

test('a journey is not activated with a mail that would reach nobody whole, and the checks name the step', async () => {
  const ws = await app.workspace()
  const { id } = await makeJourney(ws.admin, { steps: [step(mailWith({ subject: '' }))] })
  const refused = await setStatus(ws.admin, id, 'active')
  assert.deepEqual([refused.status, refused.body.code], [409, 'MAIL_NOT_READY'])
  assert.deepEqual(
    refused.body.checks.filter(({ level }: any) => level === 'stop'),
    [{ step: 'mail', code: 'subject_missing', level: 'stop', locale: 'en' }],
  )
  expectStatus(await ws.admin.put(`/journeys/${id}`, { steps: [step()] }), 200)
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
})

test('what a step may not hold is refused with its place, and nothing is stored', async () => {
  const ws = await app.workspace()
  const { id } = await makeJourney(ws.admin, { steps: [step()] })
  const wrong = { ...MAIL, sections: [{ id: 's', type: 'section', columns: [{ width: 99, nodes: [] }] }] }
  for (const [steps, message] of [
    [[step(wrong)], /steps\[0\]\.mail\.sections\[0\]\.columns: their widths must make 100 percent, and make 99/],
    [[step(7)], /steps\[0\]\.mail must be an object/],
    [
      [step(MAIL, { channel: 'push', content: { en: { body: 'x' } } })],
      /steps\[0\]\.mail is sent by email alone, and this step sends by push/,
    ],
    [[step(null)], /steps\[0\]\.content says nothing/],
  ] as const) {
    const refused = await ws.admin.put(`/journeys/${id}`, { steps })
    assert.equal(refused.status, 400)
    assert.match(refused.text, message)
  }
  expectStatus(await ws.admin.put('/settings/link-schemes', { schemes: [] }), 200)
  const linked = step(mailWith({ nodes: { shop: { label: 'Go', url: 'myapp://x' } } }))
  assert.equal((await ws.admin.put(`/journeys/${id}`, { steps: [linked] })).body.code, 'LINK_SCHEME_NOT_ALLOWED')
  assert.equal(expectStatus(await ws.admin.get(`/journeys/${id}`), 200).data.version, 1)
})

test('a version keeps the mail of its steps, a try finds whom it would reach, and it is part of the workspace as code', async () => {
  const [from, to] = [await app.workspace(), await app.workspace()]
  await addPeople(from, ['U'])
  const needs = mailWith({ subject: 'In {{customAttributes.city}}' })
  const { id } = await makeJourney(from.admin, { steps: [step(needs)] })
  const tried = expectStatus(await from.admin.post(`/journeys/${id}/test-run`, { userIds: ['U'], days: 1 }), 200).data
  assert.ok(JSON.stringify(tried).includes('unresolvedToken'))
  expectStatus(await from.admin.put(`/journeys/${id}`, { steps: [step()] }), 200)
  const after = expectStatus(await from.admin.post(`/journeys/${id}/test-run`, { userIds: ['U'], days: 1 }), 200).data
  assert.equal(JSON.stringify(after).includes('unresolvedToken'), false)
  const { versions } = expectStatus(await from.admin.get(`/journeys/${id}/versions`), 200).data
  assert.deepEqual(versions[0].changes.steps, [{ step: 'mail', type: 'send', channel: 'email', change: 'changed' }])
  const old = expectStatus(await from.admin.get(`/journeys/${id}/versions/1`), 200).data
  assert.ok(JSON.stringify(old).includes('In {{customAttributes.city}}'))
  const first = await exported(from, 'journeys')
  assert.equal(first.data.journeys[0].steps[0].mail.texts.en.subject, MAIL.texts['en']?.subject)
  await carry(from, to)
  assert.equal((await exported(to, 'journeys')).text, first.text)
})

test('a step is tested to oneself or to people who are named, and nobody enters the journey', async () => {
  const { ws, email, editor } = await shopWithMail(app)
  await addPeople(ws, ['U'])
  const { id } = await makeJourney(ws.admin, { steps: [journeys.wait(1), step(mailWith({ subject: 'For {{userId}} {{event.total}}' }))] })
  const send = (body: object) => editor.post(`/journeys/${id}/test-send`, { step: 'mail', ...body })
  const [tried] = expectStatus(await send({ to: ['U'] }), 200).data.results
  assert.deepEqual([tried, email.mails().at(-1).subject], [{ userId: 'U', channel: 'email', sent: true }, '[Test] For U {{event.total}}'])
  const [mine] = expectStatus(await send({ to: 'me', locale: 'ar' }), 200).data.results
  assert.deepEqual([mine.sent, email.mails().at(-1).html.includes('dir="rtl"')], [true, true])
  const unknown = await send({ step: 'x', to: 'me' })
  assert.deepEqual([unknown.status, unknown.body.error], [400, 'step: the journey has no step "x" that sends'])
  assert.deepEqual(await journeys.runsOf(ws, id), [])
})
