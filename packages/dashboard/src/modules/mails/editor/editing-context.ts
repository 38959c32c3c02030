import { createContext, use, useMemo } from 'react'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import type { Brand } from '@contentflow/core/mail/brand/brand.ts'
import type { MailTheme } from '@contentflow/core/mail/theme.ts'
import { wholeWith, type SharedPart } from './use-shared-parts.ts'
import type { MakeId } from './document/change-mail.ts'

/** A mail as it is being edited, for every part of the editor. */
export type MailEditing = {
  document: MailDocument
  /** One step to undo. `group`: changes of one group that follow each other are one step, as the letters of a word. */
  change: (next: MailDocument, group?: string) => void
  /** The next change of the same group is a step of its own. */
  endStep: () => void
  undo: () => void
  redo: () => void
  canUndo: boolean
  canRedo: boolean
  /** Every language that the mail or the workspace has, the source language first. */
  locales: readonly string[]
  /** The mail whose variant this is: words are written and parts left out, and the rest is as in that mail. */
  variantOf: MailDocument | undefined
  /** The language that is written. */
  locale: string
  setLocale: (locale: string) => void
  /** The language that others are translated from; undefined: it is the written one. */
  source: string | undefined
  theme: MailTheme
  /** Null: nobody said anything. */
  brand: Brand | null
  /** The saved parts that stand in it, by their ids; those that are not read yet, or are gone, are missing. */
  parts: ReadonlyMap<string, SharedPart>
  /** The id of the section or node that is selected. */
  selected: string | undefined
  /** `takesFocus`: as after a key; a click gives the focus by itself. */
  select: (id: string | undefined, options?: { takesFocus?: boolean }) => void
  /** The id of the node whose words are being written, and where it was clicked. */
  writing: { id: string; at?: { left: number; top: number } } | undefined
  write: (writing: MailEditing['writing']) => void
  /** Says something to who does not see the mail. */
  announce: (text: string) => void
  makeId: MakeId
}

export const EditingContext = createContext<MailEditing | undefined>(undefined)

export function useEditing(): MailEditing {
  const editing = use(EditingContext)
  if (!editing) throw new Error('useEditing is for parts of the mail editor')
  return editing
}

/** The mail as it is sent: with what stands in its saved parts. */
export function useWholeMail(): MailDocument {
  const { document: mail, parts } = useEditing()
  return useMemo(() => wholeWith(mail, parts), [mail, parts])
}

/** The element of a part on the canvas. */
export function partElement(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-mail-part="${CSS.escape(id)}"]`)
}
