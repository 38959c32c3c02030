import type { Context } from '../../context.ts'
import { countEvents } from './count-events.ts'

/** How long events wait to be counted; together with the counting well below the 5 s of G-66. */
const DELAY_MS = 1_000
/** After a failure. */
const RETRY_MS = 5_000

export type RollUps = {
  /** Something was stored. */
  wake(): void
  /** Resolves when nothing is being counted any more. What is left is counted after the next start. */
  stop(): Promise<void>
}

/** Counts events soon after they were stored, a second's worth at a time. */
export function openRollUps(ctx: Context): RollUps {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isWanted = false
  let isStopped = false

  const later = (delay: number): void => {
    if (timer || isStopped) return
    timer = setTimeout(() => {
      timer = undefined
      running = count().finally(() => {
        running = undefined
        if (isWanted) later(DELAY_MS)
      })
    }, delay)
    timer.unref()
  }
  const count = async (): Promise<void> => {
    isWanted = false
    try {
      await countEvents(ctx)
    } catch (error) {
      ctx.log.warn({ err: error }, 'events could not be counted; they will be')
      later(RETRY_MS)
    }
  }
  const rollUps: RollUps = {
    wake: () => {
      isWanted = true
      if (!running) later(DELAY_MS)
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
  // What the process before this one left.
  rollUps.wake()
  return rollUps
}
