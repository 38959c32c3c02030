import { useLocales } from '../../../../locales.ts'
import type { Campaign } from '../../api.ts'
import { warningsOfStored, type LanguageWarning } from './warnings.ts'

/** Warnings about a stored campaign. */
export function useLanguageWarnings({ content }: Pick<Campaign, 'content'>): {
  warnings: LanguageWarning[]
  source: string | undefined
} {
  const source = useLocales()?.find((locale) => locale.source)?.code
  return { warnings: warningsOfStored(content, source), source }
}
