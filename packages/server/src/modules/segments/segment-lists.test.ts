/** What the dashboard asks beside segments: where they are used, and which fields there are. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { create } from '../../../test/builders/campaigns.ts'
import { makeJourney } from '../../../test/builders/journeys.ts'
import { deny, identify } from '../../../test/builders/people.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace, ctx, advance } = await startApp()

const make = async ({ admin }: Workspace, name: string, more: object = {}) => {
  const rules = [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }]
  return expectStatus(await admin.post('/segments', { name, logicalOperator: 'AND', rules, ...more }), 201).data
}

test('a segment names the instances, campaigns and journeys that are for it, whatever their state, and the segments that exclude it', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  for (const each of [ws, other]) await each.block('promo')
  const gold = await make(ws, 'Gold')
  const silver = await make(ws, 'Silver', { excludedSegments: ['Gold'] })
  await make(other, 'Gold')
  await other.instance('promo', { seg: 'Gold' })
  const draft = await ws.instance('promo', { title: 'Draft', seg: 'Gold' }, { publish: false })
  const live = await ws.instance('promo', { title: 'Live', seg: 'Gold' })
  await ws.instance('promo', { seg: 'gold' })
  const campaign = await create(await ws.editor(), { name: 'Eid', segments: ['Silver', 'Gold'] })
  const journey = await makeJourney(ws.admin, { name: 'Welcome', trigger: { type: 'segment_entry', segment: 'Gold' } })
  await create(await other.editor(), { segments: ['Gold'] })
  const campaigns = [{ id: campaign.id, name: 'Eid' }]
  const expected = {
    instances: [
      { id: draft.id, blockKey: 'promo', title: 'Draft' },
      { id: live.id, blockKey: 'promo', title: 'Live' },
    ],
    instanceCount: 2,
    segments: [{ id: silver.id, name: 'Silver' }],
    campaigns,
    journeys: [{ id: journey.id, name: 'Welcome' }],
  }
  assert.deepEqual(expectStatus(await ws.admin.get(`/segments/${gold.id}`), 200).data.usedBy, expected)
  const { segments } = expectStatus(await ws.admin.get('/segments'), 200).data
  assert.deepEqual(
    segments.map(({ name, usedBy }: any) => [name, usedBy]),
    [
      ['Gold', expected],
      ['Silver', { instances: [], instanceCount: 0, segments: [], campaigns, journeys: [] }],
    ],
  )
  for (let i = 0; i < 20; i++) await ws.instance('promo', { seg: 'Gold' }, { publish: false })
  const { usedBy } = expectStatus(await ws.admin.get(`/segments/${gold.id}`), 200).data
  assert.deepEqual([usedBy.instances.length, usedBy.instanceCount], [20, 22])
})

const fieldsOf = async ({ admin }: Workspace, query = '') => {
  const { data, body } = expectStatus(await admin.get(`/segments/fields?${query}`), 200)
  return { ...data, ...body.metadata, byField: new Map<string, any>(data.fields.map((each: any) => [each.field, each])) }
}

test('fields are those of the grammar and the attributes that people have, with types, numbers and frequent values', async () => {
  const [ws, other] = [await workspace(), await workspace()]
  const people: [string, object][] = [
    ['a', { plan: 'gold', age: 31, tags: ['x', 'y'], since: '2026-01-01', vip: true, home: { city: 'Riyadh' }, mixed: 1 }],
    ['b', { plan: 'gold', age: 40, tags: ['x'], since: '2026-02-01T10:00:00Z', mixed: 'one' }],
    ['c', { plan: 'silver', mixed: 'two', long: 'x'.repeat(200) }],
  ]
  for (const [id, traits] of people)
    await identify(ws.app, `device-${id}`, id, { traits, platform: 'ios', name: 'Secret', email: 's@example.com' })
  await identify(ws.app, 'anonymous', undefined, { traits: { plan: 'silver' } })
  await identify(ws.testApp, 'tester', 'T', { traits: { onlyTest: 1 } })
  await deny(ws.app, 'denied', { traits: { denied: 1 } })
  await identify(other.app, 'device-a', 'a', { traits: { ofOther: 1 } })
  const { byField, fields, sampledPeople, allPeople, total } = await fieldsOf(ws, 'limit=200')
  assert.deepEqual([sampledPeople, allPeople, total], [4, 4, fields.length])
  const custom = fields.filter(({ kind }: any) => kind === 'custom')
  assert.deepEqual(
    custom.map(({ field, type, people: count, samples }: any) => [field.slice('customAttributes.'.length), type, count, samples]),
    [
      ['plan', 'string', 4, ['gold', 'silver']],
      ['mixed', 'string', 3, ['one', 'two', 1]],
      ['age', 'number', 2, [31, 40]],
      ['since', 'date', 2, ['2026-01-01', '2026-02-01T10:00:00Z']],
      ['tags', 'array', 2, ['x', 'y']],
      ['home', 'object', 1, []],
      ['long', 'string', 1, []],
      ['vip', 'boolean', 1, [true]],
    ],
  )
  assert.deepEqual(byField.get('metadata.environment'), {
    field: 'metadata.environment',
    kind: 'fixed',
    type: 'string',
    people: null,
    samples: ['live', 'test'],
  })
  assert.deepEqual(byField.get('demographic.email'), {
    field: 'demographic.email',
    kind: 'fixed',
    type: 'string',
    people: null,
    samples: [],
  })
  assert.ok(!JSON.stringify(fields).includes('Secret') && !JSON.stringify(fields).includes('s@example.com'))
  assert.deepEqual(
    (await fieldsOf(ws, 'search=CUSTOMattributes.a')).fields.map(({ field }: any) => field),
    ['customAttributes.age'],
  )
  const first = await fieldsOf(ws, 'search=customAttributes&limit=3')
  const second = await fieldsOf(ws, `search=customAttributes&limit=200&cursor=${first.nextCursor}`)
  assert.deepEqual([...first.fields, ...second.fields], custom)
  assert.equal(second.nextCursor, null)
  for (const bad of ['cursor=none', 'limit=0', `search=${'x'.repeat(201)}`])
    assert.equal((await ws.admin.get(`/segments/fields?${bad}`)).status, 400)
  expectStatus(await (await ws.viewer()).get('/segments/fields'), 200)
})

test('of many people a sample is looked at, its numbers are estimates, and it is kept for a minute', async () => {
  const ws = await workspace()
  const load = (from: number, to: number, environment: string) =>
    sql`
    insert into profiles (workspace_id, id, environment, user_id, traits, country, created_at, updated_at)
    select ${ws.id}, to_char(n, 'FM000000'), ${environment}, 'u' || n, case when n % 2 = 0 then '{"even": true}'::jsonb else '{}' end, 'SA', now(), now()
    from generate_series(${from}::integer, ${to}::integer) n`.execute(ctx.db)
  await load(1, 8_000, 'live')
  const { byField, sampledPeople, allPeople } = await fieldsOf(ws, 'limit=200')
  assert.deepEqual([sampledPeople, allPeople], [5_000, 8_000])
  assert.deepEqual([byField.get('customAttributes.even').people, byField.get('demographic.country').people], [4_000, 8_000])
  await identify(ws.app, 'D', 'U', { traits: { fresh: 1 } })
  assert.equal((await fieldsOf(ws, 'search=fresh')).total, 0)
  await advance(61)
  assert.equal((await fieldsOf(ws, 'search=fresh')).total, 1)
  // People of the other environment do not make the search for a sample longer than its bound.
  await load(100_001, 125_000, 'test')
  await advance(61)
  const few = await fieldsOf(ws)
  assert.deepEqual([few.sampledPeople < 5_000, few.allPeople], [true, 8_001])
})
