/** What an account has besides its password. With the first it gets recovery codes; with the last they go. */
import { randomBytes } from 'node:crypto'
import { showRecoveryCode } from '@contentflow/core/identity/second-factor/entered-code.ts'
import { base32 } from '@contentflow/core/identity/second-factor/totp.ts'
import type { Context } from '../../../../context.ts'
import type { Db } from '../../../../db/open.ts'
import { fail, failWith } from '../../../../errors.ts'
import type { AccountCaller } from '../../../../http/callers/caller.ts'
import { hashSecret } from '../../../../infra/secrets/crypto.ts'
import { inTransaction } from '../../../../infra/unavailable.ts'
import { listPasskeys } from '../passkeys/queries-passkeys.ts'
import { findAccount, lockAccount } from '../queries-accounts.ts'
import { deleteOtherSessions } from '../sign-in/queries-sessions.ts'
import * as queries from './queries-second-factor.ts'

const [CODES, CODE_BYTES] = [10, 10]

/** Shown once; undefined where the account has some already. */
export type NewCodes = { recoveryCodes?: string[] }

export async function hasFactors(db: Db, account: { id: string; totp_sealed: string | null }): Promise<boolean> {
  return account.totp_sealed !== null || (await listPasskeys(db, account.id)).length > 0
}

export async function factorsOf(ctx: Context, accountId: string) {
  const account = (await findAccount(ctx.db, accountId)) ?? failWith(404, 'account not found')
  return {
    authenticator: account.totp_sealed !== null,
    passkeys: (await listPasskeys(ctx.db, accountId)).length,
    recoveryCodesLeft: await queries.countRecoveryCodes(ctx.db, accountId),
  }
}

/** Called before another factor is stored. With the first one the other sessions end, which never proved one. */
export async function beginFactors(tx: Db, { accountId, tokenHash }: AccountCaller, hadFactors: boolean): Promise<NewCodes> {
  if (hadFactors) return {}
  await deleteOtherSessions(tx, accountId, tokenHash)
  return { recoveryCodes: await newCodes(tx, accountId) }
}

/** Called after a factor went. */
export async function endFactors(tx: Db, accountId: string): Promise<void> {
  const account = await findAccount(tx, accountId)
  if (account && (await hasFactors(tx, account))) return
  await queries.dropRecoveryCodes(tx, accountId)
  await queries.forgetSecondFactorOfSessions(tx, accountId)
}

async function newCodes(tx: Db, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => base32(randomBytes(CODE_BYTES)))
  await queries.replaceRecoveryCodes(
    tx,
    accountId,
    codes.map((code) => hashSecret(code)),
  )
  return codes.map(showRecoveryCode)
}

/** Those that the account had open nothing any more. */
export async function renewRecoveryCodes(ctx: Context, accountId: string): Promise<{ recoveryCodes: string[] }> {
  return inTransaction(ctx.db, async (tx) => {
    const account = await lockAccount(tx, accountId)
    if (!account || !(await hasFactors(tx, account))) fail('SECOND_FACTOR_OFF')
    return { recoveryCodes: await newCodes(tx, accountId) }
  })
}
