/** The answers of the strings routes, and the paths that a change makes stale. */
import type { Locale, StringItem } from '@contentflow/server/wire.ts'
import { useRead } from '../../data.ts'

export type {
  Approved,
  Drafted,
  DraftedMany,
  ImportEffect,
  Locale,
  Member,
  Namespace,
  SensorAnswer,
  SensorRequest,
  StringImport as Import,
  StringItem,
} from '@contentflow/server/wire.ts'
type Translation = StringItem['translations'][string]
export type Status = Translation['status']
export type Warning = Translation['warnings'][number]

/** Paths whose data a change of any string makes stale. */
export const STALE = ['/strings', '/locales', '/reviews', '/content/overview']

export function pathOf(key: string): string {
  return `/strings/${encodeURIComponent(key)}`
}

export function translationPath(key: string, locale: string): string {
  return `${pathOf(key)}/translations/${encodeURIComponent(locale)}`
}

/** The version as a call sends it; a tag of the server has quotes. */
export function versionOf(etag: string | undefined): string | undefined {
  return etag?.slice(1, -1)
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
