import { isDeepStrictEqual } from 'node:util'
import { startingValues } from '@contentflow/core/blocks/definition.ts'
import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import {
  applyPatch,
  listReferences,
  parseInstancePatch,
  publishFault,
  type InstanceContent,
  type InstancePatch,
  type Reference,
} from '@contentflow/core/blocks/instance.ts'
import { linksOfContent, linksOfDefinition } from '@contentflow/core/blocks/links/links.ts'
import { failWith } from '../../../errors.ts'
import type { Change } from '../../../infra/change.ts'
import { uuidv7 } from '../../../infra/secrets/crypto.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { refuseLinks } from '../../links/index.ts'
import { bytesOf, reserveQuota } from '../../quota/index.ts'
import { zoneOfDays } from '../../calendar/index.ts'
import { permitContent } from './permit-content.ts'
import { contentOfRevision, storeInstance, type Move } from './move-pointers.ts'
import { overtake, type Moment } from '../publication/overtake.ts'
import { pointerOf, pointersOf, servedRevision } from './served.ts'
import * as instanceQueries from './queries-instances.ts'
import type { StoredDefinition } from './queries.ts'
import { contentOf, type Instance } from './queries-instances.ts'

export type SavedInstance = { instance: Instance; definition: StoredDefinition }

/** How a save was made; stored with its revision. */
export type SaveOrigin = 'create' | 'edit' | 'manifest' | 'rollback'

/** The content of a new instance of this type: the starting values with `patch` over them. */
export async function draftContent(change: Change, definition: StoredDefinition, patch: InstancePatch): Promise<InstanceContent> {
  const values = await startingReferences(change, definition)
  return applyPatch({ title: '', values, seg: null, priority: 0, schedule: null, variants: [], translations: {}, frequency: null }, patch)
}

/** Makes a new draft, whose first revision is version 1. `id`: when it is already known. `copyOf`: the original of a copy, whose references and links are kept. */
export async function insertDraft(
  change: Change,
  definition: StoredDefinition,
  input: { id?: string; externalId: string | null; content: InstanceContent },
  source: SaveOrigin,
  copyOf?: Values,
): Promise<Instance> {
  const { fields } = definition
  await permitContent(change, [definition.key], { environments: [], screens: [definition.screen] })
  await refuseBadReferences(change, definition, input.content, copyOf ? listReferences(fields, copyOf) : [])
  const before = [...linksOfDefinition(definition), ...(copyOf ? linksOfContent(fields, copyOf) : [])]
  await refuseLinks(change, linksOfContent(fields, input.content), before)
  const { now } = change
  const instance: Instance = {
    ...input.content,
    id: input.id ?? uuidv7(now.getTime()),
    blockKey: definition.key,
    externalId: input.externalId,
    version: 1,
    liveRevision: null,
    livePublishedAt: null,
    testRevision: null,
    testPublishedAt: null,
    deletedAt: null,
    deletedBy: null,
    createdAt: now,
    updatedAt: now,
  }
  await instanceQueries.insertInstance(change.tx, change.workspaceId, instance)
  change.audited('instance', `${instance.blockKey}/${instance.id}`, undefined, instance)
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

/** `isDraft`: no pointer moves, so no client gets it. `restoredFrom`: the revision whose content it is. */
type SaveOptions = { source: SaveOrigin; isDraft?: boolean; restoredFrom?: number | null }

/**
 * Stores changed content as the next revision; every pointer that is set moves to it, unless it is a draft (G-36, G-82).
 * Unchanged content makes no revision.
 */
export async function saveContent(
  change: Change,
  definition: StoredDefinition,
  stored: Instance,
  content: InstanceContent,
  { source, isDraft = false, restoredFrom = null }: SaveOptions,
): Promise<Instance> {
  // The links of an earlier revision were allowed when it was written.
  await refuseBadValues(change, definition, content, { references: stored, links: restoredFrom === null ? stored : content })
  const pointers = isDraft ? [] : pointersOf(stored)
  if (pointers.length > 0) refuseUnpublishable(definition, content)
  const isSame = restoredFrom === null && isDeepStrictEqual(contentOf(stored), contentOf(content))
  if (isSame && pointers.every((environment) => servedRevision(stored, environment) === stored.version)) return stored
  const next = isSame ? stored : { ...stored, ...contentOf(content), version: stored.version + 1 }
  if (!isSame) await keepRevision(change, next, source, restoredFrom)
  await overtake(change, stored.id, pointers, undefined)
  return storeInstance(
    change,
    stored,
    next,
    pointers.map((environment) => ({ environment, revision: next.version })),
  )
}

/**
 * Applies an edit to every revision that counts, the newest and the published ones, each from its own content: a draft stays a
 * draft, and published content changes by this edit alone. Unchanged content writes nothing.
 */
export async function amendContent(
  change: Change,
  definition: StoredDefinition,
  stored: Instance,
  edit: (content: InstanceContent) => InstanceContent,
  source: SaveOrigin,
): Promise<Instance> {
  const served = [...new Set([stored.liveRevision, stored.testRevision])].filter((number) => number !== null && number !== stored.version)
  let version = stored.version
  const moves: Move[] = []
  const keep = async (content: InstanceContent, from: number, before: InstanceContent) => {
    await refuseBadValues(change, definition, content, { references: stored, links: before })
    version++
    await keepRevision(change, { ...stored, ...contentOf(content), version }, source, null)
    for (const environment of pointersOf(stored))
      if (pointerOf(stored, environment) === from) moves.push({ environment, revision: version })
  }
  for (const number of served as number[]) {
    const before = await contentOfRevision(change, stored, number)
    const after = edit(before)
    if (isDeepStrictEqual(contentOf(before), contentOf(after))) continue
    refuseUnpublishable(definition, after)
    await keep(after, number, before)
  }
  const head = edit(contentOf(stored))
  const isSame = isDeepStrictEqual(contentOf(stored), contentOf(head))
  if (isSame && moves.length === 0) return stored
  if (pointersOf(stored).some((environment) => pointerOf(stored, environment) === stored.version)) refuseUnpublishable(definition, head)
  // The newest revision is the one that is edited: it is written last, even where the edit leaves it as it was.
  await keep(head, stored.version, stored)
  return storeInstance(change, stored, { ...stored, ...contentOf(head), version }, moves)
}

/** Saves are numbered one after another; a stored revision is never changed. */
async function keepRevision(change: Change, instance: Instance, source: SaveOrigin, restoredFrom: number | null) {
  const { tx, workspaceId, actor, now } = change
  const content = contentOf(instance)
  reserveQuota(change, bytesOf(content))
  await instanceQueries.insertRevision(tx, workspaceId, instance.id, {
    number: instance.version,
    content,
    source,
    restoredFrom,
    madeBy: actor,
    createdAt: now,
  })
}

/** `planned`: the publication that was planned for this moment; undefined: published by hand. */
type Pointing = { targets: readonly Environment[]; revision?: number | null; planned?: Moment | undefined }

/** Points environments to a revision, by default the newest; null points them to none. Writes nothing when nothing changes. */
export async function setPublished(
  change: Change,
  definition: StoredDefinition,
  stored: Instance,
  { targets, revision = stored.version, planned }: Pointing,
): Promise<Instance> {
  if (revision !== null) {
    const content = await contentOfRevision(change, stored, revision)
    refuseUnpublishable(definition, content)
    // An older revision did not count towards the quota while it was not published.
    if (revision !== stored.version) reserveQuota(change, bytesOf(content))
  }
  await overtake(change, stored.id, targets, planned)
  const moves = targets.map((environment) => ({ environment, revision }))
  if (moves.every(({ environment }) => pointerOf(stored, environment) === revision)) return stored
  return storeInstance(change, stored, stored, moves)
}

/** Checks a partial body against the definition; 400 says what is wrong. */
export async function readPatch(
  { tx, workspaceId }: Pick<Change, 'tx' | 'workspaceId'>,
  body: unknown,
  definition: StoredDefinition,
): Promise<InstancePatch> {
  const schedule = isPlainObject(body) && isPlainObject(body['schedule']) ? body['schedule'] : {}
  const day = await zoneOfDays(tx, workspaceId, schedule['startTime'], schedule['endTime'])
  const parsed = parseInstancePatch(body, definition.fields, day)
  return parsed.ok ? parsed.value : failWith(400, parsed.error)
}

export function refuseUnpublishable(definition: StoredDefinition, content: InstanceContent): void {
  const fault = publishFault(definition.fields, content)
  if (fault) failWith(400, `This instance cannot be live: ${fault}`)
}

type Values = Pick<InstanceContent, 'values' | 'translations' | 'variants'>

/** Refuses bad references and links, except those in `kept`, which were stored before. */
async function refuseBadValues(
  change: Change,
  definition: StoredDefinition,
  content: Values,
  kept: { references: Values; links: Values },
): Promise<void> {
  const { fields } = definition
  await refuseBadReferences(change, definition, content, listReferences(fields, kept.references))
  await refuseLinks(change, linksOfContent(fields, content), linksOfContent(fields, kept.links))
}

/** G-37: a new reference names an existing instance of an allowed type. One that was `kept` may have lost its target since; delivery leaves it out. */
async function refuseBadReferences(
  { tx, workspaceId }: Change,
  definition: StoredDefinition,
  content: Values,
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
