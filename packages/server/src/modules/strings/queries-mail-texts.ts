import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

type Row = { key: string; sourceText: string; translations: [locale: string, text: string][] | null }

/** The texts of these keys, with their approved translations, and the language of the source texts. */
export async function listCatalogTexts(
  db: Db,
  workspaceId: string,
  keys: readonly string[],
): Promise<{ sourceLocale: string | null; rows: Row[] }> {
  const { sourceLocale } = await db
    .selectFrom('workspaces')
    .select('source_locale as sourceLocale')
    .where('id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  const { rows } = await sql<Row>`
    select s.key, s.source_text as "sourceText",
      (select json_agg(json_build_array(t.locale, t.text)) from translations t
        where t.workspace_id = ${workspaceId} and t.key = s.key and t.status = 'ok') as translations
    from strings s where s.workspace_id = ${workspaceId} and s.key = any(${[...keys]}::text[])`.execute(db)
  return { sourceLocale, rows }
}
