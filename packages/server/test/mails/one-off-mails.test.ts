/** Mails of sections to one person, or to a segment, now (decision 72). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus } from '../builders/builders.ts'
import { MAIL, mailWith, shopWithMail } from '../builders/mails/mails.ts'
import { addPeople } from '../builders/sends.ts'
import { startApp } from '../harness/start-app.ts'
import { until } from '../harness/until.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

const RULES = { logicalOperator: 'AND', rules: [{ field: 'demographic.email', operator: 'exists', value: true }] }

test('a mail of sections goes to one person with their values, and needs no texts beside it', async () => {
  const { ws, mailTo } = await shopWithMail(app)
  await addPeople(ws, ['U'])
  const mail = mailWith({ subject: 'For {{userId}}' })
  assert.deepEqual(expectStatus(await ws.admin.post('/notifications', { userId: 'U', channel: 'email', mail }), 200).data, { sent: true })
  assert.equal(mailTo('U')?.subject, 'For U')
  assert.match(mailTo('U')?.html ?? '', /aria-roledescription="email".*Free to send back for/s)
  const unknown = mailWith({ subject: 'In {{customAttributes.city}}' })
  const bare = expectStatus(await ws.admin.post('/notifications', { userId: 'U', channel: 'email', mail: unknown }), 200).data
  assert.deepEqual(bare, { sent: false, reason: 'unresolvedToken' })
})

test('a one-off mail that is wrong is refused with the place of the fault, and leaves to nobody', async () => {
  const { ws, email } = await shopWithMail(app)
  await addPeople(ws, ['U'])
  const send = (body: object) => ws.admin.post('/notifications', { userId: 'U', channel: 'email', ...body })
  for (const [body, message] of [
    [{}, /content\.body is required/],
    [{ mail: { ...MAIL, sections: [] } }, /mail\.texts\.en\.nodes\["hello"\] is no node of the mail/],
    [{ mail: MAIL, channel: 'push', content: { body: 'x' } }, /mail is sent by email alone, and channel is push/],
    [{ mail: MAIL, content: { ctaUrl: 'javascript:x' } }, /content\.ctaUrl/],
  ] as const) {
    const refused = await send(body)
    assert.equal(refused.status, 400)
    assert.match(refused.body.error, message)
  }
  const stopped = await send({ mail: mailWith({ subject: ' ' }) })
  assert.deepEqual([stopped.status, stopped.body.code], [409, 'MAIL_NOT_READY'])
  assert.deepEqual(
    stopped.body.checks.filter(({ level }: any) => level === 'stop').map(({ code, locale }: any) => [code, locale]),
    [['subject_missing', 'en']],
  )
  assert.equal(email.mails().length, 0)
  const listed = expectStatus(await ws.admin.get('/sends?userId=U'), 200).data.sends
  assert.deepEqual(listed, [])
})

test('to a segment it waits for a second person, who sees it whole, and leaves as it was asked for', async () => {
  const { ws, editor, email, mailTo } = await shopWithMail(app)
  await addPeople(ws, ['U'])
  const { id } = expectStatus(await ws.admin.post('/segments', { name: 'Reachable', ...RULES }), 201).data
  expectStatus(await ws.admin.put('/settings/protections', { protections: { approveMessages: true } }), 200)
  const asked = expectStatus(await editor.post(`/notifications/segment/${id}`, { channel: 'email', mail: MAIL }), 202).data
  const [review] = expectStatus(await ws.admin.get('/reviews'), 200).data.reviews
  assert.deepEqual([review.id, review.kind, review.mail], [asked.requestId, 'notification', JSON.parse(JSON.stringify(MAIL))])
  assert.equal(email.mails().length, 0)
  expectStatus(await ws.admin.post(`/reviews/${asked.requestId}/approve`, {}), 200)
  await until('the mail came', () => mailTo('U') !== undefined)
  assert.equal(mailTo('U')?.subject, 'Your order, friend')
})
