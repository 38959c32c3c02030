import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../../../db/open.ts'
import type { DeviceSignIns, Sessions } from '../../../../db/schema.ts'

export type DeviceSignIn = Selectable<DeviceSignIns>

/** Forgets those that are over. False: another one has the same code. */
export async function insertDeviceSignIn(tx: Db, signIn: Insertable<DeviceSignIns>): Promise<boolean> {
  await deleteOldDeviceSignIns(tx, signIn.created_at)
  const added = await tx
    .insertInto('device_sign_ins')
    .values(signIn)
    .onConflict((conflict) => conflict.column('code_hash').doNothing())
    .executeTakeFirst()
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function deleteOldDeviceSignIns(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('device_sign_ins').where('expires_at', '<=', now).execute()
}

/** One that nobody answered yet. */
export async function findByCode(db: Db, codeHash: string, now: Date): Promise<DeviceSignIn | undefined> {
  const found = db.selectFrom('device_sign_ins').selectAll().where('code_hash', '=', codeHash)
  return found.where('expires_at', '>', now).where('answer', 'is', null).executeTakeFirst()
}

/** False when somebody answered it meanwhile, or it is over. */
export async function answerDeviceSignIn(
  db: Db,
  codeHash: string,
  answer: { answer: 'allowed' | 'refused'; session_hash: string | null; expires_at: Date },
  now: Date,
): Promise<boolean> {
  const of = db.updateTable('device_sign_ins').set(answer).where('code_hash', '=', codeHash)
  const result = await of.where('expires_at', '>', now).where('answer', 'is', null).executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function findByDevice(db: Db, deviceHash: string, now: Date): Promise<DeviceSignIn | undefined> {
  const found = db.selectFrom('device_sign_ins').selectAll().where('device_hash', '=', deviceHash)
  return found.where('expires_at', '>', now).executeTakeFirst()
}

/** False when another request took it first. */
export async function takeDeviceSignIn(tx: Db, deviceHash: string): Promise<boolean> {
  const result = await tx.deleteFrom('device_sign_ins').where('device_hash', '=', deviceHash).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** The session in which it was allowed, unless that ended meanwhile. */
export async function findAllowing(tx: Db, sessionHash: string, now: Date): Promise<Selectable<Sessions> | undefined> {
  const found = tx.selectFrom('sessions').selectAll().where('token_hash', '=', sessionHash)
  return found.where('expires_at', '>', now).executeTakeFirst()
}
