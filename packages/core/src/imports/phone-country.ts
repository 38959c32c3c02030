/** Phone numbers of a file that lack the code of their country. */

/** Shorter rests behind a code are no whole number, so the digits were no code. */
const LEAST_DIGITS = 7
const NUMBER = /^\+?\d[\d\s().-]{4,20}$/
/** Digits as Arabic and Persian write them. */
const EASTERN = /[\u0660-\u0669\u06f0-\u06f9]/g

/** Whether it is a number that nobody outside its country could call. */
export function lacksCountry(text: string): boolean {
  const plain = latin(text)
  return NUMBER.test(plain) && !/^(?:\+|00)/.test(plain)
}

/** `0501234567` and `966501234567` with the code 966 are `+966501234567`; what has a code, or is no number, stays as it is. */
export function withCountry(text: string, code: string): string {
  if (!lacksCountry(text)) return text
  const digits = latin(text).replaceAll(/\D/g, '')
  if (digits.startsWith(code) && digits.length >= code.length + LEAST_DIGITS) return `+${digits}`
  return `+${code}${digits.replace(/^0+/, '')}`
}

function latin(text: string): string {
  return text.replaceAll(EASTERN, (digit) => String(digit.charCodeAt(0) & 0xf)).trim()
}
