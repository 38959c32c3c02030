import { isDeepStrictEqual } from 'node:util'
import { parseDefinition, type Definition } from '@contentflow/core/blocks/definition.ts'
import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { failWith } from '../../errors.ts'
import type { Tell } from '../../infra/signals.ts'
import { markContentChanged } from './mark-changed.ts'
import * as queries from './queries.ts'
import * as instanceQueries from './queries-instances.ts'
import type { StoredDefinition } from './queries.ts'

export type Upserted = 'created' | 'updated' | 'unchanged'

/** Stores one definition by key and tells clients when they could see a difference. An archived one comes back (G-38). */
export async function upsertDefinition(
  ctx: Context,
  tx: Db,
  tell: Tell,
  workspaceId: string,
  definition: Definition,
  stored: StoredDefinition | undefined,
): Promise<Upserted> {
  const now = ctx.clock.now()
  if (!stored) {
    await queries.insertDefinition(tx, workspaceId, definition, now)
    await markContentChanged(tx, tell, { workspaceId, environments: ['live', 'test'], signal: null, now })
    return 'created'
  }
  if (!stored.archivedAt && isDeepStrictEqual(definition, definitionOf(stored))) return 'unchanged'
  await queries.updateDefinition(tx, workspaceId, definition, now)
  await tellAboutType(ctx, tx, tell, workspaceId, [definition.key], stored.archivedAt ? 'block.published' : 'block.updated')
  return 'updated'
}

/** What a pipeline declares, over what is stored: the look is chosen in the dashboard, and a pipeline that does not name it leaves it. */
export function declaredOver(definition: Definition, stored: StoredDefinition | undefined): Definition {
  return { ...definition, designType: definition.designType ?? stored?.designType ?? null }
}

/** Takes block types out of delivery; their instances stay and come back with them (M-SYNC-24). */
export async function archiveDefinitions(ctx: Context, tx: Db, tell: Tell, workspaceId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  await queries.archiveDefinitions(tx, workspaceId, keys, ctx.clock.now())
  await tellAboutType(ctx, tx, tell, workspaceId, keys, 'block.archived')
}

/** Where a type has nothing published, answers change (known, unknown, hidden) but no client needs waking. */
async function tellAboutType(
  ctx: Context,
  tx: Db,
  tell: Tell,
  workspaceId: string,
  keys: readonly string[],
  signal: 'block.published' | 'block.updated' | 'block.archived',
): Promise<void> {
  const now = ctx.clock.now()
  const seen = await instanceQueries.findPublishedEnvironments(tx, workspaceId, keys)
  const unseen = (['live', 'test'] as const).filter((environment) => !seen.includes(environment))
  await markContentChanged(tx, tell, { workspaceId, environments: seen, signal, now })
  await markContentChanged(tx, tell, { workspaceId, environments: unseen, signal: null, now })
}

/** G-35: the dashboard makes a type; a key that is taken, archived or not, is a conflict. */
export async function createDefinition(ctx: Context, workspaceId: string, definition: Definition): Promise<StoredDefinition> {
  return ctx.signals.transact(async (tx, tell) => {
    await queries.lockContent(tx, workspaceId)
    if (await queries.findDefinition(tx, workspaceId, definition.key)) failWith(409, 'A block type with this key exists')
    await upsertDefinition(ctx, tx, tell, workspaceId, definition, undefined)
    return queries.getActiveDefinition(tx, workspaceId, definition.key)
  })
}

/** Members that `body` leaves out stay; what stays is read under the lock, so that two saves at once both count. */
export async function changeDefinition(ctx: Context, workspaceId: string, key: string, body: unknown): Promise<StoredDefinition> {
  return ctx.signals.transact(async (tx, tell) => {
    await queries.lockContent(tx, workspaceId)
    const stored = await queries.getActiveDefinition(tx, workspaceId, key)
    if (!isPlainObject(body)) failWith(400, 'The body must be a JSON object')
    const parsed = parseDefinition({ ...definitionOf(stored), ...body, key })
    if (!parsed.ok) failWith(400, parsed.error)
    await upsertDefinition(ctx, tx, tell, workspaceId, parsed.value, stored)
    return queries.getActiveDefinition(tx, workspaceId, key)
  })
}

/** Brings an archived type back with its instances, as they were; one that is not archived stays as it is (G-35). */
export async function restoreDefinition(ctx: Context, workspaceId: string, key: string): Promise<StoredDefinition> {
  return ctx.signals.transact(async (tx, tell) => {
    await queries.lockContent(tx, workspaceId)
    const stored = (await queries.findDefinition(tx, workspaceId, key)) ?? failWith(404, 'unknown block')
    await upsertDefinition(ctx, tx, tell, workspaceId, definitionOf(stored), stored)
    return queries.getActiveDefinition(tx, workspaceId, key)
  })
}

export async function archiveDefinition(ctx: Context, workspaceId: string, key: string): Promise<void> {
  await ctx.signals.transact(async (tx, tell) => {
    await queries.lockContent(tx, workspaceId)
    await queries.getActiveDefinition(tx, workspaceId, key)
    await archiveDefinitions(ctx, tx, tell, workspaceId, [key])
  })
}

function definitionOf({ key, name, screen, crumb, fields, blank, inCampaigns, interruptive, designType }: Definition): Definition {
  return { key, name, screen, crumb, fields, blank, inCampaigns, interruptive, designType }
}
