import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assignVariant } from './assign-variant.ts'

test('the hash of device and instance falls into the weights in their order', () => {
  const asked: string[] = []
  const at = (hash: number) =>
    assignVariant([1, 0, 3], 'device', 'instance', (text) => {
      asked.push(text)
      return hash
    })
  assert.deepEqual([0, 1, 2, 3, 4, 5, 8].map(at), [0, 2, 2, 2, 0, 2, 0])
  assert.deepEqual([...new Set(asked)], ['device:instance'])
})

test('without a device, without variants and with only zero weights the base values stay', () => {
  assert.equal(
    assignVariant([1, 1], undefined, 'instance', () => 0),
    -1,
  )
  assert.equal(
    assignVariant([], 'device', 'instance', () => 0),
    -1,
  )
  assert.equal(
    assignVariant([0, 0], 'device', 'instance', () => 7),
    -1,
  )
})

test('an empty device id is a device', () => {
  assert.equal(
    assignVariant([1], '', 'instance', () => 0),
    0,
  )
})

test('every hash leads to exactly one variant with a weight, and each gets its share of a whole round', () => {
  const weights = fc
    .array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 6 })
    .filter((list) => list.some((weight) => weight > 0))
  fc.assert(
    fc.property(weights, fc.nat({ max: 1000 }), (list, round) => {
      const total = list.reduce((sum, weight) => sum + weight, 0)
      const counts = list.map(() => 0)
      for (let i = 0; i < total; i++) {
        const index = assignVariant(list, 'd', 'i', () => round * total + i)
        counts[index] = (counts[index] ?? NaN) + 1
      }
      assert.deepEqual(counts, list)
    }),
    { seed: 20260301, numRuns: 200 },
  )
})
