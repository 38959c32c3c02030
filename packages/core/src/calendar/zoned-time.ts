/** Clock times of a time zone and the moments they stand for. */
import { DAY_MS, MINUTE_MS } from '../units.ts'

const clocks = new Map<string, Intl.DateTimeFormat>()
const MOST_CLOCKS = 500

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone)
  if (known) return known
  const two = '2-digit'
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
    hourCycle: 'h23',
  })
  // Names of zones come from outside, in any case.
  if (clocks.size >= MOST_CLOCKS) clocks.clear()
  clocks.set(zone, made)
  return made
}

/** `2026-03-01 18:00:00`, as a clock in the zone shows it. */
export function toClock(at: string | number | Date, zone: string): string {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(new Date(at))
      .map(({ type, value }) => [type, value]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}:${part('second')}`
}

/**
 * The moment at which a clock in the zone shows `text`: the first where it shows it twice, and as far behind the gap as
 * it would stand in it where summer time leaves it out. Undefined for what is no time.
 */
export function momentOf(text: string, zone: string): Date | undefined {
  const { shown, candidates } = momentsOf(text, zone)
  const at = shown[0] ?? candidates.at(-1)
  return at === undefined ? undefined : new Date(at)
}

/**
 * The first and the last moment at which a clock in the zone goes from before `text` to `text` or past it, in milliseconds:
 * two where it shows it twice, and the end of the gap where summer time leaves it out.
 */
export function reachedAt(text: string, zone: string): { first: number; last: number } {
  const { shown, candidates } = momentsOf(text, zone)
  let at = shown[0] ?? candidates[0] ?? Number.NaN
  while (shown.length === 0 && toClock(at, zone) < text) at += MINUTE_MS
  return { first: at, last: shown.at(-1) ?? at }
}

/** When a clock in the zone next shows this full hour, or goes past it where summer time leaves it out; milliseconds. */
export function nextHour(hour: number, zone: string, now: number): number {
  const today = Date.parse(`${toClock(now, zone).slice(0, 10)}T00:00:00Z`)
  const on = (day: number) => reachedAt(`${new Date(day).toISOString().slice(0, 10)} ${String(hour).padStart(2, '0')}:00:00`, zone).first
  const at = on(today)
  return at > now ? at : on(today + DAY_MS)
}

/** By the offsets a day before and a day after, in order; `shown` are those at which a clock really shows the text. */
function momentsOf(text: string, zone: string): { candidates: number[]; shown: number[] } {
  const asUtc = Date.parse(`${text.replace(' ', 'T')}Z`)
  if (Number.isNaN(asUtc)) return { candidates: [], shown: [] }
  const candidates = [asUtc - DAY_MS, asUtc + DAY_MS].map((at) => asUtc - offsetOf(at, zone)).toSorted((a, b) => a - b)
  return { candidates, shown: candidates.filter((at) => at + offsetOf(at, zone) === asUtc) }
}

/** Milliseconds that clocks in the zone are ahead of UTC. */
export function offsetOf(at: number, zone: string): number {
  const whole = Math.floor(at / 1_000) * 1_000
  return Date.parse(`${toClock(whole, zone).replace(' ', 'T')}Z`) - whole
}
