/**
 * People about whom events, or time alone, may have changed the answer of a rule: their history says since when. They are
 * judged without a lock first, because nearly always nothing turns; whom something turns for is judged again under locks and
 * written. Of the names in the snapshot of an installation only those of segments that events decide about are rewritten; all
 * others keep the rule of C-SYNC-24.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Histories } from '@contentflow/core/behaviour/history.ts'
import { nextTurn } from '@contentflow/core/behaviour/judge-did.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/open.ts'
import { SYSTEM } from '../../../infra/change.ts'
import { mapSteps } from '../../../infra/concurrency/time-slicer.ts'
import type { Batch, DueWork } from '../../../infra/due/due.ts'
import { dueTable, type DueRow } from '../../../infra/due/queries-due.ts'
import { BEHAVIOUR, findNextDue, finishJudged, readHistories, trackersWork, type Judged } from '../../behaviour/index.ts'
import {
  readWithDevices,
  rewriteSnapshots,
  subjectOf,
  writePeople,
  type DeviceRow,
  type PeopleWithDevices,
  type ProfileRow,
} from '../../people/index.ts'
import { catalogOf, rejudgeEvents, type CatalogSegment, type SegmentCatalog } from '../catalog.ts'
import { markDue } from '../queries.ts'
import { listMemberships, moveMembers, type Membership } from './queries-membership.ts'
import { SEGMENTS } from './recompute.ts'

type DuePerson = DueRow & { state: Histories }

/** People of one batch. */
const MOST = 500
/** Moments this near are waited for, which a timer can; later ones, and those of a process that ended, are found by the passes. */
const AHEAD_MS = 20 * DAY_MS

export function behaviourWork(ctx: Context): DueWork<DuePerson> {
  const wakes = new Map<string, NodeJS.Timeout>()
  const work = async (batch: Batch<DuePerson>) => {
    await judgeBatch(ctx, batch)
    const next = await findNextDue(ctx.db, batch.workspaceId, new Date(ctx.clock.ms() + AHEAD_MS))
    if (next) wakeAt(ctx, wakes, batch.workspaceId, next)
  }
  return { kind: BEHAVIOUR, rows: dueTable<DuePerson>(ctx.db, 'person_behaviour'), most: MOST, gatherMs: 100, yields: true, work }
}

/** Histories are filled in: the segments that need them are worked out. */
export function segmentTrackersWork(ctx: Context) {
  return trackersWork(ctx, async (workspaceId, segmentIds) => {
    await markDue(ctx.db, workspaceId, segmentIds, ctx.clock.now())
    await ctx.signals.announce({ kind: 'segments', workspaceId })
    ctx.due.nudge(SEGMENTS, workspaceId)
  })
}

/** So that a window ends in its moment. One timer of a workspace. */
function wakeAt(ctx: Context, wakes: Map<string, NodeJS.Timeout>, workspaceId: string, moment: Date): void {
  clearTimeout(wakes.get(workspaceId))
  const wake = () => {
    wakes.delete(workspaceId)
    ctx.due.nudge(BEHAVIOUR, workspaceId)
  }
  wakes.set(workspaceId, setTimeout(wake, Math.max(0, moment.getTime() - ctx.clock.ms())).unref())
}

async function judgeBatch(ctx: Context, { workspaceId, token, rows, signal }: Batch<DuePerson>): Promise<void> {
  const catalog = await catalogOf(ctx, workspaceId)
  const states = new Map(rows.map(({ id, state }) => [id, state]))
  const now = ctx.clock.now()
  if (catalog.onEvents.size > 0) {
    const known = { ...(await readPeople(ctx.db, workspaceId, [...states.keys()], { now })), states }
    const decisions = await ctx.timeSlicer.run(workspaceId, decide(catalog, known, now.getTime()))
    const turned = decisions.filter(isTurned).map(({ profile }) => profile.id)
    signal.throwIfAborted()
    if (turned.length > 0) await writeTurned(ctx, catalog, workspaceId, turned)
  }
  await ctx.faults.reach(`${BEHAVIOUR}: written`)
  const leaves = [...catalog.onEvents].flatMap(({ eventLeaves }) => eventLeaves)
  const next = mapSteps(rows, ({ id, state }): Judged => ({ id, next: nextTurn(leaves, state, now.getTime()) }))
  await finishJudged(ctx.db, workspaceId, token, await ctx.timeSlicer.run(workspaceId, next))
}

type PeopleRead = PeopleWithDevices & { memberships: readonly Membership[] }

async function readPeople(db: Db, workspaceId: string, ids: readonly string[], how: { now: Date; isHeld?: boolean }): Promise<PeopleRead> {
  return { ...(await readWithDevices(db, workspaceId, ids, how)), memberships: await listMemberships(db, workspaceId, ids) }
}

type Known = PeopleRead & { states: ReadonlyMap<string, Histories> }
type Decision = {
  profile: ProfileRow
  stored: ReadonlySet<string>
  before: ReadonlySet<string>
  devices: { device: DeviceRow; names: string[] }[]
}

function isTurned({ stored, before, devices }: Decision): boolean {
  return (
    without(stored, before).length + without(before, stored).length > 0 ||
    devices.some(({ device, names }) => !isDeepStrictEqual(device.segments, names))
  )
}

function* decide(
  catalog: SegmentCatalog,
  { profiles, devices, memberships, states }: Known,
  now: number,
): Generator<undefined, Decision[]> {
  const devicesOf = Map.groupBy(devices, ({ profile_id }) => profile_id)
  const membershipsOf = Map.groupBy(memberships, ({ profile_id }) => profile_id)
  const decided: Decision[] = []
  for (const profile of profiles) {
    const mine = membershipsOf.get(profile.id) ?? []
    const manual = new Set(mine.filter((row) => row.is_manual).map((row) => row.segment_id))
    const before = new Set(mine.filter((row) => row.is_member).map((row) => row.segment_id))
    const histories = states.get(profile.id)
    const question = {
      subject: subjectOf(profile, now, undefined, histories),
      manual,
      now,
      wasMember: ({ id }: CatalogSegment) => before.has(id),
    }
    const stored = yield* rejudgeEvents(catalog, 'stored', question)
    const snapshots: Decision['devices'] = []
    for (const device of devicesOf.get(profile.id) ?? []) {
      const names = new Set(device.segments)
      const onBlockPath = {
        subject: subjectOf(profile, now, device, histories),
        manual,
        now,
        wasMember: ({ name }: CatalogSegment) => names.has(name),
      }
      const members = yield* rejudgeEvents(catalog, 'onBlockPath', onBlockPath)
      snapshots.push({ device, names: namesIn(catalog, device, members) })
      yield
    }
    decided.push({ profile, stored, before, devices: snapshots })
    yield
  }
  return decided
}

/** In the order of a snapshot. A name that no segment has any more stays, as everything that is not judged here. */
function namesIn(catalog: SegmentCatalog, device: DeviceRow, members: ReadonlySet<string>): string[] {
  const onEvents = [...catalog.onEvents]
  const judged = new Set(onEvents.map(({ name }) => name))
  const kept = device.segments.filter((name) => !judged.has(name))
  const found = onEvents.filter(({ id }) => members.has(id)).map(({ name }) => name)
  return [...kept, ...found].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

/** Judged again while nobody else writes them; their installations are told. */
async function writeTurned(ctx: Context, catalog: SegmentCatalog, workspaceId: string, ids: readonly string[]): Promise<void> {
  await writePeople(ctx, { workspaceId, actor: SYSTEM, isBrief: true }, async ({ tx, now, emit }) => {
    const people = await readPeople(tx, workspaceId, ids, { now, isHeld: true })
    const states = await readHistories(tx, workspaceId, ids)
    const decisions = await ctx.timeSlicer.run(workspaceId, decide(catalog, { ...people, states }, now.getTime()))
    const turned = decisions.filter(isTurned)
    if (turned.length === 0) return
    const snapshots = turned.flatMap(({ devices }) =>
      devices.map(({ device, names }) => ({ device_id: device.device_id, segments: names })),
    )
    await rewriteSnapshots(tx, workspaceId, { profileIds: turned.map(({ profile }) => profile.id), snapshots }, now)
    const added = turned.flatMap(({ profile, stored, before }) => pairs(profile, without(stored, before)))
    const removed = turned.flatMap(({ profile, stored, before }) => pairs(profile, without(before, stored)))
    await moveMembers(tx, workspaceId, { added, removed }, now)
    for (const { device_id: deviceId } of snapshots) emit({ kind: 'device', workspaceId, deviceId })
  })
}

const without = (all: ReadonlySet<string>, some: ReadonlySet<string>) => [...all].filter((id) => !some.has(id))

function pairs({ id }: ProfileRow, segments: readonly string[]) {
  return segments.map((segment) => ({ profile: id, segment }))
}
