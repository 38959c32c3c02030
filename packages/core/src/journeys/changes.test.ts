import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesBetween, isUnchanged } from './changes.ts'
import type { Journey, Step } from './journey.ts'

const exit = (id: string): Step => ({ id, type: 'exit' })
const wait = (id: string, minutes: number): Step => ({ id, type: 'wait', minutes })
const split = (id: string, then: Step[], otherwise: Step[] = []): Step => ({ id, type: 'split', percent: 50, then, else: otherwise })
const journey = (steps: Step[], more: Partial<Journey> = {}): Journey => ({
  name: 'n',
  trigger: { type: 'manual' },
  goal: null,
  steps,
  ...more,
})
const changed = (before: Step[], after: Step[]) =>
  changesBetween(journey(before), journey(after)).steps.map(({ step, change }) => `${step} ${change}`)

test('G-57 what differs between two versions is said step by step', () => {
  const [a, b, c] = [wait('a', 1), wait('b', 1), wait('c', 1)]
  assert.deepEqual(changed([a, b], [a, b]), [])
  assert.deepEqual(changed([a, b], [a, exit('x'), wait('b', 2)]), ['x added', 'b changed'])
  assert.deepEqual(changed([a, b, c], [c, a, b]), ['c moved'])
  assert.deepEqual(changed([a, b, c], [a, split('s', [b, c])]), ['s added', 'b moved', 'c moved'])
  assert.deepEqual(changed([split('s', [a], [b])], [split('s', [a, c])]), ['c added', 'b removed'])
  assert.deepEqual(changed([split('s', [a])], [b]), ['b added', 's removed', 'a removed'])
})

test('G-57 members are compared by what they mean, not by how they are written', () => {
  const before = journey([], { goal: { eventType: 'CONVERSION', days: 7 } })
  assert.ok(isUnchanged(changesBetween(before, { ...before, goal: { days: 7, eventType: 'CONVERSION' } })))
  assert.deepEqual(changesBetween(before, { ...before, name: 'm', goal: null }).members, ['name', 'goal'])
})
