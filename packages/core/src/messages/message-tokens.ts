/** What the tokens of a whole message name: of its texts, and of the mail of sections that goes by email instead of them. */
import type { MailDocument } from '../mail/document.ts'
import { textsOfMails } from '../mail/fill-texts.ts'
import type { LocalizedContent } from './content.ts'
import { namesPage, tokensIn, tokensOf } from './tokens.ts'

/** `mail`: undefined or null where there is none. */
export type WholeMessage = { content: LocalizedContent; mail?: MailDocument | null | undefined }

/** In every language and variant, each once. */
export function tokensOfMessage({ content, mail }: WholeMessage): string[] {
  const variants = Object.values(content).flatMap(({ variants: own = [] }) => own)
  return [...new Set([...tokensOf(content), ...tokensIn([mail, ...variants.map((each) => each.mail)].flatMap(textsOfMails))])]
}

/** Whether it leads anywhere to the page of a person's preferences. */
export function namesPreferences(message: WholeMessage): boolean {
  return namesPage(tokensOfMessage(message))
}

/** Whether it says anything of an event of a journey. */
export function namesEvents(message: WholeMessage): boolean {
  return tokensOfMessage(message).some((token) => token.startsWith('event.') || token.startsWith('lastEvent.'))
}
