/** How far people come along steps. */
import { KEYS_PER_MS } from './columns.ts'
import { groupsOfPerson, type Timelines } from './timelines.ts'

export type FunnelOrder = 'in_order' | 'any_order'
/** Bit `k` of an event's mark: it is a step `k`. `windowMs`: from the first step of a chain to its last. */
export type FunnelRule = { steps: number; windowMs: number; order: FunnelOrder }

/** How far one person came: the number of steps, when each was taken (keys), and the group of the first. */
export type Progress = { depth: number; times: readonly number[]; group: number }

const STEP = 256

/** Of every person; those who took no step are left out. `groups`: those of the person, or the one of the first step. */
export function* walkFunnel(
  timelines: Timelines,
  rule: FunnelRule,
  note: (person: number, progress: Progress, groups: readonly number[]) => void,
): Generator<undefined, void> {
  const follow = rule.order === 'in_order' ? inOrder : inAnyOrder
  for (let index = 0; index < timelines.people.length; index++) {
    const progress = follow(timelines, timelines.starts[index]!, timelines.starts[index + 1]!, rule)
    const { memberships } = timelines
    const groups = memberships ? groupsOfPerson(memberships, index) : [progress.group]
    if (progress.depth > 0) note(timelines.people[index]!, progress, groups)
    if (index % STEP === 0) yield
  }
}

const isWithin = (from: number, at: number, windowMs: number): boolean =>
  Math.floor(at / KEYS_PER_MS) - Math.floor(from / KEYS_PER_MS) <= windowMs

type Chain = { times: number[]; group: number }

/**
 * The longest chain of steps in their order whose last lies within the window from its first; other events in between do not matter.
 * Of each length the chain that began latest is kept. Later steps are tried first, so one event is one step of a chain.
 */
function inOrder({ at, marks, groups }: Timelines, from: number, to: number, { steps, windowMs }: FunnelRule): Progress {
  const chains: (Chain | undefined)[] = Array.from({ length: steps })
  let best: Chain = { times: [], group: 0 }
  for (let row = from; row < to; row++) {
    const [time, mark] = [at[row]!, marks[row]!]
    for (let step = steps - 1; step >= 0; step--) {
      if ((mark & (1 << step)) === 0) continue
      const before = step === 0 ? { times: [], group: groups?.[row] ?? 0 } : chains[step - 1]
      if (!before || (step > 0 && !isWithin(before.times[0]!, time, windowMs))) continue
      const known = chains[step]
      if (known && step > 0 && known.times[0]! >= before.times[0]!) continue
      const chain = { times: [...before.times, time], group: before.group }
      chains[step] = chain
      if (chain.times.length > best.times.length) best = chain
    }
  }
  return { depth: best.times.length, times: best.times, group: best.group }
}

/** The most different steps within one window, whatever their order. */
function inAnyOrder({ at, marks, groups }: Timelines, from: number, to: number, { steps, windowMs }: FunnelRule): Progress {
  let best: Progress = { depth: 0, times: [], group: 0 }
  for (let first = from; first < to && best.depth < steps; first++) {
    let seen = 0
    const times: number[] = []
    for (let row = first; row < to && isWithin(at[first]!, at[row]!, windowMs) && times.length < steps; row++) {
      // An event is one step: the first of those that it may be and that is missing.
      const fresh = marks[row]! & ~seen
      if (fresh === 0) continue
      seen |= fresh & -fresh
      times.push(at[row]!)
    }
    if (times.length > best.depth) best = { depth: times.length, times, group: groups?.[first] ?? 0 }
  }
  return best
}

/** What is said of all people together: a number for each step that somebody took is kept until the end, for the median. */
export class FunnelSums {
  /** People who came to each step. */
  readonly people: number[]
  readonly #gaps: number[][]

  constructor(steps: number) {
    this.people = Array.from({ length: steps }, () => 0)
    this.#gaps = Array.from({ length: steps }, () => [])
  }

  add({ depth, times }: Progress): void {
    for (let step = 0; step < depth; step++) {
      this.people[step]!++
      if (step > 0) this.#gaps[step]!.push((times[step]! - times[step - 1]!) / KEYS_PER_MS)
    }
  }

  /** Milliseconds from the step before, of those who came so far; undefined for the first step and where nobody did. */
  medianMs(step: number): number | undefined {
    const gaps = Float64Array.from(this.#gaps[step] ?? []).sort()
    if (gaps.length === 0) return undefined
    const middle = gaps.length / 2
    return Math.round(gaps.length % 2 === 0 ? (gaps[middle - 1]! + gaps[middle]!) / 2 : gaps[Math.floor(middle)]!)
  }
}
