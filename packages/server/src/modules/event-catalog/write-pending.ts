import { bitsOf, kindsOf } from '@contentflow/core/events/catalog/property-kind.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Db } from '../../db/open.ts'
import type { Pending, PendingType } from './known-catalog.ts'
import * as queries from './queries.ts'
import type { TypeRow } from './queries.ts'

/** Idle types that go at a time where types without room came. */
const ROOM_AT_ONCE = 100

/** Writes what a process has seen. False: there was no room for all of it. */
export async function writePending(tx: Db, workspaceId: string, pending: Pending, now: Date): Promise<boolean> {
  const { lastId } = await queries.lockCatalog(tx, workspaceId)
  const stored = await queries.listTypes(tx, workspaceId)
  const ids = new Map(stored.map(({ name, id }) => [name, id]))
  const added = [...pending.types].filter(([name]) => !ids.has(name))
  const idle = new Date(now.getTime() - LIMITS.eventTypeIdleDays * DAY_MS)
  // Events without room are those of types that processes know to be too many: they come again once there is room.
  const wanted = added.length + (pending.others > 0 ? ROOM_AT_ONCE : 0)
  const missing = Math.min(stored.length + wanted - LIMITS.eventTypes, wanted)
  const dropped = new Set(await queries.dropIdleTypes(tx, workspaceId, { most: missing, before: idle, kept: [...pending.types.keys()] }))
  for (const { name, id } of stored) if (dropped.has(id)) ids.delete(name)
  const taken = added.slice(0, Math.max(0, LIMITS.eventTypes - ids.size))
  const made = taken.map(([name], index): TypeRow => newType(lastId + index + 1, name, now))
  await queries.insertTypes(tx, workspaceId, made)
  for (const { id, name } of made) ids.set(name, id)

  const types = [...pending.types].flatMap(([name, type]): [number, PendingType][] => {
    const id = ids.get(name)
    return id === undefined ? [] : [[id, type]]
  })
  const seen = types.flatMap(([id, { lastSeen, others }]) => (lastSeen || others > 0 ? [{ id, lastSeen: lastSeen ?? null, others }] : []))
  await queries.updateSeen(tx, workspaceId, seen)
  await addKinds(tx, workspaceId, types, now)
  const violations = types.flatMap(([typeId, type]) =>
    [...type.violations].map(([name, { count, shape }]) => ({ typeId, name, count, shape })),
  )
  await queries.addViolations(tx, workspaceId, violations, now)
  const refused = added.length - taken.length
  if (pending.others + refused + made.length > 0)
    await queries.addToCatalog(tx, workspaceId, { others: pending.others + refused, lastId: lastId + made.length })
  // Every process has to learn that they are gone.
  if (dropped.size > 0) await queries.moveCatalog(tx, workspaceId, { lastId })
  return refused === 0 && dropped.size === 0
}

function newType(id: number, name: string, now: Date): TypeRow {
  const declared = { description: '', owner: '', isDeclared: false }
  return { id, name, ...declared, firstSeen: now, lastSeen: now, hiddenAt: null, others: 0 }
}

/** Another process may have written the same since, and the type may be full. */
async function addKinds(tx: Db, workspaceId: string, types: readonly [number, PendingType][], now: Date): Promise<void> {
  const changed = types.filter(([, { bits }]) => bits.size > 0)
  const rows = await queries.listProperties(
    tx,
    workspaceId,
    changed.map(([id]) => id),
  )
  const byType = Map.groupBy(rows, ({ typeId }) => typeId)
  const written = changed.flatMap(([typeId, { bits }]) => {
    const stored = new Map((byType.get(typeId) ?? []).map((row) => [row.name, row]))
    let room = LIMITS.eventTypeProperties - stored.size
    return [...bits].flatMap(([name, kinds]): queries.WrittenProperty[] => {
      const before = stored.get(name)
      if (!before && room-- <= 0) return []
      const known = bitsOf(before?.kinds ?? [])
      if (before?.firstSeen && (known | kinds) === known) return []
      const { declared = null, use = 'none' } = before ?? {}
      return [{ typeId, name, kinds: kindsOf(known | kinds), declared, use, firstSeen: before?.firstSeen ?? now }]
    })
  })
  await queries.writeProperties(tx, workspaceId, written, { isNewRule: false })
}
