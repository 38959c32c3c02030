import { INSTANCE_STATES, instanceState } from '@contentflow/core/blocks/instance-state.ts'
import { outlineOf } from '@contentflow/core/blocks/outline.ts'
import { Nullable, Time, Type, TimeText } from '../../http/schema.ts'
import { Design, ScheduleSchema } from './present.ts'
import type { TypeRow } from './queries-overview.ts'
import type { Instance } from './queries-instances.ts'

export const StateName = Type.Enum([...INSTANCE_STATES])
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
  published: Type.Object({ live: Nullable(Time), test: Nullable(Time) }),
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

export function presentSummary(instance: Instance, { name, screen, designType, fields }: TypeRow, now: number) {
  const { id, blockKey, title, seg, priority, schedule, version, createdAt, updatedAt, livePublishedAt, testPublishedAt } = instance
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
    state: instanceState({ isLive: livePublishedAt !== null, isTest: testPublishedAt !== null, schedule }, now),
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
  }),
})
