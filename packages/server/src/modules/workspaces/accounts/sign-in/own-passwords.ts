import { passwordFault } from '@contentflow/core/identity/passwords/password-fault.ts'
import type { Context } from '../../../../context.ts'
import { fail } from '../../../../errors.ts'

/** Refuses a password that others guess, wherever its person chooses it themselves. */
export function refuseEasyPassword(password: string, email: string): void {
  if (passwordFault(password, email)) fail('PASSWORD_WEAK')
}

/**
 * Whether an account begins with a password that has to be changed at the first sign-in in a browser. The documents allow a
 * program any of eight or more characters, so easy ones are refused it only where the operator says so; a page never sends one.
 */
export function mustChangeFirst(
  { config }: Context,
  { email, password, isOwnPage }: { email: string; password: string; isOwnPage: boolean },
): boolean {
  if (passwordFault(password, email) === undefined) return false
  if (isOwnPage || config.arePasswordsStrict) fail('PASSWORD_WEAK')
  return true
}
