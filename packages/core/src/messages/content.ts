/** What a message says, by locale: the same shape for campaigns, steps of journeys and one-off messages (G-50). */
import { cutText } from '../cut-text.ts'
import { isPlainObject, type Json, type JsonObject } from '../blocks/field.ts'
import { imageFault, urlFault } from '../blocks/links/safe-url.ts'
import { foldTag } from '../locale/language-tag.ts'
import type { VariantMail } from '../mail/variants/variant-mail.ts'
import { localeChain, readTag } from '../locale/pick-locale.ts'

export type MessageTexts = { title?: string; body?: string; imageUrl?: string; ctaLabel?: string; ctaUrl?: string }
/** Sent over WhatsApp instead of the texts. `id`: the provider's, at Twilio the Content SID. `variables`: by their names in it, with tokens. */
export type WhatsappTemplate = { id: string; variables?: { [name: string]: string } }
/** How soon a push message has to arrive (RFC 8030): a device that saves power gets what is less urgent later. */
export const URGENCIES = ['very-low', 'low', 'normal', 'high'] as const
export type Urgency = (typeof URGENCIES)[number]
/** Of a message inside apps: for how many days it stays in the inbox. */
export type InboxStay = { days: number }
/**
 * `inbox`: of messages inside apps, which then go into the inbox as well. `shorten`: in text messages and free texts over
 * WhatsApp the link is a short one of this server; said in one language it holds for all. `urgency`: of push messages in browsers.
 */
export type MessageContent = MessageTexts & { whatsappTemplate?: WhatsappTemplate; shorten?: boolean; urgency?: Urgency; inbox?: InboxStay }
/** G-73: one of them is laid over the content, by weight. `mail`: what it says otherwise in the mail of sections. */
export type ContentVariant = { id: string; weight: number; values: MessageContent; mail?: VariantMail }
/** `variants` as they stand; the other members of a campaign's content are its own. */
export type LocalizedContent = { [locale: string]: MessageContent & { variants?: ContentVariant[] } }

/** Instead of locales: one text for everybody, as one-off messages have it. */
export const ANY_LOCALE = '*'

/** Characters. Not documented: bounds that keep one message readable. */
const LENGTHS = { title: 500, body: 20_000, imageUrl: 2_048, ctaLabel: 100, ctaUrl: 2_048 } as const
export const MESSAGE_MEMBERS = Object.keys(LENGTHS) as (keyof MessageTexts)[]
/** Every member of a `MessageContent`, but for `inbox`, which only messages inside apps have. */
export const MESSAGE_NAMES: readonly string[] = [...MESSAGE_MEMBERS, 'whatsappTemplate', 'shorten', 'urgency']
const [TEMPLATE_VARIABLES, VARIABLE_LENGTH] = [50, 1_024]

/** Says what is wrong with one member of a content object; undefined when nothing is. `at` is its path for the caller. */
export function faultOfMember(at: string, name: keyof MessageTexts, value: unknown): string | undefined {
  if (typeof value !== 'string') return `${at}.${name} must be a text`
  if (value.length > LENGTHS[name]) return `${at}.${name} must have at most ${LENGTHS[name]} characters`
  const faultOf = { imageUrl: imageFault, ctaUrl: urlFault }[name as string]
  // An address with a token is checked once it is filled.
  const fault = value === '' || value.includes('{{') ? undefined : faultOf?.(value)
  return fault && `${at}.${name} ${fault}`
}

/** The same of the whole message. */
export function faultOfMessage(at: string, message: JsonObject): string | undefined {
  for (const name of MESSAGE_MEMBERS) {
    const fault = message[name] === undefined ? undefined : faultOfMember(at, name, message[name])
    if (fault !== undefined) return fault
  }
  const { whatsappTemplate, shorten, urgency } = message
  if (shorten !== undefined && typeof shorten !== 'boolean') return `${at}.shorten must be true or false`
  if (urgency !== undefined && !URGENCIES.some((each) => each === urgency)) return `${at}.urgency must be one of ${URGENCIES.join(', ')}`
  return whatsappTemplate === undefined ? undefined : faultOfTemplate(`${at}.whatsappTemplate`, whatsappTemplate)
}

export function faultOfTemplate(at: string, value: unknown): string | undefined {
  if (!isPlainObject(value)) return `${at} must be an object with the id of a template and its variables`
  const { id, variables = {}, ...others } = value
  if (Object.keys(others).length > 0) return `${at} takes id and variables, nothing else`
  if (typeof id !== 'string' || !/^[\w-]{1,100}$/.test(id))
    return `${at}.id must be the id that the provider gave the template: letters, digits, _ and -`
  if (!isPlainObject(variables)) return `${at}.variables must be an object with a text for each variable`
  const entries = Object.entries(variables)
  if (entries.length > TEMPLATE_VARIABLES) return `${at}.variables must have at most ${TEMPLATE_VARIABLES} members`
  if (entries.some(([name]) => !/^[a-z0-9]\w{0,49}$/i.test(name)))
    return `${at}.variables: names are letters, digits and _, as the template has them`
  // The provider takes no empty one.
  const isRight = (text: unknown) => typeof text === 'string' && text.trim() !== '' && text.length <= VARIABLE_LENGTH
  return entries.every(([, text]) => isRight(text))
    ? undefined
    : `${at}.variables: each must be a text of 1 to ${VARIABLE_LENGTH} characters`
}

/** The same while it is being written: its id, and the text of a variable, may still be empty. */
export function faultOfUnfinishedTemplate(at: string, value: unknown): string | undefined {
  if (!isPlainObject(value)) return faultOfTemplate(at, value)
  const { id, variables } = value
  const filled = (text: Json) => (typeof text === 'string' && text.trim() === '' && text.length <= VARIABLE_LENGTH ? '-' : text)
  return faultOfTemplate(at, {
    ...value,
    id: id === '' ? '-' : id,
    ...(isPlainObject(variables) && {
      variables: Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, filled(text)])),
    }),
  })
}

/** Every text of a message that may have tokens. */
export function textsOf({ whatsappTemplate, ...texts }: MessageContent): string[] {
  return [...MESSAGE_MEMBERS.flatMap((member) => texts[member] ?? []), ...Object.values(whatsappTemplate?.variables ?? {})]
}

export function faultOfLocale(locale: string): string | undefined {
  return readTag(locale) !== undefined ? undefined : `content: ${JSON.stringify(cutText(locale, 50))} is not a locale code`
}

/** The locale of the content a person gets: the one they asked for last, its parents, the workspace's source language (G-50). */
export function pickContentLocale(locales: readonly string[], asked: string | null, sourceLocale: string | null): string | undefined {
  const byLower = new Map(locales.map((locale) => [foldTag(locale), locale]))
  const wanted = [...(asked === null ? [] : localeChain(asked)), ...(sourceLocale === null ? [] : [foldTag(sourceLocale)])]
  const found = wanted.find((locale) => byLower.has(locale))
  return found === undefined ? undefined : byLower.get(found)
}

/** The urgency of a message: where languages differ the greatest holds. Undefined: nobody said, so it is `normal`. */
export function urgencyOf(content: { readonly [locale: string]: { urgency?: Urgency } }): Urgency | undefined {
  const said = new Set(Object.values(content).map(({ urgency }) => urgency))
  return URGENCIES.findLast((each) => said.has(each))
}
