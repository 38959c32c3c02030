/**
 * Why a device gets, or does not get, the instances of a block type. The verdicts come from the functions that
 * decide delivery, on the same snapshot, so an explanation cannot differ from GET /sync.
 */
import { bucketOf } from '@contentflow/core/blocks/serving/assign-variant.ts'
import { targetingReason, targetOf, type TargetingReason, type DeliveryReason } from '@contentflow/core/blocks/serving/select-blocks.ts'
import type { Schedule } from '@contentflow/core/blocks/instance.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { hash32 } from '../../infra/secrets/crypto.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { isTestRetired, listTypeInstances, type Instance, pointersOf } from '../content/index.ts'
import {
  buildSnapshot,
  judgeChild,
  loadSnapshotRows,
  pieceOf,
  Rendered,
  renderSync,
  viewOf,
  type LengthBudget,
  type ChildVerdict,
  type DeviceView,
  type SnapInstance,
  type Snapshot,
  type View,
  unknownView,
} from '../delivery/index.ts'
import { findDevice, findProfile, type DeviceRow, type ProfileRow } from '../people/index.ts'
import { openTrace, type SegmentEvidence } from './trace-segment.ts'

/** Of what is asked. Without `deviceId` it is a request that names no device. */
export type BlockQuery = { workspaceId: string; blockKey: string; environment: Environment; deviceId: string | undefined; locale: string }
type Reason = DeliveryReason | TargetingReason | 'feature_disabled' | 'not_published'

export type Explanation = {
  blockKey: string
  environment: Environment
  at: Date
  device: DeviceEvidence
  /** More is published for it than one answer takes: it is answered with 503, and keeps what it has. */
  isTooLong: boolean
  instances: InstanceExplanation[]
}
/** `bar`: why this device gets untargeted content only; null when it may get targeted content. */
type DeviceEvidence = {
  deviceId: string | null
  bar: TargetingReason | null
  environment: Environment | null
  consent: string | null
  userId: string | null
  expiresAt: Date | null
  segments: string[]
  evaluatedAt: Date | null
}
type InstanceExplanation = {
  instanceId: string
  title: string
  isDelivered: boolean
  reason: Reason
  evidence: {
    publishedTo: Environment[]
    schedule: Schedule | null
    segment?: { name: string; isInSnapshot: boolean; now: SegmentEvidence | null }
    variant?: { id: string | null; bucket: number | null; weights: number[] }
    children?: Child[]
  }
}
type Child = { instanceId: string; parentId: string; reason: ChildVerdict | TargetingReason; isDelivered: boolean }

/** `hidden`: segments whose rules the asker may not ask. */
export async function explainBlock(ctx: Context, question: BlockQuery, hidden: ReadonlySet<string>): Promise<Explanation> {
  const { workspaceId, blockKey, environment } = question
  const { snapshot, view, device, row, profile, now, isTooLong } = await lookAs(ctx, question)
  if (!snapshot.definitions.has(blockKey)) failWith(404, 'unknown block')
  const traceNow = row && profile ? await openTrace(ctx, profile, row, now) : undefined
  const instances: InstanceExplanation[] = []
  for (const instance of await listTypeInstances(ctx.db, workspaceId, blockKey)) {
    const explained = explainInstance(question, snapshot, view, device, instance)
    // Of what the device gets, where it gets any.
    const name = targetOf((snapshot.byId.get(instance.id)?.row ?? instance).seg)
    if (name !== undefined) {
      explained.evidence.segment = {
        name,
        isInSnapshot: device.segments.includes(name),
        now: hidden.has(name) ? null : ((await traceNow?.(name)) ?? null),
      }
    }
    instances.push(explained)
  }
  return { blockKey, environment, at: new Date(now), device, isTooLong, instances }
}

/** What delivery would look at if this device asked now. */
export async function lookAs(ctx: Context, asked: Omit<BlockQuery, 'blockKey'>) {
  const { workspaceId, environment, deviceId, locale } = asked
  const isRetired = environment === 'test' && (await isTestRetired(ctx.db, workspaceId))
  const rows = await loadSnapshotRows(ctx.db, workspaceId, isRetired ? 'live' : environment)
  const snapshot = rows
    ? await ctx.timeSlicer.run(workspaceId, buildSnapshot(rows, new Rendered(Infinity, () => {})))
    : failWith(404, 'workspace not found')
  const now = ctx.clock.ms()
  const row = deviceId === undefined ? undefined : await findDevice(ctx.db, workspaceId, deviceId)
  const profile = row?.profile_id ? await findProfile(ctx.db, workspaceId, row.profile_id) : undefined
  const view = viewOf(snapshot, toView(deviceId, row), environment, locale, now)
  const isTooLong = renderSync(snapshot, view, []) === undefined
  return { snapshot, view, device: describeDevice(asked, row, profile, now), row, profile, now, isTooLong }
}

/** A device as the delivery path holds it. */
function toView(deviceId: string | undefined, row: DeviceRow | undefined): DeviceView {
  const device = row && {
    environment: row.environment,
    consent: row.consent,
    segments: row.segments,
    expiresAt: row.expires_at,
    evaluatedAt: row.evaluated_at,
    profileId: row.profile_id,
    userId: null,
    boundEpoch: null,
    isInAppRefused: false,
  }
  return { ...unknownView(deviceId), row: device }
}

function describeDevice(
  { deviceId, environment }: Omit<BlockQuery, 'blockKey'>,
  row: DeviceRow | undefined,
  profile: ProfileRow | undefined,
  now: number,
): DeviceEvidence {
  const asked = row && { environment: row.environment, consent: row.consent, expiresAt: row.expires_at }
  return {
    deviceId: deviceId ?? null,
    bar: targetingReason(deviceId === undefined ? null : asked, environment, now) ?? null,
    environment: row?.environment ?? null,
    consent: row?.consent ?? null,
    userId: profile?.user_id ?? null,
    expiresAt: row?.expires_at ?? null,
    segments: row?.segments ?? [],
    evaluatedAt: row?.evaluated_at ?? null,
  }
}

function explainInstance(
  question: BlockQuery,
  snapshot: Snapshot,
  view: View,
  device: DeviceEvidence,
  instance: Instance,
): InstanceExplanation {
  const publishedTo = pointersOf(instance)
  const found = snapshot.byId.get(instance.id)
  const { reason, children } = found ? judge(snapshot, found, view, device) : { reason: 'not_published' as const, children: [] }
  return {
    instanceId: instance.id,
    title: instance.title,
    isDelivered: reason === 'delivered',
    reason,
    evidence: {
      publishedTo,
      schedule: (found?.row ?? instance).schedule,
      ...(found && found.weights.length > 0 && { variant: describeVariant(found, view, question.deviceId) }),
      ...(children.length > 0 && { children }),
    },
  }
}

function judge(snapshot: Snapshot, instance: SnapInstance, view: View, device: DeviceEvidence): { reason: Reason; children: Child[] } {
  const reason = reasonOf(snapshot, instance, view, device)
  if (reason !== 'delivered') return { reason, children: [] }
  const children: Child[] = []
  walk({ snapshot, view, budget: { left: LIMITS.inlinedBlocks }, device, into: children }, instance, [instance])
  return { reason: 'delivered', children }
}

export function reasonOf(snapshot: Snapshot, instance: SnapInstance, view: View, device: DeviceEvidence): Reason {
  // An instance of the top level is judged like a child that stands below nothing.
  const { verdict } = judgeChild(snapshot, instance.row.id, view, [], { left: 1 })
  return snapshot.features.contentSync ? (why(verdict, device) as Reason) : 'feature_disabled'
}

type Walk = { snapshot: Snapshot; view: View; budget: LengthBudget; device: DeviceEvidence; into: Child[] }

/** In the order of rendering, because the room for children is used up in that order. */
function walk(of: Walk, parent: SnapInstance, path: readonly SnapInstance[]): void {
  const { snapshot, view, budget, device, into } = of
  const collections = pieceOf(snapshot, parent, view.localeKey, view.variantOf(parent)).filter((part) => typeof part !== 'string')
  for (const id of collections.flat()) {
    const { child, verdict } = judgeChild(snapshot, id, view, path, budget)
    into.push({ instanceId: id, parentId: parent.row.id, reason: why(verdict, device), isDelivered: verdict === 'delivered' })
    if (child && verdict === 'delivered') walk(of, child, [...path, child])
  }
}

/** Nobody is in a segment who may not get targeted content; the bar says more than "not in the segment". */
function why<V extends ChildVerdict>(verdict: V, { bar }: DeviceEvidence): V | TargetingReason {
  return verdict === 'not_in_segment' && bar ? bar : verdict
}

function describeVariant(instance: SnapInstance, view: View, deviceId: string | undefined) {
  return {
    id: instance.row.variants[view.variantOf(instance)]?.id ?? null,
    bucket: bucketOf(instance.weights, deviceId, instance.row.id, hash32) ?? null,
    weights: instance.weights,
  }
}
