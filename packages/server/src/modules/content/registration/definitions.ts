import { isDeepStrictEqual } from 'node:util'
import { parseDefinition, type Definition } from '@contentflow/core/blocks/definition.ts'
import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import { linksOfDefinition } from '@contentflow/core/blocks/links/links.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import type { Change, Actor } from '../../../infra/change.ts'
import { refuseLinks } from '../../links/index.ts'
import { bytesOf, reserveQuota } from '../../quota/index.ts'
import { changeContent, touchContent, type SignalName } from '../revisions/change-content.ts'
import { permitTypes } from '../revisions/permit-content.ts'
import * as queries from '../revisions/queries.ts'
import * as instanceQueries from '../revisions/queries-instances.ts'
import type { StoredDefinition } from '../revisions/queries.ts'

export type Upserted = 'created' | 'updated' | 'unchanged'

/** Stores one definition by key and tells clients when they could see a difference. An archived one comes back (G-38). */
export async function upsertDefinition(change: Change, definition: Definition, stored: StoredDefinition | undefined): Promise<Upserted> {
  const { tx, workspaceId, now } = change
  await permitTypes(change, [definition.key], [definition.screen, ...(stored ? [stored.screen] : [])])
  await refuseLinks(change, linksOfDefinition(definition), stored ? linksOfDefinition(stored) : [])
  if (!stored) {
    reserveQuota(change, bytesOf(definition))
    await queries.insertDefinition(tx, workspaceId, definition, now)
    change.audited('block', definition.key, undefined, definition)
    touchContent(change, ['live', 'test'], null)
    return 'created'
  }
  if (!stored.archivedAt && isDeepStrictEqual(definition, definitionOf(stored))) return 'unchanged'
  reserveQuota(change, bytesOf(definition))
  await queries.updateDefinition(tx, workspaceId, definition, now)
  change.audited('block', definition.key, stored.archivedAt ? undefined : definitionOf(stored), definition)
  await touchType(change, [definition.key], stored.archivedAt ? 'block.published' : 'block.updated')
  return 'updated'
}

/** A declaration of a pipeline merged over the stored type: the look is chosen in the dashboard, and a pipeline that does not name it keeps it. */
export function declaredOver(definition: Definition, stored: StoredDefinition | undefined): Definition {
  return { ...definition, designType: definition.designType ?? stored?.designType ?? null }
}

/** Stores `definitions` as they are and archives the named ones; `stored` holds all types of the workspace. */
export async function applyDefinitions(
  change: Change,
  stored: readonly StoredDefinition[],
  { written, archived }: { written: readonly Definition[]; archived: readonly string[] },
): Promise<void> {
  const byKey = new Map(stored.map((definition) => [definition.key, definition]))
  for (const definition of written) await upsertDefinition(change, definition, byKey.get(definition.key))
  await archiveDefinitions(change, archived)
}

/** Takes block types out of delivery; their instances stay, and return with them (M-SYNC-24). */
export async function archiveDefinitions(change: Change, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await permitTypes(change, keys)
  await queries.archiveDefinitions(change.tx, change.workspaceId, keys, change.now)
  for (const key of keys) change.audited('block', key)
  await touchType(change, keys, 'block.archived')
}

/** Where a type has nothing published, answers change (known, unknown, hidden) but clients are not told. */
async function touchType(change: Change, keys: readonly string[], name: SignalName): Promise<void> {
  const seen = await instanceQueries.findPublishedEnvironments(change.tx, change.workspaceId, keys)
  touchContent(change, ['live', 'test'], null)
  touchContent(change, seen, name)
}

/** G-35: the dashboard makes a type; a key that is taken, archived or not, is a conflict. */
export async function createDefinition(ctx: Context, by: Actor, definition: Definition): Promise<StoredDefinition> {
  return changeContent(ctx, by, async (change) => {
    const { tx, workspaceId } = change
    if (await queries.findDefinition(tx, workspaceId, definition.key)) failWith(409, 'A block type with this key exists')
    await upsertDefinition(change, definition, undefined)
    return queries.getActiveDefinition(tx, workspaceId, definition.key)
  })
}

/** Members that `body` leaves out keep their values; these are read under the lock, so that two saves at once both count. */
export async function changeDefinition(ctx: Context, by: Actor, key: string, body: unknown): Promise<StoredDefinition> {
  return changeContent(ctx, by, async (change) => {
    const { tx, workspaceId } = change
    const stored = await queries.getActiveDefinition(tx, workspaceId, key)
    if (!isPlainObject(body)) failWith(400, 'The body must be a JSON object')
    const parsed = parseDefinition({ ...definitionOf(stored), ...body, key })
    if (!parsed.ok) failWith(400, parsed.error)
    await upsertDefinition(change, parsed.value, stored)
    return queries.getActiveDefinition(tx, workspaceId, key)
  })
}

/** Brings an archived type back with its instances, as they were; one that is not archived stays as it is (G-35). */
export async function restoreDefinition(ctx: Context, by: Actor, key: string): Promise<StoredDefinition> {
  return changeContent(ctx, by, async (change) => {
    const { tx, workspaceId } = change
    const stored = (await queries.findDefinition(tx, workspaceId, key)) ?? failWith(404, 'unknown block')
    await upsertDefinition(change, definitionOf(stored), stored)
    return queries.getActiveDefinition(tx, workspaceId, key)
  })
}

export async function archiveDefinition(ctx: Context, by: Actor, key: string): Promise<void> {
  await changeContent(ctx, by, async (change) => {
    await queries.getActiveDefinition(change.tx, change.workspaceId, key)
    await archiveDefinitions(change, [key])
  })
}

/** The declared part of a stored type, without what the server adds. */
export function definitionOf({ key, name, screen, crumb, fields, blank, inCampaigns, interruptive, designType }: Definition): Definition {
  return { key, name, screen, crumb, fields, blank, inCampaigns, interruptive, designType }
}
