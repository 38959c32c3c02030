/**
 * Numbers, times, versions and distances in SQL with the meaning they have in core (G-81). Nothing here can raise an
 * error, whatever a text holds: every cast stands behind a CASE that lets only texts through which it can read.
 */
import { sql, type RawBuilder } from 'kysely'
import { NUMERIC_LENGTH } from '@contentflow/core/targeting/compare-values.ts'
import type { Version } from '@contentflow/core/targeting/compare-versions.ts'
import type { Circle } from '@contentflow/core/targeting/geo.ts'
import { DAY_MS } from '@contentflow/core/units.ts'

/** A boolean that is never null. */
export type Condition = RawBuilder<boolean>
export type Text = RawBuilder<string | null>
export const NEVER: Condition = sql<boolean>`false`
export const ALWAYS: Condition = sql<boolean>`true`

// What ECMAScript calls white space; PostgreSQL's own class depends on the database's locale.
const SPACE =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
const NUMERIC = `^[${SPACE}]*[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?[${SPACE}]*$`
/** With at most 1,000 characters before it, such an exponent alone decides: 0, or beyond every double. */
const LARGE_EXPONENT = '[eE][+-]?0*[1-9][0-9]{4}'
/** What rounds to infinity, and what rounds to 0; between them the cast to a double neither over- nor underflows. */
const TOO_LARGE = (2n ** 1024n - 2n ** 970n).toString()
const TOO_SMALL = `${5n ** 1075n}e-1075`

/** Whether the text is a number and that number, as a double, compares as `holds` says. */
export function numberInText(text: Text, holds: (number: RawBuilder<number>) => Condition): Condition {
  const exact = sql<number>`(select case when abs(exact) >= ${TOO_LARGE}::numeric then sign(exact)::float8 * 'Infinity'::float8
    when abs(exact) <= ${TOO_SMALL}::numeric then 0 else exact::float8 end
    from (select btrim(${text}, ${SPACE})::numeric as exact offset 0) number)`
  const extreme = sql<number>`case when ${text} ~ '[eE]-' or ${text} ~ ${`^[${SPACE}]*[+-]?[0.]*[eE]`} then 0::float8
    when ${text} ~ ${`^[${SPACE}]*-`} then '-Infinity'::float8 else 'Infinity'::float8 end`
  return sql<boolean>`case when length(${text}) <= ${NUMERIC_LENGTH}::int and ${text} ~ ${NUMERIC}
    then ${holds(sql<number>`case when ${text} ~ ${LARGE_EXPONENT} then ${extreme} else ${exact} end`)} else false end`
}

const ISO = '^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?$'
/** Days from March 1 of the year -400, where the count below begins, to 1970-01-01. */
const EPOCH_DAYS = 365 * 2369 + 592 - 23 + 5 + 306
const FIRST = Date.UTC(2000, 0, 1) - 730_485 * DAY_MS
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Milliseconds of an ISO 8601 text as core reads it, or null: counted here, because a cast would raise on February 30 and on the year 0. */
export function timeInText(text: Text): RawBuilder<number | null> {
  const parts = sql`select substr(${text}, 1, 4)::int as year, substr(${text}, 6, 2)::int as month, substr(${text}, 9, 2)::int as day,
    coalesce(nullif(substr(${text}, 12, 2), ''), '0')::int as hour, coalesce(nullif(substr(${text}, 15, 2), ''), '0')::int as minute,
    case when substr(${text}, 17, 1) = ':' then substr(${text}, 18, 2)::int else 0 end as second,
    rpad(left(coalesce(substring(${text} from '[.]([0-9]+)'), ''), 3), 3, '0')::int as ms,
    replace(substring(substr(${text}, 17) from '[+-][0-9:]+$'), ':', '') as zone`
  const days = sql`365 * y + y / 4 - y / 100 + y / 400 + (153 * ((month + 9) % 12) + 2) / 5 + day - 1 - ${sql.lit(EPOCH_DAYS)}`
  const millis = sql`((((${days})::bigint * 24 + hour) * 60 + minute) * 60 + second) * 1000 + ms
    - coalesce((left(zone, 1) || '60000')::bigint * (substr(zone, 2, 2)::int * 60 + substr(zone, 4, 2)::int), 0)`
  const isDay = sql`month between 1 and 12 and day between 1 and case when month in (4, 6, 9, 11) then 30
    when month <> 2 then 31 when year % 4 = 0 and (year % 100 <> 0 or year % 400 = 0) then 29 else 28 end`
  const isTime = sql`minute <= 59 and second <= 59 and (hour <= 23 or (hour = 24 and minute = 0 and second = 0 and ms = 0))
    and coalesce(substr(zone, 2, 2)::int <= 23 and substr(zone, 4, 2)::int <= 59, true)`
  return sql<number | null>`case when ${text} ~ ${ISO} then (
    select case when millis between ${sql.lit(FIRST)} and ${sql.lit(LAST)} then millis end from (
      select case when ${isDay} and ${isTime} then ${millis} end as millis from (
        select *, year + 400 - (month <= 2)::int as y from (${parts} offset 0) parts) dated offset 0) counted) end`
}

const VERSION = '^v?[0-9]+([.][0-9]+)*(-[0-9A-Za-z-]+([.][0-9A-Za-z-]+)*)?$'
const DIGITS = '^[0-9]+$'

/** C-SEG-36: whether the text is a version and not lower than `wanted`. Parts are compared as text, because they may be longer than any number. */
export function versionInText(text: Text, { numbers, preRelease }: Version): Condition {
  const larger = (a: RawBuilder<string>, b: RawBuilder<string>) => sql`(length(${a}), ${a} collate "C") > (length(${b}), ${b} collate "C")`
  const firstDifference = sql<boolean | null>`(select ${larger(sql`found`, sql`wanted`)} from (
      select ltrim(coalesce(f, '0'), '0') as found, ltrim(coalesce(w, '0'), '0') as wanted, number
      from unnest(string_to_array(substring(${text} from '[0-9.]+'), '.'), ${[...numbers]}::text[]) with ordinality as part (f, w, number)
    ) pair where found <> wanted order by number limit 1)`
  return sql<boolean>`case when ${text} ~ ${VERSION} then coalesce(${firstDifference}, ${preReleaseAtLeast(text, preRelease, larger)}) else false end`
}

/** A pre-release is lower than none; two are compared as Semantic Versioning orders them. */
function preReleaseAtLeast(
  text: Text,
  wanted: readonly string[],
  larger: (a: RawBuilder<string>, b: RawBuilder<string>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (wanted.length === 0) return sql`strpos(${text}, '-') = 0`
  const [found, other] = [sql<string>`ltrim(f, '0')`, sql<string>`ltrim(w, '0')`]
  const bothDigits = sql`f ~ ${DIGITS} and w ~ ${DIGITS}`
  return sql`(strpos(${text}, '-') = 0 or coalesce((
    select case when f is null then false when w is null then true when ${bothDigits} then ${larger(found, other)}
      when f ~ ${DIGITS} then false when w ~ ${DIGITS} then true else f > w collate "C" end
    from unnest(string_to_array(substr(${text}, strpos(${text}, '-') + 1), '.'), ${[...wanted]}::text[]) with ordinality as part (f, w, number)
    where f is null or w is null or case when ${bothDigits} then ${found} <> ${other} else f <> w end
    order by number limit 1), true))`
}

/** Mean radius of the earth in metres, as core has it. */
const EARTH_METERS = 6_371_008.8

/**
 * C-SEG-37: whether the JSON value is a place inside the circle. Degrees are rounded to a ten-thousandth of a
 * millimetre, because the square of a smaller difference would underflow, which PostgreSQL takes for an error.
 */
export function placeInCircle(place: RawBuilder<unknown>, { latitude, longitude, radiusMeters }: Circle): Condition {
  const isDegrees = (name: string, limit: number) =>
    sql`case when jsonb_typeof(${place} -> ${sql.lit(name)}) = 'number' then abs((${place} -> ${sql.lit(name)})::numeric) <= ${sql.lit(limit)} else false end`
  const degrees = (value: RawBuilder<unknown>) => sql`round(${value}::numeric, 12)::float8`
  const [toLatitude, toLongitude] = [degrees(sql`${latitude}`), degrees(sql`${longitude}`)]
  const chord = sql`sin(radians(${toLatitude} - lat) / 2) ^ 2 + cos(radians(lat)) * cos(radians(${toLatitude})) * sin(radians(${toLongitude} - lon) / 2) ^ 2`
  return sql<boolean>`case when jsonb_typeof(${place}) = 'object' and ${isDegrees('latitude', 90)} and ${isDegrees('longitude', 180)}
    then (select 2 * ${sql.lit(EARTH_METERS)} * asin(least(1, sqrt(${chord}))) <= ${radiusMeters}::float8
      from (select ${degrees(sql`(${place} -> 'latitude')`)} as lat, ${degrees(sql`(${place} -> 'longitude')`)} as lon offset 0) found)
    else false end`
}
