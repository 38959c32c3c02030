/** What the providers have in common: a message, the call that sends it, and what may come of it. */

export const CHANNEL_TYPES = ['email', 'sms', 'whatsapp', 'push'] as const
export type ChannelType = (typeof CHANNEL_TYPES)[number]
/** Those whose contacts are closed when there are none such (G-88); the tokens of push messages go instead. */
export const CLOSABLE = ['email', 'sms', 'whatsapp'] as const
export type Closable = (typeof CLOSABLE)[number]

/** `to`: an address, a number in international form with its plus, or a token. `id` is ours, the same at every attempt. */
export type Message = {
  id: string
  to: string
  toName?: string
  title: string
  body: string
  /** HTML of an email; without it the text alone is sent. */
  html?: string
  imageUrl?: string
  button?: { label: string; url: string }
  language?: string
  /** Address for the one-click unsubscription of an email (RFC 8058). */
  unsubscribeUrl?: string
  /** Address at which the provider reports what became of the message, for providers that take it with each message. */
  callbackUrl?: string
  /** Of push messages to browsers: one that was not read yet is replaced by the next of its topic; how long it waits for a browser that is off. */
  topic?: string
  ttlSeconds?: number
  urgency?: 'very-low' | 'low' | 'normal' | 'high'
  /** Template of a WhatsApp message: outside a conversation WhatsApp only takes approved templates. */
  template?: { id: string; variables: Record<string, string> }
}

/** Checked and complete (configuration.ts); no member that is not its provider's. */
export type Configuration = { [member: string]: string | number | boolean | { [member: string]: string } }

/** `basic`: the name and password of basic authorization, which the caller encodes. `encryptFor`: the keys of the browser that the body is for (RFC 8291). */
export type ProviderRequest = {
  url: string
  headers: Record<string, string>
  body: string
  basic?: { name: string; password: string }
  isHttp2?: true
  encryptFor?: { p256dh: string; auth: string }
}
/** `at`: when it arrived, in milliseconds. Names of headers in small letters. */
export type ProviderAnswer = { status: number; headers: Record<string, string | undefined>; body: string; at: number }

/**
 * `sent`: taken, not delivered. `retry`: surely not taken; `after` in seconds. `failed`: never succeeds like this; `pauses` when
 * the next message would fail alike; `isUnasked` when it says nothing of the channel, because nobody was called. `isTokenStale`: with a new token it may go. `isBusy`: the provider is asked too often, whatever the message.
 * `gone`: this token or contact is never reached; `isDoubtful`: or the channel is set up for another app. `uncertain`: it may have gone out.
 */
export type ProviderOutcome =
  | { kind: 'sent'; id: string | null }
  | { kind: 'retry'; text: string; after?: number; pauses?: true; isTokenStale?: true; isBusy?: true }
  | { kind: 'failed'; text: string; pauses?: true; isTokenStale?: true; isUnasked?: true }
  | { kind: 'gone'; text: string; isOptOut?: true; isDoubtful?: true }
  | { kind: 'uncertain'; text: string }

/** A provider that is called over HTTP. `token`: what `tokens` names signs or fetches before. */
export type HttpProvider = {
  type: ChannelType
  members: readonly Member[]
  /** What its members lack together. */
  faultOf?(configuration: Configuration): string | undefined
  /** Why it is not called yet, with a configuration that can be stored. */
  lackOf?(configuration: Configuration): string | undefined
  tokens?: 'fcm' | 'apns' | 'hms' | 'vapid'
  /** Whom the token is for, where each has its own. */
  audienceOf?(message: Message): string
  /** Why nobody is called for this message. */
  unaskedOf?(configuration: Configuration, message: Message): string | undefined
  /** What of the message nobody may read in the words of the provider. */
  secretsOf?(message: Message): string[]
  /** The same message sent again, with its id, is taken once only. */
  isRepeatable?: true
  toRequest(configuration: Configuration, message: Message, token: string): ProviderRequest
  readAnswer(answer: ProviderAnswer): ProviderOutcome
}

/** A member of a configuration, as a form shows it and `readConfiguration` checks it. */
export type Member = {
  name: string
  kind: 'text' | 'number' | 'boolean' | 'pem' | 'sender' | 'address' | 'object'
  isRequired?: true
  choices?: readonly string[]
  /** Pattern of a text, and the refusal of a text that does not fit it. */
  pattern?: { of: RegExp; says: string }
  /** Bounds of a number. */
  from?: number
  to?: number
  example: string | number | boolean
  /** Members of an object. */
  members?: readonly Member[]
}

/** A text that is written into a header or an address. */
export const PLAIN = { of: /^[\x21-\x7e]+$/, says: 'must be letters, digits and signs without a space' }
export const HOST = { of: /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i, says: 'must be the name of a host' }

/** Every HTTP provider can be reached through a gateway of one's own (G-59). */
export function baseUrl(example: string): Member {
  return { name: 'baseUrl', kind: 'address', example }
}

/** A member that is a text; '' when it was left out. */
export function textOf(configuration: Configuration, name: string): string {
  const value = configuration[name]
  return typeof value === 'string' ? value : ''
}

/** The address of the provider, or of the gateway that stands in front of it. */
export function addressOf(configuration: Configuration, standard: string, path: string): string {
  return `${(textOf(configuration, 'baseUrl') || standard).replace(/\/+$/, '')}${path}`
}

export function isRightToLeft(language: string | undefined): boolean {
  return /^(ar|fa|he|ur|ps|ku|sd|ug|yi)\b/i.test(language ?? '')
}

export function formOf(members: Record<string, string | undefined>): string {
  return Object.entries(members)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`]))
    .join('&')
}

export const FORM = 'application/x-www-form-urlencoded'
export const JSON_TYPE = 'application/json'

/** M-CHAN-13: why nothing is sent while no channel of that kind is active; the text is part of the API. */
export const NO_PROVIDER = 'No active channel configuration found'
