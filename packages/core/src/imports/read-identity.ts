/** Whom a row is about: a user id, or a hash of an email or a phone number (M-ENR-44 to M-ENR-48, M-ENR-54 to M-ENR-60). */
import { readEmail } from '../identity/contact.ts'
import type { ParsePhone } from '../identity/contacts.ts'
import { foldEmail } from '../identity/fold-email.ts'
import { isOdd, replaceOdd } from '../json/odd-characters.ts'
import { LIMITS } from '../limits.ts'
import type { IdentityType } from './mapping.ts'

export type IdentityFault = 'missing_identity' | 'invalid_email' | 'invalid_phone' | 'invalid_hash' | 'invalid_user_id'
/** `text` is to be hashed; `hash` is hex already. */
export type Identity =
  /** `asWritten`: with the blanks around it, where there are some: an id of that very text may be known. */
  | { kind: 'userId'; userId: string; asWritten?: string }
  | { kind: 'text'; text: string }
  | { kind: 'hash'; hash: string }
  | { kind: 'fault'; fault: IdentityFault }

export function readIdentity(cell: string, type: IdentityType, parsePhone: ParsePhone): Identity {
  const text = cell.trim()
  if (text === '') return { kind: 'fault', fault: 'missing_identity' }
  switch (type) {
    case 'userId':
      return text.length <= LIMITS.userIdLength && !isOdd(text)
        ? { kind: 'userId', userId: text, ...(cell !== text && cell.length <= LIMITS.userIdLength && { asWritten: cell }) }
        : { kind: 'fault', fault: 'invalid_user_id' }
    case 'email': {
      const email = readEmail(text)
      return email === undefined ? { kind: 'fault', fault: 'invalid_email' } : { kind: 'text', text: foldEmail(email) }
    }
    case 'phone': {
      const phone = parsePhone(text, undefined)
      return phone === undefined ? { kind: 'fault', fault: 'invalid_phone' } : { kind: 'text', text: phone }
    }
    case 'email_sha256':
    case 'phone_sha256':
      return /^[0-9a-f]{64}$/i.test(text) ? { kind: 'hash', hash: text.toLowerCase() } : { kind: 'fault', fault: 'invalid_hash' }
    default:
      return type satisfies never
  }
}

/** Enough to find a row again, too little to know whom it is about: at most two characters of each end (G-46). */
export function maskOf(cell: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(replaceOdd(cell).trim()), ({ segment }) => segment)
  const shown = Math.min(2, Math.floor(characters.length / 4))
  return shown === 0 ? '***' : `${characters.slice(0, shown).join('')}***${characters.slice(-shown).join('')}`
}
