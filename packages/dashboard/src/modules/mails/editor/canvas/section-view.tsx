import type { CSSProperties, ReactNode } from 'react'
import { companyLines } from '@contentflow/core/mail/brand/brand-text.ts'
import { nodesOf, type MailDocument, type MailNode, type MailSection } from '@contentflow/core/mail/document.ts'
import type { ProductSection } from '@contentflow/core/mail/products/product-section.ts'
import { inkOn } from '@contentflow/core/mail/theme.ts'
import { pickContentLocale } from '@contentflow/core/messages/content.ts'
import { leaveWords } from '@contentflow/core/messages/mail.ts'
import { hasColumns, idOf, type ColumnSection, type Part } from '../document/places.ts'
import { useEditing } from '../editing-context.ts'
import { textOf } from '../document/change-texts.ts'
import { usePartName, wordsOf } from '../kinds.tsx'
import { useTexts } from '../texts.ts'
import { NodeSlot } from './drag.tsx'
import { NodeView } from './node-view.tsx'
import { PartTools } from './part-tools.tsx'
import classes from '../editor.module.css'

/** Pixels above and below where a section says nothing of its own, as in the mail. */
const PADDING = 16

/** A part that is selected by a click, by arrow keys or with the focus; one of them is in the order of Tab. */
function PartFrame({ part, isFirst, style, children }: { part: Part; isFirst: boolean; style?: CSSProperties; children: ReactNode }) {
  const t = useTexts()
  const { selected, writing } = useEditing()
  const name = usePartName()(part)
  const id = idOf(part)
  const isSelected = selected === id
  const isReached = selected === undefined ? isFirst : isSelected
  return (
    <div
      className={classes.part}
      role="group"
      aria-roledescription={t('block')}
      aria-label={name}
      aria-current={isSelected || undefined}
      tabIndex={isReached ? 0 : -1}
      data-mail-part={id}
      data-kind={part.kind}
      data-selected={isSelected || undefined}
      style={style}
    >
      {children}
      {isSelected && writing?.id !== id && <PartTools part={part} />}
    </div>
  )
}

export function SectionView({ section, isFirst }: { section: MailSection; isFirst: boolean }) {
  const { theme } = useEditing()
  const part: Part = { kind: 'section', section }
  if (!hasColumns(section))
    return (
      <PartFrame part={part} isFirst={isFirst}>
        <Fixed section={section} />
      </PartFrame>
    )
  const { background, padding = PADDING } = section
  const own = background === undefined ? {} : { background, color: inkOn(background, theme.light) }
  return (
    <PartFrame part={part} isFirst={isFirst} style={{ paddingBlock: padding, ...own }}>
      <Columns section={section} />
    </PartFrame>
  )
}

/** Sections whose contents are not written here. */
function Fixed({ section }: { section: Exclude<MailSection, ColumnSection> }) {
  switch (section.type) {
    case 'part':
      return <SharedPartView part={section.part} />
    case 'products':
      return <ProductsView section={section} />
    case 'footer':
      return <Footer />
    default:
      return section satisfies never
  }
}

/** Where products will stand: who gets the mail decides which. */
function ProductsView({ section: { columns, limit, show, source } }: { section: ProductSection }) {
  const t = useTexts()
  const { theme } = useEditing()
  return (
    <div className={classes.shared}>
      <p className={classes.sharedName}>
        {t('type_products')}: <bdi>{'trait' in source ? source.trait : source.block}</bdi>
      </p>
      <div style={{ display: 'grid', gap: 12, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
        {Array.from({ length: Math.min(limit, columns) }, (_, at) => (
          <p key={at} style={{ margin: 0, color: theme.light.muted }}>
            {show.map((part) => t(`product_${part}`)).join(' · ')}
          </p>
        ))}
      </div>
    </div>
  )
}

function Columns({ section }: { section: ColumnSection }) {
  const { theme } = useEditing()
  const { background, columns, keepColumns = false } = section
  const ink = background === undefined ? theme.light.text : inkOn(background, theme.light)
  const look = { ink, link: background === undefined ? theme.light.link : ink }
  return (
    <div className={classes.columns} data-kept={keepColumns || undefined}>
      {columns.map(({ width, nodes }, column) => (
        <div key={column} className={classes.column} style={{ flexGrow: width, flexBasis: `${width}%` }}>
          {nodes.map((node, index) => {
            const place = { section: section.id, column, index }
            return (
              <div key={node.id}>
                <NodeSlot place={place} before={node.id} />
                <PartFrame part={{ kind: 'node', node, place }} isFirst={false}>
                  <NodeView node={node} look={look} />
                </PartFrame>
              </div>
            )
          })}
          <NodeSlot place={{ section: section.id, column, index: nodes.length }} isWhole={nodes.length === 0} />
        </div>
      ))}
    </div>
  )
}

/** What stands in a saved part is read here and changed where it is kept. */
function SharedPartView({ part }: { part: string }) {
  const t = useTexts()
  const { parts, theme } = useEditing()
  const known = parts.get(part)
  if (!known) return <p className={classes.shared}>{t('type_part')}</p>
  return (
    <div className={classes.shared}>
      <p className={classes.sharedName}>
        {t('type_part')}: <bdi>{known.name}</bdi>
      </p>
      {nodesOf(known.document).map((node) => (
        <PartNode key={node.id} node={node} document={known.document} ink={theme.light.text} />
      ))}
    </div>
  )
}

function PartNode({ node, document, ink }: { node: MailNode; document: MailDocument; ink: string }) {
  const { locale, theme } = useEditing()
  const said = pickContentLocale(Object.keys(document.texts), locale, null) ?? Object.keys(document.texts)[0] ?? locale
  const words = wordsOf(textOf(document, said, node.id))
  return words === '' ? null : <p style={{ margin: '4px 0', color: node.type === 'button' ? theme.light.link : ink }}>{words}</p>
}

function Footer() {
  const { locale, theme, brand } = useEditing()
  return (
    <div className={classes.footer} style={{ color: theme.light.muted }}>
      {companyLines({ brand, locale }).map((line) => (
        <p key={line}>{line}</p>
      ))}
      <p className={classes.leave}>{leaveWords(locale)}</p>
    </div>
  )
}
