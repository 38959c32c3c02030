import { LIMITS } from '@contentflow/core/limits.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import type { Change } from '../../../infra/change.ts'
import type { PendingRequest } from '../../approvals/index.ts'
import { bytesOf, reserveQuota } from '../../quota/index.ts'
import { changeContent } from '../revisions/change-content.ts'
import type { SavedInstance } from '../revisions/save-instance.ts'
import { changeOne, type Target } from './instances.ts'
import * as queries from '../revisions/queries.ts'
import {
  contentOf,
  findDeletedInstance,
  isExternalIdTaken,
  listWorkspacesWithDeleted,
  purgeDeleted,
  type Instance,
} from '../revisions/queries-instances.ts'
import { dropInstance } from './drop-instance.ts'
import { storeInstance } from '../revisions/move-pointers.ts'
import { askToTakeAway } from './reviews.ts'
import { pointersOf } from '../revisions/served.ts'

const plain = { environment: null, revision: null, dueAt: null }

/** Deletes an instance: clients and lists lose it at once, and for 30 days it can be brought back. Returns the request instead where a second person has to approve. */
export async function deleteInstance(
  ctx: Context,
  target: Target,
  expectedVersion: number | undefined,
): Promise<PendingRequest | undefined> {
  let asked: PendingRequest | undefined
  await changeOne(ctx, target, expectedVersion, async (change, { instance }) => {
    asked = await askToTakeAway(change, instance, 'delete', pointersOf(instance))
    return asked ? instance : dropInstance(change, instance)
  })
  return asked
}

/** Brings an instance back as a draft, which is not served until somebody publishes it. Its external id stays with an instance that took it meanwhile. */
export async function restoreInstance(ctx: Context, { blockKey, id, ...of }: Target): Promise<SavedInstance> {
  return changeContent(ctx, of, async (change) => {
    const { tx, workspaceId } = change
    const definition = await queries.getActiveDefinition(tx, workspaceId, blockKey)
    const stored = (await findDeletedInstance(tx, workspaceId, blockKey, id)) ?? failWith(404, 'instance not found')
    return { definition, instance: await reviveInstance(change, stored) }
  })
}

export async function reviveInstance(change: Change, stored: Instance): Promise<Instance> {
  const { tx, workspaceId } = change
  const isTaken = stored.externalId !== null && (await isExternalIdTaken(tx, workspaceId, stored.blockKey, stored.externalId))
  reserveQuota(change, bytesOf(contentOf(stored)))
  const next = { ...stored, deletedAt: null, deletedBy: null, externalId: isTaken ? null : stored.externalId }
  return storeInstance(change, stored, next, [], [{ action: 'restore', ...plain }])
}

/** Removes what can no longer be brought back, in every workspace. */
export async function dropDeleted(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.ms() - LIMITS.deletedInstanceDays * DAY_MS)
  for (const workspaceId of await listWorkspacesWithDeleted(ctx.db, before)) await purgeDeleted(ctx.db, workspaceId, before)
}
