import { traceInSteps, type SegmentTrace } from '@contentflow/core/targeting/evaluate.ts'
import type { Context } from '../../context.ts'
import { subjectOf, type DeviceRow, type ProfileRow } from '../people/index.ts'
import { blockPathSegments, catalogOf, compileRegex, historiesFor, listManualSegments } from '../segments/index.ts'
import { hideWriteOnly } from './hide-write-only.ts'

/** What the segment's rules say of the person on this device at this moment. */
export type SegmentEvidence = {
  /** The snapshot holds this after the next identify or refresh. */
  isMember: boolean
  isAddedByHand: boolean
  /** Names of the excluded segments that keep the person out. */
  excludedBy: string[]
  trace: SegmentTrace
}

/**
 * Everything about the person is read once, and each segment evaluated once, however often it is asked for. Undefined for
 * a name that no segment has, so nobody is in it (C-SEG-07).
 */
export async function openTrace(
  ctx: Context,
  profile: ProfileRow,
  device: DeviceRow,
  now: number,
): Promise<(name: string) => Promise<SegmentEvidence | undefined>> {
  const catalog = await catalogOf(ctx, profile.workspace_id)
  const histories = await historiesFor(ctx.db, profile.workspace_id, catalog, [profile.id])
  const subject = subjectOf(profile, now, device, histories.get(profile.id))
  const wasMember = ({ name }: { name: string }) => device.segments.includes(name)
  const manual = new Set(await listManualSegments(ctx.db, profile.workspace_id, [profile.id]))
  const members = new Set(await ctx.timeSlicer.run(profile.workspace_id, blockPathSegments(catalog, { subject, manual, now, wasMember })))
  const trace = async (name: string): Promise<SegmentEvidence | undefined> => {
    const segment = catalog.byName.find((candidate) => candidate.name === name)
    if (!segment) return undefined
    const excluded = catalog.byName.filter(({ id }) => segment.excluded.includes(id)).map((candidate) => candidate.name)
    return {
      isMember: members.has(name),
      isAddedByHand: manual.has(segment.id),
      excludedBy: excluded.filter((candidate) => members.has(candidate)),
      trace: hideWriteOnly(
        await ctx.timeSlicer.run(profile.workspace_id, traceInSteps(segment.rules, { compileRegex, onBlockPath: true }, subject, now)),
      ),
    }
  }
  const traced = new Map<string, Promise<SegmentEvidence | undefined>>()
  return (name) => {
    const known = traced.get(name) ?? trace(name)
    traced.set(name, known)
    return known
  }
}
