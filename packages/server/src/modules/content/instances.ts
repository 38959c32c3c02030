import { LIMITS } from '@contentflow/core/limits.ts'
import { applyPatch, listReferences } from '@contentflow/core/blocks/instance.ts'
import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import type { Change, Of } from '../../infra/change.ts'
import type { Environment } from '../../infra/signals.ts'
import { changeContent, touchContent } from './change-content.ts'
import * as queries from './queries.ts'
import * as instanceQueries from './queries-instances.ts'
import type { StoredDefinition } from './queries.ts'
import { contentOf, type Instance } from './queries-instances.ts'
import { draftContent, environmentsOf, insertDraft, readPatch, saveContent, setPublished } from './save-instance.ts'

/** Which instance a dashboard route works on, and for whom. */
export type Target = Of & { blockKey: string; id: string }
export type Saved = { instance: Instance; definition: StoredDefinition }

/** G-36. */
export async function createInstance(ctx: Context, of: Of, blockKey: string, body: unknown): Promise<Saved> {
  return changeContent(ctx, of, async (change) => {
    const definition = await queries.getActiveDefinition(change.tx, change.workspaceId, blockKey)
    const content = await draftContent(change, definition, readPatch(body, definition))
    const instance = await insertDraft(change, definition, { externalId: readExternalId(body), content }, 'create')
    return { instance, definition }
  })
}

/** A draft with the same content. The external id stays with the original: it names one instance. */
export async function duplicateInstance(ctx: Context, { blockKey, id, ...of }: Target, title: string | undefined): Promise<Saved> {
  return changeContent(ctx, of, async (change) => {
    const { tx, workspaceId } = change
    const definition = await queries.getActiveDefinition(tx, workspaceId, blockKey)
    const original = await instanceQueries.getInstance(tx, workspaceId, blockKey, id)
    const content = { ...contentOf(original), ...(title !== undefined && { title }) }
    const kept = listReferences(definition.fields, original)
    return { instance: await insertDraft(change, definition, { externalId: null, content }, 'create', kept), definition }
  })
}

function readExternalId(body: unknown): string | null {
  const externalId = isPlainObject(body) ? (body['externalId'] ?? null) : null
  if (externalId === null) return null
  if (typeof externalId !== 'string' || externalId === '' || externalId.length > LIMITS.externalIdLength)
    failWith(400, `externalId must be a non-empty string of at most ${LIMITS.externalIdLength} characters`)
  return externalId
}

/** M-INST. With `expectedVersion` (If-Match) a save on top of somebody else's is refused instead of lost. */
export async function updateInstance(ctx: Context, target: Target, body: unknown, expectedVersion: number | undefined): Promise<Saved> {
  return changeOne(ctx, target, expectedVersion, async (change, { definition, instance }) => {
    const content = applyPatch(instance, readPatch(body, definition))
    return saveContent(change, definition, instance, content, 'edit')
  })
}

/** Makes the content of an earlier revision the newest one. Publication stays as it is. */
export async function rollBack(ctx: Context, target: Target, number: number, expectedVersion: number | undefined): Promise<Saved> {
  return changeOne(ctx, target, expectedVersion, async (change, { definition, instance }) => {
    const { content } = await instanceQueries.getRevision(change.tx, change.workspaceId, target.id, number)
    return saveContent(change, definition, instance, content, 'rollback', number)
  })
}

/**
 * G-37. Publishing to a retired test environment is refused (C-SBX-15). With `expectedVersion` (If-Match) only what
 * was looked at is published, not what somebody else saved meanwhile.
 */
export async function publishInstance(
  ctx: Context,
  target: Target,
  environment: Environment,
  expectedVersion: number | undefined,
): Promise<Saved> {
  return changeOne(ctx, target, expectedVersion, async (change, { definition, instance }) => {
    if (environment === 'test' && (await queries.isTestRetired(change.tx, change.workspaceId))) fail('TEST_ENV_RETIRED')
    return setPublished(change, definition, instance, [environment], true)
  })
}

export async function unpublishInstance(ctx: Context, target: Target, environments: readonly Environment[]): Promise<Saved> {
  return changeOne(ctx, target, undefined, (change, { definition, instance }) =>
    setPublished(change, definition, instance, environments, false),
  )
}

export async function deleteInstance(ctx: Context, target: Target): Promise<void> {
  await changeOne(ctx, target, undefined, async (change, { instance }) => {
    await instanceQueries.deleteInstance(change.tx, change.workspaceId, target.id)
    touchContent(change, environmentsOf(instance), 'block.unpublished')
    return instance
  })
}

async function changeOne(
  ctx: Context,
  { blockKey, id, ...of }: Target,
  expectedVersion: number | undefined,
  work: (change: Change, found: Saved) => Promise<Instance>,
): Promise<Saved> {
  return changeContent(ctx, of, async (change) => {
    const { tx, workspaceId } = change
    const definition = await queries.getActiveDefinition(tx, workspaceId, blockKey)
    const instance = await instanceQueries.getInstance(tx, workspaceId, blockKey, id)
    if (expectedVersion !== undefined && expectedVersion !== instance.version)
      fail('VERSION_CHANGED', { message: `This instance is at version ${instance.version} now; read it again first` })
    return { definition, instance: await work(change, { definition, instance }) }
  })
}
