/** Files of texts and of declared event types. */
import { PROPERTY_USES } from '../events/catalog/declared-type.ts'
import { DECLARED_KINDS } from '../events/catalog/property-kind.ts'
import { LIMITS } from '../limits.ts'
import { file, flag, list, object, oneOf, record, SCHEMA_MEMBER, text, type JsonSchema } from './json-schema.ts'

const row = object(
  'One text',
  {
    key: text('What apps ask for', { least: 1, most: LIMITS.stringKeyLength }),
    sourceText: {
      type: ['string', 'null'],
      maxLength: LIMITS.stringTextLength,
      description: 'In the source language; a new text needs it',
    },
    namespace: { type: ['string', 'null'], maxLength: LIMITS.namespaceLength, description: 'What it belongs to; otherwise app' },
    description: { type: ['string', 'null'], maxLength: LIMITS.stringDescriptionLength, description: 'For translators' },
    values: {
      type: ['object', 'null'],
      description: 'Translations by language',
      additionalProperties: { type: ['string', 'null'], maxLength: LIMITS.stringTextLength },
    },
  },
  { required: ['key'] },
)
const rows = list('Texts; what is not named stays', row, { least: 1 })

export const textsSchema: JsonSchema = file('ContentFlow texts', {
  anyOf: [rows, object('Texts', { ...SCHEMA_MEMBER, strings: rows }, { required: ['strings'] })],
})

const value = { type: ['string', 'number'] }
const property = object(
  'A property',
  {
    kind: oneOf('What its values are', DECLARED_KINDS),
    required: flag('Whether each event has it'),
    enum: { type: ['array', 'null'], items: value, minItems: 1, maxItems: LIMITS.eventEnumValues, description: 'The only values' },
    description: text('What it means', { most: LIMITS.eventDescriptionLength }),
    use: oneOf('What reports do with it', PROPERTY_USES),
  },
  { required: ['kind'], isClosed: true },
)

/** A declared type, as a workspace document has it too. */
export const eventTypeSchema: JsonSchema = object(
  'A type of events',
  {
    name: text('What apps send', { least: 1, most: LIMITS.eventNameLength }),
    description: text('What it means', { most: LIMITS.eventDescriptionLength }),
    owner: text('Whom to ask', { most: LIMITS.eventOwnerLength }),
    properties: { ...record('Properties by name', property), maxProperties: LIMITS.eventTypeProperties },
  },
  { required: ['name'], isClosed: true },
)
const types = list('Every declared type', eventTypeSchema, { most: LIMITS.eventTypes })

export const eventsSchema: JsonSchema = file('ContentFlow event types', {
  anyOf: [
    types,
    object('Event types', { ...SCHEMA_MEMBER, types }, { required: ['types'] }),
    object('Event types', { events: types, types: false as never }, { required: ['events'] }),
  ],
})
