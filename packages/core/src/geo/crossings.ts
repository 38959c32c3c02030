/**
 * Geofence crossings of one device and one fence, from what the device reports and from its movement. However
 * many ways a crossing is noticed, it is one event, and the device's own word counts (C-LOC-07, C-LOC-08).
 */
import { metersBetween, type Circle, type Point } from '../targeting/geo.ts'

export type Fence = Circle & { id: string }
export type CrossingType = 'enter' | 'exit' | 'dwell'
/** A position; all times here are milliseconds. `accuracy` in metres. */
export type LocationFix = Point & { at: number; accuracy: number | null }
/** What a device says happened. */
export type FenceReport = { type: CrossingType; at: number }
/** `id` of one that is stored already; `reportedAt` of one that was computed first: what the device says of it. */
export type Crossing = FenceReport & { source: 'device' | 'server'; id?: string; reportedAt?: number }
/** A stored crossing that was computed, and that the device now reports itself. */
export type CrossingClaim = { id: string; reportedAt: number }

/**
 * `stored`: at least the newest crossing, and those around the times that are now reported; oldest first. It says
 * whether the device is inside; `isInside` does where it is empty.
 */
export type FenceState = { isInside: boolean; stored: readonly Crossing[] }
export type CrossingPlan = { isInside: boolean; events: Crossing[]; claims: CrossingClaim[] }

/**
 * A computed crossing and a reported one of the same kind this close together are one. As long as that after a
 * report, positions do not speak against it: at the edge of a fence they waver, and devices smooth them.
 */
export const SAME_CROSSING_MS = 300_000

/** `fixes` oldest first, by time that never goes back; `reports` in any order. */
export function planCrossings(
  fence: Circle,
  before: FenceState,
  fixes: readonly LocationFix[],
  reports: readonly FenceReport[],
): CrossingPlan {
  const known: Crossing[] = before.stored.map((crossing) => ({ ...crossing }))
  let last = known.findLast(({ type }) => type !== 'dwell')
  const plan: CrossingPlan = { isInside: last ? last.type === 'enter' : before.isInside, events: [], claims: [] }

  const add = (crossing: Crossing) => {
    plan.events.push(crossing)
    known.push(crossing)
    if (crossing.type === 'dwell' || (last && crossing.at < last.at)) return
    last = crossing
    plan.isInside = crossing.type === 'enter'
  }
  const takeReport = (report: FenceReport) => {
    const same = known.find((crossing) => isSame(crossing, report))
    if (!same) add({ ...report, source: 'device' })
    else if (same.source === 'server') {
      same.source = 'device'
      same.reportedAt = report.at
      if (same.id !== undefined) plan.claims.push({ id: same.id, reportedAt: report.at })
    }
  }
  const takeFix = (fix: LocationFix) => {
    // A position from before the last crossing says nothing about now.
    if (last && fix.at < last.at + (last.source === 'device' ? SAME_CROSSING_MS : 0)) return
    const isInside = isWithin(fence, fix, plan.isInside)
    if (isInside !== plan.isInside) add({ type: isInside ? 'enter' : 'exit', at: fix.at, source: 'server' })
  }

  for (const step of inOrder(fixes, reports)) {
    if ('type' in step) takeReport(step)
    else takeFix(step)
  }
  return plan
}

/** The same word said again, or what was computed before the device said it. */
function isSame(crossing: Crossing, report: FenceReport): boolean {
  if (crossing.type !== report.type) return false
  const { source, reportedAt = crossing.at } = crossing
  return source === 'device' ? reportedAt === report.at : Math.abs(crossing.at - report.at) <= SAME_CROSSING_MS
}

/** A device that is inside leaves only when its position is outside by more than its inaccuracy. */
function isWithin(fence: Circle, fix: LocationFix, isInside: boolean): boolean {
  const slack = isInside ? Math.min(Math.max(fix.accuracy ?? 0, 0), fence.radiusMeters) : 0
  return metersBetween(fence, fix) <= fence.radiusMeters + slack
}

/** Sorts by time; at the same moment a report comes before a fix. */
function inOrder(fixes: readonly LocationFix[], reports: readonly FenceReport[]): (LocationFix | FenceReport)[] {
  return [...reports, ...fixes].sort((a, b) => a.at - b.at)
}
