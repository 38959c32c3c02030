import { useId } from 'react'
import { Actions } from './parts/actions.tsx'
import { Items } from './parts/items.tsx'
import { Picture } from './parts/picture.tsx'
import { PriceTag } from './parts/price-tag.tsx'
import { PromoCode } from './parts/promo-code.tsx'
import type { Content } from './reading/read-block.ts'
import { Heading, Paragraphs } from './parts/texts.tsx'

/** A section that holds a bit of everything: texts, whole pictures such as charts, links and further blocks. */
export function Panel({ content }: { content: Content }) {
  const titleId = useId()
  return (
    <section className="cf-panel" aria-labelledby={content.title === undefined ? undefined : titleId}>
      <div className="cf-panel-text">
        {content.badge !== undefined && <span className="cf-badge cf-badge--line">{content.badge}</span>}
        {content.eyebrow !== undefined && <p className="cf-eyebrow">{content.eyebrow}</p>}
        {content.title !== undefined && (
          <Heading id={titleId} className="cf-section-title">
            {content.title}
          </Heading>
        )}
        {content.subtitle !== undefined && <p className="cf-subtitle">{content.subtitle}</p>}
        {content.pictures.map((picture) => (
          <Picture key={picture.tag} picture={picture} fit="contain" />
        ))}
        <Paragraphs paragraphs={content.paragraphs} />
        <PriceTag price={content.price} />
        <PromoCode code={content.code} />
        <Actions actions={content.actions} />
      </div>
      {content.collections.map(({ tag, blocks }) => (
        <ul key={tag} className="cf-panel-blocks">
          <Items blocks={blocks} />
        </ul>
      ))}
    </section>
  )
}
