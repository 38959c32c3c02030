/** Products that mails of sections take from the published content of the workspace. */
import { foldTag } from '@contentflow/core/locale/language-tag.ts'
import { localeChain } from '@contentflow/core/locale/pick-locale.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { addressesOf, priceOf, textOf, withItems, type ProductItems } from '@contentflow/core/mail/products/products.ts'
import type { Db } from '../../db/open.ts'
import { listLive, type LiveContent } from './revisions/queries-live.ts'

/** By tag. */
type Said = { [tag in (typeof TAGS)[number]]: string }

const TAGS = ['name', 'image', 'price', 'currency', 'url'] as const

/** The mails, in their order, with what is live now. An instance that is not, or says no name, is left out. */
export async function fillProducts<T extends object>(db: Db, workspaceId: string, mails: readonly T[]): Promise<T[]> {
  const wanted = mails.flatMap(sourcesOf)
  if (wanted.length === 0) return [...mails]
  const rows = await listLive(db, workspaceId, [...new Set(wanted.flatMap(({ instances }) => instances))])
  const items: ProductItems = (block, id, locale) => {
    const row = rows.get(id)
    return row?.block === block ? productOf(row, locale) : undefined
  }
  return mails.map((mail) => ('sections' in mail ? (withItems(mail as unknown as MailDocument, items) as unknown as T) : mail))
}

function sourcesOf(mail: object): { instances: string[] }[] {
  if (!('sections' in mail)) return []
  const { sections } = mail as MailDocument
  return sections.flatMap((section) => (section.type === 'products' && 'block' in section.source ? [section.source] : []))
}

function productOf({ fields, values, translations }: LiveContent, locale: string) {
  const byLocale = new Map(Object.entries(translations ?? {}).map(([tag, said]) => [foldTag(tag), said]))
  const translated = localeChain(locale).map((tag) => byLocale.get(tag))
  const layers = [...translated, values].filter((layer) => layer !== undefined)
  const said = Object.fromEntries(
    TAGS.map((tag) => {
      const ids = fields.flatMap((field) => (field.tag === `#${tag}` ? [field.id] : []))
      const texts = layers.flatMap((layer) => ids.flatMap((id) => (Object.hasOwn(layer, id) ? [textOf(layer[id])] : [])))
      return [tag, texts.find((text) => text !== '') ?? '']
    }),
  ) as Said
  const name = said.name.trim()
  return name === '' ? undefined : { name, ...addressesOf(said, null), ...priceOf(said.price, said.currency) }
}
