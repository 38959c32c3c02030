/** What somebody would read, made by the functions that send. */
import { chosenContent } from '@contentflow/core/campaigns/render-item.ts'
import type { CampaignContent } from '@contentflow/core/campaigns/campaign.ts'
import type { ChannelType, Message } from '@contentflow/core/channels/channel.ts'
import { toMessage } from '@contentflow/core/messages/compose.ts'
import { MESSAGE_MEMBERS, type MessageContent } from '@contentflow/core/messages/content.ts'
import { fillTokens, type TokenValues } from '@contentflow/core/messages/tokens.ts'

export type Sample = { content: MessageContent; unfinished: string | undefined }

/** The content with its variant and values; what is not finished stays as it is written. */
export function sampleContent(said: CampaignContent, variant: number | null, values: TokenValues): Sample {
  const chosen = chosenContent(said, variant ?? -1)
  let unfinished: string | undefined
  const fill = (text: string) => {
    const filled = fillTokens(text, values)
    if (filled.ok) return filled.text
    unfinished ??= filled.token
    return text
  }
  const content = Object.fromEntries(MESSAGE_MEMBERS.flatMap((name) => (chosen[name] ? [[name, fill(chosen[name])]] : [])))
  return { content, unfinished }
}

export function sampleMessage(channel: ChannelType, content: MessageContent, language: string): Message {
  return toMessage(channel, content, {
    id: '',
    to: '',
    toName: null,
    language,
    unsubscribeUrl: 'https://example.com/unsubscribe',
    callbackUrl: undefined,
  })
}
