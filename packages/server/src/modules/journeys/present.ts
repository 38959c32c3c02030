import { RUN_STATUSES } from '@contentflow/core/journeys/advance.ts'
import { EVENT_TYPES, FILTERS, HIJRI_EVENTS, JOURNEY_STATUSES, type Step, type Trigger } from '@contentflow/core/journeys/journey.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { Nullable, Shaped, Time, Type, type Static } from '../../http/schema.ts'

const TriggerBody = Type.Object(
  {
    type: Type.Enum(['event', 'inactivity', 'segment_entry', 'hijri', 'manual']),
    eventType: Type.Optional(Type.Enum([...EVENT_TYPES], { description: 'Of event' })),
    filters: Type.Optional(
      Type.Object(Object.fromEntries(FILTERS.map((name) => [name, Type.Optional(Type.String())])), {
        description: 'Of event: what it has to be about',
      }),
    ),
    days: Type.Optional(Type.Integer({ ...rangeOf(LIMITS.journeyInactivityDays), description: 'Of inactivity' })),
    segment: Type.Optional(Type.String({ description: 'Of segment_entry: name or id' })),
    event: Type.Optional(Type.Enum([...HIJRI_EVENTS], { description: 'Of hijri: by the Umm al-Qura calendar' })),
  },
  { description: 'What takes people in' },
)
const StepBody = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'Made when left out; a step keeps it through edits' })),
    type: Type.Enum(['wait', 'send', 'in_app', 'condition', 'exit']),
    minutes: Type.Optional(Type.Integer({ minimum: LIMITS.journeyWaitMinutes.min, maximum: LIMITS.journeyWaitMinutes.max })),
    channel: Type.Optional(Type.Enum(['push', 'email', 'sms', 'whatsapp'])),
    content: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'By locale, as of campaigns' })),
    rule: Type.Optional(
      Type.Object(
        {},
        { additionalProperties: true, description: 'A condition or a group of them, as in segments, or {logicalOperator, rules}' },
      ),
    ),
    then: Type.Optional(Type.Array(Type.Object({}, { additionalProperties: true }), { description: 'Steps, for whom the rule holds' })),
    else: Type.Optional(Type.Array(Type.Object({}, { additionalProperties: true }), { description: 'Steps, for the others' })),
  },
  { additionalProperties: true },
)
const Status = Type.Enum([...JOURNEY_STATUSES])
const members = {
  name: Type.String({ minLength: 1, maxLength: LIMITS.journeyNameLength }),
  trigger: TriggerBody,
  steps: Type.Array(StepBody, { description: `At most ${LIMITS.journeySteps}, those of branches too` }),
}
const example = {
  name: 'Welcome',
  trigger: { type: 'event', eventType: 'SIGN_UP' },
  steps: [
    { type: 'in_app', content: { en: { title: 'Welcome, {{name}}' } } },
    { type: 'wait', minutes: 1_440 },
    {
      type: 'condition',
      rule: { field: 'behavioral.conversions', operator: 'greater_than', value: 0 },
      then: [{ type: 'exit' }],
      else: [{ type: 'send', channel: 'push', content: { en: { title: 'Still there?', body: '10% off today' } } }],
    },
  ],
}
/** What a body may say, for the documents; `readJourney` reads it. */
export const NewJourneyBody = Type.Object(members, { examples: [example] })
export const JourneyBody = Type.Partial(Type.Object(members), { examples: [{ name: 'Welcome, again' }] })
export const StatusBody = Type.Object({ status: Status }, { additionalProperties: false, examples: [{ status: 'active' }] })
export const EnrollBody = Type.Object(
  {
    userIds: Type.Array(Type.String({ minLength: 1, maxLength: LIMITS.userIdLength }), { minItems: 1, maxItems: LIMITS.bulkPeople }),
  },
  { additionalProperties: false, examples: [{ userIds: ['user-1'] }] },
)
export const EnrolledSchema = Type.Object({
  enrolled: Type.Integer(),
  alreadyEnrolled: Type.Array(Type.String(), { description: 'User ids: a person enters a journey once' }),
  notFound: Type.Array(Type.String()),
})

export const JourneySchema = Type.Object({
  id: Type.String(),
  name: members.name,
  trigger: Shaped<Trigger>(TriggerBody),
  steps: Shaped<Step[]>(members.steps),
  status: Status,
  version: Type.Integer(),
  createdBy: Type.String({ description: 'User id' }),
  activeSince: Nullable(Time),
  createdAt: Time,
  updatedAt: Time,
})
export const ListedJourneySchema = Type.Object({
  ...JourneySchema.properties,
  people: Type.Object({ entered: Type.Integer(), active: Type.Integer({ description: 'In it now' }) }),
})
export const RunSchema = Type.Object({
  userId: Nullable(Type.String({ description: 'Null of somebody anonymous' })),
  deviceId: Nullable(Type.String({ description: 'Of somebody anonymous' })),
  status: Type.Enum([...RUN_STATUSES]),
  step: Nullable(Type.String({ description: 'Id of the step that is next, or waited at, or where they left; null at the end' })),
  waiting: Type.Boolean({ description: 'The wait of that step has begun' }),
  reason: Nullable(Type.Enum(['end', 'exit', 'step_removed'], { description: 'Why it is over' })),
  trigger: Type.Object(
    {
      type: Type.String(),
      eventType: Type.Optional(Type.String()),
      fenceId: Type.Optional(Type.String()),
      source: Type.Optional(Type.String({ description: 'Of a crossing: who noticed it, device or server' })),
    },
    { description: 'What took them in' },
  ),
  enteredAt: Time,
  updatedAt: Time,
  dueAt: Nullable(Time),
})

export const PersonsJourneySchema = Type.Object({
  journeyId: Type.String(),
  name: members.name,
  journeyStatus: Status,
  ...RunSchema.properties,
})

type Journey = Static<typeof JourneySchema>
type Run = Omit<Static<typeof RunSchema>, 'waiting'> & { isWaiting: boolean }

export function presentJourney({ id, name, trigger, steps, status, version, createdBy, activeSince, createdAt, updatedAt }: Journey) {
  return { id, name, trigger, steps, status, version, createdBy, activeSince, createdAt, updatedAt }
}

export function presentListed({ people, ...journey }: Journey & { people: { entered: number; active: number } }) {
  return { ...presentJourney(journey), people }
}

export function presentRun({ userId, deviceId, status, step, isWaiting, reason, trigger, enteredAt, updatedAt, dueAt }: Run) {
  return { userId, deviceId, status, step, waiting: isWaiting, reason, trigger, enteredAt, updatedAt, dueAt }
}

export function presentPersonsRun({ journeyId, name, journeyStatus, ...run }: Run & PersonsJourney) {
  return { journeyId, name, journeyStatus, ...presentRun(run) }
}
type PersonsJourney = Pick<Static<typeof PersonsJourneySchema>, 'journeyId' | 'name' | 'journeyStatus'>

function rangeOf({ min, max, default: byDefault }: { min: number; max: number; default: number }) {
  return { minimum: min, maximum: max, default: byDefault }
}
