import { textOf, type Block as DeliveredBlock } from '@contentflow/sdk'
import { Block, useBlocks, useSnapshot } from '@contentflow/sdk/react'
import { useText } from '../use-text.ts'

/** Behind a category or a collection. The demo has one shelf, so every such page shows all of it. */
export function ProductsPage({ path }: { path: string }) {
  const { blocks } = useSnapshot()
  const products = useBlocks({ key: 'product_card' })
  const { own } = useText()
  return (
    <>
      <h1>{nameOf(path, blocks) ?? own('products')}</h1>
      <ul className="product-grid">
        {products.map((product) => (
          <li key={product.instanceId}>
            <Block block={product} />
          </li>
        ))}
      </ul>
    </>
  )
}

/** The title of the block that leads here. */
function nameOf(path: string, blocks: readonly DeliveredBlock[]): string | undefined {
  const leading = blocks.find(({ key, values }) => key === 'category_tile' && Object.values(values).includes(path))
  return leading && textOf(leading, '#title')
}
