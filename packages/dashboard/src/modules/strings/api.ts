/** What the strings routes answer, and the paths that a change makes stale. */
import type { Warning } from '@contentflow/core/strings/placeholders.ts'
import type { ImportEffect, ImportSummary } from '@contentflow/core/strings/read-import.ts'
import type { Status } from '@contentflow/core/strings/status.ts'
import { useRead } from '../../data.ts'

export type { ImportEffect, Status, Warning }

type Translation = {
  text: string | null
  status: Status
  /** Proposed by the server, and not yet touched by anybody. */
  drafted: boolean
  updatedAt: string | null
  warnings: Warning[]
}

export type StringItem = {
  key: string
  namespace: string
  description: string
  sourceText: string
  hidden: boolean
  sensor: boolean
  /** By locale; the source language has none. */
  translations: Record<string, Translation>
  createdAt: string
  updatedAt: string
}

export type Locale = {
  code: string
  name: string
  native: string
  rtl: boolean
  /** Percent of the visible strings that are approved. */
  coverage: number
  source: boolean
  counts: { ok: number; review: number; missing: number }
}

export type Namespace = { namespace: string; strings: number }
export type SensorRequest = { id: string; key: string; requestedBy: string; createdAt: string }
export type SensorAnswer = { key: string; sensor: boolean; requestId?: string }
export type Member = { userId: string; name: string; email: string }

export type Approved = {
  approved: string[]
  alreadyApproved: string[]
  missing: string[]
  unknown: string[]
  mismatched: { key: string; message: string }[]
}

export type Draft = { source: 'memory' | 'source'; similarity: number | null; fromKey: string | null }
export type Drafted = { key: string; locale: string; text: string; status: Status; draft: Draft }
export type DraftedMany = { drafted: Drafted[]; missing: number }

export type Import = {
  importId: string
  status: 'pending' | 'applied' | 'cancelled' | 'lapsed'
  fileName: string | null
  summary: ImportSummary
  createdBy: string
  createdAt: string
  expiresAt: string
  finishedAt: string | null
}

/** What a change of any string makes stale. */
export const STALE = ['/strings', '/locales']

export function pathOf(key: string): string {
  return `/strings/${encodeURIComponent(key)}`
}

export function translationPath(key: string, locale: string): string {
  return `${pathOf(key)}/translations/${encodeURIComponent(locale)}`
}

export type Languages = { source: Locale | undefined; translated: Locale[]; all: Locale[] }

/** The languages of the workspace, those that are translated into apart. Undefined until they are loaded. */
export function useLanguages() {
  const found = useRead<{ locales: Locale[] }>('/locales')
  const all = found.data?.locales
  const languages: Languages | undefined = all && {
    all,
    source: all.find(({ source }) => source),
    translated: all.filter(({ source }) => !source),
  }
  return { languages, error: found.error, retry: () => void found.refetch() }
}

/** Attributes of an element that holds a text in a language: it is read in that language's own direction. */
export function inLanguage(locale: Pick<Locale, 'code' | 'rtl'> | undefined): { lang?: string; dir: 'ltr' | 'rtl' | 'auto' } {
  return locale ? { lang: locale.code, dir: locale.rtl ? 'rtl' : 'ltr' } : { dir: 'auto' }
}
