/** The history of texts. */
import { sql } from 'kysely'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Db } from '../../../db/open.ts'

/** A change of one text. `locale`: empty for the source text; `before` and `after`: null where there is no text. */
export type TextChange = { key: string; locale: string; before: string | null; after: string | null }
export type KeptChange = { number: number; from: string | null; to: string | null; madeBy: string; at: Date }
type Made = { number: number; by: string; at: Date }

/** A text that is changed twice in one transaction gets one entry. */
export async function insertChanges(tx: Db, workspaceId: string, changes: readonly TextChange[], { number, by, at }: Made): Promise<void> {
  await sql`
    insert into text_changes (workspace_id, key, locale, number, before, after, made_by, made_at)
    select ${workspaceId}, key, locale, ${number}::bigint, before, after, ${by}, ${at}::timestamptz
    from unnest(${changes.map(({ key }) => key)}::text[], ${changes.map(({ locale }) => locale)}::text[],
      ${changes.map(({ before }) => before)}::text[], ${changes.map(({ after }) => after)}::text[]) as written (key, locale, before, after)
    on conflict (workspace_id, key, locale, number) do update set after = excluded.after`.execute(tx)
}

/** Deletes the oldest entry of texts that just got one more than is kept. */
export async function deleteOldest(tx: Db, workspaceId: string, texts: readonly Pick<TextChange, 'key' | 'locale'>[]): Promise<void> {
  const { rows } = await sql<{ key: string; locale: string; number: number | null }>`
    select key, locale, (
      select number from text_changes c where c.workspace_id = ${workspaceId} and c.key = w.key and c.locale = w.locale
      order by number desc offset ${LIMITS.textHistory} limit 1) as number
    from unnest(${texts.map(({ key }) => key)}::text[], ${texts.map(({ locale }) => locale)}::text[]) as w (key, locale)`.execute(tx)
  const over = rows.filter(({ number }) => number !== null)
  if (over.length === 0) return
  await sql`
    delete from text_changes where workspace_id = ${workspaceId} and (key, locale, number) in (
      select * from unnest(${over.map(({ key }) => key)}::text[], ${over.map(({ locale }) => locale)}::text[],
        ${over.map(({ number }) => number)}::bigint[]))`.execute(tx)
}

export async function deleteHistoryIn(tx: Db, workspaceId: string, locale: string): Promise<void> {
  await tx.deleteFrom('text_changes').where('workspace_id', '=', workspaceId).where('locale', '=', locale).execute()
}

/** Newest first. */
export async function listChanges(db: Db, workspaceId: string, key: string, locale: string): Promise<KeptChange[]> {
  return translationHistory(db, workspaceId, key, locale).orderBy('number', 'desc').limit(LIMITS.textHistory).execute()
}

export async function findChange(
  db: Db,
  workspaceId: string,
  { key, locale, number }: Pick<TextChange, 'key' | 'locale'> & { number: number },
): Promise<KeptChange | undefined> {
  return translationHistory(db, workspaceId, key, locale).where('number', '=', number).executeTakeFirst()
}

function translationHistory(db: Db, workspaceId: string, key: string, locale: string) {
  return db
    .selectFrom('text_changes')
    .select(['number', 'before as from', 'after as to', 'made_by as madeBy', 'made_at as at'])
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .where('locale', '=', locale)
}
