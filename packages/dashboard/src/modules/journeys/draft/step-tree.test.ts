import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Step } from '@contentflow/core/journeys/journey.ts'
import { findStep, insertStep, moveStep, placesOf, removeStep, replaceStep } from './step-tree.ts'

const wait = (id: string): Step => ({ id, type: 'wait', minutes: 1 })
const rule = { logicalOperator: 'AND' as const, rules: [] }
const STEPS: Step[] = [wait('a'), { id: 'if', type: 'condition', rule, then: [wait('b')], else: [] }, wait('c')]

/** `a if(b|) c` */
function outline(steps: readonly Step[]): string {
  return steps.map((step) => (step.type === 'condition' ? `${step.id}(${outline(step.then)}|${outline(step.else)})` : step.id)).join(' ')
}

test('steps are found, replaced, put in and taken out in every branch', () => {
  assert.equal(findStep(STEPS, 'b')?.id, 'b')
  assert.equal(findStep(STEPS, 'none'), undefined)
  assert.deepEqual(findStep(replaceStep(STEPS, { id: 'b', type: 'exit' }), 'b'), { id: 'b', type: 'exit' })
  assert.equal(outline(insertStep(STEPS, { index: 0 }, wait('n'))), 'n a if(b|) c')
  assert.equal(outline(insertStep(STEPS, { parent: { id: 'if', branch: 'else' }, index: 0 }, wait('n'))), 'a if(b|n) c')
  assert.equal(outline(removeStep(STEPS, 'b')), 'a if(|) c')
  assert.equal(outline(removeStep(STEPS, 'if')), 'a c')
  assert.equal(placesOf(STEPS).length, 4 + 2 + 1)
})

test('a step moves through every place in the order of reading, and back the same way', () => {
  const seen: string[] = []
  let steps = STEPS
  for (let next: Step[] | undefined = steps; next; next = moveStep(steps, 'a', 1)) {
    steps = next
    seen.push(outline(steps))
  }
  assert.deepEqual(seen, ['a if(b|) c', 'if(a b|) c', 'if(b a|) c', 'if(b|a) c', 'if(b|) a c', 'if(b|) c a'])
  const back: string[] = []
  for (let next: Step[] | undefined = steps; next; next = moveStep(steps, 'a', -1)) {
    steps = next
    back.push(outline(steps))
  }
  assert.deepEqual(back, seen.toReversed())
  assert.equal(outline(moveStep(STEPS, 'if', 1) ?? []), 'a c if(b|)')
})
