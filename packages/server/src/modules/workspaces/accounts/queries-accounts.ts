import { sql, type Insertable, type Selectable } from 'kysely'
import { SIGN_UP_LOCK } from '../../../db/locks.ts'
import type { Db } from '../../../db/open.ts'
import type { Accounts } from '../../../db/schema.ts'

export type Account = { userId: string; email: string; name: string }

/** One at a time, so that "the first account" is one account. Held until the transaction ends. */
export async function lockSignUp(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${SIGN_UP_LOCK})`.execute(tx)
}

export async function hasAccounts(db: Db): Promise<boolean> {
  return (await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** `folded`: by `foldEmail`. */
export async function findAccountByEmail(db: Db, folded: string): Promise<Selectable<Accounts> | undefined> {
  return db.selectFrom('accounts').selectAll().where('email_folded', '=', folded).executeTakeFirst()
}

export async function insertAccount(db: Db, account: Insertable<Accounts>): Promise<void> {
  await db.insertInto('accounts').values(account).execute()
}

export async function findAccount(db: Db, accountId: string): Promise<Selectable<Accounts> | undefined> {
  return db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirst()
}

export async function updateAccountName(db: Db, accountId: string, name: string): Promise<void> {
  await db.updateTable('accounts').set({ name }).where('id', '=', accountId).execute()
}

/** False when it is another one than `before` by now. Browsers that signed in with it are known no longer. */
export async function replacePassword(db: Db, accountId: string, before: string, after: string): Promise<boolean> {
  const result = await db
    .updateTable('accounts')
    .set({ password_hash: after, known_devices: [] })
    .where('id', '=', accountId)
    .where('password_hash', '=', before)
    .executeTakeFirst()
  return result.numUpdatedRows > 0
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

export async function deleteOtherSessions(db: Db, accountId: string, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).where('token_hash', '<>', tokenHash).execute()
}

export async function insertSession(db: Db, tokenHash: string, accountId: string, now: Date, expiresAt: Date): Promise<void> {
  await db.insertInto('sessions').values({ token_hash: tokenHash, account_id: accountId, created_at: now, expires_at: expiresAt }).execute()
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

export async function deleteSessionsOf(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).execute()
}

export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
}

export async function findSession(db: Db, tokenHash: string, now: Date): Promise<Account | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['accounts.id as userId', 'accounts.email', 'accounts.name'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}
