import type { LocaleCode, StringCode } from '@contentflow/core/as-code/catalog-code.ts'
import type { StoredString } from '@contentflow/core/strings/plan-sync.ts'
import type { Db } from '../../../db/open.ts'
import type { Change } from '../../../infra/change.ts'
import { touchContent } from '../../content/index.ts'
import { takeTextRoom, touchCatalog, type LockedCatalog } from '../change-catalog.ts'
import { isSource } from '../delivery/catalog.ts'
import { keepHistory, SOURCE } from '../history/keep-history.ts'
import type { TextChange } from '../history/queries-history.ts'
import { partsOf } from '../parts.ts'
import { requireRoom } from '../pipeline/sync-strings.ts'
import * as queries from '../queries.ts'
import { deleteTranslationsOf, setHidden } from './queries-code.ts'

export async function listLocaleCode(db: Db, workspaceId: string): Promise<LocaleCode[]> {
  const { sourceLocale } = await queries.findLanguages(db, workspaceId)
  const locales = await queries.listLocales(db, workspaceId)
  return locales.map((locale) => ({ ...locale, source: isSource(locale.code, sourceLocale) }))
}

type Written<T> = { written: readonly T[]; deleted: readonly string[] }
type WantedCatalog = {
  /** `source`: the source language after the change. */
  locales: Written<LocaleCode> & { source: string | null }
  strings: Written<StringCode>
}

/**
 * Applies the languages and texts of a document. Languages are added before the texts in them are written, and removed after. A
 * removed text is hidden, because applications may ask for its key again.
 */
export async function applyCatalog(change: Change, catalog: LockedCatalog, { locales, strings }: WantedCatalog): Promise<void> {
  const { tx, workspaceId, now } = change
  const areLocales = locales.written.length + locales.deleted.length > 0
  const areStrings = strings.written.length + strings.deleted.length > 0
  if (!areLocales && !areStrings) return
  for (const { code, name, native, rtl } of locales.written) {
    const locale = { code, name, native, rtl }
    if (catalog.locales.includes(code)) await queries.updateLocale(tx, workspaceId, locale)
    else await queries.insertLocale(tx, workspaceId, locale, now)
  }
  if (areLocales && locales.source !== catalog.sourceLocale) {
    await queries.updateSourceLocale(tx, workspaceId, locales.source, now)
    touchContent(change, ['live', 'test'], null)
  }
  const most = catalog.locales.length + locales.written.length
  if (areStrings) await applyStrings(change, catalog.next, { ...strings, locales: most })
  for (const code of locales.deleted) await queries.deleteLocale(tx, workspaceId, code)
  touchCatalog(change)
}

/** `locales`: in how many locales a string may have a text. */
async function applyStrings(
  change: Change,
  next: number,
  { written, deleted, locales }: Written<StringCode> & { locales: number },
): Promise<void> {
  const { tx, workspaceId, now } = change
  await setHidden(tx, workspaceId, deleted, { isHidden: true, revision: next, now })
  const keys = written.map(({ key }) => key)
  const codes = (await queries.findLanguages(tx, workspaceId)).locales
  for (const part of partsOf(written, locales)) await writeStrings(change, next, part, codes)
  await requireRoom(change)
  await setHidden(tx, workspaceId, keys, { isHidden: false, revision: next, now })
}

/** `locales`: all locales of the workspace. */
async function writeStrings(change: Change, revision: number, strings: readonly StringCode[], locales: readonly string[]): Promise<void> {
  const { tx, workspaceId, now } = change
  const inserts = strings.map(({ key, namespace, description, sourceText }) => ({ key, namespace, description, sourceText }))
  const keys = strings.map(({ key }) => key)
  const stored = await queries.findStored(tx, workspaceId, keys, locales)
  await queries.writePlan(tx, workspaceId, { inserts, updates: [], translations: [], toReview: [] }, revision, now)
  await keepHistory(change, revision, changesOf(strings, stored))
  await deleteTranslationsOf(tx, workspaceId, keys)
  const texts = strings.flatMap(({ key, values }) => Object.entries(values).map(([locale, text]) => ({ key, locale, ...text })))
  takeTextRoom(change, { strings: inserts, translations: texts })
  await queries.upsertTranslations(
    tx,
    workspaceId,
    texts.map(({ status, ...text }) => ({ ...text, status: status === 'ok' ? 'ok' : 'review', isDraft: status === 'draft' })),
    now,
  )
}

/** Changes of existing strings; translations that a document no longer has are removed. */
function changesOf(strings: readonly StringCode[], stored: ReadonlyMap<string, StoredString>): TextChange[] {
  return strings.flatMap(({ key, sourceText, values }) => {
    const before = stored.get(key)
    if (!before) return []
    const translations = [...before.translations].map(([locale, { text }]) => ({
      key,
      locale,
      before: text,
      after: values[locale]?.text ?? null,
    }))
    return [{ key, locale: SOURCE, before: before.sourceText, after: sourceText }, ...translations]
  })
}
