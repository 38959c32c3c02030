import { useEffect, useRef, useState } from 'react'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { themeOf, type Brand } from '@contentflow/core/mail/brand/brand.ts'
import { randomId } from './document/change-mail.ts'
import { sourceOf } from './document/change-texts.ts'
import { ended, NO_HISTORY, recorded, redone, undone } from './document/history.ts'
import { partOf } from './document/places.ts'
import { partElement, type MailEditing } from './editing-context.ts'
import { useTexts } from './texts.ts'
import { useSharedParts } from './use-shared-parts.ts'

export type EditorProps = {
  document: MailDocument
  onChange: (document: MailDocument) => void
  /** The languages of the workspace. */
  locales: readonly { code: string; source: boolean }[]
  /** The language that is opened first. */
  locale: string
  onLocale?: ((locale: string) => void) | undefined
  /** Undefined while it is read; null: nobody said anything. */
  brand: Brand | null | undefined
  /** The mail whose variant the document is. */
  variantOf?: MailDocument | undefined
}

/** The id of the part that has the focus itself. */
function focusedPart(): string | undefined {
  const { activeElement } = globalThis.document
  return activeElement instanceof HTMLElement ? activeElement.dataset['mailPart'] : undefined
}

/** As long as a mail in another language takes to be drawn. */
const FRAMES = 10

/** Gives a part the focus, and again where the element that had it goes: the window of the editor takes it then. */
function holdFocus(id: string, frames: number): void {
  const { activeElement, body } = globalThis.document
  const isLost = activeElement === null || activeElement === body || activeElement.getAttribute('role') === 'dialog'
  if (frames === FRAMES || isLost) partElement(id)?.focus()
  if (frames > 0) requestAnimationFrame(() => holdFocus(id, frames - 1))
}

/** The first language of a mail that does not have the one that is asked for. */
function languageOf(mail: MailDocument | undefined, asked: string): string {
  if (!mail || Object.hasOwn(mail.texts, asked)) return asked
  return Object.keys(mail.texts)[0] ?? asked
}

/** What the parts of the editor share. The document itself is its owner's, who keeps and saves it. */
export function useMailEditing({ document, onChange, locales, locale: first, onLocale, brand = null, variantOf }: EditorProps) {
  const t = useTexts()
  const [history, setHistory] = useState(NO_HISTORY)
  const [locale, setLocale] = useState(() => languageOf(variantOf, first))
  const [selected, setSelected] = useState<string>()
  const [writing, write] = useState<MailEditing['writing']>()
  const [said, announce] = useState('')
  const wantsFocus = useRef<string>(undefined)
  useEffect(() => {
    const id = wantsFocus.current
    if (id === undefined) return
    wantsFocus.current = undefined
    holdFocus(id, FRAMES)
  })
  const source = locales.find((each) => each.source)?.code
  const codes = [
    ...new Set([...(source === undefined ? [] : [source]), ...locales.map(({ code }) => code), ...Object.keys(document.texts)]),
    // A variant speaks the languages of its mail.
  ].filter((code) => !variantOf || Object.hasOwn(variantOf.texts, code))
  const go = (to: ReturnType<typeof undone>, words: string) => {
    if (!to) return
    setHistory(to.history)
    // Its element may be moved, which takes the focus away.
    wantsFocus.current = focusedPart()
    onChange(to.document)
    if (writing && !partOf(to.document, writing.id)) write(undefined)
    announce(words)
  }
  const from = sourceOf(document, source)
  const editing: MailEditing = {
    document,
    change: (next, group) => {
      if (next === document) return
      setHistory(recorded(history, document, group))
      onChange(next)
    },
    endStep: () => setHistory(ended),
    undo: () => go(undone(history, document), t('undoneWord')),
    redo: () => go(redone(history, document), t('redoneWord')),
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    locales: codes,
    variantOf,
    locale,
    setLocale: (next) => {
      setLocale(next)
      onLocale?.(next)
      write(undefined)
    },
    source: from === locale ? undefined : from,
    theme: themeOf(brand),
    brand,
    parts: useSharedParts(document),
    selected: partOf(document, selected) ? selected : undefined,
    select: (id, { takesFocus = false } = {}) => {
      setSelected(id)
      if (writing && writing.id !== id) write(undefined)
      if (takesFocus) wantsFocus.current = id
    },
    writing,
    write,
    announce,
    makeId: randomId,
  }
  return { editing, said }
}
