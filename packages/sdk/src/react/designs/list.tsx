import { useId, type CSSProperties } from 'react'
import type { DesignBlock } from './reading/design-block.ts'
import { SettingsContext, useInside, useSettings } from './design-settings.ts'
import { Icon } from './parts/icon.tsx'
import { Items } from './parts/items.tsx'
import { Picture } from './parts/picture.tsx'
import { PriceTag } from './parts/price-tag.tsx'
import { readBlock, wholeLinkOf, type Content } from './reading/read-block.ts'
import { SectionHead } from './parts/section-head.tsx'
import { CoverTitle } from './parts/texts.tsx'

/** Several blocks under one heading: as a grid, as one row, or as lines below each other. */
export function List({ content }: { content: Content }) {
  const titleId = useId()
  const { look } = content
  const blocks = content.collections.flatMap((collection) => collection.blocks)
  const columns = { '--cf-columns': look.columns } as CSSProperties
  return (
    <section className="cf-list" aria-labelledby={content.title === undefined ? undefined : titleId}>
      <SectionHead content={content} titleId={titleId} />
      {look.layout === 'rows' ? (
        <ul className="cf-rows">
          <Rows blocks={blocks} />
        </ul>
      ) : (
        <ul className={`cf-list-items cf-list-items--${look.layout}`} style={columns}>
          <Items blocks={blocks} hidesCounts={!look.showsCounts} />
        </ul>
      )}
    </section>
  )
}

/** Every block as one line, whatever its own design is. */
function Rows({ blocks }: { blocks: readonly DesignBlock[] }) {
  return blocks.map((block, index) => <RowInside key={`${block.instanceId ?? ''}:${index}`} block={block} />)
}

function RowInside({ block }: { block: DesignBlock }) {
  const settings = useInside({ block })
  return (
    <SettingsContext.Provider value={settings}>
      <Row block={block} />
    </SettingsContext.Provider>
  )
}

function Row({ block }: { block: DesignBlock }) {
  const content = readBlock(block, useSettings())
  const link = wholeLinkOf(content) ?? content.actions[0]
  const line = content.subtitle ?? content.paragraphs[0]?.text ?? content.count
  return (
    <li className="cf-row">
      {content.pictures.length > 0 && <Picture picture={content.pictures[0]} />}
      <div className="cf-row-text">
        <CoverTitle title={content.title} link={link} className="cf-row-title" />
        {line !== undefined && <p className="cf-subtitle">{line}</p>}
      </div>
      <PriceTag price={content.price} />
      {link && <Icon name="chevron" />}
    </li>
  )
}
