import { csvLine } from '@contentflow/core/strings/write-csv.ts'
import type { Context } from '../../../context.ts'
import { stringsAtOnce } from '../parts.ts'
import { listAfter } from './queries-csv.ts'

export type ExportOptions = {
  /** Columns, in their order. */
  locales: readonly string[]
  namespace: string | undefined
  /** Includes translations in review; an import takes them as approved. */
  isWithReview: boolean
}

/** The catalog by key, some pages at a time, so that no catalog is held whole. An import of it gives the same texts. */
export async function* exportCsv(
  ctx: Context,
  workspaceId: string,
  { locales, namespace, isWithReview }: ExportOptions,
): AsyncGenerator<string> {
  // Made with the first page, so that a catalog that cannot be read is refused instead of giving a file of one line.
  let head = csvLine(['key', 'namespace', 'description', 'sourceText', ...locales])
  const limit = stringsAtOnce(locales.length)
  for (let after: string | undefined; ;) {
    const strings = await listAfter(ctx.db, workspaceId, { locales, after, limit, namespace })
    const lines = strings.map(([key, { namespace, description, sourceText, translations }]) => {
      const texts = locales.map((locale) => {
        const translation = translations.get(locale)
        return translation && (isWithReview || translation.status === 'ok') ? translation.text : ''
      })
      return csvLine([key, namespace, description, sourceText, ...texts])
    })
    const text = head + lines.join('')
    if (text !== '') yield text
    head = ''
    if (strings.length < limit) return
    after = strings.at(-1)?.[0]
  }
}
