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
 *   active ──an event that ends it (proceed.ts)──▶ exited (exit_event); by a newer one of its key: exited (restarted)
 *
 * Where a journey listens to events, a run has a position: since when it stands where it stands, by what happened and not by
 * when somebody looked. Waits are counted from it, so that what comes of a run does not depend on when checks come.
 */
import { listEventLeaves } from '../behaviour/tracker.ts'
import { LIMITS } from '../limits.ts'
import { bucketOf } from '../blocks/serving/assign-variant.ts'
import { nextAfterPrayer, type PrayerLocation, type Prayer } from '../calendar/prayers.ts'
import { nextHour } from '../calendar/zoned-time.ts'
import type { SendChannel } from '../messages/window.ts'
import { compileRules } from '../targeting/evaluate.ts'
import type { RegexCompiler } from '../targeting/operators.ts'
import type { MailDocument } from '../mail/document.ts'
import type { Subject } from '../targeting/subject.ts'
import type { Position } from './hearing.ts'
import {
  hasBranches,
  listSteps,
  sentMailOf,
  type Branching,
  type Step,
  type StepContent,
  type StepValues,
  type UntilStep,
} from './journey.ts'
import { fillAttributes } from './step-values.ts'
import { afterWriting, listAttributes, withLoaded, type Loaded } from './written.ts'
import { MINUTE_MS } from '../units.ts'

/** The weights that a share in percent is a part of. */
const HUNDRED = [100]

/** The id of the step that is next; null: nothing. It is always one that stands further behind in the list, so a program cannot loop. */
type Next = string | null
type Instruction =
  | { type: 'wait'; until: (now: number) => number; next: Next }
  | { type: 'wait_for'; timeoutMs: number; then: Next; else: Next }
  | ({ type: 'send'; next: Next } & SentContent)
  | { type: 'in_app'; content: StepContent; next: Next }
  | { type: 'webhook' | 'update_profile'; effect: WebhookEffect | UpdateEffect; next: Next }
  | { type: 'branch'; holds: (person: Participant, now: number) => boolean; then: Next; else: Next }
  | { type: 'exit' }
/** What a step sends; `mail` by email, instead of the content. `topic`: what it is about. */
type SentContent = { channel: SendChannel; content: StepContent; mail?: MailDocument | undefined; topic?: string }
/** Somebody in a journey: the id of their profile, and what rules ask of them. `loaded`: what loads say of attributes that conditions ask for. */
export type Participant = { id: string; subject: Subject; loaded?: Loaded | undefined }
/** When a prayer is at a place on the days around a moment, at least one of them a day behind it; milliseconds. */
export type PrayersAround = (at: number, place: PrayerLocation, prayer: Prayer) => readonly number[]
/** `hash32`: of a text (G-73). */
type Compiling = { journeyId: string; compileRegex: RegexCompiler; hash32: (text: string) => number; prayersAround: PrayersAround }
/** In the order of the definition, by id. `asked`: attributes that conditions ask for, of a journey that writes any; a participant has `loaded` then. */
export type Program = {
  instructions: ReadonlyMap<string, Instruction>
  hasConditions: boolean
  hasEventConditions: boolean
  asked: readonly string[]
}

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
  /** Of a journey that listens to events. */
  position?: Position
}
/** `end`: nothing comes after its last step. `exit_event`: such an event ends it. `restarted`: an event of its key began another. */
export const RUN_REASONS = ['end', 'exit', 'step_removed', 'exit_event', 'restarted'] as const
export type RunReason = (typeof RUN_REASONS)[number]
export type MessageEffect = ({ type: 'send'; stepId: string } & SentContent) | { type: 'in_app'; stepId: string; content: StepContent }
export type WebhookEffect = { type: 'webhook'; stepId: string; endpoint: string; values: StepValues }
/** `expiresInDays`: 0: the values stay. */
export type UpdateEffect = { type: 'update_profile'; stepId: string; values: StepValues; expiresInDays: number }
export type Effect = MessageEffect | WebhookEffect | UpdateEffect
export const STEP_OUTCOMES = ['began_wait', 'waited', 'came', 'timed_out', 'sent', 'updated', 'then', 'else', 'exited'] as const
/** What was done at one step. `came`: what it waited for. `updated`: attributes of the person. `event`: the type of the event that moved the run. */
export type PassedStep = { step: string; did: (typeof STEP_OUTCOMES)[number]; event?: string }
/** `person`: as they are with what steps wrote, when any did. */
export type Advanced = { run: Run; effects: Effect[]; why: PassedStep[]; person?: Participant }
/** What events said to a run, where its journey listens to any. */
type Said = Parameters<typeof fillAttributes>[1]

/** A person at the beginning; `now` is when they entered. */
export function beginRun(steps: readonly Step[], now: number, position?: Position): Run {
  return { step: steps[0]?.id ?? null, isWaiting: false, status: 'active', dueAt: now, reason: null, ...(position && { position }) }
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
  const all = listSteps(steps)
  const conditions = all.flatMap((step) => (step.type === 'condition' ? [step.rule.rules] : []))
  const isWriting = all.some(({ type }) => type === 'update_profile')
  return {
    instructions,
    hasConditions: conditions.length > 0,
    hasEventConditions: conditions.some((rules) => listEventLeaves(rules).length > 0),
    asked: isWriting ? [...new Set(conditions.flatMap(listAttributes))] : [],
  }
}

function sentBy({ channel, content, mail, topic }: SentContent): SentContent {
  return { channel, content, ...(mail && { mail }), ...(topic !== undefined && { topic }) }
}

function toInstruction(step: Step, next: Next, { journeyId, compileRegex, hash32, prayersAround }: Compiling): Instruction {
  switch (step.type) {
    case 'wait':
      return { type: 'wait', until: (now) => now + step.minutes * MINUTE_MS, next }
    case 'wait_until':
      return { type: 'wait', until: memoizeLast((now) => endOfWait(step, now, prayersAround)), next }
    case 'wait_for':
      return { type: 'wait_for', timeoutMs: step.timeoutMinutes * MINUTE_MS, ...waysOf(step, next) }
    case 'send':
      return { type: 'send', ...sentBy({ ...step, mail: sentMailOf(step) }), next }
    case 'in_app':
      return { type: 'in_app', content: step.content, next }
    case 'webhook':
      return { type: step.type, effect: { type: step.type, stepId: step.id, endpoint: step.endpoint, values: step.data ?? {} }, next }
    case 'update_profile': {
      const { type, set: values, expiresInDays = 0 } = step
      return { type, effect: { type, stepId: step.id, values, expiresInDays }, next }
    }
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
  if (before.dueAt === null || before.dueAt > now) return { run: { ...before }, effects: [], why: [] }
  return walk(program, before, person, { now, waitsBy: now, next, floor: now })
}

/**
 * Leads a run of a journey that listens to events up to a moment, of whatever is before it: `waitsBy` is how far waits may
 * end. `floor`: since when the journey is active; a pause does not count as waiting. Milliseconds. `said`: what events said to it.
 */
export function advanceTo(
  program: Program,
  before: Run & { position: Position },
  person: Participant,
  by: { now: number; stepsBy: number; waitsBy: number; floor: number; said?: Said },
): Advanced {
  const isReached = before.isWaiting ? Math.max(before.dueAt ?? 0, by.floor) <= by.waitsBy : before.position[0] <= by.stepsBy
  if (before.status !== 'active' || !isReached) return { run: { ...before }, effects: [], why: [] }
  return walk(program, before, person, by)
}

/** `next`: when who has more than 20 steps before them goes on; without it nobody is held up. */
type Clock = { now: number; waitsBy: number; floor: number; next?: number; said?: Said }

function walk(program: Program, before: Run, participant: Participant, { now, waitsBy, floor, next, said = {} }: Clock): Advanced {
  const run = { ...before }
  let person = participant
  const effects: Effect[] = []
  const why: PassedStep[] = []
  for (let steps = 0; run.step !== null; steps++) {
    const id: string = run.step
    const at = program.instructions.get(id)
    if (!at) return over('exited', 'step_removed')
    if ((at.type === 'wait' || at.type === 'wait_for') && run.isWaiting) {
      // The step was counted when the wait began.
      steps--
      endWait(id, at)
      continue
    }
    // An edit may have replaced the wait by a step of another kind.
    run.isWaiting = false
    if (next !== undefined && steps === LIMITS.journeyStepsPerCheck) return later(next)
    switch (at.type) {
      case 'wait':
      case 'wait_for': {
        const from = run.position ? Math.max(run.position[0], floor) : now
        const until = at.type === 'wait' ? at.until(from) : from + at.timeoutMs
        if (until > waitsBy) {
          why.push({ step: id, did: 'began_wait' })
          run.isWaiting = true
          return later(until)
        }
        if (run.position) why.push({ step: id, did: 'began_wait' })
        run.dueAt = until
        endWait(id, at)
        break
      }
      case 'send':
        effects.push({ type: 'send', stepId: id, ...sentBy(at) })
        why.push({ step: id, did: 'sent' })
        go(at.next)
        break
      case 'in_app':
        effects.push({ type: 'in_app', stepId: id, content: at.content })
        why.push({ step: id, did: 'sent' })
        go(at.next)
        break
      case 'webhook':
      case 'update_profile':
        effects.push(at.effect)
        if (at.effect.type === 'update_profile') person = afterUpdate(person, at.effect, said, program, now)
        why.push({ step: id, did: at.type === 'webhook' ? 'sent' : 'updated' })
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
        return over('exited', 'exit')
    }
  }
  return over('completed', 'end')

  function endWait(id: string, at: Extract<Instruction, { type: 'wait' | 'wait_for' }>): void {
    if (run.position) run.position = [Math.max(run.dueAt ?? now, floor), 0, 0]
    why.push({ step: id, did: at.type === 'wait' ? 'waited' : 'timed_out' })
    go(at.type === 'wait' ? at.next : at.else)
  }
  function go(to: Next): void {
    run.isWaiting = false
    run.step = to
  }
  function later(dueAt: number): Advanced {
    return moved({ ...run, dueAt })
  }
  function over(status: Run['status'], reason: RunReason): Advanced {
    return moved({ ...run, status, reason, isWaiting: false, dueAt: null })
  }
  function moved(to: Run): Advanced {
    return { run: to, effects, why, ...(person !== participant && { person }) }
  }
}

/** A condition that follows sees what is stored later, in the same transaction. */
function afterUpdate(
  person: Participant,
  { values, expiresInDays: days }: UpdateEffect,
  said: Said,
  { asked }: Pick<Program, 'asked'>,
  now: number,
): Participant {
  if (!person.loaded || asked.length === 0) return person
  const filled = fillAttributes(values, said)
  // Nothing is stored then.
  if (Object.keys(filled).length === 0) return person
  const loaded = afterWriting(person.loaded, { values: filled, days }, asked, now)
  return { ...person, loaded, subject: withLoaded(person.subject, loaded, asked, now) }
}
