/**
 * Bounded concurrency: of the work it is given only so much is under way at once, of all owners together and of each of them.
 * The rest waits, in one line for each owner, so a crowd of one owner holds up nobody else. Room that becomes free goes to the
 * owner who has the least under way; owners who have the same take turns.
 */
import { currentBodyBytes } from '../request-scope.ts'

export type FairLimiterOptions = {
  /** Pieces of work under way at once, of all owners together; without a bound when left out. */
  all?: number
  /** Of one owner; no fewer than of all when left out. */
  each?: number
  /** How long work may wait, milliseconds; as long as it takes when left out. */
  waitMs?: number
  /** Pieces of work of one owner that may wait; urgent ones are counted apart from the others. */
  mostWaiting?: number
  /** Bytes of the request bodies that may wait with the work of one owner. */
  mostWaitingBytes?: number
  /** Throws the refusal of work that would wait too long or behind too much. Needed with any of the three bounds above. */
  refuse?(): never
}

/** `isUrgent`: begins before work that is not, whoever owns that. `about`: of work about one name only one piece is under way at a time. */
type Kind = { isUrgent?: boolean; about?: readonly string[] }
type Waiting = { about: readonly string[]; begin(): void }
type Line = 'urgent' | 'others'
/** `urgent`, `others`: what waits, in the order it came. */
type Owner = Record<Line, Set<Waiting>> & {
  running: number
  /** Names that work is under way about. */
  busy: Set<string>
  /** Pieces of work about each name, under way or waiting. */
  pieces: Map<string, number>
  /** Of the bodies that wait. */
  bytes: number
}

const NOBODY: readonly string[] = []

export class FairLimiter {
  readonly #options: FairLimiterOptions
  #running = 0
  /** Those with work under way or waiting, in the order of their turns. */
  readonly #owners = new Map<string, Owner>()

  constructor(options: FairLimiterOptions) {
    this.#options = options
  }

  /** Whether nothing is under way. */
  get isIdle(): boolean {
    return this.#owners.size === 0
  }

  /** Runs `work` as soon as there is room for it. */
  async take<T>(name: string, work: () => Promise<T>, { isUrgent = false, about = NOBODY }: Kind = {}): Promise<T> {
    const owner = this.#owners.get(name) ?? newOwner()
    const isFree = this.#hasRoom(owner) && about.every((each) => !owner.pieces.has(each))
    const line = isUrgent ? 'urgent' : 'others'
    if (!isFree) this.#refuseCrowd(owner, line)
    this.#owners.set(name, owner)
    for (const each of about) owner.pieces.set(each, (owner.pieces.get(each) ?? 0) + 1)
    let isBegun = isFree
    try {
      if (isFree) this.#begin(owner, about)
      else await this.#wait(owner, line, about)
      isBegun = true
      return await work()
    } finally {
      if (isBegun) this.#end(owner, about)
      forgetPiece(owner, about)
      // Room is handed on at once, so that nobody comes in between.
      this.#beginNext(name, owner)
      if (owner.running === 0 && owner.urgent.size + owner.others.size === 0) this.#owners.delete(name)
    }
  }

  #hasRoom(owner: Owner): boolean {
    const { all = Infinity, each = Infinity } = this.#options
    return this.#running < all && owner.running < each
  }

  #refuseCrowd(owner: Owner, line: Line): void {
    const { mostWaiting = Infinity, mostWaitingBytes = Infinity, refuse } = this.#options
    if (owner[line].size >= mostWaiting || owner.bytes + currentBodyBytes() > mostWaitingBytes) refuse?.()
  }

  async #wait(owner: Owner, line: Line, about: readonly string[]): Promise<void> {
    const { waitMs, refuse } = this.#options
    const bytes = currentBodyBytes()
    owner.bytes += bytes
    const isBegun = await new Promise<boolean>((resolve) => {
      const leave = (isTurn: boolean) => {
        clearTimeout(timer)
        owner[line].delete(waiting)
        owner.bytes -= bytes
        resolve(isTurn)
      }
      const timer = waitMs === undefined ? undefined : setTimeout(() => leave(false), waitMs)
      const waiting = { about, begin: () => leave(true) }
      owner[line].add(waiting)
    })
    if (!isBegun) refuse?.()
  }

  #begin(owner: Owner, about: readonly string[]): void {
    this.#running++
    owner.running++
    for (const each of about) owner.busy.add(each)
  }

  #end(owner: Owner, about: readonly string[]): void {
    this.#running--
    owner.running--
    for (const each of about) owner.busy.delete(each)
  }

  /** Begins all that has room now that a piece of work of `owner` is over. */
  #beginNext(name: string, owner: Owner): void {
    // Without a bound of all together it made room for its own owner alone.
    const owners: Iterable<[string, Owner]> = this.#options.all === undefined ? [[name, owner]] : this.#owners
    for (let next = this.#next(owners); next; next = this.#next(owners)) {
      this.#owners.delete(next.name)
      this.#owners.set(next.name, next.owner)
      this.#begin(next.owner, next.waiting.about)
      next.waiting.begin()
    }
  }

  #next(owners: Iterable<[string, Owner]>): { name: string; owner: Owner; waiting: Waiting } | undefined {
    for (const line of ['urgent', 'others'] as const) {
      let best: { name: string; owner: Owner; waiting: Waiting } | undefined
      for (const [name, owner] of owners) {
        if (owner[line].size === 0 || !this.#hasRoom(owner) || (best && owner.running >= best.owner.running)) continue
        const waiting = findFree(owner, line)
        if (waiting) best = { name, owner, waiting }
      }
      if (best) return best
    }
    return undefined
  }
}

function newOwner(): Owner {
  return { running: 0, busy: new Set(), pieces: new Map(), bytes: 0, urgent: new Set(), others: new Set() }
}

function forgetPiece({ pieces }: Owner, about: readonly string[]): void {
  for (const each of about) {
    const left = (pieces.get(each) ?? 0) - 1
    if (left > 0) pieces.set(each, left)
    else pieces.delete(each)
  }
}

/** The first in line about whose names nothing is under way, and nothing waits before it. */
function findFree(owner: Owner, line: Line): Waiting | undefined {
  const claimed = new Set<string>()
  for (const waiting of owner[line]) {
    if (waiting.about.every((each) => !owner.busy.has(each) && !claimed.has(each))) return waiting
    for (const each of waiting.about) claimed.add(each)
  }
  return undefined
}

/** The limiter of work without owners: it begins in the order it came and waits as long as it takes, so only a bounded part of it may come. */
export class Semaphore {
  readonly #limiter: FairLimiter
  constructor(atOnce: number) {
    this.#limiter = new FairLimiter({ all: atOnce })
  }

  /** Runs `work` as soon as there is room for it. */
  take<T>(work: () => Promise<T>): Promise<T> {
    return this.#limiter.take('', work)
  }
}
