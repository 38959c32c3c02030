import type { Grant } from '@contentflow/core/access/allows.ts'
import type { Permission } from '@contentflow/core/access/permissions.ts'
import type { Json } from '@contentflow/core/blocks/field.ts'
import { UPDATE_FREQUENCIES } from '@contentflow/core/targeting/frequency.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { OPERATOR_NAMES } from '@contentflow/core/targeting/operators.ts'
import { EVENT_OPERATORS } from '@contentflow/core/behaviour/did.ts'
import { RULE_LIMITS, type Rule } from '@contentflow/core/targeting/rule.ts'
import { VALUE_TYPES } from '@contentflow/core/targeting/field-types.ts'
import { EnvironmentName, Nullable, Page, Shaped, Time, Type, timeThat } from '../../http/schema.ts'
import type { Segment, UsedBy } from './queries.ts'

/** Instances that a segment tells it is used by. */
export const INSTANCES_NAMED = 20
/** Campaigns, and journeys. */
export const USES_NAMED = 100

const Rules = Shaped<Rule[]>(
  Type.Array(Type.Object({}, { additionalProperties: true }), {
    minItems: 1,
    description:
      `Leaves {field, operator, value} and groups {logicalOperator, conditions}, ${RULE_LIMITS.levels} levels deep. ` +
      `Operators: ${OPERATOR_NAMES.join(', ')}. Leaves on what people did have a field events.<type> and one of ` +
      `${EVENT_OPERATORS.join(', ')}; their value says within, count, sum and where, or ago`,
  }),
)
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

export const ChangeBody = Type.Partial(
  Type.Object({
    ...SegmentBody.properties,
    renameUses: Type.Boolean({
      description: 'With a new name: content that is for the segment is for it under that name, at the same moment',
    }),
  }),
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

const Named = Type.Object({ id: Type.String(), name: Type.String() })

/** Beside a number of people whom industry data or imported data decide on. */
const FewerThan = Type.Optional(
  Type.Integer({ description: 'Only where industry data or imported data decide: the number is told as 0 and is less than this' }),
)

export const SegmentSchema = Type.Object({
  id: Type.String(),
  name: Type.String(),
  logicalOperator: LogicalOperatorName,
  rules: Rules,
  excludedSegments: Excluded,
  updateFrequency: FrequencyName,
  memberCount: Type.Integer({ description: 'Stored members: live ones, in a sandbox the test ones' }),
  fewerThan: FewerThan,
  exactAsOf: Nullable(timeThat('The stored membership is that of this moment, or newer')),
  version: Type.Integer({ description: 'Grows with every change; send it as If-Match' }),
  createdAt: Time,
  updatedAt: Time,
  usedBy: Type.Object(
    {
      instances: Type.Array(Type.Object({ id: Type.String(), blockKey: Type.String(), title: Type.String() }), {
        description: `Those that name it, at most ${INSTANCES_NAMED}`,
      }),
      instanceCount: Type.Integer(),
      segments: Type.Array(Named, { description: 'That exclude it' }),
      campaigns: Type.Array(Named, { description: `For it, or with a mail that has sections for it, and not over; at most ${USES_NAMED}` }),
      journeys: Type.Array(Named, { description: `Entered with it, or with mails that have sections for it; at most ${USES_NAMED}` }),
      messages: Type.Optional(
        Type.Array(Named, { description: `To it, or with sections for it, and still leaving; at most ${USES_NAMED}` }),
      ),
      hidden: Type.Optional(Type.Integer({ description: 'Further ones, which your role does not read; left out when there are none' })),
    },
    { description: 'What changes with it' },
  ),
  warnings: Type.Optional(Type.Array(Type.String())),
})

const FieldSchema = Type.Object({
  field: Type.String({ examples: ['customAttributes.plan'] }),
  kind: Type.Enum(['fixed', 'custom']),
  type: Type.Enum([...VALUE_TYPES], { description: 'Of a custom attribute: what most values are' }),
  people: Nullable(Type.Integer({ description: 'Who has it: an estimate when not all people were looked at; null: not looked at' })),
  samples: Shaped<Json[]>(
    Type.Array(Type.Unknown(), { description: 'Up to 10 frequent values, of lists their elements; none of names and contacts' }),
  ),
})
export const FieldsPage = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({
    fields: Type.Array(FieldSchema),
    sampledPeople: Type.Integer({ description: 'The newest ones, which were looked at' }),
    allPeople: Type.Integer(),
    asOf: Time,
  }),
  metadata: Page('fields', FieldSchema).properties.metadata,
})

export const PreviewSchema = Type.Object({
  count: Type.Integer(),
  fewerThan: FewerThan,
  sample: Type.Array(Type.Object({ userId: Nullable(Type.String()), deviceId: Nullable(Type.String()), name: Nullable(Type.String()) }), {
    description: 'Nobody where industry data or imported data decide',
  }),
  coverage: Type.Optional(
    Type.Object(
      { from: Time, isWhole: Type.Boolean() },
      { description: 'Only of rules on events that nobody has saved: since when events were read. Not whole: it is at least so many' },
    ),
  ),
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

/** `count`: of the members, as it is told. `names`: of the segments it excludes, by id. */
export function presentSegment(
  segment: Segment,
  { count, fewerThan }: { count: number; fewerThan?: number },
  names: ReadonlyMap<string, string>,
  usedBy: UsedBy,
  warnings: readonly string[] = [],
) {
  return {
    id: segment.id,
    name: segment.name,
    logicalOperator: segment.logicalOperator,
    rules: segment.rules,
    excludedSegments: segment.excluded.flatMap((id) => names.get(id) ?? []),
    updateFrequency: segment.updateFrequency,
    memberCount: count,
    ...(fewerThan !== undefined && { fewerThan }),
    exactAsOf: segment.exactAsOf,
    version: segment.version,
    createdAt: segment.createdAt,
    updatedAt: segment.updatedAt,
    usedBy,
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  }
}

/** Leaves out, and counts, what a role does not read. */
export function hideUses({ permissions }: Grant, { messages = [], ...usedBy }: UsedBy): UsedBy {
  const seen = (permission: Permission) => permissions.has(permission)
  const shown: UsedBy = {
    ...usedBy,
    instances: seen('content:read') ? usedBy.instances : [],
    instanceCount: seen('content:read') ? usedBy.instanceCount : 0,
    campaigns: seen('campaigns:read') ? usedBy.campaigns : [],
    journeys: seen('journeys:read') ? usedBy.journeys : [],
    ...(messages.length > 0 && seen('messages:read') && { messages }),
  }
  const count = (uses: UsedBy) => uses.instanceCount + uses.campaigns.length + uses.journeys.length + (uses.messages?.length ?? 0)
  const hidden = count({ ...usedBy, messages }) - count(shown)
  return hidden > 0 ? { ...shown, hidden } : shown
}
