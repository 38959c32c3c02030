/** What a segment is used by where sections of mails are for its members: itself, by a saved part, in campaigns, journeys and messages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { expectStatus, type Client } from '../builders/builders.ts'
import { create, submit } from '../builders/campaigns.ts'
import { makeJourney } from '../builders/journeys.ts'
import { MAIL, shopWithMail } from '../builders/mails/mails.ts'
import { addPeople } from '../builders/sends.ts'
import { startApp } from '../harness/start-app.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on' })

const RULES = { logicalOperator: 'AND', rules: [{ field: 'demographic.email', operator: 'exists', value: true }] }
const shownTo = (showTo: string): MailDocument['sections'][number] => ({
  id: 'only',
  type: 'section',
  showTo,
  columns: [{ width: 100, nodes: [{ id: 'drawn', type: 'divider' }] }],
})
const mailWith = (section: MailDocument['sections'][number]): MailDocument => ({ ...MAIL, sections: [section, ...MAIL.sections] })
const send = (mail: MailDocument) => ({ id: 'mail', type: 'send', channel: 'email', content: {}, mail })
const makeSegment = async (admin: Client, name: string) =>
  expectStatus(await admin.post('/segments', { name, ...RULES }), 201).data.id as string
async function usesOf(admin: Client, id: string) {
  const { campaigns, journeys, messages } = expectStatus(await admin.get(`/segments/${id}`), 200).data.usedBy
  const named = (all: { name: string }[] = []) => all.map(({ name }) => name)
  return { campaigns: named(campaigns), journeys: named(journeys), messages: named(messages) }
}

test('journeys whose mails show sections to a segment use it, in any branch, and keep it from being deleted', async () => {
  const { ws } = await shopWithMail(app)
  const [gold, silver] = [await makeSegment(ws.admin, 'Gold'), await makeSegment(ws.admin, 'Silver')]
  const inBranch = { id: 'half', type: 'split', percent: 50, then: [], else: [send(mailWith(shownTo('Gold')))] }
  await makeJourney(ws.admin, { name: 'Welcome', steps: [inBranch] })
  assert.deepEqual(await usesOf(ws.admin, gold), { campaigns: [], journeys: ['Welcome'], messages: [] })
  assert.deepEqual(await usesOf(ws.admin, silver), { campaigns: [], journeys: [], messages: [] })
  const refused = await ws.admin.delete(`/segments/${gold}`)
  assert.deepEqual([refused.status, refused.body.error], [409, 'Used by journey "Welcome"; send force=true to delete it anyway'])
  // Mails go on by the former name.
  expectStatus(await ws.admin.put(`/segments/${gold}`, { name: 'Golden', renameUses: true }), 200)
  assert.deepEqual((await usesOf(ws.admin, gold)).journeys, ['Welcome'])
  expectStatus(await ws.admin.delete(`/segments/${silver}`), 200)
})

test('a saved part counts where it is held, as it is now and as it was frozen', async () => {
  const { ws, editor } = await shopWithMail(app)
  const [gold, silver] = [await makeSegment(ws.admin, 'Gold'), await makeSegment(ws.admin, 'Silver')]
  const document = (name: string) => ({ version: 1, kind: 'sections', sections: [shownTo(name)], texts: { en: { subject: '' } } })
  const part = expectStatus(await editor.post('/mails', { kind: 'part', name: 'Offer', document: document('Gold') }), 201).data.id
  const mail = mailWith({ id: 'offer', type: 'part', part })
  await makeJourney(ws.admin, { name: 'Draft', steps: [send(mail)] })
  const { id } = await create(editor, { name: 'Eid', dispatchChannels: ['email'], content: { en: { title: 'x' } }, mail })
  assert.deepEqual(await usesOf(ws.admin, gold), { campaigns: ['Eid'], journeys: ['Draft'], messages: [] })
  expectStatus(await submit(editor, id), 200)
  expectStatus(await editor.put(`/mails/${part}`, { document: document('Silver') }), 200)
  assert.deepEqual(await usesOf(ws.admin, gold), { campaigns: ['Eid'], journeys: [], messages: [] })
  assert.deepEqual((await usesOf(ws.admin, silver)).journeys, ['Draft'])
})

test('a message to a segment uses it and those of its sections for as long as it leaves', async () => {
  const { ws, email } = await shopWithMail(app)
  await addPeople(ws, ['U'])
  const [all, gold] = [await makeSegment(ws.admin, 'Reachable'), await makeSegment(ws.admin, 'Gold')]
  // It is tried again a little later.
  email.next.push({ status: 503 })
  expectStatus(await ws.admin.post(`/notifications/segment/${all}`, { channel: 'email', mail: mailWith(shownTo('Gold')) }), 202)
  const messages = ['Your order, {{name | friend}}']
  for (const id of [all, gold]) assert.deepEqual(await usesOf(ws.admin, id), { campaigns: [], journeys: [], messages })
  const refused = await ws.admin.delete(`/segments/${gold}`)
  assert.match(refused.body.error, /^Used by message "Your order, .*", which is being sent; send force=true/)
  await app.advance(120)
  expectStatus(await app.operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
  for (const id of [all, gold]) assert.deepEqual((await usesOf(ws.admin, id)).messages, [])
})
