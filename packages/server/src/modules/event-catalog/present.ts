import { DECLARED_KINDS, PROPERTY_KINDS } from '@contentflow/core/events/catalog/property-kind.ts'
import { PROPERTY_USES, type DeclaredProperty } from '@contentflow/core/events/catalog/declared-type.ts'
import type { ViolationShape } from '@contentflow/core/events/catalog/find-violations.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { EnvironmentAsked, Nullable, Page, PageQuery, Shaped, Time, Type } from '../../http/schema.ts'
import { OTHERS_SAID, TYPE_STATES } from './list-types.ts'

const Description = Type.Optional(Type.String({ maxLength: LIMITS.eventDescriptionLength * 2 }))
const Owner = Type.Optional(Type.String({ maxLength: LIMITS.eventOwnerLength * 2, description: 'Whom to ask: a team or a person' }))
const declaredMembers = {
  kind: Type.Enum([...DECLARED_KINDS], { description: 'A date is a string in ISO 8601; each integer is a number' }),
  required: Type.Optional(Type.Boolean()),
  enum: Type.Optional(
    Type.Array(Type.Union([Type.String(), Type.Number()]), { maxItems: LIMITS.eventEnumValues, description: 'The only values there are' }),
  ),
  description: Description,
  use: Type.Optional(
    Type.Enum([...PROPERTY_USES], { description: 'Whether reports tell events apart by it (dimension) or add it up (measure)' }),
  ),
}
const Properties = Type.Record(Type.String(), Type.Object(declaredMembers), {
  description: `By name, at most ${LIMITS.eventTypeProperties}`,
})
/** As `core/events/catalog/declared-type.ts` reads it: it says where a fault is. */
export const TypeBody = Type.Object(
  { description: Description, owner: Owner, properties: Type.Optional(Properties) },
  {
    examples: [
      { description: 'An order was paid', owner: 'Checkout', properties: { total: { kind: 'number', required: true, use: 'measure' } } },
    ],
  },
)
const NamedType = Type.Object({
  name: Type.String({ minLength: 1, maxLength: LIMITS.eventNameLength }),
  ...TypeBody.properties,
})
export const TypesBody = Type.Object(
  {
    types: Type.Array(NamedType, { maxItems: LIMITS.eventTypes }),
    dryRun: Type.Optional(Type.Boolean({ description: 'Answer the plan, write nothing' })),
  },
  { examples: [{ types: [{ name: 'order_completed', properties: { total: { kind: 'number', required: true } } }] }] },
)
const Names = Type.Array(Type.String())
export const PlanSchema = Type.Object({ created: Names, changed: Names, unchanged: Names, undeclared: Names })

const Named = Type.Object({ id: Type.String(), name: Type.String() })
const Uses = Type.Object({ segments: Type.Array(Named), journeys: Type.Array(Named), reports: Type.Array(Named) })
const typeMembers = {
  name: Type.String(),
  description: Type.String(),
  owner: Type.String(),
  isDeclared: Type.Boolean(),
  isHidden: Type.Boolean({ description: 'Somebody took it off the list' }),
  firstSeen: Nullable(Time),
  lastSeen: Nullable(Time),
  volume: Type.Integer({ description: 'Events of the last 30 days (UTC), without those of the last seconds' }),
  violations: Type.Integer({ description: 'Events that were not as declared, since it was declared so; up to a minute old' }),
  otherProperties: Type.Integer({
    description: `Times that a further property came, where there are more than ${LIMITS.eventTypeProperties}`,
  }),
  uses: Uses,
}
export const ListedTypeSchema = Type.Object({ ...typeMembers, properties: Type.Integer(), undeclaredProperties: Type.Integer() })
const Declared = Shaped<DeclaredProperty>(Type.Object(declaredMembers))
const Violation = Shaped<ViolationShape & { at: Date }>(
  Type.Object(
    {
      rule: Type.Enum(['required', 'kind', 'enum']),
      expected: Type.Enum([...DECLARED_KINDS]),
      found: Type.Optional(Type.Enum([...PROPERTY_KINDS])),
      length: Type.Optional(Type.Integer({ description: 'Of a text or an array' })),
      at: Time,
    },
    { description: 'The last one, without its value' },
  ),
)
const PropertySchema = Type.Object({
  name: Type.String(),
  kinds: Type.Array(Type.String(), { description: `As seen: ${PROPERTY_KINDS.join(', ')}` }),
  declared: Nullable(Declared),
  use: Type.Enum([...PROPERTY_USES]),
  filledFrom: Nullable(
    Type.String({ description: 'The first day (UTC) since which reports can ask for it; up to 30 days are filled in behind the answer' }),
  ),
  firstSeen: Nullable(Time),
  violations: Type.Integer(),
  example: Nullable(Violation),
})
export const TypeSchema = Type.Object({
  ...typeMembers,
  properties: Type.Array(PropertySchema),
  days: Type.Array(Type.Object({ day: Time, total: Type.Integer() }), { description: 'Days (UTC) on which any came, oldest first' }),
})
export const ValuesSchema = Type.Object({
  events: Type.Integer({ description: 'Newest events of the type that were looked at' }),
  since: Time,
  properties: Type.Array(
    Type.Object({
      name: Type.String(),
      values: Type.Array(Type.Object({ value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]), people: Type.Integer() })),
    }),
  ),
})

export const ListQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(Type.String({ maxLength: LIMITS.eventNameLength, description: 'Part of the name, the description or the owner' })),
  state: Type.Optional(Type.Enum([...TYPE_STATES], { description: 'unused: none came for 30 days. Hidden ones are listed only here' })),
  environment: EnvironmentAsked,
})
export const EnvironmentQuery = Type.Object({ environment: EnvironmentAsked })
const metadata = Page('types', Type.Object({})).properties.metadata
export const ListPage = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({ types: Type.Array(ListedTypeSchema), others: Type.Integer({ description: OTHERS_SAID }) }),
  metadata,
})
const PipelineType = Type.Object({
  name: Type.String(),
  description: Type.String(),
  owner: Type.String(),
  declared: Type.Boolean(),
  lastSeen: Nullable(Time),
  properties: Type.Record(Type.String(), Declared),
  undeclared: Type.Array(Type.Object({ name: Type.String(), kinds: Type.Array(Type.String()) }), {
    description: 'Properties that apps send and nobody declared',
  }),
  violations: Type.Array(Type.Object({ property: Type.String(), count: Type.Integer() })),
})
export const PipelinePage = Type.Object({
  success: Type.Literal(true),
  data: Type.Object({ types: Type.Array(PipelineType), others: Type.Integer({ description: OTHERS_SAID }) }),
  metadata,
})
