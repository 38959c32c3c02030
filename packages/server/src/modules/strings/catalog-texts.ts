/** Mails of sections with the texts that they take from the catalog. */
import { catalogKeysIn, withCatalogTexts, type CatalogText } from '@contentflow/core/mail/catalog-texts.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import type { VariantMail } from '@contentflow/core/mail/variants/variant-mail.ts'
import { foldTag } from '@contentflow/core/locale/language-tag.ts'
import { localeChain } from '@contentflow/core/locale/pick-locale.ts'
import type { Db } from '../../db/open.ts'
import { listCatalogTexts } from './queries-mail-texts.ts'

/**
 * The mails, in their order, with what the catalog says now: the approved translation of the language or of its parents, else
 * the source text. Hidden texts too: they are hidden from apps.
 */
export async function fillFromCatalog<T extends MailDocument | VariantMail>(
  db: Db,
  workspaceId: string,
  mails: readonly T[],
): Promise<T[]> {
  const keys = [...new Set(mails.flatMap(catalogKeysIn))]
  if (keys.length === 0) return [...mails]
  const textOf = await readTexts(db, workspaceId, keys)
  return mails.map((mail) => withCatalogTexts(mail, textOf))
}

async function readTexts(db: Db, workspaceId: string, keys: readonly string[]): Promise<CatalogText> {
  const { sourceLocale, rows } = await listCatalogTexts(db, workspaceId, keys)
  const source = sourceLocale === null ? undefined : foldTag(sourceLocale)
  const known = new Map(
    rows.map(({ key, sourceText, translations }) => {
      const texts = new Map((translations ?? []).map(([locale, text]) => [foldTag(locale), text]))
      // What is left of a translation into the source language counts for nothing.
      if (source !== undefined) texts.set(source, sourceText)
      return [key, { sourceText, texts }]
    }),
  )
  return (key, locale) => {
    const found = known.get(key)
    const translated = localeChain(locale).flatMap((tag) => found?.texts.get(tag) ?? [])
    return translated[0] ?? found?.sourceText
  }
}
