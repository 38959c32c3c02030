import {
  planManifest,
  resolveSeedReferences,
  withoutEntries,
  type EntryError,
  type ManifestPlan,
  type SeedInstance,
} from '@contentflow/core/blocks/plan-manifest.ts'
import { linksOfDefinition } from '@contentflow/core/blocks/links/links.ts'
import { applyPatch } from '@contentflow/core/blocks/instance.ts'
import type { Context } from '../../../context.ts'
import { ApiError, ERRORS, failWith } from '../../../errors.ts'
import type { Change, Actor } from '../../../infra/change.ts'
import { changeContent } from '../revisions/change-content.ts'
import { archiveDefinitions, declaredOver, upsertDefinition } from './definitions.ts'
import { readLinkFault } from '../../links/index.ts'
import { pointerOf } from '../revisions/served.ts'
import * as queries from '../revisions/queries.ts'
import * as instanceQueries from '../revisions/queries-instances.ts'
import type { StoredDefinition } from '../revisions/queries.ts'
import type { Instance } from '../revisions/queries-instances.ts'
import { amendContent, draftContent, insertDraft, readPatch, refuseUnpublishable, setPublished } from '../revisions/save-instance.ts'

export type SyncReport = {
  created: string[]
  updated: string[]
  unchanged: string[]
  archived: string[]
  errors: EntryError[]
  instances: { created: number; updated: number }
}

/** Declares the complete set of block types: what the manifest does not name is archived, whatever `prune` says (M-SYNC-04, M-SYNC-05). */
export async function syncManifest(ctx: Context, by: Actor, body: unknown): Promise<SyncReport> {
  const planned = planManifest(body)
  if (!planned.ok) failWith(400, planned.error)
  return changeContent(ctx, by, async (change) => {
    const report: SyncReport = {
      created: [],
      updated: [],
      unchanged: [],
      archived: [],
      errors: [],
      instances: { created: 0, updated: 0 },
    }
    const stored = new Map((await queries.listDefinitions(change.tx, change.workspaceId)).map((definition) => [definition.key, definition]))
    const plan = await withoutOtherLinks(change, planned.plan, stored)
    report.errors.push(...plan.errors)
    for (const definition of plan.definitions) {
      const before = stored.get(definition.key)
      report[await upsertDefinition(change, declaredOver(definition, before), before)].push(definition.key)
    }
    report.archived = [...stored.values()].filter(({ key, archivedAt }) => !archivedAt && !plan.named.has(key)).map(({ key }) => key)
    await archiveDefinitions(change, report.archived)
    if (plan.seeds.length > 0) await plantSeeds(change, plan, report)
    report.errors.sort((a, b) => a.index - b.index)
    return report
  })
}

/** Block types with new links that the workspace does not allow are reported; they and their instances stay as they are. */
async function withoutOtherLinks(change: Change, plan: ManifestPlan, stored: ReadonlyMap<string, StoredDefinition>): Promise<ManifestPlan> {
  const faults = new Map<string, string>()
  for (const definition of plan.definitions) {
    const before = stored.get(definition.key)
    const fault = await readLinkFault(change, linksOfDefinition(definition), before ? linksOfDefinition(before) : [])
    if (fault !== undefined) faults.set(definition.key, fault)
  }
  return faults.size === 0 ? plan : withoutEntries(plan, faults)
}

/**
 * What seeds are merged into, read once, so that a repeated manifest writes nothing; `instances` grows with what they create.
 * `taken`: ids of instances that a seed without a title must not match: those of other seeds, and drafts that no seed made.
 */
type Ground = { definitions: ReadonlyMap<string, StoredDefinition>; instances: Instance[]; taken: Set<string> }

/** A seed may refer to one that comes later in the manifest: failed seeds are tried again while others succeed. */
async function plantSeeds(change: Change, { seeds }: ManifestPlan, report: SyncReport): Promise<void> {
  const definitions = await queries.listDefinitions(change.tx, change.workspaceId)
  const ground: Ground = {
    definitions: new Map(definitions.map((definition) => [definition.key, definition])),
    instances: await instanceQueries.listAllInstances(change.tx, change.workspaceId),
    taken: new Set(seeds.some(isUntitled) ? await instanceQueries.listBlankDrafts(change.tx, change.workspaceId) : []),
  }
  let waiting = seeds
  for (;;) {
    const failed: { seed: SeedInstance; error: string }[] = []
    for (const seed of waiting) {
      const error = await tryOne(change, ground, seed, report)
      if (error !== undefined) failed.push({ seed, error })
    }
    if (failed.length === waiting.length) return void report.errors.push(...failed.map(describeFailure))
    waiting = failed.map(({ seed }) => seed)
  }
}

function describeFailure({ seed, error }: { seed: SeedInstance; error: string }): EntryError {
  return { index: seed.index, key: seed.blockKey, error: `instance ${seed.externalId ?? (seed.title || 'without a title')}: ${error}` }
}

/** Returns why a seed cannot be stored; then nothing of it is written. */
async function tryOne(change: Change, ground: Ground, seed: SeedInstance, { instances: report }: SyncReport): Promise<string | undefined> {
  const definition = ground.definitions.get(seed.blockKey)
  if (!definition) return 'its block type is not active'
  const found = findPlanted(ground, seed)
  // Without an externalId a seed is made once, by its title or its place among those without one, and never touched again (G-36).
  if (found && isUntitled(seed)) ground.taken.add(found.id)
  if (found && seed.externalId === null) return undefined
  try {
    const instance = await plant(change, ground, seed, definition, found)
    if (!found) {
      report.created++
      ground.instances.push(instance)
      if (isUntitled(seed)) ground.taken.add(instance.id)
    } else if (instance !== found) {
      report.updated++
      ground.instances.splice(ground.instances.indexOf(found), 1, instance)
    }
    return undefined
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return error.message
    throw error
  }
}

async function plant(
  change: Change,
  { instances }: Ground,
  seed: SeedInstance,
  definition: StoredDefinition,
  found: Instance | undefined,
): Promise<Instance> {
  const idOf = (blockKeys: readonly string[], externalId: string) =>
    instances.find((instance) => instance.externalId === externalId && blockKeys.includes(instance.blockKey))?.id
  const { name: _, ...body } = resolveSeedReferences(seed.body, definition, idOf)
  const patch = await readPatch(change, body, definition)
  const content = found ? applyPatch(found, patch) : await draftContent(change, definition, patch)
  const status = seed.status ?? (found ? undefined : 'draft')
  // Checked before anything of the seed is written.
  if (status === 'live' || status === 'test') refuseUnpublishable(definition, content)
  if (status === 'test' && (found?.testRevision ?? null) === null && (await queries.isTestRetired(change.tx, change.workspaceId)))
    failWith(400, ERRORS.TEST_ENV_RETIRED[1])
  const instance = found
    ? await amendContent(change, definition, found, (before) => applyPatch(before, patch), 'manifest')
    : await insertDraft(change, definition, { externalId: seed.externalId, content }, 'manifest')
  if (status === undefined) return instance
  if (status === 'draft') return setPublished(change, definition, instance, { targets: ['live', 'test'], revision: null })
  // Published revisions were amended above; the newest revision may be somebody's draft.
  return pointerOf(instance, status) === null ? setPublished(change, definition, instance, { targets: [status] }) : instance
}

function findPlanted({ instances, taken }: Ground, seed: SeedInstance): Instance | undefined {
  const { blockKey, externalId, title } = seed
  const isSame = (instance: Instance) => {
    if (externalId !== null) return instance.externalId === externalId
    return isUntitled(seed) ? instance.title === '' && instance.externalId === null && !taken.has(instance.id) : instance.title === title
  }
  return instances.find((instance) => instance.blockKey === blockKey && isSame(instance))
}

function isUntitled({ externalId, title }: SeedInstance): boolean {
  return externalId === null && !title
}
