/** The rules in SQL against the rules in memory: every pair of a random rule and a random person, and the cases of core. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { Json } from '@contentflow/core/blocks/field.ts'
import { compileRules } from '@contentflow/core/targeting/evaluate.ts'
import { INDUSTRY_CATEGORIES } from '@contentflow/core/targeting/fields.ts'
import { OPERATOR_NAMES, type Operator } from '@contentflow/core/targeting/operators.ts'
import type { Leaf, Rule, SegmentRules } from '@contentflow/core/targeting/rule.ts'
import type { Subject } from '@contentflow/core/targeting/subject.ts'
import { startApp } from '../../../test/start-app.ts'
import { subjectOf, type ProfileRow } from '../people/index.ts'
import { listTexts, type People } from './queries-membership.ts'
import { listPatterns, rulesInSql } from './queries-rules.ts'
import { compileRegex } from './regex.ts'

const { ctx, workspace } = await startApp()

const NOW = Date.parse('2026-07-31T12:00:00.000Z')
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
  ...['currentLocation', 'currentLocation.point', 'currentLocation.latitude', 'currentLocation.at'],
  'lifecycle',
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
const segment: fc.Arbitrary<SegmentRules> = fc.oneof(
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

const person = fc.record({
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
type Person = typeof person extends fc.Arbitrary<infer T> ? T : never

async function insertPeople(workspaceId: string, people: readonly Partial<Person>[]): Promise<void> {
  const defaults = { environment: 'live', created_at: new Date(NOW) }
  for (let at = 0; at < people.length; at += 100) {
    const rows = people.slice(at, at + 100).map((given, index) => ({
      user_id: `${at + index}`,
      ...defaults,
      ...given,
      workspace_id: workspaceId,
      id: `p${String(at + index).padStart(6, '0')}`,
      updated_at: new Date(NOW),
    }))
    await ctx.db.insertInto('profiles').values(rows).execute()
  }
}

const peopleOf = (workspaceId: string, environment: 'live' | 'test'): People => ({ workspaceId, environment, after: '', limit: 10_000 })

/** For every rule the ids of those it holds for, by one statement. */
async function holdersInSql(workspaceId: string, rules: readonly SegmentRules[], now: number): Promise<Set<string>[]> {
  const matching = new Map<Leaf, string[]>()
  for (const rule of rules.flatMap((each) => listPatterns(each.rules))) {
    const search = compileRegex(String(rule.value))
    if (!search) continue
    const texts = await Promise.all((['live', 'test'] as const).map((name) => listTexts(ctx.db, rule, peopleOf(workspaceId, name), now)))
    matching.set(
      rule,
      texts.flat().filter((found) => search(found)),
    )
  }
  const columns = rules.map((rule, i) => sql`${rulesInSql(rule, { now, matching: (of) => matching.get(of) })} as ${sql.ref(`c${i}`)}`)
  const { rows } = await sql<Record<string, unknown>>`
    select p.id, ${sql.join(columns)} from profiles p where p.workspace_id = ${workspaceId}`.execute(ctx.db)
  return rules.map((rule, i) => {
    for (const row of rows) assert.equal(typeof row[`c${i}`], 'boolean', JSON.stringify(rule))
    return new Set(rows.filter((row) => row[`c${i}`] === true).map((row) => String(row['id'])))
  })
}

async function readProfiles(workspaceId: string): Promise<ProfileRow[]> {
  return ctx.db.selectFrom('profiles').selectAll().where('workspace_id', '=', workspaceId).orderBy('id').execute()
}

test('C-SEG-19 M-SEG-08 rules mean the same in SQL and in memory, for random rules over random people', async () => {
  const { id } = await workspace()
  const seed = Number(process.env['CF_TEST_SEED'] ?? Date.now() % 2 ** 31)
  await insertPeople(id, fc.sample(person, { numRuns: 200, seed }))
  const profiles = await readProfiles(id)
  const subjects = profiles.map((profile) => subjectOf(profile, NOW))
  const segments = fc.sample(segment, { numRuns: 1_000, seed: seed + 1 })
  let held = 0
  for (let at = 0; at < segments.length; at += 50) {
    const batch = segments.slice(at, at + 50)
    const holders = await holdersInSql(id, batch, NOW)
    for (const [i, rules] of batch.entries()) {
      const evaluate = compileRules(rules, { compileRegex })
      for (const [number, subject] of subjects.entries()) {
        const profile = profiles[number]!
        const expected = evaluate(subject, NOW)
        if (expected) held++
        if (holders[i]?.has(profile.id) === expected) continue
        const [rule, about] = [JSON.stringify(rules), JSON.stringify(profile)]
        assert.fail(`CF_TEST_SEED=${seed}: in memory ${expected}, in SQL ${!expected}\n${rule}\n${about}`)
      }
    }
  }
  const pairs = segments.length * subjects.length
  assert.ok(pairs >= 20_000 && held > pairs / 20 && held < pairs * 0.95, `${held} of ${pairs} held`)
})

test('times, numbers and versions in random text are read in SQL as in memory', async () => {
  const { id } = await workspace()
  const seed = Number(process.env['CF_TEST_SEED'] ?? Date.now() % 2 ** 31)
  const digits = (most: number) => fc.nat(most).map(String)
  const two = fc.nat(65).map((number) => String(number).padStart(2, '0'))
  const isoLike = fc
    .tuple(fc.constantFrom('2023', '2024', '1900', '2000', '0000', '9999'), fc.nat(14), fc.nat(33), two, two, two, fc.nat(26), fc.nat(6))
    .map(([year, month, day, hour, minute, second, zone, form]) => {
      const date = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
      const tail = ['', 'Z', `+${String(zone).padStart(2, '0')}:30`, `-${String(zone).padStart(2, '0')}00`][form % 4]
      return form === 6
        ? date
        : `${date}T${Number(hour) > 30 ? '24' : hour}:${minute}${form > 2 ? `:${second}` : ''}${form > 4 ? '.5009' : ''}${tail}`
    })
  const numberLike = fc
    .tuple(
      fc.constantFrom('', '+', '-', ' '),
      digits(99_999),
      fc.constantFrom('', '.', '.5', '.000'),
      fc.option(fc.integer({ min: -400, max: 400 })),
    )
    .map(([sign, whole, fraction, exponent]) => `${sign}${whole}${fraction}${exponent === null ? '' : `e${exponent}`}`)
  const part = fc.oneof(digits(12), fc.constantFrom('00', '010'))
  const versionLike = fc
    .tuple(
      fc.array(part, { minLength: 1, maxLength: 4 }),
      fc.option(fc.array(fc.oneof(part, fc.constantFrom('a', 'B', 'rc-1')), { minLength: 1, maxLength: 3 })),
    )
    .map(([numbers, pre]) => numbers.join('.') + (pre ? `-${pre.join('.')}` : ''))
  const sample = (texts: fc.Arbitrary<string>, numRuns: number) => fc.sample(texts, { numRuns, seed })
  const operators: [fc.Arbitrary<string>, Operator[]][] = [
    [isoLike, ['date_after', 'date_before']],
    [numberLike, ['greater_than', 'less_than_or_equal']],
    [versionLike, ['app_version_gte']],
  ]
  for (const [texts, names] of operators) {
    const [found, bounds] = [sample(texts, 250), sample(texts, 310).slice(250)]
    const { id: own } = await workspace()
    await insertPeople(
      own,
      found.map((each) => ({ industry: JSON.stringify({ retail: { a: each } }) })),
    )
    const rules = bounds.flatMap((value) =>
      names.map((operator): SegmentRules => ({ logicalOperator: 'AND', rules: [{ field: 'industryProfile.retail.a', operator, value }] })),
    )
    const holders = await holdersInSql(own, rules, NOW)
    const profiles = await readProfiles(own)
    for (const [i, each] of rules.entries()) {
      const evaluate = compileRules(each, { compileRegex })
      for (const profile of profiles)
        assert.equal(
          holders[i]?.has(profile.id),
          evaluate(subjectOf(profile, NOW), NOW),
          `CF_TEST_SEED=${seed} ${JSON.stringify([each.rules, profile.industry])}`,
        )
    }
  }
  assert.ok(id)
})

type Case = [name: string, rule: Rule, subject: Partial<Subject>, now: string | null, expected: boolean]
const cases = JSON.parse(readFileSync(new URL('../../../../core/src/targeting/cases.json', import.meta.url), 'utf8')) as Case[]

const DEVICE_COLUMNS = { platform: 'platform', sdkVersion: 'sdk_version', locale: 'locale' } as const
const rename = (device: Subject['device'] = {}): Partial<Person> =>
  Object.fromEntries(Object.entries(device).map(([name, value]) => [DEVICE_COLUMNS[name as keyof typeof DEVICE_COLUMNS], value]))

/** The columns that `subjectOf` makes the subject from; undefined for one that no profile can be. */
function toColumns({
  traits,
  demographic,
  behavioral,
  device,
  consent,
  location,
  metadata,
  enrichment,
  industryProfile,
  lifecycle,
  currentLocation,
}: Partial<Subject>): Partial<Person> | undefined {
  const { lastActiveDays, ...counts } = behavioral ?? {}
  const { analytics = null, ...channels } = consent ?? {}
  const texts = { ...demographic, ...rename(device) }
  if (Object.values(texts).some((value) => typeof value !== 'string')) return undefined
  if ((analytics !== null && typeof analytics !== 'boolean') || metadata || lastActiveDays !== undefined) return undefined
  return {
    ...texts,
    traits: JSON.stringify(traits ?? {}),
    behavioral: JSON.stringify(counts),
    channels: JSON.stringify(channels),
    analytics,
    location: JSON.stringify(location ?? {}),
    enrichment: JSON.stringify(enrichment ?? {}),
    industry: JSON.stringify(industryProfile ?? {}),
    current_location: currentLocation === undefined ? null : JSON.stringify(currentLocation),
    ...(lifecycle && {
      created_at: new Date(lifecycle.createdAt),
      last_active_at: lifecycle.lastActiveAt === undefined ? null : new Date(lifecycle.lastActiveAt),
      recent_events: lifecycle.recentEvents,
    }),
  }
}

test('C-SEG-21..45 the cases of core hold in SQL', async () => {
  const { id } = await workspace()
  const usable = cases.flatMap(([name, rule, subject, now, expected]) => {
    const columns = name.startsWith('block path') || JSON.stringify([rule, subject]).includes('\\u0000') ? undefined : toColumns(subject)
    const isKnownNow = !JSON.stringify(rule).includes('lifecycle') || subject.lifecycle !== undefined
    return columns && isKnownNow ? [{ name, rule, columns, now: now === null ? 0 : Date.parse(now), expected }] : []
  })
  assert.ok(usable.length > cases.length * 0.8, `${usable.length} of ${cases.length} cases`)
  await insertPeople(
    id,
    usable.map(({ columns }) => columns),
  )
  for (const [number, { name, rule, now, expected }] of usable.entries()) {
    const [holders] = await holdersInSql(id, [{ logicalOperator: 'AND', rules: [rule] }], now)
    assert.equal(holders?.has(`p${String(number).padStart(6, '0')}`), expected, name)
  }
})
