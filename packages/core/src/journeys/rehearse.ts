/**
 * A journey tried out on people as they are now: the engine's own `advance`, called as often as the engine would call it,
 * with a clock that jumps from one check to the next. Nothing is stored and nothing leaves.
 */
import { advance, beginRun, type Effect, type PassedStep, type Program, type Run, type Participant } from './advance.ts'
import { afterHappenings, goalReachedAt, type Happening } from './happenings.ts'
import { listSteps, type Goal, type Step, type StepType } from './journey.ts'
import { DAY_MS, MINUTE_MS } from '../units.ts'

/** `barOf`: why a message would not reach them; undefined: it would. */
export type Rehearsing = Participant & { name: string; barOf: (effect: Effect) => string | undefined }
/** How many people came to one step, and what it did with them. */
export type StepTally = {
  step: string
  type: StepType
  came: number
  waiting: number
  sent: number
  skipped: Map<string, number>
  then: number
  else: number
}
/** `minute`: since they entered. */
export type RehearsedMoment = { minute: number; step: string; did: PassedStep['did'] | 'skipped'; reason?: string }
export type Timeline = { name: string; status: Run['status']; step: string | null; moments: RehearsedMoment[] }
/** `goalMinute`: when who does all of it reaches the goal, since they entered; null: they do not. */
export type Rehearsal = { steps: StepTally[]; statuses: Map<Run['status'], number>; timelines: Timeline[]; goalMinute: number | null }

type Options = {
  steps: readonly Step[]
  program: Program
  goal: Goal | null
  start: number
  days: number
  samples: number
  /** What each of them does meanwhile, in the order of time. */
  happenings: readonly Happening[]
}

/** Everybody enters at `start` (milliseconds), a check comes every minute, and it ends after so many days. Pauses between people. */
export function* rehearse(
  people: readonly Rehearsing[],
  { steps, program, goal, start, days, samples, happenings }: Options,
): Generator<undefined, Rehearsal> {
  const end = start + days * DAY_MS
  const tallies = new Map(listSteps(steps).map(({ id, type }): [string, StepTally] => [id, tallyOf(id, type)]))
  const statuses = new Map<Run['status'], number>()
  const timelines: Timeline[] = []
  for (const [index, person] of people.entries()) {
    const { run, moments } = rehearseOne(person, { steps, program, start, end, happenings })
    for (const moment of moments) count(tallies.get(moment.step), moment)
    statuses.set(run.status, (statuses.get(run.status) ?? 0) + 1)
    if (run.isWaiting && run.step !== null) tallies.get(run.step)!.waiting++
    if (index < samples) timelines.push({ name: person.name, status: run.status, step: run.step, moments })
    yield
  }
  const reachedAt = goalReachedAt(goal, happenings, start) ?? Infinity
  const goalMinute = reachedAt <= end ? Math.floor((reachedAt - start) / MINUTE_MS) : null
  return { steps: [...tallies.values()], statuses, timelines, goalMinute }
}

function rehearseOne(
  { barOf, ...person }: Rehearsing,
  { steps, program, start, end, happenings }: Pick<Options, 'steps' | 'program' | 'start' | 'happenings'> & { end: number },
): { run: Run; moments: RehearsedMoment[] } {
  const moments: RehearsedMoment[] = []
  let run = beginRun(steps, start)
  while (run.dueAt !== null) {
    // The first check from then on.
    const now: number = start + Math.ceil((run.dueAt - start) / MINUTE_MS) * MINUTE_MS
    if (now > end) break
    const {
      effects,
      why,
      run: next,
    } = advance(program, run, { ...person, subject: afterHappenings(person.subject, happenings, now) }, now, now + 1)
    const byStep = new Map(effects.map((effect) => [effect.stepId, effect]))
    for (const { step, did } of why) {
      const effect = byStep.get(step)
      const reason = effect && barOf(effect)
      moments.push({ minute: (now - start) / MINUTE_MS, step, ...(reason === undefined ? { did } : { did: 'skipped', reason }) })
    }
    run = next
  }
  return { run, moments }
}

function tallyOf(step: string, type: StepType): StepTally {
  return { step, type, came: 0, waiting: 0, sent: 0, skipped: new Map(), then: 0, else: 0 }
}

function count(tally: StepTally | undefined, { did, reason }: RehearsedMoment): void {
  // A person who has waited was counted when the wait began.
  if (!tally || did === 'waited') return
  tally.came++
  if (did === 'sent' || did === 'then' || did === 'else') tally[did]++
  if (reason !== undefined) tally.skipped.set(reason, (tally.skipped.get(reason) ?? 0) + 1)
}
