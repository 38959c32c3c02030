/** The authenticator app of an account. Its secret is sealed, so whoever reads the database alone makes no codes. */
import { createHmac, randomBytes } from 'node:crypto'
import { readEnteredCode } from '@contentflow/core/identity/second-factor/entered-code.ts'
import { base32, otpauthUri, totpStep, type HmacSha1 } from '@contentflow/core/identity/second-factor/totp.ts'
import type { Context } from '../../../../context.ts'
import type { Db } from '../../../../db/open.ts'
import { fail, failWith } from '../../../../errors.ts'
import { hashSecret } from '../../../../infra/secrets/crypto.ts'
import type { SecretLocation } from '../../../../infra/secrets/secrets.ts'
import { inTransaction } from '../../../../infra/unavailable.ts'
import type { AccountCaller } from '../../../../http/callers/caller.ts'
import { findAccount, lockAccount } from '../queries-accounts.ts'
import { withOtpTry } from '../sign-in/tries.ts'
import { beginFactors, endFactors, hasFactors, type NewCodes } from './factors.ts'
import * as queries from './queries-second-factor.ts'

const SECRET_BYTES = 20
const ISSUER = 'ContentFlow'

/** Bound to the account: a secret that is copied into another row opens nothing there. */
const placeOf = (accountId: string): SecretLocation => ({ workspaceId: '', row: `totp ${accountId}` })

function hmacOf(ctx: Context, accountId: string, sealed: string): HmacSha1 {
  const secret = Buffer.from(openSecret(ctx, accountId, sealed), 'base64url')
  return (message) => createHmac('sha1', secret).update(message).digest()
}

/** Without the key that sealed it nobody can say whether a code is right; recovery codes and passkeys need none. */
function openSecret(ctx: Context, accountId: string, sealed: string): string {
  try {
    return ctx.secrets.open(sealed, placeOf(accountId))
  } catch (error) {
    ctx.log.error({ err: error, id: accountId }, 'the secret of an authenticator app cannot be read')
    return fail('UPSTREAM_UNAVAILABLE', { message: 'Codes of authenticator apps cannot be checked; use a recovery code', retryAfter: 60 })
  }
}

/** A secret for an app, which counts once a code of it is sent back. One that the account has goes on counting until then. */
export async function beginAuthenticator(ctx: Context, { accountId, email }: AccountCaller): Promise<{ secret: string; uri: string }> {
  const bytes = randomBytes(SECRET_BYTES)
  await queries.setPendingSecret(ctx.db, accountId, ctx.secrets.seal(bytes.toString('base64url'), placeOf(accountId)))
  const secret = base32(bytes)
  return { secret, uri: otpauthUri(secret, email, ISSUER) }
}

/** The session that proved it has a second factor from then on. */
export async function confirmAuthenticator(ctx: Context, caller: AccountCaller, text: string): Promise<NewCodes> {
  const { accountId, tokenHash } = caller
  return withOtpTry(ctx, accountId, () =>
    inTransaction(ctx.db, async (tx) => {
      const account = (await lockAccount(tx, accountId)) ?? failWith(404, 'account not found')
      if (account.totp_pending === null) fail('AUTHENTICATOR_NOT_BEGUN')
      const step = stepOf(ctx, accountId, account.totp_pending, text) ?? fail('OTP_WRONG')
      const codes = await beginFactors(tx, caller, await hasFactors(tx, account))
      await queries.setSecret(tx, accountId, account.totp_pending, step)
      await queries.addSessionMethod(tx, tokenHash, 'otp')
      return codes
    }),
  )
}

export async function removeAuthenticator(ctx: Context, accountId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const account = await lockAccount(tx, accountId)
    if (!account?.totp_sealed) failWith(404, 'there is no authenticator app')
    await queries.dropSecret(tx, accountId)
    await endFactors(tx, accountId)
  })
}

function stepOf(ctx: Context, accountId: string, sealed: string, text: string): number | undefined {
  const entered = readEnteredCode(text)
  return entered?.kind === 'totp' ? totpStep(hmacOf(ctx, accountId, sealed), entered.code, ctx.clock.ms()) : undefined
}

/** Uses up a code of the app, or a recovery code; refuses one that is wrong, over or used. */
export async function spendCode(ctx: Context, tx: Db, accountId: string, text: string): Promise<void> {
  if (await takeCode(ctx, tx, accountId, text)) return
  ctx.metrics.authFailures.labels('OTP_WRONG').inc()
  fail('OTP_WRONG')
}

async function takeCode(ctx: Context, tx: Db, accountId: string, text: string): Promise<boolean> {
  const entered = readEnteredCode(text)
  if (entered?.kind === 'recovery') return queries.takeRecoveryCode(tx, accountId, hashSecret(entered.code))
  const account = await findAccount(tx, accountId)
  const step = account?.totp_sealed ? stepOf(ctx, accountId, account.totp_sealed, text) : undefined
  return step !== undefined && queries.takeStep(tx, accountId, step)
}

/** Seals again what an earlier key sealed. */
export async function resealAuthenticators({ db, secrets, config }: Context): Promise<void> {
  if (config.secretKeys.length < 2) return
  const present = secrets.present()
  for (const { id, ...sealed } of await queries.listSealedBefore(db, present))
    for (const column of ['totp_sealed', 'totp_pending'] as const) {
      const before = sealed[column]
      if (before === null || before.startsWith(present)) continue
      const next = secrets.reseal(before, placeOf(id))
      if (next !== undefined) await queries.replaceSealed(db, id, column, before, next)
    }
}
