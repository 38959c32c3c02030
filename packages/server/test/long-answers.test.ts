/** Content that is too much for one answer hurts nobody but whoever has it, and only where it is too much. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { LIMITS } from '@contentflow/core/limits.ts'
import { expectStatus, type Answer } from './builders.ts'
import { launch, setStatus } from './campaigns.ts'
import { startApp } from './start-app.ts'

const { ctx, workspace } = await startApp()

function assertTooLong({ status, body, headers }: Answer): void {
  assert.deepEqual([status, body.success, body.code, body.retryable], [503, false, 'UPSTREAM_UNAVAILABLE', true])
  assert.match(body.error, /too much content/)
  assert.deepEqual([headers.get('retry-after'), headers.get('x-cf-env'), headers.get('etag')], ['60', 'live', null])
}

test('a few blocks in collections of many others are no answer of gigabytes', async () => {
  const ws = await workspace()
  const collection = (of: string) => ({ fields: [{ tag: '#items', type: 'collection', allowedBlockKeys: [of], maxItems: 200 }] })
  await ws.block('leaf')
  await ws.block('middle', collection('leaf'))
  await ws.block('top', collection('middle'))
  const many = async (key: string, count: number, values: object): Promise<string[]> => {
    const made = []
    for (let i = 0; i < count; i++) made.push((await ws.instance(key, { values })).id)
    return made
  }
  const leaves = await many('leaf', 100, { '#title': 'x'.repeat(2_000) })
  const middles = await many('middle', 9, { '#items': leaves })
  assert.equal(expectStatus(await ws.app.get('/sync'), 200).data.blocks.length, 109)
  const [first] = await many('top', 10, { '#items': middles })
  // 10 times 9 times 100 blocks of two thousand characters.
  for (const path of ['/sync', '/sync', '/blocks/top']) assertTooLong(await ws.app.get(path, { headers: { 'if-none-match': '""' } }))
  assert.equal(expectStatus(await ws.app.get('/blocks/middle'), 200).data.instances.length, 9)
  const isTooLong = async (path: string) => expectStatus(await ws.admin.get(`/explain/${path}`), 200).data.isTooLong
  assert.equal(await isTooLong('blocks/top'), true)
  const rest = expectStatus(await ws.admin.get('/blocks/top/instances?limit=20'), 200).data.instances.map(({ id }: any) => id)
  for (const id of rest) if (id !== first) expectStatus(await ws.admin.post(`/blocks/top/instances/${id}/unpublish`, {}), 200)
  assert.equal(expectStatus(await ws.app.get('/sync'), 200).data.blocks.length, 110)
  assert.equal(await isTooLong('blocks/top'), false)
})

test('a catalog too long for an answer is fetched by namespace', async () => {
  const ws = await workspace()
  for (const namespace of ['a', 'b']) {
    const count = Math.ceil(LIMITS.answerLength / LIMITS.stringTextLength / 2) + 1
    const rows = Array.from({ length: count }, (_, i) => ({
      key: `${namespace}${i}`,
      namespace,
      sourceText: 'x'.repeat(LIMITS.stringTextLength),
    }))
    expectStatus(await ws.write.post('/strings/sync', { strings: rows }), 200)
  }
  assertTooLong(await ws.app.get('/strings'))
  for (const namespace of ['a', 'b'])
    assert.ok(Object.keys(expectStatus(await ws.app.get(`/strings?namespace=${namespace}`), 200).data.strings).length > 400)
})

test('campaigns that are too long for one list are none', async () => {
  const ws = await workspace()
  const editor = await ws.editor()
  const { id } = await launch(ws, editor, { content: { en: { title: 'Long', body: 'x'.repeat(20_000) } } })
  const copies = LIMITS.answerLength / 20_000
  await sql`insert into campaigns select (jsonb_populate_record(c, jsonb_build_object('id', 'copy-' || i))).*
    from campaigns c, generate_series(1, ${copies}) as i where workspace_id = ${ws.id} and id = ${id}`.execute(ctx.db)
  // With it the others are read.
  const last = await launch(ws, editor)
  const campaigns = () => ws.app.post('/campaigns', {}, { headers: { 'x-cf-device': 'd' } })
  for (let times = 0; times < 2; times++) assertTooLong(await campaigns())
  await sql`delete from campaigns where workspace_id = ${ws.id} and id like 'copy-%'`.execute(ctx.db)
  expectStatus(await setStatus(ws.admin, last.id, 'paused'), 200)
  assert.equal(expectStatus(await campaigns(), 200).data.length, 1)
})
