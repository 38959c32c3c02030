/**
 * Texts that are being typed, by cell. They outlive the cell, so nothing is lost when the list is another one for a
 * while; and they are told to that cell only, so that a key typed does not draw the whole table anew.
 */
import { useState, useSyncExternalStore } from 'react'

/** A translation; or what else is typed of a string, with its member's name after a `#` in place of the locale. */
export type Target = { key: string; locale: string }
export type Edit = { text: string; /** What is stored, or empty. */ before: string; /** Of the stored text that was read. */ etag?: string | undefined }
export type Edits = {
  of: (target: Target) => Edit | undefined
  open: (target: Target, stored: string, etag?: string) => void
  /** `stored`: what it was before, where nothing opened it. */
  type: (target: Target, text: string, stored?: string, etag?: string) => void
  close: (target: Target) => void
  isDirty: () => boolean
  subscribe: (listener: () => void) => () => void
}

export function makeEdits(): Edits {
  const edits = new Map<string, Edit>()
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
    type: (target, text, stored = '', etag) => set(target, { ...(edits.get(idOf(target)) ?? { before: stored, ...(etag !== undefined && { etag }) }), text }),
    close: (target) => {
      if (edits.delete(idOf(target))) tell()
    },
    isDirty: () => [...edits.values()].some(({ text, before }) => text !== before),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export function useEdits(): Edits {
  const [edits] = useState(makeEdits)
  return edits
}

/** What is being typed there; undefined when nothing is. */
export function useEdit(edits: Edits, target: Target): Edit | undefined {
  return useSyncExternalStore(edits.subscribe, () => edits.of(target))
}

/** Whether anything that was typed is not stored yet. */
export function useDirty(edits: Edits): boolean {
  return useSyncExternalStore(edits.subscribe, edits.isDirty)
}

/** Locale codes have no space. */
function idOf({ key, locale }: Target): string {
  return `${locale} ${key}`
}
