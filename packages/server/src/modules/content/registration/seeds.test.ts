import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Workspace } from '../../../../test/builders/builders.ts'
import { startApp } from '../../../../test/harness/start-app.ts'

const { workspace, ctx } = await startApp()

const FIELDS = [
  { id: 'f1', tag: '#t', type: 'text', maxLength: 20 },
  { id: 'f2', tag: '#note', type: 'text' },
]
const seed = async (ws: Workspace, instances: unknown, entry: object = {}) =>
  expectStatus(await ws.write.post('/cards/sync', { blocks: [{ key: 'promo', fields: FIELDS, instances, ...entry }] }), 200).data
/** Instances of one manifest are made in one moment: their order says nothing. */
const list = async (ws: Workspace, key = 'promo') =>
  expectStatus(await ws.admin.get(`/blocks/${key}/instances`), 200).data.instances.toSorted((a: any, b: any) =>
    `${a.externalId} ${a.title}` < `${b.externalId} ${b.title}` ? -1 : 1,
  )

/** Every row of a workspace's content with the transaction that wrote it. */
async function rowsOf(workspaceId: string) {
  const tables = ['content_heads', 'block_definitions', 'block_instances', 'instance_revisions']
  return Promise.all(
    tables.map(
      async (table) =>
        (
          await sql`select xmin::text as written_by, t.* from ${sql.table(table)} t where workspace_id = ${workspaceId} order by t`.execute(
            ctx.db,
          )
        ).rows,
    ),
  )
}

test('M-SYNC-17 instances, or items, seed instances', async () => {
  for (const member of ['instances', 'items']) {
    const ws = await workspace()
    const report = expectStatus(
      await ws.write.post('/cards/sync', {
        blocks: [
          {
            key: 'promo',
            fields: FIELDS,
            [member]: [
              { externalId: 'one', values: { '#t': 'Hi' } },
              { externalId: 'two', title: 'Two' },
            ],
          },
        ],
      }),
      200,
    ).data
    assert.deepEqual([report.instances, report.errors], [{ created: 2, updated: 0 }, []])
    assert.deepEqual(
      (await list(ws)).map(({ externalId, title, values }: any) => [externalId, title, values]),
      [
        ['one', '', { '#t': 'Hi' }],
        ['two', 'Two', {}],
      ],
    )
  }
})

test('M-SYNC-18 M-SYNC-22 a seed is updated in place by its externalId', async () => {
  const ws = await workspace()
  await seed(ws, [{ externalId: 'one', status: 'published', values: { '#t': 'Hi' } }])
  const [first] = await ws.blocks()
  assert.deepEqual(first.values, { '#t': 'Hi' })
  const report = await seed(ws, [{ externalId: 'one', status: 'published', values: { '#t': 'New' } }])
  assert.deepEqual(report.instances, { created: 0, updated: 1 })
  const blocks = await ws.blocks()
  assert.deepEqual(
    blocks.map(({ instanceId, values }) => [instanceId, values]),
    [[first.instanceId, { '#t': 'New' }]],
  )
  assert.ok(blocks[0].version > first.version)
  assert.equal((await list(ws)).length, 1)
})

test('G-36 A-59 seeded values replace the tags they name only, and are keyed by tag', async () => {
  const ws = await workspace()
  await seed(ws, [{ externalId: 'one', seg: 'Gold', priority: 4, values: { '#t': 'Hi', '#note': 'by seed' } }])
  const [{ id }] = await list(ws)
  expectStatus(await ws.admin.put(`/blocks/promo/instances/${id}`, { values: { '#note': 'by hand' } }), 200)
  await seed(ws, [{ externalId: 'one', values: { '#t': 'New' } }])
  const [instance] = await list(ws)
  assert.deepEqual([instance.values, instance.seg, instance.priority], [{ '#t': 'New', '#note': 'by hand' }, 'Gold', 4])
  const report = await seed(ws, [{ externalId: 'two', values: { f1: 'by id' } }])
  assert.equal(report.errors.length, 1)
})

test('M-SYNC-19 a seeded title shows in the dashboard list', async () => {
  const ws = await workspace()
  await seed(ws, [{ externalId: 'one', title: 'Winter banner' }])
  assert.equal((await list(ws))[0].title, 'Winter banner')
  await seed(ws, [{ externalId: 'one', title: 'Spring banner' }])
  assert.equal((await list(ws))[0].title, 'Spring banner')
})

test('M-SYNC-20 M-SYNC-21 a seed is a draft unless its status says otherwise', async () => {
  const ws = await workspace()
  const words = [undefined, null, 'draft', 'published', 'live', 'test']
  await seed(
    ws,
    words.map((status, i) => ({ externalId: String(i), status, values: { '#t': String(status) } })),
  )
  const titles = (blocks: any[]) => blocks.map(({ values }) => values['#t']).sort()
  assert.deepEqual(titles(await ws.blocks()), ['live', 'published'])
  assert.deepEqual(titles(await ws.blocks(undefined, { key: ws.test })), ['live', 'published', 'test'])
  assert.deepEqual(
    (await list(ws)).map(({ status, targets }: any) => [status, ...targets]),
    [['draft'], ['draft'], ['draft'], ['published', 'live'], ['published', 'live'], ['published', 'test']],
  )
})

test('A-08 G-38 a later run without a status keeps publication, and one with draft takes it back', async () => {
  const ws = await workspace()
  await seed(ws, [{ externalId: 'one', status: 'published', values: { '#t': 'Hi' } }])
  await seed(ws, [{ externalId: 'one', values: { '#t': 'New' } }])
  assert.deepEqual(
    (await ws.blocks()).map(({ values }) => values),
    [{ '#t': 'New' }],
  )
  const counts = [(await seed(ws, [{ externalId: 'one', status: 'draft' }])).instances]
  assert.deepEqual(await ws.blocks(), [])
  for (const status of ['live', 'test', 'test']) counts.push((await seed(ws, [{ externalId: 'one', status }])).instances)
  assert.equal((await ws.blocks()).length, 1)
  assert.deepEqual(
    counts.map(({ created, updated }) => [created, updated]),
    [
      [0, 1],
      [0, 1],
      [0, 1],
      [0, 0],
    ],
    'a change of the status alone is an update too',
  )
})

test('G-36 an unknown status and faulty content are reported for their entry, and the other seeds land', async () => {
  const ws = await workspace()
  const report = await seed(ws, [
    { externalId: 'a', status: 'gone' },
    { externalId: 'b', values: { '#nope': 1 } },
    { externalId: 'c', values: { '#t': 'x'.repeat(21) } },
    'x',
    { externalId: '' },
    { externalId: 'd', seg: 5 },
    { externalId: 'e', values: { '#t': 'good' } },
    { externalId: 'e', values: { '#t': 'twice' } },
  ])
  assert.equal(report.errors.length, 7)
  for (const { index, key, error } of report.errors) assert.deepEqual([index, key, typeof error], [0, 'promo', 'string'])
  assert.deepEqual(
    (await list(ws)).map(({ externalId, values }: any) => [externalId, values]),
    [['e', { '#t': 'good' }]],
  )
  const other = await seed(ws, 'x')
  assert.deepEqual([other.errors.length, other.unchanged], [1, ['promo']])
})

test('a seed that may not be live is reported and nothing of it is stored', async () => {
  const ws = await workspace()
  const fields = [{ id: 'f1', tag: '#t', type: 'text', required: true }]
  const bad = await seed(ws, [{ externalId: 'one', status: 'published', title: 'x' }], { fields })
  assert.equal(bad.errors.length, 1)
  assert.deepEqual(await list(ws), [])
  await seed(ws, [{ externalId: 'one', status: 'published', values: { '#t': 'Hi' } }], { fields })
  const worse = await seed(ws, [{ externalId: 'one', values: { '#t': '' } }], { fields })
  assert.equal(worse.errors.length, 1)
  assert.deepEqual((await ws.blocks())[0].values, { '#t': 'Hi' })
})

test('G-36 seeds without externalId are made once for their title and never touched again', async () => {
  const ws = await workspace()
  const first = await seed(ws, [{ title: 'A', values: { '#t': '1' } }, { title: 'B' }])
  assert.equal(first.instances.created, 2)
  const second = await seed(ws, [{ title: 'A', values: { '#t': '2' } }, { title: 'C' }])
  assert.deepEqual(second.instances, { created: 1, updated: 0 })
  assert.deepEqual(
    (await list(ws)).map(({ title, values }: any) => [title, values]),
    [
      ['A', { '#t': '1' }],
      ['B', {}],
      ['C', {}],
    ],
  )
})

test('M-SYNC-20 M-SYNC-21 M-SYNC-23 G-36 seeds with neither externalId nor title are as many as there are, whatever stands beside them, and made once', async () => {
  const ws = await workspace()
  // With the blank draft of a type that was registered.
  expectStatus(await ws.write.post('/cards/register', { key: 'promo', fields: FIELDS }), 201)
  const seeds = [
    { values: { '#t': '1' }, status: 'published' },
    { externalId: 'one', values: { '#t': '2' }, status: 'published' },
    { values: { '#t': '3' }, status: 'published' },
    { values: { '#t': '4' } },
  ]
  for (const instances of [seeds, seeds.toReversed()]) {
    const report = await seed(ws, instances)
    assert.deepEqual([report.errors, report.instances], [[], { created: instances === seeds ? 4 : 0, updated: 0 }])
    assert.deepEqual((await ws.blocks()).map(({ values }) => values['#t']).sort(), ['1', '2', '3'])
    assert.equal((await list(ws)).length, 5)
  }
})

test('one externalId names one instance of each block type', async () => {
  const ws = await workspace()
  const entry = (key: string) => ({ key, fields: FIELDS, instances: [{ externalId: 'same', status: 'live', values: { '#t': key } }] })
  const report = expectStatus(await ws.write.post('/cards/sync', { blocks: [entry('a'), entry('b')] }), 200).data
  assert.equal(report.instances.created, 2)
  assert.deepEqual(
    (await ws.blocks()).map(({ key, values }) => [key, values['#t']]),
    [
      ['a', 'a'],
      ['b', 'b'],
    ],
  )
})

test('a seed takes targeting, priority, schedule, variants, translations and frequency, and starts from the defaults of its type', async () => {
  const ws = await workspace()
  const content = {
    seg: 'Gold',
    priority: 7,
    schedule: { startTime: '2026-01-01T00:00:00.000Z' },
    variants: [{ id: 'v', weight: 1, values: { '#t': 'variant' } }],
    translations: { ar: { '#t': 'عرض' } },
    frequency: { per: 'day', max: 2 },
  }
  const fields = [FIELDS[0], { ...FIELDS[1], default: 'default' }]
  await seed(ws, [{ externalId: 'one', ...content, values: { '#t': 'Hi' } }], { fields })
  const [instance] = await list(ws)
  for (const [member, value] of Object.entries(content)) assert.deepEqual(instance[member], value, member)
  assert.deepEqual(instance.values, { '#t': 'Hi', '#note': 'default' })
})

test('a collection of a seed may name other seeds of the manifest by externalId, in any order', async () => {
  const ws = await workspace()
  const list_ = [{ id: 'f_items', tag: '#items', type: 'collection', allowedBlockKeys: ['item'] }]
  const manifest = {
    blocks: [
      { key: 'list', fields: list_, instances: [{ externalId: 'l', status: 'live', values: { '#items': ['second', 'first'] } }] },
      {
        key: 'item',
        fields: FIELDS,
        instances: ['first', 'second'].map((externalId) => ({ externalId, status: 'live', values: { '#t': externalId } })),
      },
    ],
  }
  const report = expectStatus(await ws.write.post('/cards/sync', manifest), 200).data
  assert.deepEqual([report.errors, report.instances.created], [[], 3])
  const items = (await ws.app.get('/blocks/list')).data.values['#items']
  assert.deepEqual(
    items.map(({ values }: any) => values['#t']),
    ['second', 'first'],
  )
  manifest.blocks[0]!.instances[0]!.values = { '#items': ['nobody'] } as never
  const bad = expectStatus(await ws.write.post('/cards/sync', manifest), 200).data
  assert.deepEqual([bad.errors.length, bad.errors[0].key], [1, 'list'])
})

test('M-SYNC-23 a repeat of a manifest changes nothing and writes not one row', async () => {
  const ws = await workspace()
  const manifest = {
    blocks: [
      {
        key: 'promo',
        name: 'Promo',
        screen: 'home',
        fields: [
          ...FIELDS,
          { id: 'f3', tag: '#size', type: 'number', default: 1.5 },
          { id: 'f4', tag: '#any', type: 'rating', default: { b: 1, a: [0.1, null] } },
        ],
        blank: { f1: 'Hi' },
        inCampaigns: true,
        designType: 'hero',
        instances: [
          { externalId: 'one', status: 'published', values: { '#t': 'Hi', '#note': '' }, translations: { ar: { '#t': 'ع' } }, seg: '' },
          { externalId: 'two', status: 'test', schedule: { startTime: '2026-01-01', endTime: '2036-01-01T00:00:00+04:00' }, priority: 3 },
          {
            externalId: 'three',
            status: 'draft',
            variants: [{ id: 'v', weight: 1, values: { '#t': 'v' } }],
            frequency: { per: 'day', max: 1 },
          },
          { title: 'Without an id' },
        ],
      },
      {
        key: 'list',
        fields: [{ id: 'c', tag: '#items', type: 'collection', allowedBlockKeys: ['promo'] }],
        items: [{ externalId: 'l', values: { '#items': ['one'] } }],
      },
      { key: 'plain' },
    ],
  }
  const first = expectStatus(await ws.write.post('/cards/sync', manifest), 200).data
  assert.deepEqual([first.created.length, first.instances, first.errors], [3, { created: 5, updated: 0 }, []])
  const before = await rowsOf(ws.id)
  const { text } = await ws.app.get('/sync')
  for (let i = 0; i < 2; i++) {
    const again = expectStatus(await ws.write.post('/cards/sync', manifest), 200).data
    assert.deepEqual(again, {
      created: [],
      updated: [],
      unchanged: ['promo', 'list', 'plain'],
      archived: [],
      errors: [],
      instances: { created: 0, updated: 0 },
    })
  }
  assert.deepEqual(await rowsOf(ws.id), before)
  assert.equal((await ws.app.get('/sync')).text, text)
})

test('C-SBX-15 a seed for a retired test environment is reported, and its live sibling lands', async () => {
  const ws = await workspace()
  await seed(ws, [{ externalId: 'old', status: 'test', values: { '#t': 'old' } }])
  expectStatus(await ws.admin.put('/settings/test-environment', { retired: true }), 200)
  const report = await seed(ws, [
    { externalId: 'old', status: 'test', values: { '#t': 'changed' } },
    { externalId: 'new', status: 'test' },
    { externalId: 'live', status: 'live' },
  ])
  assert.equal(report.errors.length, 1)
  assert.match(report.errors[0].error, /new.*retired/)
  assert.deepEqual(
    (await list(ws)).map(({ externalId, targets, values }: any) => [externalId, targets, values]),
    [
      ['live', ['live'], {}],
      ['old', ['test'], { '#t': 'changed' }],
    ],
  )
})
