/** The catalogue as people and pipelines read it. */
import { isBuiltIn, type DeclaredProperty } from '@contentflow/core/events/catalog/declared-type.ts'
import { holdsContacts, isContact } from '@contentflow/core/events/catalog/personal.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import * as queries from './queries.ts'
import type { PropertyRow, TypeRow } from './queries.ts'
import { countProperties, countVolumes, listDays, listFrequentValues, listUses, noUses, type EventUses } from './queries-read.ts'

/** Which types are listed: all but the hidden ones, unless it says otherwise. */
export const TYPE_STATES = ['declared', 'undeclared', 'unused', 'violated', 'hidden'] as const
export type TypeState = (typeof TYPE_STATES)[number]

export type ListedType = {
  name: string
  description: string
  owner: string
  isDeclared: boolean
  isHidden: boolean
  firstSeen: Date | null
  lastSeen: Date | null
  volume: number
  properties: number
  undeclaredProperties: number
  violations: number
  otherProperties: number
  uses: EventUses
}

type Asked = { workspaceId: string; environment: Environment }

/** Days of which the volume is shown. */
const VOLUME_DAYS = 30
/** Days in whose events frequent values are looked for. */
const VALUE_DAYS = 7

/** Every type, by name; there is a bound on them. */
export async function listTypes(ctx: Context, { workspaceId, environment }: Asked): Promise<ListedType[]> {
  const types = await queries.listTypes(ctx.db, workspaceId)
  const counts = await countProperties(ctx.db, workspaceId)
  const volumes = await countVolumes(ctx.db, { workspaceId, environment, from: volumeFrom(ctx) })
  const uses = await listUses(ctx.db, workspaceId)
  return types.map((type) => {
    const { properties = 0, undeclared = 0, violations = 0 } = counts.get(type.id) ?? {}
    return {
      ...presentType(type),
      volume: volumes.get(type.name) ?? 0,
      properties,
      undeclaredProperties: undeclared,
      violations,
      uses: uses.get(type.name) ?? noUses(),
    }
  })
}

/** Whether a type is listed under this state. An unused one is used by nothing, or did not come for 30 days. */
export function isInState({ name, isDeclared, isHidden, volume, violations }: ListedType, state: TypeState | undefined): boolean {
  if (state === 'hidden') return isHidden
  if (isHidden) return false
  switch (state) {
    case undefined:
      return true
    case 'declared':
      return isDeclared
    case 'undeclared':
      return !isDeclared && !isBuiltIn(name)
    case 'unused':
      return volume === 0
    case 'violated':
      return violations > 0
    default:
      return state satisfies never
  }
}

export async function readType(ctx: Context, asked: Asked, name: string) {
  const { workspaceId, environment } = asked
  const type = await queries.findType(ctx.db, workspaceId, name)
  if (!type) return undefined
  const rows = await queries.listProperties(ctx.db, workspaceId, [type.id])
  const days = await listDays(ctx.db, { workspaceId, environment, from: volumeFrom(ctx) }, name)
  const uses = (await listUses(ctx.db, workspaceId)).get(name) ?? noUses()
  return {
    ...presentType(type),
    volume: days.reduce((sum, { total }) => sum + total, 0),
    days,
    properties: rows.map(presentProperty),
    violations: rows.reduce((sum, { violations }) => sum + violations, 0),
    uses,
  }
}

/** Never values of a property that holds names or contacts, and none that looks like a contact. */
export async function readValues(ctx: Context, { workspaceId, environment }: Asked, name: string) {
  const from = new Date(ctx.clock.ms() - VALUE_DAYS * DAY_MS)
  const { events, properties } = await listFrequentValues(ctx.db, { workspaceId, environment, from }, name)
  const shown = properties.flatMap(({ name: property, values }) => {
    const safe = holdsContacts(property) ? [] : values.filter(({ value }) => !isContact(String(value)))
    return safe.length === 0 ? [] : [{ name: property, values: safe as { value: string | number | boolean; people: number }[] }]
  })
  return { events, since: from, properties: shown }
}

/** What a pipeline compares and writes code from: declarations, and what apps send besides. */
export async function listForPipeline(ctx: Context, workspaceId: string, types: readonly TypeRow[]) {
  const rows = await queries.listProperties(
    ctx.db,
    workspaceId,
    types.map(({ id }) => id),
  )
  const byType = Map.groupBy(rows, ({ typeId }) => typeId)
  return types.map(({ id, name, description, owner, isDeclared, lastSeen }) => {
    const properties = byType.get(id) ?? []
    const declared = properties.flatMap((row): [string, DeclaredProperty][] => (row.declared ? [[row.name, row.declared]] : []))
    return {
      name,
      description,
      owner,
      declared: isDeclared,
      lastSeen,
      properties: Object.fromEntries(declared),
      undeclared: properties.filter((row) => !row.declared).map((row) => ({ name: row.name, kinds: row.kinds })),
      violations: properties.flatMap((row) => (row.violations > 0 ? [{ property: row.name, count: row.violations }] : [])),
    }
  })
}

function volumeFrom(ctx: Context): Date {
  const today = Math.floor(ctx.clock.ms() / DAY_MS) * DAY_MS
  return new Date(today - (VOLUME_DAYS - 1) * DAY_MS)
}

function presentType({ name, description, owner, isDeclared, hiddenAt, firstSeen, lastSeen, others }: TypeRow) {
  return { name, description, owner, isDeclared, isHidden: hiddenAt !== null, firstSeen, lastSeen, otherProperties: others }
}

function presentProperty({ name, kinds, declared, use, violations, violation, violatedAt, firstSeen, filledFrom }: PropertyRow) {
  return {
    name,
    kinds,
    declared,
    use,
    filledFrom,
    firstSeen,
    violations,
    example: violation && violatedAt && { ...violation, at: violatedAt },
  }
}

export const OTHERS_SAID = `Events of further types, where apps send more than ${LIMITS.eventTypes}, or of types named after a contact or an id: counted, not listed`
