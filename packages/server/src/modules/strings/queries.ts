import { sql, type Selectable } from 'kysely'
import type { Locale } from '@contentflow/core/locale/read-locale.ts'
import type { StoredString, SyncPlan, Translation } from '@contentflow/core/strings/plan-sync.ts'
import type { StoredTranslationStatus } from '@contentflow/core/strings/status.ts'
import type { Db } from '../../db/open.ts'
import type { Locales } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'
import { deleteHistoryIn } from './history/queries-history.ts'
import { partsOf } from './parts.ts'

// --- catalogs ---

type CatalogHead = { revision: number; sourceLocale: string | null; locales: string[] }

export async function insertCatalog(tx: Db, workspaceId: string, now: Date): Promise<void> {
  await tx.insertInto('string_catalogs').values({ workspace_id: workspaceId, changed_at: now }).execute()
}

/** Taken first by everything that writes locales, strings or translations: they happen one after another. */
export async function lockCatalog(tx: Db, workspaceId: string): Promise<CatalogHead> {
  const head = await tx
    .selectFrom('string_catalogs')
    .select('revision')
    .where('workspace_id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!head) failWith(404, 'workspace not found')
  return { revision: head.revision, ...(await findLanguages(tx, workspaceId)) }
}

/** Moves the catalog to its next revision. */
export async function moveCatalog(tx: Db, workspaceId: string, now: Date): Promise<number> {
  const { revision } = await tx
    .updateTable('string_catalogs')
    .set({ revision: sql<number>`revision + 1`, changed_at: now })
    .where('workspace_id', '=', workspaceId)
    .returning('revision')
    .executeTakeFirstOrThrow()
  return revision
}

export async function findLanguages(db: Db, workspaceId: string): Promise<{ sourceLocale: string | null; locales: string[] }> {
  const { rows } = await sql<{ sourceLocale: string | null; locales: string[] }>`
    select source_locale as "sourceLocale",
      array(select code from locales where workspace_id = ${workspaceId} order by code) as locales
    from workspaces where id = ${workspaceId}`.execute(db)
  return rows[0] ?? failWith(404, 'workspace not found')
}

// --- locales ---

export async function listLocales(db: Db, workspaceId: string): Promise<Locale[]> {
  const rows = await db.selectFrom('locales').selectAll().where('workspace_id', '=', workspaceId).orderBy('code').execute()
  return rows.map(toLocale)
}

export async function insertLocale(tx: Db, workspaceId: string, { code, name, native, rtl }: Locale, now: Date): Promise<void> {
  await tx.insertInto('locales').values({ workspace_id: workspaceId, code, name, native, rtl, created_at: now }).execute()
}

/** Updates everything of a locale but its code. */
export async function updateLocale(tx: Db, workspaceId: string, { code, name, native, rtl }: Locale): Promise<void> {
  await tx.updateTable('locales').set({ name, native, rtl }).where('workspace_id', '=', workspaceId).where('code', '=', code).execute()
}

/** The settings of the workspace, locked before any row that names it is written: otherwise this would wait for whoever holds those rows. */
export async function lockSourceLocale(tx: Db, workspaceId: string): Promise<void> {
  await tx.selectFrom('workspaces').select('id').where('id', '=', workspaceId).forNoKeyUpdate().execute()
}

/** Deletes a locale with its translations and their history. */
export async function deleteLocale(tx: Db, workspaceId: string, code: string): Promise<void> {
  await deleteHistoryIn(tx, workspaceId, code)
  await tx.deleteFrom('translations').where('workspace_id', '=', workspaceId).where('locale', '=', code).execute()
  await tx.deleteFrom('locales').where('workspace_id', '=', workspaceId).where('code', '=', code).execute()
}

export async function updateSourceLocale(tx: Db, workspaceId: string, code: string | null, now: Date): Promise<void> {
  await tx.updateTable('workspaces').set({ source_locale: code, updated_at: now }).where('id', '=', workspaceId).execute()
}

function toLocale({ code, name, native, rtl }: Selectable<Locales>): Locale {
  return { code, name, native, rtl }
}

/** Counts of visible strings by locale and status; missing translations have no entry. */
export type StatusCounts = { total: number; byLocale: Map<string, { ok: number; review: number }> }

export async function countStatuses(db: Db, workspaceId: string): Promise<StatusCounts> {
  const { total } = await db
    .selectFrom('strings')
    .select(sql<number>`count(*)`.as('total'))
    .where('workspace_id', '=', workspaceId)
    .where('is_hidden', '=', false)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('translations')
    .select(['locale', 'status', sql<number>`count(*)`.as('count')])
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`not (select is_hidden from strings s where s.workspace_id = ${workspaceId} and s.key = translations.key)`)
    .groupBy(['locale', 'status'])
    .execute()
  const byLocale = new Map<string, { ok: number; review: number }>()
  for (const { locale, status, count } of rows) {
    const counts = byLocale.get(locale) ?? { ok: 0, review: 0 }
    counts[status] = count
    byLocale.set(locale, counts)
  }
  return { total, byLocale }
}

// --- strings and translations as a plan of a sync needs and writes them ---

/** `locales`: those whose texts are asked for. */
export async function findStored(
  db: Db,
  workspaceId: string,
  keys: readonly string[],
  locales: readonly string[],
): Promise<Map<string, StoredString>> {
  const stored = new Map<string, StoredString & { translations: Map<string, Translation> }>()
  for (const part of partsOf(keys, locales.length)) {
    const strings = await db
      .selectFrom('strings')
      .select(['key', 'namespace', 'description', 'source_text as sourceText'])
      .where('workspace_id', '=', workspaceId)
      .where('key', '=', sql<string>`any(${part}::text[])`)
      .execute()
    for (const { key, ...rest } of strings) stored.set(key, { ...rest, translations: new Map() })
    if (locales.length === 0) continue
    const translations = await db
      .selectFrom('translations')
      .select(['key', 'locale', 'text', 'status'])
      .where('workspace_id', '=', workspaceId)
      .where('key', '=', sql<string>`any(${part}::text[])`)
      .where('locale', '=', sql<string>`any(${[...locales]}::text[])`)
      .execute()
    for (const { key, locale, text, status } of translations) stored.get(key)?.translations.set(locale, { text, status })
  }
  return stored
}

export async function countStrings(db: Db, workspaceId: string): Promise<number> {
  const { count } = await db
    .selectFrom('strings')
    .select(sql<number>`count(*)`.as('count'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return count
}

type Writes = Pick<SyncPlan, 'inserts' | 'updates' | 'translations' | 'toReview'>

/** Runs four statements, so it takes a part of the strings at a time. `revision`: the one the catalog moves to. */
export async function writePlan(tx: Db, workspaceId: string, plan: Writes, revision: number, now: Date): Promise<void> {
  const writes = [...plan.inserts, ...plan.updates]
  if (writes.length > 0)
    await sql`
      insert into strings (workspace_id, key, namespace, description, source_text, revision, created_at, updated_at)
      select ${workspaceId}, key, namespace, description, source_text, ${revision}, ${now}::timestamptz, ${now}::timestamptz
      from unnest(${writes.map(({ key }) => key)}::text[], ${writes.map(({ namespace }) => namespace)}::text[],
        ${writes.map(({ description }) => description)}::text[], ${writes.map(({ sourceText }) => sourceText)}::text[])
        as written (key, namespace, description, source_text)
      on conflict (workspace_id, key) do update set namespace = excluded.namespace, description = excluded.description,
        source_text = excluded.source_text, revision = excluded.revision, updated_at = excluded.updated_at`.execute(tx)
  await upsertTranslations(
    tx,
    workspaceId,
    plan.translations.map((translation) => ({ ...translation, isDraft: false })),
    now,
  )
  // Runs after the sent texts were written: those are in review already, so no row is written twice.
  await sendToReview(tx, workspaceId, plan.toReview, now)
  const written = new Set(writes.map(({ key }) => key))
  await stampStrings(
    tx,
    workspaceId,
    plan.translations.flatMap(({ key }) => (written.has(key) ? [] : [key])),
    revision,
    now,
  )
}

/** Sends the approved translations of these strings back to review. */
export async function sendToReview(tx: Db, workspaceId: string, keys: readonly string[], now: Date): Promise<void> {
  if (keys.length === 0) return
  await tx
    .updateTable('translations')
    .set({ status: 'review', updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', sql<string>`any(${[...keys]}::text[])`)
    .where('status', '=', 'ok')
    .execute()
}

export type TranslationRow = { key: string; locale: string; text: string; status: StoredTranslationStatus; isDraft: boolean }

export async function upsertTranslations(tx: Db, workspaceId: string, rows: readonly TranslationRow[], now: Date): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into translations (workspace_id, key, locale, text, status, is_draft, updated_at)
    select ${workspaceId}, key, locale, text, status, is_draft, ${now}::timestamptz
    from unnest(${rows.map(({ key }) => key)}::text[], ${rows.map(({ locale }) => locale)}::text[],
      ${rows.map(({ text }) => text)}::text[], ${rows.map(({ status }) => status)}::text[],
      ${rows.map(({ isDraft }) => isDraft)}::boolean[]) as written (key, locale, text, status, is_draft)
    on conflict (workspace_id, key, locale) do update set text = excluded.text, status = excluded.status,
      is_draft = excluded.is_draft, updated_at = excluded.updated_at`.execute(tx)
}

/** Stamps strings with a revision, so that every process reads them again. */
export async function stampStrings(tx: Db, workspaceId: string, keys: readonly string[], revision: number, now: Date): Promise<void> {
  if (keys.length === 0) return
  await tx
    .updateTable('strings')
    .set({ revision, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', sql<string>`any(${[...keys]}::text[])`)
    .execute()
}

/** A sandbox starts with the locales and strings of its workspace (G-11); no sensor waits for approval there. */
export async function copyStrings(tx: Db, from: string, to: string, now: Date): Promise<void> {
  await sql`
    insert into locales (workspace_id, code, name, native, rtl, created_at)
    select ${to}, code, name, native, rtl, ${now}::timestamptz from locales where workspace_id = ${from}
    on conflict (workspace_id, code) do update set name = excluded.name, native = excluded.native, rtl = excluded.rtl`.execute(tx)
  await sql`
    insert into strings (workspace_id, key, namespace, description, source_text, is_hidden, is_sensor, revision, created_at, updated_at)
    select ${to}, key, namespace, description, source_text, is_hidden, is_sensor, 1, ${now}::timestamptz, ${now}::timestamptz
    from strings where workspace_id = ${from}`.execute(tx)
  // In steps, so that no statement exceeds its time limit with a large catalog.
  for (let after = ''; ;) {
    const last = await findKeyAfter(tx, from, after, KEYS_COPIED_AT_ONCE)
    if (last === null) return
    await sql`
      insert into translations (workspace_id, key, locale, text, status, is_draft, updated_at)
      select ${to}, key, locale, text, status, is_draft, ${now}::timestamptz
      from translations where workspace_id = ${from} and key > ${after} and key <= ${last}`.execute(tx)
    after = last
  }
}

const KEYS_COPIED_AT_ONCE = 5_000

/** The key `count` places after `after`, or the last one there is; null after the last. */
async function findKeyAfter(db: Db, workspaceId: string, after: string, count: number): Promise<string | null> {
  const { rows } = await sql<{ key: string | null }>`
    select max(key) as key from (
      select key from strings where workspace_id = ${workspaceId} and key > ${after} order by key limit ${count}) as next_keys`.execute(db)
  return rows[0]?.key ?? null
}

/** Namespaces of strings that are there. */
export async function listNamespacesOf(db: Db, workspaceId: string, keys: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('strings')
    .select('namespace')
    .distinct()
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', sql<string>`any(${[...keys]}::text[])`)
    .execute()
  return rows.map(({ namespace }) => namespace)
}
