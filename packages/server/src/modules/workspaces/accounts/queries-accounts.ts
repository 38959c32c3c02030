import { mendEmail } from '@contentflow/core/identity/contact.ts'
import { foldEmail } from '@contentflow/core/identity/fold-email.ts'
import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db } from '../../../db/open.ts'
import type { Accounts } from '../../../db/schema.ts'

export type Account = { userId: string; email: string; name: string }
export type AccountRow = Selectable<Accounts>

export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** `folded`: by `foldEmail`. */
export async function findAccountByEmail(db: Db, folded: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('email_folded', '=', folded).executeTakeFirst()
}

/** By the address as somebody types it: as it stands, since accounts may have been opened so, or mended (G-86). */
export async function findAccountNamed(db: Db, email: string): Promise<AccountRow | undefined> {
  const typed = foldEmail(email)
  const mended = foldEmail(mendEmail(email))
  return (await findAccountByEmail(db, typed)) ?? (mended === typed ? undefined : findAccountByEmail(db, mended))
}

export async function insertAccount(db: Db, account: Insertable<Accounts>): Promise<void> {
  await db.insertInto('accounts').values(account).execute()
}

export async function findAccount(db: Db, accountId: string): Promise<AccountRow | undefined> {
  return db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst()
}

export async function updateAccountName(db: Db, accountId: string, name: string): Promise<void> {
  await db.updateTable('accounts').set({ name }).where('id', '=', accountId).execute()
}

/** Held until the transaction ends: what is decided about an account and done to it is one. */
export async function lockAccount(tx: Db, accountId: string): Promise<AccountRow | undefined> {
  return tx.selectFrom('accounts').selectAll().where('id', '=', accountId).forNoKeyUpdate().executeTakeFirst()
}

/** Whether this is its password still, which it then stays until the transaction ends. */
export async function holdPassword(tx: Db, accountId: string, passwordHash: string): Promise<boolean> {
  const found = tx.selectFrom('accounts').select('id').where('id', '=', accountId).where('password_hash', '=', passwordHash)
  return (await found.forNoKeyUpdate().executeTakeFirst()) !== undefined
}

/** False when it is another one than `before` by now. Browsers that signed in with it are known no longer. */
export async function replacePassword(db: Db, accountId: string, before: string, after: string): Promise<boolean> {
  const result = await db
    .updateTable('accounts')
    .set({ password_hash: after, password_set: true, known_devices: [], must_change_password: false })
    .where('id', '=', accountId)
    .where('password_hash', '=', before)
    .executeTakeFirst()
  return result.numUpdatedRows > 0
}

/** It has no password from now on: `decoy` is the hash of none. Browsers that signed in with the one before are known no longer. */
export async function takePassword(tx: Db, accountId: string, decoy: string): Promise<void> {
  const nothing = { password_hash: decoy, password_set: false, known_devices: [], must_change_password: false }
  await tx.updateTable('accounts').set(nothing).where('id', '=', accountId).execute()
}

/** Its address was proved: whoever made it for somebody else has no say in it any more. */
export async function proveEmail(db: Db, accountId: string, now: Date): Promise<void> {
  await db.updateTable('accounts').set({ email_verified_at: now, made_by: null }).where('id', '=', accountId).execute()
}

/** A new address, which was proved. */
export async function updateEmail(db: Db, accountId: string, email: { email: string; folded: string }, now: Date): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ email: email.email, email_folded: email.folded, email_verified_at: now, made_by: null })
    .where('id', '=', accountId)
    .execute()
}

export async function requirePasswordChange(db: Db, accountId: string): Promise<void> {
  await db.updateTable('accounts').set({ must_change_password: true }).where('id', '=', accountId).execute()
}

/** When an account ends that its person deleted; null: it does not. */
export async function setEnd(db: Db, accountId: string, endsAt: Date | null): Promise<void> {
  await db.updateTable('accounts').set({ ends_at: endsAt }).where('id', '=', accountId).execute()
}

export async function listEnded(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('accounts').select('id').where('ends_at', '<=', now).orderBy('ends_at').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** With its sessions and links. */
export async function deleteAccount(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('accounts').where('id', '=', accountId).execute()
}

const DEVICES_KNOWN = 20

/** Puts it first; of more than are kept the one longest unused is forgotten. */
export async function rememberDevice(db: Db, accountId: string, deviceHash: string): Promise<void> {
  const devices = sql<
    string[]
  >`(array_prepend(${deviceHash}::text, array_remove(known_devices, ${deviceHash}::text)))[1:${sql.lit(DEVICES_KNOWN)}]`
  await db.updateTable('accounts').set({ known_devices: devices }).where('id', '=', accountId).execute()
}

export async function forgetDevices(db: Db, accountId: string): Promise<void> {
  await db.updateTable('accounts').set({ known_devices: [] }).where('id', '=', accountId).execute()
}
