import { createContext, useContext, useMemo, type MouseEvent, type ReactNode } from 'react'
import type { DesignBlock, DesignType } from './reading/design-block.ts'
import type { Link } from './reading/read-link.ts'
import type { Words } from './reading/words.ts'

/** Settings that every part of a design needs, the same for a block and the blocks inside it. */
export type DesignSettings = {
  locale: string
  dir: 'ltr' | 'rtl'
  words: Words | undefined
  assetOrigin: string | undefined
  /** Popups, toasts and tooltips stay in the box they are given, and nothing closes by itself. */
  isInline: boolean
  /** 0 for a block on the page, 1 for a block in its collection, and so on. */
  depth: number
  /** The nearest list hides the numbers of items on its tiles. */
  hidesCounts: boolean
  block: DesignBlock
  /** Draws a block of a collection. A value, since the designs and what picks one of them would import each other. */
  drawBlock: (block: DesignBlock, type: DesignType) => ReactNode
  onClick: ((link: Link, block: DesignBlock, event: MouseEvent<HTMLAnchorElement>) => void) | undefined
  onDismiss: ((block: DesignBlock) => void) | undefined
}

export const SettingsContext = createContext<DesignSettings | undefined>(undefined)

/** Only used by parts inside a `Design`. */
export function useSettings(): DesignSettings {
  const settings = useContext(SettingsContext)
  if (!settings) throw new Error('A part of a design is used outside of <Design>')
  return settings
}

/** The settings of what lies one level further inside. */
export function useInside(changed: Partial<Pick<DesignSettings, 'block' | 'hidesCounts'>>): DesignSettings {
  const settings = useSettings()
  const { block = settings.block, hidesCounts = settings.hidesCounts } = changed
  return useMemo(() => ({ ...settings, block, hidesCounts, depth: settings.depth + 1 }), [settings, block, hidesCounts])
}
