import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../../../db/open.ts'
import type { Passkeys } from '../../../../db/schema.ts'

export type PasskeyRow = Selectable<Passkeys>

export async function insertPasskey(tx: Db, passkey: Insertable<Passkeys>): Promise<void> {
  await tx.insertInto('passkeys').values(passkey).execute()
}

export async function listPasskeys(db: Db, accountId: string): Promise<PasskeyRow[]> {
  return db.selectFrom('passkeys').selectAll().where('account_id', '=', accountId).orderBy('created_at', 'desc').orderBy('id').execute()
}

/** By the name that its authenticator gave it. */
export async function findPasskey(db: Db, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
}

export async function renamePasskey(db: Db, accountId: string, id: string, name: string): Promise<PasskeyRow | undefined> {
  return db.updateTable('passkeys').set({ name }).where('account_id', '=', accountId).where('id', '=', id).returningAll().executeTakeFirst()
}

type Use = { id: string; signCount: number; isBackedUp: boolean; now: Date }

/** False when it was removed meanwhile, or its counter did not grow: a copy was used. Those that are synced always count 0. */
export async function notePasskeyUse(tx: Db, { id, signCount, isBackedUp, now }: Use): Promise<boolean> {
  const result = await tx
    .updateTable('passkeys')
    .set({ sign_count: signCount, is_backed_up: isBackedUp, last_used_at: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('sign_count', '<', signCount), eb.and([eb('sign_count', '=', 0), eb.val(signCount === 0)])]))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** False when this account has no such passkey. */
export async function deletePasskey(tx: Db, accountId: string, id: string): Promise<boolean> {
  const result = await tx.deleteFrom('passkeys').where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function deletePasskeysOf(tx: Db, accountId: string): Promise<void> {
  await tx.deleteFrom('passkeys').where('account_id', '=', accountId).execute()
}

export async function setPasskeyUser(tx: Db, accountId: string, user: string): Promise<void> {
  await tx.updateTable('accounts').set({ passkey_user: user }).where('id', '=', accountId).execute()
}
