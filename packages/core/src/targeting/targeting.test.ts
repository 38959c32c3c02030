/**
 * The cases of cases.json, one row `[name, rule, subject, now, expected]` each; `now` is null where time does not matter.
 * The part of a name before the colon says which test runs it.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import type { Json } from '../blocks/field.ts'
import { runToEnd } from '../steps.ts'
import { isEqual, toNumber } from './compare-values.ts'
import { compareVersions, parseVersion } from './compare-versions.ts'
import { compileInSteps, compileRules, traceRules, type EvaluationOptions, type RuleTrace } from './evaluate.ts'
import { lifecycleStage, LIFECYCLE_STAGES } from './lifecycle.ts'
import { OPERATOR_NAMES, prepareTest, type Operator } from './operators.ts'
import { parseRules, type Leaf, type Rule, type SegmentRules } from './rule.ts'
import { NOBODY, type Subject } from './subject.ts'

type Case = [name: string, rule: Rule, subject: Partial<Subject>, now: string | null, expected: boolean]
const cases = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8')) as Case[]
const topics = new Set<string>()

function compileRegex(pattern: string): ((text: string) => boolean) | undefined {
  try {
    const regex = new RegExp(pattern, 'u')
    return (text) => regex.test(text)
  } catch {
    return undefined
  }
}
const isRegexValid = (pattern: string): string | undefined => (compileRegex(pattern) ? undefined : 'not a pattern')
const stored: EvaluationOptions = { compileRegex }
const delivery: EvaluationOptions = { compileRegex, onBlockPath: true }
const one = (rule: Rule): SegmentRules => ({ logicalOperator: 'AND', rules: [rule] })

/** Every row of the topics: readable by the parser, answered as expected, and explained by a trace that agrees. */
function runCases(...names: string[]): void {
  for (const topic of names) {
    topics.add(topic)
    const rows = cases.filter(([name]) => name.startsWith(`${topic}: `))
    assert.ok(rows.length > 0, `no case of ${topic}`)
    for (const [name, rule, subject, now, expected] of rows) {
      if (topic !== 'unparsed') assert.deepEqual(parseRules(one(rule), isRegexValid), { ok: true, value: one(rule) }, name)
      const options = topic === 'block path' ? delivery : stored
      const person = { ...NOBODY, ...subject }
      const time = now === null ? 0 : Date.parse(now)
      assert.equal(compileRules(one(rule), options)(person, time), expected, name)
      assert.equal(traceRules(one(rule), options, person, time).held, expected, `${name}, traced`)
      assert.equal(runToEnd(compileInSteps(one(rule), options)(person, time)), expected, `${name}, in steps`)
    }
  }
}

test('C-SEG-21 C-SEG-22 equals is strict on type and deep, and not_equals is its opposite', () => runCases('equals', 'not_equals'))

test('C-SEG-23 C-SEG-24 comparisons turn both sides into numbers and are false when one is none', () =>
  runCases('greater_than', 'less_than', 'greater_than_or_equal', 'less_than_or_equal'))

test('C-SEG-25 C-SEG-26 between takes two bounds, both included, and no other shape', () => runCases('between'))

test('C-SEG-27 C-SEG-28 C-SEG-29 contains is a piece of a text or a member of an array, and not_contains its opposite', () =>
  runCases('contains', 'not_contains'))

test('C-SEG-30 in and not_in need an array', () => runCases('in', 'not_in'))

test('C-SEG-31 exists and not_exists ask for the key, not for a value', () => runCases('exists', 'not_exists'))

test('C-SEG-32 starts_with and ends_with count case', () => runCases('starts_with', 'ends_with'))

test('C-SEG-33 the date operators are false on traits and compare moments elsewhere', () =>
  runCases('date_after', 'date_before', 'days_ago'))

test('C-SEG-34 regex searches a text and not_regex is its opposite', () => runCases('regex', 'not_regex'))

test('C-SEG-35 is_true and is_false take booleans only', () => runCases('is_true', 'is_false'))

test('C-SEG-36 app_version_gte compares versions part by part', () => runCases('app_version_gte'))

test('geo_radius measures the distance over the ground', () => runCases('geo_radius'))

test('C-SEG-15 a field finds its own data and nothing that is inherited', () => runCases('field', 'subject'))

test('C-SEG-43 the first lifecycle stage that fits wins, with strict boundaries (G-77)', () => {
  runCases('lifecycle')
  const found = new Set(cases.filter(([name]) => name.startsWith('lifecycle: ')).map(([, rule]) => (rule as Leaf).value))
  for (const stage of LIFECYCLE_STAGES) assert.ok(found.has(stage), stage)
})

test('C-SEG-13 C-SEG-45 AND needs all and OR needs one, on every level', () => runCases('groups'))

test('A-22: on the block path enrichment, geo_radius and in-app consent are false, negative operators included', () =>
  runCases('block path'))

test('rules that no parser let through hold for nobody', () => runCases('unparsed'))

test('every case was run, and every operator has cases both ways where it can hold', () => {
  for (const [name] of cases) assert.ok(topics.has(name.split(': ')[0] ?? ''), `${name} belongs to no test`)
  assert.equal(new Set(cases.map(([name]) => name)).size, cases.length)
  for (const operator of OPERATOR_NAMES)
    for (const wanted of [true, false])
      assert.ok(
        cases.some(([name, , , , expected]) => name.startsWith(`${operator}: `) && expected === wanted),
        `${operator} ${wanted}`,
      )
})

test('a trace is the same tree with what was found and whether it held', () => {
  const rules: SegmentRules = {
    logicalOperator: 'OR',
    rules: [
      { field: 'customAttributes.plan', operator: 'equals', value: 'gold' },
      {
        logicalOperator: 'AND',
        conditions: [
          { field: 'enrichment.tier', operator: 'not_exists' },
          { field: 'customAttributes.none', operator: 'not_exists' },
        ],
      },
    ],
  }
  const subject: Subject = { ...NOBODY, traits: { plan: null } }
  const leaves = (skipped: boolean): RuleTrace[] => [
    { field: 'customAttributes.plan', operator: 'equals', value: 'gold', found: null, held: false, isSkipped: false },
    {
      logicalOperator: 'AND',
      conditions: [
        { field: 'enrichment.tier', operator: 'not_exists', held: !skipped, isSkipped: skipped },
        { field: 'customAttributes.none', operator: 'not_exists', held: true, isSkipped: false },
      ],
      held: !skipped,
    },
  ]
  assert.deepEqual(traceRules(rules, stored, subject, 0), { logicalOperator: 'OR', rules: leaves(false), held: true })
  assert.deepEqual(traceRules(rules, delivery, subject, 0), { logicalOperator: 'OR', rules: leaves(true), held: false })
})

test('rules of nothing hold for nobody, so that damaged rules never reach everyone', () => {
  for (const logicalOperator of ['AND', 'OR'] as const) assert.equal(compileRules({ logicalOperator, rules: [] }, stored)(NOBODY, 0), false)
})

const runs = { seed: 20260301, numRuns: 1000 }
const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json)
const record = fc.dictionary(fc.string(), json).map((value) => JSON.parse(JSON.stringify(value)) as { [member: string]: Json })
/** Few names and plain values, so that rules and people meet. */
const near = fc.oneof(
  fc.constantFrom<Json>('a', 'ab', '', '1', 1, 0, true, false, null, '2026-02-28', '1.2'),
  fc.array(fc.constantFrom<Json>('a', 1)),
  json,
)
const field = fc.oneof(
  fc.constantFrom('customAttributes.a', 'customAttributes.banking', 'enrichment.a', 'industryProfile.banking.a', 'metadata.createdAt'),
  fc.constantFrom('consent.inApp', 'consent.push', 'lifecycle', 'currentLocation', 'behavioral.clicks', 'demographic.name', '__proto__.a'),
)
const leaf = fc.record({ field, operator: fc.constantFrom(...OPERATOR_NAMES), value: near }) as fc.Arbitrary<Leaf>
const { rule } = fc.letrec<{ rule: Rule }>((tie) => ({
  rule: fc.oneof(
    { depthSize: 'small', maxDepth: 6 },
    leaf,
    fc.record({ logicalOperator: fc.constantFrom('AND', 'OR'), conditions: fc.array(tie('rule'), { minLength: 1, maxLength: 4 }) }),
  ),
}))
const segment = fc.record({
  logicalOperator: fc.constantFrom('AND', 'OR'),
  rules: fc.array(rule, { minLength: 1, maxLength: 4 }),
}) as fc.Arbitrary<SegmentRules>
const members = fc.oneof(fc.dictionary(fc.constantFrom('a', 'banking', 'push', 'inApp', 'clicks', 'name', 'createdAt'), near), record, json)
const subject = fc.record({
  ...Object.fromEntries(Object.keys(NOBODY).map((part) => [part, members])),
  lifecycle: fc.option(fc.record({ createdAt: fc.integer(), lastActiveAt: fc.integer(), recentEvents: fc.nat() }), { nil: undefined }),
  currentLocation: fc.oneof(json, fc.record({ latitude: fc.double(), longitude: fc.double() })),
}) as unknown as fc.Arbitrary<Subject>

test('the compiled form, the one in steps and the traced one agree, always answer and never throw', () => {
  const answers = new Set<boolean>()
  fc.assert(
    fc.property(segment, subject, fc.integer(), fc.boolean(), (rules, person, now, onBlockPath) => {
      const options = { compileRegex, onBlockPath }
      const evaluate = compileRules(rules, options)
      const answer = evaluate(person, now)
      answers.add(answer)
      assert.equal(typeof answer, 'boolean')
      assert.equal(traceRules(rules, options, person, now).held, answer)
      assert.equal(runToEnd(compileInSteps(rules, options)(person, now)), answer)
      assert.equal(evaluate(person, now), answer)
    }),
    runs,
  )
  assert.equal(answers.size, 2)
})

test('both paths agree on rules without the three kinds that block delivery leaves out', () => {
  const isLeftOut = (leaf: Leaf): boolean => /^(enrichment\.|consent\.inApp)/.test(leaf.field) || leaf.operator === 'geo_radius'
  fc.assert(
    fc.property(leaf, subject, fc.integer(), (leaf, person, now) => {
      const [inFull, onBlocks] = [stored, delivery].map((options) => compileRules(one(leaf), options)(person, now))
      assert.equal(onBlocks, isLeftOut(leaf) ? false : inFull)
    }),
    runs,
  )
})

test('a negative operator is the complement of its positive one, for a missing field too (G-80)', () => {
  const found = fc.option(near, { nil: undefined })
  const holds = (operator: Operator, value: Json, of: Json | undefined): boolean => prepareTest(operator, value, compileRegex)(of, 0)
  const pairs: [Operator, Operator, fc.Arbitrary<Json>][] = [
    ['equals', 'not_equals', near],
    ['contains', 'not_contains', near],
    ['in', 'not_in', fc.array(near)],
    ['exists', 'not_exists', near],
    ['regex', 'not_regex', fc.constantFrom('', 'a', '^a', '\\d+', '[ab]{2}')],
  ]
  for (const [positive, negative, values] of pairs) {
    fc.assert(
      fc.property(found, values, (of, value) => assert.equal(holds(negative, value, of), !holds(positive, value, of))),
      runs,
    )
    fc.assert(
      fc.property(values, (value) => !holds(positive, value, undefined)),
      runs,
    )
  }
  const noArray = near.filter((value) => !Array.isArray(value))
  fc.assert(
    fc.property(found, noArray, (of, value) => !holds('in', value, of) && !holds('not_in', value, of)),
    runs,
  )
})

test('a text is numeric exactly when it matches the stated expression, and then is what number conversion gives (G-81)', () => {
  const stated = /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...Array.from('00123+-..eE \t٣x,')), maxLength: 8 }),
    fc.string(),
    fc.double().map(String),
  )
  fc.assert(
    fc.property(text, (text) => assert.equal(toNumber(text), stated.test(text) ? Number(text) : undefined)),
    { ...runs, numRuns: 10_000 },
  )
  fc.assert(
    fc.property(json, (value) => typeof value === 'string' || toNumber(value) === (typeof value === 'number' ? value : undefined)),
    runs,
  )
})

test('equality is that of the JSON values, whatever the order of members', () => {
  const shuffled = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(shuffled)
    if (typeof value !== 'object' || value === null) return value
    return JSON.parse(
      `{${Object.entries(value)
        .map(([key, inner]) => `${JSON.stringify(key)}:${JSON.stringify(shuffled(inner))}`)
        .toReversed()
        .join()}}`,
    ) as Json
  }
  fc.assert(
    fc.property(json, (value) => isEqual(value, shuffled(value)) && isEqual(shuffled(value), value)),
    runs,
  )
  fc.assert(
    fc.property(near, near, (a, b) => assert.equal(isEqual(a, b), isDeepStrictEqual(a, b))),
    runs,
  )
})

test('versions are totally ordered, and by their numbers first', () => {
  const part = fc.constantFrom('0', '1', '2', '10', '010')
  const preRelease = fc.array(fc.constantFrom('alpha', 'beta', '1', '2', '10', 'x-y'), { maxLength: 3 })
  const version = fc
    .tuple(fc.array(part, { minLength: 1, maxLength: 4 }), preRelease)
    .map(([numbers, pre]) => `${numbers.join('.')}${pre.length > 0 ? `-${pre.join('.')}` : ''}`)
  const order = (a: string, b: string): number => Math.sign(compareVersions(parseVersion(a)!, parseVersion(b)!))
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      assert.equal(order(a, b) + order(b, a), 0)
      assert.equal(order(a, a), 0)
      if (order(a, b) >= 0 && order(b, c) >= 0) assert.ok(order(a, c) >= 0)
    }),
    runs,
  )
  const numbers = fc.array(fc.nat(30), { minLength: 3, maxLength: 3 })
  const weight = ([major = 0, minor = 0, patch = 0]: number[]): number => major * 10_000 + minor * 100 + patch
  fc.assert(
    fc.property(numbers, numbers, (a, b) => order(a.join('.'), b.join('.')) === Math.sign(weight(a) - weight(b))),
    runs,
  )
})

test('every person is in exactly one stage at any time, and only time can end being new', () => {
  const facts = fc.record({ createdAt: fc.nat(1e12), lastActiveAt: fc.nat(1e12), recentEvents: fc.nat(40) })
  fc.assert(
    fc.property(facts, fc.nat(1e12), fc.nat(1e12), (facts, now, later) => {
      const stage = lifecycleStage(facts, now)
      assert.ok(LIFECYCLE_STAGES.includes(stage))
      if (stage !== 'new') assert.notEqual(lifecycleStage(facts, now + later), 'new')
    }),
    runs,
  )
})
