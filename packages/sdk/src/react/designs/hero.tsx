import type { CSSProperties } from 'react'
import { Actions } from './parts/actions.tsx'
import { Items } from './parts/items.tsx'
import { Picture } from './parts/picture.tsx'
import { PriceTag } from './parts/price-tag.tsx'
import { PromoCode } from './parts/promo-code.tsx'
import { wholeLinkOf, type Content } from './reading/read-block.ts'
import { CoverTitle, Paragraphs } from './parts/texts.tsx'

/** The opening of a page: a wide picture with the headline on it. A scrim under the text keeps it readable on any picture; without a picture the words are on a plain surface. */
export function Hero({ content }: { content: Content }) {
  const whole = wholeLinkOf(content)
  const { look } = content
  const overlay: CSSProperties = { opacity: look.overlay / 100 }
  const scrim = { '--cf-scrim': scrimOver(look.overlay / 100) } as CSSProperties
  const picture = content.pictures.find(({ src }) => src !== undefined)
  return (
    <section className={`cf-hero ${picture ? `cf-hero--${look.textColor}` : 'cf-hero--plain'}`}>
      <div className="cf-hero-stage" style={scrim}>
        {picture && <Picture picture={picture} />}
        {picture && look.overlay > 0 && <span className="cf-hero-overlay" style={overlay} />}
        <div className="cf-hero-text">
          {content.badge !== undefined && <span className="cf-badge">{content.badge}</span>}
          {content.eyebrow !== undefined && <p className="cf-eyebrow">{content.eyebrow}</p>}
          <CoverTitle title={content.title} link={whole} className="cf-hero-title" />
          {content.subtitle !== undefined && <p className="cf-hero-subtitle">{content.subtitle}</p>}
          <Paragraphs paragraphs={content.paragraphs} />
          <PriceTag price={content.price} />
          <PromoCode code={content.code} />
          <Actions actions={content.actions.filter((action) => action !== whole)} />
        </div>
      </div>
      {content.collections.map(({ tag, blocks }) => (
        <ul key={tag} className="cf-rail">
          <Items blocks={blocks} />
        </ul>
      ))}
    </section>
  )
}

/** White text on a white picture meets AA (4.5) when 64 percent of the light are taken; what the overlay takes the scrim need not. */
function scrimOver(overlay: number): number {
  return overlay >= 1 ? 0 : Math.max(0, 1 - 0.36 / (1 - overlay))
}
