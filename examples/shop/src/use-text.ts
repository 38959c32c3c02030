import type { MessageValues } from '@contentflow/sdk'
import { useClient, useSnapshot } from '@contentflow/sdk/react'
import { OWN_TEXTS, type OwnText } from './own-texts.ts'
import type { ShopLocale } from './remembered.ts'

export type Text = {
  locale: ShopLocale
  /** A text of the shop, from the catalog. */
  t: (key: string, values?: MessageValues) => string
  /** A text of the demo itself. */
  own: (name: OwnText, values?: { [name: string]: string }) => string
}

/** The texts of the language that was delivered, so that a page never mixes two. */
export function useText(): Text {
  const client = useClient()
  const { strings, locale: asked } = useSnapshot()
  const locale = (strings?.locale ?? asked ?? 'en').startsWith('ar') ? 'ar' : 'en'
  return {
    locale,
    // The place of a text that has not arrived yet is kept; its key would be read.
    t: (key, values) => (strings ? client.t(key, values) : '\u00a0'),
    own: (name, values = {}) => OWN_TEXTS[locale][name].replace(/\{(\w+)\}/g, (_, value: string) => values[value] ?? ''),
  }
}
