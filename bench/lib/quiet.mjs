/** Other programs on the machine spoil figures: a round waits for a quiet moment, while the run's patience lasts. */
import { readFileSync } from 'node:fs'
import { sleep } from './processes.mjs'

const LOOK_MS = 400
/** Less of the machine in use than this is quiet. */
const BUSY = 0.1

/** `seconds` is for all waiting of the run together. */
export function openPatience(seconds) {
  let leftMs = seconds * 1000
  return async () => {
    for (;;) {
      const before = readTicks()
      await sleep(LOOK_MS)
      const after = readTicks()
      const busy = 1 - (after.idle - before.idle) / (after.all - before.all)
      if (busy < BUSY || leftMs <= 0) return
      leftMs -= LOOK_MS
    }
  }
}

function readTicks() {
  const ticks = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0].split(/ +/).slice(1, 9).map(Number)
  return { all: ticks.reduce((sum, value) => sum + value), idle: ticks[3] + ticks[4] }
}

/**
 * Runs `measure` until there are as many rounds as wanted that `isFair` accepts, at most three times as often;
 * when that was not enough, all rounds count.
 */
export async function fairRounds(wanted, quiet, measure, isFair) {
  const [fair, all] = [[], []]
  while (fair.length < wanted && all.length < wanted * 3) {
    await quiet()
    const round = await measure(all.length)
    all.push(round)
    if (isFair(round)) fair.push(round)
  }
  const isEnough = fair.length === wanted
  return { rounds: isEnough ? fair : all, repeated: all.length - fair.length, isEnough }
}
