import type { Clock } from '../clock.ts'
import { GenerationalCache } from './generational-cache.ts'

/**
 * Answers that cost much and may be a little old: within `keptMs` the same question gets the answer of the first, which
 * is asked once however many wait for it. A failure is not kept, nor an answer that is not worth it.
 */
export function ttlCache<T>(
  clock: Clock,
  { keptMs, held, isWorthIt = () => true }: { keptMs: number; held: number; isWorthIt?: (answer: T) => boolean },
): (question: string, ask: () => Promise<T>) => Promise<T> {
  const known = new GenerationalCache<string, { answer: Promise<T>; until: number }>(held)
  return (question, ask) => {
    const before = known.get(question)
    if (before && clock.ms() < before.until) return before.answer
    const asked = { answer: ask(), until: clock.ms() + keptMs }
    known.set(question, asked)
    const forget = () => void (known.get(question) === asked && known.delete(question))
    asked.answer.then((answer) => isWorthIt(answer) || forget(), forget)
    return asked.answer
  }
}
