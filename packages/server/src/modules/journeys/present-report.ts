import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { STEP_OUTCOMES, RUN_REASONS, RUN_STATUSES } from '@contentflow/core/journeys/advance.ts'
import { EVENT_TYPES, STEP_TYPES } from '@contentflow/core/journeys/journey.ts'
import type { Rehearsal, StepTally } from '@contentflow/core/journeys/rehearse.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { Nullable, Shaped, Time, Type, type Static } from '../../http/schema.ts'
import { GoalSchema, presentRun, RunSchema } from './present.ts'

const StepType = Type.Enum([...STEP_TYPES])
const Status = Type.Enum([...RUN_STATUSES])

export const TestRunBody = Type.Object(
  {
    userIds: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: LIMITS.userIdLength }), { minItems: 1, maxItems: LIMITS.journeyTestPeople }),
    ),
    segment: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: LIMITS.segmentNameLength,
        description: `Name or id: its first ${LIMITS.journeyTestPeople} people`,
      }),
    ),
    days: Type.Optional(
      Type.Integer({
        minimum: LIMITS.journeyTestDays.min,
        maximum: LIMITS.journeyTestDays.max,
        default: LIMITS.journeyTestDays.default,
      }),
    ),
    begin: Type.Optional(
      Type.Object(
        { properties: Shaped<JsonObject>(Type.Object({}, { additionalProperties: true })) },
        { additionalProperties: false, description: 'Of a custom_event: what the event says that takes them in' },
      ),
    ),
    events: Type.Optional(
      Type.Array(
        Type.Object(
          {
            type: Type.Optional(Type.Enum([...EVENT_TYPES])),
            event: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: LIMITS.eventNameLength,
                description: 'Instead of type: any event, as it is reported',
              }),
            ),
            properties: Type.Optional(Shaped<JsonObject>(Type.Object({}, { additionalProperties: true, description: 'Of event' }))),
            afterMinutes: Type.Optional(
              Type.Integer({ minimum: 1, maximum: LIMITS.journeyTestDays.max * 1_440, description: 'Since they entered' }),
            ),
            at: Type.Optional(Type.String({ description: 'Or a date and time, ISO 8601, after now' })),
          },
          { additionalProperties: false },
        ),
        {
          maxItems: LIMITS.journeyTestEvents,
          description: 'What each of them does meanwhile: conditions see it once its hour is over, and it may be the goal',
        },
      ),
    ),
  },
  {
    additionalProperties: false,
    description: 'userIds or segment',
    examples: [{ userIds: ['user-1'], days: 30, events: [{ type: 'CONVERSION', afterMinutes: 600 }] }],
  },
)
export const TestRunSchema = Type.Object({
  people: Type.Integer(),
  notFound: Type.Array(Type.String()),
  active: Type.Integer({ description: 'Still in it at the end' }),
  completed: Type.Integer(),
  exited: Type.Integer(),
  goalMinute: Nullable(
    Type.Integer({ description: 'When they reach the goal by the events of the request, since they entered; null: they do not' }),
  ),
  steps: Type.Array(
    Type.Object({
      step: Type.String(),
      type: StepType,
      came: Type.Integer(),
      waiting: Type.Integer({ description: 'Still waiting there at the end' }),
      sent: Type.Integer({ description: 'Of update_profile: how many have other attributes' }),
      skipped: Type.Record(Type.String(), Type.Integer(), { description: 'By reason; caps are not looked at' }),
      then: Type.Integer(),
      else: Type.Integer(),
    }),
  ),
  timelines: Type.Array(
    Type.Object({
      userId: Type.String({ description: 'Of somebody anonymous the device id' }),
      status: Status,
      step: Nullable(Type.String()),
      moments: Type.Array(
        Type.Object({
          minute: Type.Integer({ description: 'Since they entered' }),
          step: Type.String(),
          did: Type.Enum([...STEP_OUTCOMES, 'skipped']),
          reason: Type.Optional(Type.String()),
          event: Type.Optional(Type.String({ description: 'Type of the event that moved them' })),
          values: Type.Optional(
            Shaped<JsonObject>(
              Type.Object(
                {},
                {
                  additionalProperties: true,
                  description: 'Of webhook: what the endpoint would be told besides; of update_profile: the attributes they would have',
                },
              ),
            ),
          ),
        }),
      ),
    }),
    { description: `Of the first ${LIMITS.journeyTimelines} people` },
  ),
})

export const ExplainSchema = Type.Object({
  userId: Type.String(),
  because: Type.Enum(
    ['journey_not_active', 'manual_only', 'trigger_not_met', 'waits', 'waits_for_prayer', 'waits_for_event', 'next_check', ...RUN_REASONS],
    {
      description: 'Why they are where they are, or are not in it',
    },
  ),
  journeyStatus: Type.String(),
  takesSince: Nullable(Time),
  run: Nullable(RunSchema),
})

export function presentExplained(userId: string, { journey, run, because }: Explained) {
  const { status, activeSince } = journey
  return { userId, because, journeyStatus: status, takesSince: activeSince, run: run ? presentRun(run) : null }
}
type Explained = {
  journey: { status: string; activeSince: Date | null }
  run: Parameters<typeof presentRun>[0] | undefined
  because: Static<typeof ExplainSchema>['because']
}

export function presentTestRun({
  steps,
  statuses,
  timelines,
  goalMinute,
  people,
  notFound,
}: Rehearsal & { people: number; notFound: string[] }) {
  const of = (status: (typeof RUN_STATUSES)[number]) => statuses.get(status) ?? 0
  return {
    people,
    notFound,
    active: of('active'),
    completed: of('completed'),
    exited: of('exited'),
    goalMinute,
    steps: steps.map(presentTally),
    timelines: timelines.map(({ name, ...timeline }) => ({ userId: name, ...timeline })),
  }
}

function presentTally({ skipped, ...tally }: StepTally) {
  return { ...tally, skipped: Object.fromEntries([...skipped].toSorted(([a], [b]) => (a < b ? -1 : 1))) }
}

export const JourneyReportSchema = <Sends extends Parameters<typeof Type.Optional>[0]>(sends: Sends) =>
  Type.Object({
    journeyId: Type.String(),
    entered: Type.Integer({
      description: 'People; who entered again counts once, by their latest run. With entry.policy every_event each run counts',
    }),
    active: Type.Integer(),
    completed: Type.Integer(),
    exited: Type.Integer(),
    refused: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        description: 'How often somebody was not taken in although their event was one of the trigger, by reason',
      }),
    ),
    goal: Nullable(
      Type.Object(
        { ...GoalSchema.properties, converted: Type.Integer({ description: 'Of those who entered' }) },
        { description: 'Counted at each check, by when the event arrived' },
      ),
    ),
    steps: Type.Array(
      Type.Object({
        step: Type.String(),
        type: StepType,
        entered: Type.Integer({ description: 'Who came to it so far, each time' }),
        here: Type.Integer({ description: 'Whose next step it is, or who waits at it' }),
        waiting: Type.Integer(),
        left: Type.Integer({ description: 'Who left the journey here' }),
        sends: Type.Optional(sends),
        skipped: Type.Optional(
          Type.Record(Type.String(), Type.Integer(), {
            description: 'Of webhook and update_profile: for how many it did nothing, by reason: no_endpoint, no_values',
          }),
        ),
        inApp: Type.Optional(
          Type.Object({
            opened: Type.Integer(),
            ended: Type.Integer({ description: 'Dismissed or tapped' }),
            skipped: Type.Optional(Type.Object({ holdout: Type.Integer() }, { description: 'Whoever the workspace holds out' })),
          }),
        ),
      }),
    ),
  })
