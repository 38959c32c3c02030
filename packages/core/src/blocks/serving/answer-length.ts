import { LIMITS } from '../../limits.ts'

/** A published instance, as what everybody is answered has it. */
export type ShownBlock = {
  id: string
  /** At least so many characters. */
  length: number
  /** The instances that its collections name, in their order. */
  children: readonly string[]
  /** Whether everybody gets it, whoever they are and whenever: it has no segment, schedule or variant. */
  isForAll: boolean
}

/**
 * Whether the answer to an installation that nobody knows is longer than an answer may be (decision 32), and so is every other one.
 * Counts as an answer is made: a child counts wherever it is inlined, and what a collection names counts with its id.
 */
export function isTooLongForAll(shown: readonly ShownBlock[]): boolean {
  const byId = new Map(shown.map((instance) => [instance.id, instance]))
  let room: number = LIMITS.answerLength
  const take = (instance: ShownBlock, path: readonly ShownBlock[], budget: { left: number }): void => {
    room -= instance.length
    for (const id of instance.children) {
      room -= id.length
      if (room < 0 || path.length >= LIMITS.collectionDepth || budget.left <= 0) return
      const child = byId.get(id)
      if (!child?.isForAll || child === instance || path.includes(child)) continue
      budget.left--
      take(child, [...path, instance], budget)
    }
  }
  for (const instance of shown) {
    if (instance.isForAll) take(instance, [], { left: LIMITS.inlinedBlocks })
    if (room < 0) return true
  }
  return false
}
