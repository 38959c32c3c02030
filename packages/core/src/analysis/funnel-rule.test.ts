import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRules } from '../targeting/rule.ts'
import { DAY_MS } from '../units.ts'
import { ruleOfStep } from './funnel-rule.ts'
import type { FunnelQuestion } from './question.ts'

const NOW = Date.UTC(2026, 4, 10, 12)
const TO = Date.UTC(2026, 4, 11)
const question = (types: string[], more: Partial<FunnelQuestion> = {}): FunnelQuestion => ({
  kind: 'funnel',
  steps: types.map((type) => ({ type })),
  period: { from: TO - 30 * DAY_MS, to: TO },
  windowMs: 30 * DAY_MS,
  order: 'any_order',
  ...more,
})
/** Whether the rule holds for whoever did exactly these types within its window. */
function holds(rule: ReturnType<typeof ruleOfStep>, done: ReadonlySet<string>): boolean {
  type Part = { conditions?: Part[]; logicalOperator?: string; field?: string; operator?: string }
  const isMet = ({ conditions, logicalOperator, field = '', operator }: Part): boolean =>
    conditions
      ? logicalOperator === 'OR'
        ? conditions.some(isMet)
        : conditions.every(isMet)
      : done.has(field.slice('events.'.length)) === (operator === 'did')
  return isMet({ conditions: rule!.rules, logicalOperator: rule!.logicalOperator })
}

test('a rule of any order holds for exactly those who came to the step, or no further, whatever they did', () => {
  const types = ['a', 'b', 'c', 'd']
  for (let step = 0; step < types.length; step++)
    for (const isDropped of [false, true]) {
      const rule = ruleOfStep(question(types), { step, isDropped }, NOW)
      assert.equal(parseRules(rule, () => undefined).ok, true)
      for (let bits = 0; bits < 16; bits++) {
        const done = new Set(types.filter((_, index) => bits & (1 << index)))
        assert.equal(
          holds(rule, done),
          isDropped ? done.size === step + 1 : done.size >= step + 1,
          `${step} ${isDropped} ${[...done].join()}`,
        )
      }
    }
})

test('in order a rule says only who took the first step', () => {
  const ordered = question(['a', 'b'], { order: 'in_order' })
  assert.deepEqual(ruleOfStep(ordered, { step: 0, isDropped: false }, NOW), {
    logicalOperator: 'OR',
    rules: [{ field: 'events.a', operator: 'did', value: { within: { days: 30 } } }],
  })
  assert.equal(ruleOfStep(ordered, { step: 0, isDropped: true }, NOW), undefined)
  assert.equal(ruleOfStep(ordered, { step: 1, isDropped: false }, NOW), undefined)
})

test('where a rule would name others there is none', () => {
  const last = { step: 1, isDropped: false }
  const none = (more: Partial<FunnelQuestion>, types = ['a', 'b']) => assert.equal(ruleOfStep(question(types, more), last, NOW), undefined)
  none({ segment: 's' })
  none({ windowMs: DAY_MS })
  none({ period: { from: TO - 60 * DAY_MS, to: TO - 30 * DAY_MS } })
  none({ period: { from: TO - 91 * DAY_MS, to: TO }, windowMs: 91 * DAY_MS })
  none({}, ['a', 'a'])
  assert.equal(ruleOfStep(question(['a', 'b', 'c', 'd', 'e', 'f', 'g']), { step: 3, isDropped: false }, NOW), undefined)
  const where = { logicalOperator: 'AND' as const, conditions: [{ field: 'properties.plan', operator: 'equals' as const, value: 'pro' }] }
  const rule = ruleOfStep(question([], { steps: [{ type: 'a', where }, { type: 'b' }] }), last, NOW)
  assert.deepEqual(rule?.rules[0], { field: 'events.a', operator: 'did', value: { within: { days: 30 }, where } })
})
