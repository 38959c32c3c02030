/** A message as a person would read it, made by the functions that send. */
import type { CampaignContent } from '@contentflow/core/campaigns/campaign.ts'
import type { ChannelType, Message } from '@contentflow/core/channels/channel.ts'
import { toMessage } from '@contentflow/core/messages/compose.ts'
import type { Brand } from '@contentflow/core/mail/brand/brand.ts'
import type { FilledMail, MailDocument } from '@contentflow/core/mail/document.ts'
import { exampleAttributes, layProducts } from '@contentflow/core/mail/products/products.ts'
import { fillTexts } from '@contentflow/core/mail/fill-texts.ts'
import { MESSAGE_MEMBERS, type MessageContent } from '@contentflow/core/messages/content.ts'
import { carriedBy } from '@contentflow/core/messages/judge.ts'
import { fillMember, fillTokens, type TokenValues } from '@contentflow/core/messages/tokens.ts'
import { isTrackable } from '@contentflow/core/messages/responses/tracked-nodes.ts'
import { sampleShortLink } from '@contentflow/core/messages/short-link.ts'
import type { SendChannel } from '@contentflow/core/messages/window.ts'
import type { PreviewContent } from './shown.ts'

export type Sample = { content: MessageContent; unfinished: string | undefined }

/** The content with its variant and values; what is not finished stays as it is written. */
export function sampleContent(channel: SendChannel, said: CampaignContent, variant: number | null, values: TokenValues): Sample {
  const { whatsappTemplate, ...chosen } = carriedBy(channel, { ...said, ...said.variants?.[variant ?? -1]?.values })
  let unfinished: string | undefined
  const fill = (text: string, name?: (typeof MESSAGE_MEMBERS)[number]) => {
    const filled = name ? fillMember(name, text, values, null) : fillTokens(text, values)
    if (filled.ok) return filled.text
    unfinished ??= filled.token
    return text
  }
  const content = Object.fromEntries(MESSAGE_MEMBERS.flatMap((name) => (chosen[name] ? [[name, fill(chosen[name], name)]] : [])))
  if (!whatsappTemplate) return { content, unfinished }
  const variables = Object.entries(whatsappTemplate.variables ?? {}).map(([name, text]) => [name, fill(text)])
  return { content: { ...content, whatsappTemplate: { ...whatsappTemplate, variables: Object.fromEntries(variables) } }, unfinished }
}

/** A mail of sections with values; what is not finished stays as it is written. */
export function sampleMail(
  document: MailDocument,
  locale: string,
  values: TokenValues,
  brand: Brand | null = null,
): { mail: FilledMail; unfinished: string | undefined } {
  const texts = document.texts[locale]!
  const filled = fillTexts(texts, values, null, brand?.linkHosts)
  const said = { document, texts: filled.ok ? filled.texts : texts, brand }
  const mail = layProducts(said, { locale, attributes: exampleAttributes(document), schemes: null }) ?? said
  return { mail, unfinished: filled.ok ? undefined : filled.token }
}

export function sampleMessage(
  channel: ChannelType,
  { content, mail, locale, addresses, isShort }: Pick<PreviewContent, 'content' | 'mail' | 'locale' | 'addresses' | 'isShort'>,
): Message {
  const { linkAddress } = addresses
  const short = isShort && linkAddress !== undefined && channel !== 'email' && channel !== 'push' ? sampleShortLink(linkAddress) : undefined
  return toMessage(channel, content, {
    id: '',
    to: '',
    toName: null,
    language: locale,
    callbackUrl: undefined,
    mail,
    ...addresses,
    ...(short !== undefined && { tracked: { link: (_: string, url: string) => (isTrackable(url) ? short : url) } }),
  })
}
