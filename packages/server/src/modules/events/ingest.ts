/**
 * Events as they arrive. Requests of a workspace that come together are written together: one transaction holds their devices, judges
 * each event, and stores what is kept as one batch; 202 is said only after its commit. While a batch is written the
 * next one fills. What is counted from events is counted later, from the batch.
 */
import { RESERVED_BLOCK_KEY } from '@contentflow/core/blocks/definition.ts'
import { judgeEvents, type DropReason } from '@contentflow/core/events/judge-events.ts'
import { isStringSignal, type EventBatch, type SentEvent } from '@contentflow/core/events/read-events.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors.ts'
import type { AppCaller } from '../../http/callers/caller.ts'
import { batched } from '../../infra/concurrency/batched.ts'
import { hashUuid } from '../../infra/secrets/crypto.ts'
import type { Signal } from '../../infra/signals/signals.ts'
import { inTransaction, isConnectionError, isTimeout } from '../../infra/unavailable.ts'
import { endMessages, type MessageEnd } from '../messages/index.ts'
import { areTracked } from '../segments/index.ts'
import { listSensors } from '../strings/index.ts'
import { openPartitions, type Partitions } from './partitions.ts'
import { claimEventIds, holdDevices, insertEvents, type Arrived, type SourceDevice } from './queries.ts'
import { openRoom, type Room } from './room.ts'

/** `syncAfterMs`: these events may bring the person other content, which is ready by then. */
type Taken = { accepted: number; dropped: number; dropReasons: Partial<Record<DropReason, number>>; syncAfterMs?: number }
export type EventIngest = {
  store(caller: AppCaller, deviceId: string, batch: EventBatch): Promise<Taken>
  room: Room
}

/** Called after a commit that stored something. `events`: those that were stored. */
export type OnStored = (workspaceId: string, events: readonly SentEvent[]) => void
type Arrival = { caller: AppCaller; deviceId: string; batch: EventBatch }
type Judged = { arrival: Arrival; device: SourceDevice | undefined; kept: SentEvent[]; dropReasons: Map<DropReason, number> }
/** undefined: the device is the other environment's. */
type IngestOutcome = Judged | undefined

/** Events of one transaction: enough that the commit is shared by many, few enough that none waits long for it. */
const EVENTS_TOGETHER = 1_000
/** So long it takes, most often, until rules on events are judged again and what a device gets is rewritten. */
const SYNC_AFTER_MS = 1_500
/** Transactions of all workspaces under way, and of one. */
const AT_ONCE = 4
const AT_ONCE_OF_ONE = 2

/** `onStored` is called after every commit that stored something. */
export function openIngest(ctx: Context, onStored: OnStored): EventIngest {
  const partitions = openPartitions(ctx)
  const write = batched((arrivals: readonly Arrival[]) => writeTogether(ctx, partitions, onStored, arrivals), {
    most: EVENTS_TOGETHER,
    atOnce: ctx.engine === 'embedded' ? 1 : AT_ONCE,
    // One workspace whose devices somebody holds keeps no other from being written.
    atOnceOfGroup: AT_ONCE_OF_ONE,
    weigh: ({ batch }) => Math.max(1, batch.events.length),
    // So that a statement that waits, or fails, is of one workspace alone.
    groupOf: ({ caller }) => caller.workspaceId,
    isForAll: (error) => isConnectionError(error) || isTimeout(error),
  })
  return {
    room: openRoom(),
    store: async (caller, deviceId, batch) => {
      const outcome = (await write({ caller, deviceId, batch })) ?? fail('DEVICE_ENVIRONMENT_MISMATCH')
      const accepted = outcome.kept.length
      const types = outcome.kept.map(({ type }) => type)
      return {
        accepted,
        dropped: batch.events.length - accepted,
        dropReasons: Object.fromEntries(outcome.dropReasons),
        ...(accepted > 0 && areTracked(ctx, caller.workspaceId, types) && { syncAfterMs: SYNC_AFTER_MS }),
      }
    },
  }
}

/** Arrivals of one workspace. */
async function writeTogether(
  ctx: Context,
  partitions: Partitions,
  onStored: OnStored,
  arrivals: readonly Arrival[],
): Promise<readonly IngestOutcome[]> {
  const workspaceId = arrivals[0]?.caller.workspaceId ?? ''
  ctx.faults.check('upstream')
  const now = ctx.clock.now()
  await partitions.ensure(now.getTime())
  let stored: SentEvent[] = []
  let told: Signal[] = []
  const outcomes = await inTransaction(ctx.db, async (tx) => {
    const judged = await judgeAll(tx, workspaceId, arrivals, now)
    const arrived = await withoutKnown(tx, workspaceId, judged, now)
    stored = arrived.flatMap(({ events }) => events)
    if (stored.length > 0) {
      await insertEvents(tx, workspaceId, arrived, now)
      // In the transaction that stores the event.
      const endings = arrived.flatMap((one) => one.events.flatMap((event) => endingOf(one, event) ?? []))
      told = await endMessages(tx, workspaceId, endings, now)
    }
    return judged
  })
  for (const signal of told) await ctx.signals.announce(signal)
  if (stored.length > 0) onStored(workspaceId, stored)
  return outcomes
}

async function judgeAll(tx: Db, workspaceId: string, arrivals: readonly Arrival[], now: Date): Promise<IngestOutcome[]> {
  const asked = new Set(arrivals.map(({ deviceId }) => deviceId))
  const held = await holdDevices(tx, workspaceId, [...asked])
  const devices = new Map(held.map((device) => [device.deviceId, device]))
  const sensors = await sensorsOf(tx, workspaceId, arrivals)
  return arrivals.map((arrival) => {
    const { caller, deviceId, batch } = arrival
    const device = liveOf(devices.get(deviceId), now)
    if (device && device.environment !== caller.environment) return undefined
    const judged = judgeEvents(batch.events, {
      isFeatureOn: caller.features.analyticsEvents,
      consent: consentOf(device),
      isSensor: (key) => sensors.has(key),
    })
    return { arrival, device, ...judged }
  })
}

function liveOf(device: SourceDevice | undefined, now: Date): SourceDevice | undefined {
  return device && device.expiresAt > now ? device : undefined
}

/**
 * A device whose person decided only about channels was never identified (C-CONS-21). The choice is the installation's:
 * a logout takes the person off it and not the choice (C-EVT-11).
 */
function consentOf(device: SourceDevice | undefined): 'granted' | 'denied' | undefined {
  return device?.consent === 'granted' || device?.consent === 'denied' ? device.consent : undefined
}

/** Asked in the transaction, so that a sensor that was turned off takes nothing any more (X-INT-08). */
async function sensorsOf(tx: Db, workspaceId: string, arrivals: readonly Arrival[]): Promise<Set<string>> {
  const keys = new Set<string>()
  for (const { batch } of arrivals)
    for (const { type, stringKey } of batch.events) if (stringKey !== null && isStringSignal(type)) keys.add(stringKey)
  return keys.size === 0 ? keys : listSensors(tx, workspaceId, [...keys])
}

/** What to store: of a repeated event only the first that ever came. */
async function withoutKnown(tx: Db, workspaceId: string, outcomes: readonly IngestOutcome[], now: Date): Promise<Arrived[]> {
  const arrived = outcomes.flatMap((outcome) => (outcome && outcome.kept.length > 0 ? [toArrived(outcome)] : []))
  const idOf = (one: Arrived, eventId: string) => hashOf(workspaceId, one, eventId)
  const ids = new Set(arrived.flatMap((one) => one.events.flatMap(({ eventId }) => (eventId === null ? [] : [idOf(one, eventId)]))))
  if (ids.size === 0) return arrived
  const fresh = await claimEventIds(tx, workspaceId, [...ids], now)
  return arrived.map((one) => ({
    ...one,
    events: one.events.filter(({ eventId }) => eventId === null || fresh.delete(idOf(one, eventId))),
  }))
}

/** What comes after a logout is nobody's: it counts for content, and for no person who comes back or comes next. */
function toArrived({ arrival: { caller, deviceId, batch }, device, kept }: Judged): Arrived {
  const { sessionId, platform } = batch
  const profileId = device?.profileId ?? `device ${deviceId}`
  return { environment: caller.environment, deviceId, profileId, sessionId, platform, events: kept }
}

/** An id is the application's own on one device: two devices that count alike do not take each other's. */
function hashOf(workspaceId: string, { environment, deviceId }: Arrived, eventId: string): string {
  return hashUuid([workspaceId, environment, deviceId, eventId].join('\n'))
}

const ENDING_TYPES: ReadonlySet<string> = new Set(['dismiss', 'cta_click'])

/** G-33. The id of a message says as much as the key of its block: only a message of this person with that very id is ended. */
function endingOf({ profileId }: Arrived, { type, blockKey, instanceId, campaignId }: SentEvent): MessageEnd | undefined {
  const isOfMessage = blockKey === null ? instanceId?.startsWith('msg_') : blockKey === RESERVED_BLOCK_KEY
  if (!isOfMessage || !ENDING_TYPES.has(type)) return undefined
  return { profileId, type, campaignId, messageId: instanceId?.replace(/^msg_/, '') ?? null }
}
