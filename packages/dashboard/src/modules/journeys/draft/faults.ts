/** Faults of a journey: what cannot be stored, and what would not do what it seems to. Pure: the workspace's data is passed in. */
import type { EventLeaf } from '@contentflow/core/behaviour/did.ts'
import { readWhere } from '@contentflow/core/behaviour/where.ts'
import { textLength } from '@contentflow/core/blocks/field.ts'
import {
  hasBranches,
  isEventGoal,
  listSteps,
  type Entry,
  type EventPattern,
  type Goal,
  type KeyedPattern,
  type Step,
  type StepContent,
  type Trigger,
  type UntilStep,
} from '@contentflow/core/journeys/journey.ts'
import { hasWholeValues } from '@contentflow/core/journeys/step-values.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { faultOfMember, faultOfTemplate, MESSAGE_MEMBERS } from '@contentflow/core/messages/content.ts'
import { carriedBy } from '@contentflow/core/messages/judge.ts'
import type { SendChannel } from '@contentflow/core/messages/window.ts'
import { isTraitKey } from '@contentflow/core/targeting/fields.ts'
import type { Rule, Leaf } from '@contentflow/core/targeting/rule.ts'
import { rowFault } from '../../segments/rules/leaf-check.ts'

export type JourneyDraft = {
  name: string
  trigger: Trigger
  steps: Step[]
  goal: Goal | null
  entry?: Entry | null
  exitOn?: KeyedPattern[] | null
}

/** Undefined: not known yet, so nothing is said of it. */
export type Surroundings = {
  /** Codes of the languages of the workspace; the source language is one of them. */
  locales?: readonly string[]
  sourceLocale?: string
  /** Types of channels that are connected and on. */
  channels?: ReadonlySet<string>
  /** Names and ids of the segments. */
  segments?: ReadonlySet<string>
  fences?: ReadonlySet<string>
  /** Whether each endpoint is on, by its id. */
  endpoints?: ReadonlyMap<string, boolean>
}

export type Fault =
  | { kind: 'nameMissing' }
  | { kind: 'segmentMissing' }
  | { kind: 'segmentGone'; name: string }
  | { kind: 'fenceGone' }
  | { kind: 'noSteps' }
  | { kind: 'tooManySteps' }
  | { kind: 'inactivityDays' }
  | { kind: 'traitMissing' }
  | { kind: 'daysBeforeWrong' }
  | { kind: 'goalDays' }
  | { kind: 'eventMissing' }
  | { kind: 'eventConditions' }
  | { kind: 'keyMissing' }
  | { kind: 'timeoutWrong' }
  | { kind: 'entryWrong' }
  | { kind: 'waitWrong' }
  | { kind: 'hourWrong' }
  | { kind: 'minutesAfterWrong' }
  | { kind: 'placeWrong' }
  | { kind: 'percentWrong' }
  | { kind: 'contentEmpty' }
  | { kind: 'languageEmpty'; locale: string }
  | { kind: 'languageMissing'; locales: string[] }
  | { kind: 'linkWrong'; locale: string }
  | { kind: 'templateWrong'; locale: string }
  | { kind: 'channelOff'; channel: SendChannel }
  | { kind: 'ruleUnfinished' }
  | { kind: 'endpointMissing' }
  | { kind: 'endpointGone' }
  | { kind: 'endpointOff' }
  | { kind: 'dataWrong' }
  | { kind: 'attributesWrong' }
  | { kind: 'thenEmpty' }
  | { kind: 'tooDeep' }
  | { kind: 'unreachable' }
type FaultKind = Fault['kind']

/** A journey with one of these does not run: it stays a draft that is incomplete. The others are said and leave the choice. */
const STOPPING: ReadonlySet<FaultKind> = new Set<FaultKind>([
  'nameMissing',
  'segmentMissing',
  'segmentGone',
  'tooManySteps',
  'inactivityDays',
  'traitMissing',
  'daysBeforeWrong',
  'goalDays',
  'eventMissing',
  'eventConditions',
  'keyMissing',
  'timeoutWrong',
  'entryWrong',
  'waitWrong',
  'hourWrong',
  'minutesAfterWrong',
  'placeWrong',
  'percentWrong',
  'linkWrong',
  'templateWrong',
  'ruleUnfinished',
  'endpointMissing',
  'endpointGone',
  'endpointOff',
  'dataWrong',
  'attributesWrong',
  'thenEmpty',
  'tooDeep',
])

/** Faults of a step by its id; those of the whole under `journey`, of what begins it under `trigger`. */
export type Faults = ReadonlyMap<string, readonly Fault[]>

export function isStopping({ kind }: Fault): boolean {
  return STOPPING.has(kind)
}

export function findFaults({ name, trigger, steps, goal, entry, exitOn }: JourneyDraft, around: Surroundings): Faults {
  const all = listSteps(steps)
  const unreachable = unreachableOf(steps)
  const depths = depthsOf(steps)
  const found = new Map<string, Fault[]>([
    ['journey', journeyFaults(name, all.length)],
    ['trigger', [...triggerFaults(trigger, around), ...goalFaults(goal), ...eventFaults(trigger, goal, entry, exitOn)]],
  ])
  for (const step of all)
    found.set(step.id, [
      ...stepFaults(step, around),
      ...(step.type === 'wait_for' ? keyFaults(trigger, step) : []),
      ...((depths.get(step.id) ?? 1) > LIMITS.journeyLevels ? [{ kind: 'tooDeep' } as const] : []),
      ...(unreachable.has(step.id) ? [{ kind: 'unreachable' } as const] : []),
    ])
  return new Map([...found].filter(([, faults]) => faults.length > 0))
}

function journeyFaults(name: string, steps: number): Fault[] {
  return [
    ...(name.trim() === '' || textLength(name) > LIMITS.journeyNameLength ? [{ kind: 'nameMissing' } as const] : []),
    ...(steps === 0 ? [{ kind: 'noSteps' } as const] : []),
    ...(steps > LIMITS.journeySteps ? [{ kind: 'tooManySteps' } as const] : []),
  ]
}

function triggerFaults(trigger: Trigger, { segments, fences }: Surroundings): Fault[] {
  if (trigger.type === 'inactivity') return isWithin(trigger.days, LIMITS.journeyInactivityDays) ? [] : [{ kind: 'inactivityDays' }]
  if (trigger.type === 'date')
    return [
      ...(isTraitKey(trigger.trait) ? [] : [{ kind: 'traitMissing' } as const]),
      ...(isWithin(trigger.daysBefore, LIMITS.journeyDaysBefore) ? [] : [{ kind: 'daysBeforeWrong' } as const]),
    ]
  if (trigger.type === 'segment_entry') {
    const { segment } = trigger
    if (segment.trim() === '') return [{ kind: 'segmentMissing' }]
    return segments && !segments.has(segment) ? [{ kind: 'segmentGone', name: segment }] : []
  }
  const fence = trigger.type === 'event' ? trigger.filters?.fenceId : undefined
  return fence !== undefined && fences && !fences.has(fence) ? [{ kind: 'fenceGone' }] : []
}

function goalFaults(goal: Goal | null): Fault[] {
  return goal && !isWithin(goal.days, LIMITS.journeyGoalDays) ? [{ kind: 'goalDays' }] : []
}

function patternFaults({ event, where }: EventPattern): Fault[] {
  if (event.trim() === '' || textLength(event) > LIMITS.eventNameLength) return [{ kind: 'eventMissing' }]
  return where && !readWhere(where, '', () => undefined).ok ? [{ kind: 'eventConditions' }] : []
}

/** Only a trigger with a key has one to compare with. */
function keyFaults(trigger: Trigger, { sameKey }: KeyedPattern): Fault[] {
  return sameKey && !(trigger.type === 'custom_event' && trigger.key !== undefined) ? [{ kind: 'keyMissing' }] : []
}

function eventFaults(trigger: Trigger, goal: Goal | null, entry: JourneyDraft['entry'], exitOn: JourneyDraft['exitOn']): Fault[] {
  const keyed = [...(exitOn ?? []), ...(goal && isEventGoal(goal) ? [goal] : [])]
  const patterns: EventPattern[] = [...(trigger.type === 'custom_event' ? [trigger] : []), ...keyed]
  const numbers = [entry?.minGapMinutes, entry?.maxActive, entry?.maxEntries?.count, entry?.maxEntries?.days]
  const faults = [
    ...patterns.flatMap(patternFaults),
    ...keyed.flatMap((each) => keyFaults(trigger, each)),
    ...(numbers.some((each) => each !== undefined && Number.isNaN(each)) ? [{ kind: 'entryWrong' } as const] : []),
  ]
  return faults.filter(({ kind }, index) => faults.findIndex((each) => each.kind === kind) === index)
}

function stepFaults(step: Step, around: Surroundings): Fault[] {
  switch (step.type) {
    case 'wait':
      // An emptied field counts as 0, so 0 is a fault here although the API accepts it.
      return isWithin(step.minutes, { ...LIMITS.journeyWaitMinutes, min: 1 }) ? [] : [{ kind: 'waitWrong' }]
    case 'wait_until':
      return untilFaults(step)
    case 'wait_for':
      return [
        ...patternFaults(step),
        ...(isWithin(step.timeoutMinutes, LIMITS.journeyTimeoutMinutes) ? [] : [{ kind: 'timeoutWrong' } as const]),
      ]
    case 'split':
      return [
        ...(isWithin(step.percent, LIMITS.journeySplitPercent) ? [] : [{ kind: 'percentWrong' } as const]),
        ...(step.then.length === 0 ? [{ kind: 'thenEmpty' } as const] : []),
      ]
    case 'send':
      return [
        ...(around.channels && !around.channels.has(step.channel) ? [{ kind: 'channelOff', channel: step.channel } as const] : []),
        ...(step.mail ? missingLanguages(step.mail.texts, around) : contentFaults(step.channel, step.content, around)),
      ]
    case 'in_app':
      return contentFaults('in_app', step.content, around)
    case 'webhook':
      return [...endpointFaults(step.endpoint, around), ...(hasWholeValues(step) ? [] : [{ kind: 'dataWrong' } as const])]
    case 'update_profile':
      return hasWholeValues(step) ? [] : [{ kind: 'attributesWrong' }]
    case 'condition': {
      const leaves = step.rule.rules.flatMap(leavesOf)
      const isWhole = leaves.length > 0 && leaves.every((leaf) => rowFault(leaf) === undefined)
      return [
        ...(isWhole ? [] : [{ kind: 'ruleUnfinished' } as const]),
        ...(step.then.length === 0 ? [{ kind: 'thenEmpty' } as const] : []),
      ]
    }
    case 'exit':
      return []
    default:
      return step satisfies never
  }
}

function endpointFaults(endpoint: string, { endpoints }: Surroundings): Fault[] {
  if (endpoint === '') return [{ kind: 'endpointMissing' }]
  const isOn = endpoints?.get(endpoint)
  if (!endpoints || isOn) return []
  return [{ kind: isOn === undefined ? 'endpointGone' : 'endpointOff' }]
}

function untilFaults(step: UntilStep): Fault[] {
  if ('hour' in step) return isWithin(step.hour, LIMITS.journeyHour) ? [] : [{ kind: 'hourWrong' }]
  const hasPlace = Math.abs(step.latitude) <= LIMITS.journeyPrayerLatitude.max && Math.abs(step.longitude) <= 180
  return [
    ...(isWithin(step.minutesAfter, LIMITS.journeyMinutesAfterPrayer) ? [] : [{ kind: 'minutesAfterWrong' } as const]),
    ...(hasPlace ? [] : [{ kind: 'placeWrong' } as const]),
  ]
}

/** The server does not send a message without title, text and WhatsApp template. */
export function saysNothing(channel: SendChannel, message: StepContent[string]): boolean {
  const { title = '', body = '', whatsappTemplate } = carriedBy(channel, message)
  return title.trim() === '' && body.trim() === '' && !whatsappTemplate
}

function contentFaults(channel: SendChannel, content: StepContent, around: Surroundings): Fault[] {
  const entries = Object.entries(content)
  const linkWrong = entries.find(([, message]) =>
    MESSAGE_MEMBERS.some((name) => message[name] !== undefined && faultOfMember('', name, message[name]) !== undefined),
  )
  const templateWrong = entries.find(([, { whatsappTemplate }]) => whatsappTemplate && faultOfTemplate('', whatsappTemplate) !== undefined)
  const faults: Fault[] = [
    ...(linkWrong ? [{ kind: 'linkWrong', locale: linkWrong[0] } as const] : []),
    ...(templateWrong ? [{ kind: 'templateWrong', locale: templateWrong[0] } as const] : []),
  ]
  if (entries.every(([, message]) => saysNothing(channel, message))) return [...faults, { kind: 'contentEmpty' }]
  for (const [locale, message] of entries) if (saysNothing(channel, message)) faults.push({ kind: 'languageEmpty', locale })
  return [...faults, ...missingLanguages(content, around)]
}

/** `said`: texts by language. */
function missingLanguages(said: { [locale: string]: unknown }, { locales = [], sourceLocale }: Surroundings): Fault[] {
  const missing = locales.filter((code) => !(code in said) && !covered(code, said, sourceLocale))
  return missing.length > 0 ? [{ kind: 'languageMissing', locales: missing }] : []
}

/** Readers of `ar-SA` get `ar`; a missing language falls back to the source language, which deserves a warning. */
function covered(code: string, content: object, sourceLocale: string | undefined): boolean {
  const parent = code.split('-')[0] ?? code
  return parent !== code && parent in content && parent !== sourceLocale
}

function leavesOf(rule: Rule): (Leaf | EventLeaf)[] {
  return 'conditions' in rule ? rule.conditions.flatMap(leavesOf) : [rule]
}

/** Steps that nobody reaches: those after an end, or after a condition of which both branches end. */
export function unreachableOf(steps: readonly Step[]): ReadonlySet<string> {
  const found = new Set<string>()
  // Returns whether people who begin the list come out at its end.
  const walk = (list: readonly Step[], isReached: boolean): boolean => {
    let goesOn = isReached
    for (const step of list) {
      if (!goesOn) found.add(step.id)
      if (hasBranches(step)) {
        const [met, otherwise] = [walk(step.then, goesOn), walk(step.else, goesOn)]
        goesOn = met || otherwise
      } else if (step.type === 'exit') goesOn = false
    }
    return goesOn
  }
  walk(steps, true)
  return found
}

function depthsOf(steps: readonly Step[], depth = 1, found = new Map<string, number>()): ReadonlyMap<string, number> {
  for (const step of steps) {
    found.set(step.id, depth)
    if (hasBranches(step)) for (const branch of [step.then, step.else]) depthsOf(branch, depth + 1, found)
  }
  return found
}

function isWithin(value: number, { min, max }: { min: number; max: number }): boolean {
  return Number.isInteger(value) && value >= min && value <= max
}
