/**
 * Texts that are being typed, by cell. They outlive the cell, so that nothing is lost while the list shows other rows; and only
 * that cell is told of them, so that a key press does not draw the whole table again.
 */
import { useMemo, useState, useSyncExternalStore } from 'react'

/** A translation; or what else is typed of a string, with its member's name after a `#` in place of the locale. */
export type Target = { key: string; locale: string }
export type Edit = {
  text: string
  /** The stored text, or empty. */ before: string
  /** The tag of the stored text that was read. */ etag?: string | undefined
}
export type Edits = {
  of: (target: Target) => Edit | undefined
  open: (target: Target, stored: string, etag?: string) => void
  /** `stored`: what it was before, where nothing opened it. */
  type: (target: Target, text: string, stored?: string, etag?: string) => void
  close: (target: Target) => void
  /** `sent` is stored: it is closed, unless something else was typed since, which then is on top of it. Says whether it is. */
  saved: (target: Target, sent: string, etag?: string) => boolean
  isDirty: () => boolean
  /** The unsaved edits as one text, which stays the same while they do. */
  unsaved: () => string
  discard: () => void
  subscribe: (listener: () => void) => () => void
}

/** `kept`: what this browser kept of them. */
export function makeEdits(kept: readonly (readonly [string, Edit])[] = []): Edits {
  const edits = new Map<string, Edit>(kept)
  const listeners = new Set<() => void>()
  const tell = () => listeners.forEach((listener) => listener())
  const set = (target: Target, edit: Edit) => {
    edits.set(idOf(target), edit)
    tell()
  }
  return {
    of: (target) => edits.get(idOf(target)),
    open: (target, stored, etag) => {
      if (!edits.has(idOf(target))) set(target, { text: stored, before: stored, ...(etag !== undefined && { etag }) })
    },
    type: (target, text, stored = '', etag) =>
      set(target, { ...(edits.get(idOf(target)) ?? { before: stored, ...(etag !== undefined && { etag }) }), text }),
    close: (target) => {
      if (edits.delete(idOf(target))) tell()
    },
    saved: (target, sent, etag) => {
      const { text = sent } = edits.get(idOf(target)) ?? {}
      if (text !== sent) set(target, { text, before: sent, ...(etag !== undefined && { etag }) })
      else if (edits.delete(idOf(target))) tell()
      return text === sent
    },
    unsaved: () => JSON.stringify([...edits].filter(([, { text, before }]) => text !== before)),
    discard: () => {
      edits.clear()
      tell()
    },
    isDirty: () => [...edits.values()].some(({ text, before }) => text !== before),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useEdits(kept: readonly (readonly [string, Edit])[] = []): Edits {
  const [edits] = useState(() => makeEdits(kept))
  return edits
}

/** The text being typed there; undefined when there is none. */
export function useEdit(edits: Edits, target: Target): Edit | undefined {
  return useSyncExternalStore(edits.subscribe, () => edits.of(target))
}

/** The unsaved edits by cell; empty when all are stored. */
export function useUnsavedEdits(edits: Edits): [string, Edit][] {
  const text = useSyncExternalStore(edits.subscribe, edits.unsaved)
  return useMemo(() => JSON.parse(text) as [string, Edit][], [text])
}

/** Locale codes have no space. */
function idOf({ key, locale }: Target): string {
  return `${locale} ${key}`
}
