import { Actions } from './parts/actions.tsx'
import { useSettings } from './design-settings.ts'
import { Items } from './parts/items.tsx'
import { Picture } from './parts/picture.tsx'
import { PriceTag } from './parts/price-tag.tsx'
import { PromoCode } from './parts/promo-code.tsx'
import { wholeLinkOf, type Content } from './reading/read-block.ts'
import { CoverTitle, Paragraphs } from './parts/texts.tsx'
import { wordOf } from './reading/words.ts'

/** One thing: a product, a shop, an article. Upright where there is little width, else wide. */
export function Card({ content }: { content: Content }) {
  const { locale, words } = useSettings()
  const whole = wholeLinkOf(content)
  const badge = content.isSoldOut ? wordOf('stock.none', locale, words) : (content.badge ?? content.discount)
  return (
    <article className={content.isSoldOut ? 'cf-card cf-card--sold-out' : 'cf-card'}>
      {content.pictures.length > 0 && (
        <div className="cf-card-picture">
          <Picture picture={content.pictures[0]} />
          {badge !== undefined && (
            <span className={content.price?.was === undefined || content.isSoldOut ? 'cf-badge' : 'cf-badge cf-badge--sale'}>{badge}</span>
          )}
        </div>
      )}
      <div className="cf-card-text">
        {content.pictures.length === 0 && badge !== undefined && <span className="cf-badge cf-badge--line">{badge}</span>}
        {content.eyebrow !== undefined && <p className="cf-eyebrow">{content.eyebrow}</p>}
        <CoverTitle title={content.title} link={whole} className="cf-card-title" />
        {content.subtitle !== undefined && <p className="cf-subtitle">{content.subtitle}</p>}
        {content.state !== undefined && <p className="cf-state">{content.state}</p>}
        <Paragraphs paragraphs={content.paragraphs} />
        {content.count !== undefined && <p className="cf-subtitle">{content.count}</p>}
        <PriceTag price={content.price} />
        <PromoCode code={content.code} />
        <Actions actions={content.actions.filter((action) => action !== whole)} />
        {content.collections.map(({ tag, blocks }) => (
          <ul key={tag} className="cf-stack">
            <Items blocks={blocks} />
          </ul>
        ))}
      </div>
    </article>
  )
}
