import assert from 'node:assert/strict'

/** Microseconds. A shorter turn only waits for the next one. */
const IDLE = 200

/**
 * Fails when one turn of the loop took more than `most` of the processor time of this thread while this was worked on. What is
 * done at one go takes nearly all of it.
 */
export async function assertInTurns(work: () => Promise<unknown>, most = 1 / 4): Promise<void> {
  let [longest, total, last] = [0, 0, process.threadCpuUsage()]
  let isOver = false
  const turn = () => {
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    const spent = user + system
    longest = Math.max(longest, spent)
    if (spent > IDLE) total += spent
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  try {
    await work()
  } finally {
    isOver = true
  }
  assert.ok(longest < total * most, `one turn took ${longest} of ${total} microseconds`)
}
