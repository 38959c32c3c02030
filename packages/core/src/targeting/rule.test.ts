import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FIELD_PREFIXES, FIXED_FIELDS, INDUSTRY_CATEGORIES, isKnownField, parseField } from './fields.ts'
import { OPERATOR_NAMES } from './operators.ts'
import { parseRules, RULE_LIMITS } from './rule.ts'
import { VALUE_LIMITS } from './rule-value.ts'
import { fieldReader, NOBODY } from './subject.ts'

function isRegexValid(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u')
    return undefined
  } catch {
    return 'unbalanced'
  }
}
const parse = (input: unknown): ReturnType<typeof parseRules> => parseRules(input, isRegexValid)
const ok = (rule: unknown): void => {
  const input = { logicalOperator: 'AND', rules: [rule] }
  assert.deepEqual(parse(input), { ok: true, value: input }, JSON.stringify(rule).slice(0, 100))
}
/** Refused with a text that says where and why. */
const refused = (rule: unknown, why: RegExp): void => {
  const parsed = parse({ logicalOperator: 'AND', rules: [rule] })
  assert.equal(parsed.ok, false, JSON.stringify(rule)?.slice(0, 100))
  if (!parsed.ok) assert.match(parsed.error, why)
}
const leaf = { field: 'customAttributes.a', operator: 'exists' }
const on = (field: unknown): object => ({ field, operator: 'exists' })
const by = (operator: unknown, value?: unknown): object => ({
  field: 'customAttributes.a',
  operator,
  ...(value === undefined ? {} : { value }),
})
const nested = (groups: number, inner: unknown = leaf): unknown =>
  groups === 0 ? inner : { logicalOperator: 'OR', conditions: [nested(groups - 1, inner)] }

test('a segment is an operator and a list of at least one rule', () => {
  for (const [input, why] of [
    [undefined, /must be an object/],
    [null, /must be an object/],
    [[leaf], /must be an object/],
    ['x', /must be an object/],
    [{ rules: [leaf] }, /^logicalOperator must be AND or OR$/],
    [{ logicalOperator: 'XOR', rules: [leaf] }, /^logicalOperator must be AND or OR$/],
    [{ logicalOperator: 'and', rules: [leaf] }, /^logicalOperator must be AND or OR$/],
    [{ logicalOperator: ['AND'], rules: [leaf] }, /^logicalOperator must be AND or OR$/],
    [{ logicalOperator: 'AND' }, /^rules must be an array of at least one rule$/],
    [{ logicalOperator: 'AND', rules: [] }, /^rules must be an array of at least one rule$/],
    [{ logicalOperator: 'AND', rules: leaf }, /^rules must be an array of at least one rule$/],
    [{ logicalOperator: 'AND', rules: { 0: leaf, length: 1 } }, /^rules must be an array of at least one rule$/],
  ] as const) {
    const parsed = parse(input)
    assert.equal(parsed.ok, false, JSON.stringify(input))
    if (!parsed.ok) assert.match(parsed.error, why)
  }
  for (const logicalOperator of ['AND', 'OR']) assert.equal(parse({ logicalOperator, rules: [leaf, leaf] }).ok, true)
})

test('members that do not belong to the rules are left out', () => {
  const parsed = parse({
    name: 'Gold',
    logicalOperator: 'OR',
    rules: [
      { ...leaf, id: 7 },
      { logicalOperator: 'AND', conditions: [leaf], label: 'x' },
    ],
  })
  assert.deepEqual(parsed, { ok: true, value: { logicalOperator: 'OR', rules: [leaf, { logicalOperator: 'AND', conditions: [leaf] }] } })
})

test('a rule is either a leaf or a group', () => {
  for (const rule of [
    null,
    1,
    'x',
    true,
    [],
    [leaf],
    {},
    { value: 1 },
    { ...leaf, conditions: [leaf] },
    { logicalOperator: 'AND', ...leaf },
  ])
    refused(rule, /^rules\[0\]: must be either \{field, operator, value\} or \{logicalOperator, conditions\}$/)
  for (const group of [{ logicalOperator: 'AND' }, { logicalOperator: 'AND', conditions: [] }, { logicalOperator: 'OR', conditions: leaf }])
    refused(group, /^rules\[0\]: conditions must be an array of at least one rule$/)
  for (const logicalOperator of [undefined, null, 'XOR', 'or', 'NOT', 1])
    refused({ logicalOperator, conditions: [leaf] }, /^rules\[0\]: logicalOperator must be AND or OR$/)
})

test('a fault is reported where it is', () => {
  const deep = { logicalOperator: 'AND', conditions: [leaf, leaf, { logicalOperator: 'OR', conditions: [leaf, by('like', 1)] }] }
  const parsed = parse({ logicalOperator: 'AND', rules: [leaf, deep] })
  const reason = `operator must be one of ${OPERATOR_NAMES.join(', ')}`
  assert.deepEqual(parsed, {
    ok: false,
    error: `rules[1].conditions[2].conditions[1]: ${reason}`,
    at: { path: [1, 2, 1], reason },
  })
})

test('six groups may lie inside each other, a seventh is refused (A-61, M13)', () => {
  for (const groups of [1, 5, 6]) ok(nested(groups))
  for (const groups of [7, 8, 50]) refused(nested(groups), /^rules\[0\](\.conditions\[0\]){6}: groups nest at most 6 levels deep$/)
  ok({ logicalOperator: 'AND', conditions: [nested(5), nested(5)] })
  assert.equal(RULE_LIMITS.levels, 6)
})

test('a rule a hundred thousand groups deep is refused like the seventh', () => {
  let rule: unknown = leaf
  for (let i = 0; i < 100_000; i++) rule = { logicalOperator: 'AND', conditions: [rule] }
  const parsed = parse({ logicalOperator: 'AND', rules: [rule] })
  assert.equal(parsed.ok, false)
})

test('a segment has at most 500 conditions, wherever they stand (M13)', () => {
  const many = (count: number): object => ({ logicalOperator: 'OR', conditions: Array.from({ length: count }, () => leaf) })
  ok(many(500))
  refused(many(501), /^rules\[0\]\.conditions\[500\]: a segment has at most 500 conditions$/)
  refused({ logicalOperator: 'AND', conditions: [many(300), many(201)] }, /conditions\[1\]\.conditions\[200\]: a segment has at most 500/)
  refused(many(10_000), /at most 500 conditions/)
})

test('fields that exist are accepted (G-78)', () => {
  for (const [prefix, members] of Object.entries(FIXED_FIELDS)) for (const member of members) ok(on(`${prefix}.${member}`))
  for (const category of INDUSTRY_CATEGORIES) ok(on(`industryProfile.${category}.tier`))
  for (const field of [
    'lifecycle',
    'currentLocation',
    'customAttributes.plan',
    'customAttributes.A_9',
    'customAttributes.constructor',
    'customAttributes.prototype',
    'customAttributes.banking',
    `customAttributes.${'k'.repeat(64)}`,
    'enrichment.tier',
    'enrichment._a',
    'enrichment.9 b-c',
    'enrichment.constructor',
    'enrichment.فئة العميل',
    `enrichment.${'k'.repeat(64)}`,
    'industryProfile.banking',
    'industryProfile.food_delivery.address.city',
    "industryProfile.retail.x'; DROP TABLE people; --",
    'industryProfile.retail.فئة',
  ])
    ok(on(field))
})

const impossible = {
  shape: ['', null, undefined, 5, ['customAttributes.a'], {}],
  prefix: [
    'foo.bar',
    'foo',
    '.',
    '..',
    '__proto__.x',
    'constructor.name',
    'toString',
    'traits.a',
    'CustomAttributes.a',
    ' customAttributes.a',
  ],
  trait: ['', '.', '.a.b', '.a-b', '.$a', '.a ', '.a\n', '.فئة', '.__proto__', ".x'; DROP", `.${'k'.repeat(65)}`].map(
    (key) => `customAttributes${key}`,
  ),
  attribute: ['', '.', '.a.b', '.-a', '. a', '.$a', '.a\n', '.__proto__', ".x'; DROP", '.a"b', `.${'k'.repeat(65)}`].map(
    (name) => `enrichment${name}`,
  ),
  industry: ['', '.', '.banking.', '.banking..x', '.banking.__proto__', `.retail.${'k'.repeat(300)}`].map(
    (path) => `industryProfile${path}`,
  ),
  member: ['demographic', 'demographic.', 'device..x', 'metadata.__proto__', 'behavioral', 'consent.', 'location'],
  whole: ['lifecycle.stage', 'lifecycle.', 'currentLocation.'],
}

test('fields that can never hold anything are refused (A-21, M14)', () => {
  for (const field of Object.values(impossible).flat()) refused(on(field), /^rules\[0\]: field (must|has|lifecycle) /)
  refused(on('foo.bar'), new RegExp(`field must begin with one of ${FIELD_PREFIXES.join(', ')}$`))
})

test('under a prefix any member may be named, and nobody has one that is not known (C-SEG-16, C-SEG-17)', () => {
  const names = ['demographic.age', 'demographic.email.x', 'demographic.constructor', 'device.os', 'behavioral.opens', 'location.zip']
  const others = ['consent.fax', 'consent.inapp', 'metadata.source', 'currentLocation.city', 'currentLocation.point.latitude']
  for (const field of [...names, ...others, 'industryProfile.gaming.x', 'industryProfile.constructor']) {
    ok(on(field))
    const target = parseField(field)
    assert.ok(target.ok && !isKnownField(target.value), field)
    assert.equal(fieldReader(target.value)({ ...NOBODY, demographic: { email: 'a@b.example' } }, 0), undefined, field)
  }
})

test('all 24 operators are accepted and no other', () => {
  const values: { [operator: string]: unknown } = {
    between: [1, 2],
    in: ['a'],
    not_in: ['a'],
    date_after: '2026-01-01',
    date_before: '2026-01-01T00:00:00Z',
    days_ago: 7,
    geo_radius: { latitude: 24.7, longitude: 46.7, radiusMeters: 5000 },
    app_version_gte: '2.9.0',
  }
  assert.equal(OPERATOR_NAMES.length, 24)
  for (const operator of OPERATOR_NAMES) ok(by(operator, values[operator] ?? '1'))
  for (const operator of ['exists', 'not_exists', 'is_true', 'is_false']) ok(by(operator))
  for (const operator of [
    'like',
    'EQUALS',
    'equal',
    '',
    ' equals',
    'constructor',
    '__proto__',
    'toString',
    undefined,
    null,
    5,
    ['equals'],
    {},
  ])
    refused(by(operator, 1), /^rules\[0\]: operator must be one of equals, /)
})

test('an operator that compares needs a value, and null is one', () => {
  for (const operator of OPERATOR_NAMES.filter((name) => !/exists|is_/.test(name)))
    refused(by(operator), new RegExp(`value is required for ${operator}$`))
  ok(by('equals', null))
  ok(by('in', [null]))
})

test('a value that the documents call no match is kept, and never matches', () => {
  for (const value of [[1], [1, 2, 3], [], 1, 'x', null, [20, 10], ['a', 'b']]) ok(by('between', value))
  for (const value of ['a', 1, null, { a: 1 }, []]) for (const operator of ['in', 'not_in']) ok(by(operator, value))
  for (const value of ['abc', '', null, true, [1], {}]) ok(by('greater_than', value))
  for (const value of [5, null, ['a'], {}]) for (const operator of ['contains', 'starts_with', 'ends_with']) ok(by(operator, value))
  for (const value of ['latest', '', null, {}]) ok(by('app_version_gte', value))
})

test('a value without any meaning is refused', () => {
  for (const value of ['soon', '', '2026-02-30', 1772000000000, null, ['2026-01-01']])
    for (const operator of ['date_after', 'date_before'])
      refused(by(operator, value), /^rules\[0\]: value must be an ISO 8601 date or time$/)
  for (const value of [-1, '-1', 'x', '', null, [7]])
    refused(by('days_ago', value), /^rules\[0\]: value must be a number of days, 0 or more$/)
  for (const value of [0, '7', 0.5, 36500]) ok(by('days_ago', value))
  const circle = { latitude: 24.7, longitude: 46.7, radiusMeters: 5000 }
  const without = [
    null,
    'x',
    [24.7, 46.7, 5000],
    {},
    { latitude: 24.7, longitude: 46.7 },
    { ...circle, radiusMeters: 0 },
    { ...circle, radiusMeters: '5000' },
  ]
  for (const value of [...without, { ...circle, latitude: 90.1 }, { ...circle, longitude: -180.1 }, { ...circle, latitude: '24.7' }])
    refused({ field: 'currentLocation', operator: 'geo_radius', value }, /^rules\[0\]: value must be \{latitude, longitude, radiusMeters\}/)
  for (const field of ['currentLocation', 'currentLocation.point']) ok({ field, operator: 'geo_radius', value: circle })
})

test('a pattern is checked by the engine that will run it, and has at most 500 characters (G-79, M12)', () => {
  for (const operator of ['regex', 'not_regex']) {
    ok(by(operator, '^ab\\d+$'))
    ok(by(operator, 'x'.repeat(500)))
    ok(by(operator, '😀'.repeat(500)))
    refused(by(operator, 'x'.repeat(501)), /^rules\[0\]: value must have at most 500 characters$/)
    refused(by(operator, '('), /^rules\[0\]: value is not a usable regular expression: unbalanced$/)
    for (const value of [5, null, true, ['a'], {}])
      refused(by(operator, value), /^rules\[0\]: value must be a regular expression in a string$/)
  }
  let asked = 0
  const parsed = parseRules({ logicalOperator: 'AND', rules: [by('regex', 'x'.repeat(100_000))] }, () => {
    asked++
    return undefined
  })
  assert.equal(parsed.ok, false)
  assert.equal(asked, 0, 'an over-long pattern is not even shown to the engine')
})

test('values are bounded in size, members and depth (M13)', () => {
  const list = (length: number): string[] => Array.from({ length }, (_, i) => `user-${i}`)
  const depth = (levels: number): unknown => (levels === 0 ? 1 : [depth(levels - 1)])
  for (const operator of ['in', 'not_in']) {
    ok(by(operator, list(VALUE_LIMITS.members)))
    refused(by(operator, list(VALUE_LIMITS.members + 1)), /^rules\[0\]: value must have at most 1000 members$/)
    refused(by(operator, ['x'.repeat(VALUE_LIMITS.size + 1)]), /^rules\[0\]: value is too large or nested too deeply$/)
    ok(by(operator, ['x'.repeat(VALUE_LIMITS.size)]))
  }
  refused(by('in', list(1_000_000)), /at most 1000 members/)
  for (const value of ['x'.repeat(4097), list(1000), { a: 'x'.repeat(4096) }, { ['k'.repeat(5000)]: 1 }, depth(100), depth(5000)])
    refused(by('equals', value), /^rules\[0\]: value is too large or nested too deeply$/)
  for (const value of ['x'.repeat(4096), list(100), depth(60)]) ok(by('equals', value))
  refused(by('exists', 'x'.repeat(4097)), /too large/)
})

test('whatever is sent, reading never throws, and what it accepts reads back as itself', () => {
  const word = fc.constantFrom('AND', 'OR', 'equals', 'in', 'regex', 'geo_radius', 'customAttributes.a', 'lifecycle', '(', '')
  const { node } = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', maxDepth: 5 },
      word,
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom('logicalOperator', 'rules', 'conditions', 'field', 'operator', 'value'), tie('node')),
      fc.record({ logicalOperator: word, conditions: fc.array(tie('node')) }),
      fc.record({ logicalOperator: fc.constantFrom('AND', 'OR'), rules: fc.array(tie('node')) }),
      fc.record({ field: word, operator: word, value: tie('node') }),
      fc.record({
        field: fc.constantFrom('customAttributes.a', 'lifecycle'),
        operator: fc.constantFrom('equals', 'in', 'exists'),
        value: fc.jsonValue(),
      }),
    ),
  }))
  let accepted = 0
  const segment = fc.record({ logicalOperator: fc.constantFrom('AND', 'OR'), rules: fc.array(node, { maxLength: 2 }) })
  fc.assert(
    fc.property(fc.oneof(node, segment), (input) => {
      const parsed = parse(input)
      if (parsed.ok) {
        accepted++
        assert.deepEqual(parse(parsed.value), parsed)
      } else assert.ok(parsed.error.length > 0)
    }),
    { seed: 20260301, numRuns: 2000 },
  )
  assert.ok(accepted > 50, String(accepted))
})
