/** Why one person is in a segment or not: the stored rules asked of them just now, row by row. */
import { traceInSteps, type SegmentTrace } from '@contentflow/core/targeting/evaluate.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { findPerson, listSegmentNames, subjectOf } from '../people/index.ts'
import { catalogOf, compileRegex, historiesFor, listManualSegments, storedMembership } from '../segments/index.ts'
import { hideWriteOnly } from './hide-write-only.ts'

/** `person`: a user id, or the device id of somebody anonymous. */
export type SegmentQuestion = {
  workspaceId: string
  segmentId: string
  environment: Environment
  person: string
}

export type SegmentExplanation = {
  userId: string | null
  deviceId: string | null
  at: Date
  /** By the rules at this moment; `isStored` is what the stored list says, which may be older. */
  isMember: boolean
  isStored: boolean
  isAddedByHand: boolean
  /** Names of the excluded segments that keep the person out. */
  excludedBy: string[]
  trace: SegmentTrace
}

export async function explainSegment(ctx: Context, question: SegmentQuestion): Promise<SegmentExplanation> {
  const { workspaceId, segmentId, environment, person } = question
  const catalog = await catalogOf(ctx, workspaceId)
  const segment = catalog.segments.find(({ id }) => id === segmentId) ?? failWith(404, 'segment not found')
  const profile = (await findPerson(ctx.db, workspaceId, environment, person)) ?? failWith(404, 'person not found')
  const now = ctx.clock.ms()
  const histories = await historiesFor(ctx.db, workspaceId, catalog, [profile.id])
  const subject = subjectOf(profile, now, undefined, histories.get(profile.id))
  const manual = new Set(await listManualSegments(ctx.db, workspaceId, [profile.id]))
  const stored = await listSegmentNames(ctx.db, workspaceId, profile.id)
  const wasMember = ({ name }: { name: string }) => stored.includes(name)
  const members = await ctx.timeSlicer.run(workspaceId, storedMembership(catalog, { subject, manual, now, wasMember }))
  const excluding = catalog.byName.filter(({ id }) => segment.excluded.includes(id) && members.has(id))
  return {
    userId: profile.user_id,
    deviceId: profile.device_id,
    at: new Date(now),
    isMember: members.has(segment.id),
    isStored: stored.includes(segment.name),
    isAddedByHand: manual.has(segment.id),
    excludedBy: excluding.map(({ name }) => name),
    trace: hideWriteOnly(await ctx.timeSlicer.run(workspaceId, traceInSteps(segment.rules, { compileRegex }, subject, now))),
  }
}
