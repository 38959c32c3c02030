import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { planManifest, resolveSeedReferences, type ManifestPlan } from './plan-manifest.ts'

const plan = (input: unknown): ManifestPlan => {
  const planned = planManifest(input)
  assert.ok(planned.ok, planned.ok ? '' : planned.error)
  return planned.plan
}
const refuses = (input: unknown) => assert.ok(!planManifest(input).ok, JSON.stringify(input))
const keys = ({ definitions }: ManifestPlan) => definitions.map(({ key }) => key)
const entry = (instances: unknown) => ({ blocks: [{ key: 'a', instances }] })

test('blocks or cards name the block types, and blocks win', () => {
  assert.deepEqual(keys(plan({ blocks: [{ key: 'a' }, { key: 'b' }] })), ['a', 'b'])
  assert.deepEqual(keys(plan({ cards: [{ key: 'a' }] })), ['a'])
  assert.deepEqual(keys(plan({ blocks: [{ key: 'b' }], cards: [{ key: 'a' }] })), ['b'])
})

test('a manifest that is none is refused, also with prune', () => {
  for (const prune of [undefined, true]) {
    for (const input of [[], null, 'x', 5]) refuses(input)
    for (const blocks of ['x', {}, 5, true, null]) {
      refuses({ blocks, prune })
      refuses({ cards: blocks, prune })
    }
    refuses({ blocks: Array.from({ length: 2001 }, (_, i) => ({ key: `k${i}` })), prune })
  }
})

test('a manifest that names nothing valid is refused, unless prune is the boolean true', () => {
  const nothing = [{}, { blocks: [] }, { cards: [] }, { blocks: [{ key: 'Bad Key' }, {}] }]
  for (const input of nothing) {
    for (const prune of [undefined, false, null, 'true', 1, [true]]) refuses({ ...input, prune })
    assert.deepEqual(keys(plan({ ...input, prune: true })), [])
  }
})

test('a faulty entry is reported with its place and key, and the rest is read', () => {
  const { definitions, errors, named } = plan({
    blocks: [
      { key: 'a' },
      { key: 'Bad Key' },
      { key: 'b', fields: 'x' },
      'x',
      null,
      { definition: { key: 'n' } },
      { key: 'a', name: 'again' },
      { key: 'c' },
    ],
  })
  assert.deepEqual(
    definitions.map(({ key, name }) => [key, name]),
    [
      ['a', 'a'],
      ['c', 'c'],
    ],
  )
  assert.deepEqual(
    errors.map(({ index, key }) => [index, key]),
    [
      [1, 'Bad Key'],
      [2, 'b'],
      [3, null],
      [4, null],
      [5, null],
      [6, 'a'],
    ],
  )
  for (const { error } of errors) assert.ok(error.length > 5)
  assert.deepEqual([...named].sort(), ['a', 'b', 'c'])
})

test('seeds are read from instances or items, with their words for status', () => {
  for (const member of ['instances', 'items']) {
    const { seeds, errors } = plan({
      blocks: [{ key: 'a', [member]: [{ externalId: 'e', title: 'T', status: 'published', values: { '#t': 1 }, seg: 'Gold' }] }],
    })
    assert.deepEqual(errors, [])
    assert.deepEqual(seeds, [
      { index: 0, blockKey: 'a', externalId: 'e', title: 'T', status: 'live', body: { title: 'T', values: { '#t': 1 }, seg: 'Gold' } },
    ])
  }
  const statuses = ['draft', 'published', 'live', 'test', undefined, null]
  const { seeds } = plan(entry(statuses.map((status, i) => ({ title: String(i), status }))))
  assert.deepEqual(
    seeds.map(({ status }) => status),
    ['draft', 'live', 'live', 'test', undefined, undefined],
  )
})

test('faulty seeds are reported under their entry, and the others are read', () => {
  const { seeds, errors } = plan(
    entry([
      'x',
      null,
      { status: 'gone' },
      { status: 5 },
      { externalId: '' },
      { externalId: 5 },
      { externalId: 'x'.repeat(201) },
      { externalId: 'e' },
      { externalId: 'e' },
    ]),
  )
  assert.deepEqual(
    seeds.map(({ externalId }) => externalId),
    ['e'],
  )
  assert.equal(errors.length, 8)
  for (const { index, key } of errors) assert.deepEqual([index, key], [0, 'a'])
  assert.match(errors[7]?.error ?? '', /instances\[8\].*same externalId/)
  assert.match(plan(entry('x')).errors[0]?.error ?? '', /instances must be an array/)
  assert.deepEqual(plan({ blocks: [{ key: 'b' }, { key: 'a', fields: 'x', instances: [{}] }] }).seeds, [])
})

test('seeds that a later run could not tell apart are reported; of those without a title there may be several', () => {
  const { seeds, errors } = plan(
    entry([{ title: 'A' }, { title: 'A', status: 'live' }, {}, { title: '' }, { title: 'A', externalId: 'A' }, { title: 'B' }]),
  )
  assert.deepEqual(
    seeds.map(({ title, externalId }) => [title, externalId]),
    [
      ['A', null],
      [undefined, null],
      ['', null],
      ['A', 'A'],
      ['B', null],
    ],
  )
  assert.deepEqual(errors.length, 1)
  for (const { error } of errors) assert.match(error, /same title/)
})

test('M-SYNC-11 M-SYNC-12 what is right behind something bad of the same name lands; twice it does not', () => {
  const { definitions, seeds, errors, named } = plan({
    blocks: [
      { key: 'a', fields: 'x' },
      { key: 'a', name: 'second', instances: [{ externalId: 'e', status: 'gone' }, { externalId: 'e' }, { externalId: 'e' }] },
      { key: 'a', name: 'third' },
    ],
  })
  assert.deepEqual(
    definitions.map(({ name }) => name),
    ['second'],
  )
  assert.deepEqual([seeds.length, [...named]], [1, ['a']])
  assert.deepEqual(
    errors.map(({ index }) => index),
    [0, 1, 1, 2],
  )
})

test('one external id may stand under two block types', () => {
  const { seeds, errors } = plan({
    blocks: [
      { key: 'a', instances: [{ externalId: 'e' }] },
      { key: 'b', instances: [{ externalId: 'e' }] },
    ],
  })
  assert.deepEqual([seeds.length, errors], [2, []])
})

test('collections of a seed may name other seeds, of an allowed type, by external id', () => {
  const fields = [
    { id: 'c', tag: '#items', type: 'collection', allowedBlockKeys: ['item'] },
    { id: 't', tag: '#title', type: 'text' },
  ]
  const idOf = (blockKeys: readonly string[], externalId: string) =>
    blockKeys.includes('item') && externalId === 'e' ? 'id-of-e' : undefined
  const resolve = (values: object) => resolveSeedReferences({ title: 'T', values } as never, { fields }, idOf)['values']
  assert.deepEqual(resolve({ '#items': ['e', 'unknown', 5], '#title': 'e' }), { '#items': ['id-of-e', 'unknown', 5], '#title': 'e' })
  assert.deepEqual(resolve({ '#items': 'e' }), { '#items': 'e' })
  assert.deepEqual(resolveSeedReferences({ title: 'T' }, { fields }, idOf), { title: 'T' })
})

test('every entry of a manifest that is read is either a definition or reported, in order', () => {
  const word = fc.constantFrom('a', 'b', 'c', 'Bad', '', 5, null)
  const one = fc.oneof(fc.record({ key: word }), fc.record({ key: word, fields: fc.constantFrom([], 'x') }), fc.jsonValue({ maxDepth: 1 }))
  fc.assert(
    fc.property(fc.array(one, { maxLength: 8 }), (blocks) => {
      const { definitions, errors, named } = plan({ blocks, prune: true })
      assert.equal(definitions.length + errors.length, blocks.length)
      assert.deepEqual(
        errors.map(({ index }) => index),
        errors.map(({ index }) => index).toSorted((a, b) => a - b),
      )
      for (const { key } of definitions) assert.ok(named.has(key))
      assert.equal(new Set(keys({ definitions, errors, named, places: new Map(), seeds: [] })).size, definitions.length)
    }),
    { seed: 20260301, numRuns: 1000 },
  )
})
