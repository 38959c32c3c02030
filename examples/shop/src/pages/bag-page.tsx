import { numberOf, textOf, type Block as DeliveredBlock } from '@contentflow/sdk'
import { Block, useBlock, useBlocks, useClient } from '@contentflow/sdk/react'
import { useState, type ReactNode } from 'react'
import { useBag } from '../bag.tsx'
import { PushQuestion } from '../push.tsx'
import { useText } from '../use-text.ts'

type Line = { product: DeliveredBlock; count: number }

/** Products that are no longer delivered are no longer for sale: they are not shown and not counted. */
function useLines(): Line[] {
  const { lines } = useBag()
  const products = useBlocks({ key: 'product_card' })
  return lines.flatMap(({ instanceId, count }) => {
    const product = products.find((block) => block.instanceId === instanceId)
    return product ? [{ product, count }] : []
  })
}

export function BagPage() {
  const { t } = useText()
  const bag = useBag()
  const client = useClient()
  const lines = useLines()
  const [isPlaced, setPlaced] = useState(false)
  const total = lines.reduce((sum, { product, count }) => sum + (numberOf(product, '#price') ?? 0) * count, 0)
  const place = () => {
    client.conversion(undefined, { value: total, currency: 'SAR', properties: { items: lines.length } })
    bag.clear()
    setPlaced(true)
  }
  return (
    <>
      <h1>{t('cart.title')}</h1>
      <p className="note">{t('cart.items.count', { count: lines.reduce((sum, { count }) => sum + count, 0) })}</p>
      <PushQuestion when={isPlaced} />
      {lines.length > 0 ? <FullBag lines={lines} total={total} onPlace={place} /> : <EmptyBag />}
      <Block name="shipping_banner" />
      {isPlaced && <OrderToast event="placed" />}
    </>
  )
}

function FullBag({ lines, total, onPlace }: { lines: readonly Line[]; total: number; onPlace: () => void }) {
  const { t, own } = useText()
  const bag = useBag()
  const threshold = useThreshold()
  const missing = threshold === undefined ? undefined : Math.max(0, threshold - total)
  return (
    <div className="bag">
      <ul className="bag-lines">
        {lines.map(({ product, count }) => (
          <li key={product.instanceId} className="bag-line">
            <img src={textOf(product, '#image')} alt="" />
            <div>
              <p className="bag-title">{textOf(product, '#title')}</p>
              <p className="note">
                {count} × {t('product.price', { price: numberOf(product, '#price') ?? 0 })}
              </p>
            </div>
            <button type="button" className="link" onClick={() => bag.remove(product.instanceId)}>
              {own('remove')}
            </button>
          </li>
        ))}
      </ul>
      <div className="summary">
        <Hinted anchor="delivery_row">
          <p className="summary-row">
            <span>{own('orderLine')}</span>
            <span>
              {missing === undefined
                ? ''
                : missing === 0
                  ? t('cart.free_delivery.reached')
                  : t('cart.free_delivery.left', { amount: missing })}
            </span>
          </p>
        </Hinted>
        <p className="summary-row summary-row--total">
          <span>{t('cart.subtotal')}</span>
          <bdi>{t('product.price', { price: total })}</bdi>
        </p>
        <button type="button" className="button button--wide" onClick={onPlace}>
          {t('checkout.place')}
        </button>
        <p className="note note--lines">{t('checkout.terms')}</p>
      </div>
    </div>
  )
}

/** What a hint points at. Only the hint with the highest priority is shown, so that they never stand on each other. */
function Hinted({ anchor, children }: { anchor: string; children: ReactNode }) {
  const hint = useBlock('cart_tooltip')
  return hint && textOf(hint, '#anchor') === anchor ? <Block block={hint}>{children}</Block> : children
}

/** The order value from which delivery is free, as the delivery notice says it. */
function useThreshold(): number | undefined {
  const notices = useBlocks({ key: 'shipping_banner' })
  return notices.map((notice) => numberOf(notice, '#threshold')).find((threshold) => threshold !== undefined && threshold > 0)
}

function EmptyBag() {
  const { t } = useText()
  return (
    <div className="state">
      <h2>{t('cart.empty.title')}</h2>
      <p>{t('cart.empty.body')}</p>
      <a className="button" href="#/">
        {t('cart.empty.action')}
      </a>
    </div>
  )
}

function OrderToast({ event }: { event: string }) {
  const toast = useBlocks({ key: 'order_toast' }).find((block) => textOf(block, '#event') === event)
  return toast && <Block block={toast} />
}
