/**
 * Events as they arrive. Requests that come together are written together: one transaction holds their devices, judges
 * each event, and stores what is kept as one batch; 202 is said only after its commit. While a batch is written the
 * next one fills. What is counted from events is counted later, from the batch.
 */
import { RESERVED_BLOCK_KEY } from '@contentflow/core/blocks/definition.ts'
import { judgeEvents, type DropReason } from '@contentflow/core/events/judge-events.ts'
import { isStringSignal, type EventBatch, type SentEvent } from '@contentflow/core/events/read-events.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail } from '../../errors.ts'
import type { AppCaller } from '../../http/caller.ts'
import { batched } from '../../infra/batched.ts'
import { hashUuid } from '../../infra/crypto.ts'
import { isAway, isTimeout } from '../../infra/unavailable.ts'
import { listSensors } from '../strings/index.ts'
import { openPartitions, type Partitions } from './partitions.ts'
import {
  claimEventIds,
  endMessage,
  holdDevices,
  insertEvents,
  listPeopleWithMessages,
  type Arrived,
  type Ending,
  type SourceDevice,
} from './queries.ts'
import { openRoom, type Room } from './room.ts'

type Taken = { accepted: number; dropped: number; dropReasons: Partial<Record<DropReason, number>> }
export type Ingest = {
  store(caller: AppCaller, deviceId: string, batch: EventBatch): Promise<Taken>
  room: Room
}

type OnStored = (workspaceId: string) => void
type Arrival = { caller: AppCaller; deviceId: string; batch: EventBatch }
type Judged = { arrival: Arrival; device: SourceDevice | undefined; kept: SentEvent[]; dropReasons: Map<DropReason, number> }
/** undefined: the device is the other environment's. */
type Outcome = Judged | undefined

/** Events of one transaction: enough that the commit is shared by many, few enough that none waits long for it. */
const EVENTS_TOGETHER = 1_000

/** `onStored` is called with the workspaces after every commit that stored something. */
export function openIngest(ctx: Context, onStored: OnStored): Ingest {
  const partitions = openPartitions(ctx)
  const write = batched((arrivals: readonly Arrival[]) => writeTogether(ctx, partitions, onStored, arrivals), {
    most: EVENTS_TOGETHER,
    atOnce: ctx.engine === 'embedded' ? 1 : 2,
    weigh: ({ batch }) => Math.max(1, batch.events.length),
    // So that a statement that waits, or fails, is of one workspace alone.
    groupOf: ({ caller }) => caller.workspaceId,
    isForAll: (error) => isAway(error) || isTimeout(error),
  })
  return {
    room: openRoom(),
    store: async (caller, deviceId, batch) => {
      const outcome = (await write({ caller, deviceId, batch })) ?? fail('DEVICE_ENVIRONMENT_MISMATCH')
      const accepted = outcome.kept.length
      return { accepted, dropped: batch.events.length - accepted, dropReasons: Object.fromEntries(outcome.dropReasons) }
    },
  }
}

async function writeTogether(
  ctx: Context,
  partitions: Partitions,
  onStored: OnStored,
  arrivals: readonly Arrival[],
): Promise<readonly Outcome[]> {
  ctx.faults.check('upstream')
  const now = ctx.clock.now()
  await partitions.ensure(now.getTime())
  let stored: Arrived[] = []
  const outcomes = await ctx.db.transaction().execute(async (tx) => {
    const judged = await judgeAll(tx, arrivals, now)
    const arrived = await withoutKnown(tx, judged, now)
    stored = arrived.filter(({ events }) => events.length > 0)
    if (stored.length > 0) {
      await insertEvents(tx, stored, now)
      await endMessages(tx, stored, now)
    }
    return judged
  })
  for (const workspaceId of new Set(stored.map((one) => one.workspaceId))) onStored(workspaceId)
  return outcomes
}

const nameOf = (workspaceId: string, deviceId: string) => `${workspaceId} ${deviceId}`

async function judgeAll(tx: Db, arrivals: readonly Arrival[], now: Date): Promise<Outcome[]> {
  const asked = new Map(arrivals.map(({ caller: { workspaceId }, deviceId }) => [nameOf(workspaceId, deviceId), { workspaceId, deviceId }]))
  const held = await holdDevices(tx, [...asked.values()])
  const devices = new Map(held.map((device) => [nameOf(device.workspaceId, device.deviceId), device]))
  const sensors = await sensorsOf(tx, arrivals)
  return arrivals.map((arrival) => {
    const { caller, deviceId, batch } = arrival
    const device = liveOf(devices.get(nameOf(caller.workspaceId, deviceId)), now)
    if (device && device.environment !== caller.environment) return undefined
    const judged = judgeEvents(batch.events, {
      isFeatureOn: caller.features.analyticsEvents,
      consent: consentOf(device),
      isSensor: (key) => sensors.get(caller.workspaceId)?.has(key) ?? false,
    })
    return { arrival, device, ...judged }
  })
}

function liveOf(device: SourceDevice | undefined, now: Date): SourceDevice | undefined {
  return device && device.expiresAt > now ? device : undefined
}

/** A device whose person decided only about channels was never identified (C-CONS-21). */
function consentOf(device: SourceDevice | undefined): 'granted' | 'denied' | undefined {
  if (device?.consent === 'granted') return device.profileId === null ? undefined : 'granted'
  return device?.consent === 'denied' ? 'denied' : undefined
}

/** Asked in the transaction, so that a sensor that was turned off takes nothing any more (X-INT-08). */
async function sensorsOf(tx: Db, arrivals: readonly Arrival[]): Promise<Map<string, Set<string>>> {
  const keys = new Map<string, Set<string>>()
  for (const { caller, batch } of arrivals)
    for (const { type, stringKey } of batch.events)
      if (stringKey !== null && isStringSignal(type)) {
        const known = keys.get(caller.workspaceId)
        if (known) known.add(stringKey)
        else keys.set(caller.workspaceId, new Set([stringKey]))
      }
  const sensors = new Map<string, Set<string>>()
  for (const [workspaceId, asked] of keys) sensors.set(workspaceId, await listSensors(tx, workspaceId, [...asked]))
  return sensors
}

/** What to store: of a repeated event only the first that ever came. */
async function withoutKnown(tx: Db, outcomes: readonly Outcome[], now: Date): Promise<Arrived[]> {
  const arrived = outcomes.flatMap((outcome) => (outcome && outcome.kept.length > 0 ? [toArrived(outcome)] : []))
  const named = new Map(
    arrived.flatMap((one) =>
      one.events.flatMap(({ eventId }) => (eventId === null ? [] : [[idOf(one, eventId), one.workspaceId] as const])),
    ),
  )
  if (named.size === 0) return arrived
  const ids = [...named].map(([id, workspaceId]) => ({ id, workspaceId }))
  const fresh = await claimEventIds(tx, ids, now)
  return arrived.map((one) => ({
    ...one,
    events: one.events.filter(({ eventId }) => eventId === null || fresh.delete(idOf(one, eventId))),
  }))
}

function toArrived({ arrival: { caller, deviceId, batch }, device, kept }: Judged): Arrived {
  const { workspaceId, environment } = caller
  const { sessionId, platform } = batch
  return { workspaceId, environment, deviceId, profileId: device?.profileId ?? '', sessionId, platform, events: kept }
}

/** An id is the application's own on one device: two devices that count alike do not take each other's. */
function idOf({ workspaceId, environment, deviceId }: Arrived, eventId: string): string {
  return hashUuid([workspaceId, environment, deviceId, eventId].join('\n'))
}

/** G-33: what was dismissed or tapped is over, in the transaction that stores the event. */
async function endMessages(tx: Db, arrived: readonly Arrived[], now: Date): Promise<void> {
  const endings = arrived.flatMap((one) => one.events.flatMap((event) => endingOf(one, event) ?? []))
  if (endings.length === 0) return
  const people = await listPeopleWithMessages(tx, endings)
  for (const ending of endings) if (people.has(ending.profileId)) await endMessage(tx, ending, now)
}

const ENDING_TYPES: ReadonlySet<string> = new Set(['dismiss', 'cta_click'])

function endingOf({ workspaceId, profileId }: Arrived, { type, blockKey, instanceId, campaignId }: SentEvent): Ending | undefined {
  if (blockKey !== RESERVED_BLOCK_KEY || !ENDING_TYPES.has(type)) return undefined
  return { workspaceId, profileId, type, campaignId, messageId: instanceId?.replace(/^msg_/, '') ?? null }
}
