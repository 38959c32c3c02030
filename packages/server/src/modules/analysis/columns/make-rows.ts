/** Events as rows of columns. */
import { encodeColumns, makeColumns, timeKey, type ColumnEvent, type DimensionValue } from '@contentflow/core/analysis/columns.ts'
import type { Json } from '@contentflow/core/blocks/field.ts'
import { holdsContacts, isContact, isNameOfSomebody } from '@contentflow/core/events/catalog/personal.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/open.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { holdOwners } from '../../behaviour/index.ts'
import { listUsed, numberPeople, numberTypes, type BuiltEvent, type ColumnRow } from './queries-build.ts'

/** Parts that the people of a workspace fall into, each at random. */
export const PARTS = 16
/** A longer text is one value with all longer ones. */
const VALUE_LENGTH = 100
const UNNAMED = '…'

/** The properties of each type that have a column. Those that hold names or contacts have none. */
type Used = Map<string, { dimensions: string[]; measures: string[] }>

export async function readUsed(tx: Db, workspaceId: string): Promise<Used> {
  const used: Used = new Map()
  for (const { type, property, use } of await listUsed(tx, workspaceId)) {
    if (use === 'dimension' && holdsContacts(property)) continue
    const of = used.get(type) ?? { dimensions: [], measures: [] }
    used.set(type, of)
    if (use === 'dimension') of.dimensions.push(property)
    else of.measures.push(property)
  }
  return used
}

type Made = { events: readonly BuiltEvent[]; used: Used }

/** The rows that these events make, in the order of their storing. Who is gone counts for nobody; people who are here cannot go before the end of the transaction. */
export async function makeRows(ctx: Context, tx: Db, workspaceId: string, { events, used }: Made): Promise<ColumnRow[]> {
  const people = await holdOwners(tx, workspaceId, new Set(events.map(({ person }) => person)))
  const numbers = new Map<Environment, Map<string, number>>()
  for (const [environment, mine] of Map.groupBy(events, (event) => event.environment)) {
    const ids = new Set(mine.flatMap(({ person }) => people.get(person) ?? []))
    numbers.set(environment, await numberPeople(tx, workspaceId, environment, [...ids].sort()))
  }
  const names = new Set(events.map(({ type }) => type))
  const types = await numberTypes(
    tx,
    workspaceId,
    [...names].filter((name) => !isNameOfSomebody(name)),
    LIMITS.eventTypes,
  )
  const numberOf = ({ environment, person }: BuiltEvent) => numbers.get(environment)?.get(people.get(person) ?? '')
  return ctx.timeSlicer.run(workspaceId, divide(events, { numberOf, types, used }))
}

type Numbers = { numberOf(event: BuiltEvent): number | undefined; types: ReadonlyMap<string, number>; used: Used }
type Placed = { event: BuiltEvent; person: number; key: number; day: string }

/** Behind a key of the same person and moment, so that events of one moment keep their order, also those of different types. */
function* divide(events: readonly BuiltEvent[], { numberOf, types, used }: Numbers): Generator<undefined, ColumnRow[]> {
  const ofPeople = new Map<string, Placed[]>()
  for (const [index, event] of events.entries()) {
    const person = numberOf(event)
    if (person === undefined || !types.has(event.type)) continue
    const day = event.receivedAt.toISOString().slice(0, 10)
    const placed = { event, person, day, key: timeKey(event.receivedAt.getTime(), event.occurredAt?.getTime() ?? null) }
    const name = `${event.environment} ${day} ${person}`
    const known = ofPeople.get(name)
    if (known) known.push(placed)
    else ofPeople.set(name, [placed])
    if (index % 256 === 0) yield
  }
  const rows = new Map<string, Placed[]>()
  for (const mine of ofPeople.values()) {
    mine.sort((a, b) => a.key - b.key)
    let last = -1
    for (const placed of mine) {
      placed.key = last = Math.max(placed.key, last + 1)
      const { event, person, day } = placed
      const name = `${event.environment} ${day} ${person % PARTS} ${event.type}`
      const row = rows.get(name)
      if (row) row.push(placed)
      else rows.set(name, [placed])
    }
    yield
  }
  const made: ColumnRow[] = []
  for (const placed of rows.values()) {
    made.push(toRow(placed, types, used))
    yield
  }
  return made
}

function toRow(placed: readonly Placed[], types: ReadonlyMap<string, number>, used: Used): ColumnRow {
  const [{ event, person, day }] = placed as [Placed]
  const { dimensions = [], measures = [] } = used.get(event.type) ?? {}
  const hasValue = placed.some((one) => one.event.value !== null)
  const names = {
    dimensions: ['platform', ...dimensions.map((name) => `properties.${name}`)],
    measures: [...(hasValue ? ['value'] : []), ...measures.map((name) => `properties.${name}`)],
  }
  const columnEvents = placed.map((one): ColumnEvent => {
    const { platform, value, properties } = one.event
    const found = (name: string) => (properties && Object.hasOwn(properties, name) ? properties[name] : undefined)
    return {
      person: Math.floor(one.person / PARTS),
      key: one.key,
      dimensions: [toDimension(platform ?? undefined), ...dimensions.map((name) => toDimension(found(name)))],
      measures: [...(hasValue ? [value ?? undefined] : []), ...measures.map((name) => toMeasure(found(name)))],
    }
  })
  columnEvents.sort((a, b) => a.person - b.person || a.key - b.key)
  const columns = makeColumns(columnEvents, names)
  return {
    environment: event.environment,
    typeId: types.get(event.type) ?? 0,
    day,
    part: person % PARTS,
    people: columns.people.length,
    events: columns.keys.length,
    ...encodeColumns(columns),
  }
}

function toDimension(value: Json | undefined): DimensionValue | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (typeof value !== 'string') return undefined
  return value.length > VALUE_LENGTH || isContact(value) ? UNNAMED : value
}

function toMeasure(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}
