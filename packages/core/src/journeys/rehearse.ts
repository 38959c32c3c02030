/**
 * A journey tried out on people as they are now: the engine's own `advance`, called as often as the engine would call it,
 * with a clock that jumps from one check to the next. Nothing is stored and nothing leaves.
 */
import type { JsonObject } from '../blocks/field.ts'
import { advance, beginRun, type Effect, type PassedStep, type Program, type Run, type Participant } from './advance.ts'
import { afterHappenings, goalReachedAt, type Happening } from './happenings.ts'
import { keepEvent, keyOf, type Heard, type Hearing, type Position, type TypedEvent } from './hearing.ts'
import { listSteps, type Goal, type Journey, type Step, type StepType } from './journey.ts'
import { fillAttributes, fillValues, SKIPS } from './step-values.ts'
import { proceed, type EventsSaid, type ListeningRun } from './proceed.ts'
import { withLoaded } from './written.ts'
import { DAY_MS, MINUTE_MS } from '../units.ts'

/** `barOf`: why a message would not reach them; undefined: it would. */
export type Rehearsing = Participant & { name: string; barOf: (effect: Effect & Partial<EventsSaid>) => string | undefined }
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
/** `minute`: since they entered. `values`: what an endpoint would be told besides, or the attributes that the person would have. */
export type RehearsedMoment = {
  minute: number
  step: string
  did: PassedStep['did'] | 'skipped'
  reason?: string
  event?: string
  values?: JsonObject
}
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
  /** Of a journey that listens to events. */
  listening?: ListeningRehearsal | undefined
}

/** `begin`: what the event said that begins the run of everybody. */
export type ListeningRehearsal = { journey: Journey; hearing: Hearing; begin: TypedEvent }

/** Everybody enters at `start` (milliseconds), a check comes every minute, and it ends after so many days. Pauses between people. */
export function* rehearse(
  people: readonly Rehearsing[],
  { steps, program, goal, start, days, samples, happenings, listening }: Options,
): Generator<undefined, Rehearsal> {
  const end = start + days * DAY_MS
  const tallies = new Map(listSteps(steps).map(({ id, type }): [string, StepTally] => [id, tallyOf(id, type)]))
  const statuses = new Map<Run['status'], number>()
  const timelines: Timeline[] = []
  let reached = Infinity
  for (const [index, person] of people.entries()) {
    const one = { steps, program, start, end, happenings }
    const { run, moments } = listening ? rehearseListening(person, one, listening) : rehearseOne(person, one)
    if (listening && 'convertedAt' in run && typeof run.convertedAt === 'number') reached = Math.min(reached, run.convertedAt)
    for (const moment of moments) count(tallies.get(moment.step), moment)
    statuses.set(run.status, (statuses.get(run.status) ?? 0) + 1)
    if (run.isWaiting && run.step !== null) tallies.get(run.step)!.waiting++
    if (index < samples) timelines.push({ name: person.name, status: run.status, step: run.step, moments })
    yield
  }
  const reachedAt = goalReachedAt(goal, happenings, start) ?? reached
  const goalMinute = reachedAt <= end ? Math.floor((reachedAt - start) / MINUTE_MS) : null
  return { steps: [...tallies.values()], statuses, timelines, goalMinute }
}

type One = Pick<Options, 'steps' | 'program' | 'start' | 'happenings'> & { end: number }

/** At a later moment: with what they did until then, and the attributes that hold then of those that were written. */
function personAt(person: Participant, { program, happenings }: Pick<Options, 'program' | 'happenings'>, now: number): Participant {
  const subject = afterHappenings(person.subject, happenings, now)
  return { ...person, subject: person.loaded ? withLoaded(subject, person.loaded, program.asked, now) : subject }
}

function rehearseOne({ barOf, ...person }: Rehearsing, one: One): { run: Run; moments: RehearsedMoment[] } {
  const { steps, program, start, end } = one
  const moments: RehearsedMoment[] = []
  let run = beginRun(steps, start)
  let { loaded } = person
  while (run.dueAt !== null) {
    // The first check from then on.
    const now: number = start + Math.ceil((run.dueAt - start) / MINUTE_MS) * MINUTE_MS
    if (now > end) break
    const { effects, why, ...after } = advance(program, run, personAt({ ...person, loaded }, one, now), now, now + 1)
    const byStep = new Map(effects.map((effect) => [effect.stepId, effect]))
    for (const { step, did } of why) {
      moments.push({ minute: (now - start) / MINUTE_MS, step, ...outcomeOf(did, byStep.get(step), barOf) })
    }
    run = after.run
    loaded = after.person?.loaded ?? loaded
  }
  return { run, moments }
}

/** By what happens and when waits end; the engine comes to the same, whenever it looks. Nobody else is taken in meanwhile. */
function rehearseListening(
  { barOf, ...person }: Rehearsing,
  one: One,
  { journey, hearing, begin }: ListeningRehearsal,
): { run: ListeningRun; moments: RehearsedMoment[] } {
  const { program, start, end, happenings } = one
  const triggerKey = journey.trigger.type === 'custom_event' ? journey.trigger.key : undefined
  const key = triggerKey === undefined ? '' : (keyOf(begin, triggerKey) ?? '')
  const kept = keepEvent(journey, begin)
  const position: Position = [start, 0, 0]
  let run: ListeningRun = {
    ...beginRun(journey.steps, start, position),
    position,
    occasion: 0,
    key,
    enteredAt: start,
    convertedAt: null,
    event: kept,
    lastEvent: kept,
  }
  const heard = happenings.flatMap((happening, place): Heard[] => {
    if (happening.event === undefined) return []
    const found = hearing.hear(eventOf(happening.event, happening.properties, happening.at, place))
    if (!found) return []
    const { trigger: _, ...others } = found
    return [others]
  })
  const moments: RehearsedMoment[] = []
  let { loaded } = person
  for (let now = start; now <= end;) {
    const events = heard.filter(({ position: [at] }) => at === now)
    const clock = { now, upTo: now, activeSince: start }
    const { runs, person: after } = proceed(journey, program, personAt({ ...person, loaded }, one, now), { runs: [run], events }, clock)
    loaded = after.loaded
    for (const { run: next, effects, why } of runs) {
      run = next
      const byStep = new Map(effects.map((effect) => [effect.stepId, effect]))
      for (const { step, did, event, at } of why) {
        const what = outcomeOf(did, byStep.get(step), barOf)
        moments.push({ minute: Math.floor((at - start) / MINUTE_MS), step, ...what, ...(event !== undefined && { event }) })
      }
    }
    const due = run.dueAt !== null && run.dueAt > now ? run.dueAt : Infinity
    now = heard.reduce((next, { position: [at] }) => (at > now ? Math.min(next, at) : next), due)
  }
  return { run, moments }
}

type Outcome = Pick<RehearsedMoment, 'did' | 'reason' | 'values'>

/** What a step came to, with what it would tell or write. */
function outcomeOf(did: PassedStep['did'], effect: (Effect & Partial<EventsSaid>) | undefined, barOf: Rehearsing['barOf']): Outcome {
  const reason = effect && barOf(effect)
  if (reason !== undefined) return { did: 'skipped', reason }
  if (effect?.type === 'webhook') return { did, values: fillValues(effect.values, effect) }
  if (effect?.type !== 'update_profile') return { did }
  const values = fillAttributes(effect.values, effect)
  return Object.keys(values).length === 0 ? { did: 'skipped', reason: SKIPS.update_profile } : { did, values }
}

/** An event that only says its type and properties. */
export function eventOf(type: string, properties: JsonObject, at: number, place = 0): TypedEvent {
  const nothing = { value: null, currency: null, blockKey: null, instanceId: null, campaignId: null, screen: null }
  return { ...nothing, fenceId: null, platform: null, sessionId: null, type, properties, at, batch: 1, place }
}

function tallyOf(step: string, type: StepType): StepTally {
  return { step, type, came: 0, waiting: 0, sent: 0, skipped: new Map(), then: 0, else: 0 }
}

function count(tally: StepTally | undefined, { did, reason, event }: RehearsedMoment): void {
  // A person who has waited was counted when the wait began.
  if (!tally || did === 'waited') return
  if (did === 'came') tally.then++
  else if (did === 'timed_out') tally.else++
  else if (event === undefined) tally.came++
  if (did === 'sent' || did === 'then' || did === 'else') tally[did]++
  else if (did === 'updated') tally.sent++
  if (reason !== undefined) tally.skipped.set(reason, (tally.skipped.get(reason) ?? 0) + 1)
}
