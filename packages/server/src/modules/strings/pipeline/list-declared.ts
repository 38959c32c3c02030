import type { Paged } from '@contentflow/core/paging.ts'
import type { Context } from '../../../context.ts'
import { listAfter } from '../files/queries-csv.ts'
import { countStrings, findLanguages } from '../queries.ts'

/** A text as a pipeline would send it; `values` includes texts in `review`, which are not delivered. */
type Declared = {
  key: string
  namespace: string
  description: string
  sourceText: string
  values: Record<string, string>
  review: string[]
}

/** Texts by key, hidden ones too, with the languages of the workspace. */
export async function listDeclared(
  ctx: Context,
  workspaceId: string,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<Paged<Declared> & { sourceLocale: string | null; locales: string[] }> {
  const languages = await findLanguages(ctx.db, workspaceId)
  const rows = await listAfter(ctx.db, workspaceId, { locales: languages.locales, after, limit: limit + 1, namespace: undefined })
  const items = rows.slice(0, limit).map(([key, { namespace, description, sourceText, translations }]): Declared => {
    const texts = [...translations].sort(([a], [b]) => (a < b ? -1 : 1))
    return {
      key,
      namespace,
      description,
      sourceText,
      values: Object.fromEntries(texts.map(([locale, { text }]) => [locale, text])),
      review: texts.filter(([, { status }]) => status !== 'ok').map(([locale]) => locale),
    }
  })
  const next = rows.length > limit ? (items.at(-1)?.key ?? null) : null
  return { ...languages, items, next, total: await countStrings(ctx.db, workspaceId) }
}
