/** Pauses of the product for the collection of garbage, by its metrics. */
import { ms } from './stats.mjs'

const SERIES = /^contentflow_gc_duration_seconds_(bucket|sum)\{([^}]*)\} (\S+)$/gm
const BOUND = /le="([^"]+)"/

/** Resolves to what answers the pauses since: how many, the sum of them, and a bound of the longest, milliseconds. */
export async function watchPauses(url) {
  const before = await readPauses(url)
  return async () => {
    const after = await readPauses(url)
    const longer = [...after.upTo].map(([bound, count]) => [bound, count - (before.upTo.get(bound) ?? 0)])
    const count = Math.max(0, ...longer.map(([, upTo]) => upTo))
    const longestMs = count === 0 ? 0 : Math.min(...longer.filter(([, upTo]) => upTo === count).map(([bound]) => bound * 1_000))
    return { count, sumMs: after.sumMs - before.sumMs, longestMs }
  }
}

/** `upTo`: how many of all kinds took at most so many seconds. */
async function readPauses(url) {
  const found = { upTo: new Map(), sumMs: 0 }
  for (const [, part, labels, value] of (await (await fetch(`${url}/metrics`)).text()).matchAll(SERIES)) {
    if (part === 'sum') found.sumMs += Number(value) * 1_000
    else {
      const bound = Number(BOUND.exec(labels)[1].replace('+Inf', 'Infinity'))
      found.upTo.set(bound, (found.upTo.get(bound) ?? 0) + Number(value))
    }
  }
  return found
}

/** What to say of the pauses of several rounds. */
export function describePauses(rounds) {
  const count = rounds.reduce((sum, round) => sum + round.count, 0)
  const sumMs = rounds.reduce((sum, round) => sum + round.sumMs, 0)
  const longest = Math.max(...rounds.map(({ longestMs }) => longestMs))
  return `While publishes came the product paused ${count} times to collect garbage, ${ms(sumMs)} in all, ${ms(longest)} at most at a time.`
}
