import type { CodeChange } from '@contentflow/core/as-code/plan-code.ts'
import type { SegmentCode, WorkspaceCode } from '@contentflow/core/as-code/workspace-code.ts'
import { listDependents, orderByExclusion } from '@contentflow/core/targeting/exclusions.ts'
import type { Context } from '../../context.ts'
import { countPublished, summarizeInstancesFor } from '../content/index.ts'
import { countSegmentMembers, countSegmentMoves, listSegmentUses, type Moves } from '../segments/index.ts'
import { planFor, readWorkspace, wantedCode, type Found } from './read-workspace.ts'

/** What else a change reaches. */
type Reach = {
  /** Of a segment; null when it leaves out one that changes in the same plan, so that nobody knows yet. */
  people: Moves | null
  /** Published instances of the type, or instances for the segment. */
  instances: number
  campaigns: string[]
  journeys: string[]
  /** Segments that leave this one out, and are worked out anew. */
  segments: string[]
}
export type WeighedChange = CodeChange & { reach: Reach }

const NOTHING: Reach = { people: null, instances: 0, campaigns: [], journeys: [], segments: [] }

/** What a document would change, and for whom. Nothing is stored. */
export async function planWorkspace(
  ctx: Context,
  workspaceId: string,
  document: unknown,
): Promise<{ version: string; changes: WeighedChange[] }> {
  const wanted = wantedCode(document)
  const found = await readWorkspace(ctx.db, workspaceId)
  const { changes, version } = planFor(found.code, wanted)
  const weighed: WeighedChange[] = []
  const published = await countPublished(
    ctx.db,
    workspaceId,
    changes.filter(({ kind }) => kind === 'blocks').map(({ key }) => key),
  )
  const changed = new Set(changes.filter(({ kind }) => kind === 'segments').map(({ key }) => key))
  for (const change of changes) {
    if (change.kind === 'segments')
      weighed.push({ ...change, reach: await weighSegment(ctx, workspaceId, { found, wanted, changed }, change.key) })
    else weighed.push({ ...change, reach: change.kind === 'blocks' ? { ...NOTHING, instances: published.get(change.key) ?? 0 } : NOTHING })
  }
  return { version, changes: weighed }
}

type Plan = { found: Found; wanted: Partial<WorkspaceCode>; changed: ReadonlySet<string> }

async function weighSegment(ctx: Context, workspaceId: string, { found, wanted, changed }: Plan, name: string): Promise<Reach> {
  const stored = found.segments.find((segment) => segment.name === name)
  const after = wanted.segments?.find((segment) => segment.name === name)
  const instances = await summarizeInstancesFor(ctx.db, workspaceId, [name], 1)
  return {
    people: await movesOf(ctx, workspaceId, { found, wanted, changed }, { stored, after }),
    instances: instances.get(name)?.count ?? 0,
    ...(stored ? await listSegmentUses(ctx, workspaceId, stored) : { campaigns: [], journeys: [] }),
    segments: stored ? dependentsOf(found, stored.id) : [],
  }
}

async function movesOf(
  ctx: Context,
  workspaceId: string,
  { found, wanted, changed }: Plan,
  { stored, after }: { stored: Found['segments'][number] | undefined; after: SegmentCode | undefined },
): Promise<Moves | null> {
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
