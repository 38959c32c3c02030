/** Products that mails of sections take from the published content of the workspace. */
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { contentProduct } from '@contentflow/core/mail/products/content-product.ts'
import type { Product } from '@contentflow/core/mail/products/product-section.ts'
import { withItems, type ProductItems } from '@contentflow/core/mail/products/products.ts'
import type { Db } from '../../db/open.ts'
import { listLive, type LiveContent } from './revisions/queries-live.ts'

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

function productOf({ fields, values, translations }: LiveContent, locale: string): Product | undefined {
  return contentProduct({ values, translations }, locale, (layer, tag) =>
    fields.flatMap((field) => (field.tag === `#${tag}` && Object.hasOwn(layer, field.id) ? [layer[field.id]] : [])),
  )
}
