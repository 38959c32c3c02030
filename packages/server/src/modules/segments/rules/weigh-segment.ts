import { listDependents, orderByExclusion } from '@contentflow/core/targeting/exclusions.ts'
import { namedFields } from '@contentflow/core/targeting/named-fields.ts'
import type { SegmentRules } from '@contentflow/core/targeting/rule.ts'
import type { Context } from '../../../context.ts'
import { readPast } from '../../behaviour/index.ts'
import { findOwnEnvironment } from '../../people/index.ts'
import { countMembers, listSegments, type Segment, type UsedBy } from '../queries.ts'
import { countMoves } from '../membership/queries-membership.ts'
import { conditionFor, forEachStep } from '../membership/recompute.ts'
import { listCampaignsFor, listJourneysFor } from '../queries-uses.ts'

/** People who would come in and go out. */
export type MembershipMoves = { gaining: number; losing: number }

/** Of these rules in place of those of `segment`, or of a new one; measured by the stored membership, in the workspace's own environment. */
export async function countSegmentMoves(
  ctx: Context,
  workspaceId: string,
  segment: Pick<Segment, 'id'> | undefined,
  { rules, excluded }: { rules: SegmentRules; excluded: readonly string[] },
): Promise<MembershipMoves> {
  const environment = await findOwnEnvironment(ctx.db, workspaceId)
  const moves: MembershipMoves = { gaining: 0, losing: 0 }
  const past = await readPast(ctx, workspaceId, rules.rules)
  await forEachStep(ctx, rules, workspaceId, async (step) => {
    const people = { ...step, environment }
    const condition = await conditionFor(ctx, rules, people, { now: ctx.clock.ms(), past })
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

/** A segment of which other people may be members, and what of campaigns and journeys goes by it. */
export type AffectedSegment = Pick<Segment, 'id' | 'name'> & { usedBy: Pick<UsedBy, 'campaigns' | 'journeys'> }

/** Those whose rules look at any of these fields, and those that leave out one of them; what something goes by comes first. */
export async function listAffectedSegments({ db }: Context, workspaceId: string, fields: ReadonlySet<string>): Promise<AffectedSegment[]> {
  const all = await listSegments(db, workspaceId)
  const looking = all.filter(({ rules }) => [...namedFields(rules)].some((field) => fields.has(field)))
  const ids = looking.map(({ id }) => id)
  const affected = [...looking, ...listDependents(orderByExclusion(all) ?? [], ids)]
  if (affected.length === 0) return []
  const campaigns = await listCampaignsFor(
    db,
    workspaceId,
    affected.map(({ name }) => name),
  )
  const journeys = await listJourneysFor(
    db,
    workspaceId,
    affected.map(({ id }) => id),
  )
  const isUsed = ({ usedBy }: AffectedSegment) => usedBy.campaigns.length + usedBy.journeys.length > 0
  return affected
    .map(({ id, name }) => ({ id, name, usedBy: { campaigns: campaigns.get(name) ?? [], journeys: journeys.get(id) ?? [] } }))
    .toSorted((a, b) => Number(isUsed(b)) - Number(isUsed(a)))
}
