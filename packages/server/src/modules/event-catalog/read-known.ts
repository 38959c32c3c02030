import type { DeclaredProperty, DeclaredType } from '@contentflow/core/events/catalog/declared-type.ts'
import { rulesOf } from '@contentflow/core/events/catalog/find-violations.ts'
import { bitsOf } from '@contentflow/core/events/catalog/property-kind.ts'
import { HOUR_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import type { KnownCatalog, KnownType } from './known-catalog.ts'
import { findRevision, listProperties, listTypes, type PropertyRow, type TypeRow } from './queries.ts'

/** What a process remembers of a workspace, as it is stored. Made in slices: there may be 200,000 properties. */
export async function readKnown(ctx: Context, workspaceId: string): Promise<KnownCatalog> {
  // First the revision: a declaration between the readings is found at the next check.
  const revision = await findRevision(ctx.db, workspaceId)
  const types = await listTypes(ctx.db, workspaceId)
  const properties = await listProperties(
    ctx.db,
    workspaceId,
    types.map(({ id }) => id),
  )
  const known = await ctx.timeSlicer.run(workspaceId, makeKnown(types, properties))
  return { revision, types: known, weight: types.length + properties.length, checkedAt: ctx.clock.ms() }
}

/** Lets others go on between so many properties. */
const SLICE = 500

function* makeKnown(types: readonly TypeRow[], properties: readonly PropertyRow[]): Generator<undefined, Map<string, KnownType>> {
  const byId = new Map<number, { type: TypeRow; bits: Map<string, number>; declared: [string, DeclaredProperty][] }>()
  for (const type of types) byId.set(type.id, { type, bits: new Map(), declared: [] })
  for (const [index, { typeId, name, kinds, declared }] of properties.entries()) {
    const of = byId.get(typeId)
    of?.bits.set(name, bitsOf(kinds))
    if (declared) of?.declared.push([name, declared])
    if (index % SLICE === SLICE - 1) yield
  }
  const known = new Map<string, KnownType>()
  for (const { type, bits, declared } of byId.values()) {
    const rules = type.isDeclared ? rulesOf({ properties: Object.fromEntries(declared) }) : undefined
    known.set(type.name, { bits, rules, hour: type.lastSeen ? Math.floor(type.lastSeen.getTime() / HOUR_MS) : 0 })
    yield
  }
  return known
}

/** The declared types among these, as a document or route has them. */
export async function listDeclared(db: Db, workspaceId: string): Promise<DeclaredType[]> {
  const types = (await listTypes(db, workspaceId)).filter(({ isDeclared }) => isDeclared)
  return declaredOf(
    types,
    await listProperties(
      db,
      workspaceId,
      types.map(({ id }) => id),
    ),
  )
}

function declaredOf(types: readonly TypeRow[], properties: readonly PropertyRow[]): DeclaredType[] {
  const byType = Map.groupBy(properties, ({ typeId }) => typeId)
  return types.flatMap(({ id, name, description, owner, isDeclared }) => {
    if (!isDeclared) return []
    const declared = (byType.get(id) ?? []).flatMap((row): [string, DeclaredProperty][] => (row.declared ? [[row.name, row.declared]] : []))
    return [{ name, description, owner, properties: Object.fromEntries(declared) }]
  })
}
