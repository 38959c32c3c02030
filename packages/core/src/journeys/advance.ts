/**
 * Where one person goes next in a journey. A definition is compiled once to a flat list; moving somebody on is then a
 * pure function of where they stand, what is known of them and the time, so that a test run is the same loop.
 *
 * A run begins active and due. `advance` leads a run that is due past its steps until one of these:
 *
 *   active, due ──a wait that is not over──▶ active, waiting, due when the wait is over
 *   active, due ──20 steps in one check──▶ active, due at the next check
 *   active, due ──no step is left──▶ completed (end)
 *   active, due ──an exit step──▶ exited (exit)
 *   active, due ──its step is no longer there──▶ exited (step_removed)
 */
import { LIMITS } from '../limits.ts'
import { bucketOf } from '../blocks/serving/assign-variant.ts'
import { nextAfterPrayer, type PrayerLocation, type Prayer } from '../calendar/prayers.ts'
import { nextHour } from '../calendar/zoned-time.ts'
import type { SendChannel } from '../messages/window.ts'
import { compileRules } from '../targeting/evaluate.ts'
import type { RegexCompiler } from '../targeting/operators.ts'
import type { Subject } from '../targeting/subject.ts'
import { hasBranches, listSteps, type Branching, type Step, type StepContent, type UntilStep } from './journey.ts'
import { MINUTE_MS } from '../units.ts'

/** The weights that a share in percent is a part of. */
const HUNDRED = [100]

/** The id of the step that is next; null: nothing. It is always one that stands further behind in the list, so a program cannot loop. */
type Next = string | null
type Instruction =
  | { type: 'wait'; until: (now: number) => number; next: Next }
  | { type: 'send'; channel: SendChannel; content: StepContent; next: Next }
  | { type: 'in_app'; content: StepContent; next: Next }
  | { type: 'branch'; holds: (person: Participant, now: number) => boolean; then: Next; else: Next }
  | { type: 'exit' }
/** Somebody in a journey: the id of their profile, and what rules ask of them. */
export type Participant = { id: string; subject: Subject }
/** When a prayer is at a place on the days around a moment, at least one of them a day behind it; milliseconds. */
export type PrayersAround = (at: number, place: PrayerLocation, prayer: Prayer) => readonly number[]
/** `hash32`: of a text (G-73). */
type Compiling = { journeyId: string; compileRegex: RegexCompiler; hash32: (text: string) => number; prayersAround: PrayersAround }
/** In the order of the definition, by id. */
export type Program = { instructions: ReadonlyMap<string, Instruction>; hasConditions: boolean }

export const RUN_STATUSES = ['active', 'completed', 'exited'] as const
/** `step`: the one that is next, or waited at, or where the run left; null at the end. Moments in milliseconds. */
export type Run = {
  step: string | null
  /** The wait it stands on has begun. */
  isWaiting: boolean
  status: (typeof RUN_STATUSES)[number]
  /** When it goes on; null: it is over. */
  dueAt: number | null
  reason: RunReason | null
}
/** `end`: nothing comes after its last step. */
export const RUN_REASONS = ['end', 'exit', 'step_removed'] as const
export type RunReason = (typeof RUN_REASONS)[number]
export type Effect =
  { type: 'send'; stepId: string; channel: SendChannel; content: StepContent } | { type: 'in_app'; stepId: string; content: StepContent }
export const STEP_OUTCOMES = ['began_wait', 'waited', 'sent', 'then', 'else', 'exited'] as const
/** What was done at one step. */
export type PassedStep = { step: string; did: (typeof STEP_OUTCOMES)[number] }
export type Advanced = { run: Run; effects: Effect[]; why: PassedStep[] }

/** A person at the beginning; `now` is when they entered. */
export function beginRun(steps: readonly Step[], now: number): Run {
  return { step: steps[0]?.id ?? null, isWaiting: false, status: 'active', dueAt: now, reason: null }
}

export function compileJourney(steps: readonly Step[], options: Compiling): Program {
  const instructions = new Map<string, Instruction>()
  const add = (list: readonly Step[], after: Next): void => {
    for (const [index, step] of list.entries()) {
      const next = list[index + 1]?.id ?? after
      instructions.set(step.id, toInstruction(step, next, options))
      if (!hasBranches(step)) continue
      add(step.then, next)
      add(step.else, next)
    }
  }
  add(steps, null)
  return { instructions, hasConditions: listSteps(steps).some(({ type }) => type === 'condition') }
}

function toInstruction(step: Step, next: Next, { journeyId, compileRegex, hash32, prayersAround }: Compiling): Instruction {
  switch (step.type) {
    case 'wait':
      return { type: 'wait', until: (now) => now + step.minutes * MINUTE_MS, next }
    case 'wait_until':
      return { type: 'wait', until: memoizeLast((now) => endOfWait(step, now, prayersAround)), next }
    case 'send':
      return { type: 'send', channel: step.channel, content: step.content, next }
    case 'in_app':
      return { type: 'in_app', content: step.content, next }
    case 'condition': {
      const holds = compileRules(step.rule, { compileRegex })
      return { type: 'branch', holds: ({ subject }, now) => holds(subject, now), ...waysOf(step, next) }
    }
    case 'split': {
      const holds = ({ id }: Participant) => (bucketOf(HUNDRED, id, `${journeyId}/${step.id}`, hash32) ?? 0) < step.percent
      return { type: 'branch', holds, ...waysOf(step, next) }
    }
    case 'exit':
      return { type: 'exit' }
    default:
      return step satisfies never
  }
}

/** A person who comes at that very moment, or later, waits for the same prayer of the next day. */
function endOfWait(step: UntilStep, now: number, prayersAround: PrayersAround): number {
  if ('hour' in step) return nextHour(step.hour, step.zone, now)
  const { afterPrayer, minutesAfter } = step
  // Every place that a step may name has each prayer each day.
  return nextAfterPrayer(prayersAround(now, step, afterPrayer), minutesAfter, now) ?? now
}

/** Everybody of a check asks at the same moment. */
function memoizeLast(until: (now: number) => number): (now: number) => number {
  let last = { now: Number.NaN, until: Number.NaN }
  return (now) => {
    if (last.now !== now) last = { now, until: until(now) }
    return last.until
  }
}

function waysOf(step: Branching, next: Next) {
  return { then: step.then[0]?.id ?? next, else: step.else[0]?.id ?? next }
}

/**
 * M-JRN-13: up to 20 steps. Whoever has more before them goes on at the next check: `dueAt` is then `next`. A run that is
 * not due stays as it is.
 */
export function advance(program: Program, before: Run, person: Participant, now: number, next: number): Advanced {
  const run = { ...before }
  const effects: Effect[] = []
  const why: PassedStep[] = []
  if (run.dueAt === null || run.dueAt > now) return { run, effects, why }
  for (let steps = 0; run.step !== null; steps++) {
    const id: string = run.step
    const at = program.instructions.get(id)
    if (!at) return over(run, 'exited', 'step_removed')
    if (at.type === 'wait' && run.isWaiting) {
      // The step was counted when the wait began.
      steps--
      why.push({ step: id, did: 'waited' })
      go(at.next)
      continue
    }
    // An edit may have replaced the wait by a step of another kind.
    run.isWaiting = false
    if (steps === LIMITS.journeyStepsPerCheck) return later(next)
    switch (at.type) {
      case 'wait': {
        const until = at.until(now)
        if (until <= now) {
          why.push({ step: id, did: 'waited' })
          go(at.next)
          break
        }
        why.push({ step: id, did: 'began_wait' })
        run.isWaiting = true
        return later(until)
      }
      case 'send':
        effects.push({ type: 'send', stepId: id, channel: at.channel, content: at.content })
        why.push({ step: id, did: 'sent' })
        go(at.next)
        break
      case 'in_app':
        effects.push({ type: 'in_app', stepId: id, content: at.content })
        why.push({ step: id, did: 'sent' })
        go(at.next)
        break
      case 'branch': {
        const branch = at.holds(person, now) ? 'then' : 'else'
        why.push({ step: id, did: branch })
        go(at[branch])
        break
      }
      case 'exit':
        why.push({ step: id, did: 'exited' })
        return over(run, 'exited', 'exit')
    }
  }
  return over(run, 'completed', 'end')

  function go(to: Next): void {
    run.isWaiting = false
    run.step = to
  }
  function later(dueAt: number): Advanced {
    return { run: { ...run, dueAt }, effects, why }
  }
  function over(ended: Run, status: Run['status'], reason: RunReason): Advanced {
    return { run: { ...ended, status, reason, isWaiting: false, dueAt: null }, effects, why }
  }
}
