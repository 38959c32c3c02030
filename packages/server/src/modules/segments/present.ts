import { UPDATE_FREQUENCIES } from '@contentflow/core/targeting/frequency.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { OPERATOR_NAMES } from '@contentflow/core/targeting/operators.ts'
import { RULE_LIMITS } from '@contentflow/core/targeting/rule.ts'
import { EnvironmentName, Nullable, Time, Type } from '../../http/schema.ts'
import type { Segment } from './queries.ts'

const Rules = Type.Array(Type.Object({}, { additionalProperties: true }), {
  minItems: 1,
  description:
    `Leaves {field, operator, value} and groups {logicalOperator, conditions}, ${RULE_LIMITS.levels} levels deep. ` +
    `Operators: ${OPERATOR_NAMES.join(', ')}`,
})
const LogicalOperatorName = Type.Enum(['AND', 'OR'])
const Excluded = Type.Array(Type.String(), { description: 'Names of the segments whose members are out' })
const FrequencyName = Type.Enum([...UPDATE_FREQUENCIES])
const EXAMPLE = {
  name: 'Gold',
  logicalOperator: 'AND',
  rules: [{ field: 'customAttributes.plan', operator: 'equals', value: 'gold' }],
}

export const SegmentBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: LIMITS.segmentNameLength }),
    logicalOperator: LogicalOperatorName,
    rules: Rules,
    excludedSegments: Type.Optional(Type.Array(Type.String(), { description: 'Names or ids' })),
    updateFrequency: Type.Optional(FrequencyName),
  },
  { examples: [EXAMPLE] },
)

export const PreviewBody = Type.Object(
  {
    logicalOperator: LogicalOperatorName,
    rules: Rules,
    excludedSegments: SegmentBody.properties.excludedSegments,
    environment: Type.Optional(EnvironmentName),
  },
  { examples: [{ logicalOperator: EXAMPLE.logicalOperator, rules: EXAMPLE.rules }] },
)

export const BulkBody = Type.Object(
  {
    segmentId: Type.String({ description: 'Id or name' }),
    action: Type.Optional(Type.Enum(['add', 'remove'])),
    userIds: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: LIMITS.bulkUsers,
      description: 'User ids, or ids of devices that consented without a user',
    }),
    environment: Type.Optional(EnvironmentName),
  },
  { examples: [{ segmentId: 'Gold', action: 'add', userIds: ['user-1'] }] },
)

export const SegmentSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  logicalOperator: LogicalOperatorName,
  rules: Rules,
  excludedSegments: Excluded,
  updateFrequency: FrequencyName,
  memberCount: Type.Integer({ description: 'Stored members: live ones, in a sandbox the test ones' }),
  exactAsOf: Nullable(Type.String({ format: 'date-time', description: 'The stored membership is that of this moment, or newer' })),
  createdAt: Time,
  updatedAt: Time,
  warnings: Type.Optional(Type.Array(Type.String())),
})

export const PreviewSchema = Type.Object({
  count: Type.Integer(),
  sample: Type.Array(Type.Object({ userId: Nullable(Type.String()), deviceId: Nullable(Type.String()), name: Nullable(Type.String()) })),
  asOf: Time,
  tookMs: Type.Integer(),
})

export const BulkSchema = Type.Object({
  segmentId: Type.String(),
  segment: Type.String(),
  action: Type.Enum(['add', 'remove']),
  matched: Type.Integer({ description: 'People found' }),
  modified: Type.Integer({ description: 'People for whom it changed something' }),
  notFound: Type.Array(Type.String()),
})

/** `names`: of the segments it excludes, by id. */
export function presentSegment(
  segment: Segment,
  memberCount: number,
  names: ReadonlyMap<string, string>,
  warnings: readonly string[] = [],
) {
  return {
    id: segment.id,
    name: segment.name,
    logicalOperator: segment.logicalOperator,
    rules: segment.rules,
    excludedSegments: segment.excluded.flatMap((id) => names.get(id) ?? []),
    updateFrequency: segment.updateFrequency,
    memberCount,
    exactAsOf: segment.exactAsOf,
    createdAt: segment.createdAt,
    updatedAt: segment.updatedAt,
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  }
}
