import { LIMITS } from '../limits.ts'

/** A mailbox with one @ and a dotted domain. Anything stricter refuses addresses that exist. */
export function isEmail(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LIMITS.contactTextLength && /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)+$/.test(value)
}
