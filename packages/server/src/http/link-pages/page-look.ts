/** What pages behind links in mails look like: plain, or in the brand of the workspace that sent the mail. */
import { FONT_STACKS, type Brand } from '@contentflow/core/mail/brand/brand.ts'
import { brandTextsOf } from '@contentflow/core/mail/brand/brand-text.ts'
import type { ThemeColours } from '@contentflow/core/mail/theme.ts'
import { pictureAddress } from '@contentflow/core/messages/compose.ts'
import { escape } from '@contentflow/core/messages/mail.ts'

/** `webAddress`: where its paths lead; null: nowhere, so pictures that are paths are left out. */
export type PageBrand = { brand: Brand; webAddress: string | null }

/** `root`: CSS that names the colours. `logo`, `foot`: HTML, or empty. `company`: empty where the brand names none. */
export type PageLook = { root: string; logo: string; foot: string; company: string; headers: { [name: string]: string } }

/** No script, no other site, nothing kept, nothing told to where a link of it leads. */
export const LINK_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}

const PLAIN: PageLook = {
  root: ":root{color-scheme:light dark;--page:light-dark(#f3f4f6,#111827);--surface:light-dark(#fff,#1f2937);--text:light-dark(#111827,#f3f4f6);--muted:light-dark(#4b5563,#d1d5db);--link:light-dark(#1d4ed8,#bfdbfe);--line:light-dark(#d1d5db,#4b5563);--said:light-dark(#dbeafe,#1e3a8a);--primary:#1d4ed8;--on:#fff;--radius:8px;--font:system-ui,'Segoe UI',Tahoma,sans-serif}",
  logo: '',
  foot: '',
  company: '',
  headers: LINK_PAGE_HEADERS,
}

/** Undefined: the plain look. The brand keeps the contrast of what stands on its surface; only such pairs are used. */
export function lookOf(shown: PageBrand | undefined, language: string): PageLook {
  if (!shown) return PLAIN
  const { brand, webAddress } = shown
  const { company, address } = brandTextsOf(brand, language)
  const { logo, origins } = drawLogo(brand, webAddress)
  return {
    root: rootOf(brand),
    logo,
    foot: [company, address].some((text) => text.trim() !== '') ? `<footer>${linesOf([company, address])}</footer>` : '',
    company: company.trim(),
    headers: withPictures(origins),
  }
}

function rootOf({ light, dark, font, radius }: Brand): string {
  const both = (name: keyof ThemeColours) => `light-dark(${light[name]},${dark[name]})`
  const colours = `--page:${both('page')};--surface:${both('surface')};--text:${both('text')};--muted:${both('muted')};--link:${both('link')}`
  const line = '--line:color-mix(in srgb,var(--text) 30%,var(--surface));--said:var(--surface)'
  return `:root{color-scheme:light dark;${colours};${line};--primary:${both('primary')};--on:${both('onPrimary')};--radius:${radius}px;--font:${FONT_STACKS[font]}}`
}

function linesOf(texts: readonly string[]): string {
  return texts
    .filter((text) => text.trim() !== '')
    .map((text) => `<p>${escape(text.trim()).replaceAll(/\r\n|\r|\n/g, '<br>')}</p>`)
    .join('')
}

/** `origins`: from where its pictures are loaded. */
function drawLogo({ logo }: Brand, webAddress: string | null): { logo: string; origins: string[] } {
  const src = logo ? pictureAddress(logo.src, webAddress) : undefined
  if (!logo || src === undefined) return { logo: '', origins: [] }
  const darkSrc = pictureAddress(logo.darkSrc, webAddress)
  const dark = darkSrc === undefined ? '' : `<source srcset="${escape(darkSrc)}" media="(prefers-color-scheme: dark)">`
  const drawn = `<picture>${dark}<img class="logo" src="${escape(src)}" alt="${escape(logo.alt)}" width="${logo.width}"></picture>`
  const origins = [src, ...(darkSrc === undefined ? [] : [darkSrc])].flatMap((url) => (URL.canParse(url) ? [new URL(url).origin] : []))
  return { logo: `<p class="brand">${drawn}</p>`, origins: [...new Set(origins)] }
}

/** Nothing else is loaded, and from nowhere else. */
function withPictures(origins: readonly string[]): PageLook['headers'] {
  if (origins.length === 0) return LINK_PAGE_HEADERS
  const policy = LINK_PAGE_HEADERS['content-security-policy']
  return { ...LINK_PAGE_HEADERS, 'content-security-policy': `${policy}; img-src ${origins.join(' ')}` }
}

/** Of what both pages have of a brand. */
export const BRAND_STYLE =
  '.brand{margin:0 0 1rem}.logo{display:block;max-width:100%;height:auto}footer{margin-top:2rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--muted);font-size:.875rem}footer p{margin:0}'
