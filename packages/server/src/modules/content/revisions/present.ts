import { valuesByTag, type Translations, type Variant } from '@contentflow/core/blocks/instance.ts'
import type { Field, JsonObject } from '@contentflow/core/blocks/field.ts'
import { EnvironmentName, Nullable, Shaped, Time, timeThat, TimeText, Type, type Static } from '../../../http/schema.ts'
import { pointersOf } from './served.ts'
import type { ServingTold } from './serving.ts'
import type { StoredDefinition } from './queries.ts'
import { contentOf, REVISION_SOURCES, type Instance, type Revision } from './queries-instances.ts'

const Values = Shaped<JsonObject>(
  Type.Record(Type.String(), Type.Unknown(), { description: 'By field tag', examples: [{ '#title': 'Winter sale' }] }),
)
const TranslationsSchema = Shaped<Translations>(
  Type.Record(Type.String(), Values, {
    description: 'By locale, then by field tag',
    examples: [{ ar: { '#title': 'تخفيضات الشتاء' } }],
  }),
)
export const ScheduleSchema = Type.Object({ startTime: Type.Optional(TimeText), endTime: Type.Optional(TimeText) })
const VariantSchema = Type.Object({
  id: Type.String(),
  weight: Type.Integer(),
  values: Values,
  translations: Type.Optional(TranslationsSchema),
})
const FrequencySchema = Type.Object({ per: Type.Enum(['session', 'day', 'week', 'ever']), max: Type.Integer() })

export const contentSchema = {
  title: Type.String(),
  values: Values,
  seg: Nullable(Type.String()),
  priority: Type.Integer(),
  schedule: Nullable(ScheduleSchema),
  variants: Type.Array(VariantSchema),
  translations: TranslationsSchema,
  frequency: Nullable(FrequencySchema),
}

const UnknownSegment = Type.Object({
  code: Type.Literal('unknown_segment'),
  segment: Type.String({ description: 'What was saved last, or is served, is for a segment of this name, and there is none' }),
})
/** Warnings for the publisher about what apps are served when. */
export const ServingWarningSchema = Type.Union(
  [
    Type.Object(
      {
        code: Type.Literal('never_shown', { description: 'Apps never show what is published' }),
        target: EnvironmentName,
        because: Type.Enum(['ended', 'replaced'], {
          description: 'Its own end comes first, or something else that is planned is published before its start',
        }),
        at: timeThat('When it ends, or is replaced'),
      },
      { title: 'NeverShown' },
    ),
    Type.Object(
      {
        code: Type.Literal('nothing_shown', { description: 'What apps show until then goes, and nothing is shown in its place' }),
        target: EnvironmentName,
        from: Time,
        until: Nullable(timeThat('When something is shown again; null: nothing is planned')),
      },
      { title: 'NothingShown' },
    ),
    Type.Object(
      {
        code: Type.Literal('variants_never_shown', { description: 'Their weight is 0' }),
        target: EnvironmentName,
        variants: Type.Array(Type.String(), { description: 'Their ids' }),
      },
      { title: 'VariantsNeverShown' },
    ),
  ],
  { title: 'ServingWarning' },
)
/** Warnings about content that is not refused; left out when there are none. */
export const Warnings = Type.Optional(Type.Array(UnknownSegment))
export type ShownWarning = Static<typeof ServingWarningSchema>
export type Warning = Static<typeof UnknownSegment>

export function presentServingWarning(warning: ServingTold): ShownWarning {
  switch (warning.code) {
    case 'never_shown': {
      const { code, target, because } = warning
      return { code, target, because, at: new Date(warning.because === 'ended' ? warning.endsAt : warning.at) }
    }
    case 'nothing_shown': {
      const { code, target, from, until } = warning
      return { code, target, from: new Date(from), until: timeOrNull(until) }
    }
    case 'variants_never_shown':
      return warning
    default:
      return warning satisfies never
  }
}

/** Null for a moment that never comes. */
export function timeOrNull(milliseconds: number): Date | null {
  return milliseconds === Infinity ? null : new Date(milliseconds)
}

export const InstanceSchema = Type.Object({
  id: Type.String(),
  blockKey: Type.String(),
  externalId: Nullable(Type.String()),
  status: Type.Enum(['draft', 'published']),
  targets: Type.Array(Type.Enum(['live', 'test'])),
  ...contentSchema,
  version: Type.Integer({ description: 'The same as head' }),
  head: Type.Integer({ description: 'Number of the newest revision, whose content this is' }),
  live: Nullable(Type.Integer({ description: 'The revision that live keys get' })),
  test: Nullable(Type.Integer({ description: 'The revision that test keys get; null: the live one' })),
  createdAt: Time,
  updatedAt: Time,
  warnings: Type.Optional(Type.Array(Type.Union([UnknownSegment, ServingWarningSchema]))),
})

/** The members of a body; the rules of each field are checked by core and named in its refusals. */
export const InstanceBody = Type.Partial(
  Type.Object({
    ...contentSchema,
    externalId: Nullable(Type.String()),
    values: Type.Record(Type.String(), Type.Unknown(), {
      description: 'By field tag; merged tag by tag, null clears one',
      examples: [{ '#title': 'Winter sale' }],
    }),
    seg: Nullable(Type.String({ description: 'Segment name; null or empty: everyone' })),
  }),
)

export const RevisionSchema = Type.Object({
  number: Type.Integer({ description: 'The version this save made' }),
  source: Type.Enum([...REVISION_SOURCES]),
  restoredFrom: Nullable(Type.Integer()),
  madeBy: Type.String({ description: 'User id, or the id of the write key' }),
  createdAt: Time,
  content: Type.Object(contentSchema),
})

const FieldSchema = Shaped<Field>(
  Type.Object({
    id: Type.Optional(Type.String({ description: 'Stable slot values are stored against; the tag when left out' })),
    tag: Type.String({ examples: ['#title'] }),
    type: Type.String({
      examples: ['text'],
      description: 'text, textarea, image, number, select, toggle, url or collection; others are kept but not rendered',
    }),
    label: Type.Optional(Type.String()),
    default: Type.Optional(Type.Unknown()),
    options: Type.Optional(Type.Array(Type.Unknown())),
    maxLength: Type.Optional(Type.Integer({ minimum: 1 })),
    required: Type.Optional(Type.Boolean()),
    allowedBlockKeys: Type.Optional(Type.Array(Type.String())),
    minItems: Type.Optional(Type.Integer({ minimum: 0 })),
    maxItems: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
)
export const Design = Type.Enum(['banner', 'card', 'tile', 'hero', 'carousel', 'list', 'popup', 'tooltip', 'toast', 'panel'])

const definitionBody = {
  key: Type.String({ pattern: '^[a-z0-9_]+$', maxLength: 100 }),
  name: Type.Optional(Type.String({ maxLength: 150, description: 'Default: the key' })),
  screen: Type.Optional(Type.String({ maxLength: 150 })),
  crumb: Type.Optional(Type.String({ maxLength: 150 })),
  fields: Type.Optional(Type.Array(FieldSchema)),
  blank: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Starting values by field id' })),
  inCampaigns: Type.Optional(Type.Boolean()),
  interruptive: Type.Optional(Type.Boolean()),
  designType: Type.Optional(Design),
}
const example = {
  key: 'home_hero',
  name: 'Home hero',
  screen: 'home',
  designType: 'hero',
  fields: [{ id: 'f_title', tag: '#title', type: 'text', required: true, maxLength: 60 }],
}
export const DefinitionBody = Type.Object(definitionBody, { examples: [example] })
export const RegisterBody = Type.Object(
  {
    ...definitionBody,
    seedInstance: Type.Optional(Type.Boolean({ description: 'Default true: a blank draft when the type has no instance' })),
  },
  { examples: [example] },
)
const SeedSchema = Type.Partial(
  Type.Object({ externalId: Type.String(), status: Type.Enum(['draft', 'published', 'live', 'test']), ...contentSchema }),
)
export const ManifestBody = Type.Object(
  {
    blocks: Type.Array(Type.Object({ ...definitionBody, instances: Type.Optional(Type.Array(SeedSchema)) })),
    prune: Type.Optional(Type.Boolean({ description: 'true lets an empty manifest archive every block type' })),
  },
  { examples: [{ blocks: [{ ...example, instances: [{ externalId: 'hero-1', status: 'published', values: { '#title': 'Hello' } }] }] }] },
)

export const DefinitionSchema = Type.Object({
  key: Type.String(),
  name: Type.String(),
  screen: Type.String(),
  crumb: Type.String(),
  fields: Type.Array(FieldSchema),
  blank: Shaped<JsonObject>(Type.Record(Type.String(), Type.Unknown())),
  inCampaigns: Type.Boolean(),
  interruptive: Nullable(Type.Boolean()),
  designType: Nullable(Design),
  revision: Type.Integer(),
  isArchived: Type.Boolean(),
  createdAt: Time,
  updatedAt: Time,
})

export function presentDefinition({ archivedAt, ...definition }: StoredDefinition) {
  return { ...definition, isArchived: archivedAt !== null }
}

/** A block type as a pipeline would declare it. */
export function presentDeclared({ key, name, screen, crumb, fields, blank, inCampaigns, interruptive, designType }: StoredDefinition) {
  return {
    key,
    name,
    screen,
    crumb,
    fields,
    blank,
    inCampaigns,
    ...(interruptive !== null && { interruptive }),
    ...(designType !== null && { designType }),
  }
}

/** The instance resource of G-36: all texts are by language tag. */
export function presentInstance(instance: Instance, fields: readonly Field[], warnings: readonly (Warning | ShownWarning)[] = []) {
  const targets = pointersOf(instance)
  const { id, blockKey, externalId, version, liveRevision, testRevision, createdAt, updatedAt } = instance
  return {
    id,
    blockKey,
    externalId,
    status: targets.length > 0 ? ('published' as const) : ('draft' as const),
    targets,
    ...presentContent(instance, fields),
    version,
    head: version,
    live: liveRevision,
    test: testRevision,
    createdAt,
    updatedAt,
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  }
}

export function presentRevision({ content, ...revision }: Revision, fields: readonly Field[]) {
  return { ...revision, content: presentContent(content, fields) }
}

export function presentContent(content: Parameters<typeof contentOf>[0], fields: readonly Field[]) {
  return {
    ...contentOf(content),
    values: valuesByTag(fields, content.values),
    translations: translationsByTag(content.translations, fields),
    variants: content.variants.map((variant) => presentVariant(variant, fields)),
  }
}

function presentVariant({ translations, ...variant }: Variant, fields: readonly Field[]) {
  return {
    ...variant,
    values: valuesByTag(fields, variant.values),
    ...(translations && { translations: translationsByTag(translations, fields) }),
  }
}

function translationsByTag(translations: Translations, fields: readonly Field[]): { [locale: string]: JsonObject } {
  return Object.fromEntries(Object.entries(translations).map(([locale, values]) => [locale, valuesByTag(fields, values)]))
}
