/** The workspace as one document: what is exported is taken back, and a plan is what happens. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expectStatus, type Workspace } from '../../../test/builders/builders.ts'
import { apply, carry, exported, plan } from '../../../test/builders/code.ts'
import { startApp } from '../../../test/harness/start-app.ts'

const { workspace } = await startApp()

const rule = (value: unknown) => ({ field: 'customAttributes.level', operator: 'equals', value })
const segment = (name: string, value: unknown, excludedSegments: string[] = []) => ({
  name,
  logicalOperator: 'AND',
  rules: [rule(value)],
  excludedSegments,
  updateFrequency: 'realtime',
})

const without = (all: Set<string>, others: Set<string>) => [...all].filter((each) => !others.has(each)).length

async function fill(ws: Workspace): Promise<void> {
  await ws.block('zebra', { designType: 'banner', interruptive: true })
  await ws.block('list', {
    fields: [
      { id: 'c', tag: '#items', type: 'collection', allowedBlockKeys: ['zebra'], maxItems: 3 },
      { id: 's', tag: '#size', type: 'select', options: ['a', { value: 'b', label: 'ب' }], default: 'a' },
    ],
    blank: { s: 'b' },
  })
  await ws.block('gone')
  expectStatus(await ws.admin.delete('/blocks/gone'), 200)
  expectStatus(await ws.admin.post('/segments', segment('ذهبي', 'gold')), 201)
  expectStatus(await ws.admin.post('/segments', segment('All but gold', 'silver', ['ذهبي'])), 201)
  expectStatus(await ws.admin.post('/geofences', { name: 'Home', latitude: 24.7, longitude: 46.7, radiusMeters: 150 }), 201)
}

test('export, apply to an empty workspace, export: byte for byte the same, and nothing to plan', async () => {
  const [from, to] = [await workspace(), await workspace()]
  await fill(from)
  const first = await exported(from)
  assert.deepEqual(
    [first.data.blocks.map(({ key }: { key: string }) => key), first.data.segments.map(({ name }: { name: string }) => name)],
    [
      ['list', 'zebra'],
      ['All but gold', 'ذهبي'],
    ],
  )
  const changes = await carry(from, to)
  assert.deepEqual(new Set(changes.map(({ change }) => change)), new Set(['create']))
  // What was applied is served like what was made by hand.
  await to.instance('zebra', { values: { '#title': 'There' }, seg: 'ذهبي' })
  expectStatus(await to.app.post('/identify', { deviceId: 'd', userId: 'u', consent: true, traits: { level: 'gold' } }), 200)
  assert.deepEqual(
    (await to.blocks('d')).map(({ key }) => key),
    ['zebra'],
  )
  // Of the same names and ids there are now two, and only one goes.
  await apply(to, { blocks: [], segments: [], geofences: [] })
  assert.equal((await exported(from)).text, first.text)
})

test('kinds that a document does not name stay; what one of its kinds leaves out goes', async () => {
  const ws = await workspace()
  await fill(ws)
  const { data } = await exported(ws)
  const changes = await apply(ws, { segments: data.segments.slice(1), geofences: [] })
  assert.deepEqual(
    changes.map(({ kind, key, change }) => [kind, key, change]),
    [
      ['segments', 'All but gold', 'delete'],
      ['geofences', data.geofences[0].id, 'delete'],
    ],
  )
  const after = (await exported(ws)).data
  assert.deepEqual(after.blocks, data.blocks)
  assert.deepEqual([after.segments.length, after.geofences], [1, []])
})

test('an apply is refused, whole, when the workspace or the document is no longer the one that was planned', async () => {
  const ws = await workspace()
  await fill(ws)
  const { data } = await exported(ws)
  const document = { ...data, blocks: [], geofences: [] }
  const { version } = await plan(ws.admin, document)
  const send = (sent: object) => ws.admin.post('/workspace/code/apply', { document: sent, version })
  const other = await send({ ...document, segments: [] })
  assert.deepEqual([other.status, other.body.code], [409, 'WORKSPACE_CHANGED'])
  await ws.block('meanwhile')
  const late = await send(document)
  assert.deepEqual([late.status, late.body.code], [409, 'WORKSPACE_CHANGED'])
  assert.deepEqual((await exported(ws)).data.geofences, data.geofences)
})

test('a document that is wrong says where, and nothing of it is stored', async () => {
  const ws = await workspace()
  const before = (await exported(ws)).text
  const refusal = async (document: unknown) => expectStatus(await ws.admin.post('/workspace/code/plan', { document }), 400).body.error
  assert.match(await refusal([]), /document: the document must be an object/)
  assert.match(await refusal({ people: [] }), /may have settings, locales, .*, channels, not people/)
  assert.match(await refusal({ blocks: [{ key: 'a' }, { key: 'a' }] }), /blocks\[1\]: "a" stands there twice/)
  assert.match(await refusal({ segments: [segment('A', 1, ['B'])] }), /segment "A" leaves out "B", which is not in the document/)
  assert.match(await refusal({ segments: [segment('A', 1, ['B']), segment('B', 1, ['A'])] }), /in a circle/)
  assert.match(
    await refusal({ segments: [{ ...segment('A', 1), rules: [{ field: 'x', operator: 'like' }] }] }),
    /segments\[0\]: rules\[0\]/,
  )
  assert.match(await refusal({ geofences: [{ id: 'a b' }] }), /geofences\[0\]: id must be/)
  assert.match(await refusal({ segments: [segment('All users', 1)] }), /not All users/)
  assert.equal((await exported(ws)).text, before)
})

test('only editors plan and only admins apply', async () => {
  const ws = await workspace()
  const [editor, viewer] = [await ws.editor(), await ws.viewer()]
  expectStatus(await viewer.get('/workspace/code'), 200)
  assert.equal(expectStatus(await viewer.post('/workspace/code/plan', { document: {} }), 403).body.code, 'ROLE_REQUIRED')
  const { version } = expectStatus(await editor.post('/workspace/code/plan', { document: {} }), 200).data
  assert.equal(expectStatus(await editor.post('/workspace/code/apply', { document: {}, version }), 403).body.code, 'ROLE_REQUIRED')
  assert.deepEqual(expectStatus(await ws.admin.post('/workspace/code/apply', { document: {}, version }), 200).data.changes, [])
})

test('a plan names what else a change reaches', async () => {
  const ws = await workspace()
  await fill(ws)
  await ws.instance('zebra', { title: 'Aimed', seg: 'ذهبي' })
  const campaign = { name: 'Weekend', type: 'promo', segments: ['ذهبي'], schedule: {}, content: { en: { title: 'A', body: 'B' } } }
  expectStatus(await ws.admin.post('/campaigns', campaign), 201)
  const { data } = await exported(ws)
  const [but, gold] = data.segments
  const { changes } = await plan(ws.admin, { blocks: [data.blocks[0]], segments: [but, { ...gold, rules: [rule('none')] }] })
  const reachOf = (key: string) => changes.find((change: { key: string }) => change.key === key).reach
  assert.equal(reachOf('zebra').instances, 1)
  assert.deepEqual(reachOf('ذهبي'), {
    people: { gaining: 0, losing: 0 },
    instances: 1,
    campaigns: ['Weekend'],
    journeys: [],
    segments: ['All but gold'],
    strings: 0,
  })
})

test('over 200 random changes of segments, the plan says who comes in and goes out as it then happens', async () => {
  const ws = await workspace()
  const levels = ['a', 'b', 'c', 'd']
  const people = Array.from({ length: 24 }, (_, n) => ({ userId: `u-${n}`, level: levels[Math.floor(Math.random() * levels.length)] }))
  const records = people.map(({ userId, level }) => ({ userId, attributes: { level } }))
  expectStatus(await ws.admin.post('/users/bulk/contacts', { contacts: people.map(({ userId }) => ({ userId })) }), 200)
  expectStatus(await ws.admin.post('/enrichment/upload', { sourceRef: 'levels', records }), 201)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!
  const randomSegment = (name: string, others: string[]) => ({
    ...segment(name, ''),
    logicalOperator: pick(['AND', 'OR']),
    rules: Array.from({ length: 1 + Math.floor(Math.random() * 2) }, () => ({
      field: 'enrichment.level',
      operator: pick(['equals', 'not_equals']),
      value: pick(levels),
    })),
    excludedSegments: Math.random() < 0.3 && others.length > 0 ? [pick(others)] : [],
  })
  const membersNow = async () => {
    const { segments } = expectStatus(await ws.admin.get('/segments?limit=100'), 200).data
    const found = new Map<string, Set<string>>()
    for (const { id, name } of segments)
      found.set(name, new Set(expectStatus(await ws.admin.get(`/segments/${id}/members?limit=100`), 200).data.userIds))
    return found
  }
  let [before, checked, unknown] = [await membersNow(), 0, 0]
  while (checked < 200) {
    const names = ['A', 'B', 'C', 'D', 'E'].filter(() => Math.random() < 0.8)
    const segments = names.map((name, at) => randomSegment(name, names.slice(0, at)))
    const { version, changes } = await plan(ws.admin, { segments })
    expectStatus(await ws.admin.post('/workspace/code/apply', { document: { segments }, version }), 200)
    const after = await membersNow()
    for (const { key, reach } of changes) {
      const [old, next] = [before.get(key) ?? new Set<string>(), after.get(key) ?? new Set<string>()]
      const measured = { gaining: without(next, old), losing: without(old, next) }
      if (reach.people) assert.deepEqual(reach.people, measured, JSON.stringify({ key, segments }))
      else unknown++
      checked++
    }
    before = after
  }
  assert.ok(unknown < checked / 2, `${unknown} of ${checked} were not known before`)
})
