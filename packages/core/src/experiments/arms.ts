/** Which variants of a campaign are compared, by language, and the same content once somebody decided for one of them. */
import type { CampaignContent, CampaignVariant } from '../campaigns/campaign.ts'

/** Whom weights divide: those who are shown this language; null: all. */
export type Arm = { locale: string | null; variants: { id: string; weight: number }[] }

type Localized<V> = { readonly [locale: string]: { variants?: readonly V[] } }

export const isCompared = (variants: Arm['variants']): boolean => variants.filter(({ weight }) => weight > 0).length > 1

/** In the order of the languages; those in which nothing is compared are none. */
export function armsOf(content: Localized<Pick<CampaignVariant, 'id' | 'weight'>>): Arm[] {
  return Object.entries(content)
    .map(([locale, { variants = [] }]) => ({ locale, variants: variants.map(({ id, weight }) => ({ id, weight })) }))
    .filter(({ variants }) => isCompared(variants))
    .toSorted((a, b) => (a.locale < b.locale ? -1 : 1))
}

/** With this variant alone in each language that has it; null: with none in any. A language without it stays as it is. */
export function withCampaignVariant(
  content: { [locale: string]: CampaignContent },
  id: string | null,
): { [locale: string]: CampaignContent } {
  return Object.fromEntries(
    Object.entries(content).map(([locale, { variants = [], ...texts }]) => {
      const chosen = variants.filter((variant) => variant.id === id)
      const kept = id === null ? [] : chosen.length > 0 ? chosen : variants
      return [locale, { ...texts, ...(kept.length > 0 && { variants: kept }) }]
    }),
  )
}
