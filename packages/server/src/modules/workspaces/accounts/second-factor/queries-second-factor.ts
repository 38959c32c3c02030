import { sql, type Insertable } from 'kysely'
import type { SignInMethod } from '@contentflow/core/identity/second-factor/policy.ts'
import type { Db } from '../../../../db/open.ts'
import type { UsedChallenges } from '../../../../db/schema.ts'

/** False when it was there already. Forgets those whose time is over. */
export async function keepUsedChallenge(tx: Db, challenge: Insertable<UsedChallenges>, now: Date): Promise<boolean> {
  await tx.deleteFrom('used_challenges').where('expires_at', '<=', now).execute()
  const kept = tx
    .insertInto('used_challenges')
    .values(challenge)
    .onConflict((conflict) => conflict.doNothing())
  return ((await kept.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n
}

// --- the authenticator app ---

export async function setPendingSecret(db: Db, accountId: string, sealed: string | null): Promise<void> {
  await db.updateTable('accounts').set({ totp_pending: sealed }).where('id', '=', accountId).execute()
}

/** `step`: of the code that confirmed it. */
export async function setSecret(tx: Db, accountId: string, sealed: string, step: number): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ totp_sealed: sealed, totp_last_step: step, totp_pending: null })
    .where('id', '=', accountId)
    .execute()
}

export async function dropSecret(tx: Db, accountId: string): Promise<void> {
  await tx
    .updateTable('accounts')
    .set({ totp_sealed: null, totp_pending: null, totp_last_step: null })
    .where('id', '=', accountId)
    .execute()
}

/** False when a code of this step, or of a later one, was taken before. */
export async function takeStep(tx: Db, accountId: string, step: number): Promise<boolean> {
  const result = await tx
    .updateTable('accounts')
    .set({ totp_last_step: step })
    .where('id', '=', accountId)
    .where('totp_last_step', '<', step)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

type SealedSecrets = { id: string; totp_sealed: string | null; totp_pending: string | null }

/** Accounts with a secret that an earlier key sealed. `present`: what those of the present one begin with. */
export async function listSealedBefore(db: Db, present: string): Promise<SealedSecrets[]> {
  const isOlder = (column: 'totp_sealed' | 'totp_pending') => sql<boolean>`not starts_with(${sql.ref(column)}, ${present}::text)`
  return db
    .selectFrom('accounts')
    .select(['id', 'totp_sealed', 'totp_pending'])
    .where((eb) => eb.or([isOlder('totp_sealed'), isOlder('totp_pending')]))
    .execute()
}

/** Unless it was changed meanwhile. */
export async function replaceSealed(db: Db, id: string, column: 'totp_sealed' | 'totp_pending', before: string, after: string) {
  await db
    .updateTable('accounts')
    .set({ [column]: after })
    .where('id', '=', id)
    .where(column, '=', before)
    .execute()
}

// --- recovery codes ---

export async function replaceRecoveryCodes(tx: Db, accountId: string, hashes: readonly string[]): Promise<void> {
  await dropRecoveryCodes(tx, accountId)
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ account_id: accountId, code_hash })))
    .execute()
}

export async function dropRecoveryCodes(tx: Db, accountId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
}

/** False when there is no such code, or it was used. */
export async function takeRecoveryCode(tx: Db, accountId: string, hash: string): Promise<boolean> {
  const result = await tx.deleteFrom('recovery_codes').where('account_id', '=', accountId).where('code_hash', '=', hash).executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function countRecoveryCodes(db: Db, accountId: string): Promise<number> {
  const { left } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll().as('left'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(left)
}

// --- what sessions have proved ---

export async function addSessionMethod(tx: Db, tokenHash: string, method: SignInMethod): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ amr: sql`array_append(array_remove(amr, ${method}::text), ${method}::text)` })
    .where('token_hash', '=', tokenHash)
    .execute()
}

/** A second factor that is no more vouches for no session; that of a provider stays. */
export async function forgetSecondFactorOfSessions(tx: Db, accountId: string): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ amr: sql`array_remove(array_remove(amr, 'otp'), 'webauthn')` })
    .where('account_id', '=', accountId)
    .execute()
}
