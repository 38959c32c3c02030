import { SEND_CHANNELS } from '@contentflow/core/campaigns/campaign.ts'
import { PRAYERS } from '@contentflow/core/calendar/prayers.ts'
import { MEMBERS, STEP_CHANGES } from '@contentflow/core/journeys/changes.ts'
import { RUN_REASONS, RUN_STATUSES } from '@contentflow/core/journeys/advance.ts'
import {
  ENTRY_POLICIES,
  EVENT_TYPES,
  FILTERS,
  HIJRI_EVENTS,
  JOURNEY_STATUSES,
  PROBLEM_CODES,
  STEP_TYPES,
  TRIGGER_TYPES,
  type Entry,
  type Goal,
  type KeyedPattern,
  type Problem,
  type Step,
  type Trigger,
} from '@contentflow/core/journeys/journey.ts'
import type { KeptEvent } from '@contentflow/core/journeys/hearing.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { MailSchema, Nullable, Shaped, Time, Type, type Static, type TSchema } from '../../http/schema.ts'

/** Null: still missing in an incomplete draft. */
const Open = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))
const Where = Type.Optional(
  Type.Object({}, { additionalProperties: true, description: 'Conditions on the event: {logicalOperator, conditions}, as in segments' }),
)
/** An event that is waited for, ends a run or is a goal. */
const KeyedMembers = {
  event: Type.Optional(Type.String({ maxLength: LIMITS.eventNameLength, description: 'Type of the event, as it is reported' })),
  where: Where,
  sameKey: Type.Optional(Type.Boolean({ description: 'Only an event of the key that the run was begun with' })),
  keyProperty: Type.Optional(Type.String({ description: 'Where that key stands in this event, if not where the trigger names it' })),
}
const ExitsBody = Type.Array(Type.Object({ ...KeyedMembers, event: Type.String({ maxLength: LIMITS.eventNameLength }) }), {
  maxItems: LIMITS.journeyExits,
  description: 'Events that end a run, wherever it stands',
})
const EntryBody = Type.Object(
  {
    policy: Type.Enum([...ENTRY_POLICIES], {
      description: 'once: never again; after_exit: when they are out of it; every_event, of custom_event: a run for each key',
    }),
    minGapMinutes: Type.Optional(Type.Integer({ ...rangeOf(LIMITS.journeyMinGapMinutes), description: 'Between two entries of a person' })),
    maxActive: Type.Optional(Type.Integer({ ...rangeOf(LIMITS.journeyMaxActive), description: 'Runs of a person at a time' })),
    maxEntries: Type.Optional(
      Type.Object({
        count: Type.Integer(rangeOf(LIMITS.journeyMaxEntries)),
        days: Type.Integer(rangeOf(LIMITS.journeyMaxEntriesDays)),
      }),
    ),
    onRepeat: Type.Optional(
      Type.Enum(['ignore', 'restart'], {
        description: 'When an event of a key comes whose run is not over: leave the run alone, or begin it anew',
      }),
    ),
  },
  { description: 'How often a person enters; left out or null: once' },
)
const TriggerBody = Type.Object(
  {
    type: Type.Enum([...TRIGGER_TYPES]),
    eventType: Type.Optional(Type.Enum([...EVENT_TYPES], { description: 'Of event' })),
    filters: Type.Optional(
      Type.Object(Object.fromEntries(FILTERS.map((name) => [name, Type.Optional(Type.String())])), {
        description: 'Of event: what it has to be about',
      }),
    ),
    days: Open(Type.Integer({ ...rangeOf(LIMITS.journeyInactivityDays), description: 'Of inactivity' })),
    segment: Type.Optional(Type.String({ description: 'Of segment_entry: name or id' })),
    event: Type.Optional(
      Type.String({
        maxLength: LIMITS.eventNameLength,
        description: `Of hijri, by the Umm al-Qura calendar: ${HIJRI_EVENTS.join(' or ')}. Of custom_event: the type of the event, as it is reported`,
      }),
    ),
    where: Where,
    key: Type.Optional(
      Type.String({
        description:
          'Of custom_event: the property that tells one cart, order or booking from the others; an event without it takes nobody in',
      }),
    ),
    trait: Type.Optional(
      Type.String({
        pattern: '^[a-zA-Z0-9_]{0,64}$',
        description:
          'Of date: the trait with the date, as 1990-05-04; its day and month count, once each year. Empty only of an incomplete draft',
      }),
    ),
    daysBefore: Open(Type.Integer({ ...rangeOf(LIMITS.journeyDaysBefore), description: 'Of date: so many days before it' })),
    hour: Type.Optional(
      Type.Integer({ ...rangeOf(LIMITS.journeyHour), description: 'Of date: a full hour in the time zone of the workspace' }),
    ),
  },
  { description: 'What takes people in' },
)
const StepValues = (description: string) => Type.Object({}, { additionalProperties: true, description })
const StepBody = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'Made when left out; a step keeps it through edits' })),
    type: Type.Enum([...STEP_TYPES]),
    minutes: Open(Type.Integer({ ...rangeOf(LIMITS.journeyWaitMinutes), description: 'Of wait' })),
    hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23, description: 'Of wait_until: a full hour by the clock of its zone' })),
    zone: Type.Optional(Type.String({ description: 'Of wait_until: an IANA time zone such as Asia/Riyadh' })),
    afterPrayer: Type.Optional(
      Type.Enum([...PRAYERS], { description: 'Of wait_until, instead of hour: until after this prayer at the place, by Umm al-Qura' }),
    ),
    minutesAfter: Open(Type.Integer({ ...rangeOf(LIMITS.journeyMinutesAfterPrayer), description: 'Of afterPrayer: so long after it' })),
    latitude: Open(Type.Number({ ...rangeOf(LIMITS.journeyPrayerLatitude), description: 'Of afterPrayer: the place, in degrees' })),
    longitude: Open(Type.Number({ minimum: -180, maximum: 180, description: 'Of afterPrayer' })),
    percent: Open(
      Type.Integer({
        ...rangeOf(LIMITS.journeySplitPercent),
        description: 'Of split: so many of a hundred go the first way, the same people each time',
      }),
    ),
    ...KeyedMembers,
    timeoutMinutes: Open(
      Type.Integer({ ...rangeOf(LIMITS.journeyTimeoutMinutes), description: 'Of wait_for: after so long, else is taken' }),
    ),
    channel: Type.Optional(Type.Enum([...SEND_CHANNELS])),
    content: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'By locale, as of campaigns' })),
    mail: Type.Optional(Nullable(MailSchema)),
    mailParts: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        description:
          'Of answers: the saved parts that the mail holds, as they were when the journey was activated; of a body it says nothing',
      }),
    ),
    endpoint: Type.Optional(Type.String({ maxLength: 100, description: 'Of webhook: the id of the endpoint that is told' })),
    data: Type.Optional(
      StepValues('Of webhook: what it is told besides, at most 20 members; texts may have {{event.…}} and {{lastEvent.…}}'),
    ),
    set: Type.Optional(
      StepValues('Of update_profile: attributes, at most 20; texts may have tokens, and one that is a token alone is its property'),
    ),
    expiresInDays: Type.Optional(
      Type.Integer({ minimum: 1, maximum: LIMITS.enrichmentDaysMax, description: 'Of update_profile: after so long the values end' }),
    ),
    rule: Type.Optional(
      Type.Object(
        {},
        { additionalProperties: true, description: 'A condition or a group of them, as in segments, or {logicalOperator, rules}' },
      ),
    ),
    then: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), {
        description: 'Steps, for whom the rule holds, who are part of the percent, or whose event came',
      }),
    ),
    else: Type.Optional(Type.Array(Type.Object({}, { additionalProperties: true }), { description: 'Steps, for the others' })),
  },
  { additionalProperties: true },
)
export const GoalSchema = Type.Object({
  eventType: Type.Optional(Type.Enum([...EVENT_TYPES])),
  ...KeyedMembers,
  days: Shaped<number>(Nullable(Type.Integer())),
})
const GoalBody = Type.Object(
  { eventType: Type.Optional(Type.Enum([...EVENT_TYPES])), ...KeyedMembers, days: Open(Type.Integer(rangeOf(LIMITS.journeyGoalDays))) },
  {
    description:
      'Such an event within so many days of entering counts as a conversion: of an eventType, or an event that is reported under any type; null: none',
  },
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
/** The name in answers: an incomplete draft may have none yet. */
const toldName = Type.String({ maxLength: LIMITS.journeyNameLength, description: 'Empty only of an incomplete draft' })
/** The members of a body, for the documents; `readJourney` reads it. */
const writable = {
  ...members,
  name: toldName,
  goal: Type.Optional(Nullable(GoalBody)),
  entry: Type.Optional(Nullable(EntryBody)),
  exitOn: Type.Optional(Nullable(ExitsBody)),
  incomplete: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Store a draft though something is missing: an empty name, segment or trait, null for a number, no content, rules that are not finished. Sizes, depth, links and kinds are held all the same',
    }),
  ),
}
export const NewJourneyBody = Type.Object(writable, { examples: [example] })
export const JourneyBody = Type.Partial(Type.Object(writable), { examples: [{ name: 'Welcome, again' }] })
export const StatusBody = Type.Object(
  {
    status: Status,
    otp: Type.Optional(Type.String({ maxLength: 20, description: 'The one-time code, where launch protection asks for one' })),
  },
  { examples: [{ status: 'active' }] },
)
export const EnrollBody = Type.Object(
  {
    userIds: Type.Array(Type.String({ minLength: 1, maxLength: LIMITS.userIdLength }), { minItems: 1, maxItems: LIMITS.bulkPeople }),
  },
  { examples: [{ userIds: ['user-1'] }] },
)
export const EnrolledSchema = Type.Object({
  enrolled: Type.Integer(),
  alreadyEnrolled: Type.Array(Type.String(), {
    description:
      'User ids: a person enters a journey once, again by a trigger date, or with entry.policy after_exit when they are out of it',
  }),
  notFound: Type.Array(Type.String()),
})

type Held = { entry?: Entry | null; exitOn?: KeyedPattern[] | null }
const heldMembers = {
  entry: Type.Optional(Shaped<Entry | null>(Nullable(EntryBody))),
  exitOn: Type.Optional(Shaped<KeyedPattern[] | null>(Nullable(ExitsBody))),
}

const ProblemsSchema = Type.Array(
  Type.Object({
    path: Type.String({ description: 'Where, such as steps[0].then[1].minutes' }),
    code: Type.Enum([...PROBLEM_CODES], { description: 'missing: nothing is there; unfinished: it cannot be used yet' }),
    message: Type.String(),
  }),
  { description: `Of an incomplete draft: what is missing, at most ${LIMITS.journeyProblems}; lists do not tell it` },
)
export const JourneySchema = Type.Object({
  id: Type.String(),
  name: toldName,
  trigger: Shaped<Trigger>(TriggerBody),
  steps: Shaped<Step[]>(members.steps),
  goal: Shaped<Goal | null>(Nullable(GoalSchema)),
  ...heldMembers,
  status: Status,
  incomplete: Type.Boolean({
    description: 'A draft that lacks something: it is not activated, approved or tried out before it is complete',
  }),
  problems: Type.Optional(ProblemsSchema),
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
const StepChangeSchema = Type.Object({
  step: Type.String(),
  type: Type.Enum([...STEP_TYPES]),
  channel: Type.Optional(Type.Enum([...SEND_CHANNELS, 'in_app'])),
  change: Type.Enum([...STEP_CHANGES]),
})
export const VersionSchema = Type.Object({
  version: Type.Integer(),
  changedBy: Type.String({ description: 'User id' }),
  changedAt: Time,
  changes: Nullable(
    Type.Object(
      { members: Type.Array(Type.Enum([...MEMBERS])), steps: Type.Array(StepChangeSchema) },
      { description: 'What the version before did not have; null of the first' },
    ),
  ),
})
export const WholeVersionSchema = Type.Object({
  ...VersionSchema.properties,
  name: toldName,
  trigger: Shaped<Trigger>(TriggerBody),
  steps: Shaped<Step[]>(members.steps),
  goal: Shaped<Goal | null>(Nullable(GoalSchema)),
  ...heldMembers,
})

export const RunSchema = Type.Object({
  userId: Nullable(Type.String({ description: 'Null of somebody anonymous' })),
  deviceId: Nullable(Type.String({ description: 'Of somebody anonymous' })),
  status: Type.Enum([...RUN_STATUSES]),
  step: Nullable(Type.String({ description: 'Id of the step that is next, or waited at, or where they left; null at the end' })),
  waiting: Type.Boolean({ description: 'The wait of that step has begun' }),
  reason: Nullable(Type.Enum([...RUN_REASONS], { description: 'Why it is over' })),
  trigger: Type.Object(
    {
      type: Type.String(),
      eventType: Type.Optional(Type.String()),
      fenceId: Type.Optional(Type.String()),
      source: Type.Optional(Type.String({ description: 'Of a crossing: who noticed it, device or server' })),
      event: Type.Optional(Type.String({ description: 'Of custom_event: its type' })),
      date: Type.Optional(Type.String({ description: 'Of a date that comes back every year: which one it was, as 2027-05-04' })),
    },
    { description: 'What took them in' },
  ),
  enteredAt: Time,
  convertedAt: Nullable(Time),
  updatedAt: Time,
  dueAt: Nullable(Time),
  key: Type.Optional(Type.String({ description: 'Of which cart, order or booking it is' })),
  lastEvent: Type.Optional(Type.Object({ type: Type.String(), at: Time }, { description: 'The event that moved it last' })),
})

export const PersonsJourneySchema = Type.Object({
  journeyId: Type.String(),
  name: toldName,
  journeyStatus: Status,
  ...RunSchema.properties,
})

type Journey = Omit<Static<typeof JourneySchema>, 'incomplete' | 'problems' | 'entry' | 'exitOn'> & Held & { isIncomplete: boolean }
type Run = Omit<Static<typeof RunSchema>, 'waiting' | 'key' | 'lastEvent'> & {
  isWaiting: boolean
  key: string
  lastEvent: KeptEvent | null
}

/** `problems`: what is missing in an incomplete draft. */
export function presentJourney(journey: Journey, problems: Problem[] = []) {
  const { id, name, trigger, steps, goal, entry, exitOn, status, isIncomplete, version, createdBy, activeSince, createdAt, updatedAt } =
    journey
  const held = { id, name, trigger, steps, goal, ...(entry && { entry }), ...(exitOn && { exitOn }), status, incomplete: isIncomplete }
  return { ...held, ...(problems.length > 0 && { problems }), version, createdBy, activeSince, createdAt, updatedAt }
}

export function presentListed({ people, ...journey }: Journey & { people: { entered: number; active: number } }) {
  return { ...presentJourney(journey), people }
}

export function presentRun({ isWaiting, key, lastEvent, ...run }: Run) {
  const { userId, deviceId, status, step, reason, trigger, enteredAt, convertedAt, updatedAt, dueAt } = run
  const held = { userId, deviceId, status, step, waiting: isWaiting, reason, trigger, enteredAt, convertedAt, updatedAt, dueAt }
  return { ...held, ...(key !== '' && { key }), ...(lastEvent && { lastEvent: { type: lastEvent.type, at: new Date(lastEvent.at) } }) }
}

export function presentPersonsRun({ journeyId, name, journeyStatus, ...run }: Run & PersonsJourney) {
  return { journeyId, name, journeyStatus, ...presentRun(run) }
}
type PersonsJourney = Pick<Static<typeof PersonsJourneySchema>, 'journeyId' | 'name' | 'journeyStatus'>

function rangeOf({ min, max, default: byDefault }: { min: number; max: number; default?: number }) {
  return { minimum: min, maximum: max, ...(byDefault !== undefined && { default: byDefault }) }
}
