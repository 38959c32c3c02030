import type { Campaign } from '@contentflow/core/campaigns/campaign.ts'
import { CAMPAIGN_STATUSES } from '@contentflow/core/campaigns/status.ts'
import type { FrozenPart } from '@contentflow/core/mail/library/put-parts.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import {
  MailSchema,
  VariantMailSchema,
  SendingFaultSchema,
  Nullable,
  Shaped,
  Time,
  TimeText,
  Type,
  WhatsappTemplateSchema,
  ShortenSchema,
  UrgencySchema,
  type Static,
} from '../../http/schema.ts'
import type { Explained } from './report/explain.ts'

import { CAMPAIGN_ACTIONS, EDIT_STATUSES } from './queries-events.ts'

const Status = Type.Enum([...CAMPAIGN_STATUSES])
export const ExplainQuery = Type.Object({
  userId: Type.String({ minLength: 1, maxLength: LIMITS.userIdLength, description: 'A user id, or the device id of an anonymous person' }),
})
export const CampaignExplanationSchema = Type.Object({
  campaignId: Type.String(),
  status: Status,
  isInAudience: Type.Boolean(),
  segments: Type.Array(Type.Object({ name: Type.String(), isMember: Type.Boolean() })),
  isInControlGroup: Type.Optional(
    Type.Boolean({ description: 'Only of a campaign that leaves some out; true: nothing of it reaches them' }),
  ),
  channels: Type.Array(
    Type.Object({
      channel: Type.String(),
      because: Type.String({
        description:
          'sent, sending, waits, shown, ended, campaign_not_active, not_in_audience, not_started, missed, stopped, came_later (not of the audience when it left), control_group, or why it was or would be skipped, or failed',
      }),
      until: Nullable(Time),
      tries: Type.Integer(),
      provider: Nullable(Type.String()),
      told: Nullable(Type.String({ description: 'What the provider said later' })),
      updatedAt: Nullable(Time),
    }),
  ),
})
const Schedule = Type.Object({
  startTime: Type.Optional(Type.String({ description: 'ISO 8601; now when left out' })),
  endTime: Type.Optional(Nullable(Type.String({ description: 'After the start' }))),
  timezone: Type.Optional(Nullable(Type.String({ examples: ['Asia/Riyadh'] }))),
  prayerBlackout: Type.Optional(
    Nullable(
      Type.Object({
        enabled: Type.Boolean(),
        latitude: Type.Optional(Type.Number()),
        longitude: Type.Optional(Type.Number()),
        minutesBefore: Type.Optional(Type.Integer({ minimum: 0, maximum: 60, default: 15 })),
        minutesAfter: Type.Optional(Type.Integer({ minimum: 0, maximum: 60, default: 15 })),
      }),
    ),
  ),
  quietHours: Type.Optional(
    Nullable(
      Type.Object(
        { from: Type.String(), to: Type.String() },
        { description: 'Nothing leaves then, by the clock of timezone', examples: [{ from: '22:00', to: '08:00' }] },
      ),
    ),
  ),
})
const Message = {
  title: Type.Optional(Type.String()),
  body: Type.Optional(Type.String()),
  imageUrl: Type.Optional(Type.String()),
  ctaLabel: Type.Optional(Type.String()),
  ctaUrl: Type.Optional(Type.String()),
  whatsappTemplate: Type.Optional(WhatsappTemplateSchema),
  shorten: Type.Optional(ShortenSchema),
  urgency: Type.Optional(UrgencySchema),
}
const Content = Type.Record(
  Type.String(),
  Type.Object({
    ...Message,
    inbox: Type.Optional(
      Type.Object(
        { days: Type.Integer({ minimum: LIMITS.inboxDays.min, maximum: LIMITS.inboxDays.max }) },
        { description: 'Of in_app: the message also goes into the inbox of apps, for so many days; the longest of the locales holds' },
      ),
    ),
    placementIds: Type.Optional(Type.Array(Type.String(), { description: 'None: every placement' })),
    variants: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String(),
          weight: Type.Integer({ minimum: 1 }),
          values: Type.Object({}, { additionalProperties: true, description: 'May be left out where the variant has a mail' }),
          mail: Type.Optional(VariantMailSchema),
        }),
      ),
    ),
    data: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'Anything; clients get it as it is' })),
  }),
  { description: 'By locale. `{{name}}`, `{{customAttributes.x}}` and their like are filled for the person' },
)
const members = {
  name: Type.String({ minLength: 1, maxLength: LIMITS.campaignNameLength }),
  type: Type.String({ minLength: 1, maxLength: LIMITS.campaignTypeLength }),
  priority: Type.Integer({ minimum: LIMITS.campaignPriority.min, maximum: LIMITS.campaignPriority.max, default: 5 }),
  segments: Type.Array(Type.String(), { description: 'Names, exact; `All users` reaches everybody, none nobody' }),
  schedule: Schedule,
  content: Content,
  dispatchChannels: Type.Array(Type.String(), {
    description: 'push, email, sms, whatsapp, in_app, or the key of a block type that campaigns may use',
  }),
}
const controlPercent = Type.Optional(
  Shaped<number | undefined>(
    Type.Integer({
      minimum: LIMITS.campaignControlPercent.min,
      maximum: LIMITS.campaignControlPercent.max,
      description:
        'Of a hundred people it would reach, those who get nothing at all, to see what it changes; 0 or absent: nobody is left out',
    }),
  ),
)
const mail = Type.Optional(Shaped<MailDocument | undefined>(MailSchema))
const mailParts = Type.Optional(
  Shaped<FrozenPart[] | undefined>(
    Type.Array(Type.Object({ id: Type.String(), name: Type.String(), version: Type.Integer(), document: MailSchema }), {
      description:
        'The saved parts that the mail holds, as they were when it was submitted; a draft has none, because it shows them as they are',
    }),
  ),
)
const topic = Type.Optional(
  Shaped<string | undefined>(
    Type.String({ maxLength: LIMITS.topicIdLength, description: 'What it is about: whoever does not want that gets nothing of it' }),
  ),
)
const changes = { ...Type.Partial(Type.Object(members)).properties, controlPercent }
/** Of a body: null takes the mail of sections, or the topic, away. */
const optional = {
  ...changes,
  mail: Type.Optional(Shaped<MailDocument | null | undefined>(Nullable(MailSchema))),
  topic: Type.Optional(Shaped<string | null | undefined>(Nullable(Type.String({ maxLength: LIMITS.topicIdLength })))),
}
const example = {
  name: 'Eid offers',
  type: 'promo',
  segments: ['All users'],
  schedule: {},
  content: { en: { title: 'Eid Mubarak', body: '20% off today', ctaLabel: 'Shop', ctaUrl: '/offers' } },
  dispatchChannels: ['in_app'],
}
/** What a body may say, for the documents; `readCampaign` reads it. */
export const NewCampaignBody = Type.Object(
  { ...optional, name: members.name, type: members.type, status: Type.Optional(Type.Literal('draft')) },
  { additionalProperties: false, examples: [example] },
)
export const CampaignBody = Type.Object(optional, { additionalProperties: false, examples: [{ name: 'Eid offers, again' }] })

export const CampaignSchema = Type.Object({
  id: Type.String(),
  ...members,
  controlPercent,
  mail,
  mailParts,
  topic,
  schedule: Shaped<Campaign['schedule']>(Schedule),
  content: Shaped<Campaign['content']>(Content),
  status: Status,
  pausedFrom: Nullable(Type.Enum(['scheduled', 'active', 'test'], { description: 'What resuming leads back to' })),
  version: Type.Integer(),
  createdBy: Type.String({ description: 'User id' }),
  submittedBy: Nullable(Type.String()),
  submittedAt: Nullable(Time),
  approvedBy: Nullable(Type.String()),
  approvedAt: Nullable(Time),
  rejectionNote: Nullable(Type.String()),
  seal: Nullable(
    Type.Object(
      {
        hash: Type.String({
          description: 'SHA-256 of content, segments, schedule, channels, the control group, the mail of sections and the topic',
        }),
        by: Type.String(),
        at: TimeText,
      },
      { description: 'What was approved' },
    ),
  ),
  changedSinceApproval: Type.Array(
    Type.Object({ kind: Type.Enum(['segment', 'picture', 'mail']), name: Type.String(), at: Nullable(Time) }),
    {
      description:
        'What the approval rests on and is another now; `at` is null when it is gone. Of `mail`, a saved part, the one that was approved goes out',
    },
  ),
  warnings: Type.Array(Type.Union([Type.Object({ code: Type.Literal('unknown_segment'), segment: Type.String() }), SendingFaultSchema]), {
    description: 'What is sent is looked at when it is submitted, and by its preview',
  }),
  createdAt: Time,
  updatedAt: Time,
})
export const ApprovalSchema = Type.Object({
  content: CampaignSchema.properties.content,
  segments: members.segments,
  schedule: CampaignSchema.properties.schedule,
  dispatchChannels: members.dispatchChannels,
  controlPercent,
  mail,
  mailParts,
  topic,
  hash: Type.String(),
  approvedBy: Type.String({ description: 'User id' }),
  approvedAt: Time,
})
export const EditAskedSchema = Type.Object(
  { editRequestId: Type.String(), campaignId: Type.String(), status: Type.Literal('pending') },
  { description: 'It waits for a second person' },
)
export const EditSchema = Type.Object({
  id: Type.String(),
  campaignId: Type.String(),
  changes: Type.Object({ ...optional, mailParts }),
  baseVersion: Type.Integer({ description: 'Of the campaign when it was asked for' }),
  status: Type.Enum([...EDIT_STATUSES]),
  requestedBy: Type.String({ description: 'User id' }),
  requestedAt: Time,
  decidedBy: Nullable(Type.String()),
  decidedAt: Nullable(Time),
  note: Nullable(Type.String()),
})
export const WaitingSchema = Type.Object({
  kind: Type.Enum(['campaign', 'campaign_edit']),
  id: Type.String({ description: 'Of the campaign, or of the edit request' }),
  campaignId: Type.String(),
  name: Type.String(),
  requestedBy: Type.String({ description: 'User id' }),
  requestedAt: Time,
})
export const CampaignEventSchema = Type.Object({
  number: Type.Integer(),
  action: Type.Enum([...CAMPAIGN_ACTIONS]),
  from: Nullable(Status),
  to: Nullable(Status),
  contentHash: Type.String({ description: 'Of what it held then; of a request what it would hold' }),
  note: Nullable(Type.String()),
  madeBy: Type.String({ description: 'User id; `system` when its moment had come' }),
  at: Time,
})

export function presentExplained({
  campaign,
  isInAudience,
  isInControlGroup,
  segments,
  channels,
}: Explained): Static<typeof CampaignExplanationSchema> {
  return {
    campaignId: campaign.id,
    status: campaign.status,
    isInAudience,
    segments,
    ...(isInControlGroup !== undefined && { isInControlGroup }),
    channels: channels.map(({ channel, because, until, line }) => ({
      channel,
      because,
      until,
      tries: line?.tries ?? 0,
      provider: line?.provider ?? null,
      told: line?.told ?? null,
      updatedAt: line?.updated_at ?? null,
    })),
  }
}
