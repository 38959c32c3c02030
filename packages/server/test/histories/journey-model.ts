/** Journeys as the documents tell them, in memory: the pure loop of `advance`, and what takes people in. */
import { datesComing } from '@contentflow/core/journeys/dates.ts'
import { advance, beginRun, compileJourney, type Program, type Run } from '@contentflow/core/journeys/advance.ts'
import type { Step, Trigger } from '@contentflow/core/journeys/journey.ts'
import { NOBODY } from '@contentflow/core/targeting/subject.ts'
import { hash32 } from '../../src/infra/secrets/crypto.ts'
import { prayersAround } from '../../src/modules/calendar/index.ts'

/** Of a journey: who is in it, what was sent, and how many came to each step. */
export type Told = {
  runs: Record<string, readonly [step: string | null, waiting: boolean, status: string, reason: string | null, dueAt: number | null]>
  sent: string[]
  entered: Record<string, number>
}

export type ModelTrigger = Extract<Trigger, { type: 'event' | 'inactivity' | 'date' | 'manual' }>

const DAY = 86_400_000

/** Of users: the trait `plan`, the day that comes back, and the last sign of life. */
export type Known = { plans: ReadonlyMap<string, string>; birthdays: ReadonlyMap<string, string>; signs: ReadonlyMap<string, number> }

export class JourneyModel {
  readonly #id: string
  /** Of a user. */
  readonly #profileOf: (user: string) => string
  readonly #trigger: ModelTrigger
  #steps: readonly Step[]
  #program: Program
  #isActive = true
  /** Of who is in it, or was, by user. */
  readonly #runs = new Map<string, Run & { occasion: number }>()
  #activeSince: number
  /** Up to when its trigger was read. */
  #readUntil: number
  /** Who did what takes people in since the check before. */
  readonly #happened = new Set<string>()
  /** What was sent, once for each occasion. */
  readonly #sent = new Set<string>()
  readonly #entered = new Map<string, number>()

  constructor(
    id: string,
    { steps, trigger, now, profileOf }: { steps: readonly Step[]; trigger: ModelTrigger; now: number; profileOf: (user: string) => string },
  ) {
    this.#id = id
    this.#trigger = trigger
    this.#activeSince = this.#readUntil = now
    this.#profileOf = profileOf
    this.#steps = steps
    this.#program = compile(id, steps)
  }

  get isActive() {
    return this.#isActive
  }

  edit(steps: readonly Step[]): void {
    this.#steps = steps
    this.#program = compile(this.#id, steps)
  }

  setActive(isActive: boolean, now: number): void {
    this.#isActive = isActive
    this.#activeSince = this.#readUntil = now
    this.#happened.clear()
  }

  happen(user: string, event: string): void {
    if (this.#isActive && this.#trigger.type === 'event' && event === this.#trigger.eventType) this.#happened.add(user)
  }

  enter(user: string, now: number): void {
    if (!this.#runs.has(user)) this.#runs.set(user, { ...beginRun(this.#steps, now), occasion: 0 })
  }

  check({ plans, birthdays, signs }: Known, now: number): void {
    if (!this.#isActive) return
    this.#enterByDate(birthdays, now)
    this.#enterSilent(signs, now)
    for (const user of this.#happened) this.enter(user, now)
    this.#happened.clear()
    for (const [user, before] of this.#runs) {
      const subject = { ...NOBODY, traits: { plan: plans.get(user) ?? '' } }
      const { run, effects, why } = advance(this.#program, before, { id: this.#profileOf(user), subject }, now, now + 1)
      this.#runs.set(user, { ...run, occasion: before.occasion })
      for (const effect of effects) this.#sent.add(`${before.occasion} ${effect.stepId} ${effect.type} ${user}`)
      for (const { step, did } of why) if (did !== 'waited') this.#entered.set(step, (this.#entered.get(step) ?? 0) + 1)
    }
  }

  /** Who is through with it enters again, once for each year. */
  #enterByDate(birthdays: ReadonlyMap<string, string>, now: number): void {
    if (this.#trigger.type === 'date')
      for (const { year, monthDays } of datesComing(this.#trigger, 'Asia/Riyadh', this.#readUntil, now))
        for (const [user, birthday] of birthdays) {
          const run = this.#runs.get(user)
          const isFree = !run || (run.status !== 'active' && run.occasion < year)
          if (isFree && monthDays.includes(birthday.slice(5))) this.#runs.set(user, { ...beginRun(this.#steps, now), occasion: year })
        }
    this.#readUntil = now
  }

  /** Whose silence became long enough since it was activated. */
  #enterSilent(signs: ReadonlyMap<string, number>, now: number): void {
    if (this.#trigger.type !== 'inactivity') return
    for (const [user, last] of signs) {
      const isSilentAt = last + this.#trigger.days * DAY
      if (isSilentAt > this.#activeSince && isSilentAt <= now) this.enter(user, now)
    }
  }

  told(): Told {
    const runs = [...this.#runs].map(
      ([user, { step, isWaiting, status, reason, dueAt }]) => [user, [step, isWaiting, status, reason, dueAt]] as const,
    )
    return {
      runs: Object.fromEntries(runs.toSorted(([a], [b]) => (a < b ? -1 : 1))),
      sent: [...this.#sent].map((line) => line.slice(line.indexOf(' ') + 1)).toSorted(),
      entered: Object.fromEntries(this.#entered),
    }
  }
}

function compile(journeyId: string, steps: readonly Step[]): Program {
  return compileJourney(steps, {
    journeyId,
    compileRegex: () => undefined,
    hash32,
    prayersAround: (at, place, prayer) => prayersAround(at, place, [prayer]),
  })
}
