import { cutText } from '../cut-text.ts'
import { isPlainObject, type Json } from '../blocks/field.ts'
import { LIMITS } from '../limits.ts'
import { CHANNELS, type Channels } from './consent/consent.ts'
import { readEmail } from './contact.ts'
import { isPlaceholderId } from './placeholder-ids.ts'
import { PUSH_PROVIDERS, type PushProvider } from '../push/providers.ts'

/** What one row of a contact load says; undefined members were not sent, or could not be used. */
export type Contact = {
  index: number
  userId: string
  email?: string
  phone?: string
  country?: string
  token?: string
  platform?: Platform
  /** The provider of the token, unless it is the platform's own. */
  provider?: PushProvider
  channels: Channels
}
export type Platform = 'ios' | 'android' | 'web'
/** `field` null: the row as a whole. */
export type ContactError = { index: number; userId: string | null; field: string | null; error: string }
/** Writes a number in international form, by the country when it is a national one; undefined when it is none. */
export type ParsePhone = (text: string, country: string | undefined) => string | undefined

type HowToRead = {
  defaultCountry: string | undefined
  parsePhone: ParsePhone
  /** The protection of that name. */
  refusePlaceholderIds: boolean
}

/** M-BULK-06 to M-BULK-10, G-44: rows without a usable user id are left out, fields that cannot be used are left out of their row. */
export function readContacts(
  rows: readonly Json[],
  { defaultCountry, parsePhone, refusePlaceholderIds }: HowToRead,
): { contacts: Contact[]; errors: ContactError[]; mendedEmails: number } {
  const contacts: Contact[] = []
  const errors: ContactError[] = []
  let mendedEmails = 0
  for (const [index, row] of rows.entries()) {
    const userId = isPlainObject(row) ? row['userId'] : undefined
    if (!isPlainObject(row) || typeof userId !== 'string' || userId.trim() === '' || userId.length > LIMITS.userIdLength) {
      const error = isPlainObject(row) ? `userId must be a string of 1 to ${LIMITS.userIdLength} characters` : 'a contact must be an object'
      errors.push({ index, userId: typeof userId === 'string' ? cutText(userId, LIMITS.userIdLength) : null, field: 'userId', error })
      continue
    }
    const refuse = (field: string, error: string) => void errors.push({ index, userId, field, error })
    if (refusePlaceholderIds && isPlaceholderId(userId)) {
      refuse('userId', 'userId is the text of a value that was not there, such as undefined or null')
      continue
    }
    const contact = readContact({ index, userId, row }, defaultCountry, parsePhone, refuse)
    if (contact.email !== undefined && typeof row['email'] === 'string' && contact.email !== row['email'].trim()) mendedEmails++
    contacts.push(contact)
  }
  return { contacts, errors, mendedEmails }
}

function readContact(
  { index, userId, row }: { index: number; userId: string; row: { [member: string]: Json } },
  defaultCountry: string | undefined,
  parsePhone: ParsePhone,
  refuse: (field: string, error: string) => void,
): Contact {
  const contact: Contact = { index, userId, channels: readFlags(row['consent'] ?? null, refuse) }
  const { email = null, country = null, phone = null } = row
  if (email !== null) {
    const address = readEmail(email)
    if (address !== undefined) contact.email = address
    else refuse('email', 'email is not an address')
  }
  if (country !== null) {
    if (typeof country === 'string' && /^[A-Za-z]{2}$/.test(country)) contact.country = country.toUpperCase()
    else refuse('country', 'country must be a code of two letters, such as SA')
  }
  if (phone !== null) {
    const parsed = typeof phone === 'string' ? parsePhone(phone, contact.country ?? defaultCountry) : undefined
    if (parsed !== undefined) contact.phone = parsed
    else refuse('phone', 'phone is not a number in international form, such as +966500000000')
  }
  readToken(row, contact, refuse)
  return contact
}

function readToken(row: { [member: string]: Json }, contact: Contact, refuse: (field: string, error: string) => void): void {
  const { deviceToken = null, platform = null, provider = null } = row
  if (platform !== null) {
    if (platform === 'ios' || platform === 'android' || platform === 'web') contact.platform = platform
    else refuse('platform', 'platform must be ios, android or web')
  }
  const named = PUSH_PROVIDERS.find((each) => each === provider)
  if (provider !== null && named === undefined) return refuse('provider', `provider must be one of ${PUSH_PROVIDERS.join(', ')}`)
  if (deviceToken === null) return
  if (typeof deviceToken !== 'string' || deviceToken.trim() === '' || deviceToken.length > LIMITS.pushTokenLength)
    refuse('deviceToken', `deviceToken must be a string of 1 to ${LIMITS.pushTokenLength} characters`)
  else if (!contact.platform) refuse('platform', 'deviceToken needs a platform: ios, android or web')
  else Object.assign(contact, { token: deviceToken, ...(named && { provider: named }) })
}

function readFlags(consent: Json, refuse: (field: string, error: string) => void): Channels {
  const channels: Channels = {}
  if (consent === null) return channels
  if (!isPlainObject(consent)) {
    refuse('consent', 'consent must be an object of booleans')
    return channels
  }
  for (const channel of CHANNELS) {
    const value = Object.hasOwn(consent, channel) ? consent[channel] : undefined
    if (typeof value === 'boolean') channels[channel] = value
    else if (value !== undefined && value !== null) refuse(`consent.${channel}`, `consent.${channel} must be a boolean`)
  }
  return channels
}
