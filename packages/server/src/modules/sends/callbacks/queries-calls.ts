import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'

/** One signed call from the provider of a channel. `signed` and `body` are hashes. */
type Call = { workspaceId: string; channelId: string; signed: string; body: string; expiresAt: Date }

/** Old calls that go with each new one, so that those of a channel are never many more than are believed. */
const SWEPT = 100

/** Keeps a call; the hash of the body that came with it first. */
export async function keepCall(tx: Db, { workspaceId, channelId, signed, body, expiresAt }: Call, now: Date): Promise<string | undefined> {
  await sql`
    delete from provider_calls where workspace_id = ${workspaceId} and channel_id = ${channelId} and signed in (
      select signed from provider_calls
      where workspace_id = ${workspaceId} and channel_id = ${channelId} and expires_at < ${now} limit ${SWEPT})`.execute(tx)
  await tx
    .insertInto('provider_calls')
    .values({ workspace_id: workspaceId, channel_id: channelId, signed, body, expires_at: expiresAt })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'channel_id', 'signed']).doNothing())
    .execute()
  const first = await tx
    .selectFrom('provider_calls')
    .select('body')
    .where('workspace_id', '=', workspaceId)
    .where('channel_id', '=', channelId)
    .where('signed', '=', signed)
    .executeTakeFirst()
  return first?.body
}
