/** What a process remembers of the catalogue of one workspace, and what it has seen that is not written yet. */
import { isOfCatalog } from '@contentflow/core/events/catalog/declared-type.ts'
import { findViolations, type TypeRules, type ViolationShape } from '@contentflow/core/events/catalog/find-violations.ts'
import { isNameOfSomebody } from '@contentflow/core/events/catalog/personal.ts'
import { bitOf, kindOf } from '@contentflow/core/events/catalog/property-kind.ts'
import type { SentEvent } from '@contentflow/core/events/read-events.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'

export type KnownType = {
  /** The kinds of each property, as bits. */
  bits: Map<string, number>
  /** undefined: nobody declared it. */
  rules: TypeRules | undefined
  /** The hour of `last_seen`, in hours since 1970. */
  hour: number
}
/** `weight`: types and properties, of which all workspaces have a bound together. */
export type KnownCatalog = { revision: number; types: Map<string, KnownType>; weight: number; checkedAt: number }

type FoundViolation = { count: number; shape: ViolationShape }
export type PendingType = {
  /** Kinds that are new, as bits. */
  bits: Map<string, number>
  lastSeen: Date | undefined
  /** Properties that there is no room for, counted each time. */
  others: number
  violations: Map<string, FoundViolation>
}
/** `hasFacts`: something that nobody knew, so it is written at once; the rest is added up for a minute. */
export type Pending = { types: Map<string, PendingType>; others: number; hasFacts: boolean }

export function newPending(): Pending {
  return { types: new Map(), others: 0, hasFacts: false }
}

/** Notes what of these events is new, and what is not as declared. Of a known event that costs a look-up for each property. */
export function observe(known: KnownCatalog, pending: Pending, events: readonly SentEvent[], now: Date): void {
  const hour = Math.floor(now.getTime() / HOUR_MS)
  for (const { type: name, properties } of events) {
    const type = known.types.get(name) ?? addType(known, pending, name)
    if (!type) continue
    if (type.hour !== hour) {
      type.hour = hour
      pendingType(pending, name).lastSeen = now
    }
    for (const property in properties) {
      const bit = bitOf(kindOf(properties[property] ?? null))
      const bits = type.bits.get(property)
      if (bits === undefined || (bits & bit) === 0) addKind(known, pending, { name, type, property, bits, bit })
    }
    if (type.rules) noteViolations(pending, name, type.rules, properties)
  }
}

function addType(known: KnownCatalog, pending: Pending, name: string): KnownType | undefined {
  if (!isOfCatalog(name)) return undefined
  if (known.types.size >= LIMITS.eventTypes || isNameOfSomebody(name)) {
    pending.others++
    return undefined
  }
  const type: KnownType = { bits: new Map(), rules: undefined, hour: 0 }
  known.types.set(name, type)
  known.weight++
  pendingType(pending, name)
  pending.hasFacts = true
  return type
}

type NewKind = { name: string; type: KnownType; property: string; bits: number | undefined; bit: number }

function addKind(known: KnownCatalog, pending: Pending, { name, type, property, bits, bit }: NewKind): void {
  const written = pendingType(pending, name)
  if (bits === undefined && (type.bits.size >= LIMITS.eventTypeProperties || isNameOfSomebody(property))) {
    written.others++
    return
  }
  if (bits === undefined) known.weight++
  type.bits.set(property, (bits ?? 0) | bit)
  written.bits.set(property, (written.bits.get(property) ?? 0) | bit)
  pending.hasFacts = true
}

function noteViolations(pending: Pending, name: string, rules: TypeRules, properties: SentEvent['properties']): void {
  for (const { property, shape } of findViolations(rules, properties)) {
    const { violations } = pendingType(pending, name)
    const before = violations.get(property)
    if (before) before.count++
    else violations.set(property, { count: 1, shape })
  }
}

function pendingType(pending: Pending, name: string): PendingType {
  let type = pending.types.get(name)
  if (!type) pending.types.set(name, (type = { bits: new Map(), lastSeen: undefined, others: 0, violations: new Map() }))
  return type
}

/** Adds what could not be written to what was seen since. */
export function mergePending(into: Pending, earlier: Pending): void {
  into.others += earlier.others
  into.hasFacts ||= earlier.hasFacts
  for (const [name, type] of earlier.types) {
    const later = pendingType(into, name)
    later.lastSeen ??= type.lastSeen
    later.others += type.others
    for (const [property, bits] of type.bits) later.bits.set(property, (later.bits.get(property) ?? 0) | bits)
    for (const [property, { count, shape }] of type.violations) {
      const found = later.violations.get(property)
      if (found) found.count += count
      else later.violations.set(property, { count, shape })
    }
  }
}
