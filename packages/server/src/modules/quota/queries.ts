import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** How many are held at most; undefined: nobody has counted yet. */
export async function addBytes(tx: Db, workspaceId: string, bytes: number): Promise<number | undefined> {
  const row = await tx
    .updateTable('workspace_sizes')
    .set({ bytes: sql<number>`bytes + ${bytes}` })
    .where('workspace_id', '=', workspaceId)
    .returning('bytes')
    .executeTakeFirst()
  return row?.bytes
}

type Granted = { content: number | null; media: number | null }

/** In megabytes, by the plan of the workspace; null: what every workspace may hold. */
export async function findGranted(db: Db, workspaceId: string): Promise<Granted> {
  const row = await db
    .selectFrom('workspaces')
    .select(['content_megabytes as content', 'media_megabytes as media'])
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  return row ?? { content: null, media: null }
}

/** The same of files, held until the transaction ends, so that files come after each other. */
export async function lockGrantedMedia(tx: Db, workspaceId: string): Promise<number | null> {
  const row = await tx.selectFrom('workspaces').select('media_megabytes').where('id', '=', workspaceId).forNoKeyUpdate().executeTakeFirst()
  return row?.media_megabytes ?? null
}

/** Bytes of the files of the library and of those that wait to be finished, but for the one with this id. */
export async function sumFiles(db: Db, workspaceId: string, exceptId = ''): Promise<number> {
  const { bytes } = await db
    .selectFrom('assets')
    .select(sql<number>`coalesce(sum(size), 0)::float8`.as('bytes'))
    .where('workspace_id', '=', workspaceId)
    .where('state', '<>', 'deleted')
    .where('id', '<>', exceptId)
    .executeTakeFirstOrThrow()
  return bytes
}

/** Of one that nobody had counted. Who did meanwhile has not seen what this transaction writes, nor it what that one wrote. */
export async function insertBytes(tx: Db, workspaceId: string, bytes: number): Promise<void> {
  await sql`
    insert into workspace_sizes (workspace_id, bytes) values (${workspaceId}, ${bytes})
    on conflict (workspace_id) do update set bytes = workspace_sizes.bytes + excluded.bytes`.execute(tx)
}

export async function setBytes(tx: Db, workspaceId: string, bytes: number): Promise<void> {
  await tx.updateTable('workspace_sizes').set({ bytes }).where('workspace_id', '=', workspaceId).execute()
}

export type UsageByKind = Record<'instances' | 'definitions' | 'strings' | 'campaigns' | 'journeys' | 'segments', number>

/** Bytes of all that processes hold whole, or read at once: of an instance what is newest and what is served. What texts were before counts with them. */
export async function measure(db: Db, workspaceId: string): Promise<UsageByKind> {
  const { rows } = await sql<UsageByKind>`
    select (
      select coalesce(sum(octet_length(values::text) + octet_length(variants::text) + octet_length(translations::text)), 0)
      from block_instances where workspace_id = ${workspaceId} and deleted_at is null
    ) + (
      select coalesce(sum(octet_length(r.content::text)), 0) from block_instances i
      join instance_revisions r on r.workspace_id = ${workspaceId} and r.instance_id = i.id and r.number <> i.version
        and r.number in (i.live_revision, i.test_revision)
      where i.workspace_id = ${workspaceId} and i.deleted_at is null
    ) as instances, (
      select coalesce(sum(octet_length(fields::text) + octet_length(blank::text)), 0) from block_definitions where workspace_id = ${workspaceId}
    ) as definitions, (
      select coalesce(sum(octet_length(key) + octet_length(description) + octet_length(source_text)), 0)
      from strings where workspace_id = ${workspaceId}
    ) + (
      select coalesce(sum(octet_length(text)), 0) from translations where workspace_id = ${workspaceId}
    ) + (
      select coalesce(sum(coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0)), 0)
      from text_changes where workspace_id = ${workspaceId}
    ) as strings, (
      select coalesce(sum(octet_length(content::text) + coalesce(octet_length(mail::text), 0) + coalesce(octet_length(mail_parts::text), 0)), 0)
      from campaigns where workspace_id = ${workspaceId}
    ) + (
      select coalesce(sum(octet_length(document::text)), 0) from mails where workspace_id = ${workspaceId}
    ) as campaigns, (
      select coalesce(sum(octet_length(steps::text)), 0) from journeys where workspace_id = ${workspaceId}
    ) as journeys, (
      select coalesce(sum(octet_length(rules::text)), 0) from segments where workspace_id = ${workspaceId}
    ) as segments`.execute(db)
  const [row] = rows
  if (!row) throw new Error('A select of sums answered no row')
  return row
}
