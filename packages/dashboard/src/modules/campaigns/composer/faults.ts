/** Faults of a draft: those that prevent saving, and those to correct before asking for approval. */
import { imageFault, urlFault } from '@contentflow/core/blocks/links/safe-url.ts'
import { IN_APP, SEND_CHANNELS } from '@contentflow/core/campaigns/campaign.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { faultOfTemplate, type MessageContent } from '@contentflow/core/messages/content.ts'
import { isBlankTemplate } from '../../../ui/blank-template.ts'
import type { Draft } from './draft.ts'
import { isMailAlone } from './mail/mail-alone.ts'
import { sourceAmong, writtenLocales } from './variants/structure.ts'

type Part = 'message' | 'audience' | 'schedule'
type FaultKind =
  | 'name'
  | 'noContent'
  | 'noWords'
  | 'noSource'
  | 'noChannel'
  | 'noSegment'
  | 'url'
  | 'image'
  | 'template'
  | 'variantName'
  | 'variantTwice'
  | 'manyVariants'
  | 'endFirst'
  | 'endPassed'
  | 'quietHours'
  | 'noPlace'
  | 'number'
  | 'mailStop'
  | 'mailWrong'
/** `locale`, `member`, `variant`: where in the content. `reason`: what the server would say. */
export type Fault = {
  kind: FaultKind
  part: Part
  /** True: the server would refuse it. */
  isWrong: boolean
  locale?: string
  member?: keyof MessageContent
  variant?: number
  reason?: string
}

export function faultsOf(draft: Draft, sourceLocale: string | undefined, now: number): Fault[] {
  return [...ofMessage(draft, sourceLocale), ...ofAudience(draft), ...ofSchedule(draft, now)]
}

/** The fault that is shown at one field. */
export function faultAt(faults: readonly Fault[], at: Partial<Fault>): Fault | undefined {
  return faults.find((fault) => Object.entries(at).every(([name, value]) => fault[name as keyof Fault] === value))
}

function ofMessage(draft: Draft, sourceLocale: string | undefined): Fault[] {
  const { name, dispatchChannels, priority } = draft
  const part = 'message'
  const written = writtenLocales(draft)
  const source = sourceAmong(written, sourceLocale)
  const faults: Fault[] = []
  if (!isWhole(priority, LIMITS.campaignPriority)) faults.push({ kind: 'number', part, isWrong: true })
  if (name.trim() === '') faults.push({ kind: 'name', part, isWrong: true })
  if (dispatchChannels.length === 0) faults.push({ kind: 'noChannel', part, isWrong: false })
  const ofLanguages = written.flatMap((locale) => ofLanguage(draft, locale, source))
  // A mail of sections that goes out alone needs no texts.
  if (isMailAlone(draft)) return [...faults, ...ofVariants(draft), ...ofLanguages.filter(({ isWrong }) => isWrong)]
  if (written.length === 0) faults.push({ kind: 'noContent', part, isWrong: false })
  else if (sourceLocale !== undefined && source === undefined) faults.push({ kind: 'noSource', part, isWrong: false, locale: sourceLocale })
  return [...faults, ...ofVariants(draft), ...ofLanguages]
}

/** Faults that concern every language: names and weights. */
function ofVariants({ variants }: Draft): Fault[] {
  const part = 'message'
  const ids = variants.map(({ id }) => id.trim())
  return [
    ...(variants.length > LIMITS.variantsPerInstance ? [{ kind: 'manyVariants', part, isWrong: true } as const] : []),
    ...variants.flatMap(({ weight }, variant): Fault[] =>
      isWhole(weight, { min: 1, max: 1_000_000 }) ? [] : [{ kind: 'number', part, isWrong: true, variant }],
    ),
    ...ids.flatMap((id, variant): Fault[] => {
      if (id === '') return [{ kind: 'variantName', part, isWrong: true, variant }]
      return ids.indexOf(id) < variant ? [{ kind: 'variantTwice', part, isWrong: true, variant }] : []
    }),
  ]
}

/** `source`: the language whose words a variant takes that has none in this one. */
function ofLanguage({ content, variants, dispatchChannels: channels }: Draft, locale: string, source: string | undefined): Fault[] {
  const said = content[locale] ?? {}
  const isTemplateEnough = channels.length > 0 && channels.every((channel) => channel === 'whatsapp')
  const hasEnough = ({ title, body, whatsappTemplate }: MessageContent) =>
    Boolean(title || body) || (isTemplateEnough && !isBlankTemplate(whatsappTemplate))
  const speaking = variants.filter(({ texts }) => hasEnough(texts[locale] ?? {})).length
  const isSpoken = speaking > 0 && (speaking === variants.length || (source !== undefined && source !== locale))
  return [
    ...(hasEnough(said) || isSpoken ? [] : [{ kind: 'noWords', part: 'message', isWrong: false, locale } as const]),
    ...ofMembers(said).map((fault) => ({ ...fault, locale })),
    ...variants.flatMap(({ texts }, variant) => ofMembers(texts[locale] ?? {}).map((fault) => ({ ...fault, locale, variant }))),
  ]
}

/** An address with a token is checked once it is filled. */
function ofMembers({ imageUrl = '', ctaUrl = '', whatsappTemplate }: MessageContent): Fault[] {
  const isWrong = (text: string, faultOf: (text: string) => string | undefined) =>
    text !== '' && !text.includes('{{') && faultOf(text) !== undefined
  return [
    ...(isWrong(imageUrl, imageFault) ? [{ kind: 'image', part: 'message', isWrong: true, member: 'imageUrl' } as const] : []),
    ...(isWrong(ctaUrl, urlFault) ? [{ kind: 'url', part: 'message', isWrong: true, member: 'ctaUrl' } as const] : []),
    ...(!isBlankTemplate(whatsappTemplate) && faultOfTemplate('', whatsappTemplate) !== undefined
      ? [{ kind: 'template', part: 'message', isWrong: true, member: 'whatsappTemplate' } as const]
      : []),
  ]
}

function ofAudience({ segments, controlPercent }: Draft): Fault[] {
  const part = 'audience'
  return [
    ...(segments.length === 0 ? [{ kind: 'noSegment', part, isWrong: false } as const] : []),
    ...(controlPercent === 0 || isWhole(controlPercent, LIMITS.campaignControlPercent)
      ? []
      : [{ kind: 'number', part, isWrong: true } as const]),
  ]
}

function isWhole(value: number, { min, max }: { min: number; max: number }): boolean {
  return Number.isInteger(value) && value >= min && value <= max
}

function ofSchedule({ start, schedule: { endTime, quietHours, prayerBlackout } }: Draft, now: number): Fault[] {
  const part = 'schedule'
  const faults: Fault[] = []
  if (endTime !== undefined && start !== null && endTime <= start) faults.push({ kind: 'endFirst', part, isWrong: true })
  else if (endTime !== undefined && Date.parse(endTime) <= now) faults.push({ kind: 'endPassed', part, isWrong: start === null })
  if (quietHours && (quietHours.from === quietHours.to || !quietHours.from || !quietHours.to))
    faults.push({ kind: 'quietHours', part, isWrong: true })
  if (prayerBlackout?.enabled && !(Math.abs(prayerBlackout.latitude ?? NaN) <= 90 && Math.abs(prayerBlackout.longitude ?? NaN) <= 180))
    faults.push({ kind: 'noPlace', part, isWrong: true })
  const minutes = prayerBlackout?.enabled ? [prayerBlackout.minutesBefore, prayerBlackout.minutesAfter] : []
  if (minutes.some((each) => each !== undefined && !isWhole(each, { min: 0, max: 60 })))
    faults.push({ kind: 'number', part, isWrong: true })
  return faults
}

/** Whether it shows something in the app: as a message, or in a block. */
export function isShownInApp({ dispatchChannels }: Pick<Draft, 'dispatchChannels'>): boolean {
  return dispatchChannels.some((channel) => channel === IN_APP || !(SEND_CHANNELS as readonly string[]).includes(channel))
}
