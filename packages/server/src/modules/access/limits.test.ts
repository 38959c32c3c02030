/** Limits of roles, where rows are written: the right names are taken, others refused, and a refusal changes nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, expectStatus, PASSWORD, uniqueEmail, type Answer, type Client, type Workspace } from '../../../test/builders/builders.ts'
import { startApp } from '../../../test/harness/start-app.ts'
import { hashTables } from '../../../test/harness/tables.ts'

const { ctx, workspace, url } = await startApp()
const API = `${url}/api/v1`

async function limited(ws: Workspace, permissions: string[], limits: object): Promise<Client> {
  const roleId = expectStatus(await ws.admin.post('/roles', { name: uniqueEmail(), permissions, limits }), 201).data.id
  const email = uniqueEmail()
  expectStatus(await ws.admin.post('/members', { email, name: 'Bo', password: PASSWORD, role: 'viewer', roleId }), 201)
  const { token } = expectStatus(await clientOf(API).post('/auth/login', { email, password: PASSWORD }), 200).data
  return clientOf(API, { authorization: `Bearer ${token}`, 'x-tenant-id': ws.id })
}

async function expectRefused(ws: Workspace, ask: () => Promise<Answer>): Promise<void> {
  const before = await hashTables(ctx.db, { workspaceId: ws.id })
  const { status, body } = await ask()
  assert.deepEqual([status, body.code, typeof body.required?.target], [403, 'ROLE_REQUIRED', 'object'], JSON.stringify(body))
  assert.equal(await hashTables(ctx.db, { workspaceId: ws.id }), before)
}

test('a translator writes one language in one namespace', async () => {
  const ws = await workspace()
  for (const code of ['ar', 'fr']) expectStatus(await ws.admin.post('/locales', { code }), 201)
  for (const [key, namespace] of [
    ['shop.title', 'shop'],
    ['bank.title', 'bank'],
  ])
    expectStatus(await ws.admin.post('/strings', { key, sourceText: 'Title', namespace }), 201)
  const by = await limited(ws, ['strings:read', 'strings:write', 'strings:publish'], { locales: ['ar'], namespaces: ['shop'] })
  expectStatus(await by.put('/strings/shop.title/translations/ar', { text: 'عنوان' }), 200)
  expectStatus(await by.post('/strings/shop.title/translations/ar/approve', {}), 200)
  for (const path of ['/strings/shop.title/translations/fr', '/strings/bank.title/translations/ar'])
    await expectRefused(ws, () => by.put(path, { text: 'x' }))
  await expectRefused(ws, () => by.put('/strings/shop.title', { sourceText: 'Other' }))
  await expectRefused(ws, () => by.post('/strings', { key: 'new.one', sourceText: 'x', namespace: 'shop' }))
  const csv = 'key,sourceText,fr\nshop.title,Title,Titre'
  const { importId } = expectStatus(await by.post('/strings/imports', { csv, fileName: 'a.csv' }), 201).data
  await expectRefused(ws, () => by.post(`/strings/imports/${importId}/apply`, {}))
  expectStatus(await by.get('/strings/bank.title'), 200)
  assert.equal((await by.put('/strings/none/translations/fr', { text: 'x' })).status, 404, 'what is not there is said first')
})

test('an editor of one screen and one environment publishes there alone', async () => {
  const ws = await workspace()
  await ws.block('promo', { screen: 'home' })
  await ws.block('offer', { screen: 'shop' })
  const theirs = (await ws.instance('offer', { values: { '#title': 'x' } })).id
  const by = await limited(ws, ['content:read', 'content:write', 'content:publish'], { screens: ['home'], environments: ['test'] })
  const { id } = expectStatus(await by.post('/blocks/promo/instances', { values: { '#title': 'x' } }), 201).data
  expectStatus(await by.post(`/blocks/promo/instances/${id}/publish`, { targets: ['test'] }), 200)
  await expectRefused(ws, () => by.post(`/blocks/promo/instances/${id}/publish`, { targets: ['live'] }))
  await expectRefused(ws, () => by.post('/blocks/offer/instances', { values: { '#title': 'x' } }))
  await expectRefused(ws, () => by.put(`/blocks/offer/instances/${theirs}`, { values: { '#title': 'y' } }))
  await expectRefused(ws, () => by.delete(`/blocks/offer/instances/${theirs}`))
  await expectRefused(ws, () => by.post(`/blocks/offer/instances/${theirs}/unpublish`, { targets: ['live'] }))
  const at = new Date(ctx.clock.ms() + 3_600_000).toISOString()
  await expectRefused(ws, () => by.post(`/blocks/promo/instances/${id}/publish`, { targets: ['live'], at }))
  expectStatus(await by.get(`/blocks/offer/instances/${theirs}`), 200)
})

test('a developer of one type makes keys of one environment, and none that may do more', async () => {
  const ws = await workspace()
  await ws.block('promo')
  await ws.block('offer')
  const by = await limited(ws, ['types:write', 'keys:manage', 'keys:read'], { blockKeys: ['promo'], environments: ['test'] })
  expectStatus(await by.put('/blocks/promo', { name: 'Promo' }), 200)
  await expectRefused(ws, () => by.put('/blocks/offer', { name: 'Offer' }))
  await expectRefused(ws, () => by.delete('/blocks/offer'))
  expectStatus(await by.post('/settings/sdk-keys', { kind: 'publishable', environment: 'test' }), 201)
  await expectRefused(ws, () => by.post('/settings/sdk-keys', { kind: 'publishable', environment: 'live' }))
  for (const family of ['write-keys', 'read-keys']) {
    const { status, body } = await by.post(`/settings/${family}`, {})
    assert.deepEqual([status, body.code], [403, 'ROLE_REQUIRED'], family)
  }
})
