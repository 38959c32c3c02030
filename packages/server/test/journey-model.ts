/** Journeys as the documents tell them, in memory: the pure loop of `advance`, and what takes people in. */
import { advance, beginRun, compileJourney, type Program, type Run } from '@contentflow/core/journeys/advance.ts'
import type { Step } from '@contentflow/core/journeys/journey.ts'
import { NOBODY } from '@contentflow/core/targeting/subject.ts'
import { hash32 } from '../src/infra/crypto.ts'

/** Of a journey: who is in it, what was sent, and how many came to each step. */
export type Told = {
  runs: Record<string, readonly [step: string | null, waiting: boolean, status: string, reason: string | null, dueAt: number | null]>
  sent: string[]
  entered: Record<string, number>
}

export class JourneyModel {
  readonly #id: string
  /** Of a user. */
  readonly #profileOf: (user: string) => string
  readonly #event: string | undefined
  #steps: readonly Step[]
  #program: Program
  #isActive = true
  /** Of who is in it, or was, by user. */
  readonly #runs = new Map<string, Run>()
  /** Who did what takes people in since the check before. */
  readonly #happened = new Set<string>()
  readonly #sent = new Set<string>()
  readonly #entered = new Map<string, number>()

  constructor(
    id: string,
    { steps, event, profileOf }: { steps: readonly Step[]; event: string | undefined; profileOf: (user: string) => string },
  ) {
    this.#id = id
    this.#event = event
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

  setActive(isActive: boolean): void {
    this.#isActive = isActive
    this.#happened.clear()
  }

  happen(user: string, event: string): void {
    if (this.#isActive && event === this.#event) this.#happened.add(user)
  }

  enter(user: string, now: number): void {
    if (!this.#runs.has(user)) this.#runs.set(user, beginRun(this.#steps, now))
  }

  check(plans: ReadonlyMap<string, string>, now: number): void {
    if (!this.#isActive) return
    for (const user of this.#happened) this.enter(user, now)
    this.#happened.clear()
    for (const [user, before] of this.#runs) {
      const subject = { ...NOBODY, traits: { plan: plans.get(user) ?? '' } }
      const { run, effects, why } = advance(this.#program, before, { id: this.#profileOf(user), subject }, now, now + 1)
      this.#runs.set(user, run)
      for (const effect of effects) this.#sent.add(`${effect.stepId} ${effect.type} ${user}`)
      for (const { step, did } of why) if (did !== 'waited') this.#entered.set(step, (this.#entered.get(step) ?? 0) + 1)
    }
  }

  told(): Told {
    const runs = [...this.#runs].map(
      ([user, { step, isWaiting, status, reason, dueAt }]) => [user, [step, isWaiting, status, reason, dueAt]] as const,
    )
    return {
      runs: Object.fromEntries(runs.toSorted(([a], [b]) => (a < b ? -1 : 1))),
      sent: [...this.#sent].toSorted(),
      entered: Object.fromEntries(this.#entered),
    }
  }
}

function compile(journeyId: string, steps: readonly Step[]): Program {
  return compileJourney(steps, { journeyId, compileRegex: () => undefined, hash32 })
}
