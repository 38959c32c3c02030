import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { isWriteConflict } from '../../infra/unavailable.ts'
import { findOwnEnvironment, notifyDevices } from '../people/index.ts'
import type { Actor } from '../../infra/change.ts'
import { findSegmentByIdOrName, type Segment } from './queries.ts'
import { createSegment } from './segments.ts'
import { addByHand, findProfileIds, holdProfiles, lockSegment, takeOut } from './membership/queries-membership.ts'
import { reevaluateAfter } from './membership/recompute.ts'

export type BulkOutcome = {
  segmentId: string
  segment: string
  action: 'add' | 'remove'
  matched: number
  modified: number
  notFound: string[]
}

/**
 * M-BULK-17 to M-BULK-25, G-45. Whoever is added by hand stays until they are removed, whatever the rules say. Who is
 * removed is out at once, and in again when the rules say so the next time they are asked.
 */
export async function changeMembersByHand(ctx: Context, by: Actor, body: Record<string, unknown>): Promise<BulkOutcome> {
  const { workspaceId } = by
  const { segmentId } = body
  if (typeof segmentId !== 'string' || segmentId === '') failWith(400, 'segmentId must be the id or the name of a segment')
  const segment = (await findSegmentByIdOrName(ctx.db, workspaceId, segmentId)) ?? failWith(404, 'segment not found')
  const { action, userIds, environment = await findOwnEnvironment(ctx.db, workspaceId) } = readBulk(body)
  const found = await findProfileIds(ctx.db, workspaceId, environment, userIds)
  const profileIds = [...new Set(found.values())]
  const modified = await ctx.change(
    by,
    async ({ tx, now, audited, auditedPerson }) => {
      audited('segment', segment.id)
      for (const userId of found.keys()) auditedPerson(userId)
      if (!(await lockSegment(tx, workspaceId, segment.id))) return 0
      if (action === 'remove') return takeOut(tx, workspaceId, segment.id, profileIds)
      return addByHand(tx, workspaceId, segment.id, await holdProfiles(tx, workspaceId, profileIds), now)
    },
    isWriteConflict,
  )
  await reevaluateAfter(ctx, workspaceId, segment.id, profileIds, { withItself: action === 'add' })
  if (action === 'remove') await notifyDevices(ctx, workspaceId, profileIds)
  return {
    segmentId: segment.id,
    segment: segment.name,
    action,
    matched: profileIds.length,
    modified,
    notFound: userIds.filter((id) => !found.has(id)),
  }
}

/**
 * Makes a segment together with the members that are added by hand, or neither; 400 when none of them is there. Tells how many were
 * added. Refused as `createSegment`.
 */
export async function createSegmentOf(
  ctx: Context,
  by: Actor,
  body: Record<string, unknown>,
  people: { userIds: readonly string[]; environment: Environment },
): Promise<{ segment: Segment; added: number }> {
  const { workspaceId } = by
  const found = await findProfileIds(ctx.db, workspaceId, people.environment, people.userIds)
  const profileIds = [...new Set(found.values())]
  let added = 0
  const segment = await createSegment(ctx, by, body, async ({ tx, now }, { id }) => {
    added = await addByHand(tx, workspaceId, id, await holdProfiles(tx, workspaceId, profileIds), now)
    await ctx.faults.reach('segments: members added')
    if (added === 0) failWith(400, 'None of these people is there any more, so there is nobody to add')
  })
  await reevaluateAfter(ctx, workspaceId, segment.id, profileIds, { withItself: true })
  return { segment, added }
}

function readBulk({ action = 'add', userIds, environment }: Record<string, unknown>): {
  action: 'add' | 'remove'
  userIds: string[]
  environment?: Environment
} {
  if (action !== 'add' && action !== 'remove') failWith(400, 'action must be add or remove')
  const isList = Array.isArray(userIds) && userIds.length > 0 && userIds.length <= LIMITS.bulkUsers
  if (!isList || !userIds.every((id): id is string => typeof id === 'string'))
    failWith(400, `userIds must be an array of 1 to ${LIMITS.bulkUsers} strings`)
  if (environment !== undefined && environment !== 'live' && environment !== 'test') failWith(400, 'environment must be live or test')
  return { action, userIds: [...new Set(userIds)], ...(environment !== undefined && { environment }) }
}
