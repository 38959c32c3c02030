/** Moves people on: a batch is read, decided in memory and written in one transaction, with what it sends. */
import { advance, type Advanced, type Participant, type Program, type UpdateEffect } from '@contentflow/core/journeys/advance.ts'
import { NOBODY, type Subject } from '@contentflow/core/targeting/subject.ts'
import type { Context } from '../../../context.ts'
import { BATCH_SIZES } from '../../../infra/due/batch-size.ts'
import { SYSTEM, type Change } from '../../../infra/change.ts'
import { mapSteps } from '../../../infra/concurrency/time-slicer.ts'
import { readHistories } from '../../behaviour/index.ts'
import { holdLoaded } from '../../enrichment/index.ts'
import { subjectOf } from '../../people/index.ts'
import { reevaluateProfiles } from '../../segments/index.ts'
import { compile } from '../compile.ts'
import { holdActive, type StoredJourney } from '../queries.ts'
import { addEntered, listProfiles, lockDueRuns, saveRuns, type DueRun } from './queries-runs.ts'
import { takeEffects, type Updates } from './take-effects.ts'

/** `programs`: compiled journeys; one that was edited meanwhile is compiled anew. `hasShown`: whether an in-app message was opened in this pass. `isOfEvents`: it is only about whom events arrived. */
export type RunPass = {
  checkAt: Date
  programs: Map<string, { version: number; program: Program }>
  hasShown: boolean
  isOfEvents?: boolean
}

/** One batch of people who are due by `checkAt`; false when there was none. */
export async function moveBatch(ctx: Context, workspaceId: string, journeyId: string, pass: RunPass): Promise<boolean> {
  const { checkAt } = pass
  let updated: string[] = []
  const isDone = await ctx.change({ workspaceId, actor: SYSTEM }, async (change) => {
    updated = []
    const journey = await holdActive(change.tx, workspaceId, journeyId)
    if (!journey) return false
    const runs = await lockDueRuns(change.tx, workspaceId, journeyId, checkAt, BATCH_SIZES.journeyRuns[ctx.engine])
    if (runs.length === 0) return false
    const program = programOf(pass, journey)
    const moved = await decide(ctx, change, { journeyId, program, runs, checkAt })
    await saveRuns(
      change.tx,
      workspaceId,
      journeyId,
      moved.map(({ profileId, occasion, run }) => ({ profileId, occasion, ...run })),
      checkAt,
    )
    await addEntered(change.tx, workspaceId, journeyId, countEntered(moved))
    const taken = await takeEffects(change, journey, moved, updatesOf(moved))
    pass.hasShown ||= taken.hasShown
    updated = taken.updated
    return true
  })
  if (updated.length > 0) await reevaluateProfiles(ctx, workspaceId, updated)
  await ctx.faults.reach('journeys: moved')
  return isDone
}

/** Compiled once for a pass. */
export function programOf({ programs }: RunPass, { id, version, steps }: StoredJourney): Program {
  const held = programs.get(id)
  if (held?.version === version) return held.program
  const program = compile(id, steps)
  programs.set(id, { version, program })
  return program
}

type Moved = Advanced & Pick<DueRun, 'profileId' | 'occasion'>

type Deciding = { journeyId: string; program: Program; runs: readonly DueRun[]; checkAt: Date }

/** A person with more than 20 steps ahead is due again right after this check. Runs of one person see what those before them write. */
async function decide(
  { timeSlicer }: Context,
  { tx, workspaceId, now: changedAt }: Change,
  { journeyId, program, runs, checkAt }: Deciding,
): Promise<Moved[]> {
  const now = checkAt.getTime()
  const ids = [...new Set(runs.map(({ profileId }) => profileId))]
  // Before they are read, so that what is worked out here is what is stored.
  const loaded = await holdLoaded(tx, workspaceId, { journeyId, people: ids, names: program.asked, now: changedAt })
  const people = program.hasConditions ? await listProfiles(tx, workspaceId, ids) : undefined
  const histories = program.hasEventConditions ? await readHistories(tx, workspaceId, ids) : undefined
  const known = new Map<string, Participant>()
  const moved = mapSteps(runs, ({ profileId, occasion, ...run }) => {
    const profile = people?.get(profileId)
    const subject: Subject = profile ? subjectOf(profile, now, undefined, histories?.get(profileId)) : NOBODY
    const person = known.get(profileId) ?? { id: profileId, subject, loaded: loaded?.get(profileId) }
    const advanced = advance(program, run, person, now, now + 1)
    if (advanced.person) known.set(profileId, advanced.person)
    return { profileId, occasion, ...advanced }
  })
  return timeSlicer.run(workspaceId, moved)
}

function updatesOf(moved: readonly Moved[]): Updates {
  const updates = new Map<string, UpdateEffect[]>()
  for (const { profileId, effects } of moved) {
    const theirs = effects.filter((effect) => effect.type === 'update_profile')
    if (theirs.length > 0) updates.set(profileId, [...(updates.get(profileId) ?? []), ...theirs])
  }
  return updates
}

/** How many came to each step. */
function countEntered(moved: readonly Moved[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { why } of moved)
    // A person who has waited was counted when the wait began.
    for (const { step, did } of why) if (did !== 'waited') counts.set(step, (counts.get(step) ?? 0) + 1)
  return counts
}
