import type { InstanceContent } from '@contentflow/core/blocks/instance.ts'
import type { Field } from '@contentflow/core/blocks/field.ts'
import { EnvironmentName, Nullable, Time, timeThat, Type } from '../../../http/schema.ts'
import { contentSchema, presentContent } from '../present.ts'
import { REVISION_SOURCES } from '../queries-instances.ts'
import { EVENT_ACTIONS, REVIEW_ACTIONS } from './queries-events.ts'
import type { Publication } from './queries-publications.ts'
import { REVIEW_STATUSES } from './queries-reviews.ts'

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

export const AskedSchema = Type.Object(
  { requestId: Type.String(), status: Type.Literal('pending') },
  { description: 'It waits for a second person: GET /reviews' },
)

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
/** Decided by the routes of its campaign. */
const CampaignReviewSchema = Type.Object({
  id: Type.String({ description: 'Of the campaign, or of the edit request' }),
  kind: Type.Enum(['campaign', 'campaign_edit'], { description: 'Submitted, or to be another; decided by the routes of campaigns' }),
  campaignId: Type.String(),
  name: Type.String(),
  status,
  requestedBy,
  requestedAt,
  decidedBy,
  decidedAt,
  note,
})
export const AnyReviewSchema = Type.Union([ReviewSchema, CampaignReviewSchema])
