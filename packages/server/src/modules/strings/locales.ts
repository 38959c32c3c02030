import { isPlainObject } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { isRightToLeft } from '@contentflow/core/locale/languages.ts'
import { foldTag } from '@contentflow/core/locale/language-tag.ts'
import { readTag } from '@contentflow/core/locale/pick-locale.ts'
import { CODE_FORM, readLocale, type Locale } from '@contentflow/core/locale/read-locale.ts'
import type { Context } from '../../context.ts'
import type { Db } from '../../db/open.ts'
import { fail, failWith } from '../../errors.ts'
import type { Change, Actor } from '../../infra/change.ts'
import { touchContent } from '../content/index.ts'
import { isSource } from './delivery/catalog.ts'
import { changeCatalog, touchCatalog, type LockedCatalog } from './change-catalog.ts'
import { presentLocale } from './present.ts'
import * as queries from './queries.ts'

/** Creates the catalog of a new workspace: empty, with its source language as a locale. */
export async function openCatalog(tx: Db, workspaceId: string, sourceLocale: string | null, now: Date): Promise<void> {
  await queries.insertCatalog(tx, workspaceId, now)
  if (sourceLocale !== null) await queries.insertLocale(tx, workspaceId, plainLocale(sourceLocale), now)
}

type DescribedLocale = ReturnType<typeof presentLocale>

/** All locales, with how much of them is translated. */
export async function describeLocales(db: Db, workspaceId: string): Promise<DescribedLocale[]> {
  const { sourceLocale } = await queries.findLanguages(db, workspaceId)
  const counts = await queries.countStatuses(db, workspaceId)
  const locales = await queries.listLocales(db, workspaceId)
  return locales.map((locale) => presentLocale(locale, isSource(locale.code, sourceLocale), counts))
}

/** Adds a locale; 409 for a code that exists, in any case. Answers it as it is at that moment, since it may be removed right after. */
export async function createLocale(ctx: Context, by: Actor, body: unknown): Promise<DescribedLocale> {
  const read = readLocale(body)
  if (!read.ok) failWith(400, read.error)
  const locale = read.value
  return changeCatalog(ctx, by, async (change, catalog) => {
    if (findCode(catalog, locale.code) !== undefined) failWith(409, 'This workspace has this locale')
    change.require('strings:manage', { locales: [locale.code], namespaces: [] })
    await addLocale(change, catalog, locale)
    const counts = await queries.countStatuses(change.tx, change.workspaceId)
    return presentLocale(locale, isSource(locale.code, catalog.sourceLocale), counts)
  })
}

/** Removes a locale with all its translations. */
export async function removeLocale(ctx: Context, by: Actor, asked: string): Promise<void> {
  await changeCatalog(ctx, by, async (change, catalog) => {
    const code = findCode(catalog, asked) ?? failWith(404, 'unknown locale')
    if (catalog.sourceLocale !== null && isSource(code, catalog.sourceLocale)) failWith(409, 'The source language cannot be removed')
    const stored = (await queries.listLocales(change.tx, change.workspaceId)).find((each) => each.code === code)
    change.audited('locale', code, stored)
    await queries.deleteLocale(change.tx, change.workspaceId, code)
    touchCatalog(change)
  })
}

/**
 * Sets the language of source texts; it becomes a locale of the workspace when it is none. Texts are not changed, only the
 * language they are said to be in. Blocks are served in it too, so their answers are rendered anew.
 */
export async function setSourceLocale(ctx: Context, by: Actor, body: unknown): Promise<string | null> {
  const sent = isPlainObject(body) ? body['code'] : undefined
  const asked = typeof sent === 'string' ? readTag(sent) : sent === null ? null : undefined
  if (asked === undefined) return failWith(400, `code must be ${CODE_FORM}, or null`)
  return changeCatalog(ctx, by, async (change, catalog) => {
    const { tx, workspaceId, now } = change
    const code = asked === null ? null : (findCode(catalog, asked) ?? asked)
    change.audited('setting', 'source-locale', { code: catalog.sourceLocale }, { code })
    if (code === catalog.sourceLocale) return code
    await queries.lockSourceLocale(tx, workspaceId)
    if (code !== null && !catalog.locales.includes(code)) await addLocale(change, catalog, plainLocale(code))
    await queries.updateSourceLocale(tx, workspaceId, code, now)
    touchCatalog(change)
    touchContent(change, ['live', 'test'], null)
    return code
  })
}

async function addLocale(change: Change, { locales }: LockedCatalog, locale: Locale): Promise<void> {
  if (locales.length >= LIMITS.localesPerWorkspace) fail('LOCALE_LIMIT')
  await queries.insertLocale(change.tx, change.workspaceId, locale, change.now)
  change.audited('locale', locale.code, undefined, locale)
  touchCatalog(change, { reaches: false })
}

function findCode({ locales }: LockedCatalog, asked: string): string | undefined {
  return locales.find((code) => foldTag(code) === foldTag(asked))
}

/** Its names are those that everybody knows. */
function plainLocale(code: string): Locale {
  return { code, name: null, native: null, rtl: isRightToLeft(code) }
}

/** The locales of the workspace but its source language; with `asked`, that one, and none for the source language. */
export async function translatedLocales(ctx: Context, workspaceId: string, asked?: string): Promise<string[]> {
  const { sourceLocale, locales } = await queries.findLanguages(ctx.db, workspaceId)
  const translated = locales.filter((code) => !isSource(code, sourceLocale))
  if (asked === undefined) return translated
  if (isSource(asked, sourceLocale)) return []
  const code = translated.find((each) => foldTag(each) === foldTag(asked))
  return code === undefined ? failWith(400, 'locale is not one of this workspace') : [code]
}
