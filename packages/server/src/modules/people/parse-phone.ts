import type { CountryCode } from 'libphonenumber-js/min'
import { lazyPackage } from '../../infra/lazy-package.ts'

const phoneNumbers = lazyPackage((require) => require('libphonenumber-js/min') as typeof import('libphonenumber-js/min'))

/** Characters that people write between digits, and the invisible direction marks that come along when Arabic text is copied. */
const SEPARATORS = /[\s()./\u2010-\u2015\u200e\u200f\u202a-\u202e\u2066-\u2069-]/g
/** Digits as Arabic and Persian write them. */
const EASTERN_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/g

/**
 * G-44: a number in international form; `05…` is Saudi, anything else is read by the country. Only the form is
 * judged: numbers are given out faster than tables change.
 */
export function parsePhone(text: string, country: string | undefined): string | undefined {
  const written = text
    .replaceAll(SEPARATORS, '')
    .replaceAll(EASTERN_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf))
    .replace(/^00/, '+')
  if (!/^\+?\d{4,17}$/.test(written)) return undefined
  if (/^05\d{8}$/.test(written)) return `+966${written.slice(1)}`
  const parsed = phoneNumbers().parsePhoneNumberFromString(written, country as CountryCode | undefined)
  return parsed?.isPossible() ? parsed.number : undefined
}
