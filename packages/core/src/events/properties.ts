import type { JsonObject } from '../blocks/field.ts'
import { utf8Length } from '../json/utf8-length.ts'
import { LIMITS } from '../limits.ts'

/** A name may be of any letters, and has no control characters: it stands in lists and logs. */
// eslint-disable-next-line no-control-regex
const CONTROL = /[\0-\x1f\x7f-\x9f]/

/** G-96: whether an event may carry these. What is stored of every event, at the rate that an app key may send, needs a bound. */
export function arePropertiesWithin(properties: JsonObject): boolean {
  const names = Object.keys(properties)
  if (names.length > LIMITS.eventProperties) return false
  if (names.some((name) => name.length > LIMITS.eventPropertyNameLength || CONTROL.test(name))) return false
  const whole = JSON.stringify(properties)
  // No character has more than three bytes for each of its units.
  if (whole.length * 3 <= LIMITS.eventPropertyBytes) return true
  if (utf8Length(whole) > LIMITS.eventPropertiesBytes) return false
  return Object.values(properties).every((value) => utf8Length(JSON.stringify(value)) <= LIMITS.eventPropertyBytes)
}
