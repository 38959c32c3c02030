import { isServedAnew } from '@contentflow/core/as-code/instance-code.ts'
import type { CodeChange, CodeKept } from '@contentflow/core/as-code/plan-code.ts'
import type { SegmentCode } from '@contentflow/core/as-code/audience-code.ts'
import { cellOf } from '@contentflow/core/campaigns/status.ts'
import { listDependents, orderByExclusion } from '@contentflow/core/targeting/exclusions.ts'
import type { Context } from '../../context.ts'
import { countPublished, summarizeInstancesFor } from '../content/index.ts'
import { countSegmentMembers, countSegmentMoves, listSegmentUses, type MembershipMoves } from '../segments/index.ts'
import { countStatuses } from '../strings/index.ts'
import { isReviewed, readPlan, refuseCalls, type Found, type PlannedCode, type ApplyRequest } from './read-workspace.ts'

/** What else a change reaches. */
type Reach = {
  /** Of a segment; null when it leaves out one that changes in the same plan, so that nobody knows yet. */
  people: MembershipMoves | null
  /** Published instances of the type, or instances for the segment. */
  instances: number
  campaigns: string[]
  journeys: string[]
  /** Segments that leave this one out, and are worked out anew. */
  segments: string[]
  /** Texts that go with a language. */
  strings: number
}
export type WeighedChange = CodeChange & {
  reach: Reach
  /** It stays a draft, or what it is, until a second person agrees. */
  asks: boolean
  /** It is made switched off: a webhook until somebody has its secret, a channel until its secrets are entered. */
  off: boolean
  /** With this code the whole plan would be refused. */
  refused: 'JOURNEY_ACTIVE' | 'JOURNEY_INCOMPLETE' | 'CAMPAIGN_NOT_EDITABLE' | 'EXPERIMENT_STARTED' | null
}

const NOTHING: Reach = { people: null, instances: 0, campaigns: [], journeys: [], segments: [], strings: 0 }

/** What a document would change, and for whom. Nothing is stored. */
export async function planWorkspace(
  ctx: Context,
  workspaceId: string,
  wish: ApplyRequest,
): Promise<{ version: string; changes: WeighedChange[]; kept: CodeKept[] }> {
  const plan = await readPlan(ctx, ctx.db, workspaceId, wish)
  await refuseCalls(ctx, workspaceId, plan)
  const { changes, kept, version } = plan
  const keysOf = (kind: CodeChange['kind']) => changes.filter((change) => change.kind === kind).map(({ key }) => key)
  const published = await countPublished(ctx.db, workspaceId, keysOf('blocks'))
  const { byLocale } = await countStatuses(ctx.db, workspaceId)
  const changed = new Set(keysOf('segments'))
  const reachOf = async ({ kind, key, change }: CodeChange): Promise<Reach> => {
    if (kind === 'segments') return weighSegment(ctx, workspaceId, { ...plan, changed }, key)
    if (kind === 'blocks') return { ...NOTHING, instances: published.get(key) ?? 0 }
    const { ok = 0, review = 0 } = (kind === 'locales' && change === 'delete' && byLocale.get(key)) || {}
    return { ...NOTHING, strings: ok + review }
  }
  const weighed: WeighedChange[] = []
  for (const change of changes)
    weighed.push({
      ...change,
      reach: await reachOf(change),
      asks: needsSecondPerson(plan, change),
      off: (change.kind === 'webhooks' || change.kind === 'channels') && change.change === 'create',
      refused: refusalOf(plan, change),
    })
  return { version, changes: weighed, kept }
}

function needsSecondPerson(plan: PlannedCode, { kind, key, change }: CodeChange): boolean {
  if (change === 'delete') return false
  if (kind === 'campaigns') {
    const status = plan.found.campaignStatuses.get(key)
    const cell = status && cellOf(status, 'edit')
    return cell !== undefined && 'to' in cell && cell.to === 'asked'
  }
  if (kind !== 'instances' || !isReviewed(plan)) return false
  const named = ({ id }: { id: string }) => id === key
  return isServedAnew(plan.found.code.instances.find(named), plan.wanted.instances?.find(named), 'live')
}

/** What has begun is left out of a plan, not deleted: only changes are refused. */
function refusalOf({ found, wanted }: PlannedCode, { kind, key, change, members }: CodeChange): WeighedChange['refused'] {
  if (kind === 'experiments') {
    const isFixed = change === 'create' || members.some((member) => member !== 'hypothesis')
    return isFixed && found.begunExperiments.has(key) ? 'EXPERIMENT_STARTED' : null
  }
  if (kind === 'journeys') {
    const status = found.journeyStatuses.get(key)
    if (status === 'active') return 'JOURNEY_ACTIVE'
    return status === 'paused' && wanted.journeys?.some(({ id, incomplete }) => id === key && incomplete) ? 'JOURNEY_INCOMPLETE' : null
  }
  const status = kind === 'campaigns' ? found.campaignStatuses.get(key) : undefined
  return status && 'refused' in cellOf(status, 'edit') ? 'CAMPAIGN_NOT_EDITABLE' : null
}

type Plan = Pick<PlannedCode, 'found' | 'wanted'> & { changed: ReadonlySet<string> }

async function weighSegment(ctx: Context, workspaceId: string, { found, wanted, changed }: Plan, name: string): Promise<Reach> {
  const stored = found.segments.find((segment) => segment.name === name)
  const after = wanted.segments?.find((segment) => segment.name === name)
  const instances = await summarizeInstancesFor(ctx.db, workspaceId, [name], 1)
  return {
    people: await movesOf(ctx, workspaceId, { found, wanted, changed }, { stored, after }),
    instances: instances.get(name)?.count ?? 0,
    ...(stored ? await listSegmentUses(ctx, workspaceId, stored) : { campaigns: [], journeys: [] }),
    segments: stored ? dependentsOf(found, stored.id) : [],
    strings: 0,
  }
}

async function movesOf(
  ctx: Context,
  workspaceId: string,
  { found, wanted, changed }: Plan,
  { stored, after }: { stored: Found['segments'][number] | undefined; after: SegmentCode | undefined },
): Promise<MembershipMoves | null> {
  if (!after) return { gaining: 0, losing: stored ? await countSegmentMembers(ctx, workspaceId, stored.id) : 0 }
  if (leavesOutOneOf(changed, after, wanted.segments ?? [])) return null
  const excluded = found.segments.filter((segment) => after.excludedSegments.includes(segment.name)).map(({ id }) => id)
  return countSegmentMoves(ctx, workspaceId, stored, { rules: after, excluded })
}

/** Itself or through others; each is looked at once, however many leave it out. */
function leavesOutOneOf(changed: ReadonlySet<string>, segment: SegmentCode, all: readonly SegmentCode[]): boolean {
  const byName = new Map(all.map((each) => [each.name, each]))
  const leftOut = new Set(segment.excludedSegments)
  for (const name of leftOut) {
    if (changed.has(name)) return true
    for (const further of byName.get(name)?.excludedSegments ?? []) leftOut.add(further)
  }
  return false
}

function dependentsOf({ segments }: Found, id: string): string[] {
  return listDependents(orderByExclusion(segments) ?? [], [id])
    .map(({ name }) => name)
    .sort()
}
