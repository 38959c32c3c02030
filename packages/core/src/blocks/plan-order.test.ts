import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { planOrder, type OrderedInstance } from './plan-order.ts'
import { byPriority } from './serving/select-blocks.ts'

const placed = (id: string, priority: number, publishedAt = 0): OrderedInstance => ({ id, priority, publishedAt })
const draft = (id: string, priority: number): OrderedInstance => ({ id, priority, publishedAt: undefined })
function plan(...wanted: OrderedInstance[]): Record<string, number> {
  const planned = planOrder(wanted)
  assert.ok(planned.ok)
  return Object.fromEntries(planned.value)
}

test('what is in order stays as it is, ties of what is published included', () => {
  assert.deepEqual(plan(), {})
  assert.deepEqual(plan(placed('a', 5), placed('b', 5, 1), placed('c', -2)), {})
  assert.deepEqual(plan(placed('a', 0, 7), placed('b', 0, 7)), {})
})

test('one that is moved up is raised, one that is moved down is lowered, the others stay', () => {
  const [a, b, c, d] = [placed('a', 40), placed('b', 30), placed('c', 20), placed('d', 10)]
  assert.deepEqual(plan(d, a, b, c), { d: 41 })
  assert.deepEqual(plan(b, c, d, a), { a: 9 })
  assert.deepEqual(plan(placed('new', 0, 9), placed('old', 0, 1)), { new: 1 })
})

test('what is not live gets a priority of its own, because nobody knows when it is published', () => {
  assert.deepEqual(plan(draft('a', 0), draft('b', 0)), { a: 1 })
  assert.deepEqual(plan(draft('a', 0), placed('b', 0)), { a: 1 })
  assert.deepEqual(plan(placed('a', 0), draft('b', 0)), { a: 1 })
})

test('no priority goes beyond its bounds', () => {
  assert.deepEqual(plan(placed('a', 0), placed('b', 1_000_000)), { b: -1 })
  assert.deepEqual(plan(placed('a', -1_000_000), placed('b', 3)), { a: 4 })
  assert.deepEqual(planOrder([placed('a', -1_000_000), placed('b', 1_000_000)]).ok, false)
})

test('after any plan delivery sorts as was wanted, and nothing is changed to what it was', () => {
  const some = fc.array(fc.record({ priority: fc.integer({ min: -5, max: 5 }), publishedAt: fc.option(fc.nat(3), { nil: undefined }) }), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(some, (rows) => {
      const wanted = rows.map(({ priority, publishedAt }, index): OrderedInstance => ({
        id: `id-${rows.length - index}`,
        priority,
        publishedAt,
      }))
      const changes = plan(...wanted)
      // Whenever the others come: before everything or after it, the later ones first.
      for (const moment of [-1_000, 1_000]) {
        const ranked = wanted.map(({ id, priority, publishedAt = moment + Number(id.slice(3)) }) => ({
          id,
          priority: changes[id] ?? priority,
          publishedAt,
        }))
        assert.deepEqual(ranked.toSorted(byPriority), ranked)
      }
      for (const { id, priority } of wanted) assert.notEqual(changes[id], priority)
    }),
  )
})
