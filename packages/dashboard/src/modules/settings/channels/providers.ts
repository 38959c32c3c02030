import { CHANNEL_TYPES, type ChannelType, type Member } from '@contentflow/core/channels/channel.ts'
import { describe, PROVIDERS, type ProviderName } from '@contentflow/core/channels/providers.ts'
import type { Channel } from '../api.ts'
import type { useProviderTexts } from './texts-providers.ts'

export const TYPES = CHANNEL_TYPES
const PROVIDERS_OF = new Map(TYPES.map((type) => [type, PROVIDERS.filter((provider) => describe(provider).type === type)]))

export function providersOf(type: ChannelType): readonly ProviderName[] {
  return PROVIDERS_OF.get(type) ?? []
}

/** Brands are the same in every language; the texts name providers without one. */
export const BRANDS: Partial<Record<ProviderName, string>> = {
  sendgrid: 'SendGrid',
  mailgun: 'Mailgun',
  resend: 'Resend',
  taqnyat: 'Taqnyat',
  twilio: 'Twilio',
  'twilio-whatsapp': 'Twilio WhatsApp',
  fcm: 'Firebase (FCM)',
  apns: 'Apple (APNs)',
  hms: 'Huawei (HMS)',
}

/** Pages of the providers that say how an account is prepared. */
export const DOCUMENTS: Partial<Record<ProviderName, string>> = {
  sendgrid: 'https://www.twilio.com/docs/sendgrid',
  mailgun: 'https://documentation.mailgun.com',
  resend: 'https://resend.com/docs',
  taqnyat: 'https://dev.taqnyat.sa',
  twilio: 'https://www.twilio.com/docs/messaging',
  'twilio-whatsapp': 'https://www.twilio.com/docs/whatsapp',
  fcm: 'https://firebase.google.com/docs/cloud-messaging',
  apns: 'https://developer.apple.com/documentation/usernotifications',
  hms: 'https://developer.huawei.com/consumer/en/hms/huawei-pushkit',
  web_push: 'https://developer.mozilla.org/en-US/docs/Web/API/Push_API',
}

type Say = ReturnType<typeof useProviderTexts>
type Key = Parameters<Say>[0]

export function providerName(provider: ProviderName, t: Say): string {
  return BRANDS[provider] ?? t(provider as Key)
}

/** A sender of email is an address, one of Twilio a number; the key of Apple is a file, that of web push a text. */
function wordOf({ name, kind }: Member): string {
  if (name === 'privateKey' && kind === 'text') return 'privateKeyVapid'
  return name === 'from' && kind === 'text' ? 'fromNumber' : name
}

export function memberName(member: Member, t: Say): string {
  return t(`member_${wordOf(member)}` as Key)
}

const HELPED = new Set(
  'port secure username from fromNumber fromName region messagingServiceSid helpText sender serviceAccount teamId keyId privateKey dkimDomain dkimSelector dkimPrivateKey privateKeyVapid publicKey subject homeUrl iconUrl hosts production callbackUser callbackKey callbackSecret'.split(
    ' ',
  ),
)

export function memberHelp(provider: ProviderName, member: Member, t: Say): string | undefined {
  if (member.name === 'baseUrl')
    return t(isGatewayOnly(provider) ? 'help_baseUrl_own' : 'help_baseUrl', { provider: providerName(provider, t) })
  const word = wordOf(member)
  return HELPED.has(word) ? t(`help_${word}` as Key) : undefined
}

/** It is only the interface of a gateway. */
export function isGatewayOnly(provider: ProviderName): boolean {
  return provider === 'contentflow-sms'
}

/** The members that an admin needs at hand. */
export function neededMembers(provider: ProviderName): Member[] {
  // Twilio takes a service in place of the number, and the gateway can be named later.
  const isNeededToo = (name: string) => (isGatewayOnly(provider) ? name === 'baseUrl' : name === 'from')
  return describe(provider).members.filter(({ name, isRequired }) => isRequired === true || isNeededToo(name))
}

/** The order in which channels of a type send: the first that is on. */
export function inOrder(channels: readonly Channel[]): Channel[] {
  return channels.toSorted((a, b) => b.priority - a.priority || (a.id < b.id ? -1 : 1))
}
