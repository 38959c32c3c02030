import { EnvironmentName, Nullable, Time, timeThat, Type } from '../../../http/schema.ts'
import { presentServingWarning, ScheduleSchema, ServingWarningSchema, timeOrNull, type ShownWarning } from '../revisions/present.ts'
import { StateName } from './present-overview.ts'
import { UNSAVED, type Serving } from '../revisions/serving.ts'

const AudienceSchema = Type.Object({
  segment: Nullable(Type.String({ description: 'null: everyone' })),
  isKnown: Type.Boolean({ description: 'false: no segment has this name, so nobody is in it' }),
  devices: Type.Integer({
    description: 'That consented and were seen in the last 30 days. What is for everyone also reaches devices that did not consent',
  }),
  fewerThan: Type.Optional(
    Type.Integer({ description: 'For viewers, where industry data or imported data decide: `devices` is told as 0 and is less than this' }),
  ),
  asOf: Time,
})

export const ImpactSchema = Type.Object({
  target: EnvironmentName,
  change: Type.Enum(['added', 'changed', 'nothing']),
  differences: Type.Object({
    fields: Type.Array(Type.String(), { description: 'Tags of base values' }),
    locales: Type.Array(Type.String()),
    settings: Type.Array(Type.Enum(['title', 'seg', 'priority', 'schedule', 'variants', 'frequency'])),
  }),
  fault: Nullable(Type.String({ description: 'Why publishing would be refused' })),
  state: StateName,
  schedule: Nullable(ScheduleSchema),
  audience: AudienceSchema,
  audienceNow: Nullable(AudienceSchema),
  serving: Type.Object(
    {
      periods: Type.Array(
        Type.Object({
          from: Time,
          until: Nullable(timeThat('null: nothing ends it')),
          shows: Type.Enum(['this', 'other', 'nothing'], {
            description: 'this: what is asked about; other: what is published now or planned',
          }),
          revision: Nullable(Type.Integer({ description: 'null of nothing, and of content that is not saved' })),
        }),
      ),
      warnings: Type.Array(ServingWarningSchema),
    },
    { description: 'What apps show from now on, were this published now or `at` its moment; to whom it is shown is not looked at' },
  ),
})

export function presentServing({ periods, warnings }: Serving, { target, revision }: { target: ShownWarning['target']; revision: number }) {
  return {
    periods: periods.map(({ from, until, shown }) => ({
      from: new Date(from),
      until: timeOrNull(until),
      shows: shown === null ? ('nothing' as const) : shown === revision ? ('this' as const) : ('other' as const),
      revision: shown === UNSAVED ? null : shown,
    })),
    warnings: warnings.map((warning) => presentServingWarning({ ...warning, target })),
  }
}
