/** Turns what a person is told into what a channel carries. */
import { isRightToLeft, type ChannelType, type Message } from '../channels/channel.ts'
import { imageFault, urlFault } from '../blocks/safe-url.ts'
import type { MessageContent } from './content.ts'
import { renderMail } from './mail.ts'
import { nameInMessage } from './token-value.ts'

type Addressed = {
  id: string
  to: string
  toName: string | null
  language: string
  unsubscribeUrl: string | undefined
  callbackUrl: string | undefined
}

const SUBJECT_LENGTH = 78

/** A message as a provider is given it. Addresses that are not safe once their tokens are filled are left out. */
export function toMessage(
  channel: ChannelType,
  content: MessageContent,
  { id, to, toName, language, unsubscribeUrl, callbackUrl }: Addressed,
): Message {
  const { title = '', body = '' } = content
  const shownName = nameInMessage(toName ?? '')
  const imageUrl = content.imageUrl !== undefined && imageFault(content.imageUrl) === undefined ? content.imageUrl : undefined
  const ctaUrl = content.ctaUrl !== undefined && urlFault(content.ctaUrl) === undefined ? content.ctaUrl : undefined
  const button = ctaUrl === undefined ? undefined : { label: content.ctaLabel || ctaUrl, url: ctaUrl }
  const common = { id, to, title, body, language, ...(imageUrl !== undefined && { imageUrl }), ...(button && { button }) }
  const { whatsappTemplate: template } = content
  if (channel !== 'email')
    return {
      ...common,
      ...(callbackUrl !== undefined && { callbackUrl }),
      ...(template && channel === 'whatsapp' && { template: { id: template.id, variables: inOneLine(template.variables ?? {}) } }),
    }
  return {
    ...common,
    ...renderMail({ title, body, imageUrl, button, language, isRightToLeft: isRightToLeft(language), unsubscribeUrl }),
    title: title || firstLine(body),
    ...(shownName !== '' && { toName: shownName }),
    ...(unsubscribeUrl !== undefined && { unsubscribeUrl }),
  }
}

/** WhatsApp refuses values with line breaks, tabs or many spaces in a row. */
function inOneLine(variables: { [name: string]: string }): { [name: string]: string } {
  return Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, text.replaceAll(/\s+/g, ' ').trim()]))
}

function firstLine(body: string): string {
  const line = body.trim().split('\n', 1)[0] ?? ''
  return line.length > SUBJECT_LENGTH ? `${line.slice(0, SUBJECT_LENGTH - 1)}…` : line
}
