/** Bodies and answers of questions, and of reports. `core/analysis/question.ts` reads the definitions and says where a fault is. */
import { ANALYSIS_LIMITS, INTERVALS, METRICS, QUESTION_KINDS } from '@contentflow/core/analysis/question.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { Nullable, Ok, Shaped, Time, Type } from '../../http/schema.ts'

const Where = Type.Unsafe<JsonObject>(
  Type.Object(
    { logicalOperator: Type.Enum(['AND', 'OR']), conditions: Type.Array(Type.Object({}, { additionalProperties: true })) },
    {
      description:
        'Conditions `{field, operator, value}` on `platform`, `value` and declared properties; they nest as those of a segment do',
    },
  ),
)
const Choice = Type.Object({ type: Type.String(), where: Type.Optional(Where) })
const period = {
  from: Type.Optional(
    Type.String({ description: 'ISO 8601; whole days (UTC), with interval=hour whole hours. 30 days before `to` when left out' }),
  ),
  to: Type.Optional(Type.String({ description: 'A day without a time counts whole. Now when left out' })),
  days: Type.Optional(Type.Integer({ description: 'Instead of both: the last so many days, today included' })),
}
const segment = Type.Optional(Type.String({ description: 'Only people who are stored as members of this segment now' }))
const by = Type.Optional(
  Type.String({
    description: `\`platform\` or \`properties.<dimension>\`: tell them apart by it, ${ANALYSIS_LIMITS.groups} values and the rest. \`segment\`: by the segments whose stored members people are now, the ${ANALYSIS_LIMITS.groups} largest; who is in several counts in each`,
  }),
)
export const ExploreBody = Type.Object(
  {
    types: Type.Array(Type.String(), { description: `At most ${ANALYSIS_LIMITS.types}` }),
    ...period,
    interval: Type.Optional(Type.Enum([...INTERVALS])),
    metric: Type.Optional(Type.Enum([...METRICS], { description: 'people: different people in each interval, and in all' })),
    measure: Type.Optional(Type.String({ description: 'With metric=sum: `value` or `properties.<measure>`' })),
    by,
    where: Type.Optional(Where),
    segment,
  },
  { examples: [{ types: ['order_completed'], days: 30, interval: 'day', metric: 'people' }] },
)
const funnelMembers = {
  steps: Type.Array(Choice, { description: `2 to ${ANALYSIS_LIMITS.steps}, in their order` }),
  ...period,
  withinMinutes: Type.Optional(Type.Integer({ description: 'From the first step to the last; a week when left out' })),
  order: Type.Optional(Type.Enum(['in_order', 'any_order'], { description: 'any_order: step n is n different steps in any order' })),
  by,
  segment,
}
const STEPS = [{ type: 'product_viewed' }, { type: 'cart_add' }, { type: 'order_completed' }]
export const FunnelBody = Type.Object(funnelMembers, { examples: [{ steps: STEPS, days: 30, withinMinutes: 1440 }] })
export const FunnelPeopleBody = Type.Object(
  {
    ...funnelMembers,
    step: Type.Integer({ minimum: 1, maximum: ANALYSIS_LIMITS.steps, description: 'The first step is 1' }),
    dropped: Type.Optional(Type.Boolean({ description: 'Those who took it, and not the next one' })),
  },
  { examples: [{ steps: STEPS, days: 30, step: 2, dropped: true }] },
)
export const FunnelSegmentBody = Type.Object(
  { ...FunnelPeopleBody.properties, name: Type.String({ description: 'Of the segment' }) },
  { examples: [{ name: 'Left the cart', steps: STEPS, days: 30, step: 2, dropped: true }] },
)
export const RetentionBody = Type.Object(
  {
    start: Choice,
    return: Choice,
    unit: Type.Optional(Type.Enum(['day', 'week', 'month'])),
    periods: Type.Optional(Type.Integer({ description: `At most ${ANALYSIS_LIMITS.periods}; the last is the one of now` })),
    segment,
  },
  { examples: [{ start: { type: 'sign_up' }, return: { type: 'session_start' }, unit: 'week', periods: 8 }] },
)

const covered = {
  asOf: Type.Unsafe<Date>(Type.String({ format: 'date-time', description: 'What arrived before is in the answer' })),
  from: Time,
  to: Time,
  events: Type.Integer({ description: 'Events that were read' }),
  sampled: Nullable(
    Type.Object(
      { parts: Type.Integer(), of: Type.Integer() },
      { description: 'So many parts of the people at random; the figures are estimates for all' },
    ),
  ),
  tookMs: Type.Integer(),
  membersAsOf: Type.Optional(
    Type.Unsafe<Date>(
      Type.String({
        format: 'date-time',
        description: 'With segments: who was a stored member at this moment counts as one, also for what they did before',
      }),
    ),
  ),
}
const group = {
  value: Nullable(
    Type.Union([Type.String(), Type.Number(), Type.Boolean()], {
      description: 'null: events without one; by segment its id, and null for people in none',
    }),
  ),
  name: Type.Optional(Type.String({ description: 'Of a segment' })),
  isOther: Type.Boolean({ description: 'All values that are not listed' }),
}
export const ExploreSchema = Type.Object(
  {
    kind: Type.Literal('explore'),
    ...covered,
    intervals: Type.Array(Time, { description: 'When each begins (UTC); weeks begin on Monday' }),
    series: Type.Array(Type.Object({ type: Type.String(), ...group, values: Type.Array(Type.Number()), total: Type.Number() })),
    isFresh: Type.Boolean({ description: 'Seconds behind; otherwise built hourly' }),
  },
  { title: 'ExploreResult' },
)
export const FunnelSchema = Type.Object(
  {
    kind: Type.Literal('funnel'),
    ...covered,
    steps: Type.Array(
      Type.Object({
        type: Type.String(),
        people: Type.Integer(),
        share: Type.Number({ description: 'Of those who took the first step, 0 to 1' }),
        shareOfPrevious: Type.Number(),
        medianSeconds: Nullable(Type.Number({ description: 'From the step before' })),
      }),
    ),
    groups: Type.Array(Type.Object({ ...group, people: Type.Array(Type.Integer(), { description: 'By step' }) })),
  },
  { title: 'FunnelResult' },
)
export const FunnelPeopleSchema = Type.Object({
  asOf: covered.asOf,
  membersAsOf: covered.membersAsOf,
  events: covered.events,
  sampled: covered.sampled,
  tookMs: covered.tookMs,
  total: Type.Integer(),
  people: Type.Array(
    Type.Object({ userId: Nullable(Type.String()), deviceId: Nullable(Type.String({ description: 'Of somebody who never signed in' })) }),
    { description: 'At most 1,000' },
  ),
})
export const MadeSegmentSchema = Type.Object({
  segmentId: Type.String(),
  name: Type.String(),
  way: Type.Enum(['rule', 'by_hand'], {
    description: 'By a rule on what people did, which others come to meet too; or of those who are listed now, added by hand',
  }),
  added: Nullable(Type.Integer({ description: 'By hand: at most 1,000' })),
  total: Nullable(Type.Integer({ description: 'By hand: how many there are' })),
})
export const RetentionSchema = Type.Object(
  {
    kind: Type.Literal('retention'),
    ...covered,
    cohorts: Type.Array(
      Type.Object({
        from: Time,
        people: Type.Integer({ description: 'Who did it for the first time, within the periods, in this one' }),
        returned: Type.Array(Type.Integer(), {
          description: 'Who did the second thing afterwards: in the same period, in the next one, and so on',
        }),
      }),
    ),
  },
  { title: 'RetentionResult' },
)
export const ResultSchema = Type.Union([ExploreSchema, FunnelSchema, RetentionSchema])
const CsvFile = Type.String({ examples: ['from,people,0,1\r\n2026-05-04,120,80,41\r\n'] })
/** JSON, or a file where `Accept` asks for `text/csv`. */
export const asCsvToo = <S extends Parameters<typeof Ok>[0]>(schema: S) => ({
  description: 'The answer; a file for `Accept: text/csv`',
  content: { 'application/json': { schema: Ok(schema) }, 'text/csv': { schema: CsvFile } },
})
export const CsvOnly = { description: 'The file', content: { 'text/csv': { schema: CsvFile } } }

const Kind = Type.Enum([...QUESTION_KINDS])
const Definition = Shaped<JsonObject>(Type.Object({}, { additionalProperties: true, description: 'The body of the question' }))
const Name = Type.String({ minLength: 1, maxLength: LIMITS.reportNameLength * 2 })
export const ReportBody = Type.Object(
  { name: Name, kind: Kind, definition: Definition, isPinned: Type.Optional(Type.Boolean({ description: 'On the start page' })) },
  { examples: [{ name: 'From view to order', kind: 'funnel', definition: { steps: STEPS, days: 30 } }] },
)
export const ReportChange = Type.Object(
  { name: Type.Optional(Name), definition: Type.Optional(Definition), isPinned: Type.Optional(Type.Boolean()) },
  { examples: [{ isPinned: true }] },
)
export const ReportSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: Kind,
  definition: Definition,
  isPinned: Type.Boolean(),
  createdBy: Type.String(),
  createdAt: Time,
  updatedAt: Time,
  version: Type.Integer(),
})
