import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listDependents, orderByExclusion, type Excluding } from './exclusions.ts'
import { recomputePeriod } from './frequency.ts'
import type { Operator } from './operators.ts'
import type { Rule } from './rule.ts'

const excluding = (id: string, ...excluded: string[]): Excluding => ({ id, excluded })
const idsOf = (segments: readonly Excluding[] | undefined) => segments?.map(({ id }) => id)

test('M-SEG-06 segments come behind those they exclude, otherwise in their own order', () => {
  assert.deepEqual(idsOf(orderByExclusion([excluding('a', 'c', 'gone'), excluding('b'), excluding('c', 'b')])), ['b', 'c', 'a'])
  assert.deepEqual(idsOf(orderByExclusion([excluding('b'), excluding('a')])), ['b', 'a'])
  for (const circle of [[excluding('a', 'a')], [excluding('x'), excluding('a', 'b'), excluding('b', 'c'), excluding('c', 'a')]])
    assert.equal(orderByExclusion(circle), undefined)
})

test('M-SEG-06 whatever excludes a segment, or something that does, depends on it', () => {
  const ordered = [excluding('b'), excluding('c', 'b'), excluding('d', 'c'), excluding('e')]
  assert.deepEqual(idsOf(listDependents(ordered, ['b'])), ['c', 'd'])
  assert.deepEqual(idsOf(listDependents(ordered, ['b', 'c'])), ['d'])
  assert.deepEqual(idsOf(listDependents(ordered, ['e', 'nobody'])), [])
})

test('an order is found exactly when there is no circle', () => {
  const graph = fc.array(fc.array(fc.nat(5), { maxLength: 3 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(graph, (edges) => {
      const segments = edges.map((excluded, id) => excluding(`${id}`, ...excluded.map(String)))
      const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
        !seen.has(from) &&
        !!seen.add(from) &&
        (segments.find(({ id }) => id === from)?.excluded ?? []).some((next) => next === to || reaches(next, to, seen))
      const ordered = orderByExclusion(segments)
      assert.equal(
        ordered === undefined,
        segments.some(({ id }) => reaches(id, id)),
      )
      for (const [at, { excluded }] of (ordered ?? []).entries())
        for (const id of excluded) assert.ok((ordered ?? []).slice(at).every((later) => later.id !== id))
    }),
  )
})

test('M-SEG-07 realtime segments come back by time only when time alone can change them', () => {
  const leaf = (field: string, operator: Operator): Rule => ({ field, operator })
  const nested = (rule: Rule): Rule => ({ logicalOperator: 'OR', conditions: [leaf('customAttributes.a', 'exists'), rule] })
  const hour = 3_600_000
  for (const rule of [leaf('lifecycle', 'equals'), leaf('behavioral.lastActiveDays', 'equals'), leaf('metadata.createdAt', 'days_ago')]) {
    assert.equal(recomputePeriod('realtime', [rule]), hour)
    assert.equal(recomputePeriod('realtime', [nested(rule)]), hour)
  }
  const still = [leaf('customAttributes.a', 'exists'), nested(leaf('metadata.createdAt', 'date_after'))]
  assert.equal(recomputePeriod('realtime', still), undefined)
  assert.deepEqual(
    (['hourly', 'daily', 'weekly'] as const).map((frequency) => recomputePeriod(frequency, still)),
    [hour, 24 * hour, 168 * hour],
  )
})
