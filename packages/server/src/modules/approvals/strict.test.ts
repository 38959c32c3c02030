/** Strict approvals: who submits and who approves are two proven people, and no way around them is left (G-92). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decide, joinByLink, told } from '../../../test/builders/approvals.ts'
import { expectStatus, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { approve, create, submit } from '../../../test/builders/campaigns.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const app = await startApp()
const { workspace, advance } = app

const path = (id: string) => `/blocks/promo/instances/${id}`
const setProtections = async (ws: Workspace, protections: object) =>
  expectStatus(await ws.admin.put('/settings/protections', { protections }), 200)

async function shop() {
  const ws = await workspace()
  await ws.block('promo')
  const { id } = await ws.instance('promo', { values: { '#title': 'one' }, seg: 'Buyers' })
  expectStatus(await ws.admin.put('/settings/publishing', { approval: true }), 200)
  await setProtections(ws, { strictApprovals: true })
  return { ws, id: id as string }
}
const publish = (by: Client, id: string) => by.post(`${path(id)}/publish`, {})

test('G-92 with strict approvals a member whose address was never proved neither submits nor approves', async () => {
  const { ws, id } = await shop()
  const [made, approver] = [await ws.editor(), await ws.approver()]
  const unproved = [403, 'ADDRESS_NOT_PROVED']
  assert.deepEqual(told(await publish(made, id)), unproved)
  assert.deepEqual(told(await made.put(path(id), { values: { '#title': 'two' } })), unproved)
  assert.equal(expectStatus(await ws.admin.get(path(id)), 200).data.head, 1, 'nothing was changed')
  expectStatus(await made.put(`${path(id)}?draft=true`, { values: { '#title': 'two' } }), 200)
  const campaign = await create(made)
  assert.deepEqual(told(await submit(made, campaign.id)), unproved)
  const proven = await joinByLink(app, ws)
  const asked = expectStatus(await publish(proven.client, id), 202).data
  assert.deepEqual(told(await decide(approver, asked.requestId)), unproved)
  expectStatus(await submit(proven.client, campaign.id), 200)
  assert.deepEqual(told(await approve(approver, campaign.id)), unproved)
  await setProtections(ws, { strictApprovals: false })
  expectStatus(await decide(approver, asked.requestId), 200)
  expectStatus(await approve(approver, campaign.id), 200)
})

test('G-92 with strict approvals nobody approves across an invitation that is less than a day old, either way', async () => {
  const { ws, id } = await shop()
  const editor = await joinByLink(app, ws)
  const approver = await joinByLink(app, ws, { canApprove: true })
  const close = [403, 'INVITER_APPROVAL_NOT_ALLOWED']
  const asked = expectStatus(await publish(editor.client, id), 202).data
  assert.deepEqual(told(await decide(ws.admin, asked.requestId)), close)
  expectStatus(await decide(approver.client, asked.requestId), 200)
  expectStatus(await ws.admin.put(`${path(id)}?draft=true`, { values: { '#title': 'two' } }), 200)
  const own = expectStatus(await publish(ws.admin, id), 202).data
  assert.deepEqual(told(await decide(approver.client, own.requestId)), close)
  const campaign = await create(ws.admin)
  expectStatus(await submit(ws.admin, campaign.id), 200)
  assert.deepEqual(told(await approve(approver.client, campaign.id)), close)
  await advance(86_400)
  const later = await editor.again()
  expectStatus(await later.put(`${path(id)}?draft=true`, { values: { '#title': 'three' } }), 200)
  const next = expectStatus(await publish(later, id), 202).data
  expectStatus(await decide(await approver.again(), next.requestId), 200)
})

test('G-92 with strict approvals texts and audiences that live apps get take an approver or a key of one; work that reaches nobody is free', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'one' }, seg: 'Buyers' })
  const [editor, approver] = [await ws.editor(), await ws.approver()]
  const key = expectStatus(await editor.post('/settings/write-keys', {}), 201).data.key
  const write = ws.sdk({ 'x-cf-write-key': key })
  expectStatus(await ws.admin.post('/locales', { code: 'ar' }), 201)
  const sync = (by: Client, sourceText: string) =>
    by.post('/strings/sync', { strings: [{ key: 'hi', sourceText, values: { ar: 'أهلا' } }] })
  expectStatus(await sync(write, 'Hi'), 200)
  const rules = { logicalOperator: 'AND', rules: [{ field: 'demographic.email', operator: 'exists', value: true }] }
  const segment = expectStatus(await editor.post('/segments', { name: 'Buyers', ...rules }), 201).data.id
  const fence = expectStatus(await editor.post('/geofences', { name: 'Home', latitude: 24.7, longitude: 46.7, radiusMeters: 100 }), 201)
    .data.id
  expectStatus(await ws.admin.put('/settings/publishing', { approval: true }), 200)
  const text = async () => expectStatus(await ws.app.get('/strings'), 200).data.strings.hi
  const others = { rules: [{ field: 'demographic.name', operator: 'exists', value: true }] }
  const waysOf = (by: Client, machine: Client) => [
    () => by.put('/strings/hi', { sourceText: 'Bye' }),
    () => by.put('/strings/hi', { hidden: false }),
    () => by.put('/strings/hi/translations/ar', { text: 'سلام' }),
    () => by.post('/strings/hi/translations/ar/approve', { text: 'سلام' }),
    () => by.delete('/strings/hi/translations/ar'),
    () => sync(machine, 'Changed'),
    () => by.put(`/segments/${segment}`, others),
    () => by.put(`/geofences/${fence}`, { radiusMeters: 200 }),
    () => by.delete(`/segments/${segment}?force=true`),
    () => by.delete(`/geofences/${fence}`),
  ]
  await setProtections(ws, { strictApprovals: true })
  for (const way of waysOf(editor, write)) assert.deepEqual(told(await way()), [409, 'APPROVAL_NEEDED'], String(way))
  assert.equal(await text(), 'Hi')
  expectStatus(await editor.post('/segments', { name: 'Fresh', ...rules }), 201)
  expectStatus(await editor.put('/strings/hi', { description: 'A greeting' }), 200)
  expectStatus(await sync(write, 'Hi'), 200)
  expectStatus(await editor.post('/locales', { code: 'fr' }), 201)
  expectStatus(await editor.put('/strings/hi/translations/fr', { text: 'Salut' }), 200)
  assert.deepEqual(told(await editor.post('/strings/hi/translations/fr/approve', {})), [409, 'APPROVAL_NEEDED'])
  // Only its name is another.
  expectStatus(await editor.put(`/segments/${segment}`, { name: 'Customers', renameUses: true }), 200)
  assert.deepEqual(told(await editor.put(`/segments/${segment}`, { name: 'Left behind' })), [409, 'APPROVAL_NEEDED'])
  for (const way of waysOf(approver, ws.write)) assert.equal(Math.floor((await way()).status / 100), 2, String(way))
})

test('G-92 without strict approvals texts and audiences change as documented while publishing takes a second person', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.instance('promo', { values: { '#title': 'one' }, seg: 'Buyers' })
  expectStatus(await ws.admin.put('/settings/publishing', { approval: true }), 200)
  const editor = await ws.editor()
  expectStatus(await editor.post('/strings', { key: 'hi', sourceText: 'Hi' }), 201)
  expectStatus(await editor.put('/strings/hi', { sourceText: 'Bye' }), 200)
  const rules = { logicalOperator: 'AND', rules: [{ field: 'demographic.email', operator: 'exists', value: true }] }
  const { id } = expectStatus(await editor.post('/segments', { name: 'Buyers', ...rules }), 201).data
  expectStatus(await editor.put(`/segments/${id}`, { name: 'Customers', renameUses: true }), 200)
  assert.equal((await ws.blocks('d')).length, 0)
})
