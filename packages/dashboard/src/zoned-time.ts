/** Clock times of a time zone and the moments they stand for. */

const clocks = new Map<string, Intl.DateTimeFormat>()

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

const DAY_MS = 86_400_000

/**
 * The moment at which a clock in the zone shows `text`: the first where it shows it twice, and as far behind the gap as
 * it would stand in it where summer time leaves it out. Undefined for what is no time.
 */
export function momentOf(text: string, zone: string): Date | undefined {
  const asUtc = Date.parse(`${text.replace(' ', 'T')}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const offsets = [asUtc - DAY_MS, asUtc + DAY_MS].map((at) => offsetOf(at, zone))
  const candidates = offsets.map((offset) => asUtc - offset).toSorted((a, b) => a - b)
  const shown = candidates.find((at) => at + offsetOf(at, zone) === asUtc)
  return new Date(shown ?? asUtc - (offsets[0] ?? 0))
}

/** Milliseconds that clocks in the zone are ahead of UTC. */
export function offsetOf(at: number, zone: string): number {
  const whole = Math.floor(at / 1_000) * 1_000
  return Date.parse(`${toClock(whole, zone).replace(' ', 'T')}Z`) - whole
}
