import { sql, type Selectable, type Updateable } from 'kysely'
import type { ChannelType, Configuration } from '@contentflow/core/channels/channel.ts'
import type { ProviderName } from '@contentflow/core/channels/providers.ts'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import type { Db } from '../../db/open.ts'
import type { Channels } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'

/** As it is stored: `configuration` without its secrets, which are sealed. */
export type ChannelRow = Omit<Selectable<Channels>, 'provider' | 'configuration'> & { provider: ProviderName; configuration: Configuration }

const of = (db: Db, workspaceId: string) => db.selectFrom('channels').where('workspace_id', '=', workspaceId)

/** In the order they were connected; `after` is an id. */
export async function pageChannels(
  db: Db,
  workspaceId: string,
  { type, after, limit }: { type: ChannelType | undefined; after: string | undefined; limit: number },
): Promise<Paged<ChannelRow>> {
  const all = of(db, workspaceId).$if(type !== undefined, (query) => query.where('type', '=', type ?? 'email'))
  const { total } = await all.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await all
    .selectAll()
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return paged(rows.map(toRow), limit, total, ({ id }) => id)
}

export async function countChannels(db: Db, workspaceId: string): Promise<number> {
  const { total } = await of(db, workspaceId)
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export async function getChannel(db: Db, workspaceId: string, id: string): Promise<ChannelRow> {
  const row = await of(db, workspaceId).selectAll().where('id', '=', id).executeTakeFirst()
  return row ? toRow(row) : failWith(404, 'channel not found')
}

/** The same, held until the transaction ends: what is laid over it was laid over nothing older. */
export async function lockChannel(tx: Db, workspaceId: string, id: string): Promise<ChannelRow> {
  const row = await of(tx, workspaceId).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row ? toRow(row) : failWith(404, 'channel not found')
}

export async function listChannels(db: Db, workspaceId: string): Promise<ChannelRow[]> {
  const rows = await of(db, workspaceId).selectAll().orderBy('id').execute()
  return rows.map(toRow)
}

/** All of them, held until the transaction ends: nobody enters a secret for what they were. */
export async function lockChannels(tx: Db, workspaceId: string): Promise<void> {
  await of(tx, workspaceId).select('id').orderBy('id').forNoKeyUpdate().execute()
}

/** M-CHAN-09: of several active ones the highest, of equal ones the oldest. */
export async function findSending(db: Db, workspaceId: string, type: ChannelType): Promise<ChannelRow | undefined> {
  const row = await of(db, workspaceId)
    .selectAll()
    .where('type', '=', type)
    .where('is_active', '=', true)
    .orderBy('priority', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row && toRow(row)
}

/** All active ones of a type: the one that sends, then the others. */
export async function listSending(db: Db, workspaceId: string, type: ChannelType): Promise<ChannelRow[]> {
  const rows = await of(db, workspaceId)
    .selectAll()
    .where('type', '=', type)
    .where('is_active', '=', true)
    .orderBy('priority', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toRow)
}

/** Of some messages together; with none that are `gone`, one that was taken ends their row. `failure`: what was said last of one that failed through no fault of its own. */
export type ChannelTally = { sent: number; failed: number; gone: number; failure: string | undefined; pauses: boolean }

/** A channel rests after this many failures without a success between them. */
const FAILURES_IN_A_ROW = 20

export async function noteOutcomes(
  db: Db,
  workspaceId: string,
  id: string,
  { sent, failed, gone, failure = '', pauses }: ChannelTally,
  now: Date,
): Promise<void> {
  const endsRow = sent > 0 && gone === 0
  const row = sql`gone_in_a_row = case when ${endsRow} then 0 else gone_in_a_row end, gone_since = case when ${endsRow} then null else gone_since end`
  if (sent > 0 && failed === 0)
    return void (await sql`
      update channels set sent_at = ${now}, failed_in_a_row = 0, paused_at = null, ${row}
      where workspace_id = ${workspaceId} and id = ${id}`.execute(db))
  await sql`
    update channels set failed_at = ${now}, failure = ${failure}, sent_at = case when ${sent > 0} then ${now}::timestamptz else sent_at end,
      failed_in_a_row = case when ${sent > 0} then 0 else failed_in_a_row + ${failed} end,
      paused_at = case when ${sent > 0} then null
        when ${pauses} or failed_in_a_row + ${failed} >= ${FAILURES_IN_A_ROW} then coalesce(paused_at, ${now}::timestamptz) else paused_at end, ${row}
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
}

export async function insertChannel(tx: Db, channel: ChannelRow): Promise<void> {
  await tx
    .insertInto('channels')
    .values({ ...channel, configuration: JSON.stringify(channel.configuration) })
    .execute()
}

export async function updateChannel(
  tx: Db,
  workspaceId: string,
  id: string,
  { configuration, ...change }: Updateable<Omit<Channels, 'configuration'>> & { configuration?: Configuration },
): Promise<void> {
  await tx
    .updateTable('channels')
    .set({ ...change, ...(configuration && { configuration: JSON.stringify(configuration) }) })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function deleteChannel(db: Db, workspaceId: string, id: string): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('channels').where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  if (numDeletedRows === 0n) failWith(404, 'channel not found')
}

// --- secrets after a change of the key ---

function toRow(row: Selectable<Channels>): ChannelRow {
  return { ...row, provider: row.provider as ProviderName, configuration: row.configuration as Configuration }
}
