/** Templates that every workspace may begin a mail with, in English and Arabic (decision 70). They show no pictures and name no company. */
import type { Brand } from '../brand/brand.ts'
import type { Colour, MailDocument } from '../document.ts'
import { PLAIN_THEME } from '../theme.ts'
import { documentOf, type GalleryCategory, type Template } from './build.ts'
import { NEWS } from './news.ts'
import { ORDERS } from './orders.ts'
import { RELATIONSHIP } from './relationship.ts'
import { SEASONS } from './seasons.ts'
import { SHOPPING } from './shopping.ts'
import { START } from './start.ts'

export type GalleryMail = { id: string; category: GalleryCategory; names: { en: string; ar: string }; document: MailDocument }

const TEMPLATES: readonly Template[] = [...START, ...ORDERS, ...SHOPPING, ...SEASONS, ...NEWS, ...RELATIONSHIP]

/** In the colours of the brand; null: in those of mails where nobody said anything. */
export function galleryOf(brand: Brand | null): GalleryMail[] {
  const { primary, surface } = brand?.light ?? PLAIN_THEME.light
  const look = { primary, soft: mix(primary, surface, 0.08) }
  return TEMPLATES.map((template) => {
    const { id, category, names } = template
    return { id, category, names, document: documentOf(template, look) }
  })
}

/** `share`: of the first colour, 0 to 1. */
function mix(one: Colour, other: Colour, share: number): Colour {
  const part = (colour: Colour, at: number) => Number.parseInt(colour.slice(at, at + 2), 16)
  const mixed = [1, 3, 5].map((at) => Math.round(part(one, at) * share + part(other, at) * (1 - share)))
  return `#${mixed.map((each) => each.toString(16).padStart(2, '0')).join('')}`
}
