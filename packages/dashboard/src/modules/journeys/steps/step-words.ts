/** Describes a step, or the trigger, in a line. */
import type { PrayerLocation } from '@contentflow/core/calendar/prayers.ts'
import type { Branching, EventType, Step, StepContent, StepType, Trigger, UntilStep } from '@contentflow/core/journeys/journey.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import type { SendChannel } from '@contentflow/core/messages/window.ts'
import type { Format } from '../../../format.ts'
import { type Wording } from '../../segments/rules/rule-words.ts'
import { rulesWords } from '../../segments/rules/row-words.ts'
import type { Branch } from '../draft/step-tree.ts'
import { saysNothing } from '../draft/faults.ts'
import type { TranslateJourneys } from '../texts.ts'

export type StepWording = {
  t: TranslateJourneys
  format: Pick<Format, 'list'>
  rules: Wording
  language: string
  /** The name of a segment, geofence or endpoint by its id; the id where it has none. */
  nameOf: (id: string) => string
  placeName: (at: PrayerLocation) => string
}

const UNITS = { days: 1_440, hours: 60, minutes: 1 } as const
export type Unit = keyof typeof UNITS
/** Shown in place of a missing number. */
const OPEN = '…'

/** The largest unit in which it is a whole number. */
export function splitDuration(minutes: number): { unit: Unit; count: number } {
  for (const unit of ['days', 'hours'] as const)
    if (minutes > 0 && minutes % UNITS[unit] === 0) return { unit, count: minutes / UNITS[unit] }
  return { unit: 'minutes', count: minutes }
}

export function minutesOf(unit: Unit, count: number): number {
  // 1.1 hours are 66 minutes, which floating point just misses.
  return Number((count * UNITS[unit]).toPrecision(12))
}

function durationWords(minutes: number, t: TranslateJourneys): string {
  if (!Number.isFinite(minutes)) return OPEN
  const { unit, count } = splitDuration(minutes)
  return t(unit, { count })
}

/** `channel`: only for a step that sends. */
type Titled = { type: StepType; channel?: SendChannel }

/** The title of any kind of step. */
export function stepTitle({ type, channel = 'push' }: Titled, t: TranslateJourneys): string {
  return type === 'send' ? t(`channel_${channel}`) : t(`step_${type}`)
}

/** What distinguishes the step from others of its kind. */
export function stepSummary(step: Step, { t, format, rules, language, nameOf, placeName }: StepWording): string {
  switch (step.type) {
    case 'wait':
      return durationWords(step.minutes, t)
    case 'wait_until':
      return untilWords(step, t, placeName)
    case 'wait_for':
      return t('waitsFor', { event: step.event || OPEN, duration: durationWords(step.timeoutMinutes, t) })
    case 'split':
      return `${branchWords(step, 'then', t)} · ${branchWords(step, 'else', t)}`
    case 'send':
      return step.mail ? mailWords(step.mail, language, t) : (contentWords(step.channel, step.content, language) ?? t('noText'))
    case 'in_app':
      return contentWords('in_app', step.content, language) ?? t('noText')
    case 'webhook':
      return step.endpoint === '' ? OPEN : nameOf(step.endpoint)
    case 'update_profile':
      return format.list(Object.keys(step.set).filter((name) => name !== '')) || OPEN
    case 'condition':
      return step.rule.rules.some((rule) => 'conditions' in rule || rule.field !== '') ? rulesWords(step.rule, rules) : t('noRule')
    case 'exit':
      return ''
    default:
      return step satisfies never
  }
}

function untilWords(step: UntilStep, t: TranslateJourneys, placeName: StepWording['placeName']): string {
  if ('hour' in step) return t('untilHour', { time: hourWords(step.hour), zone: step.zone.replaceAll('_', ' ') })
  if (!Number.isFinite(step.minutesAfter)) return `${t(`prayer_${step.afterPrayer}`)} ${OPEN}`
  return t('untilPrayer', { count: step.minutesAfter, prayer: t(`prayer_${step.afterPrayer}`), place: placeName(step) })
}

/** A full hour as clocks show it. */
export function hourWords(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}

/** Which people take this branch. */
export function branchWords(step: Branching, branch: Branch, t: TranslateJourneys): string {
  if (step.type === 'condition') return t(branch === 'then' ? 'met' : 'otherwise')
  if (step.type === 'wait_for') return t(branch === 'then' ? 'came' : 'timedOut')
  if (!Number.isFinite(step.percent)) return OPEN
  return t('share', { percent: branch === 'then' ? step.percent : 100 - step.percent })
}

/** The text in the reader's language if there is one. */
function contentWords(channel: SendChannel, content: StepContent, language: string): string | undefined {
  const entries = Object.entries(content).filter(([, message]) => !saysNothing(channel, message))
  const [, message] = entries.find(([code]) => code.split('-')[0] === language) ?? entries[0] ?? []
  return message && (message.title?.trim() || message.body?.trim() || message.whatsappTemplate?.id)
}

/** The subject in the reader's language if there is one, and how much there is below it. */
function mailWords({ texts, sections }: MailDocument, language: string, t: TranslateJourneys): string {
  const entries = Object.entries(texts)
  const [, said] = entries.find(([code]) => code.split('-')[0] === language) ?? entries[0] ?? []
  const designed = t('designedMail', { count: sections.length })
  return said?.subject.trim() ? `${said.subject.trim()} · ${designed}` : designed
}

/** What counts as reaching the goal, without its days. */
export function goalEvent(goal: GoalEvent, t: TranslateJourneys): string {
  return goal.event ?? (goal.eventType === undefined ? OPEN : t(`event_${goal.eventType}`))
}
/** Of either kind. */
export type GoalEvent = { eventType?: EventType | undefined; event?: string | undefined }

export function triggerWords(trigger: Trigger, { t, format, nameOf }: Pick<StepWording, 't' | 'format' | 'nameOf'>): string {
  switch (trigger.type) {
    case 'event': {
      const { fenceId, ...others } = trigger.filters ?? {}
      const about = [...Object.values(others), ...(fenceId === undefined ? [] : [nameOf(fenceId)])]
      const event = t(`event_${trigger.eventType}`)
      return about.length === 0 ? event : t('with', { event, filters: format.list(about) })
    }
    case 'custom_event':
      return trigger.event || t('noEvent')
    case 'inactivity':
      return t('silence', { duration: durationWords(trigger.days * UNITS.days, t) })
    case 'segment_entry':
      return trigger.segment === '' ? t('noSegment') : t('enters', { segment: nameOf(trigger.segment) })
    case 'hijri':
      return t(`hijri_${trigger.event}`)
    case 'date': {
      const [trait, time] = [trigger.trait || t('noTrait'), hourWords(trigger.hour)]
      const duration = durationWords(trigger.daysBefore * UNITS.days, t)
      return trigger.daysBefore === 0 ? t('onDate', { trait, time }) : t('beforeDate', { duration, trait, time })
    }
    case 'manual':
      return t('trigger_manual')
    default:
      return trigger satisfies never
  }
}
