/**
 * The rules of a segment as one condition of SQL, equal in meaning to `compileRules` of core for the stored
 * membership, for every operator, field and value. Values are bound, never written into the text.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Json } from '@contentflow/core/blocks/field.ts'
import { toNumber, toTime } from '@contentflow/core/targeting/compare-values.ts'
import { parseVersion } from '@contentflow/core/targeting/compare-versions.ts'
import type { EventLeaf } from '@contentflow/core/behaviour/did.ts'
import { isEventLeaf } from '@contentflow/core/behaviour/tracker.ts'
import { isMeantFor } from '@contentflow/core/targeting/evaluate.ts'
import { isIndustryCategory, isKnownField, parseField, type FieldPath } from '@contentflow/core/targeting/fields.ts'
import { toCircle } from '@contentflow/core/targeting/geo.ts'
import { VALUELESS_OPERATORS } from '@contentflow/core/targeting/operators.ts'
import type { Leaf, Rule, SegmentRules } from '@contentflow/core/targeting/rule.ts'
import { VALUE_LIMITS } from '@contentflow/core/targeting/rule-value.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import { ALWAYS, NEVER, numberInText, placeInCircle, timeInText, versionInText, type Condition, type Text } from './queries-values.ts'

export type { Condition }

export type SqlOptions = {
  /** Milliseconds. */
  now: number
  /**
   * The texts among those of the people asked about that a pattern is found in; undefined for one that cannot be
   * used. The database has no expressions of linear time, so the caller tests them (`textOfField`).
   */
  matching(leaf: Leaf): readonly string[] | undefined
  /** Of those asked about: for whom a rule on events holds. It is judged by `holds` of core alone. */
  holding(leaf: EventLeaf): People | undefined
}

/** These people, or all but these. */
export type People = { ids: readonly string[]; isAllBut: boolean }

/** About the row `p` of profiles. */
export function rulesInSql({ logicalOperator, rules }: SegmentRules, options: SqlOptions): Condition {
  const parts = rules.map((rule) => ruleInSql(rule, options))
  if (parts.length === 0) return NEVER
  return sql<boolean>`(${sql.join(parts, logicalOperator === 'OR' ? sql` or ` : sql` and `)})`
}

function ruleInSql(rule: Rule, options: SqlOptions): Condition {
  if ('conditions' in rule) return rulesInSql({ logicalOperator: rule.logicalOperator, rules: rule.conditions }, options)
  return isEventLeaf(rule) ? eventLeafInSql(rule, options) : leafInSql(rule, options)
}

function eventLeafInSql(leaf: EventLeaf, { holding }: SqlOptions): Condition {
  const people = holding(leaf)
  if (!people) return NEVER
  const isAmong = sql<boolean>`p.id = any(${[...people.ids]}::text[])`
  return people.isAllBut ? not(isAmong) : isAmong
}

/** Every leaf with a pattern, in order. */
export function listPatterns(rules: readonly Rule[]): Leaf[] {
  return rules.flatMap((rule) =>
    'conditions' in rule
      ? listPatterns(rule.conditions)
      : !isEventLeaf(rule) && (rule.operator === 'regex' || rule.operator === 'not_regex')
        ? [rule]
        : [],
  )
}

/** The text in the field of a leaf, as far as a pattern is looked for in it; null where there is none. */
export function textOfField({ field }: Leaf, now: number): Text {
  const target = parseField(field)
  if (!target.ok) return sql<string | null>`null::text`
  const { column, json, text: asText } = findField(target.value, now)
  const text = column ?? sql<string | null>`case when jsonb_typeof(${json}) = 'string' then ${asText} end`
  return sql<string | null>`left(${text}, ${sql.lit(VALUE_LIMITS.searchedLength)})`
}

// --- fields: the columns that `subjectOf` reads ---

/**
 * What a field holds: null where it is missing. `text` is the same written as text, whatever its type. `column`: it
 * can hold text only, and this is it without the way through JSON.
 */
type Found = { json: RawBuilder<unknown>; text: Text; column?: Text }

const COLUMNS = new Map([
  ['demographic.name', 'p.name'],
  ['demographic.email', 'p.email'],
  ['demographic.phone', 'p.phone'],
  ['demographic.country', 'p.country'],
  ['demographic.language', 'p.language'],
  ['device.platform', 'p.platform'],
  ['device.sdkVersion', 'p.sdk_version'],
  ['device.locale', 'p.locale'],
  ['metadata.environment', 'p.environment'],
])

function findField(field: FieldPath, now: number): Found {
  if (!isKnownField(field)) return ofJson(sql`null::jsonb`)
  const { prefix, path } = field
  const [member = ''] = path
  const column = COLUMNS.get(`${prefix}.${member}`)
  if (column !== undefined) return ofColumn(sql.ref(column))
  switch (prefix) {
    case 'customAttributes': {
      const trait = follow(sql`p.traits`, path)
      if (!isIndustryCategory(member)) return trait
      return ofJson(sql`coalesce(${trait.json}, ${follow(sql`p.industry`, path).json})`)
    }
    case 'enrichment':
      return follow(sql`p.enrichment`, path)
    case 'industryProfile':
      return follow(sql`p.industry`, path)
    case 'behavioral': {
      const stored = follow(sql`p.behavioral`, path)
      if (member !== 'lastActiveDays') return stored
      const days = sql`to_jsonb(greatest(0, ${sinceActive(now)}) / ${sql.lit(DAY_MS)})`
      return ofJson(sql`case when p.last_active_at is null then ${stored.json} else ${days} end`)
    }
    case 'consent': {
      const stored = follow(sql`p.channels`, path)
      return member === 'analytics' ? ofJson(sql`coalesce(to_jsonb(p.analytics), ${stored.json})`) : stored
    }
    case 'metadata':
      return ofColumn(isoText(member === 'createdAt' ? sql`p.created_at` : sql`p.last_seen_at`))
    case 'lifecycle':
      return ofColumn(stage(now))
    case 'currentLocation':
      return follow(sql`nullif(p.current_location, 'null'::jsonb)`, path)
    case 'location':
      return follow(sql`p.location`, path)
    // All of their members are columns.
    case 'demographic':
    case 'device':
      return ofJson(sql`null::jsonb`)
    default:
      return prefix satisfies never
  }
}

function ofColumn(of: RawBuilder<unknown>): Found {
  const column = of as Text
  return { json: sql`to_jsonb(${column})`, text: column, column }
}

function ofJson(json: RawBuilder<unknown>): Found {
  return { json, text: sql<string | null>`(${json} #>> '{}')` }
}

/** Goes into objects only: with a text on its right `->` finds nothing in arrays and plain values. */
function follow(json: RawBuilder<unknown>, path: readonly string[]): Found {
  const [last, ...before] = path.toReversed()
  if (last === undefined) return ofJson(json)
  const inner = before.toReversed().reduce((outer, name) => sql`(${outer} -> ${name}::text)`, json)
  return { json: sql`(${inner} -> ${last}::text)`, text: sql<string | null>`(${inner} ->> ${last}::text)` }
}

function isoText(time: RawBuilder<unknown>): Text {
  return sql<string | null>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

function millis(time: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`floor(extract(epoch from ${time}) * 1000)::bigint`
}

function sinceActive(now: number): RawBuilder<number> {
  return sql<number>`(${now}::bigint - ${millis(sql`p.last_active_at`)})`
}

/** C-SEG-38 to C-SEG-43, in the order of `lifecycleStage`. Only who was ever active has a time of it; else the creation counts. */
function stage(now: number): Text {
  const age = sql`(${now}::bigint - ${millis(sql`p.created_at`)})`
  const inactive = sql`(${now}::bigint - ${millis(sql`coalesce(p.last_active_at, p.created_at)`)})`
  const days = (count: number) => sql.lit(count * DAY_MS)
  return sql<string | null>`case when ${age} < ${days(30)} then 'new' when ${inactive} > ${days(90)} then 'churned'
    when ${inactive} > ${days(60)} then 'dormant' when ${inactive} > ${days(30)} or p.recent_events < 3 then 'at-risk'
    when p.recent_events >= 20 then 'engaged' else 'active' end`
}

// --- operators ---

function leafInSql(leaf: Leaf, options: SqlOptions): Condition {
  const target = parseField(leaf.field)
  const { operator, value } = leaf
  if (!target.ok || !isMeantFor(target.value, operator)) return NEVER
  if (value === undefined && !VALUELESS_OPERATORS.has(operator)) return NEVER
  return test(findField(target.value, options.now), leaf, value ?? null, options)
}

function test(found: Found, leaf: Leaf, value: Json, { now, matching }: SqlOptions): Condition {
  switch (leaf.operator) {
    case 'equals':
      return equals(found, value)
    case 'not_equals':
      return not(equals(found, value))
    case 'greater_than':
      return compare(found, sql`>`, value)
    case 'less_than':
      return compare(found, sql`<`, value)
    case 'greater_than_or_equal':
      return compare(found, sql`>=`, value)
    case 'less_than_or_equal':
      return compare(found, sql`<=`, value)
    case 'between':
      return between(found, value)
    case 'contains':
      return contains(found, value)
    case 'not_contains':
      return not(contains(found, value))
    case 'in':
      return Array.isArray(value) ? isMember(found, value) : NEVER
    case 'not_in':
      return Array.isArray(value) ? not(isMember(found, value)) : NEVER
    case 'exists':
      return exists(found)
    case 'not_exists':
      return not(exists(found))
    case 'regex':
      return matches(leaf, now, matching) ?? NEVER
    case 'not_regex': {
      const found = matches(leaf, now, matching)
      return found ? not(found) : NEVER
    }
    case 'starts_with':
      return inText(found, value, (text, piece) => sql`starts_with(${text}, ${piece}::text)`)
    case 'ends_with':
      return inText(found, value, (text, piece) => sql`right(${text}, length(${piece}::text)) = ${piece}::text`)
    case 'date_after':
      return compareTimes(found, sql`>`, value)
    case 'date_before':
      return compareTimes(found, sql`<`, value)
    case 'days_ago':
      return daysAgo(found, value, now)
    case 'geo_radius': {
      const circle = toCircle(value)
      return circle && !found.column ? placeInCircle(found.json, circle) : NEVER
    }
    case 'app_version_gte':
      return appVersionGte(found, value)
    case 'is_true':
      return equals(found, true)
    case 'is_false':
      return equals(found, false)
    default:
      // A rule that another version of the server stored holds for nobody.
      void (leaf.operator satisfies never)
      return NEVER
  }
}

const not = (condition: Condition): Condition => (condition === NEVER ? ALWAYS : sql<boolean>`not ${condition}`)

/** The condition about the text of a field, which must stand any text; false where the field holds none. The type is looked at last, because that costs as much again. */
function whenText({ json, text, column }: Found, holds: (text: Text) => RawBuilder<unknown>): Condition {
  if (column) return sql<boolean>`coalesce(${holds(column)}, false)`
  return sql<boolean>`case when ${holds(text)} then jsonb_typeof(${json}) = 'string' else false end`
}

/** PostgreSQL compares JSON as G-81 does: strict on type, deep, members of objects in any order, text by its bytes. */
function equals(found: Found, value: Json): Condition {
  if (typeof value === 'string') return whenText(found, (text) => sql`${text} = ${value}::text`)
  return found.column ? NEVER : sql<boolean>`coalesce(${found.json} = ${JSON.stringify(value)}::jsonb, false)`
}

function isMember(found: Found, members: readonly Json[]): Condition {
  const texts = members.filter((member) => typeof member === 'string')
  const others = found.column ? [] : members.filter((member) => typeof member !== 'string').map((member) => JSON.stringify(member))
  const inTexts = whenText(found, (text) => sql`${text} = any(${texts}::text[])`)
  if (others.length === 0) return inTexts
  return sql<boolean>`(${inTexts} or coalesce(${found.json} = any(${others}::jsonb[]), false))`
}

function exists({ json, column }: Found): Condition {
  return sql<boolean>`(${column ?? json} is not null)`
}

function inText(found: Found, value: Json, holds: (text: Text, piece: string) => RawBuilder<unknown>): Condition {
  return typeof value === 'string' ? whenText(found, (text) => holds(text, value)) : NEVER
}

function contains(found: Found, value: Json): Condition {
  const inText = (text: Text) => (typeof value === 'string' ? sql`strpos(${text}, ${value}::text) > 0` : NEVER)
  if (found.column) return whenText(found, inText)
  const { json, text } = found
  // For plain values `@>` is membership; for arrays and objects it would be "contains a part of".
  const inArray =
    typeof value === 'object' && value !== null
      ? sql`exists (select from jsonb_array_elements(${json}) as element (value) where element.value = ${JSON.stringify(value)}::jsonb)`
      : sql`${json} @> ${JSON.stringify([value])}::jsonb`
  return sql<boolean>`case jsonb_typeof(${json}) when 'string' then ${inText(text)} when 'array' then ${inArray} else false end`
}

/** JSON numbers are compared as numeric: what is stored is the shortest decimal of a double, so the order is the same. */
function whenNumber({ json, text, column }: Found, holds: (number: RawBuilder<number>, type: RawBuilder<unknown>) => Condition): Condition {
  const float = sql`float8`
  if (column) return sql<boolean>`coalesce(${numberInText(column, (number) => holds(number, float))}, false)`
  const inText = numberInText(text, (number) => holds(number, float))
  const inNumber = holds(sql<number>`(${json})::numeric`, sql`numeric`)
  return sql<boolean>`case jsonb_typeof(${json}) when 'number' then ${inNumber} when 'string' then ${inText} else false end`
}

function compare(found: Found, operator: RawBuilder<unknown>, value: Json): Condition {
  const bound = toNumber(value)
  if (bound === undefined) return NEVER
  return whenNumber(found, (number, type) => sql<boolean>`${number} ${operator} ${bound}::${type}`)
}

function between(found: Found, value: Json): Condition {
  if (!Array.isArray(value) || value.length !== 2) return NEVER
  const [min, max] = [toNumber(value[0]), toNumber(value[1])]
  if (min === undefined || max === undefined) return NEVER
  return whenNumber(found, (number, type) => sql<boolean>`(${number} between ${min}::${type} and ${max}::${type})`)
}

function compareTimes(found: Found, operator: RawBuilder<unknown>, value: Json): Condition {
  const bound = toTime(value)
  if (bound === undefined) return NEVER
  return whenText(found, (text) => sql`coalesce(${timeInText(text)} ${operator} ${bound}::bigint, false)`)
}

function daysAgo(found: Found, value: Json, now: number): Condition {
  const days = toNumber(value)
  if (days === undefined) return NEVER
  const from = now - days * DAY_MS
  return whenText(found, (text) => sql`coalesce((${timeInText(text)})::float8 between ${from}::float8 and ${now}::float8, false)`)
}

function appVersionGte({ json, text: asText, column }: Found, value: Json): Condition {
  const wanted = parseVersion(value)
  if (!wanted) return NEVER
  if (column) return sql<boolean>`coalesce(${versionInText(column, wanted)}, false)`
  // A number is read as its text; core writes very large and very small ones with an exponent, which is no version.
  const number = sql`(${json})::numeric`
  const text = sql<string | null>`case jsonb_typeof(${json}) when 'string' then ${asText}
    when 'number' then case when ${number} = 0 or abs(${number}) between 0.000001 and 999999999999999999999 then trim_scale(${number})::text end end`
  return sql<boolean>`(select ${versionInText(sql`version`, wanted)} from (select ${text} as version offset 0) found)`
}

function matches(leaf: Leaf, now: number, matching: SqlOptions['matching']): Condition | undefined {
  const texts = matching(leaf)
  return texts && sql<boolean>`coalesce(${textOfField(leaf, now)} = any(${[...texts]}::text[]), false)`
}
