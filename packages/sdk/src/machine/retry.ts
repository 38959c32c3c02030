/** C-ERR-27: when a failed request may be repeated. All durations are milliseconds. */
import { LONGEST_RETRY_AFTER_MS, RETRY_FIRST_MS, RETRY_MOST_MS } from '../limits.ts'

/** `Retry-After` as seconds or as an HTTP date; undefined when it is missing or neither. */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  const wait = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST_RETRY_AFTER_MS)
}

/** The wait after failure number `attempt`, from 0 on. `random` spreads clients that failed together; `retryAfter` is the least. */
export function retryDelay(attempt: number, random: number, retryAfter = 0): number {
  const half = Math.min(RETRY_FIRST_MS * 2 ** attempt, RETRY_MOST_MS / 2)
  return Math.max(half, retryAfter) + Math.floor(random * half)
}
