import { INSTANCE_STATES, instanceState } from '@contentflow/core/blocks/instance-state.ts'
import { outlineOf } from '@contentflow/core/blocks/outline.ts'
import { Nullable, Time, timeThat, Type, TimeText } from '../../../http/schema.ts'
import { Design, ScheduleSchema, Warnings, type Warning } from '../revisions/present.ts'
import type { Listed, TurnRow, TypeRow } from './queries-overview.ts'

export const StateName = Type.Enum([...INSTANCE_STATES])
export const StateFilter = Type.Enum([...INSTANCE_STATES, 'changed', 'deleted'], {
  description: 'In this state; changed: published, with a newer draft; deleted: in the bin, otherwise left out',
})
const Segment = Nullable(Type.String({ description: 'Segment name; null: everyone' }))

export const SummarySchema = Type.Object({
  id: Type.String(),
  blockKey: Type.String(),
  blockName: Type.String(),
  screen: Type.String(),
  designType: Nullable(Design),
  title: Type.String(),
  label: Nullable(Type.String({ description: 'The first text, in `labelLocale` where it has one' })),
  image: Nullable(Type.String({ description: 'The first image of the base values' })),
  state: StateName,
  isChanged: Type.Boolean({ description: 'What is live has newer changes that nobody gets yet' }),
  head: Type.Integer(),
  live: Nullable(Type.Integer({ description: 'The revision that live keys get' })),
  test: Nullable(Type.Integer({ description: 'The revision that test keys get; null: the live one' })),
  published: Type.Object({ live: Nullable(Time), test: Nullable(Time) }),
  publishAt: Nullable(timeThat('When a revision is published next; null: none is planned')),
  deletedAt: Nullable(Time),
  deletedBy: Nullable(Type.String({ description: 'User id, or the id of the write key' })),
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
  warnings: Warnings,
})

/** Segment, schedule and priority are those of the published content; the rest is what was saved last. */
export function presentSummary(
  { instance, served, publishAt }: Listed,
  { name, screen, designType, fields }: TypeRow,
  now: number,
  warnings: readonly Warning[],
  labelLocale: string | undefined,
) {
  const { id, blockKey, title, version, createdAt, updatedAt, liveRevision, livePublishedAt, testRevision, testPublishedAt } = instance
  const { seg, priority, schedule } = served
  const { label, image, locales } = outlineOf(fields, instance, labelLocale)
  return {
    id,
    blockKey,
    blockName: name,
    screen,
    designType,
    title,
    label,
    image,
    state: instanceState({ isLive: liveRevision !== null, isTest: testRevision !== null, isPlanned: publishAt !== null, schedule }, now),
    isChanged: liveRevision !== null && liveRevision !== version,
    head: version,
    live: liveRevision,
    test: testRevision,
    publishAt,
    deletedAt: instance.deletedAt,
    deletedBy: instance.deletedBy,
    published: { live: livePublishedAt, test: testPublishedAt },
    seg,
    priority,
    schedule,
    variants: instance.variants.length,
    locales,
    version,
    createdAt,
    updatedAt,
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  }
}

export const CountsSchema = Type.Object({
  types: Type.Array(
    Type.Object({
      blockKey: Type.String(),
      screen: Type.String(),
      instances: Type.Integer(),
      live: Type.Integer({ description: 'What live keys get now' }),
      changed: Type.Integer({ description: 'Live ones with newer changes that nobody gets yet' }),
    }),
  ),
})

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
      change: Type.Enum(['starts', 'ends', 'publishes']),
      instanceId: Type.String(),
      title: Type.String(),
      label: Nullable(Type.String({ description: 'Its first text, in the language that was asked for where it has one' })),
      blockKey: Type.String(),
      blockName: Type.String(),
      screen: Type.String(),
      seg: Segment,
      isLive: Type.Boolean({ description: 'false: to test only' }),
    }),
    { description: 'Published instances that start or end within the days, and revisions that are published then; the soonest first' },
  ),
  hasMoreUpcoming: Type.Boolean(),
  waiting: Type.Object({
    stringsInReview: Type.Integer({ description: 'Translations that wait for approval' }),
    sensorRequests: Type.Integer(),
    drafts: Type.Integer({ description: 'Instances that are published nowhere' }),
    changes: Type.Integer({ description: 'Live instances with newer changes that nobody gets yet' }),
    reviews: Type.Integer({ description: 'Requests to publish' }),
    campaignReviews: Type.Integer({ description: 'Campaigns, and changes of campaigns, that wait for a second person' }),
    scheduledCampaigns: Type.Integer({ description: 'Campaigns that start within 14 days' }),
    subjectRequests: Type.Integer({ description: 'Requests of people about their data that wait for an answer' }),
  }),
})

export function presentTurn({ fields, values, translations, ...turn }: TurnRow, locale: string | undefined) {
  return { ...turn, label: outlineOf(fields, { values, translations }, locale).label }
}
