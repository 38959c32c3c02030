/** The links that messages hold: where their buttons lead. Their pictures are pages of the web in every workspace. */
import type { Link } from '../blocks/links/link-schemes.ts'
import type { LocalizedContent, MessageContent } from './content.ts'

export function linksOfMessage(at: string, { ctaUrl }: MessageContent): Link[] {
  return ctaUrl === undefined || ctaUrl === '' ? [] : [{ at: `${at}.ctaUrl`, url: ctaUrl }]
}

/** In every language and variant. */
export function linksOfMessages(at: string, content: LocalizedContent): Link[] {
  return Object.entries(content).flatMap(([locale, { variants = [], ...message }]) => [
    ...linksOfMessage(`${at}.${locale}`, message),
    ...variants.flatMap(({ values }, index) => linksOfMessage(`${at}.${locale}.variants[${index}].values`, values)),
  ])
}
