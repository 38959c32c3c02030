import { cutText } from '../cut-text.ts'
import { isPlainObject, type JsonObject } from '../blocks/field.ts'

const BLACKOUT_MEMBERS = ['enabled', 'latitude', 'longitude', 'minutesBefore', 'minutesAfter']
const MOST_MINUTES = 60

/**
 * What is wrong with the holds of a window, undefined when nothing is; `at` is the path of the window for the caller. A
 * blackout that is off may lack the rest; what it has is checked all the same.
 */
export function faultOfWindow(window: { prayerBlackout?: unknown; quietHours?: unknown }, at = 'schedule'): string | undefined {
  const { prayerBlackout, quietHours } = window
  return (
    (prayerBlackout === undefined ? undefined : faultOfBlackout(prayerBlackout, `${at}.prayerBlackout`)) ??
    (quietHours === undefined ? undefined : faultOfQuietHours(quietHours, `${at}.quietHours`))
  )
}

/** G-71. */
function faultOfBlackout(value: unknown, at: string): string | undefined {
  if (!isPlainObject(value)) return `${at} must be an object {${BLACKOUT_MEMBERS.join(', ')}}`
  const unknown = unknownMember(value, BLACKOUT_MEMBERS, at)
  if (unknown) return unknown
  if (typeof value.enabled !== 'boolean') return `${at}.enabled must be true or false`
  const isNeeded = (name: string) => value.enabled === true || value[name] !== undefined
  for (const [name, bound] of [
    ['latitude', 90],
    ['longitude', 180],
  ] as const) {
    if (isNeeded(name) && !isWithin(value[name], -bound, bound)) return `${at}.${name} must be a number of degrees, -${bound} to ${bound}`
  }
  for (const name of ['minutesBefore', 'minutesAfter']) {
    const minutes = value[name]
    if (isNeeded(name) && !(isWithin(minutes, 0, MOST_MINUTES) && Number.isInteger(minutes)))
      return `${at}.${name} must be a whole number of minutes, 0 to ${MOST_MINUTES}`
  }
  return undefined
}

function faultOfQuietHours(value: unknown, at: string): string | undefined {
  if (!isPlainObject(value)) return `${at} must be an object {from, to}`
  const unknown = unknownMember(value, ['from', 'to'], at)
  if (unknown) return unknown
  for (const name of ['from', 'to']) if (!isTimeOfDay(value[name])) return `${at}.${name} must be a time such as 22:30`
  return value.from === value.to ? `${at}.from and ${at}.to must differ; quiet hours of a whole day would let nothing leave` : undefined
}

function unknownMember(value: JsonObject, known: readonly string[], at: string): string | undefined {
  const name = Object.keys(value).find((key) => !known.includes(key))
  return name === undefined ? undefined : `${at} has the unknown member ${JSON.stringify(cutText(name, 50))}; it takes ${known.join(', ')}`
}

function isWithin(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most
}

function isTimeOfDay(value: unknown): boolean {
  return typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)
}
