/** Texts as a document of the workspace has them: those that clients can be sent, with every translation. */
import { sql } from 'kysely'
import type { StringCode, TextCode } from '@contentflow/core/as-code/catalog-code.ts'
import type { Db } from '../../../db/open.ts'
import { stringsAtOnce } from '../parts.ts'

type Row = Omit<StringCode, 'values'> & { translations: [locale: string, text: string, status: 'ok' | 'review', isDraft: boolean][] | null }

/**
 * Hidden strings are left out, like archived block types; so are translations into the source language. `locales`: how many the
 * workspace has.
 */
export async function listStringCode(
  db: Db,
  workspaceId: string,
  { source, locales }: { source: string; locales: number },
): Promise<StringCode[]> {
  const limit = stringsAtOnce(locales)
  const strings: StringCode[] = []
  for (let after = ''; ; after = strings.at(-1)?.key ?? '') {
    const { rows } = await sql<Row>`
      select key, namespace, description, source_text as "sourceText",
        (select json_agg(json_build_array(locale, text, status, is_draft) order by locale) from translations t
          where t.workspace_id = ${workspaceId} and t.key = s.key and lower(locale) <> ${source.toLowerCase()}) as translations
      from strings s where workspace_id = ${workspaceId} and key > ${after} and not is_hidden
      order by key limit ${limit}`.execute(db)
    for (const { translations, ...row } of rows)
      strings.push({ ...row, values: Object.fromEntries((translations ?? []).map(([locale, ...text]) => [locale, toText(...text)])) })
    if (rows.length < limit) return strings
  }
}

function toText(text: string, status: 'ok' | 'review', isDraft: boolean): TextCode {
  return { text, status: status === 'review' && isDraft ? 'draft' : status }
}

export async function deleteTranslationsOf(tx: Db, workspaceId: string, keys: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('translations')
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', sql<string>`any(${[...keys]}::text[])`)
    .execute()
}

export async function setHidden(
  tx: Db,
  workspaceId: string,
  keys: readonly string[],
  { isHidden, revision, now }: { isHidden: boolean; revision: number; now: Date },
): Promise<void> {
  await tx
    .updateTable('strings')
    .set({ is_hidden: isHidden, revision, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', sql<string>`any(${[...keys]}::text[])`)
    .where('is_hidden', '<>', isHidden)
    .execute()
}
