import { LIMITS } from '@contentflow/core/limits.ts'
import { applyPatch, listReferences } from '@contentflow/core/blocks/instance.ts'
import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import type { Environment, Tell } from '../../infra/signals.ts'
import { markContentChanged } from './mark-changed.ts'
import * as queries from './queries.ts'
import * as instanceQueries from './queries-instances.ts'
import type { StoredDefinition } from './queries.ts'
import { contentOf, type Instance } from './queries-instances.ts'
import { draftContent, environmentsOf, insertDraft, readPatch, saveContent, setPublished } from './save-instance.ts'

/** Which instance a dashboard route works on, and for whom. */
export type Target = { workspaceId: string; blockKey: string; id: string; accountId: string }
export type Saved = { instance: Instance; definition: StoredDefinition }

/** G-36. */
export async function createInstance(
  ctx: Context,
  { workspaceId, blockKey, accountId }: Omit<Target, 'id'>,
  body: unknown,
): Promise<Saved> {
  return ctx.db.transaction().execute(async (tx) => {
    await queries.lockContent(tx, workspaceId)
    const definition = await queries.getActiveDefinition(tx, workspaceId, blockKey)
    const content = await draftContent(tx, workspaceId, definition, readPatch(body, definition))
    const instance = await insertDraft(
      ctx,
      tx,
      workspaceId,
      definition,
      { externalId: readExternalId(body), content },
      { id: accountId, source: 'create' },
    )
    return { instance, definition }
  })
}

/** A draft with the same content. The external id stays with the original: it names one instance. */
export async function duplicateInstance(
  ctx: Context,
  { workspaceId, blockKey, id, accountId }: Target,
  title: string | undefined,
): Promise<Saved> {
  return ctx.db.transaction().execute(async (tx) => {
    await queries.lockContent(tx, workspaceId)
    const definition = await queries.getActiveDefinition(tx, workspaceId, blockKey)
    const original = await instanceQueries.getInstance(tx, workspaceId, blockKey, id)
    const content = { ...contentOf(original), ...(title !== undefined && { title }) }
    const kept = listReferences(definition.fields, original)
    const maker = { id: accountId, source: 'create' } as const
    return { instance: await insertDraft(ctx, tx, workspaceId, definition, { externalId: null, content }, maker, kept), definition }
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
  return change(ctx, target, expectedVersion, async (tx, tell, { definition, instance }) => {
    const content = applyPatch(instance, readPatch(body, definition))
    return saveContent(ctx, tx, tell, target.workspaceId, definition, instance, content, { id: target.accountId, source: 'edit' })
  })
}

/** Makes the content of an earlier revision the newest one. Publication stays as it is. */
export async function rollBack(ctx: Context, target: Target, number: number, expectedVersion: number | undefined): Promise<Saved> {
  return change(ctx, target, expectedVersion, async (tx, tell, { definition, instance }) => {
    const revision = await instanceQueries.getRevision(tx, target.workspaceId, target.id, number)
    return saveContent(
      ctx,
      tx,
      tell,
      target.workspaceId,
      definition,
      instance,
      revision.content,
      { id: target.accountId, source: 'rollback' },
      number,
    )
  })
}

/** G-37. Publishing to a retired test environment is refused (C-SBX-15). */
export async function publishInstance(ctx: Context, target: Target, environment: Environment): Promise<Saved> {
  return change(ctx, target, undefined, async (tx, tell, { definition, instance }) => {
    if (environment === 'test' && (await queries.isTestRetired(tx, target.workspaceId))) fail('TEST_ENV_RETIRED')
    return setPublished(ctx, tx, tell, target.workspaceId, definition, instance, [environment], true)
  })
}

export async function unpublishInstance(ctx: Context, target: Target, environments: readonly Environment[]): Promise<Saved> {
  return change(ctx, target, undefined, (tx, tell, { definition, instance }) =>
    setPublished(ctx, tx, tell, target.workspaceId, definition, instance, environments, false),
  )
}

export async function deleteInstance(ctx: Context, target: Target): Promise<void> {
  await change(ctx, target, undefined, async (tx, tell, { instance }) => {
    await instanceQueries.deleteInstance(tx, target.workspaceId, target.id)
    await markContentChanged(tx, tell, {
      workspaceId: target.workspaceId,
      environments: environmentsOf(instance),
      signal: 'block.unpublished',
      now: ctx.clock.now(),
    })
    return instance
  })
}

type Work = (tx: Db, tell: Tell, found: Saved) => Promise<Instance>

async function change(
  ctx: Context,
  { workspaceId, blockKey, id }: Target,
  expectedVersion: number | undefined,
  work: Work,
): Promise<Saved> {
  return ctx.signals.transact(async (tx, tell) => {
    await queries.lockContent(tx, workspaceId)
    const definition = await queries.getActiveDefinition(tx, workspaceId, blockKey)
    const instance = await instanceQueries.getInstance(tx, workspaceId, blockKey, id)
    if (expectedVersion !== undefined && expectedVersion !== instance.version)
      failWith(412, `This instance is at version ${instance.version} now; read it again before you save`)
    return { definition, instance: await work(tx, tell, { definition, instance }) }
  })
}
