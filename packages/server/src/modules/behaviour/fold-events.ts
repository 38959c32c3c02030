/** Folds events into the histories of their people: as they are counted, from the past for a new tracker, and anew for one person. */
import { fold, historyIn, mergeHistories, type Happened, type Histories, type Keeping } from '@contentflow/core/behaviour/history.ts'
import { LONGEST_WINDOW } from '@contentflow/core/behaviour/did.ts'
import { compileWhere, valueOfEvent, type EventTest, type TrackedEvent, type Where } from '@contentflow/core/behaviour/where.ts'
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { GenerationalCache } from '../../infra/cache/generational-cache.ts'
import { compileRegex } from '../../infra/regex.ts'
import { holdOwners } from './hold-owners.ts'
import {
  alreadyFolded,
  beforeTracker,
  countInBatches,
  holdPeople,
  inBatches,
  lockHistories,
  ofBatches,
  ofPeople,
  readEvents,
  saveHistories,
  type EventOfPerson,
  type Which,
} from './queries-histories.ts'
import { listFilling, listTrackers, noteLateBatches, type Tracker } from './queries-trackers.ts'

/** Events that are read at once: their properties are in memory meanwhile. */
const EVENTS_AT_ONCE = 5_000

/** The work that judges people anew about whom events, or time alone, may have changed the answer of a rule. */
export const BEHAVIOUR = 'behaviour'

export type Compiled = { id: string; type: string; keeping: Keeping; matches: EventTest; valueOf(event: TrackedEvent): number | undefined }

/** Conditions that a process holds compiled; each may hold 256 kB for a pattern. */
const TESTS = 500
/** By the definition, which decides the test, whoever's it is. */
const tests = new GenerationalCache<string, EventTest>(TESTS)

/** Compiled once while it is used often. */
export function testOf(where: Where | undefined): EventTest {
  const key = canonicalJson(where)
  const known = tests.get(key)
  if (known) return known
  const made = compileWhere(where, compileRegex)
  tests.set(key, made)
  return made
}

export function compileTracker({ id, definition }: Pick<Tracker, 'id' | 'definition'>, now: Date): Compiled {
  const { type, where, sum, ring } = definition
  return {
    id,
    type,
    keeping: { ring, hasSum: sum !== undefined, since: now.getTime() - LONGEST_WINDOW },
    matches: testOf(where),
    valueOf: (event) => {
      const value = sum === undefined ? undefined : valueOfEvent(event, sum)
      return typeof value === 'number' ? value : sum === undefined ? undefined : 0
    },
  }
}

/** What each person did, by tracker: in steps, because conditions may have patterns. */
export function* gather(
  trackers: readonly Compiled[],
  events: readonly EventOfPerson[],
): Generator<undefined, Map<string, Map<Compiled, Happened[]>>> {
  const byType = Map.groupBy(trackers, ({ type }) => type)
  const people = new Map<string, Map<Compiled, Happened[]>>()
  for (const event of events) {
    for (const tracker of byType.get(event.type) ?? []) {
      if (!tracker.matches(event)) continue
      const mine = people.get(event.person) ?? new Map<Compiled, Happened[]>()
      people.set(event.person, mine)
      const value = tracker.valueOf(event)
      const happened = { at: event.at, ...(value !== undefined && { value }) }
      const list = mine.get(tracker)
      if (list) list.push(happened)
      else mine.set(tracker, [happened])
    }
    yield
  }
  return people
}

export function foldInto(state: Histories | undefined, happened: ReadonlyMap<Compiled, readonly Happened[]>): Histories {
  const next: Record<string, Histories[string]> = { ...state }
  for (const [{ id, keeping }, events] of happened) {
    const folded = fold(historyIn(state, id), events, keeping)
    if (folded) next[id] = folded
  }
  return next
}

/** Adds these events, of which none may have been folded before; their people are due to be looked at. */
async function foldEvents(
  ctx: Context,
  tx: Db,
  workspaceId: string,
  trackers: readonly Compiled[],
  events: readonly EventOfPerson[],
): Promise<number> {
  const happened = await ofToday(tx, workspaceId, await ctx.timeSlicer.run(workspaceId, gather(trackers, events)))
  if (happened.size === 0) return 0
  const before = await lockHistories(tx, workspaceId, [...happened.keys()])
  const after = new Map([...happened].map(([id, mine]) => [id, foldInto(before.get(id), mine)]))
  await saveHistories(tx, workspaceId, after, ctx.clock.now())
  return after.size
}

type Gathered = Map<string, Map<Compiled, Happened[]>>

/** By who they are now, who are held. */
async function ofToday(tx: Db, workspaceId: string, happened: Gathered): Promise<Gathered> {
  const owners = await holdOwners(tx, workspaceId, happened.keys())
  const held: Gathered = new Map()
  for (const [id, mine] of happened) {
    const owner = owners.get(id)
    if (owner === undefined) continue
    const known = held.get(owner) ?? new Map<Compiled, Happened[]>()
    for (const [tracker, events] of mine) known.set(tracker, [...(known.get(tracker) ?? []), ...events])
    held.set(owner, known)
  }
  return held
}

/** So many batches at a time that their events fit into memory; one batch is of one request and has at most a thousand. */
export function* groupBatches(batches: readonly { batch: number; events: number }[]): Generator<number[]> {
  let group: number[] = []
  let inGroup = 0
  for (const { batch, events } of batches) {
    if (group.length > 0 && inGroup + events > EVENTS_AT_ONCE) {
      yield group
      group = []
      inGroup = 0
    }
    group.push(batch)
    inGroup += events
  }
  if (group.length > 0) yield group
}

/**
 * The events of batches that are being counted, in the transaction that says so: each is folded once, whenever a process
 * dies. Whoever makes a tracker waits for the count, so that a batch is either counted before it is there, and is its past,
 * or is folded here. True when somebody is to be looked at.
 */
export async function foldCounted(
  ctx: Context,
  tx: Db,
  workspaceId: string,
  batches: readonly { id: number; received_at: Date }[],
): Promise<boolean> {
  const trackers = await listTrackers(tx, workspaceId)
  if (trackers.length === 0 || batches.length === 0) return false
  await noteLateBatches(
    tx,
    workspaceId,
    batches.map(({ id }) => id),
  )
  return (await foldWhich(ctx, tx, workspaceId, trackers, ofBatches(batches))) > 0
}

/** Some of the past of one tracker; the caller holds the lock of counting. */
export async function foldPast(
  ctx: Context,
  tx: Db,
  workspaceId: string,
  tracker: Tracker & { lateBatches: readonly string[] },
  which: Which,
): Promise<void> {
  await foldWhich(ctx, tx, workspaceId, [tracker], beforeTracker(which, workspaceId, tracker))
}

async function foldWhich(ctx: Context, tx: Db, workspaceId: string, trackers: readonly Tracker[], which: Which): Promise<number> {
  const compiled = trackers.map((tracker) => compileTracker(tracker, ctx.clock.now()))
  const types = [...new Set(compiled.map(({ type }) => type))]
  let touched = 0
  for (const group of groupBatches(await countInBatches(tx, workspaceId, types, which)))
    touched += await foldEvents(ctx, tx, workspaceId, compiled, await readEvents(tx, workspaceId, types, inBatches(which, group)))
  return touched
}

/** Makes the histories of these people anew from the events that are stored, when some of them went. The caller holds the lock of counting. */
export async function refold(ctx: Context, tx: Db, workspaceId: string, people: readonly string[]): Promise<void> {
  const trackers = await listTrackers(tx, workspaceId)
  if (trackers.length === 0) return
  // Whoever did nothing else is looked at too.
  const held = await holdPeople(tx, workspaceId, people)
  if (held.size === 0) return
  await saveHistories(tx, workspaceId, new Map([...held].map((id) => [id, {}])), ctx.clock.now())
  const filling = await listFilling(tx, workspaceId)
  const whole = trackers.filter(({ id }) => filling.every((tracker) => tracker.id !== id))
  const theirs = ofPeople(workspaceId, people)
  if (whole.length > 0) await foldWhich(ctx, tx, workspaceId, whole, theirs)
  // The rest of their past follows: whoever folded it here would fold it twice.
  for (const tracker of filling) await foldWhich(ctx, tx, workspaceId, [tracker], alreadyFolded(theirs, tracker))
}

/** What is known of one person becomes another's. */
export async function absorbHistories(tx: Db, workspaceId: string, fromId: string, intoId: string, now: Date): Promise<void> {
  const states = await lockHistories(tx, workspaceId, [fromId, intoId])
  const from = states.get(fromId)
  if (!from) return
  const merged = mergeStates([from, states.get(intoId)], await listTrackers(tx, workspaceId), now)
  await saveHistories(tx, workspaceId, new Map([[intoId, merged]]), now)
}

function mergeStates(states: readonly (Histories | undefined)[], trackers: readonly Tracker[], now: Date): Histories {
  const merged: Record<string, Histories[string]> = {}
  for (const tracker of trackers) {
    const { id, keeping } = compileTracker(tracker, now)
    for (const state of states) {
      const history = historyIn(state, id)
      if (history) merged[id] = mergeHistories(merged[id], history, keeping)
    }
  }
  return merged
}

/** What a person did who is several until a merge is written. */
export async function mergeHistoriesOf(db: Db, workspaceId: string, states: readonly Histories[], now: Date): Promise<Histories> {
  return mergeStates(states, await listTrackers(db, workspaceId), now)
}
