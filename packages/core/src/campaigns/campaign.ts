/** What a campaign holds: the part of it that is written, reviewed and approved. */
import type { JsonObject } from '../blocks/field.ts'
import type { MailDocument } from '../mail/document.ts'
import type { FrozenPart } from '../mail/library/put-parts.ts'
import type { VariantMail } from '../mail/variants/variant-mail.ts'
import type { MessageContent } from '../messages/content.ts'
import type { SendWindow } from '../messages/window.ts'

export type CampaignSchedule = { startTime: string; endTime?: string } & Pick<SendWindow, 'timezone' | 'prayerBlackout' | 'quietHours'>
/** G-22: `values` are laid over the content, `mail` over the mail of sections. */
export type CampaignVariant = { id: string; weight: number; values: MessageContent & JsonObject; mail?: VariantMail }
export type CampaignContent = MessageContent & { placementIds?: string[]; variants?: CampaignVariant[]; data?: JsonObject }
export type Campaign = {
  name: string
  type: string
  priority: number
  segments: string[]
  schedule: CampaignSchedule
  content: { [locale: string]: CampaignContent }
  /** Channels of sends, `in_app`, and keys of block types that campaigns may use. */
  dispatchChannels: string[]
  /** Of a hundred people it would reach, those who get nothing at all; undefined: nobody is left out. */
  controlPercent?: number | undefined
  /** What is sent by email instead of the texts (decision 66); undefined: these. */
  mail?: MailDocument | undefined
  /** The saved parts that this mail holds, as they were when it was submitted or changed after that (decision 70); a draft has none. */
  mailParts?: FrozenPart[] | undefined
  /** What it is about; undefined: nothing that people decide about by itself. */
  topic?: string | undefined
}
/** Whole members; of a schedule that is sent without a start the start stays. `mail`, `topic`: null takes it away. */
export type CampaignChanges = Partial<
  Omit<Campaign, 'schedule' | 'mail' | 'mailParts' | 'topic'> & {
    schedule: Partial<CampaignSchedule>
    mail: MailDocument | null | undefined
    topic: string | null | undefined
  }
>

/** A change that waits for a second person, with the saved parts of its mail as they were when it was asked for. */
export type AskedChanges = CampaignChanges & Pick<Campaign, 'mailParts'>

/** The channels that messages leave through. */
export const SEND_CHANNELS = ['push', 'email', 'sms', 'whatsapp'] as const
export const IN_APP = 'in_app'

/** A campaign that nobody said more of (G-50). */
export const BLANK = { priority: 5, segments: [], content: {}, dispatchChannels: [] } satisfies Partial<Campaign>

/** The campaign with these members. `startTime`: what it is when neither says one. */
export function withChanges(
  before: Omit<Campaign, 'schedule'> & { schedule?: CampaignSchedule },
  { schedule, ...changes }: AskedChanges,
  startTime: string,
): Campaign {
  const start = schedule?.startTime ?? before.schedule?.startTime ?? startTime
  const next = { ...before, ...changes, schedule: { ...(schedule ?? before.schedule), startTime: start } }
  return { ...next, controlPercent: next.controlPercent || undefined, mail: next.mail ?? undefined, topic: next.topic ?? undefined }
}

/** What no single member shows. */
export function faultOf({ schedule: { startTime, endTime } }: Campaign): string | undefined {
  return endTime !== undefined && endTime <= startTime ? 'schedule.endTime must be after schedule.startTime' : undefined
}

/** Its parts in one order: what is sealed, and compared. */
export function sealedPartsOf(campaign: Campaign) {
  const { content, segments, schedule, dispatchChannels, controlPercent, mail, mailParts = [], topic } = campaign
  const frozen = mailParts.length > 0 ? mailParts : undefined
  return { content, segments, schedule, dispatchChannels, controlPercent, mail, mailParts: frozen, topic }
}
