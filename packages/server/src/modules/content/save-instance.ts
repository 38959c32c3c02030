import { isDeepStrictEqual } from 'node:util'
import { startingValues } from '@contentflow/core/blocks/definition.ts'
import {
  applyPatch,
  listReferences,
  parseInstancePatch,
  publishFault,
  type InstanceContent,
  type InstancePatch,
  type Reference,
} from '@contentflow/core/blocks/instance.ts'
import { failWith } from '../../errors.ts'
import type { Change } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/crypto.ts'
import type { Environment } from '../../infra/signals.ts'
import { touchContent } from './change-content.ts'
import * as instanceQueries from './queries-instances.ts'
import type { StoredDefinition } from './queries.ts'
import { contentOf, type Instance } from './queries-instances.ts'

/** By which way a save was made; kept with its revision. */
export type Source = 'create' | 'edit' | 'manifest' | 'rollback'

/** What a new instance of this type holds: its starting values under what was sent. */
export async function draftContent(change: Change, definition: StoredDefinition, patch: InstancePatch): Promise<InstanceContent> {
  const values = await startingReferences(change, definition)
  return applyPatch({ title: '', values, seg: null, priority: 0, schedule: null, variants: [], translations: {}, frequency: null }, patch)
}

/** A new draft. Version 1 is its first revision. `kept`: references of the instance it is a copy of. */
export async function insertDraft(
  change: Change,
  definition: StoredDefinition,
  input: { externalId: string | null; content: InstanceContent },
  source: Source,
  kept: readonly Reference[] = [],
): Promise<Instance> {
  await refuseBadReferences(change, definition, input.content, kept)
  const { now } = change
  const instance: Instance = {
    ...input.content,
    id: uuidv7(now.getTime()),
    blockKey: definition.key,
    externalId: input.externalId,
    version: 1,
    livePublishedAt: null,
    testPublishedAt: null,
    createdAt: now,
    updatedAt: now,
  }
  await instanceQueries.insertInstance(change.tx, change.workspaceId, instance)
  await keepRevision(change, instance, source, null)
  return instance
}

/** Starting values name instances only by chance: references that no longer exist are left out. */
async function startingReferences({ tx, workspaceId }: Change, definition: StoredDefinition) {
  const values = startingValues(definition)
  const references = listReferences(definition.fields, { values, translations: {}, variants: [] })
  if (references.length === 0) return values
  const known = await instanceQueries.findBlockKeys(
    tx,
    workspaceId,
    references.map((reference) => reference.instanceId),
  )
  for (const { field } of references) {
    const ids = values[field.id]
    if (Array.isArray(ids)) values[field.id] = ids.filter((id) => field.allowedBlockKeys?.includes(known.get(id as string) ?? ''))
  }
  return values
}

/** Stores changed content as the next version with its revision, and tells clients who see the instance. Unchanged content writes nothing. */
export async function saveContent(
  change: Change,
  definition: StoredDefinition,
  stored: Instance,
  content: InstanceContent,
  source: Source,
  restoredFrom: number | null = null,
): Promise<Instance> {
  await refuseBadReferences(change, definition, content, listReferences(definition.fields, stored))
  const environments = environmentsOf(stored)
  if (environments.length > 0) refuseUnpublishable(definition, content)
  if (restoredFrom === null && isDeepStrictEqual(contentOf(stored), contentOf(content))) return stored
  const instance = await storeVersion(change, stored, content, source, restoredFrom)
  touchContent(change, environments, 'block.updated')
  return instance
}

/** The next version with its revision. Whoever calls tells clients. */
export async function storeVersion(
  change: Change,
  stored: Instance,
  content: InstanceContent,
  source: Source,
  restoredFrom: number | null = null,
): Promise<Instance> {
  const instance: Instance = { ...stored, ...contentOf(content), version: stored.version + 1, updatedAt: change.now }
  await instanceQueries.updateInstance(change.tx, change.workspaceId, instance)
  await keepRevision(change, instance, source, restoredFrom)
  return instance
}

async function keepRevision(
  { tx, workspaceId, actor }: Change,
  instance: Instance,
  source: Source,
  restoredFrom: number | null,
): Promise<void> {
  const { version: number, updatedAt: createdAt } = instance
  await instanceQueries.insertRevision(tx, workspaceId, instance.id, {
    number,
    content: contentOf(instance),
    source,
    restoredFrom,
    madeBy: actor,
    createdAt,
  })
}

/** Publishes or unpublishes; returns the instance as it then is. Nothing to change writes nothing. */
export async function setPublished(
  change: Change,
  definition: StoredDefinition,
  stored: Instance,
  targets: readonly Environment[],
  isPublished: boolean,
): Promise<Instance> {
  if (isPublished) refuseUnpublishable(definition, stored)
  const { now } = change
  const changed = targets.filter((target) => (publishedAt(stored, target) !== null) !== isPublished)
  if (changed.length === 0) return stored
  const at = isPublished ? now : null
  const instance: Instance = {
    ...stored,
    ...(changed.includes('live') && { livePublishedAt: at }),
    ...(changed.includes('test') && { testPublishedAt: at }),
    updatedAt: now,
  }
  await instanceQueries.updateInstance(change.tx, change.workspaceId, instance)
  touchContent(change, changed.includes('live') ? ['live', 'test'] : ['test'], isPublished ? 'block.published' : 'block.unpublished')
  return instance
}

function publishedAt(instance: Instance, target: Environment): Date | null {
  return target === 'live' ? instance.livePublishedAt : instance.testPublishedAt
}

/** Whose clients see an instance: live content is seen by test keys too. */
export function environmentsOf(instance: Pick<Instance, 'livePublishedAt' | 'testPublishedAt'>): Environment[] {
  return instance.livePublishedAt ? ['live', 'test'] : instance.testPublishedAt ? ['test'] : []
}

/** Checks a partial body against the definition; 400 says what is wrong. */
export function readPatch(body: unknown, definition: StoredDefinition): InstancePatch {
  const parsed = parseInstancePatch(body, definition.fields)
  return parsed.ok ? parsed.value : failWith(400, parsed.error)
}

export function refuseUnpublishable(definition: StoredDefinition, content: InstanceContent): void {
  const fault = publishFault(definition.fields, content)
  if (fault) failWith(400, `This instance cannot be live: ${fault}`)
}

/** G-37: a new reference names an existing instance of an allowed type. One that was `kept` may have lost its target since; delivery leaves it out. */
async function refuseBadReferences(
  { tx, workspaceId }: Change,
  definition: StoredDefinition,
  content: InstanceContent,
  kept: readonly Reference[],
): Promise<void> {
  const isKept = ({ field, instanceId }: Reference) => kept.some((other) => other.field === field && other.instanceId === instanceId)
  const references = listReferences(definition.fields, content).filter((reference) => !isKept(reference))
  const known = await instanceQueries.findBlockKeys(tx, workspaceId, [...new Set(references.map((reference) => reference.instanceId))])
  for (const { field, instanceId } of references) {
    const blockKey = known.get(instanceId)
    if (blockKey === undefined) failWith(400, `${field.tag}: there is no instance ${instanceId}`)
    if (!field.allowedBlockKeys?.includes(blockKey))
      failWith(400, `${field.tag}: instance ${instanceId} is a ${blockKey}; allowed are ${field.allowedBlockKeys?.join(', ')}`)
  }
}
