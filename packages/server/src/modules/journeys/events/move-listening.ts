/** Leads people through a journey that listens to events: those about whom events arrived, and those who are due. */
import type { Heard } from '@contentflow/core/journeys/hearing.ts'
import { proceed, type Proceeded } from '@contentflow/core/journeys/proceed.ts'
import { NOBODY, type Subject } from '@contentflow/core/targeting/subject.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../db/open.ts'
import { BATCH_SIZES } from '../../../infra/due/batch-size.ts'
import { SYSTEM, type Change } from '../../../infra/change.ts'
import { mapSteps } from '../../../infra/concurrency/time-slicer.ts'
import { holdPeople, ofPeopleSince, readEvents, readHistories } from '../../behaviour/index.ts'
import { holdLoaded } from '../../enrichment/index.ts'
import { subjectOf } from '../../people/index.ts'
import { reevaluateProfiles } from '../../segments/index.ts'
import { hearingOf } from '../compile.ts'
import { lockJourney, type StoredJourney } from '../queries.ts'
import { programOf, type RunPass } from '../runs/move-runs.ts'
import { addEntered, listProfiles } from '../runs/queries-runs.ts'
import { takeEffects, type Updates } from '../runs/take-effects.ts'
import { gatherHeard } from './hear-counted.ts'
import { addRefusals, findCountedUpTo, listHeardPeople, takeHeard } from './queries-inbox.ts'
import { listDuePeople, lockRunsOf, saveListening, trimFinished, type MovedRun, type StoredRun } from './queries-listening.ts'

/**
 * One batch of people; false when there was nobody. What an event does to a person is decided with everything that is known of
 * them, in the order in which it happened, so it does not matter when this comes. The journey is locked: one batch of it at a time.
 */
export async function moveListening(ctx: Context, workspaceId: string, journeyId: string, pass: RunPass): Promise<boolean> {
  let updated: string[] = []
  const isDone = await ctx.change({ workspaceId, actor: SYSTEM }, async (change) => {
    const { tx } = change
    updated = []
    const journey = await lockJourney(tx, workspaceId, journeyId)
    if (journey?.status !== 'active') return false
    // Before anything is looked at: what is counted later arrived later.
    const upTo = await findCountedUpTo(tx, workspaceId, pass.checkAt)
    const people = await pickPeople(change, journey, pass, { upTo, limit: BATCH_SIZES.journeyRuns[ctx.engine] })
    if (people.length === 0) return false
    // A merge waits, so that nobody is taken in who is somebody else by now.
    const held = [...(await holdPeople(tx, workspaceId, people))]
    const { moved, refused, updates } = await decide(ctx, change, journey, held, { pass, upTo })
    await saveListening(tx, workspaceId, journeyId, moved, pass.checkAt)
    await trimFinished(tx, workspaceId, journeyId, [...new Set(moved.filter(({ isNew }) => isNew).map(({ profileId }) => profileId))])
    await addEntered(tx, workspaceId, journeyId, countCame(moved))
    await addRefusals(tx, workspaceId, journeyId, refused, change.now)
    const taken = await takeEffects(
      change,
      journey,
      moved.map(({ profileId, run, effects }) => ({ profileId, occasion: run.occasion, effects })),
      updates,
    )
    pass.hasShown ||= taken.hasShown
    updated = taken.updated
    return true
  })
  if (updated.length > 0) await reevaluateProfiles(ctx, workspaceId, updated)
  await ctx.faults.reach('journeys: moved')
  return isDone
}

/** Whom events are about comes first; others only in a check of all. */
async function pickPeople(
  { tx, workspaceId }: Change,
  { id }: StoredJourney,
  { isOfEvents }: RunPass,
  { upTo, limit }: { upTo: number; limit: number },
): Promise<string[]> {
  const heard = await listHeardPeople(tx, workspaceId, id, upTo, limit)
  return heard.length > 0 || isOfEvents ? heard : listDuePeople(tx, workspaceId, id, new Date(upTo), limit)
}

type Decided = { moved: MovedRun[]; refused: Map<string, number>; updates: Updates }

async function decide(
  ctx: Context,
  { tx, workspaceId, now: changedAt }: Change,
  journey: StoredJourney,
  people: readonly string[],
  { pass, upTo }: { pass: RunPass; upTo: number },
): Promise<Decided> {
  const now = pass.checkAt.getTime()
  const program = programOf(pass, journey)
  const runs = await lockRunsOf(tx, workspaceId, journey.id, people)
  const heard = await takeHeard(tx, workspaceId, journey.id, people, upTo)
  await addMissed(ctx, tx, { workspaceId, journey, runs, heard, upTo })
  // Before they are read, so that what is worked out here is what is stored.
  const loaded = await holdLoaded(tx, workspaceId, { journeyId: journey.id, people, names: program.asked, now: changedAt })
  const profiles = program.hasConditions ? await listProfiles(tx, workspaceId, people) : undefined
  const histories = program.hasEventConditions ? await readHistories(tx, workspaceId, people) : undefined
  const clock = { now, upTo, activeSince: journey.activeSince?.getTime() ?? now }
  const decided = await ctx.timeSlicer.run(
    workspaceId,
    mapSteps(people, (id): Proceeded & { id: string } => {
      const profile = profiles?.get(id)
      const subject: Subject = profile ? subjectOf(profile, now, undefined, histories?.get(id)) : NOBODY
      const person = { id, subject, loaded: loaded?.get(id) }
      return { id, ...proceed(journey, program, person, { runs: runs.get(id) ?? [], events: heard.get(id) ?? [] }, clock) }
    }),
  )
  const refused = new Map<string, number>()
  for (const each of decided) for (const [reason, count] of each.refused) refused.set(reason, (refused.get(reason) ?? 0) + count)
  const updates = new Map(decided.filter(({ updates: theirs }) => theirs.length > 0).map(({ id, updates: theirs }) => [id, theirs]))
  return { moved: decided.flatMap(({ id, runs: changed }) => changed.map((run) => ({ ...run, profileId: id }))), refused, updates }
}

/**
 * Who entered otherwise than by an event was perhaps not seen yet when events about them were counted: those are looked up once,
 * when the run is led on first. They take nobody in.
 */
async function addMissed(
  ctx: Context,
  tx: Db,
  {
    workspaceId,
    journey,
    runs,
    heard,
    upTo,
  }: { workspaceId: string; journey: StoredJourney; runs: ReadonlyMap<string, StoredRun[]>; heard: Map<string, Heard[]>; upTo: number },
): Promise<void> {
  const first = [...runs.values()].flat().filter(({ isFirst, status }) => isFirst && status === 'active')
  if (first.length === 0 || journey.listens.length === 0) return
  const people = [...new Set(first.map(({ profileId }) => profileId))]
  const since = new Date(first.reduce((least, { enteredAt }) => Math.min(least, enteredAt), Infinity))
  const events = await readEvents(tx, workspaceId, journey.listens, ofPeopleSince(workspaceId, people, since))
  const found = await ctx.timeSlicer.run(workspaceId, gatherHeard(journey, hearingOf(workspaceId, journey), events))
  for (const { person, heard: missed } of found) {
    const known = heard.get(person) ?? []
    const places = new Set(known.map(({ position }) => position.join()))
    const others = missed.filter(({ position }) => position[0] <= upTo && !places.has(position.join())).map(withoutTrigger)
    heard.set(person, [...known, ...others])
  }
}

/** It takes nobody in. */
function withoutTrigger(heard: Heard): Heard {
  const { trigger: _, ...others } = heard
  return others
}

/** How many came to each step. */
function countCame(moved: readonly MovedRun[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { why } of moved)
    for (const { step, did, event } of why) {
      // Who waited was counted when the wait began.
      if (did === 'waited' || did === 'timed_out' || event !== undefined) continue
      counts.set(step, (counts.get(step) ?? 0) + 1)
    }
  return counts
}
