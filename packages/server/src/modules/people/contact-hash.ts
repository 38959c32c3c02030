/** How imports name people without keeping an email or a number: the SHA-256 of it, in hex (M-ENR-55, M-ENR-58). */
import { foldEmail } from '@contentflow/core/identity/fold-email.ts'
import { hashSecret } from '../../infra/secrets/crypto.ts'

export function hashEmail(email: string | null | undefined): string | null {
  return typeof email === 'string' ? hashSecret(foldEmail(email)) : null
}

/** The hash of a number in its international form, in which numbers are stored. */
export function hashPhone(phone: string | null | undefined): string | null {
  return typeof phone === 'string' ? hashSecret(phone) : null
}
