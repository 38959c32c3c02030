/** Reads the body of a campaign: exactly the members of G-50, and what each may be. */
import { cutText } from '../cut-text.ts'
import { isPlainObject, textLength, type Json, type JsonObject } from '../blocks/field.ts'
import { isTimeZone } from '../calendar/workspace-calendar.ts'
import { LIMITS } from '../limits.ts'
import { readMail } from '../mail/read-document.ts'
import { readVariantMail } from '../mail/variants/read-variant.ts'
import type { MailDocument } from '../mail/document.ts'
import type { VariantMail } from '../mail/variants/variant-mail.ts'
import { foldTag, languageTag } from '../locale/language-tag.ts'
import { faultOfLocale, faultOfMessage, MESSAGE_NAMES } from '../messages/content.ts'
import { faultOfInbox } from '../messages/inbox.ts'
import type { PrayerBlackout, QuietHours } from '../messages/window.ts'
import { faultOfWindow } from '../calendar/window-fault.ts'
import { parseEnd, parseTime } from '../time.ts'
import type { CampaignChanges, CampaignContent, CampaignSchedule, CampaignVariant } from './campaign.ts'

type Refusal = { ok: false; error: string; code?: 'REVIEW_REQUIRED' }
export type Read<T> = { ok: true; value: T } | Refusal

class Fault extends Error {
  readonly code: Refusal['code']
  constructor(message: string, code?: Refusal['code']) {
    super(message)
    this.code = code
  }
}
function fault(message: string, code?: Refusal['code']): never {
  throw new Fault(message, code)
}

/** What only a review leads to (M-CAMP-31). */
const REVIEWED: ReadonlySet<unknown> = new Set(['active', 'test', 'scheduled', 'approved'])
const CONTENT_MEMBERS: ReadonlySet<string> = new Set([...MESSAGE_NAMES, 'inbox', 'placementIds', 'variants', 'data'])

/**
 * A new campaign needs `name` and `type`; of changes each member may be left out. `day`: the zone in which a day without a time is whole
 * where the schedule names none.
 */
export function readCampaign(body: unknown, { isNew, day }: { isNew: boolean; day?: string | undefined }): Read<CampaignChanges> {
  try {
    return { ok: true, value: readMembers(body, isNew, day) }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { ok: false, error: error.message, ...(error.code && { code: error.code }) }
  }
}

const READERS: { [name in keyof Required<CampaignChanges>]: (value: unknown, day: string | undefined) => CampaignChanges[name] } = {
  name: (value) => text('name', value, LIMITS.campaignNameLength),
  type: (value) => text('type', value, LIMITS.campaignTypeLength),
  priority: (value) => integer('priority', value, LIMITS.campaignPriority),
  segments: (value) => texts('segments', value, LIMITS.campaignSegments),
  schedule: readSchedule,
  content: readContent,
  dispatchChannels: (value) => [...new Set(texts('dispatchChannels', value, LIMITS.campaignChannels))],
  controlPercent: (value) => integer('controlPercent', value, LIMITS.campaignControlPercent),
  mail: readDesignedMail,
  topic: (value) => (value === null ? null : text('topic', value, LIMITS.topicIdLength)),
}

function readMembers(body: unknown, isNew: boolean, day: string | undefined): CampaignChanges {
  if (!isPlainObject(body)) fault('The body must be a JSON object')
  const { status, ...members } = body
  if (REVIEWED.has(status)) fault(`A campaign becomes ${JSON.stringify(status)} by a review`, 'REVIEW_REQUIRED')
  if (status !== undefined && !(isNew && status === 'draft'))
    fault(isNew ? 'status must be draft: a campaign begins as one' : 'status is changed by PATCH /campaigns/{id}/status')
  const changes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(members)) {
    const read = Object.hasOwn(READERS, name) ? READERS[name as keyof CampaignChanges] : undefined
    if (!read) fault(`${shown(name)} is not a member of a campaign`)
    changes[name] = read(value, day)
  }
  for (const name of isNew ? ['name', 'type'] : []) if (changes[name] === undefined) fault(`${name} is required`)
  return changes
}

function readDesignedMail(value: unknown): MailDocument | null {
  if (value === null) return null
  const read = readMail('mail', value)
  return read.ok ? read.value : fault(read.error)
}

/** G-90: times without an offset, and days, are meant by the clocks of `timezone`. */
function readSchedule(value: unknown, day: string | undefined): Partial<CampaignSchedule> {
  const sent = object('schedule', value, ['startTime', 'endTime', 'timezone', 'prayerBlackout', 'quietHours'])
  const schedule: Partial<CampaignSchedule> = {}
  const { timezone = null, prayerBlackout = null, quietHours = null } = sent
  if (timezone !== null)
    schedule.timezone = isTimeZone(timezone)
      ? timezone
      : fault('schedule.timezone must be a name of the zone database, such as Asia/Riyadh')
  const zones = { day: schedule.timezone ?? day, time: schedule.timezone }
  for (const name of ['startTime', 'endTime'] as const) {
    const time = sent[name] ?? undefined
    if (time === undefined) continue
    const read = name === 'startTime' ? parseTime : parseEnd
    schedule[name] = (typeof time === 'string' ? read(time, zones) : undefined) ?? fault(`schedule.${name} must be an ISO 8601 time`)
  }
  if (prayerBlackout !== null) schedule.prayerBlackout = withMinutes(prayerBlackout) as PrayerBlackout
  if (quietHours !== null) schedule.quietHours = quietHours as QuietHours
  const wrong = faultOfWindow(schedule)
  return wrong === undefined ? schedule : fault(wrong)
}

/** G-71. Minutes that nobody said are 15; a blackout that is off needs no place. */
function withMinutes(value: Json): Json {
  if (!isPlainObject(value)) return value
  const minutes = { minutesBefore: 15, minutesAfter: 15 }
  return value['enabled'] === false ? { latitude: 0, longitude: 0, ...minutes, ...value } : { ...minutes, ...value }
}

function readContent(value: unknown): { [locale: string]: CampaignContent } {
  if (!isPlainObject(value)) fault('content must be an object with a member for each locale')
  const entries = Object.entries(value)
  if (entries.length > LIMITS.localesPerWorkspace) fault(`content has more than ${LIMITS.localesPerWorkspace} locales`)
  const known = new Set<string>()
  for (const [locale] of entries) {
    const wrong = faultOfLocale(locale)
    if (wrong !== undefined) fault(wrong)
    if (known.has(foldTag(locale))) fault(`content has the locale ${locale} twice`)
    known.add(foldTag(locale))
  }
  return Object.fromEntries(entries.map(([locale, content]) => [languageTag(locale), readLocale(`content.${locale}`, content)]))
}

function readLocale(at: string, value: unknown): CampaignContent {
  const { placementIds, variants, data, ...message } = object(at, value, CONTENT_MEMBERS)
  checkMessage(at, message)
  const wrong = message['inbox'] === undefined ? undefined : faultOfInbox(`${at}.inbox`, message['inbox'])
  if (wrong !== undefined) fault(wrong)
  const content = message as CampaignContent
  if (placementIds !== undefined) content.placementIds = texts(`${at}.placementIds`, placementIds, LIMITS.campaignPlacements)
  if (variants !== undefined) content.variants = readVariants(`${at}.variants`, variants)
  if (data !== undefined) content.data = isPlainObject(data) ? data : fault(`${at}.data must be an object`)
  return content
}

function readVariants(at: string, value: unknown): CampaignVariant[] {
  const most = LIMITS.variantsPerInstance
  if (!Array.isArray(value) || value.length > most) fault(`${at} must be an array of at most ${most} variants`)
  const variants = value.map((each, index) => {
    const here = `${at}[${index}]`
    const { id, weight, mail, values = mail === undefined ? null : {} } = object(here, each, ['id', 'weight', 'values', 'mail'])
    if (!isPlainObject(values)) fault(`${here}.values must be an object`)
    if (values['variants'] !== undefined || values['placementIds'] !== undefined)
      fault(`${here}.values must not have variants or placementIds: these are of the content`)
    checkMessage(`${here}.values`, values)
    const weighed = integer(`${here}.weight`, weight, { min: 1, max: 1_000_000 })
    return {
      id: text(`${here}.id`, id, 100),
      weight: weighed,
      values,
      ...(mail !== undefined && { mail: readMailOf(`${here}.mail`, mail) }),
    }
  })
  if (new Set(variants.map(({ id }) => id)).size < variants.length) fault(`${at} has an id twice`)
  return variants
}

function readMailOf(at: string, value: unknown): VariantMail {
  const read = readVariantMail(at, value)
  return read.ok ? read.value : fault(read.error)
}

function checkMessage(at: string, message: JsonObject): void {
  const wrong = faultOfMessage(at, message)
  if (wrong !== undefined) fault(wrong)
}

function object(at: string, value: unknown, names: Iterable<string>): JsonObject {
  if (!isPlainObject(value)) fault(`${at} must be an object`)
  const known = new Set(names)
  const unknown = Object.keys(value).find((name) => !known.has(name))
  return unknown === undefined ? value : fault(`${at}: ${shown(unknown)} is not known; it takes ${[...known].join(', ')}`)
}

function text(at: string, value: unknown, most: number): string {
  const isRight = typeof value === 'string' && value.trim() !== '' && textLength(value) <= most
  return isRight ? value : fault(`${at} must be a text of 1 to ${most} characters`)
}

function texts(at: string, value: unknown, most: number): string[] {
  const isRight = Array.isArray(value) && value.length <= most && value.every((each) => typeof each === 'string' && each.length <= 200)
  return isRight ? (value as string[]) : fault(`${at} must be an array of at most ${most} texts`)
}

function integer(at: string, value: unknown, { min, max }: { min: number; max: number }): number {
  const isRight = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
  return isRight ? value : fault(`${at} must be a whole number from ${min} to ${max}`)
}

function shown(name: string): string {
  return JSON.stringify(cutText(name, 100))
}
