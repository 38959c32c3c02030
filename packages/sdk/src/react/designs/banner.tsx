import { useState } from 'react'
import { Actions } from './parts/actions.tsx'
import { CloseButton } from './parts/close-button.tsx'
import { useSettings } from './design-settings.ts'
import { hasIcon, Icon } from './parts/icon.tsx'
import { Items } from './parts/items.tsx'
import { Picture } from './parts/picture.tsx'
import { PriceTag } from './parts/price-tag.tsx'
import { PromoCode } from './parts/promo-code.tsx'
import { wholeLinkOf, type Content } from './reading/read-block.ts'
import { CoverTitle, Paragraphs } from './parts/texts.tsx'

/** A strip across the page: an offer or a notice. Closed only when the block allows it. */
export function Banner({ content }: { content: Content }) {
  const { block, onDismiss, isInline } = useSettings()
  const [isClosed, setClosed] = useState(false)
  const whole = wholeLinkOf(content)
  const { look, pictures } = content
  const picture = pictures.find(({ src }) => src !== undefined)
  if (isClosed && !isInline) return undefined
  return (
    <aside className={`cf-banner cf-banner--${look.tone}`}>
      <BannerMark content={content} />
      {picture && <Picture picture={picture} />}
      <div className="cf-banner-text">
        {content.eyebrow !== undefined && <p className="cf-eyebrow">{content.eyebrow}</p>}
        <CoverTitle title={content.title} link={whole} className="cf-banner-title" />
        {content.subtitle !== undefined && <p className="cf-subtitle">{content.subtitle}</p>}
        <Paragraphs paragraphs={content.paragraphs} />
        <PriceTag price={content.price} />
      </div>
      <div className="cf-banner-side">
        <PromoCode code={content.code} />
        <Actions actions={content.actions.filter((action) => action !== whole)} />
      </div>
      {look.mayClose === true && (
        <CloseButton
          onClose={() => {
            setClosed(true)
            onDismiss?.(block)
          }}
        />
      )}
      {content.collections.map(({ tag, blocks }) => (
        <ul key={tag} className="cf-rail">
          <Items blocks={blocks} />
        </ul>
      ))}
    </aside>
  )
}

/** The round mark at the start: the discount, else the icon, else the badge. */
function BannerMark({ content: { discount, look, badge } }: { content: Content }) {
  if (discount !== undefined) return <bdi className="cf-mark cf-mark--discount">{discount}</bdi>
  if (hasIcon(look.icon)) {
    return (
      <span className="cf-mark">
        <Icon name={look.icon} />
      </span>
    )
  }
  return badge === undefined ? undefined : <span className="cf-badge">{badge}</span>
}
