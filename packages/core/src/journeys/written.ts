/**
 * What steps write of a person, as the conditions behind them see it at once. It is worked out by the rules by which values are
 * stored: of an attribute that several loads name, the source of the highest rank wins, and within a rank what was loaded last.
 */
import { isEventLeaf } from '../behaviour/tracker.ts'
import type { Json, JsonObject } from '../blocks/field.ts'
import { parseField } from '../targeting/fields.ts'
import type { Rule } from '../targeting/rule.ts'
import type { Subject } from '../targeting/subject.ts'
import { DAY_MS } from '../units.ts'

/**
 * What one load says of one attribute. `days`: the load is the one in which this journey writes values that stay so long (0: they do not
 * end); null: it is another one. `expiresAt`: in milliseconds; null: never.
 */
export type Said = { name: string; value: Json; rank: number; days: number | null; expiresAt: number | null }

/** Of the attributes that conditions of a journey ask for, in the order in which they are merged: the last wins. `rank`: of what journeys write. */
export type Loaded = { rank: number; said: readonly Said[] }

/** What a step writes, and how long it stays. */
type Written = { values: JsonObject; days: number }

/** The attributes (`enrichment.<name>`) that these rules ask for, at any depth. */
export function listAttributes(rules: readonly Rule[]): string[] {
  return rules.flatMap((rule): string[] => {
    if ('conditions' in rule) return listAttributes(rule.conditions)
    if (isEventLeaf(rule)) return []
    const field = parseField(rule.field)
    return field.ok && field.value.prefix === 'enrichment' ? field.value.path.slice(0, 1) : []
  })
}

/**
 * Writes into the journey's load of that length. What the load says of other attributes is from now on as new as this and ends with
 * it, unless it has ended before. Of attributes that are not `asked` for nothing is kept.
 */
export function afterWriting({ rank, said }: Loaded, { values, days }: Written, asked: readonly string[], now: number): Loaded {
  const others = said.filter((each) => each.days !== days)
  const before = said.filter((each) => each.days === days && isHeld(each, now)).map(({ name, value }): [string, Json] => [name, value])
  const written = Object.entries(values).filter(([name]) => asked.includes(name))
  const expiresAt = days === 0 ? null : now + days * DAY_MS
  const load = [...new Map([...before, ...written])].map(([name, value]): Said => ({ name, value, rank, days, expiresAt }))
  const place = others.findLastIndex((each) => each.rank <= rank) + 1
  return { rank, said: [...others.slice(0, place), ...load, ...others.slice(place)] }
}

/** The person with the values that hold now. */
export function withLoaded(subject: Subject, { said }: Loaded, asked: readonly string[], now: number): Subject {
  const held = said.filter((each) => isHeld(each, now)).map(({ name, value }): [string, Json] => [name, value])
  const others = Object.entries(subject.enrichment).filter(([name]) => !asked.includes(name))
  return { ...subject, enrichment: Object.fromEntries([...others, ...held]) }
}

function isHeld({ expiresAt }: Said, now: number): boolean {
  return expiresAt === null || expiresAt > now
}
