/** Moves people on: a batch is read, decided in memory and written in one transaction, with what it sends. */
import { advance, type Advanced, type Effect, type Program } from '@contentflow/core/journeys/advance.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { NOBODY, type Subject } from '@contentflow/core/targeting/subject.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../context.ts'
import { BATCH_SIZES } from '../../../infra/due/batch-size.ts'
import { SYSTEM, type Change } from '../../../infra/change.ts'
import { mapSteps } from '../../../infra/concurrency/time-slicer.ts'
import { openMessages } from '../../messages/index.ts'
import { subjectOf } from '../../people/index.ts'
import { queueSends } from '../../sends/index.ts'
import { compile } from '../compile.ts'
import { holdActive, type StoredJourney } from '../queries.ts'
import { addEntered, listProfiles, lockDueRuns, saveRuns, type DueRun } from './queries-runs.ts'

/** `programs`: compiled journeys; one that was edited meanwhile is compiled anew. `hasShown`: whether an in-app message was opened in this pass. */
export type RunPass = { checkAt: Date; programs: Map<string, { version: number; program: Program }>; hasShown: boolean }

/** One batch of people who are due by `checkAt`; false when there was none. */
export async function moveBatch(ctx: Context, workspaceId: string, journeyId: string, pass: RunPass): Promise<boolean> {
  const { checkAt } = pass
  const isDone = await ctx.change({ workspaceId, actor: SYSTEM }, async (change) => {
    const journey = await holdActive(change.tx, workspaceId, journeyId)
    if (!journey) return false
    const runs = await lockDueRuns(change.tx, workspaceId, journeyId, checkAt, BATCH_SIZES.journeyRuns[ctx.engine])
    if (runs.length === 0) return false
    const program = programOf(pass, journey)
    const moved = await decide(ctx, change, program, runs, checkAt)
    await saveRuns(
      change.tx,
      workspaceId,
      journeyId,
      moved.map(({ profileId, run }) => ({ profileId, ...run })),
      checkAt,
    )
    await addEntered(change.tx, workspaceId, journeyId, countEntered(moved))
    pass.hasShown = (await takeEffect(change, journey, program, moved)) || pass.hasShown
    return true
  })
  await ctx.faults.reach('journeys: moved')
  return isDone
}

function programOf({ programs }: RunPass, { id, version, steps }: StoredJourney): Program {
  const held = programs.get(id)
  if (held?.version === version) return held.program
  const program = compile(id, steps)
  programs.set(id, { version, program })
  return program
}

type Moved = Advanced & Pick<DueRun, 'profileId' | 'occasion'>

/** A person with more than 20 steps ahead is due again right after this check. */
async function decide(
  { timeSlicer }: Context,
  { tx, workspaceId }: Change,
  program: Program,
  runs: readonly DueRun[],
  checkAt: Date,
): Promise<Moved[]> {
  const now = checkAt.getTime()
  const people = program.hasConditions
    ? await listProfiles(
        tx,
        workspaceId,
        runs.map(({ profileId }) => profileId),
      )
    : undefined
  const moved = mapSteps(runs, ({ profileId, occasion, ...run }) => {
    const profile = people?.get(profileId)
    const subject: Subject = profile ? subjectOf(profile, now) : NOBODY
    return { profileId, occasion, ...advance(program, run, { id: profileId, subject }, now, now + 1) }
  })
  return timeSlicer.run(workspaceId, moved)
}

/** How many came to each step. */
function countEntered(moved: readonly Moved[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { why } of moved)
    // A person who has waited was counted when the wait began.
    for (const { step, did } of why) if (did !== 'waited') counts.set(step, (counts.get(step) ?? 0) + 1)
  return counts
}

/** Writes what one step, on one occasion, sends to several people at once; steps in their order. True when an in-app message is among it. */
async function takeEffect(
  change: Change,
  { id, name }: StoredJourney,
  { instructions }: Program,
  moved: readonly Moved[],
): Promise<boolean> {
  const order = [...instructions.keys()]
  const byStep = new Map<string, { effect: Effect; position: number; occasion: number; people: string[] }>()
  for (const { profileId, occasion, effects } of moved)
    for (const effect of effects) {
      const key = `${occasion}/${effect.stepId}`
      const found = byStep.get(key)
      if (found) found.people.push(profileId)
      else byStep.set(key, { effect, position: order.indexOf(effect.stepId), occasion, people: [profileId] })
    }
  const expiresAt = new Date(change.now.getTime() + LIMITS.journeyMessageDays * DAY_MS)
  for (const { effect, position, occasion, people } of [...byStep.values()].sort((a, b) => a.position - b.position)) {
    const { stepId, content } = effect
    if (effect.type === 'in_app') await openMessages(change, { journeyId: id, stepId, position, occasion, content, expiresAt }, people)
    else
      await queueSends(change, { source: 'journey', sourceId: id, step: stepId, occasion, name, channel: effect.channel, content }, people)
  }
  return [...byStep.values()].some(({ effect }) => effect.type === 'in_app')
}
