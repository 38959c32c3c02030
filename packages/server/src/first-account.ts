/** What whoever starts the server is told about accounts, and may do to one from its machine. */
import { readFileSync } from 'node:fs'
import type { Config } from './config.ts'
import type { Context } from './context.ts'
import { ApiError } from './errors.ts'
import { applyBootstrap, readBootstrap, type ReadWorkspace } from './modules/bootstrap/index.ts'
import { findSetupToken, openFirstAccount, resetFromShell } from './modules/workspaces/index.ts'

/** What the bootstrap file declares, read before anything is opened: a wrong one stops the start at once. */
export function readDeclared(config: Config): ReadWorkspace[] {
  return config.bootstrap === '' ? [] : readBootstrap(config)
}

/** Makes what is declared, before anybody is served; returns what is told of it. Several processes may do so at once. */
export async function makeDeclared(ctx: Context, declared: readonly ReadWorkspace[]): Promise<string> {
  const { admin } = ctx.config
  if (declared.length > 0) return applyBootstrap(ctx, declared)
  const isOpened = admin !== undefined && (await openAdmin(ctx, admin))
  return isOpened ? 'The first account was opened, as CF_ADMIN_EMAIL says.\n' : ''
}

async function openAdmin(ctx: Context, { email, passwordFile }: NonNullable<Config['admin']>): Promise<boolean> {
  try {
    return await openFirstAccount(ctx, email, () => readPassword(passwordFile))
  } catch (error) {
    if (error instanceof ApiError) error.message = `CF_ADMIN_PASSWORD_FILE ${passwordFile}: ${error.message}`
    throw error
  }
}

function readPassword(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new Error(`CF_ADMIN_PASSWORD_FILE cannot be read: ${(error as NodeJS.ErrnoException).code} ${file}`, { cause: error })
  }
}

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
