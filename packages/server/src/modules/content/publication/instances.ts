import { LIMITS } from '@contentflow/core/limits.ts'
import { applyPatch } from '@contentflow/core/blocks/instance.ts'
import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import type { Context } from '../../../context.ts'
import { fail, failWith } from '../../../errors.ts'
import type { Change, Actor } from '../../../infra/change.ts'
import { changeContent } from '../revisions/change-content.ts'
import { findRules, type PendingRequest } from '../../approvals/index.ts'
import { askForReview } from './reviews.ts'
import * as queries from '../revisions/queries.ts'
import * as instanceQueries from '../revisions/queries-instances.ts'
import { contentOf, type Instance } from '../revisions/queries-instances.ts'
import { draftContent, insertDraft, readPatch, saveContent, type SavedInstance } from '../revisions/save-instance.ts'

/** The instance that a dashboard route works on, and who calls it. */
export type Target = Actor & { blockKey: string; id: string }

/** G-36. */
export async function createInstance(ctx: Context, by: Actor, blockKey: string, body: unknown): Promise<SavedInstance> {
  return changeContent(ctx, by, async (change) => {
    const definition = await queries.getActiveDefinition(change.tx, change.workspaceId, blockKey)
    const content = await draftContent(change, definition, await readPatch(change, body, definition))
    const instance = await insertDraft(change, definition, { externalId: readExternalId(body), content }, 'create')
    return { instance, definition }
  })
}

/** A draft with the same content. The external id stays with the original: it names one instance. */
export async function duplicateInstance(ctx: Context, { blockKey, id, ...of }: Target, title: string | undefined): Promise<SavedInstance> {
  return changeContent(ctx, of, async (change) => {
    const { tx, workspaceId } = change
    const definition = await queries.getActiveDefinition(tx, workspaceId, blockKey)
    const original = await instanceQueries.getInstance(tx, workspaceId, blockKey, id)
    const content = { ...contentOf(original), ...(title !== undefined && { title }) }
    return { instance: await insertDraft(change, definition, { externalId: null, content }, 'create', original), definition }
  })
}

function readExternalId(body: unknown): string | null {
  const externalId = isPlainObject(body) ? (body['externalId'] ?? null) : null
  if (externalId === null) return null
  if (typeof externalId !== 'string' || externalId === '' || externalId.length > LIMITS.externalIdLength)
    failWith(400, `externalId must be a non-empty string of at most ${LIMITS.externalIdLength} characters`)
  return externalId
}

/** `asked`: the request for a second person, where the save would have changed live content (G-82). */
export type Updated = SavedInstance & { asked?: PendingRequest }

/**
 * M-INST. With `expectedVersion` (If-Match) a save on top of somebody else's is refused instead of lost. `isDraft`: no
 * client gets it.
 */
export async function updateInstance(
  ctx: Context,
  target: Target,
  body: unknown,
  { expectedVersion, isDraft = false }: { expectedVersion: number | undefined; isDraft?: boolean },
): Promise<Updated> {
  const save = async (change: Change, { definition, instance }: SavedInstance, isKept: boolean) =>
    saveContent(change, definition, instance, applyPatch(instance, await readPatch(change, body, definition)), {
      source: 'edit',
      isDraft: isKept,
    })
  return isDraft
    ? changeOne(ctx, target, expectedVersion, (change, found) => save(change, found, true))
    : saveOne(ctx, target, expectedVersion, save)
}

/** Saves the content of an earlier revision as the newest one. Pointers that are set move to it. */
export async function rollBack(ctx: Context, target: Target, number: number, expectedVersion: number | undefined): Promise<Updated> {
  return saveOne(ctx, target, expectedVersion, async (change, { definition, instance }, isAsked) => {
    const { content } = await instanceQueries.getRevision(change.tx, change.workspaceId, target.id, number)
    return saveContent(change, definition, instance, content, { source: 'rollback', isDraft: isAsked, restoredFrom: number })
  })
}

/** Where a second person has to approve, a save that would move the live pointer makes a draft and a request. */
async function saveOne(
  ctx: Context,
  target: Target,
  expectedVersion: number | undefined,
  work: (change: Change, found: SavedInstance, isAsked: boolean) => Promise<Instance>,
): Promise<Updated> {
  let asked: PendingRequest | undefined
  const saved = await changeOne(ctx, target, expectedVersion, async (change, found) => {
    asked = undefined
    const isLive = found.instance.liveRevision !== null
    const isAsked = isLive && (await findRules(change.tx, change.workspaceId)).publishing
    const instance = await work(change, found, isAsked)
    const isNew = instance.liveRevision !== instance.version
    if (isAsked && isNew) asked = await askForReview(change, instance, { action: 'publish', targets: ['live'], revision: instance.version })
    return instance
  })
  return asked ? { ...saved, asked } : saved
}

export async function changeOne(
  ctx: Context,
  { blockKey, id, ...of }: Target,
  expectedVersion: number | undefined,
  work: (change: Change, found: SavedInstance) => Promise<Instance>,
): Promise<SavedInstance> {
  return changeContent(ctx, of, async (change) => {
    const { tx, workspaceId } = change
    const definition = await queries.getActiveDefinition(tx, workspaceId, blockKey)
    const instance = await instanceQueries.getInstance(tx, workspaceId, blockKey, id)
    if (expectedVersion !== undefined && expectedVersion !== instance.version)
      fail('VERSION_CHANGED', { message: `This instance is at version ${instance.version} now; read it again first` })
    return { definition, instance: await work(change, { definition, instance }) }
  })
}
