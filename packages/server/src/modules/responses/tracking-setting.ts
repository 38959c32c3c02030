/** Whose openings and clicks a workspace counts. */
import { messageTracking, type MessageTracking } from '@contentflow/core/messages/responses/tracking.ts'
import type { Db } from '../../db/open.ts'

export async function findTracking(db: Db, workspaceId: string): Promise<MessageTracking> {
  const row = await db.selectFrom('workspaces').select('message_tracking').where('id', '=', workspaceId).executeTakeFirst()
  return messageTracking(row?.message_tracking ?? null)
}

/** Holds for mails that leave from then on; links of those that left go on leading where they lead, and are counted. */
export async function setTracking(tx: Db, workspaceId: string, tracking: MessageTracking): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ message_tracking: JSON.stringify(tracking) })
    .where('id', '=', workspaceId)
    .execute()
}
