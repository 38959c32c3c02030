/** The rules in SQL against the rules in memory: every pair of a random rule and a random person, and the cases of core. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { compileRules } from '@contentflow/core/targeting/evaluate.ts'
import type { Operator } from '@contentflow/core/targeting/operators.ts'
import type { Leaf, Rule, SegmentRules } from '@contentflow/core/targeting/rule.ts'
import type { Subject } from '@contentflow/core/targeting/subject.ts'
import { NOW, person, segment, type Person } from '../../../../test/histories/random-rules.ts'
import { startApp } from '../../../../test/harness/start-app.ts'
import { subjectOf, type ProfileRow } from '../../people/index.ts'
import { listTexts, type People } from '../membership/queries-membership.ts'
import { listPatterns, rulesInSql } from './queries-rules.ts'
import { compileRegex } from '../../../infra/regex.ts'

const { ctx, workspace } = await startApp()

async function insertPeople(workspaceId: string, people: readonly Partial<Person>[]): Promise<void> {
  const defaults = { environment: 'live' as const, created_at: new Date(NOW) }
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

const peopleOf = (workspaceId: string): People => ({ workspaceId, after: '', upTo: 'q' })

/** For every rule the ids of those it holds for, by one statement. */
async function holdersInSql(workspaceId: string, rules: readonly SegmentRules[], now: number): Promise<Set<string>[]> {
  const matching = new Map<Leaf, string[]>()
  for (const rule of rules.flatMap((each) => listPatterns(each.rules))) {
    const search = typeof rule.value === 'string' ? compileRegex(rule.value) : undefined
    if (!search) continue
    const texts = await listTexts(ctx.db, rule, peopleOf(workspaceId), now)
    matching.set(rule, texts.filter(search))
  }
  const columns = rules.map(
    (rule, i) => sql`${rulesInSql(rule, { now, matching: (of) => matching.get(of), holding: () => undefined })} as ${sql.ref(`c${i}`)}`,
  )
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
const cases = JSON.parse(readFileSync(new URL('../../../../../core/src/targeting/cases.json', import.meta.url), 'utf8')) as Case[]

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

test('C-SEG-21..36 C-SEG-45 the cases of core hold in SQL', async () => {
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
