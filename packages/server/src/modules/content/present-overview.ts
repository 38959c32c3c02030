import { INSTANCE_STATES, instanceState } from '@contentflow/core/blocks/instance-state.ts'
import { outlineOf } from '@contentflow/core/blocks/outline.ts'
import { Nullable, Time, Type, TimeText } from '../../http/schema.ts'
import { Design, ScheduleSchema } from './present.ts'
import type { Listed, TypeRow } from './queries-overview.ts'

export const StateName = Type.Enum([...INSTANCE_STATES])
export const StateFilter = Type.Enum([...INSTANCE_STATES, 'changed', 'deleted'])
const Segment = Nullable(Type.String({ description: 'Segment name; null: everyone' }))

export const SummarySchema = Type.Object({
  id: Type.String(),
  blockKey: Type.String(),
  blockName: Type.String(),
  screen: Type.String(),
  designType: Nullable(Design),
  title: Type.String(),
  label: Nullable(Type.String({ description: 'The first text of the base values' })),
  image: Nullable(Type.String({ description: 'The first image of the base values' })),
  state: StateName,
  isChanged: Type.Boolean({ description: 'What is live has newer changes that nobody gets yet' }),
  head: Type.Integer(),
  live: Nullable(Type.Integer({ description: 'The revision that live keys get' })),
  test: Nullable(Type.Integer({ description: 'The revision that test keys get; null: the live one' })),
  published: Type.Object({ live: Nullable(Time), test: Nullable(Time) }),
  deletedAt: Nullable(Time),
  seg: Segment,
  priority: Type.Integer(),
  schedule: Nullable(ScheduleSchema),
  variants: Type.Integer({ description: 'How many' }),
  locales: Type.Array(Type.Object({ locale: Type.String(), filled: Type.Integer(), of: Type.Integer() }), {
    description: 'Languages that hold anything: texts translated, of those the base values have',
  }),
  version: Type.Integer(),
  createdAt: Time,
  updatedAt: Time,
})

/** Whom it is for, when and how far up is told of what clients get; the rest of what was saved last. */
export function presentSummary({ instance, served }: Listed, { name, screen, designType, fields }: TypeRow, now: number) {
  const { id, blockKey, title, version, createdAt, updatedAt, liveRevision, livePublishedAt, testRevision, testPublishedAt } = instance
  const { seg, priority, schedule } = served
  const { label, image, locales } = outlineOf(fields, instance)
  return {
    id,
    blockKey,
    blockName: name,
    screen,
    designType,
    title,
    label,
    image,
    state: instanceState({ isLive: liveRevision !== null, isTest: testRevision !== null, schedule }, now),
    isChanged: liveRevision !== null && liveRevision !== version,
    head: version,
    live: liveRevision,
    test: testRevision,
    deletedAt: instance.deletedAt,
    published: { live: livePublishedAt, test: testPublishedAt },
    seg,
    priority,
    schedule,
    variants: instance.variants.length,
    locales,
    version,
    createdAt,
    updatedAt,
  }
}

export const OverviewSchema = Type.Object({
  at: Time,
  screens: Type.Array(
    Type.Object({
      screen: Type.String(),
      blockTypes: Type.Integer(),
      liveBlockTypes: Type.Integer({ description: 'Block types of which something is live' }),
      liveInstances: Type.Integer(),
      forEveryone: Type.Integer({ description: 'Of the live instances' }),
      segments: Type.Array(Type.String(), { description: 'Names of the segments the others are for' }),
    }),
    { description: 'What live keys get now' },
  ),
  upcoming: Type.Array(
    Type.Object({
      at: TimeText,
      change: Type.Enum(['starts', 'ends']),
      instanceId: Type.String(),
      title: Type.String(),
      blockKey: Type.String(),
      blockName: Type.String(),
      screen: Type.String(),
      seg: Segment,
      isLive: Type.Boolean({ description: 'false: published to test only' }),
    }),
    { description: 'Published instances that start or end within the days, the soonest first' },
  ),
  hasMoreUpcoming: Type.Boolean(),
  waiting: Type.Object({
    stringsInReview: Type.Integer({ description: 'Translations that wait for approval' }),
    sensorRequests: Type.Integer(),
    drafts: Type.Integer({ description: 'Instances that are published nowhere' }),
    changes: Type.Integer({ description: 'Live instances with newer changes that nobody gets yet' }),
    reviews: Type.Integer({ description: 'Requests to publish' }),
  }),
})
