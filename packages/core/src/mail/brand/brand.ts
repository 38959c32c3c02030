/**
 * What all mails of sections of a workspace look like and say of it: logo, colours, letters, company, address, social
 * pages (decision 70). Mails name none of it, so a change reaches every mail that leaves afterwards.
 */
import { FONTS, PLAIN_THEME, type MailTheme, type ThemeColours } from '../theme.ts'

export type Brand = {
  logo: BrandLogo | null
  light: ThemeColours
  dark: ThemeColours
  font: BrandFont
  /** Of buttons; pixels. */
  radius: number
  /** By language. */
  texts: { [locale: string]: BrandTexts }
  /** In the order in which mails show them; each network once. */
  social: SocialLink[]
  /** Where links may lead that begin with a token; none: wherever links may lead. Hosts in small letters, such as shop.example.com. */
  linkHosts: string[]
}

/** `src`, `darkSrc`: as of pictures of mails. `alt`: what is read instead of it. `width`: pixels. */
export type BrandLogo = { src: string; darkSrc?: string; alt: string; width: number }
/** What stands at the end of mails, above the link by which people leave. */
export type BrandTexts = { company: string; address: string; footer: string }
export type SocialLink = { network: SocialNetwork; url: string }

/** Only letters that devices have: mail programs load no fonts. Each ends with Arabic letters that every system has. */
export const FONT_STACKS = {
  system: FONTS,
  arial: "Arial,Helvetica,'Noto Naskh Arabic',Tahoma,sans-serif",
  verdana: 'Verdana,Geneva,Tahoma,Arial,sans-serif',
  trebuchet: "'Trebuchet MS','Lucida Grande',Tahoma,Arial,sans-serif",
  georgia: "Georgia,'Noto Naskh Arabic','Times New Roman',serif",
  courier: "'Courier New',Courier,'Noto Naskh Arabic',Tahoma,monospace",
} as const
export type BrandFont = keyof typeof FONT_STACKS
export const BRAND_FONTS = Object.keys(FONT_STACKS) as BrandFont[]

/** Networks with their names as they write them; the same in every language. */
export const SOCIAL_NAMES = {
  website: null,
  facebook: 'Facebook',
  instagram: 'Instagram',
  linkedin: 'LinkedIn',
  pinterest: 'Pinterest',
  snapchat: 'Snapchat',
  telegram: 'Telegram',
  threads: 'Threads',
  tiktok: 'TikTok',
  whatsapp: 'WhatsApp',
  x: 'X',
  youtube: 'YouTube',
} as const
export type SocialNetwork = keyof typeof SOCIAL_NAMES
export const SOCIAL_NETWORKS = Object.keys(SOCIAL_NAMES) as SocialNetwork[]

export const THEME_COLOURS = [
  'page',
  'surface',
  'text',
  'muted',
  'link',
  'primary',
  'onPrimary',
] as const satisfies readonly (keyof ThemeColours)[]
export const THEME_MODES = ['light', 'dark'] as const

/** What mails look like where nobody said anything. */
export const PLAIN_BRAND: Brand = {
  logo: null,
  light: PLAIN_THEME.light,
  dark: PLAIN_THEME.dark,
  font: 'system',
  radius: PLAIN_THEME.radius,
  texts: {},
  social: [],
  linkHosts: [],
}

/** Null: nobody said anything. */
export function themeOf(brand: Brand | null): MailTheme {
  if (brand === null) return PLAIN_THEME
  const { light, dark, radius, font } = brand
  return { light, dark, radius, fonts: FONT_STACKS[font] }
}

/** Words that stand on each other in mails: the one is read on the other. */
export const READ_ON: readonly (readonly [words: keyof ThemeColours, on: keyof ThemeColours])[] = [
  ['text', 'surface'],
  ['muted', 'surface'],
  ['link', 'surface'],
  ['onPrimary', 'primary'],
]
/** Least contrast of text by WCAG 2.1, level AA. */
export const LEAST_CONTRAST = 4.5
