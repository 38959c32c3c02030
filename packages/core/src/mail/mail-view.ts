/** What is drawn: a mail of sections in one language, for one person or for nobody yet. */
import type { Brand } from './brand/brand.ts'
import type { MailDocument, MailTexts } from './document.ts'
import type { MailTheme } from './theme.ts'

/**
 * `texts`: those of `locale`, with their tokens filled. `theme`: of the brand (`themeOf`). `hrefOf`: where a place of the mail
 * leads when it is sent; undefined: nowhere. `brand`: logo, company and social pages; null or left out: there are none.
 */
export type MailView = {
  document: Pick<MailDocument, 'sections'>
  texts: MailTexts
  locale: string
  theme: MailTheme
  brand?: Brand | null | undefined
  unsubscribeUrl: string | undefined
  preferencesUrl?: string | undefined
  hrefOf(node: string, url: string): string | undefined
  /** The whole address of a picture; undefined: it is left out. */
  sourceOf(src: string): string | undefined
  /** A picture that is not seen: whoever looks at the mail loads it. */
  pictureUrl?: string | undefined
  /** A link that nobody sees. */
  trapUrl?: string | undefined
}

/** The name of the link with this number, from 0, in a text: the same in every language that has as many. */
export function linkNode(id: string, number: number): string {
  return `${id}.${number + 1}`
}
