import { foldTag } from '@contentflow/core/locale/language-tag.ts'
import { sql } from 'kysely'
import type { Locale } from '@contentflow/core/locale/read-locale.ts'
import type { Db } from '../../../db/open.ts'
import type { SignalOf } from '../../../infra/signals/signals.ts'
import { listLocales } from '../queries.ts'

/** The rows of a catalog: all of them, or those that changed after `since`. */
export type CatalogRows = {
  revision: number
  sourceLocale: string | null
  locales: Locale[]
  strings: StringRow[]
  isWhole: boolean
}
export type StringRow = {
  key: string
  namespace: string
  sourceText: string
  isSensor: boolean
  isHidden: boolean
  /** Translations by locale code. */
  translations: ReadonlyMap<string, { text: string; isApproved: boolean }>
}
type Known = { revision: number; sourceLocale: string | null; locales: ReadonlyMap<string, string> }

/** Lists every workspace whose catalog moved after `since`. */
export async function listMovedCatalogs(db: Db, since: Date): Promise<SignalOf<'strings'>[]> {
  const rows = await db.selectFrom('string_catalogs').select(['workspace_id', 'revision']).where('changed_at', '>', since).execute()
  return rows.map(({ workspace_id: workspaceId, revision }) => ({ kind: 'strings', workspaceId, revision }))
}

/** Strings read at a time: a large answer would be taken in at one go, and everybody else would wait for it. */
const STRINGS_AT_ONCE = 500

/** Reads the rows in one transaction. For a `known` catalog only what changed since; everything when its languages changed. */
export async function loadCatalogRows(db: Db, workspaceId: string, known?: Known): Promise<CatalogRows | undefined> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const head = await tx
        .selectFrom('string_catalogs')
        .innerJoin('workspaces', 'workspaces.id', 'string_catalogs.workspace_id')
        .select(['revision', 'source_locale as sourceLocale'])
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst()
      if (!head) return undefined
      const locales = await listLocales(tx, workspaceId)
      const isSame = known !== undefined && isSameLanguages(known, head.sourceLocale, locales)
      const strings = await listVisible(tx, workspaceId, isSame ? known.revision : 0)
      return { ...head, locales, strings, isWhole: !isSame }
    })
}

function isSameLanguages(known: Known, sourceLocale: string | null, locales: readonly Locale[]): boolean {
  if (known.sourceLocale !== sourceLocale || known.locales.size !== locales.length) return false
  return locales.every(({ code }) => known.locales.get(foldTag(code)) === code)
}

type Row = Omit<StringRow, 'translations'> & { translations: [locale: string, text: string, isApproved: boolean][] | null }

async function listVisible(tx: Db, workspaceId: string, since: number): Promise<StringRow[]> {
  const strings: StringRow[] = []
  for (let after = ''; ; after = strings.at(-1)?.key ?? '') {
    // The translations of a string come as one value: many small rows cost the driver ten times as much.
    const { rows } = await sql<Row>`
      select key, namespace, source_text as "sourceText", is_sensor as "isSensor", is_hidden as "isHidden",
        (select json_agg(json_build_array(locale, text, status = 'ok')) from translations t
          where t.workspace_id = ${workspaceId} and t.key = s.key) as translations
      from strings s where workspace_id = ${workspaceId} and key > ${after} and revision > ${since}
      order by key limit ${STRINGS_AT_ONCE}`.execute(tx)
    for (const { translations, ...row } of rows)
      strings.push({ ...row, translations: new Map(translations?.map(([locale, text, isApproved]) => [locale, { text, isApproved }])) })
    if (rows.length < STRINGS_AT_ONCE) return strings
  }
}
