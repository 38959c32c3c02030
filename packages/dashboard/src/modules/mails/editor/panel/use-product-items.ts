import { useState } from 'react'
import { contentProduct } from '@contentflow/core/mail/products/content-product.ts'
import { MOST_PRODUCTS, type Product } from '@contentflow/core/mail/products/product-section.ts'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { call } from '../../../../api.ts'
import { useSession } from '../../../../session.tsx'

type Found = { id: string; values: JsonObject; translations?: { [locale: string]: JsonObject } | null }
type Items = { [locale: string]: Product[] }

/** What content says as products, for the preview: the server writes it into the mail anew when it is saved. */
export function useProductItems() {
  const { workspace } = useSession()
  const [hasFailed, setFailed] = useState(false)
  /** Undefined: it could not be read. */
  const read = async (block: string, instances: readonly string[], locales: readonly string[]): Promise<Items | undefined> => {
    try {
      const { data } = await call<{ instances: Found[] }>(`/blocks/${encodeURIComponent(block)}/instances`, {
        workspaceId: workspace.id,
        query: { ids: instances.join(','), limit: MOST_PRODUCTS },
      })
      setFailed(false)
      const found = new Map(data.instances.map((instance) => [instance.id, instance]))
      const inOrder = instances.flatMap((id) => found.get(id) ?? [])
      return Object.fromEntries(
        locales.map((locale) => [locale, inOrder.flatMap((instance) => contentProduct(instance, locale, valuesOf) ?? [])]),
      )
    } catch {
      setFailed(true)
      return undefined
    }
  }
  return { read, hasFailed }
}

function valuesOf(layer: JsonObject, tag: string) {
  return [layer[`#${tag}`]]
}
