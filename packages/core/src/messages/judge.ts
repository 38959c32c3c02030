/** Whether a person may be written to over a channel, and what they are told (M-DISP-04 to M-DISP-07). */
import { assignVariant } from '../blocks/serving/assign-variant.ts'
import type { LinkSchemes } from '../blocks/links/link-schemes.ts'
import type { ChannelType, Closable } from '../channels/channel.ts'
import type { Channels } from '../identity/consent/consent.ts'
import { wantsTopic, type JudgedTopic } from '../identity/consent/topics.ts'
import { isEmail } from '../identity/contact.ts'
import type { Brand } from '../mail/brand/brand.ts'
import type { FilledMail, MailDocument } from '../mail/document.ts'
import { fillTexts } from '../mail/fill-texts.ts'
import { layProducts } from '../mail/products/products.ts'
import { mailShownTo, type SegmentsOfPerson } from '../mail/shown-to.ts'
import { layMail } from '../mail/variants/variant-mail.ts'
import {
  ANY_LOCALE,
  MESSAGE_MEMBERS,
  pickContentLocale,
  type ContentVariant,
  type LocalizedContent,
  type MessageContent,
} from './content.ts'
import { fillMember, fillTokens, type TokenValues } from './tokens.ts'
import type { SendChannel } from './window.ts'

/** M-DISP-07, with what a later try may find too; `topicOptOut` only of messages about a topic; `emailNotConfirmed` only with double opt-in, `outsideWindow` only of free texts over WhatsApp where answers are heard of; `control_group` only of campaigns that leave some out, `holdout` only of campaigns and journeys of workspaces that hold people out. A-27: missing consent has one spelling. */
export const SKIP_REASONS = [
  'noConsent',
  'topicOptOut',
  'pdpl_opt_out',
  'noContact',
  'emailNotConfirmed',
  'noContent',
  'unresolvedToken',
  'outsideWindow',
  'capped',
  'frequencyCapped',
  'no_profile',
  'control_group',
  'holdout',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

export type Recipient = TokenValues & {
  id: string
  channels: Channels
  /** What they answered to topics, by topic or by topic and channel. */
  topics: Readonly<Record<string, boolean>>
  personalOptOut: boolean
  /** The locale their app asked for last. */
  locale: string | null
  hasPushToken: boolean
  /** Their address is one that only an app named: whether nothing of ours went there yet, and whether nobody said yet that mail is wanted there, where that is asked for. */
  isFirstMail: boolean
  isMailUnconfirmed: boolean
  /** What they said to having openings and clicks counted; null: nothing. */
  tracking: boolean | null
  /** Until when a free text may be sent over WhatsApp, milliseconds; 0: they never wrote. null: the workspace hears nothing of who writes. */
  whatsappUntil: number | null
  /** Of the segments that the mail asks for, those they are in; left out: none. */
  segments?: SegmentsOfPerson
  /** Contacts that came back, as they were then: a new one is open again. */
  closed: { [channel in Closable]?: string }
}

type Reached = Pick<Recipient, 'email' | 'phone' | 'hasPushToken' | 'closed'>

/** What a channel needs the person to have. Text that is no address may be stored from before addresses were read (G-86); nothing goes there. */
export function contactOf(channel: ChannelType, { email, phone, hasPushToken, closed }: Reached): string | null {
  if (channel === 'push') return hasPushToken ? 'push' : null
  const contact = channel === 'email' ? email : phone
  if (channel === 'email' && !isEmail(contact)) return null
  return closed[channel] === contact ? null : contact
}

/**
 * Before what is said is looked at. The opt-out comes first: it blocks whatever the flags say (C-CONS-05). `topic`: what the message
 * is about; undefined: nothing that people decide about by itself.
 */
export function skipReasonFor(channel: ChannelType, recipient: Recipient, topic: JudgedTopic | undefined): SkipReason | undefined {
  if (recipient.personalOptOut) return 'pdpl_opt_out'
  if (recipient.channels[channel] !== true) return 'noConsent'
  if (topic && !wantsTopic(recipient.topics, topic, channel)) return 'topicOptOut'
  if (!contactOf(channel, recipient)) return 'noContact'
  return channel === 'email' && recipient.isMailUnconfirmed ? 'emailNotConfirmed' : undefined
}

/** `mail`: instead of the content, whose title is its subject then. `pageUrl`: the page of their preferences, where a token leads there. */
export type Composed =
  | { ok: true; locale: string; content: MessageContent; variantId?: string; mail?: FilledMail; pageUrl?: string }
  | { ok: false; reason: SkipReason }

/**
 * What of a workspace decides what a message says. `brand`: of mails of sections; left out: they show none. `preferencesUrl`: of a
 * person's page; left out: nobody knows where this server is.
 */
export type MessageSettings = {
  sourceLocale: string | null
  linkSchemes: LinkSchemes
  brand?: Brand | null | undefined
  preferencesUrl?: ((profileId: string) => string) | undefined
}
/** `mail`: what is sent by email instead of the content; undefined: nothing is. */
type ComposeInput = {
  channel: SendChannel
  content: LocalizedContent
  mail: MailDocument | undefined
  sourceId: string
  /** Milliseconds. */
  now: number
  /** As if this variant were the person's; undefined: the one they get. */
  variantId?: string | undefined
} & MessageSettings

/**
 * The content in the person's language with its variant laid over it and its tokens filled; what the channel does not
 * carry is left out. `hash32`: of a text (G-73).
 */
export function composeFor(recipient: Recipient, input: ComposeInput, hash32: (text: string) => number): Composed {
  let pageUrl: string | undefined
  const preferencesUrl = input.preferencesUrl && (() => (pageUrl ??= input.preferencesUrl?.(recipient.id) ?? ''))
  const composed = compose({ ...recipient, preferencesUrl }, input, hash32)
  return composed.ok && pageUrl !== undefined ? { ...composed, pageUrl } : composed
}

type Addressee = Recipient & Pick<TokenValues, 'preferencesUrl'>

function compose(recipient: Addressee, input: ComposeInput, hash32: (text: string) => number): Composed {
  const { channel, content, mail, sourceLocale, linkSchemes, now } = input
  if (channel === 'email' && mail) return composeMail(recipient, mail, input, hash32)
  const { locale, chosen } = contentFor(recipient, content, sourceLocale)
  if (locale === undefined || !chosen) return { ok: false, reason: 'noContent' }
  const variant = variantFor(chosen.variants, recipient, input, hash32)
  const language = locale === ANY_LOCALE ? (recipient.locale ?? sourceLocale ?? 'en') : locale
  const carried = carriedBy(channel, { ...chosen, ...variant?.values }, windowOf(channel, recipient, now))
  if (!carried) return { ok: false, reason: 'outsideWindow' }
  const filled = fillContent(carried, { ...recipient, language }, linkSchemes)
  if (!filled) return { ok: false, reason: 'unresolvedToken' }
  const isEmpty = [filled.title, filled.body].every((text) => (text ?? '').trim() === '')
  if (isEmpty && !filled.whatsappTemplate) return { ok: false, reason: 'noContent' }
  return {
    ok: true,
    locale: language,
    content: filled,
    ...(variant && { variantId: variant.id }),
  }
}

/** The content in the person's language. */
function contentFor({ locale: asked }: Recipient, content: LocalizedContent, sourceLocale: string | null) {
  const said = new Map(Object.entries(content))
  const locale = said.has(ANY_LOCALE) ? ANY_LOCALE : pickContentLocale([...said.keys()], asked, sourceLocale)
  return { locale, chosen: locale === undefined ? undefined : said.get(locale) }
}

function variantFor(
  variants: readonly ContentVariant[] = [],
  { id }: Recipient,
  { sourceId, variantId }: ComposeInput,
  hash32: (text: string) => number,
): ContentVariant | undefined {
  if (variantId !== undefined) return variants.find((variant) => variant.id === variantId)
  const weights = variants.map(({ weight }) => weight)
  return variants[assignVariant(weights, id, sourceId, hash32)]
}

/**
 * A mail of sections in the person's language, as the variant says it that their content has. Where no variant of it says
 * anything of the mail, all get the same one, and there is nothing to compare.
 */
function composeMail(recipient: Addressee, whole: MailDocument, input: ComposeInput, hash32: (text: string) => number): Composed {
  const { content, sourceLocale, linkSchemes, brand = null } = input
  const { variants = [] } = contentFor(recipient, content, sourceLocale).chosen ?? {}
  const variant = variants.some((each) => each.mail) ? variantFor(variants, recipient, input, hash32) : undefined
  const mail = mailShownTo(layMail(whole, variant?.mail), recipient.segments)
  if (!mail) return { ok: false, reason: 'noContent' }
  const said = new Map(Object.entries(mail.texts))
  const locale = pickContentLocale([...said.keys()], recipient.locale, sourceLocale)
  const texts = locale === undefined ? undefined : said.get(locale)
  if (locale === undefined || !texts) return { ok: false, reason: 'noContent' }
  const filled = fillTexts(texts, { ...recipient, language: locale }, linkSchemes, brand?.linkHosts)
  if (!filled.ok) return { ok: false, reason: 'unresolvedToken' }
  const laid = layProducts({ document: mail, texts: filled.texts, brand }, { locale, attributes: recipient, schemes: linkSchemes })
  if (!laid) return { ok: false, reason: 'noContent' }
  return {
    ok: true,
    locale,
    content: { title: filled.texts.subject },
    mail: laid,
    ...(variant && { variantId: variant.id }),
  }
}

/** Whether the 24 hours in which WhatsApp takes free texts are open; undefined: nobody knows, or it is not asked. */
type Window = 'open' | 'closed' | undefined

function windowOf(channel: SendChannel, { whatsappUntil }: Recipient, now: number): Window {
  if (channel !== 'whatsapp' || whatsappUntil === null) return undefined
  return whatsappUntil > now ? 'open' : 'closed'
}

/**
 * With a template nothing else goes over WhatsApp, because its words are in it; but a text goes instead to whoever wrote a
 * moment ago. Undefined: the text may not be sent now, and there is no template.
 */
export function carriedBy(channel: SendChannel, message: MessageContent): MessageContent
export function carriedBy(channel: SendChannel, message: MessageContent, window: Window): MessageContent | undefined
export function carriedBy(
  channel: SendChannel,
  { whatsappTemplate, ...texts }: MessageContent,
  window?: Window,
): MessageContent | undefined {
  if (channel !== 'whatsapp') return texts
  const isSaid = (text = '') => text.trim() !== ''
  // A title alone is one for apps.
  if (whatsappTemplate) return window === 'open' && isSaid(texts.body) ? texts : { whatsappTemplate }
  return window === 'closed' && (isSaid(texts.title) || isSaid(texts.body)) ? undefined : texts
}

/** Undefined: something of it is not known of this person, or leads nowhere that the workspace takes. */
function fillContent(
  { whatsappTemplate, ...texts }: MessageContent,
  values: TokenValues,
  schemes: LinkSchemes,
): MessageContent | undefined {
  const filled: MessageContent = {}
  for (const member of MESSAGE_MEMBERS) {
    const text = texts[member]
    if (text === undefined || text === '') continue
    const fill = fillMember(member, text, values, schemes)
    if (!fill.ok) return undefined
    filled[member] = fill.text
  }
  if (!whatsappTemplate) return filled
  const variables: { [name: string]: string } = {}
  for (const [name, text] of Object.entries(whatsappTemplate.variables ?? {})) {
    const fill = fillTokens(text, values)
    if (!fill.ok) return undefined
    variables[name] = fill.text
  }
  return { ...filled, whatsappTemplate: { id: whatsappTemplate.id, variables } }
}
