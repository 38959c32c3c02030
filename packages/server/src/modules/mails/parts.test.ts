/** Saved parts of mails, from the library to the mail that somebody reads (decision 70). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLE } from '@contentflow/core/mail/example-mail.ts'
import { expectStatus, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { approve, create, read, recall, submit } from '../../../test/builders/campaigns.ts'
import { addPeople, openEmail } from '../../../test/builders/sends.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const app = await startApp({ CF_WEBHOOK_ALLOW_PRIVATE: 'on', CF_PUBLIC_URL: 'https://flow.example' })
const { workspace, operator } = app

const partThatSays = (words: string) => ({
  version: 1,
  kind: 'sections',
  sections: [{ id: 's', type: 'section', columns: [{ width: 100, nodes: [{ id: 'words', type: 'text' }] }] }],
  texts: { en: { subject: '', nodes: { words: { blocks: [{ p: [{ v: words, url: 'https://help.example.com' }] }] } } } },
})
const mailWith = (...parts: string[]) => {
  const mail = JSON.parse(JSON.stringify(EXAMPLE).replaceAll('"/new"', '"https://shop.example.com/new"'))
  mail.sections.unshift(...parts.map((part, index) => ({ id: `part-${index}`, type: 'part', part })))
  return mail
}
const campaign = (...parts: string[]) => ({
  content: { en: { title: 'Short' } },
  dispatchChannels: ['email'],
  mail: mailWith(...parts),
})

async function shop() {
  const ws = await workspace()
  const [editor, email] = [await ws.editor(), await openEmail()]
  await email.connect(ws.admin)
  await addPeople(ws, ['U'])
  const { id } = expectStatus(await editor.post('/mails', { kind: 'part', name: 'Help', document: partThatSays('Part one') }), 201).data
  return { ws, editor, email, part: id as string }
}
const says = async (by: Client, part: string, words: string) =>
  void expectStatus(await by.put(`/mails/${part}`, { document: partThatSays(words) }), 200)
const previewOf = async (by: Client, id: string): Promise<string> =>
  expectStatus(await by.post(`/campaigns/${id}/preview`, {}), 200).data.channels.email.samples[0].html
const send = async () => void expectStatus(await operator.post('/test-hooks/jobs', { job: 'dispatch' }), 200)
const changedSince = async (by: Client, id: string) =>
  (await read(by, id)).changedSinceApproval.map(({ kind, name }: { kind: string; name: string }) => `${kind} ${name}`)
const approveNow = async ({ admin }: Workspace, id: string) => void expectStatus(await approve(admin, id, { activateTarget: 'live' }), 200)

test('a draft shows a part as it is now; what was submitted shows and sends it as it was, and says that it changed', async () => {
  const { ws, editor, email, part } = await shop()
  const { id } = await create(editor, campaign(part))
  assert.match(await previewOf(editor, id), /Part one/)
  await says(editor, part, 'Part two')
  assert.match(await previewOf(editor, id), /Part two/)
  expectStatus(await submit(editor, id), 200)
  await says(editor, part, 'Part three')
  assert.match(await previewOf(editor, id), /Part two/)
  await approveNow(ws, id)
  assert.deepEqual(await changedSince(editor, id), ['mail Help'])
  await send()
  const sent = email.mails().at(-1)
  assert.match(sent.html, /Part two/)
  assert.match(sent.text, /Part two/)
  const links = expectStatus(await editor.get(`/campaigns/${id}/links`), 200).data.links
  assert.ok(links.some(({ node, label }: any) => node === 'part-0:words.1' && label === 'Part two'))
  assert.deepEqual((await read(editor, id)).mail.sections[0], { id: 'part-0', type: 'part', part })
})

test('a new name of a part is no change of what it says', async () => {
  const { ws, editor, part } = await shop()
  const { id } = await create(editor, campaign(part))
  expectStatus(await submit(editor, id), 200)
  await approveNow(ws, id)
  expectStatus(await editor.put(`/mails/${part}`, { name: 'Other name' }), 200)
  assert.deepEqual(await changedSince(editor, id), [])
})

test('what is recalled shows its parts as they are, and is approved with them anew', async () => {
  const { ws, editor, email, part } = await shop()
  const { id } = await create(editor, campaign(part))
  expectStatus(await submit(editor, id), 200)
  await says(editor, part, 'Part two')
  assert.match(await previewOf(editor, id), /Part one/)
  expectStatus(await recall(editor, id), 200)
  assert.match(await previewOf(editor, id), /Part two/)
  expectStatus(await submit(editor, id), 200)
  await approveNow(ws, id)
  await send()
  assert.match(email.mails().at(-1).html, /Part two/)
})

test('an edit of what is approved keeps the parts that were agreed to, and takes new ones as they were when it was asked for', async () => {
  const { ws, editor, part } = await shop()
  const other = expectStatus(await editor.post('/mails', { kind: 'part', name: 'Sale', document: partThatSays('Sale one') }), 201).data.id
  const { id } = await create(editor, campaign(part))
  expectStatus(await submit(editor, id), 200)
  expectStatus(await approve(ws.admin, id, { activateTarget: 'test' }), 200)
  await says(editor, part, 'Part two')
  const asked = expectStatus(await editor.put(`/campaigns/${id}`, { mail: mailWith(part, other) }), 202).data
  await says(editor, other, 'Sale two')
  expectStatus(await ws.admin.post(`/campaigns/${id}/edit-requests/${asked.editRequestId}/approve`, {}), 200)
  const html = await previewOf(editor, id)
  assert.match(html, /Part one[^]*Sale one/)
  assert.deepEqual((await changedSince(editor, id)).toSorted(), ['mail Help', 'mail Sale'])
})

test('a part that is archived is taken by no mail, and stops one that holds it', async () => {
  const { editor, part } = await shop()
  const { id } = await create(editor, campaign(part))
  expectStatus(await editor.delete(`/mails/${part}`), 200)
  const refused = await submit(editor, id)
  assert.deepEqual([refused.status, refused.body.code], [409, 'MAIL_NOT_READY'])
  assert.deepEqual(
    refused.body.checks.filter(({ level }: any) => level === 'stop').map(({ code, node }: any) => `${code} ${node}`),
    ['part_missing part-0', 'part_missing part-0'],
  )
  const drawn = expectStatus(await editor.post('/mails/render', { mail: mailWith(part), locale: 'en' }), 200).data
  assert.doesNotMatch(drawn.html, /Part one/)
  assert.ok(drawn.checks.some(({ code }: any) => code === 'part_missing'))
  for (const [body, error] of [
    [campaign(part), 'mail.sections[0].part is archived: restore it, or take another one'],
    [campaign('nobody'), 'mail.sections[0].part is no saved part of this workspace'],
  ] as const) {
    const answer = await editor.post('/campaigns', { name: 'x', type: 'promo', ...body })
    assert.deepEqual([answer.status, answer.body.error], [400, error])
  }
  // What it held before it may keep until somebody takes it out.
  expectStatus(await editor.put(`/campaigns/${id}`, { mail: { ...mailWith(part), texts: EXAMPLE.texts } }), 200)
  expectStatus(await editor.post(`/mails/${part}/restore`, {}), 200)
  expectStatus(await editor.put(`/campaigns/${id}`, { mail: mailWith(part) }), 200)
  expectStatus(await submit(editor, id), 200)
})

test('a part of another workspace is none here', async () => {
  const [{ part }, other] = [await shop(), await workspace()]
  const answer = await other.admin.post('/campaigns', { name: 'x', type: 'promo', ...campaign(part) })
  assert.deepEqual([answer.status, answer.body.error], [400, 'mail.sections[0].part is no saved part of this workspace'])
  const drawn = expectStatus(await other.admin.post('/mails/render', { mail: mailWith(part), locale: 'en' }), 200).data
  assert.doesNotMatch(drawn.html, /Part one/)
})

test('a template is no part', async () => {
  const { editor } = await shop()
  const { id } = expectStatus(await editor.post('/mails', { kind: 'template', name: 'T', document: EXAMPLE }), 201).data
  const answer = await editor.post('/campaigns', { name: 'x', type: 'promo', ...campaign(id) })
  assert.equal(answer.status, 400)
})
