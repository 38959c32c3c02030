/** What of a message arrives nowhere, or incomplete, whoever it goes to: known before anybody is written to. */
import { CHANNEL_TYPES, type ChannelType } from '../channels/channel.ts'
import { PUSH_BYTES, pushBytes, PUSH_CHANNEL_PROVIDERS, type PushChannelProvider } from '../channels/push-size.ts'
import { toMessage } from './compose.ts'
import type { LocalizedContent, MessageContent, MessageTexts } from './content.ts'
import { carriedBy } from './judge.ts'
import { withoutTokens } from './tokens.ts'

/**
 * `relative_link`: a path goes out where it is none, and nobody said what it begins with. `push_too_large`: a provider takes no
 * push message of that size. `public_url_missing`: the server is not told where the links in mails lead.
 */
export type SendingFault =
  | { code: 'relative_link'; channel: ChannelType; locale: string; member: keyof MessageTexts }
  | { code: 'push_too_large'; provider: PushChannelProvider; locale: string; bytes: number; most: number }
  | { code: 'public_url_missing' }

type Sending = {
  channels: readonly string[]
  content: LocalizedContent
  webAddress: string | null
  /** The push providers of the active channels; empty while none is connected, and then any may be meant. */
  pushProviders: readonly string[]
}

export function faultsOfSending({ channels, content, webAddress, pushProviders }: Sending): SendingFault[] {
  const types = CHANNEL_TYPES.filter((type) => channels.includes(type))
  const providers = PUSH_CHANNEL_PROVIDERS.filter((each) => pushProviders.includes(each))
  const asked = pushProviders.length > 0 ? providers : PUSH_CHANNEL_PROVIDERS
  const faults: SendingFault[] = []
  for (const [locale, { variants = [], ...base }] of Object.entries(content)) {
    const said = variants.length === 0 ? [base] : variants.map(({ values }) => ({ ...base, ...values }))
    for (const channel of types) faults.push(...relativeLinks(channel, locale, said, webAddress))
    if (types.includes('push')) faults.push(...tooLarge(asked, locale, said, webAddress))
  }
  return faults
}

/** Whether in some language no provider takes it, so that it would reach nobody. */
export function isPushLost(faults: readonly SendingFault[], { pushProviders }: Pick<Sending, 'pushProviders'>): boolean {
  const refusing = new Map<string, Set<string>>()
  for (const fault of faults) {
    if (fault.code !== 'push_too_large') continue
    const of = refusing.get(fault.locale) ?? new Set()
    refusing.set(fault.locale, of.add(fault.provider))
  }
  // What goes to browsers is cut until it fits, so web push refuses none.
  const asked = pushProviders.length > 0 ? pushProviders : PUSH_CHANNEL_PROVIDERS
  return [...refusing.values()].some((of) => asked.every((provider) => of.has(provider)))
}

function relativeLinks(channel: ChannelType, locale: string, said: readonly MessageContent[], webAddress: string | null): SendingFault[] {
  if (webAddress !== null) return []
  // An app opens its own paths; its system fetches pictures from the web.
  const members =
    channel === 'push' ? (['imageUrl'] as const) : channel === 'sms' ? (['ctaUrl'] as const) : (['imageUrl', 'ctaUrl'] as const)
  return members.flatMap((member) => {
    const isRelative = said.some((content) => carriedBy(channel, content)[member]?.startsWith('/'))
    return isRelative ? [{ code: 'relative_link' as const, channel, locale, member }] : []
  })
}

/** Values of tokens come on top, so what is too large without them is too large for everybody. */
function tooLarge(
  providers: readonly PushChannelProvider[],
  locale: string,
  said: readonly MessageContent[],
  webAddress: string | null,
): SendingFault[] {
  const messages = said.map((content) =>
    toMessage('push', withoutTokens(content), {
      id: ID,
      to: '',
      toName: null,
      language: locale,
      unsubscribeUrl: undefined,
      callbackUrl: undefined,
      webAddress,
    }),
  )
  return providers.flatMap((provider) => {
    const bytes = Math.max(...messages.map((message) => pushBytes(provider, message)))
    return bytes > PUSH_BYTES ? [{ code: 'push_too_large' as const, provider, locale, bytes, most: PUSH_BYTES }] : []
  })
}

/** As long as ids of messages are. */
const ID = '00000000-0000-0000-0000-000000000000'
