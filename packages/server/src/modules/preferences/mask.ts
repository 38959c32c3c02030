/** What a page may show of a contact: enough to recognise one's own, nothing that a stranger could write to. */

/** `s•••@e•••.com`; undefined where there is none. */
export function maskedEmail(email: string | null): string | undefined {
  const [, local, host] = /^([^@]+)@([^@]+)$/.exec(email ?? '') ?? []
  if (local === undefined || host === undefined) return undefined
  const dot = host.lastIndexOf('.')
  return `${first(local)}${DOTS}@${first(host)}${DOTS}${dot > 0 ? host.slice(dot) : ''}`
}

/** `+96•••42`; undefined where there is none. */
export function maskedPhone(phone: string | null): string | undefined {
  const text = phone ?? ''
  return text.length < 7 ? undefined : `${text.slice(0, 3)}${DOTS}${text.slice(-2)}`
}

const DOTS = '•••'

function first(text: string): string {
  const point = text.codePointAt(0)
  return point === undefined ? '' : String.fromCodePoint(point)
}
