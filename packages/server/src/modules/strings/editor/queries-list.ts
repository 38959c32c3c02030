import { sql } from 'kysely'
import type { StoredTranslationStatus, TranslationStatus } from '@contentflow/core/strings/status.ts'
import { paged, pageFrom, type Paged } from '@contentflow/core/paging.ts'
import { holdsText } from '../../../db/fold-text.ts'
import type { Db } from '../../../db/open.ts'
import { readPage } from '../../../db/pages.ts'
import { fail } from '../../../errors.ts'
import { partsOf } from '../parts.ts'

/** A string as the dashboard shows it. */
export type ListedString = {
  key: string
  namespace: string
  description: string
  sourceText: string
  isHidden: boolean
  isSensor: boolean
  createdAt: Date
  updatedAt: Date
  /** Translations by locale code. */
  translations: Map<string, { text: string; status: StoredTranslationStatus; isDraft: boolean; updatedAt: Date }>
}

export type StringFilter = {
  namespace: string | undefined
  /** Part of the key or of any text of it, whatever its case and its Arabic spelling. */
  search: string | undefined
  isSensor: boolean | undefined
  isHidden: boolean | undefined
  /** In one of these locales the string has this status. */
  status: { is: TranslationStatus; in: readonly string[] } | undefined
}

/** One page of strings, ordered by key, which is the cursor, with their texts in these locales. */
export async function pageStrings(
  db: Db,
  workspaceId: string,
  filter: StringFilter,
  { locales, after, limit }: { locales: readonly string[]; after: string | undefined; limit: number },
): Promise<Paged<ListedString>> {
  const all = db.selectFrom('strings').where('workspace_id', '=', workspaceId).where(matches(workspaceId, filter))
  const { total } = await all.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const page = all
    .select(COLUMNS)
    .select(bytesIn(workspaceId, locales).as('bytes'))
    .$if(after !== undefined, (query) => query.where('key', '>', after ?? ''))
    .orderBy('key')
    .limit(limit + 1)
  const found = pageFrom(await readPage(db, page, limit), total, ({ key }) => key)
  return { ...found, items: await withTranslations(db, workspaceId, found.items, locales) }
}

/** Bytes of a string with its texts in these locales. */
function bytesIn(workspaceId: string, locales: readonly string[]) {
  return sql<number>`octet_length(source_text) + octet_length(description) + coalesce((
    select sum(octet_length(t.text)) from translations t
    where t.workspace_id = ${workspaceId} and t.key = strings.key and t.locale = any(${[...locales]}::text[])), 0)`
}

export async function getString(db: Db, workspaceId: string, key: string, locales: readonly string[]): Promise<ListedString> {
  const row = await db
    .selectFrom('strings')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .executeTakeFirst()
  const [item] = row ? await withTranslations(db, workspaceId, [row], locales) : []
  return item ?? fail('UNKNOWN_STRING')
}

/** Namespaces in use with their numbers of strings; by name, which is the cursor. */
export async function pageNamespaces(
  db: Db,
  workspaceId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Paged<{ namespace: string; strings: number }>> {
  const all = db.selectFrom('strings').where('workspace_id', '=', workspaceId)
  const { total } = await all.select(sql<number>`count(distinct namespace)`.as('total')).executeTakeFirstOrThrow()
  const rows = await all
    .select(['namespace', sql<number>`count(*)`.as('strings')])
    .$if(after !== undefined, (query) => query.where('namespace', '>', after ?? ''))
    .groupBy('namespace')
    .orderBy('namespace')
    .limit(limit + 1)
    .execute()
  return paged(rows, limit, total, ({ namespace }) => namespace)
}

export type StringChange = { source_text?: string; namespace?: string; description?: string; is_hidden?: boolean }

export async function updateString(
  tx: Db,
  workspaceId: string,
  key: string,
  change: StringChange,
  { revision, now }: { revision: number; now: Date },
): Promise<void> {
  await tx
    .updateTable('strings')
    .set({ ...change, revision, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .execute()
}

export async function deleteTranslation(tx: Db, workspaceId: string, key: string, locale: string): Promise<void> {
  await tx.deleteFrom('translations').where('workspace_id', '=', workspaceId).where('key', '=', key).where('locale', '=', locale).execute()
}

const COLUMNS = [
  'key',
  'namespace',
  'description',
  'source_text as sourceText',
  'is_hidden as isHidden',
  'is_sensor as isSensor',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const

function matches(workspaceId: string, { namespace, search, isSensor, isHidden, status }: StringFilter) {
  const translated = sql`translations t where t.workspace_id = ${workspaceId} and t.key = strings.key`
  const found = (text: ReturnType<typeof sql>) => holdsText(text, search ?? '')
  const conditions = [
    ...(namespace === undefined ? [] : [sql`namespace = ${namespace}`]),
    ...(isSensor === undefined ? [] : [sql`is_sensor = ${isSensor}`]),
    ...(isHidden === undefined ? [] : [sql`is_hidden = ${isHidden}`]),
    ...(search === undefined
      ? []
      : [
          sql`(${found(sql`key`)} or ${found(sql`source_text`)} or ${found(sql`description`)}
            or exists (select from ${translated} and ${found(sql`t.text`)}))`,
        ]),
    ...(status === undefined ? [] : [hasStatus(status.is, status.in, translated)]),
  ]
  return sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` and `)})`
}

function hasStatus(status: TranslationStatus, locales: readonly string[], translated: ReturnType<typeof sql>) {
  const inThese = sql`t.locale = any(${[...locales]}::text[])`
  if (status !== 'missing') return sql`(select count(*) from ${translated} and ${inThese} and t.status = ${status}) > 0`
  return sql`(select count(*) from ${translated} and ${inThese}) < ${locales.length}`
}

type StringRow = Omit<ListedString, 'translations'>

async function withTranslations(
  db: Db,
  workspaceId: string,
  strings: readonly StringRow[],
  locales: readonly string[],
): Promise<ListedString[]> {
  const items = new Map(strings.map((string): [string, ListedString] => [string.key, { ...string, translations: new Map() }]))
  for (const part of partsOf([...items.keys()], locales.length)) {
    const rows = await db
      .selectFrom('translations')
      .select(['key', 'locale', 'text', 'status', 'is_draft as isDraft', 'updated_at as updatedAt'])
      .where('workspace_id', '=', workspaceId)
      .where('key', '=', sql<string>`any(${part}::text[])`)
      .where('locale', '=', sql<string>`any(${[...locales]}::text[])`)
      .execute()
    for (const { key, locale, status, ...rest } of rows) items.get(key)?.translations.set(locale, { ...rest, status })
  }
  return [...items.values()]
}
