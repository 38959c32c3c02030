import { nextWarning } from '@contentflow/core/access/warnings.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'

/** A token of a service account, or a key. */
export type Credential = { tokenId: string; keyId?: undefined } | { keyId: string; tokenId?: undefined }

/** Whoever answers for it hears of its end before it comes. `endsAt` null: it does not end, or nobody needs to hear of it any more. */
export async function planWarnings(tx: Db, workspaceId: string, of: Credential, endsAt: Date | null, now: Date): Promise<void> {
  const id = of.tokenId ?? of.keyId
  if (!endsAt) {
    await tx.deleteFrom('ending_credentials').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
    return
  }
  const { tokenId = null, keyId = null } = of
  const dueAt = nextWarning(endsAt, now) ?? endsAt
  await sql`
    insert into ending_credentials (workspace_id, id, token_id, key_id, ends_at, due_at)
    values (${workspaceId}, ${id}, ${tokenId}, ${keyId}, ${endsAt}, ${dueAt})
    on conflict (workspace_id, id) do update set ends_at = excluded.ends_at, due_at = excluded.due_at, told = excluded.told`.execute(tx)
}
