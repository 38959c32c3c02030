/** Block types, and the manifest that declares them. */
import { DESIGN_TYPES, RESERVED_BLOCK_KEY } from '../blocks/definition.ts'
import { FIELD_TYPES } from '../blocks/field.ts'
import { LIMITS } from '../limits.ts'
import { contentMembers } from './content-schema.ts'
import { file, flag, list, object, oneOf, orNull, SCHEMA_MEMBER, text, whole, type JsonSchema } from './json-schema.ts'

const blockKey: JsonSchema = {
  ...text('Lower-case letters, digits and _; what apps ask for', { least: 1, most: LIMITS.blockKeyLength, pattern: '^[a-z0-9_]+$' }),
  not: { const: RESERVED_BLOCK_KEY },
}
const fieldText = (description: string) => text(description, { least: 1, most: LIMITS.fieldTextLength })

const field: JsonSchema = {
  ...object(
    'One slot of a block',
    {
      id: orNull(fieldText('What values are stored by: it stays when the tag is renamed')),
      tag: fieldText('What apps read the value by, such as #title'),
      type: {
        description: 'Of a type of your own apps read whatever they like',
        anyOf: [{ enum: FIELD_TYPES }, fieldText('A type of your own')],
      },
      label: orNull(text('What editors see')),
      default: { description: 'The starting value of a new instance' },
      options: { type: ['array', 'null'], description: 'Of a select: values, or {value, label}' },
      maxLength: orNull(whole('Characters of a text', 1)),
      required: orNull(flag('Whether it may be published empty')),
      allowedBlockKeys: list('Of a collection: the block types that it may hold', blockKey),
      minItems: orNull(whole('Of a collection', 0)),
      maxItems: orNull(whole('Of a collection', 0)),
      fields: false as never,
    },
    { required: ['tag', 'type'] },
  ),
  if: { properties: { type: { const: 'collection' } } },
  then: { required: ['allowedBlockKeys'] },
  else: { properties: { allowedBlockKeys: false, minItems: false, maxItems: false } },
}

const definition = {
  key: blockKey,
  name: orNull(text('What people call it; otherwise the key', { least: 1, most: LIMITS.blockNameLength })),
  screen: orNull(text('The screen on which apps show it', { most: LIMITS.screenLength })),
  crumb: orNull(text('Where it stands in lists of the dashboard', { most: LIMITS.crumbLength })),
  fields: { ...list('Its fields', field, { most: LIMITS.fieldsPerDefinition }), type: ['array', 'null'] },
  blank: orNull(object('Starting values by field id', {})),
  inCampaigns: orNull(flag('Whether campaigns may use it')),
  interruptive: orNull(flag('Whether it interrupts, as a popup does')),
  designType: orNull(oneOf('How it looks; otherwise what the dashboard says', DESIGN_TYPES)),
}

/** A block type of a workspace document. */
export const blockSchema: JsonSchema = object('A block type', definition, { required: ['key'] })

const seed = object('An instance that a sync makes, and finds again by its externalId or else by its title', {
  externalId: orNull(text('What a later run finds it by', { least: 1, most: LIMITS.externalIdLength })),
  status: orNull(oneOf('Where it is published', ['draft', 'published', 'live', 'test'])),
  ...contentMembers,
})
const block = object(
  'A block type with its first instances',
  { ...definition, instances: orNull(list('Instances of it', seed)), items: orNull(list('The same as instances', seed)) },
  { required: ['key'] },
)
const blocks = list('Every block type; what is not named is archived', block, { most: LIMITS.definitionsPerManifest })
const filled = { minItems: 1 }

export const manifestSchema: JsonSchema = {
  ...file(
    'ContentFlow manifest',
    object('The block types of a workspace', {
      ...SCHEMA_MEMBER,
      blocks,
      cards: { ...blocks, description: 'The same as blocks' },
      prune: { description: 'true lets an empty manifest archive every block type' },
    }),
  ),
  anyOf: [
    { required: ['prune'], properties: { prune: { const: true } } },
    { required: ['blocks'], properties: { blocks: filled } },
    { required: ['cards'], properties: { blocks: false, cards: filled } },
  ],
}
