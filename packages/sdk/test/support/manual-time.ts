/** A clock and timers that only move when a test says so. */
import type { Schedule } from '../../src/types.ts'

export type ManualTime = {
  now(): number
  schedule: Schedule
  /** Runs, in order, what becomes due within the time that passes. */
  advance(milliseconds: number): void
  /** Milliseconds until each timer that waits, shortest first. */
  waits(): number[]
}

export function manualTime(start = Date.UTC(2026, 2, 1, 12)): ManualTime {
  let now = start
  const timers = new Set<{ at: number; run: () => void }>()
  const next = () => [...timers].sort((a, b) => a.at - b.at)[0]
  return {
    now: () => now,
    schedule: (run, milliseconds) => {
      const timer = { at: now + milliseconds, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    advance: (milliseconds) => {
      const end = now + milliseconds
      for (let timer = next(); timer && timer.at <= end; timer = next()) {
        now = Math.max(now, timer.at)
        timers.delete(timer)
        timer.run()
      }
      now = end
    },
    waits: () => [...timers].map(({ at }) => at - now).sort((a, b) => a - b),
  }
}
