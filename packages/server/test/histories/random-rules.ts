/** Random rules and random people, full of the values that two evaluators may read in two ways. */
import fc from 'fast-check'
import type { Json } from '@contentflow/core/blocks/field.ts'
import { INDUSTRY_CATEGORIES } from '@contentflow/core/targeting/fields.ts'
import { OPERATOR_NAMES, type Operator } from '@contentflow/core/targeting/operators.ts'
import type { Leaf, Rule, SegmentRules } from '@contentflow/core/targeting/rule.ts'

/** The moment everything is judged at. */
export const NOW = Date.parse('2026-07-31T12:00:00.000Z')
const DAY = 86_400_000

const WORDS = [
  '',
  ' ',
  'a',
  'A',
  'ab',
  'Golden',
  'gold',
  'مرحبا',
  'é',
  'e\u0301',
  '😀',
  '😀b',
  'a\u00a0b',
  "'",
  '"',
  '\\',
  '%',
  '_',
  '{}',
  'null',
]
const NUMBER_TEXTS = [
  '30',
  '30.0',
  ' 30 ',
  '\u00a030\ufeff',
  '+5',
  '-5',
  '.5',
  '5.',
  '1e3',
  '1E-3',
  '1e400',
  '-1e400',
  '1e-400',
  '0e999999999999',
  '1e99999',
  '-1e99999',
  '1e-99999',
  '1e00000000000000000002',
  '1.7976931348623158e308',
  '1.7976931348623159e308',
  '4.9e-324',
  '2.4e-324',
  '9007199254740993',
  '0.1000000000000000055',
  '0x1A',
  '1,000',
  'Infinity',
  'NaN',
  '1_000',
  '٣٠',
  '30\n',
  'e5',
  '.',
  `1${'0'.repeat(999)}`,
  `1${'0'.repeat(1000)}`,
  `0.${'0'.repeat(900)}1`,
]
const TIMES = [
  '2026-07-31',
  '2026-07-31T12:00',
  '2026-07-31T12:00:00.000Z',
  '2026-07-30T12:00:00Z',
  '2026-07-31T14:00:00+02:00',
  '2026-07-31T14:00:00.123456789+0200',
  '2026-02-30',
  '2024-02-29',
  '1900-02-29',
  '2000-02-29T24:00',
  '2026-07-31T24:00:01',
  '2026-07-31T25:00',
  '2026-07-31T12:60',
  '2026-07-31T12:00+24:00',
  '2026-07-31T12:00-2359',
  '0000-01-01',
  '0000-01-01T00:00+01:00',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59-01:00',
  '2026-13-01',
  '2026-7-1',
  '2026-07-31 12:00',
  '31.07.2026',
]
const VERSIONS = [
  '2.10.0',
  '2.9',
  'v2.10',
  '2',
  '02.010',
  '2.10.0.0.0',
  '2.10.0-beta',
  '2.10.0-beta.2',
  '2.10.0-beta.10',
  '2.10.0-1',
  '2.10.0-01',
  '2.10.0-Beta',
  '2.10.0-',
  '2..1',
  'v',
  '2.10.0+build',
  '99999999999999999999999.1',
  '-1',
]
const NUMBERS = [0, -0, 1, -1, 30, 30.5, 0.1, 1e21, 1e-7, 1e308, -1e308, 5e-324, 2 ** 53, 2.1, 2.9, 20, 19.999999999999996]
const PLACES = [
  { latitude: 24.7136, longitude: 46.6753 },
  { latitude: 24.7, longitude: 46.7 },
  { latitude: 90, longitude: 180 },
  { latitude: -90, longitude: -180 },
  { latitude: 0, longitude: 0 },
  { latitude: 1e-300, longitude: -1e-300 },
  { latitude: 91, longitude: 0 },
  { latitude: '24.7', longitude: 46.7 },
  { latitude: 24.7 },
]

const plain = fc.oneof(
  fc.constantFrom<Json>(null, true, false),
  fc.constantFrom(...NUMBERS),
  fc.constantFrom(...WORDS, ...NUMBER_TEXTS, ...TIMES, ...VERSIONS),
)
const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { weight: 8, arbitrary: plain },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.dictionary(fc.constantFrom('a', 'b', '0', 'constructor'), tie('value'), { maxKeys: 3 }) },
  ),
}))

const TRAITS = ['t', 'u', 'constructor', 'retail']
const FIELDS = [
  ...TRAITS.flatMap((name) => Array.from({ length: 4 }, () => `customAttributes.${name}`)),
  'industryProfile.retail',
  'industryProfile.retail.a',
  'industryProfile.retail.a.0',
  'industryProfile.retail.a.b',
  'industryProfile.travel.constructor',
  'enrichment.score',
  'enrichment.اسم',
  ...['name', 'email', 'phone', 'country', 'language'].map((name) => `demographic.${name}`),
  ...['impressions', 'clicks', 'conversions', 'dismissals', 'eventsTotal', 'lastActiveDays'].map((name) => `behavioral.${name}`),
  ...['platform', 'sdkVersion', 'locale'].map((name) => `device.${name}`),
  ...['push', 'sms', 'inApp', 'marketing', 'analytics'].map((name) => `consent.${name}`),
  ...['country', 'region', 'city'].map((name) => `location.${name}`),
  ...['createdAt', 'lastSeenAt', 'environment'].map((name) => `metadata.${name}`),
  'currentLocation',
  'currentLocation.point',
  'currentLocation.latitude',
  'currentLocation.at',
  'lifecycle',
  'demographic.age',
  'metadata.source',
  'currentLocation.point.latitude',
]
const PATTERNS = ['^a', 'b$', '\\d+', '^\\s*$', 'م', '^.$', '(?i:GOLD)', '[^a]', '^(2026|9999)-', '(']

const circle = fc
  .record({ place: fc.constantFrom(...PLACES), radiusMeters: fc.constantFrom(1, 1_000, 5_000.5, 1_000_000, 1e300) })
  .map(({ place, radiusMeters }): Json => ({ ...place, radiusMeters }))

/** A value that now and then suits the operator. */
function valueFor(operator: Operator, field: string): fc.Arbitrary<Json> {
  const near =
    field === 'lifecycle'
      ? fc.constantFrom<Json>('new', 'churned', 'dormant', 'at-risk', 'engaged', 'active')
      : field === 'metadata.environment'
        ? fc.constantFrom<Json>('live', 'test')
        : json
  switch (operator) {
    case 'in':
    case 'not_in':
      return fc.oneof({ weight: 5, arbitrary: fc.array(near, { maxLength: 6 }) }, { weight: 1, arbitrary: near })
    case 'between':
      return fc.oneof({ weight: 5, arbitrary: fc.tuple(json, json).map(([a, b]): Json => [a, b]) }, { weight: 1, arbitrary: json })
    case 'regex':
    case 'not_regex':
      return fc.constantFrom(...PATTERNS)
    case 'geo_radius':
      return circle
    case 'days_ago':
      return fc.constantFrom<Json>(0, 1, 0.5, 30, '30', 400, 1e300, 'x')
    default:
      return near
  }
}

const leaf: fc.Arbitrary<Rule> = fc.constantFrom(...OPERATOR_NAMES).chain((operator) => {
  const fields = operator === 'geo_radius' ? fc.constantFrom('currentLocation', 'currentLocation.point', 'customAttributes.t') : undefined
  return (fields ?? fc.constantFrom(...FIELDS)).chain((field) =>
    valueFor(operator, field).map((value): Leaf => ({ field, operator, value })),
  )
})
const { rules: group } = fc.letrec<{ rules: SegmentRules; rule: Rule }>((tie) => ({
  rules: fc.record({ logicalOperator: fc.constantFrom('AND', 'OR'), rules: fc.array(tie('rule'), { minLength: 1, maxLength: 3 }) }),
  rule: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    tie('rules').map(({ logicalOperator, rules }): Rule => ({ logicalOperator, conditions: rules })),
  ),
}))
/** Single leaves say most; groups only join them. */
export const segment: fc.Arbitrary<SegmentRules> = fc.oneof(
  { weight: 3, arbitrary: leaf.map((rule): SegmentRules => ({ logicalOperator: 'AND', rules: [rule] })) },
  { weight: 1, arbitrary: group },
)

const text = fc.option(fc.constantFrom(...WORDS, ...NUMBER_TEXTS, ...TIMES, ...VERSIONS), { freq: 4 })
const members = (names: readonly string[], value: fc.Arbitrary<Json> = json) =>
  fc.dictionary(fc.constantFrom(...names), value, { maxKeys: names.length }).map((found) => JSON.stringify(found))
const age = fc.oneof(
  fc.constantFrom(0, 1, 29 * DAY, 30 * DAY, 30 * DAY + 1, 60 * DAY, 60 * DAY + 1, 90 * DAY, 90 * DAY + 1, -DAY),
  fc.nat(200 * DAY),
)
const time = age.map((ms) => new Date(NOW - ms))

/** Columns of profiles. */
export const person = fc.record({
  environment: fc.constantFrom('live', 'test'),
  user_id: fc.uuid(),
  name: text,
  email: text,
  phone: text,
  country: text,
  language: text,
  platform: text,
  sdk_version: text,
  locale: text,
  traits: members(TRAITS),
  analytics: fc.option(fc.boolean()),
  industry: members(INDUSTRY_CATEGORIES.slice(3, 5)),
  enrichment: members(['score', 'اسم']),
  channels: members(['push', 'sms', 'inApp', 'marketing'], fc.boolean()),
  location: members(['country', 'region', 'city'], fc.constantFrom(...WORDS)),
  current_location: fc.option(
    fc
      .record({ place: fc.constantFrom(...PLACES), at: fc.constantFrom(...TIMES) })
      .map(({ place, at }) => JSON.stringify({ ...place, at })),
  ),
  behavioral: members(['impressions', 'clicks', 'conversions', 'lastActiveDays'], fc.oneof(fc.constantFrom<Json>(...NUMBERS), json)),
  recent_events: fc.constantFrom<number>(0, 2, 3, 19, 20, 1000),
  last_active_at: fc.option(time),
  last_seen_at: fc.option(time),
  created_at: time,
})
export type Person = typeof person extends fc.Arbitrary<infer T> ? T : never
