/** A campaign as it is written: what the form holds, and how that is read from and sent to the server. */
import type { Campaign as Held, CampaignContent, CampaignSchedule } from '@contentflow/core/campaigns/campaign.ts'
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import { MESSAGE_MEMBERS, type MessageContent } from '@contentflow/core/messages/content.ts'
import { isBlankTemplate } from '../../../ui/blank-template.ts'

/** `start`: null is as soon as it is launched. */
export type Draft = Omit<Held, 'schedule' | 'controlPercent'> & {
  /** 0: nobody is left out. */
  controlPercent: number
  start: string | null
  schedule: Omit<CampaignSchedule, 'startTime'>
}
/** What is sent; without a start the one that is stored stays. */
export type Body = Omit<Held, 'schedule'> & { schedule: Partial<CampaignSchedule> }

export function newDraft(timezone: string, locale: string | undefined): Draft {
  return {
    name: '',
    type: 'promo',
    priority: 5,
    segments: [],
    content: locale === undefined ? {} : { [locale]: {} },
    dispatchChannels: [],
    controlPercent: 0,
    start: null,
    schedule: { timezone },
  }
}

/** A start that has passed means nothing any more. */
export function draftOf(
  { name, type, priority, segments, schedule, content, dispatchChannels, controlPercent = 0 }: Held,
  now: number,
): Draft {
  const { startTime, ...rest } = schedule
  const start = Date.parse(startTime) > now ? startTime : null
  return { name, type, priority, segments, content, dispatchChannels, controlPercent, start, schedule: rest }
}

/** Languages in which nothing is written are left out. `storedStart`: undefined of a new campaign. */
export function bodyOf({ start, schedule, content, name, ...rest }: Draft, storedStart: string | undefined, now: number): Body {
  const keepsStart = start === null && storedStart !== undefined && Date.parse(storedStart) <= now
  const startTime = start ?? (keepsStart || storedStart === undefined ? undefined : new Date(now).toISOString())
  return {
    ...rest,
    name: name.trim(),
    content: Object.fromEntries(Object.entries(content).flatMap(([locale, said]) => (isBlank(said) ? [] : [[locale, trimmed(said)]]))),
    schedule: { ...schedule, ...(startTime !== undefined && { startTime }) },
  }
}

/** Members that are others than those that are stored: what somebody else changes meanwhile in the rest stays theirs. */
export function changedMembers(body: Body, stored: Held): Partial<Body> {
  const { startTime, ...schedule } = stored.schedule
  const held = { controlPercent: 0, ...stored, schedule: body.schedule.startTime === undefined ? schedule : { startTime, ...schedule } }
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => canonicalJson(value) !== canonicalJson(held[name as keyof Body])),
  )
}

export function isSame(a: Draft, b: Draft): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Nothing that anybody would read. */
export function isBlank({ placementIds = [], variants = [], data, ...message }: CampaignContent): boolean {
  const isUnsaid = MESSAGE_MEMBERS.every((name) => !message[name]) && isBlankTemplate(message.whatsappTemplate)
  return placementIds.length === 0 && variants.length === 0 && data === undefined && isUnsaid
}

/** A member that was emptied again was never said. */
function trimmed(said: CampaignContent): CampaignContent {
  const { placementIds = [], variants = [], ...rest } = said
  return {
    ...withoutEmpty(rest),
    ...(placementIds.length > 0 && { placementIds }),
    ...(variants.length > 0 && { variants: variants.map(({ values, ...variant }) => ({ ...variant, values: withoutEmpty(values) })) }),
  }
}

function withoutEmpty<T extends MessageContent>(said: T): T {
  const isSaid = ([name, value]: [string, unknown]) =>
    name === 'whatsappTemplate' ? !isBlankTemplate(said.whatsappTemplate) : value !== ''
  return Object.fromEntries(Object.entries(said).filter(isSaid)) as T
}
