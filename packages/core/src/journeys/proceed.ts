/**
 * What a person's runs in one journey make of events and of time, in the order in which things happened. It is a function of
 * the events and of the moment up to which it leads, so that checks may come at any time and events in any groups.
 *
 * Of one event: first exits, then waits, then the goal, then who is taken in; an event does nothing to a run that it began.
 */
import {
  advanceTo,
  beginRun,
  type Effect,
  type Participant,
  type PassedStep,
  type Program,
  type Run,
  type UpdateEffect,
} from './advance.ts'
import { judgeEntry, type Refusal } from './entry.ts'
import { comparePositions, type Heard, type KeptEvent, type Position } from './hearing.ts'
import { isEventGoal, type Journey } from './journey.ts'
import { DAY_MS } from '../units.ts'

/** `event`: the one that began it; `lastEvent`: the last that moved it. Moments in milliseconds. */
export type ListeningRun = Run & {
  position: Position
  occasion: number
  key: string
  enteredAt: number
  convertedAt: number | null
  event: KeptEvent | null
  lastEvent: KeptEvent | null
}
/** What a message may name of events. */
export type EventsSaid = { event: KeptEvent | null; lastEvent: KeptEvent | null }
export type RunEffect = Effect & EventsSaid

/** What became of one run. `isNew`: an event began it. */
export type Proceeding = { run: ListeningRun; isNew: boolean; effects: RunEffect[]; why: (PassedStep & { at: number })[] }
/** What a step writes of a person. */
type RunUpdate = UpdateEffect & EventsSaid
/**
 * Those that changed, with those that began; how many were refused, by reason. `updates`: what they write of the person, in the order
 * in which they came to it; `person`: as they are then, for conditions.
 */
export type Proceeded = { runs: Proceeding[]; refused: Map<Refusal, number>; updates: RunUpdate[]; person: Participant }

/**
 * `now`: by what conditions are judged. `upTo`: up to when everything that happened is known. `activeSince`: events of before take
 * nobody in, and a pause is no wait.
 */
export type ProceedClock = { now: number; upTo: number; activeSince: number }
type Listening = Pick<Journey, 'steps' | 'entry' | 'goal'>

export function proceed(
  journey: Listening,
  program: Program,
  participant: Participant,
  { runs, events }: { runs: readonly ListeningRun[]; events: readonly Heard[] },
  { now, upTo, activeSince }: ProceedClock,
): Proceeded {
  const all: (Proceeding & { isChanged: boolean })[] = runs.map((run) => ({ run, isNew: false, isChanged: false, effects: [], why: [] }))
  const refused = new Map<Refusal, number>()
  const updates: RunUpdate[] = []
  let person = participant
  let nextOccasion = runs.reduce((most, { occasion }) => Math.max(most, occasion + 1), 0)

  const lead = (each: (typeof all)[number], stepsBy: number, waitsBy: number): void => {
    const { run } = each
    const said = { event: run.event, lastEvent: run.lastEvent }
    const moved = advanceTo(program, run, person, { now, stepsBy, waitsBy, floor: activeSince, said })
    if (moved.why.length === 0 && moved.run.status === run.status) return
    person = moved.person ?? person
    for (const effect of moved.effects) if (effect.type === 'update_profile') updates.push({ ...effect, ...said })
    each.effects.push(...moved.effects.map((effect) => ({ ...effect, ...said })))
    each.why.push(...moved.why.map((step) => ({ ...step, at: Math.max(run.position[0], activeSince) })))
    each.run = { ...run, ...moved.run, position: moved.run.position ?? run.position }
    each.isChanged = true
  }
  const change = (each: (typeof all)[number], changes: Partial<ListeningRun>): void => {
    each.run = { ...each.run, ...changes }
    each.isChanged = true
  }
  const end = (each: (typeof all)[number], reason: 'exit_event' | 'restarted', { position, event }: Heard): void => {
    const { step } = each.run
    if (step !== null) each.why.push({ step, did: 'exited', event: event.type, at: position[0] })
    change(each, { status: 'exited', reason, isWaiting: false, dueAt: null, position, lastEvent: event })
  }
  const fits = (run: ListeningRun, position: Position, key: string | null) =>
    comparePositions(position, run.position) > 0 && (key === null || key === run.key)

  const hear = (heard: Heard): void => {
    const { position, event, trigger, exit = [], waits = [], goal } = heard
    const at = position[0]
    for (const each of all) lead(each, at, at - 1)
    for (const each of all)
      if (each.run.status === 'active' && exit.some((key) => fits(each.run, position, key))) end(each, 'exit_event', heard)
    for (const each of all) {
      const { run } = each
      const found = program.instructions.get(run.step ?? '')
      if (run.status !== 'active' || !run.isWaiting || found?.type !== 'wait_for' || at > (run.dueAt ?? 0)) continue
      if (!waits.some(([step, key]) => step === run.step && fits(run, position, key))) continue
      each.why.push({ step: run.step ?? '', did: 'came', event: event.type, at })
      change(each, { step: found.then, isWaiting: false, dueAt: at, position, lastEvent: event })
    }
    if (goal && journey.goal && isEventGoal(journey.goal)) {
      const within = journey.goal.days * DAY_MS
      for (const each of all) {
        const { run } = each
        const isAfter = run.event ? at >= run.enteredAt : at > run.enteredAt
        if (run.convertedAt !== null || !isAfter || at - run.enteredAt > within || (goal.key !== null && goal.key !== run.key)) continue
        change(each, { convertedAt: at })
      }
    }
    if (trigger && at > activeSince) enter(heard, trigger.key)
  }
  const enter = ({ position, event }: Heard, key: string | null): void => {
    const at = position[0]
    const judged = judgeEntry(
      journey.entry,
      all.map((each) => ({ status: each.run.status, reason: each.run.reason, key: each.run.key, enteredAt: each.run.enteredAt, each })),
      key,
      at,
    )
    if (!judged.takes) return void refused.set(judged.reason, (refused.get(judged.reason) ?? 0) + 1)
    if (judged.restarts) end(judged.restarts.each, 'restarted', { position, event })
    const begun = { ...beginRun(journey.steps, at, position), position, occasion: nextOccasion++, key: key ?? '', enteredAt: at }
    all.push({ run: { ...begun, convertedAt: null, event, lastEvent: event }, isNew: true, isChanged: true, effects: [], why: [] })
  }

  for (const heard of events.toSorted((a, b) => comparePositions(a.position, b.position))) hear(heard)
  for (const each of all) lead(each, upTo, upTo)
  return { runs: all.filter(({ isChanged }) => isChanged), refused, updates, person }
}
