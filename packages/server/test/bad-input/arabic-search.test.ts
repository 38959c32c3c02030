/** Every list that is searched finds Arabic however it is written: forms of one letter, vowel marks, one word or two. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../builders/builders.ts'
import { create } from '../builders/campaigns.ts'
import { uploadFile } from '../builders/files.ts'
import { makeJourney } from '../builders/journeys.ts'
import { startApp } from '../harness/start-app.ts'

const { workspace } = await startApp()

const NAME = 'رسالة عبد الله إلى أهل مكة'
const WRITTEN = ['عبدالله', 'عبد الله', 'عَبد الله', 'اهل مكه', 'الي', 'رساله عبدالله']
const LISTS = [
  ['/users?search=', 'users'],
  ['/segments?search=', 'segments'],
  ['/campaigns?search=', 'campaigns'],
  ['/journeys?search=', 'journeys'],
  ['/content?search=', 'content'],
  ['/strings?q=', 'strings'],
  ['/instances?search=', 'instances'],
  ['/blocks/promo/instances?search=', 'instances'],
] as const

async function fill(ws: Workspace): Promise<void> {
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  expectStatus(await ws.admin.post('/segments', { name: NAME, logicalOperator: 'AND', rules }), 201)
  await create(await ws.editor(), { name: NAME })
  await makeJourney(ws.admin, { name: NAME })
  await uploadFile(ws.admin, 'x', `${NAME}.txt`, 'text/plain')
  expectStatus(await ws.admin.post('/strings', { key: 'letter', sourceText: NAME }), 201)
  await ws.block('promo')
  await ws.instance('promo', { title: NAME })
  const consent = { consent: true, name: NAME }
  expectStatus(await ws.app.post('/identify', { deviceId: 'phone', userId: 'abdullah', ...consent }), 200)
}

test('what is named in Arabic is found however the search is written', async () => {
  const ws = await workspace()
  await fill(ws)
  for (const [path, member] of LISTS)
    for (const [search, count] of [...WRITTEN.map((written) => [written, 1] as const), ['عبدالعزيز', 0] as const]) {
      const { data } = expectStatus(await ws.admin.get(path + encodeURIComponent(search)), 200)
      assert.equal(data[member].length, count, `${path}: ${search}`)
    }
})
