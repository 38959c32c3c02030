/** Settings of a workspace that are configuration: not who may do what, nothing of keys, nothing secret. */
import { cutText } from '../cut-text.ts'
import type { Parsed } from '../blocks/definition.ts'
import { readLinkSchemes } from '../blocks/links/link-schemes.ts'
import { isPlainObject, type Json } from '../blocks/field.ts'
import { isTimeZone, type WorkspaceCalendar } from '../calendar/workspace-calendar.ts'
import { LAUNCH_PROTECTIONS, type LaunchProtection } from '../campaigns/status.ts'
import { readHoldout, type HoldoutChoice } from '../experiments/holdout.ts'
import { allFeatures, FEATURES, type Features } from '../features.ts'
import { LIMITS } from '../limits.ts'
import type { Brand } from '../mail/brand/brand.ts'
import { readBrand } from '../mail/brand/read-brand.ts'
import { readPreferencePage, type PreferencePage } from '../identity/consent/preference-page.ts'
import { readMessageTracking, type MessageTracking } from '../messages/responses/tracking.ts'
import { readWebAddress, WEB_ADDRESS_RULE } from '../messages/web-address.ts'
import { allProtections, PROTECTIONS, type Protections } from '../protections.ts'

export type SettingsCode = {
  /** null: nobody has said. */
  calendar: WorkspaceCalendar | null
  /** One that is left out is on. */
  features: Features
  /** Whether publishing to live takes a second person. */
  publishApproval: boolean
  launchProtection: { mode: LaunchProtection; sealAudience: boolean }
  sensorApproval: boolean
  eventRetentionDays: number
  /** One that is left out is off. */
  protections: Protections
  /** null: links of every scheme that is not refused everywhere. */
  linkSchemes: string[] | null
  /** What paths in messages begin with; null: nobody has said. */
  webAddress: string | null
  /** What mails of sections look like and say of the company; null: nobody has said. */
  brand: Brand | null
  /** Of whom openings and clicks of messages are counted. */
  messageTracking: MessageTracking
  /** When mails link the page on which people choose, and which law counts the days of what they ask there. */
  preferencePage: PreferencePage
  /** Whom nothing is written to; the comparison begins anew where share or start are others than they were. */
  holdout: HoldoutChoice
}

const no = (error: string): { ok: false; error: string } => ({ ok: false, error })
const yes = <T>(value: T): { ok: true; value: T } => ({ ok: true, value })

const READERS: { [name in keyof SettingsCode]: (value: Json) => Parsed<SettingsCode[name]> } = {
  calendar: readCalendar,
  features: readFeatures,
  publishApproval: readFlag,
  launchProtection: (value) => {
    const { mode: named, sealAudience } = isPlainObject(value) ? value : {}
    const mode = LAUNCH_PROTECTIONS.find((each) => each === named)
    if (!mode || typeof sealAudience !== 'boolean')
      return no(`must be {mode, sealAudience}, with one of ${LAUNCH_PROTECTIONS.join(', ')} and a boolean`)
    return yes({ mode, sealAudience })
  },
  sensorApproval: readFlag,
  eventRetentionDays: (value) =>
    isWholeUpTo(value, LIMITS.eventRetentionDaysMax) && value >= 1
      ? yes(value)
      : no(`must be a whole number from 1 to ${LIMITS.eventRetentionDaysMax}`),
  protections: readProtections,
  linkSchemes: readLinkSchemes,
  webAddress: (value) => {
    const address = typeof value === 'string' ? readWebAddress(value) : value
    return address === null || typeof address === 'string' ? yes(address) : no(WEB_ADDRESS_RULE)
  },
  brand: (value) => (value === null ? yes(null) : readBrand('', value)),
  messageTracking: readMessageTracking,
  preferencePage: readPreferencePage,
  holdout: readHoldout,
}
const SETTINGS = Object.keys(READERS) as (keyof SettingsCode)[]

/** A setting that is left out stays. */
export function readSettings(input: Json): Parsed<Partial<SettingsCode>> {
  if (!isPlainObject(input)) return no(`settings must be an object of ${SETTINGS.join(', ')}`)
  const unknown = Object.keys(input).find((name) => !SETTINGS.some((known) => known === name))
  if (unknown !== undefined) return no(`settings may have ${SETTINGS.join(', ')}, not ${cutText(unknown, 100)}`)
  const found: Partial<SettingsCode> = {}
  for (const name of SETTINGS) {
    const sent = input[name]
    if (sent === undefined) continue
    const read = READERS[name](sent)
    if (!read.ok) return no(`settings.${name} ${read.error}`)
    Object.assign(found, { [name]: read.value })
  }
  return yes(found)
}

function readCalendar(value: Json): Parsed<WorkspaceCalendar | null> {
  if (value === null) return yes(null)
  const { timeZone, firstDayOfWeek, weekend, hijri } = isPlainObject(value) ? value : {}
  if (!isTimeZone(timeZone)) return no('.timeZone must be a name of the zone database, such as Asia/Riyadh')
  if (!isWholeUpTo(firstDayOfWeek, 6)) return no('.firstDayOfWeek must be a day from 0, Sunday, to 6')
  const days = Array.isArray(weekend) ? weekend.filter((day) => isWholeUpTo(day, 6)) : []
  if (!Array.isArray(weekend) || days.length < weekend.length || days.length > 6 || new Set(days).size < days.length)
    return no('.weekend must be an array of at most 6 days from 0, Sunday, to 6')
  if (typeof hijri !== 'boolean') return no('.hijri must be a boolean')
  return yes({ timeZone, firstDayOfWeek, weekend: days.toSorted((a, b) => a - b), hijri })
}

function readFeatures(value: Json): Parsed<Features> {
  if (!isPlainObject(value)) return no('must be an object of switches')
  const wrong = Object.entries(value).find(([name, isOn]) => typeof isOn !== 'boolean' || !FEATURES.some((known) => known === name))
  if (wrong) return no(`may have ${FEATURES.join(', ')}, each true or false, not ${cutText(wrong[0], 100)}`)
  return yes(allFeatures(value as Partial<Features>))
}

function readProtections(value: Json): Parsed<Protections> {
  if (!isPlainObject(value)) return no('must be an object of switches')
  const wrong = Object.entries(value).find(([name, isOn]) => typeof isOn !== 'boolean' || !PROTECTIONS.some((known) => known === name))
  if (wrong) return no(`may have ${PROTECTIONS.join(', ')}, each true or false, not ${cutText(wrong[0], 100)}`)
  return yes(allProtections(value as Partial<Protections>))
}

function readFlag(value: Json): Parsed<boolean> {
  return typeof value === 'boolean' ? yes(value) : no('must be a boolean')
}

function isWholeUpTo(value: Json | undefined, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most
}
