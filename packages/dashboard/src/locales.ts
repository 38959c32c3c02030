import type { Locale } from '@contentflow/server/wire.ts'
import { useRead } from './data.ts'

/** The languages of the workspace, the source language first. */
export function useLocales(): readonly Locale[] | undefined {
  const { data } = useRead<{ locales: Locale[] }>('/locales')
  return data?.locales.toSorted((a, b) => Number(b.source) - Number(a.source))
}
