/** What of messages a sandbox begins with. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLAIN_BRAND } from '@contentflow/core/mail/brand/brand.ts'
import { expectStatus } from '../builders/builders.ts'
import { MAIL } from '../builders/mails/mails.ts'
import { startApp } from '../harness/start-app.ts'

const app = await startApp()

test('a sandbox begins with templates, saved parts, topics and the setting of their page, each without its history', async () => {
  const ws = await app.workspace()
  const part = { version: 1, kind: 'sections', sections: [MAIL.sections[0]], texts: { en: { subject: '', nodes: {} } } }
  const keep = async (body: object) => expectStatus(await ws.admin.post('/mails', body), 201).data.id as string
  const help = await keep({ kind: 'part', name: 'Help', document: part })
  const held = { ...MAIL, sections: [{ id: 'help', type: 'part', part: help }, ...MAIL.sections] }
  const template = await keep({ kind: 'template', name: 'Order', category: 'Orders', document: held })
  expectStatus(await ws.admin.put(`/mails/${template}`, { document: { ...held, texts: { en: MAIL.texts['en'] } } }), 200)
  const old = await keep({ kind: 'template', name: 'Old', document: MAIL })
  expectStatus(await ws.admin.delete(`/mails/${old}`), 200)
  for (const id of ['news', 'gone'])
    expectStatus(await ws.admin.post('/message-topics', { id, names: { en: id }, channels: ['email'], mode: 'opt_in' }), 201)
  expectStatus(await ws.admin.delete('/message-topics/gone'), 200)
  const page = { inMails: 'always', law: 'gdpr', publishedDays: null }
  expectStatus(await ws.admin.put('/settings/preference-page', page), 200)
  expectStatus(await ws.admin.put('/settings/brand', { brand: { radius: 3 } }), 200)
  const { workspaceId } = expectStatus(await ws.admin.post('/settings/sandbox', {}), 201).data
  const read = async (path: string) => expectStatus(await ws.admin.get(path, { headers: { 'x-tenant-id': workspaceId } }), 200).data
  const { mails } = await read('/mails')
  assert.deepEqual(
    mails.map(({ id, kind, name, category, version }: any) => [id, kind, name, category, version]),
    [
      [help, 'part', 'Help', null, 1],
      [template, 'template', 'Order', 'Orders', 1],
    ],
  )
  const copied = await read(`/mails/${template}`)
  assert.deepEqual([copied.document.sections[0], Object.keys(copied.document.texts)], [{ id: 'help', type: 'part', part: help }, ['en']])
  assert.deepEqual(
    (await read(`/mails/${template}/revisions`)).revisions.map(({ version }: any) => version),
    [1],
  )
  const { topics } = await read('/message-topics')
  assert.deepEqual(
    topics.map(({ id, mode }: any) => [id, mode]),
    [['news', 'opt_in']],
  )
  assert.deepEqual(await read('/settings/preference-page'), page)
  assert.deepEqual((await read('/settings/brand')).brand, { ...PLAIN_BRAND, radius: 3 })
})
