import type { SegmentRules } from '@contentflow/core/targeting/rule.ts'
import type { Context } from '../../context.ts'
import { findOwnEnvironment } from '../people/index.ts'
import { countMembers, type Segment } from './queries.ts'
import { countMoves } from './queries-membership.ts'
import { conditionFor, forEachStep } from './recompute.ts'
import { listCampaignsFor, listJourneysFor } from './queries-uses.ts'

/** People who would come in and go out. */
export type Moves = { gaining: number; losing: number }

/** Of these rules in place of those of `segment`, or of a new one; measured by the stored membership, in the workspace's own environment. */
export async function countSegmentMoves(
  ctx: Context,
  workspaceId: string,
  segment: Pick<Segment, 'id'> | undefined,
  { rules, excluded }: { rules: SegmentRules; excluded: readonly string[] },
): Promise<Moves> {
  const environment = await findOwnEnvironment(ctx.db, workspaceId)
  const moves: Moves = { gaining: 0, losing: 0 }
  await forEachStep(ctx, rules, workspaceId, async (step) => {
    const people = { ...step, environment }
    const condition = await conditionFor(ctx, rules, people, ctx.clock.ms())
    const { gaining, losing } = await countMoves(ctx.db, { workspaceId, segmentId: segment?.id ?? '', condition, excluded }, people)
    moves.gaining += gaining
    moves.losing += losing
  })
  return moves
}

/** Everybody who is in it. */
export async function countSegmentMembers(ctx: Context, workspaceId: string, id: string): Promise<number> {
  const environment = await findOwnEnvironment(ctx.db, workspaceId)
  return (await countMembers(ctx.db, workspaceId, environment, [id])).get(id) ?? 0
}

/** Campaigns that are not over and journeys which name it, by their names. */
export async function listSegmentUses(
  ctx: Context,
  workspaceId: string,
  { id, name }: Pick<Segment, 'id' | 'name'>,
): Promise<{ campaigns: string[]; journeys: string[] }> {
  const campaigns = await listCampaignsFor(ctx.db, workspaceId, [name])
  const journeys = await listJourneysFor(ctx.db, workspaceId, [id])
  return {
    campaigns: (campaigns.get(name) ?? []).map((campaign) => campaign.name),
    journeys: (journeys.get(id) ?? []).map((journey) => journey.name),
  }
}
