/** The code that a program and a browser both show, so that a person can compare them (RFC 8628, section 6.1). */

/** Consonants without those that are taken for others: no code is a word. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const LENGTH = 8
const WHOLE = new RegExp(`^[${LETTERS}]{${LENGTH}}$`)

/** `BCDF-GHJK` of random numbers from 0 to below 1: 20^8 codes. */
export function makeUserCode(draw: () => number): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[Math.floor(draw() * LETTERS.length)] ?? 'B')
  return shown(letters.join(''))
}

/** As people type it: in any case, with or without what stands between. Undefined: no such code can be. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replaceAll(/[^A-Z]/g, '')
  return WHOLE.test(letters) ? shown(letters) : undefined
}

function shown(letters: string): string {
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`
}
