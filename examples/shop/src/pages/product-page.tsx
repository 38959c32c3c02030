import { textOf, toggleOf } from '@contentflow/sdk'
import { Block, useBlocks, useClient } from '@contentflow/sdk/react'
import { useState } from 'react'
import { useBag } from '../bag.tsx'
import { useText } from '../use-text.ts'

export function ProductPage({ slug }: { slug: string }) {
  const products = useBlocks({ key: 'product_card' })
  const client = useClient()
  const bag = useBag()
  const { t, own } = useText()
  const [isAdded, setAdded] = useState(false)
  const product = products.find((block) => textOf(block, '#cta_url').endsWith(`product/${slug}`))
  if (!product) {
    return (
      <div className="state">
        <h1>{own('emptyTitle')}</h1>
        <a className="button" href="#/">
          {own('back')}
        </a>
      </div>
    )
  }
  const inStock = toggleOf(product, '#in_stock')
  const add = () => {
    bag.add(product.instanceId)
    client.track({ type: 'add_to_bag', blockKey: product.key, instanceId: product.instanceId })
    setAdded(true)
  }
  return (
    <>
      <Block block={product} />
      <div className="buy">
        <p className="note">{t('product.price.vat')}</p>
        <button type="button" className="button button--wide" onClick={add} disabled={!inStock}>
          {inStock ? t('product.add') : t('product.stock.none')}
        </button>
        <p className="note" role="status">
          {isAdded && t('product.added', { name: textOf(product, '#title') })}
        </p>
      </div>
      <SizeGuides />
      <Block name="product_carousel" />
    </>
  )
}

function SizeGuides() {
  const guides = useBlocks({ key: 'size_guide' })
  const { t } = useText()
  if (guides.length === 0) return undefined
  return (
    <details className="guides">
      <summary>{t('product.size.guide')}</summary>
      <div>
        {guides.map((guide) => (
          <Block key={guide.instanceId} block={guide} />
        ))}
      </div>
    </details>
  )
}
