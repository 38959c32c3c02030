import { EnvironmentName, Nullable, Time, Type } from '../../http/schema.ts'
import { ScheduleSchema } from './present.ts'
import { StateName } from './present-overview.ts'

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
})
