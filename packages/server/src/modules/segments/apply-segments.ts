import type { SegmentCode } from '@contentflow/core/as-code/audience-code.ts'
import type { Change } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { syncTrackers } from '../behaviour/index.ts'
import { bytesOf, reserveQuota } from '../quota/index.ts'
import * as queries from './queries.ts'
import type { Segment } from './queries.ts'
import { DELETED_SEGMENTS } from './membership/recompute.ts'
import { takeName, touchSegments } from './segments.ts'

/** A segment as a document names it. */
export function codeOf({ name, logicalOperator, rules, excluded, updateFrequency }: Segment, all: readonly Segment[]): SegmentCode {
  const excludedSegments = all.filter(({ id }) => excluded.includes(id)).map((segment) => segment.name)
  return { name, logicalOperator, rules, excludedSegments, updateFrequency }
}

/**
 * Makes, changes and deletes segments by their names; `all` are those there are, locked, and content is held. What
 * still names one that is deleted reaches nobody. Ids of those whose members are to be worked out.
 */
export async function applySegments(
  change: Change,
  all: readonly Segment[],
  { written, deleted }: { written: readonly SegmentCode[]; deleted: readonly string[] },
): Promise<string[]> {
  const { tx, workspaceId, now, nudge } = change
  const byName = new Map(all.map((segment) => [segment.name, segment]))
  const ids = new Map([...byName].map(([name, { id }]) => [name, id]))
  for (const { name } of written) if (!ids.has(name)) ids.set(name, uuidv7(now.getTime()))
  const touched: string[] = []
  for (const name of deleted) {
    const id = ids.get(name) ?? ''
    touched.push(...(await queries.dropExclusionsOf(tx, workspaceId, id, now)))
    await queries.deleteSegment(tx, workspaceId, id, now)
    await syncTrackers(change, { kind: 'segment', id }, [])
    nudge(DELETED_SEGMENTS)
  }
  for (const { excludedSegments, ...code } of written) {
    const before = byName.get(code.name)
    const excluded = excludedSegments.map((name) => ids.get(name) ?? '')
    const made = { exactAsOf: null, version: 1, createdAt: now, ...before, ...code, id: ids.get(code.name) ?? '', excluded, updatedAt: now }
    reserveQuota(change, bytesOf(made.rules))
    if (before) await queries.updateSegment(tx, workspaceId, made)
    else {
      await takeName(change, made)
      await queries.insertSegment(tx, workspaceId, made)
    }
    await syncTrackers(change, { kind: 'segment', id: made.id }, made.rules)
    touched.push(made.id)
  }
  touchSegments(change)
  return touched
}
