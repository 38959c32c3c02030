import { createContext, use } from 'react'
import type { Locale } from '@contentflow/server/wire.ts'
import type { Draft } from './draft.ts'
import type { Fault } from './faults.ts'
import type { TokenChoice } from '../../../ui/tokens/use-tokens.ts'

export type Composer = {
  draft: Draft
  change: (part: Partial<Draft>) => void
  /** Changes the shared content in the open language. */
  changeContent: (part: Partial<Draft['content'][string]>) => void
  faults: readonly Fault[]
  /** Missing parts are only marked after somebody asked to continue. */
  isChecked: boolean
  locales: readonly Locale[]
  source: Locale | undefined
  tokens: readonly TokenChoice[]
  /** The language that is edited and previewed. */
  locale: string
  setLocale: (locale: string) => void
  /** The index of the open variant. Null: the shared content, over which variants are merged. */
  variant: number | null
  setVariant: (variant: number | null) => void
}

export const ComposerContext = createContext<Composer | undefined>(undefined)

export function useComposer(): Composer {
  const composer = use(ComposerContext)
  if (!composer) throw new Error('useComposer is for parts of the composer')
  return composer
}
