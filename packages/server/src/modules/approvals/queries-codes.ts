/** One-time codes to let something go live (G-54). */
import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

type Whose = { subject: string; accountId: string }

/** One that was sent before for the same is void; those that are over go. */
export async function saveCode(
  tx: Db,
  workspaceId: string,
  { subject, accountId, hash, expiresAt, now }: Whose & { hash: string; expiresAt: Date; now: Date },
): Promise<void> {
  await tx
    .deleteFrom('launch_codes')
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('expires_at', '<', now)
    .execute()
  const code = { hash, wrong_tries: 0, expires_at: expiresAt }
  await tx
    .insertInto('launch_codes')
    .values({ workspace_id: workspaceId, subject, account_id: accountId, ...code })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'subject', 'account_id']).doUpdateSet(code))
    .execute()
}

/** True when it is this one: it is used up then. A wrong one is counted. */
export async function takeCode(
  tx: Db,
  workspaceId: string,
  { subject, accountId, hash, mostWrong, now }: Whose & { hash: string; mostWrong: number; now: Date },
): Promise<boolean> {
  const mine = sql`workspace_id = ${workspaceId} and subject = ${subject} and account_id = ${accountId}`
  const { rows } = await sql`
    delete from launch_codes where ${mine} and hash = ${hash} and expires_at > ${now} and wrong_tries < ${mostWrong} returning 1`.execute(
    tx,
  )
  if (rows.length > 0) return true
  await sql`update launch_codes set wrong_tries = wrong_tries + 1 where ${mine}`.execute(tx)
  return false
}
