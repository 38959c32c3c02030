/** Who is behind the numbers of one part of the columns. */
import type { Context } from '../../../context.ts'
import { PARTS } from '../columns/make-rows.ts'
import { pageMembers, pageMoved } from './queries-people.ts'
import type { Source } from './queries-read.ts'

/** `only`: the members of this segment alone are asked about; `by`: the segments that people are told apart by, at most 30. */
export type Segments = { only?: string | undefined; by?: readonly string[] | undefined }

/**
 * The people of one part, a sixteenth of all: nine bytes for each number, whatever is asked and however many were merged, and only as far as
 * the question needs them. A number in here is one of the part divided by 16.
 */
export class PeopleOfPart {
  readonly #part: number
  readonly #segments: Segments
  /** One more than the number that counts instead; 0: this one counts. */
  #into: Uint32Array | undefined
  #isShared: Uint8Array | undefined
  #memberships: Uint32Array | undefined

  private constructor(part: number, segments: Segments) {
    this.#part = part
    this.#segments = segments
  }

  /** `last`: the highest number of all parts; who got a number since is not asked about. */
  static async read(
    ctx: Context,
    source: Source,
    { part, last, segments }: { part: number; last: number; segments: Segments },
  ): Promise<PeopleOfPart> {
    const people = new PeopleOfPart(part, segments)
    const length = Math.floor(last / PARTS) + 1
    for await (const page of pageMoved(ctx.db, source, part))
      for (const { no, into, isShared } of page) {
        people.#into ??= new Uint32Array(length)
        people.#into[Math.floor(no / PARTS)] = into + 1
        people.#isShared ??= new Uint8Array(length)
        people.#isShared[Math.floor(no / PARTS)] = isShared ? 1 : 0
      }
    const { only, by = [] } = segments
    const asked = [...by, ...(only === undefined ? [] : [only])]
    if (asked.length === 0) return people
    const memberships = (people.#memberships = new Uint32Array(length))
    for await (const page of pageMembers(ctx.db, source, { part, last, segments: asked }))
      for (const { no, segments: bits } of page) memberships[Math.floor(no / PARTS)] = bits
    return people
  }

  numberOf(local: number): number {
    const into = this.#into?.[local] ?? 0
    return into === 0 ? local * PARTS + this.#part : into - 1
  }

  /** Whether the person has numbers in other parts too. */
  isShared(local: number): boolean {
    return this.#isShared?.[local] === 1
  }

  isAsked(local: number): boolean {
    const { only, by = [] } = this.#segments
    if (only === undefined) return true
    const at = by.indexOf(only)
    return ((this.#memberships?.[local] ?? 0) & (1 << (at < 0 ? by.length : at))) !== 0
  }

  /** The groups of each of these people: bit `k` for the segment `k`, and the bit behind them for whoever is in none. Undefined where people are not told apart. */
  membershipsOf(locals: Uint32Array): Uint32Array | undefined {
    const { by } = this.#segments
    if (!by) return undefined
    const none = 1 << by.length
    return locals.map((local) => (this.#memberships?.[local] ?? 0) & (none - 1) || none)
  }
}
