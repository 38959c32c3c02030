/** A workspace holds so much, and no more: what every process may come to hold whole. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Answer, type Workspace } from '../../../test/builders/builders.ts'
import { CAMPAIGN, create } from '../../../test/builders/campaigns.ts'
import { applyPlanned, plan } from '../../../test/builders/code.ts'
import { makeJourney, wait } from '../../../test/builders/journeys.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { operator, workspace } = await startApp()

const KB = 'k'.repeat(1_000)
const granting = async (ws: Workspace, contentMegabytes: number | null) =>
  expectStatus(await operator.put(`/operator/workspaces/${ws.id}/plan`, { contentMegabytes }), 200).data

const titled = (kilobytes: number) => ({ values: { '#title': KB.repeat(kilobytes) } })

/** One that may hold a megabyte, of which `kilobytes` are taken by one block. */
async function filled(kilobytes: number): Promise<{ ws: Workspace; big: string[] }> {
  const ws = await workspace()
  await granting(ws, 1)
  await ws.block('promo')
  const big = []
  for (let left = kilobytes; left > 0; left -= 250) big.push((await ws.instance('promo', titled(Math.min(left, 250)))).id)
  return { ws, big }
}

const isFull = ({ status, body }: Answer) => assert.deepEqual([status, body.code, body.success], [409, 'WORKSPACE_FULL', false], body.error)

test('whatever is held counts, wherever it comes from, and what is refused changes nothing', async () => {
  const { ws, big } = await filled(750)
  const editor = await ws.editor()
  const { id: small } = await ws.instance('promo', titled(1))
  const { id: gone } = await ws.instance('promo', titled(200))
  expectStatus(await editor.delete(`/blocks/promo/instances/${gone}`), 200)
  const texts = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`step${i}`, KB.repeat(19)]))
  const campaign = await create(editor)
  const journey = await makeJourney(editor, { steps: [wait(1)] })
  const message = { type: 'in_app', content: { en: { title: 'Hi', body: KB.repeat(19) } } }
  const rule = { field: 'customAttributes.plan', operator: 'equals', value: 'k'.repeat(4_000) }
  const rules = { logicalOperator: 'OR', rules: Array.from({ length: 80 }, () => rule) }
  const strings = Object.entries(texts).map(([key, sourceText]) => ({ key, sourceText }))
  expectStatus(await ws.write.post('/strings/sync', { strings: [{ key: 'short', sourceText: 'x' }] }), 200)
  // What is left is filled up, by a little that is refused by nobody.
  const { id: filler } = await ws.instance('promo', titled(100))
  const before = await Promise.all(['/sync', '/strings'].map(async (path) => (await ws.app.get(path)).text))
  const content = Object.fromEntries(
    ['en', 'ar', 'fr', 'de', 'es', 'tr', 'ur', 'fa', 'hi'].map((at) => [at, { title: 'x', body: KB.repeat(19) }]),
  )
  isFull(await editor.post('/blocks/promo/instances', titled(200)))
  isFull(await editor.put(`/blocks/promo/instances/${small}`, titled(200)))
  isFull(await editor.put(`/blocks/promo/instances/${small}?draft=true`, titled(200)))
  isFull(await editor.post(`/blocks/promo/instances/${big[0]}/duplicate`, {}))
  isFull(await editor.post(`/blocks/promo/instances/${gone}/restore`, {}))
  isFull(await ws.write.post('/strings/sync', { strings }))
  isFull(await editor.post('/campaigns', { ...CAMPAIGN, content }))
  isFull(await editor.put(`/campaigns/${campaign.id}`, { content }))
  isFull(await editor.put(`/journeys/${journey.id}`, { steps: Array.from({ length: 10 }, () => message) }))
  isFull(await editor.post('/segments', { name: 'large', ...rules }))
  const blank = { f: KB.repeat(200) }
  isFull(
    await ws.write.post('/cards/register', {
      key: 'large',
      seedInstance: false,
      fields: [{ id: 'f', tag: '#title', type: 'text' }],
      blank,
    }),
  )
  const document = { strings: strings.map((string) => ({ ...string, namespace: 'app', description: '', values: {} })) }
  const { version } = await plan(ws.admin, document)
  isFull(await applyPlanned(ws.admin, document, version))
  assert.deepEqual(await Promise.all(['/sync', '/strings'].map(async (path) => (await ws.app.get(path)).text)), before)
  expectStatus(await editor.delete(`/blocks/promo/instances/${filler}`), 200)
  expectStatus(await editor.put(`/blocks/promo/instances/${small}`, titled(100)), 200)
  assert.equal((await granting(ws, 2)).contentMegabytes, 2)
  expectStatus(await editor.put(`/campaigns/${campaign.id}`, { content }), 200)
  expectStatus(await ws.write.post('/strings/sync', { strings }), 200)
})

test('what takes the place of something else takes no room, however often it is saved', async () => {
  const { ws, big } = await filled(600)
  for (let times = 0; times < 8; times++)
    expectStatus(await ws.admin.put(`/blocks/promo/instances/${big[0]}`, { ...titled(240), priority: times }), 200)
  // Of one that is kept as a draft both count: the one that is served, and the newest.
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${big[0]}?draft=true`, titled(200)), 200)
  isFull(await ws.admin.put(`/blocks/promo/instances/${big[1]}?draft=true`, titled(249)))
})

test('an older revision counts again when it is published', async () => {
  const { ws } = await filled(0)
  const made: string[] = []
  // The newest of each is small, and what it was before is served to nobody.
  for (let i = 0; i < 4; i++) {
    made.push((await ws.instance('promo', titled(250), { publish: false })).id)
    expectStatus(await ws.admin.put(`/blocks/promo/instances/${made[i]}`, titled(1)), 200)
  }
  const publish = (id: string) => ws.admin.post(`/blocks/promo/instances/${id}/publish`, { target: 'live', revision: 1 })
  for (const id of made.slice(1)) expectStatus(await publish(id), 200)
  isFull(await publish(made[0] ?? ''))
  assert.equal((await ws.blocks()).length, 3)
})

test('a workspace that held more before stays as it is, and may become smaller', async () => {
  const { ws, big } = await filled(900)
  await granting(ws, null)
  await ws.instance('promo', titled(250))
  await granting(ws, 1)
  isFull(await ws.admin.post('/blocks/promo/instances', titled(1)))
  assert.equal((await ws.blocks()).length, 5)
  for (const id of big.slice(0, 2)) expectStatus(await ws.admin.delete(`/blocks/promo/instances/${id}`), 200)
  await ws.instance('promo', titled(1))
})

test('numbers count as they are stored, written out', async () => {
  const { ws } = await filled(500)
  const number = { id: 'n', tag: '#n', type: 'number' }
  await ws.block('numbers', { fields: Array.from({ length: 40 }, (_, i) => ({ ...number, id: `n${i}`, tag: `#n${i}` })) })
  const values = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`#n${i}`, 1.5e300]))
  const made = []
  for (let times = 0; times < 60; times++) made.push((await ws.admin.post('/blocks/numbers/instances', { values })).status)
  assert.ok(made.includes(201) && made.at(-1) === 409, made.join())
  assert.ok(expectStatus(await ws.admin.get('/settings/usage'), 200).data.held <= 1_000_000)
})

test('whoever is a member sees how much is held, of what, and how much may be', async () => {
  const { ws } = await filled(500)
  const viewer = await ws.viewer()
  const usage = async (): Promise<{ held: number; most: number; parts: Record<string, number> }> =>
    expectStatus(await viewer.get('/settings/usage'), 200).data
  const before = await usage()
  assert.equal(before.most, 1_000_000)
  assert.ok((before.parts['instances'] ?? 0) > 500_000, JSON.stringify(before))
  assert.equal(
    Object.values(before.parts).reduce((sum, each) => sum + each, 0),
    before.held,
  )
  expectStatus(await ws.write.post('/strings/sync', { strings: [{ key: 'hello', sourceText: KB }] }), 200)
  const texts = await usage()
  assert.deepEqual(
    { ...texts.parts, strings: 0, held: texts.held - before.held },
    { ...before.parts, strings: 0, held: (texts.parts['strings'] ?? 0) - (before.parts['strings'] ?? 0) },
  )
  assert.ok(texts.held >= before.held + 1_000)
  await granting(ws, null)
  assert.equal((await usage()).most, 100_000_000)
})

test('mails of sections of campaigns count like their texts', async () => {
  const { ws } = await filled(800)
  const body = { blocks: [{ p: [{ v: KB.repeat(19) }] }] }
  const nodes = ['a', 'b', 'c', 'd'].map((id) => ({ id, type: 'text' }))
  const texts = { en: { subject: 'x', nodes: Object.fromEntries(nodes.map(({ id }) => [id, body])) } }
  const sections = [{ id: 's', type: 'section', columns: [{ width: 100, nodes }] }]
  const mail = { version: 1, kind: 'sections', sections, texts }
  for (let left = 2; left > 0; left--) await create(ws.admin, { mail })
  isFull(await ws.admin.post('/campaigns', { ...CAMPAIGN, mail }))
})
