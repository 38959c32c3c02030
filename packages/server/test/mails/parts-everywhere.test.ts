/** Saved parts in mails of steps and of one-off messages (decision 70). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { expectStatus, type Client } from '../builders/builders.ts'
import { carry, exported } from '../builders/code.ts'
import * as journeys from '../builders/journeys.ts'
import { enroll, makeJourney, setStatus } from '../builders/journeys.ts'
import { MAIL, shopWithMail } from '../builders/mails/mails.ts'
import { addPeople } from '../builders/sends.ts'
import { startApp } from '../harness/start-app.ts'
import { until } from '../harness/until.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: 'https://flow.example' })
const { operator } = app

const partThatSays = (words: string) => ({
  version: 1,
  kind: 'sections',
  sections: [{ id: 's', type: 'section', columns: [{ width: 100, nodes: [{ id: 'words', type: 'text' }] }] }],
  texts: { en: { subject: '', nodes: { words: { blocks: [{ p: [{ v: words, url: 'https://help.example.com' }] }] } } } },
})
const says = async (by: Client, part: string, words: string) =>
  void expectStatus(await by.put(`/mails/${part}`, { document: partThatSays(words) }), 200)
const mailOf = (part: string): MailDocument => ({ ...MAIL, sections: [{ id: 'help', type: 'part', part }, ...MAIL.sections] })
const step = (part: string) => ({ id: 'mail', type: 'send', channel: 'email', content: {}, mail: mailOf(part) })
const RULES = { logicalOperator: 'AND', rules: [{ field: 'demographic.email', operator: 'exists', value: true }] }

async function shopWithPart() {
  const shop = await shopWithMail(app)
  await addPeople(shop.ws, ['U', 'V'])
  const part = { kind: 'part', name: 'Help', document: partThatSays('Part one') }
  const { id } = expectStatus(await shop.editor.post('/mails', part), 201).data
  return { ...shop, part: id as string }
}
const work = async () => {
  await journeys.check(operator)
  expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
}

test('a step sends its parts as they were when the journey was activated; a test of a draft shows them as they are', async () => {
  const { ws, editor, email, mailTo, part } = await shopWithPart()
  const { id } = await makeJourney(ws.admin, { steps: [step(part)] })
  await says(editor, part, 'Part two')
  expectStatus(await editor.post(`/journeys/${id}/test-send`, { step: 'mail', to: ['U'] }), 200)
  assert.match(email.mails().at(-1).html, /Part two/)
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  await says(editor, part, 'Part three')
  await enroll(ws, id, ['U'])
  await work()
  assert.match(mailTo('U')?.html ?? '', /href="https:\/\/help\.example\.com"[^>]*>Part two/)
  assert.match(mailTo('U')?.text ?? '', /Part two/)
  const read = expectStatus(await ws.admin.get(`/journeys/${id}`), 200).data
  assert.deepEqual(
    read.steps[0].mailParts.map(({ name, version }: any) => [name, version]),
    [['Help', 2]],
  )
  assert.deepEqual(read.steps[0].mail.sections[0], { id: 'help', type: 'part', part })
  // Paused it keeps them, also where it is saved; activated again it has them as they are.
  expectStatus(await setStatus(ws.admin, id, 'paused'), 200)
  const { version } = expectStatus(await ws.admin.put(`/journeys/${id}`, { steps: read.steps }), 200).data
  assert.equal(expectStatus(await ws.admin.get(`/journeys/${id}/versions`), 200).data.versions[0].version < version, true)
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  await enroll(ws, id, ['V'])
  await work()
  assert.match(mailTo('V')?.html ?? '', /Part three/)
})

test('a part that is archived stops the activation with the step, and is named by no new step; one that nobody has is refused', async () => {
  const { ws, editor, part } = await shopWithPart()
  const { id } = await makeJourney(ws.admin, { steps: [step(part)] })
  expectStatus(await editor.delete(`/mails/${part}`), 200)
  const refused = await setStatus(ws.admin, id, 'active')
  assert.deepEqual([refused.status, refused.body.code], [409, 'MAIL_NOT_READY'])
  assert.ok(refused.body.checks.some((check: any) => check.code === 'part_missing' && check.step === 'mail' && check.node === 'help'))
  const more = { ...step(part), id: 'other' }
  for (const [steps, error] of [
    [[step(part), more], 'steps[1].mail.sections[0].part is archived: restore it, or take another one'],
    [[step('nobody')], 'steps[0].mail.sections[0].part is no saved part of this workspace'],
  ] as const) {
    const answer = await ws.admin.put(`/journeys/${id}`, { steps })
    assert.deepEqual([answer.status, answer.body.error], [400, error])
  }
  expectStatus(await ws.admin.put(`/journeys/${id}`, { name: 'Kept', steps: [step(part)] }), 200)
  expectStatus(await editor.post(`/mails/${part}/restore`, {}), 200)
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
})

test('parts that somebody sends with a step are not taken', async () => {
  const { ws, part } = await shopWithPart()
  const mailParts = [{ id: part, name: 'Forged', version: 1, document: partThatSays('Forged') }]
  const { id } = await makeJourney(ws.admin, { steps: [{ ...step(part), mailParts }] })
  assert.equal(expectStatus(await ws.admin.get(`/journeys/${id}`), 200).data.steps[0].mailParts, undefined)
})

test('the workspace as code has the id of the part alone, and a journey that ran is the same there', async () => {
  const [{ ws, part }, to] = [await shopWithPart(), await app.workspace()]
  const { id } = await makeJourney(ws.admin, { steps: [step(part)] })
  const first = await exported(ws, 'journeys')
  expectStatus(await setStatus(ws.admin, id, 'active'), 200)
  assert.equal((await exported(ws, 'journeys')).text, first.text)
  assert.equal(first.text.includes('Part one'), false)
  await carry(ws, to)
  assert.equal((await exported(to, 'journeys')).text, first.text)
})

test('a one-off message holds its parts as they were when it was sent or asked for, and says which these were', async () => {
  const { ws, editor, mailTo, part } = await shopWithPart()
  const mail = mailOf(part)
  expectStatus(await ws.admin.post('/notifications', { userId: 'U', channel: 'email', mail }), 200)
  assert.match(mailTo('U')?.html ?? '', /Part one/)
  const { id } = expectStatus(await ws.admin.post('/segments', { name: 'Reachable', ...RULES }), 201).data
  expectStatus(await ws.admin.put('/settings/protections', { protections: { approveMessages: true } }), 200)
  const asked = expectStatus(await editor.post(`/notifications/segment/${id}`, { channel: 'email', mail }), 202).data
  await says(editor, part, 'Part two')
  const [review] = expectStatus(await ws.admin.get('/reviews'), 200).data.reviews
  assert.match(JSON.stringify(review.mail), /Part one/)
  assert.deepEqual(review.parts, [{ id: part, name: 'Help', version: 1 }])
  expectStatus(await ws.admin.post(`/reviews/${asked.requestId}/approve`, {}), 200)
  await until('the mail came', () => mailTo('V') !== undefined)
  assert.match(mailTo('V')?.html ?? '', /Part one/)
  const unknown = await ws.admin.post('/notifications', { userId: 'U', channel: 'email', mail: mailOf('nobody') })
  assert.deepEqual([unknown.status, unknown.body.error], [400, 'mail.sections[0].part is no saved part of this workspace'])
})
