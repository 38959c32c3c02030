/** What keeps strangers from opening the first account of an installation that others than this machine can reach. */
import type { Context } from '../../../../context.ts'
import { fail } from '../../../../errors.ts'
import { isSameSecret } from '../../../../infra/secrets/crypto.ts'
import { hasAccounts } from '../queries-accounts.ts'

/** 144 bits. */
const TOKEN_LENGTH = 24

/**
 * The token that the first account takes, or undefined when it takes none: with `CF_SIGNUP=on` everybody may open an account
 * anyway, and whoever reaches a server that listens on loopback alone is on its machine. Derived from the key of secrets, so
 * that it is the same after a restart and on every process with `CF_SECRET_KEY`; nothing is stored.
 */
export async function findSetupToken({ config, db, secrets }: Context): Promise<string | undefined> {
  if (config.signup !== 'first' || config.hasTestHooks || isLoopback(config.host) || (await hasAccounts(db))) return undefined
  return secrets.derive('set-up token').slice(0, TOKEN_LENGTH)
}

export async function refuseWithoutSetupToken(ctx: Context, sent: string | undefined): Promise<void> {
  const token = await findSetupToken(ctx)
  if (token !== undefined && !isSameSecret(sent?.trim() ?? '', token)) fail('SETUP_TOKEN_REQUIRED')
}

function isLoopback(host: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[?::1\]?|localhost)$/i.test(host)
}
