/** Reads a brand as somebody sends it; what is left out is as in `PLAIN_BRAND`. */
import { isPlainObject, type Json } from '../../blocks/field.ts'
import { imageFault, urlFault } from '../../blocks/links/safe-url.ts'
import { Fault, fault, integer, object, oneOf, shown } from '../../journeys/read-values.ts'
import { LIMITS } from '../../limits.ts'
import { foldTag, languageTag } from '../../locale/language-tag.ts'
import { faultOfLocale } from '../../messages/content.ts'
import { address, list, readColour, string } from '../read-document.ts'
import { contrast, type ThemeColours } from '../theme.ts'
import {
  BRAND_FONTS,
  LEAST_CONTRAST,
  PLAIN_BRAND,
  READ_ON,
  SOCIAL_NETWORKS,
  THEME_COLOURS,
  THEME_MODES,
  type Brand,
  type BrandLogo,
  type BrandTexts,
  type SocialLink,
} from './brand.ts'

export type ReadBrand = { ok: true; value: Brand } | { ok: false; error: string }

const MEMBERS = ['logo', 'light', 'dark', 'font', 'radius', 'texts', 'social', 'linkHosts'] as const

/** `at`: the member of the body that holds the brand; a refusal names the place below it, such as `brand.light.text`. */
export function readBrand(at: string, value: unknown): ReadBrand {
  try {
    return { ok: true, value: readAll(at, value) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { ok: false, error: error.message }
  }
}

function readAll(at: string, value: unknown): Brand {
  const sent = object(at, value, MEMBERS)
  const { logo = null, light, dark, font = PLAIN_BRAND.font, radius = PLAIN_BRAND.radius, texts = {}, social = [], linkHosts = [] } = sent
  const brand: Brand = {
    logo: logo === null ? null : readLogo(`${at}.logo`, logo),
    light: readColours(`${at}.light`, light, PLAIN_BRAND.light),
    dark: readColours(`${at}.dark`, dark, PLAIN_BRAND.dark),
    font: oneOf(`${at}.font`, font, BRAND_FONTS),
    radius: integer(`${at}.radius`, radius, { min: 0, max: LIMITS.brandRadius }),
    texts: readTexts(`${at}.texts`, texts),
    social: readSocial(`${at}.social`, social),
    linkHosts: readHosts(`${at}.linkHosts`, linkHosts),
  }
  for (const mode of THEME_MODES) checkContrast(`${at}.${mode}`, brand[mode])
  return brand
}

function readLogo(at: string, value: Json): BrandLogo {
  const { src, darkSrc, alt, width } = object(at, value, ['src', 'darkSrc', 'alt', 'width'])
  return {
    src: picture(`${at}.src`, src),
    ...(darkSrc !== undefined && darkSrc !== null && { darkSrc: picture(`${at}.darkSrc`, darkSrc) }),
    alt: string(`${at}.alt`, alt ?? '', LIMITS.mailAltLength),
    width: integer(`${at}.width`, width, LIMITS.brandLogoWidth),
  }
}

/** The same picture for everybody. */
function picture(at: string, value: unknown): string {
  const src = address(at, value, imageFault)
  return src === '' || src.includes('{{') ? fault(`${at} must be the address of a picture, without tokens`) : src
}

function readColours(at: string, value: Json | undefined, plain: ThemeColours): ThemeColours {
  if (value === undefined) return plain
  const sent = object(at, value, THEME_COLOURS)
  const read = { ...plain }
  for (const name of THEME_COLOURS) if (sent[name] !== undefined) read[name] = readColour(`${at}.${name}`, sent[name])
  return read
}

function checkContrast(at: string, colours: ThemeColours): void {
  for (const [words, on] of READ_ON) {
    const found = contrast(colours[words], colours[on])
    if (found < LEAST_CONTRAST)
      fault(
        `${at}.${words} ${colours[words]} on ${at}.${on} ${colours[on]} has a contrast of ${found.toFixed(2)}; it must have at least ${LEAST_CONTRAST}`,
      )
  }
}

function readTexts(at: string, value: Json): Brand['texts'] {
  if (!isPlainObject(value)) fault(`${at} must be an object with a member for each language`)
  const entries = Object.entries(value)
  if (entries.length > LIMITS.mailLocales) fault(`${at} must have at most ${LIMITS.mailLocales} languages`)
  const folded = new Set<string>()
  return Object.fromEntries(
    entries.map(([locale, texts]): [string, BrandTexts] => {
      const wrong = faultOfLocale(locale)
      if (wrong !== undefined) fault(`${at}.${wrong}`)
      if (folded.has(foldTag(locale))) fault(`${at} has the language ${locale} twice`)
      folded.add(foldTag(locale))
      const { company = '', address: postal = '', footer = '' } = object(`${at}.${locale}`, texts, ['company', 'address', 'footer'])
      return [
        languageTag(locale),
        {
          company: string(`${at}.${locale}.company`, company, LIMITS.brandCompanyLength),
          address: string(`${at}.${locale}.address`, postal, LIMITS.brandTextLength),
          footer: string(`${at}.${locale}.footer`, footer, LIMITS.brandTextLength),
        },
      ]
    }),
  )
}

function readSocial(at: string, value: Json): SocialLink[] {
  const found = list(at, value, SOCIAL_NETWORKS.length).map((each, index) => {
    const { network, url } = object(`${at}[${index}]`, each, ['network', 'url'])
    const read = address(`${at}[${index}].url`, url, urlFault)
    if (!/^https:\/\//i.test(read) || read.includes('{{')) fault(`${at}[${index}].url must be a complete https link`)
    return { network: oneOf(`${at}[${index}].network`, network, SOCIAL_NETWORKS), url: read }
  })
  found.forEach(({ network }, index) => {
    if (found.findIndex((each) => each.network === network) < index) fault(`${at}[${index}].network ${network} is there twice`)
  })
  return found
}

function readHosts(at: string, value: Json): string[] {
  const read = list(at, value, LIMITS.brandLinkHosts).map((host, index) => {
    const text = string(`${at}[${index}]`, host, LIMITS.brandHostLength).toLowerCase()
    const labels = text.split('.')
    const isHost = labels.length > 1 && labels.every((label) => /^[a-z0-9-]{1,63}$/.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '')
    return isHost ? text : fault(`${at}[${index}] ${shown(text)} must be a host such as shop.example.com`)
  })
  return [...new Set(read)]
}
