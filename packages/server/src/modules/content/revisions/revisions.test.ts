import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx, advance } = await startApp()

const FIELDS = [
  { id: 'f_title', tag: '#title', type: 'text' },
  { id: 'f_note', tag: '#note', type: 'text' },
]
const path = (id: string) => `/blocks/promo/instances/${id}`
const read = async (ws: Workspace, id: string) => expectStatus(await ws.admin.get(path(id)), 200).data
const revisions = async (ws: Workspace, id: string, query = '') =>
  expectStatus(await ws.admin.get(`${path(id)}/revisions${query}`), 200).body
const put = async (ws: Workspace, id: string, body: object) => expectStatus(await ws.admin.put(path(id), body), 200).data
const rollBack = async (ws: Workspace, id: string, number: number | string) => ws.admin.post(`${path(id)}/revisions/${number}/rollback`)
const writtenBy = async (workspaceId: string) =>
  Promise.all(
    ['content_heads', 'block_instances', 'instance_revisions'].map(
      async (table) =>
        (await sql`select xmin::text, t.* from ${sql.table(table)} t where workspace_id = ${workspaceId} order by t`.execute(ctx.db)).rows,
    ),
  )

async function shop() {
  const ws = await workspace()
  await ws.block('promo', { fields: FIELDS })
  return ws
}

test('every save makes a numbered revision with the whole content, how and when', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', { title: 'First', values: { '#title': 'a' } }, { publish: false })
  await advance(60)
  const content = {
    title: 'Second',
    values: { '#title': 'b', '#note': 'n' },
    seg: 'Gold',
    priority: 3,
    schedule: { startTime: '2026-03-01T00:00:00.000Z' },
    variants: [{ id: 'v', weight: 1, values: { '#title': 'variant' } }],
    translations: { ar: { '#title': 'ع' } },
    frequency: { per: 'day', max: 1 },
  }
  const saved = await put(ws, id, content)
  const { data, metadata } = await revisions(ws, id)
  assert.deepEqual(metadata, { total: 2, nextCursor: null })
  const [second, first] = data.revisions
  assert.deepEqual([second.number, second.source, second.restoredFrom, second.content], [2, 'edit', null, content])
  assert.equal(second.createdAt, saved.updatedAt)
  assert.ok(Date.parse(second.createdAt) - Date.parse(first.createdAt) >= 60_000)
  assert.deepEqual(
    [first.number, first.source, first.content.title, first.content.values, first.content.seg],
    [1, 'create', 'First', { '#title': 'a' }, null],
  )
  assert.equal(first.madeBy, second.madeBy)
})

test('a revision names its maker: another person, and the write key of a manifest', async () => {
  const ws = await shop()
  const editor = await ws.editor()
  const manifest = (title: string) => ({
    blocks: [{ key: 'promo', fields: FIELDS, instances: [{ externalId: 'e', values: { '#title': title } }] }],
  })
  expectStatus(await ws.write.post('/cards/sync', manifest('a')), 200)
  const { id } = (await ws.admin.get('/blocks/promo/instances')).data.instances[0]
  await put(ws, id, { title: 'by admin' })
  expectStatus(await editor.put(path(id), { title: 'by editor' }), 200)
  expectStatus(await ws.write.post('/cards/sync', manifest('b')), 200)
  const members = (await ws.admin.get('/members')).data.members
  const [admin, other] = ['admin', 'editor'].map((role) => members.find((member: any) => member.role === role).userId)
  const keyId = (await ws.admin.get('/settings/write-keys')).data.keys[0].id
  assert.deepEqual(
    (await revisions(ws, id)).data.revisions.map(({ number, source, madeBy }: any) => [number, source, madeBy]),
    [
      [4, 'manifest', keyId],
      [3, 'edit', other],
      [2, 'edit', admin],
      [1, 'manifest', keyId],
    ],
  )
})

test('an unchanged save, a repeated publish and a repeated unpublish write not one row', async () => {
  const ws = await shop()
  const content = {
    title: 'T',
    values: { '#title': 'a' },
    seg: 'Gold',
    schedule: { startTime: '2026-03-01' },
    variants: [{ id: 'v', weight: 1, values: { '#title': 'v' } }],
    translations: { ar: { '#title': 'ع' } },
    frequency: { per: 'day', max: 1 },
  }
  const { id } = await ws.instance('promo', content)
  const [before, rows] = [await read(ws, id), await writtenBy(ws.id)]
  await advance(10)
  for (const body of [
    {},
    content,
    before,
    { values: { '#title': 'a', '#note': null } },
    { translations: { AR: { '#title': 'ع' } } },
    { unknown: 1 },
  ])
    assert.deepEqual(await put(ws, id, body), before)
  assert.deepEqual(expectStatus(await ws.admin.post(`${path(id)}/publish`), 200).data, before)
  assert.deepEqual(expectStatus(await ws.admin.post(`${path(id)}/unpublish`, { target: 'test' }), 200).data, before)
  assert.deepEqual(await writtenBy(ws.id), rows)
})

test('revisions come newest first, in pages', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', {}, { publish: false })
  for (let i = 2; i <= 6; i++) await put(ws, id, { title: String(i) })
  const pages: number[][] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { data, metadata } = await revisions(ws, id, `?limit=2${cursor && `&cursor=${cursor}`}`)
    pages.push(data.revisions.map(({ number }: any) => number))
    assert.equal(metadata.total, 6)
    cursor = metadata.nextCursor
  }
  assert.deepEqual(pages, [
    [6, 5],
    [4, 3],
    [2, 1],
  ])
  for (const query of ['limit=0', 'cursor=x', 'cursor=-1', 'cursor=99999999999999'])
    assert.equal((await ws.admin.get(`${path(id)}/revisions?${query}`)).status, 400, query)
})

test('a rollback makes a new version with the old content and keeps publication and the history', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', { title: 'First', values: { '#title': 'a', '#note': 'n' }, priority: 2 })
  await put(ws, id, { title: 'Second', values: { '#title': 'b', '#note': null }, seg: null, translations: { ar: { '#title': 'ع' } } })
  const history = (await revisions(ws, id)).data.revisions
  const back = expectStatus(await rollBack(ws, id, 1), 200).data
  assert.deepEqual(
    [back.version, back.title, back.values, back.priority, back.translations, back.status, back.targets],
    [3, 'First', { '#title': 'a', '#note': 'n' }, 2, {}, 'published', ['live']],
  )
  const [newest, ...older] = (await revisions(ws, id)).data.revisions
  assert.deepEqual([newest.number, newest.source, newest.restoredFrom, newest.content], [3, 'rollback', 1, history[1].content])
  assert.deepEqual(older, history, 'earlier revisions are never changed')
  const [block] = await ws.blocks()
  assert.deepEqual([block.version, block.values], [3, { '#title': 'a', '#note': 'n' }])

  expectStatus(await ws.admin.post(`${path(id)}/unpublish`), 200)
  const draft = expectStatus(await rollBack(ws, id, 2), 200).data
  assert.deepEqual([draft.version, draft.title, draft.status], [4, 'Second', 'draft'])
  assert.deepEqual(await ws.blocks(), [])
})

test('a rollback that a live instance may not take is refused, and an unknown revision is not found', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', {}, { publish: false })
  await put(ws, id, { values: { '#title': 'a' } })
  await ws.block('promo', { fields: [{ ...FIELDS[0], required: true }] })
  expectStatus(await ws.admin.post(`${path(id)}/publish`), 200)
  const before = await read(ws, id)
  assert.equal((await rollBack(ws, id, 1)).status, 400)
  for (const number of [0, 3, 99_999, 'x', '-1', '1.5', '99999999999999999999'])
    assert.equal((await rollBack(ws, id, number)).status, 404, String(number))
  assert.deepEqual(await read(ws, id), before)
  assert.equal((await revisions(ws, id)).metadata.total, 2)
})

test('If-Match with another version is 412 and changes nothing; with the version read it saves', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', { title: 'First' })
  const etag = (await ws.admin.get(path(id))).headers.get('etag') ?? ''
  assert.equal(etag, '"1"')
  const save = (title: string, ifMatch: string) => ws.admin.put(path(id), { title }, { headers: { 'if-match': ifMatch } })
  assert.equal(expectStatus(await save('Second', etag), 200).data.version, 2)
  const rows = await writtenBy(ws.id)
  for (const stale of [etag, '"3"', 'W/"1"', '1', '"x"', 'x', '""']) {
    const answer = await save('Lost', stale)
    assert.deepEqual([answer.status, answer.body.success], [412, false], stale)
  }
  assert.equal((await ws.admin.post(`${path(id)}/revisions/1/rollback`, undefined, { headers: { 'if-match': '"1"' } })).status, 412)
  assert.deepEqual(await writtenBy(ws.id), rows)
  for (const [i, current] of ['"2"', 'W/"3"', '4', '*'].entries())
    assert.equal(expectStatus(await save(`T${i}`, current), 200).data.version, 3 + i)
  const back = await ws.admin.post(`${path(id)}/revisions/1/rollback`, undefined, { headers: { 'if-match': '"6"' } })
  assert.equal(expectStatus(back, 200).data.version, 7)
})

test('a publish with If-Match of another version is 412 and publishes nothing; with the version looked at it publishes', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', { title: 'Looked at' }, { publish: false })
  await put(ws, id, { title: 'Saved meanwhile' })
  const rows = await writtenBy(ws.id)
  const publish = (ifMatch: string) => ws.admin.post(`${path(id)}/publish`, undefined, { headers: { 'if-match': ifMatch } })
  for (const stale of ['"1"', '1', '"x"']) {
    const answer = await publish(stale)
    assert.deepEqual([answer.status, answer.body.success], [412, false], stale)
  }
  assert.deepEqual(await writtenBy(ws.id), rows)
  assert.deepEqual((await ws.blocks()).length, 0)
  assert.deepEqual(expectStatus(await publish('"2"'), 200).data.targets, ['live'])
  assert.equal((await ws.admin.post('/blocks/promo/instances/unknown/publish', undefined, { headers: { 'if-match': '"1"' } })).status, 404)
})

test('of two saves on the same version one wins; without If-Match saves of different tags both count', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo', { title: 'First' }, { publish: false })
  const guarded = await Promise.all(
    ['a', 'b', 'c', 'd'].map((title) => ws.admin.put(path(id), { title }, { headers: { 'if-match': '"1"' } })),
  )
  assert.deepEqual(guarded.map(({ status }) => status).sort(), [200, 412, 412, 412])
  assert.equal((await read(ws, id)).version, 2)
  await Promise.all([put(ws, id, { values: { '#title': 'a' } }), put(ws, id, { values: { '#note': 'b' } }), put(ws, id, { priority: 5 })])
  const after = await read(ws, id)
  assert.deepEqual([after.version, after.values, after.priority], [5, { '#title': 'a', '#note': 'b' }, 5])
})

test('the revisions of a deleted instance go with it when it cannot be restored any more', async () => {
  const ws = await shop()
  const { id } = await ws.instance('promo')
  expectStatus(await ws.admin.delete(path(id)), 200)
  assert.equal((await ws.admin.get(`${path(id)}/revisions`)).status, 404)
  const left = () => ctx.db.selectFrom('instance_revisions').select('number').where('workspace_id', '=', ws.id).execute()
  assert.equal((await left()).length, 1)
  await advance(30 * 86_400 + 1)
  assert.deepEqual(await left(), [])
})
