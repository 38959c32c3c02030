import { Fragment, type KeyboardEvent, type MouseEvent } from 'react'
import { isRightToLeft } from '@contentflow/core/locale/languages.ts'
import { partsOf, idOf, neighbour, partOf } from '../document/places.ts'
import { useEditing } from '../editing-context.ts'
import { isWrittenHere } from '../kinds.tsx'
import { useTexts } from '../texts.ts'
import { SectionSlot } from './drag.tsx'
import { usePartActions } from './part-tools.tsx'
import { SectionView } from './section-view.tsx'
import classes from '../editor.module.css'

/** The first field of what is selected, where the panel begins. */
export const PANEL = 'mail-properties'

/** The mail as it is edited: in its own colours, letters and direction. */
export function Canvas() {
  const t = useTexts()
  const editing = useEditing()
  const onKey = useCanvasKeys()
  const { document: mail, locale, theme, select, write } = editing
  const isRtl = isRightToLeft(locale)
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    const part = partAt(event.target)
    if (!part) return
    if (editing.writing?.id === part) return
    const isTool = (event.target as Element).closest('button') !== null
    const found = partOf(mail, part)
    const isWriting = !isTool && found?.kind === 'node' && isWrittenHere(mail, locale, found.node)
    // Words take the focus themselves.
    select(part, { takesFocus: !isTool && !isWriting })
    if (isWriting) write({ id: part, at: { left: event.clientX, top: event.clientY } })
  }
  return (
    // What is clicked and keyed are the parts in it, which have the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={classes.canvas}
      role="group"
      aria-label={t('mail')}
      style={{ background: theme.light.page }}
      onClick={onClick}
      onKeyDown={onKey}
      onFocus={({ target }) => {
        const part = target.dataset['mailPart']
        if (part !== undefined && part !== editing.selected) select(part)
      }}
    >
      <div
        className={classes.sheet}
        dir={isRtl ? 'rtl' : 'ltr'}
        lang={locale}
        style={{ background: theme.light.surface, color: theme.light.text, fontFamily: theme.fonts, lineHeight: isRtl ? 1.75 : 1.6 }}
      >
        {mail.sections.map((section, index) => (
          <Fragment key={section.id}>
            <SectionSlot index={index} before={section.id} />
            <SectionView section={section} isFirst={index === 0} />
          </Fragment>
        ))}
      </div>
    </div>
  )
}

function partAt(target: EventTarget): string | undefined {
  return target instanceof Element ? target.closest<HTMLElement>('[data-mail-part]')?.dataset['mailPart'] : undefined
}

/** Keys on a part that has the focus; in what is written they are letters. */
function useCanvasKeys() {
  const editing = useEditing()
  const { step, remove } = usePartActions()
  const { document: mail, select, write, locale } = editing
  return (event: KeyboardEvent<HTMLDivElement>) => {
    const id = (event.target as HTMLElement).dataset['mailPart']
    const part = partOf(mail, id)
    if (!part || id === undefined) return
    const by = arrowOf(event.key, isRightToLeft(locale))
    if (by !== undefined) {
      event.preventDefault()
      if (event.altKey) step(part, by)
      else select(neighbour(mail, id, by), { takesFocus: true })
    } else if (event.key === 'Home' || event.key === 'End') {
      event.preventDefault()
      const ids = partsOf(mail).map(idOf)
      select(ids.at(event.key === 'Home' ? 0 : -1), { takesFocus: true })
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault()
      remove(part)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      if (part.kind === 'node' && isWrittenHere(mail, locale, part.node)) write({ id })
      else document.getElementById(PANEL)?.querySelector<HTMLElement>('input:not([type=hidden]), textarea, button')?.focus()
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      select(undefined)
    }
  }
}

function arrowOf(key: string, isRtl: boolean): 1 | -1 | undefined {
  if (key === 'ArrowDown' || key === (isRtl ? 'ArrowLeft' : 'ArrowRight')) return 1
  if (key === 'ArrowUp' || key === (isRtl ? 'ArrowRight' : 'ArrowLeft')) return -1
  return undefined
}
