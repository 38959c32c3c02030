import { mendEmail } from '@contentflow/core/identity/contact.ts'
import { failWith } from '../../../errors.ts'

/** The address that an account gets, mended (G-86). A domain without a dot is one: an installation may be on an intranet. */
export function accountEmail(sent: string): string {
  const email = mendEmail(sent)
  return /^[^\s@]+@[^\s@]+$/.test(email) ? email : failWith(400, 'email must be an address')
}
