/** A campaign as it is written: what the form holds, and how that is read from and sent to the server. */
import type { Campaign as Held, CampaignSchedule } from '@contentflow/core/campaigns/campaign.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { canonicalJson } from '@contentflow/core/json/canonical-json.ts'
import { draftMessage, storedContent } from './variants/stored-content.ts'
import { hasUnequalVariants, type DraftMessage, type StoredContent } from './variants/structure.ts'

/** `start`: null is as soon as it is launched. */
export type Draft = Omit<Held, 'schedule' | 'controlPercent' | 'content'> &
  DraftMessage & {
    /** 0: there is no control group. */
    controlPercent: number
    start: string | null
    schedule: Omit<CampaignSchedule, 'startTime'>
  }
/** The body of a save; without a start the stored one stays. */
export type Body = Omit<Held, 'schedule' | 'mail'> & { schedule: Partial<CampaignSchedule>; mail?: MailDocument | null }
/** `topic`: null takes it away. */
type Sent<B> = Omit<B, 'topic'> & { topic?: string | null | undefined }

export function newDraft(timezone: string, locale: string | undefined): Draft {
  return {
    name: '',
    type: 'promo',
    priority: 5,
    segments: [],
    content: locale === undefined ? {} : { [locale]: {} },
    variants: [],
    dispatchChannels: [],
    controlPercent: 0,
    start: null,
    schedule: { timezone },
  }
}

type Circumstances = { now: number; source: string | undefined }
/** `hadMail`: the stored campaign has a mail of sections, which is taken away when the draft has none. */
type Stored = Circumstances & { hadMail?: boolean }

/** A start that has passed means nothing any more. `source`: the source language of the workspace. */
export function draftOf(
  {
    name,
    type,
    priority,
    segments,
    schedule,
    content: stored,
    dispatchChannels,
    controlPercent = 0,
    mail,
    topic,
  }: Omit<Held, 'mail'> & Pick<Body, 'mail'>,
  { now, source }: Circumstances,
): Draft {
  const { startTime, ...rest } = schedule
  const start = Date.parse(startTime) > now ? startTime : null
  const { content, variants } = draftMessage(stored, source)
  const audience = { segments, dispatchChannels, controlPercent }
  return {
    name,
    type,
    priority,
    content,
    variants,
    ...audience,
    start,
    schedule: rest,
    ...(mail && { mail }),
    ...(topic !== undefined && { topic }),
  }
}

/** A draft that a browser kept from when each language had variants of its own. */
export function keptDraft(
  draft: Draft | (Omit<Draft, 'variants' | 'content'> & { content: StoredContent }),
  source: string | undefined,
): Draft {
  if ('variants' in draft) return draft
  const { content, variants } = draftMessage(draft.content, source)
  return { ...draft, content, variants }
}

/** Languages in which nothing is written are left out. `storedStart`: undefined of a new campaign. */
export function bodyOf(
  { start, schedule, content, variants, name, mail, ...rest }: Draft,
  storedStart: string | undefined,
  { now, source, hadMail = false }: Stored,
): Body {
  const keepsStart = start === null && storedStart !== undefined && Date.parse(storedStart) <= now
  const startTime = start ?? (keepsStart || storedStart === undefined ? undefined : new Date(now).toISOString())
  return {
    ...rest,
    name: name.trim(),
    content: storedContent({ content, variants, dispatchChannels: rest.dispatchChannels, ...(mail && { mail }) }, source),
    schedule: { ...schedule, ...(startTime !== undefined && { startTime }) },
    ...(mail ? { mail } : hadMail && { mail: null }),
  }
}

/**
 * The members that differ from the stored ones; changes of others in the remaining members are then kept. The content is
 * compared with how it was opened.
 */
export function changedMembers(
  body: Body,
  stored: Omit<Held, 'mail'> & Pick<Body, 'mail'>,
  source: string | undefined,
): Partial<Sent<Body>> {
  const { startTime, ...schedule } = stored.schedule
  const { mail, dispatchChannels } = stored
  const opened = storedContent({ ...draftMessage(stored.content, source), dispatchChannels, ...(mail && { mail }) }, source)
  const held = {
    controlPercent: 0,
    ...stored,
    content: opened,
    schedule: body.schedule.startTime === undefined ? schedule : { startTime, ...schedule },
  }
  return Object.fromEntries(
    Object.entries(withoutTopic(body, stored)).filter(([name, value]) => canonicalJson(value) !== canonicalJson(held[name as keyof Body])),
  )
}

export function isSame(a: Draft, b: Draft): boolean {
  // The server has the members of a message in an order of its own.
  return canonicalJson(a) === canonicalJson(b)
}

/** What the next save changes in a campaign that another program stored: its variants, and languages that take addresses. */
export type Adoption = { isMerged: boolean; takes: string[] }

/** Undefined: it is stored as it is written here. */
export function adoptionOf({ content }: Pick<Held, 'content'>, source: string | undefined): Adoption | undefined {
  const isMerged = hasUnequalVariants(content)
  const { takes } = draftMessage(content, source)
  return isMerged || takes.length > 0 ? { isMerged, takes } : undefined
}

/** A topic that was taken away is said: one that is left out of a body stays as it is stored. */
export function withoutTopic(body: Body, stored: Pick<Held, 'topic'> | undefined): Sent<Body> {
  return body.topic === undefined && stored?.topic !== undefined ? { ...body, topic: null } : body
}
