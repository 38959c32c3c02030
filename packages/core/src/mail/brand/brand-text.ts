/** What the brand says in a mail, as words. */
import { pickContentLocale } from '../../messages/content.ts'
import type { MailView } from '../mail-view.ts'
import { SOCIAL_NAMES, type Brand, type BrandTexts, type SocialNetwork } from './brand.ts'

type Shown = Pick<MailView, 'brand' | 'locale'>

/** In the language of the mail, else in the first that the brand has. */
export function brandTextsOf(brand: Brand | null | undefined, locale: string): BrandTexts {
  const said = new Map(Object.entries(brand?.texts ?? {}))
  const locales = [...said.keys()]
  const known = said.get(pickContentLocale(locales, locale, null) ?? locales[0] ?? '')
  return known ?? { company: '', address: '', footer: '' }
}

const WEBSITE = { en: 'Website', ar: 'موقعنا' }

export function networkWords(network: SocialNetwork, locale: string): string {
  return SOCIAL_NAMES[network] ?? (/^ar\b/i.test(locale) ? WEBSITE.ar : WEBSITE.en)
}

/** Company, address and the text below them, each a paragraph; only what there is. */
export function companyLines({ brand, locale }: Shown): string[] {
  const { company, address, footer } = brandTextsOf(brand, locale)
  return [company, address, footer].map((text) => text.trim()).filter((text) => text !== '')
}

export function companyText(shown: Shown): string {
  return companyLines(shown).join('\n')
}

/** The words that are read instead of the logo, or the name of the company where there is no logo. */
export function logoText({ brand, locale }: Shown): string {
  return brand?.logo ? brand.logo.alt : brandTextsOf(brand, locale).company.trim()
}

export function socialText({ brand, locale }: Shown): string {
  return (brand?.social ?? []).map(({ network, url }) => `${networkWords(network, locale)}: ${url}`).join('\n')
}
