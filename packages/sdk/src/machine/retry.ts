/** C-ERR-27: when a failed request may be repeated. All durations are milliseconds. */

const SECOND = 1_000
/** Waits grow from 1 to 2 seconds up to at most 5 minutes. */
const CEILING = 300_000
/** `Retry-After` asks for at most an hour. */
const LONGEST_RETRY_AFTER = 3_600_000

/** `Retry-After` as seconds or as an HTTP date; undefined when it is missing or neither. */
export function parseRetryAfter(text: string | null, now: number): number | undefined {
  if (text === null) return undefined
  const wait = /^\s*\d+\s*$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), LONGEST_RETRY_AFTER)
}

/** The wait after failure number `attempt`, from 0 on. `random` spreads clients that failed together; `retryAfter` is the least. */
export function retryDelay(attempt: number, random: number, retryAfter = 0): number {
  const half = Math.min(SECOND * 2 ** attempt, CEILING / 2)
  return Math.max(half, retryAfter) + Math.floor(random * half)
}
