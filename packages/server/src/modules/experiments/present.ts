import { METRIC_KINDS, MOST_GUARDRAILS, SUBJECTS } from '@contentflow/core/experiments/metric.ts'
import type { ExperimentVerdict } from '@contentflow/core/experiments/judge.ts'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { Nullable, Ok, Page, PageQuery, Shaped, Time, TimeText, Type } from '../../http/schema.ts'

const EXPERIMENT_STATES = ['planned', 'running', 'decided'] as const
const MetricSchema = Type.Object(
  {
    event: Type.String({ minLength: 1, maxLength: LIMITS.eventNameLength, description: 'The type of event' }),
    where: Type.Optional(
      Shaped<JsonObject>(
        Type.Object(
          {},
          { additionalProperties: true, description: 'Conditions on the event: {logicalOperator, conditions}, as in rules on events' },
        ),
      ),
    ),
    of: Type.Enum([...METRIC_KINDS], {
      description:
        'people: whether a device, of a control group a person, did it; count: how often; value: the sum of the values of the events',
    }),
    days: Type.Integer({ minimum: 1, maximum: 30, description: 'Counted for so long after a device first saw it' }),
    namesIt: Type.Boolean({
      description:
        'Only events that name what is compared; `click` and `conversion` are then all types that count as one. False of a control group, where they always are',
    }),
  },
  { additionalProperties: false },
)
const guardrailMembers = {
  metric: MetricSchema,
  mustNot: Type.Enum(['fall', 'rise']),
  margin: Type.Number({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'In the unit of the metric: so much may be lost. 0.01 of people is 1 in 100',
  }),
}
const PlanMembers = {
  baseline: Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1 }),
  relativeEffect: Type.Number({ minimum: 0.001, maximum: 10 }),
}
const Cuped = Type.Boolean({
  description:
    'Take out what people did in the 90 days before they were exposed, which narrows the intervals (CUPED). Whoever is exposed before that is filled in has less of a past',
})
export const ExperimentBody = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    hypothesis: Type.Optional(Type.String({ maxLength: 2_000 })),
    metric: Type.Optional(MetricSchema),
    guardrails: Type.Optional(Type.Array(Type.Object(guardrailMembers, { additionalProperties: false }), { maxItems: MOST_GUARDRAILS })),
    cuped: Type.Optional(Cuped),
    plan: Type.Optional(
      Nullable(Type.Object(PlanMembers, { additionalProperties: false, description: 'For a metric of people: its size is worked out' })),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        hypothesis: 'A shorter title is clicked more often',
        metric: { event: 'click', of: 'people', days: 7, namesIt: true },
        guardrails: [{ metric: { event: 'purchase', of: 'people', days: 7, namesIt: false }, mustNot: 'fall', margin: 0.01 }],
        plan: { baseline: 0.05, relativeEffect: 0.2 },
      },
    ],
  },
)
export const DecisionBody = Type.Object(
  {
    variant: Nullable(Type.String({ maxLength: 200, description: 'null: none of them' })),
    note: Type.Optional(Type.String({ maxLength: 2_000 })),
    apply: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Of an item: save a draft with only this variant (null: with none), which goes live by publishing it. Of a campaign: edit it so, as PUT /campaigns/{id} does: what is approved waits for approval rights',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ variant: 'short', note: 'Clearer, and nobody buys less' }] },
)
const Interval = { low: Nullable(Type.Number()), high: Nullable(Type.Number()) }
const VerdictSchema = Shaped<ExperimentVerdict>(
  Type.Object({
    kind: Type.Enum(['too_few', 'open', 'clear'], {
      description: 'clear: `best` is better than `than`, not by chance; it may be looked at as often as one likes',
    }),
    by: Type.Optional(Type.Enum(['any_time', 'planned_reading'])),
    best: Type.Optional(Type.String()),
    than: Type.Optional(Type.String()),
    difference: Type.Optional(Type.Number()),
    low: Type.Optional(Type.Number({ description: 'The true difference lies between `low` and `high`' })),
    high: Type.Optional(Type.Number()),
    p: Type.Optional(Type.Number({ description: 'Clear when below 0.05' })),
    needed: Type.Optional(Type.Integer({ description: 'About how many more of the two, until a difference as it is now would be clear' })),
  }),
)
const Numbers = {
  difference: Type.Optional(Type.Number()),
  low: Type.Optional(Type.Number()),
  high: Type.Optional(Type.Number()),
}
const GuardState = Type.Enum(['harmed', 'safe', 'unclear'], { description: 'harmed: what leads loses more than the margin, not by chance' })
const Guarded = Type.Object({
  ...guardrailMembers,
  state: GuardState,
  than: Type.Optional(Type.String({ description: 'Beside which variant it looks worst; the numbers are those against it' })),
  ...Numbers,
  against: Type.Array(Type.Object({ variantId: Type.String(), state: GuardState, ...Numbers }), {
    description: 'What leads beside each of the others',
  }),
})
const SampleRatio = Type.Object({
  p: Type.Number(),
  isMismatch: Type.Boolean({ description: 'The groups do not have the sizes of their weights: no verdict is to be believed' }),
  groups: Type.Array(Type.Object({ variantId: Type.String(), seen: Type.Integer(), expected: Type.Number() })),
})
const listedMembers = {
  id: Type.String({ description: '`instance:<id>`, `campaign:<id>` or `control:<id of the campaign>`' }),
  subject: Type.Enum([...SUBJECTS], {
    description: 'control: whom a campaign leaves out (`control`) beside those it comes to (`reached`)',
  }),
  subjectId: Type.String(),
  name: Type.String(),
  state: Type.Enum([...EXPERIMENT_STATES], { description: 'planned: nobody saw it yet' }),
  run: Type.Integer({ description: 'Other variants or weights begin a new one, with nothing counted' }),
  startedAt: Nullable(Time),
  units: Type.Integer({ description: 'Live devices that saw it, each once; of a control group people' }),
  missing: Nullable(Type.Integer({ description: 'Devices, or people, until the planned size; null without a plan' })),
  days: Nullable(Type.Integer({ description: 'About how long that takes' })),
  verdict: VerdictSchema,
  isMismatch: Type.Boolean(),
  harmed: Type.Array(Type.String({ description: 'Events of guardrails that what leads harms' })),
  because: Type.String({ description: 'The same in a sentence' }),
}
export const ListedExperimentSchema = Type.Object(listedMembers)
export const ExperimentSchema = Type.Object({
  ...listedMembers,
  blockKey: Nullable(Type.String({ description: 'Of the instance; null of a campaign, or when it is gone' })),
  hypothesis: Type.String(),
  metric: MetricSchema,
  guardrails: Type.Array(Guarded),
  plan: Nullable(
    Type.Object({ baseline: Type.Number(), relativeEffect: Type.Number(), perVariant: Type.Integer(), total: Type.Integer() }),
  ),
  cuped: Cuped,
  narrower: Nullable(
    Type.Number({ description: 'With cuped: so much narrower the interval of the two that are compared is, as a part of it' }),
  ),
  fullAt: Nullable(Time),
  reading: Nullable(
    Type.Object({ at: TimeText, isClear: Type.Boolean() }, { description: 'Taken once, when the planned size was reached' }),
  ),
  decision: Nullable(
    Type.Object({
      variant: Nullable(Type.String()),
      note: Type.String(),
      at: TimeText,
      by: Type.String(),
      editRequestId: Type.Optional(Type.String({ description: 'The edit of the campaign that waits for a second person' })),
    }),
  ),
  groups: Type.Array(
    Type.Object({ variantId: Type.String(), units: Type.Integer(), did: Type.Integer(), mean: Nullable(Type.Number()), ...Interval }),
  ),
  languages: Type.Array(
    Type.Object({
      variantId: Type.String(),
      locale: Nullable(Type.String()),
      units: Type.Integer(),
      did: Type.Integer(),
      sum: Type.Number(),
    }),
  ),
  sampleRatio: Nullable(SampleRatio),
  series: Type.Array(
    Type.Object(
      { day: Type.String(), units: Type.Integer(), difference: Nullable(Type.Number()), ...Interval },
      { description: 'Up to the end of each day (UTC): the difference of `best` and `than` of now' },
    ),
  ),
})
export const HoldoutReport = Type.Object({
  since: Nullable(TimeText),
  readAt: Nullable(TimeText),
  sides: Type.Array(
    Type.Object({
      side: Type.Enum(['others', 'held_out']),
      people: Type.Integer({ description: 'Live people there are now' }),
      converted: Type.Integer({ description: 'Those of them who converted since, at least once' }),
      conversionRate: Nullable(Type.Number()),
      value: Type.Number({ description: 'The values of their conversions since' }),
      valuePerPerson: Nullable(Type.Number()),
    }),
    { description: 'Empty before the first night' },
  ),
  conversions: Nullable(VerdictSchema),
  value: Nullable(VerdictSchema),
  sampleRatio: Nullable(SampleRatio),
})
export const HoldoutReportOut = Ok(HoldoutReport)
export const ExperimentOut = Ok(ExperimentSchema)
export const ExperimentPage = Page('experiments', ListedExperimentSchema)
export const ExperimentsQuery = Type.Object({
  ...PageQuery.properties,
  state: Type.Optional(Type.Enum([...EXPERIMENT_STATES], { description: 'Experiments in this state' })),
})
