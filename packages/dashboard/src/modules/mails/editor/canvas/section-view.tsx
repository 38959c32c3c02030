import type { CSSProperties, ReactNode } from 'react'
import type { MailSection } from '@contentflow/core/mail/document.ts'
import { inkOn } from '@contentflow/core/mail/theme.ts'
import { leaveWords } from '@contentflow/core/messages/mail.ts'
import { hasColumns, idOf, type ColumnSection, type Part } from '../document/places.ts'
import { useEditing } from '../editing-context.ts'
import { usePartName } from '../kinds.tsx'
import { useTexts } from '../texts.ts'
import { NodeSlot } from './drag.tsx'
import { NodeView } from './node-view.tsx'
import { PartTools } from './part-tools.tsx'
import classes from '../editor.module.css'

/** Pixels above and below where a section says nothing of its own, as in the mail. */
const PADDING = 16

/** A part that is selected by a click, by arrow keys or with the focus; one of them is in the order of Tab. */
export function PartFrame({ part, isFirst, style, children }: { part: Part; isFirst: boolean; style?: CSSProperties; children: ReactNode }) {
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
        <Footer />
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

function Footer() {
  const { locale, theme } = useEditing()
  return (
    <p className={classes.footer} style={{ color: theme.light.muted }}>
      {leaveWords(locale)}
    </p>
  )
}
