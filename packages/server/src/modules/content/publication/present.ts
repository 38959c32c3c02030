import { CHANNEL_TYPES } from '@contentflow/core/channels/channel.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import type { MessageContent } from '@contentflow/core/messages/content.ts'
import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import type { Field } from '@contentflow/core/blocks/field.ts'
import { EnvironmentName, MailSchema, Nullable, Shaped, Time, timeThat, Type } from '../../../http/schema.ts'
import { contentSchema, presentContent, presentServingWarning, ServingWarningSchema } from '../revisions/present.ts'
import { REVISION_SOURCES } from '../revisions/queries-instances.ts'
import { EVENT_ACTIONS, REVIEW_ACTIONS } from '../revisions/queries-events.ts'
import type { Publication } from '../revisions/queries-publications.ts'
import type { ServingTold } from '../revisions/serving.ts'
import { REVIEW_STATUSES, REVIEWED_ACTIONS } from './queries-reviews.ts'

export const ScheduledSchema = Type.Object({
  id: Type.String(),
  revision: Type.Integer(),
  targets: Type.Array(EnvironmentName),
  at: Time,
  madeBy: Type.String({ description: 'User id' }),
  madeAt: Time,
  fault: Nullable(Type.String({ description: 'Why it could not be published at its moment' })),
})

export function presentScheduled({ id, revision, targets, at, madeBy, madeAt, fault }: Publication) {
  return { id, revision, targets, at, madeBy, madeAt, fault }
}

/** Warnings for the member who moved it; left out when there are none. */
export const MovedSchema = Type.Object({
  ...ScheduledSchema.properties,
  warnings: Type.Optional(Type.Array(ServingWarningSchema)),
})

export function presentMoved(publication: Publication, warnings: readonly ServingTold[]) {
  return { ...presentScheduled(publication), ...(warnings.length > 0 && { warnings: warnings.map(presentServingWarning) }) }
}

export const HistorySchema = Type.Object({
  action: Type.Enum(['save', ...EVENT_ACTIONS, ...REVIEW_ACTIONS]),
  number: Type.Integer({ description: 'Of the save, of the event or of the request; counted apart' }),
  environment: Nullable(EnvironmentName),
  revision: Nullable(Type.Integer({ description: 'Where the environment points to since; of a save the revision it made' })),
  dueAt: Nullable(timeThat('When it is to be published')),
  source: Nullable(Type.Enum([...REVISION_SOURCES], { description: 'Of a save' })),
  restoredFrom: Nullable(Type.Integer()),
  note: Nullable(Type.String({ description: 'What the second person said' })),
  madeBy: Type.String({ description: 'User id, or the id of the write key' }),
  at: Time,
})

export const ServedSchema = Type.Object({
  environment: EnvironmentName,
  time: Time,
  revision: Nullable(Type.Integer({ description: 'null: nothing of it was served' })),
  content: Nullable(Type.Object(contentSchema)),
})

export function presentServed(content: InstanceContent | null, fields: readonly Field[]) {
  return content && presentContent(content, fields)
}

export const ReviewSchema = Type.Object({
  id: Type.String(),
  kind: Type.Literal('instance'),
  action: Type.Enum([...REVIEWED_ACTIONS], { description: 'reschedule: a planned publication comes at another moment' }),
  scheduleId: Nullable(Type.String({ description: 'Of the planned publication that is to come at another moment' })),
  instanceId: Type.String(),
  blockKey: Type.String(),
  title: Type.String(),
  revision: Type.Integer(),
  targets: Type.Array(EnvironmentName),
  at: Nullable(timeThat('The moment it is to be published; null: as soon as it is approved')),
  status: Type.Enum([...REVIEW_STATUSES]),
  requestedBy: Type.String({ description: 'User id' }),
  requestedAt: Time,
  decidedBy: Nullable(Type.String()),
  decidedAt: Nullable(Time),
  note: Nullable(Type.String()),
})
const { status, requestedBy, requestedAt, decidedBy, decidedAt, note } = ReviewSchema.properties
const decided = { status, requestedBy, requestedAt, decidedBy, decidedAt, note }
/** Requests about campaigns, which the routes of campaigns decide. */
const CampaignReviewSchema = Type.Object({
  id: Type.String({ description: 'Of the campaign, or of the edit request' }),
  kind: Type.Enum(['campaign', 'campaign_edit'], { description: 'Submitted, or to be another; decided by the routes of campaigns' }),
  campaignId: Type.String(),
  name: Type.String(),
  ...decided,
})
const JourneyReviewSchema = Type.Object(
  {
    id: Type.String(),
    kind: Type.Literal('journey', { description: 'To be activated' }),
    journeyId: Type.String(),
    name: Type.String(),
    ...decided,
  },
  { title: 'JourneyReview' },
)
const MessageReviewSchema = Type.Object(
  {
    id: Type.String(),
    kind: Type.Literal('notification', { description: 'To be sent to everybody in a segment' }),
    segment: Type.String({ description: 'Its name when this was asked for' }),
    channel: Type.Enum([...CHANNEL_TYPES]),
    content: Shaped<MessageContent>(Type.Object({}, { additionalProperties: true, description: 'As it is sent' })),
    mail: Type.Optional(Shaped<MailDocument | undefined>(MailSchema)),
    parts: Type.Optional(
      Type.Array(Type.Object({ id: Type.String(), name: Type.String(), version: Type.Integer() }), {
        description: 'The saved parts that stand in the mail, as they were when it was asked for',
      }),
    ),
    ...decided,
  },
  { title: 'MessageReview' },
)
const SensorReviewSchema = Type.Object(
  {
    id: Type.String({ description: 'The requestId that asking for it was answered with' }),
    kind: Type.Literal('sensor', { description: 'Of a text, to be turned on' }),
    key: Type.String({ description: 'Of the text' }),
    ...decided,
  },
  { title: 'SensorReview' },
)
export const AnyReviewSchema = Type.Union([
  ReviewSchema,
  CampaignReviewSchema,
  JourneyReviewSchema,
  MessageReviewSchema,
  SensorReviewSchema,
])
/** Requests that the routes of reviews decide. */
export const DecidedReviewSchema = Type.Union([ReviewSchema, JourneyReviewSchema, MessageReviewSchema, SensorReviewSchema])
