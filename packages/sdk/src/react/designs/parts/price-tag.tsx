import { useSettings } from '../design-settings.ts'
import type { Content } from '../reading/read-block.ts'
import { wordOf } from '../reading/words.ts'

/** The price, and before a sale the old one, which screen readers hear as such. */
export function PriceTag({ price }: { price: Content['price'] }) {
  const { locale, words } = useSettings()
  if (!price) return undefined
  return (
    <p className={price.was === undefined ? 'cf-price' : 'cf-price cf-price--sale'}>
      <bdi>{price.now}</bdi>
      {price.was !== undefined && (
        <s>
          <span className="cf-hidden">{wordOf('was', locale, words)} </span>
          <bdi>{price.was}</bdi>
        </s>
      )}
    </p>
  )
}
