/** What whoever starts the server is told about accounts, and may do to one from its machine. */
import type { Context } from './context.ts'
import { findSetupToken, resetFromShell } from './modules/workspaces/index.ts'

/** Printed once, at start; empty when the first account takes no token. */
export async function describeSetup(ctx: Context, address: string): Promise<string> {
  const token = await findSetupToken(ctx)
  return token === undefined ? '' : `Open the first account at ${address}/ with this set-up token: ${token}\n`
}

/** `reset-password <email>`. */
export async function resetPasswordOf(ctx: Context, email: string): Promise<string> {
  const password = email && (await resetFromShell(ctx, email))
  if (!password) throw new Error(email ? 'No account has this email.' : 'Name the account: reset-password <email>')
  return `New password: ${password}\nIts sessions have ended. A browser asks for another password at the first sign-in.\n`
}
