/** The workspace as one document. */
import { QUESTION_KINDS } from '../analysis/question.ts'
import { CODE_KINDS, mostOf, type ListKind, type WorkspaceCode } from '../as-code/workspace-code.ts'
import { EVENT_OPERATORS } from '../behaviour/did.ts'
import type { CampaignChanges } from '../campaigns/campaign.ts'
import { CHANNEL_TYPES } from '../channels/channel.ts'
import { PROVIDERS } from '../channels/providers.ts'
import { TOPIC_MODES } from '../identity/consent/topics.ts'
import type { Journey } from '../journeys/journey.ts'
import { LIMITS } from '../limits.ts'
import { MAIL_KINDS } from '../mail/library/read-part.ts'
import { UPDATE_FREQUENCIES } from '../targeting/frequency.ts'
import { OPERATOR_NAMES } from '../targeting/operators.ts'
import { WEBHOOK_EVENTS } from '../webhooks/events.ts'
import { contentMembers } from './content-schema.ts'
import { file, flag, list, object, oneOf, orNull, record, SCHEMA_MEMBER, text, whole, type JsonSchema } from './json-schema.ts'
import { blockSchema } from './manifest-schema.ts'
import { settingsSchema } from './settings-schema.ts'
import { eventTypeSchema } from './texts-schema.ts'

const id = text('Its id, which others hold', { pattern: '^[A-Za-z0-9_-]{1,40}$' })
const anything = (description: string): JsonSchema => ({ description })
const RULE: JsonSchema = { $ref: '#/definitions/rule' }
const logicalOperator = oneOf('Whether all of them have to hold, or one', ['AND', 'OR'])

const rule: JsonSchema = {
  type: 'object',
  anyOf: [
    object(
      'A condition',
      {
        field: text('What it asks of a person, such as customAttributes.plan', { least: 1 }),
        operator: oneOf('How', [...OPERATOR_NAMES, ...EVENT_OPERATORS]),
        value: anything('What it is compared with'),
      },
      { required: ['field', 'operator'] },
    ),
    object(
      'Several conditions',
      { logicalOperator, conditions: list('The conditions', RULE, { least: 1 }) },
      { required: ['logicalOperator', 'conditions'] },
    ),
  ],
}

const string = object(
  'A text',
  {
    key: text('What apps ask for', { least: 1, most: LIMITS.stringKeyLength }),
    namespace: text('What it belongs to', { least: 1, most: LIMITS.namespaceLength }),
    description: text('For translators', { most: LIMITS.stringDescriptionLength }),
    sourceText: text('In the source language', { least: 1, most: LIMITS.stringTextLength }),
    values: record(
      'Translations by language',
      object(
        'A translation',
        { text: text('The text', { least: 1, most: LIMITS.stringTextLength }), status: oneOf('How far it is', ['ok', 'review', 'draft']) },
        { required: ['text'] },
      ),
    ),
  },
  { required: ['key', 'sourceText'] },
)

const journey = {
  name: anything('Its name'),
  trigger: anything('What lets people in'),
  steps: anything('Its steps, each with its id'),
  goal: anything('What people should do'),
  entry: anything('How often somebody may enter'),
  exitOn: anything('What takes somebody out'),
} satisfies Record<keyof Journey, JsonSchema>

const campaign = {
  name: text('Its name', { most: LIMITS.campaignNameLength }),
  type: text('Its type', { most: LIMITS.campaignTypeLength }),
  priority: whole('Which of several comes first', LIMITS.campaignPriority.min, LIMITS.campaignPriority.max),
  segments: list('Names of segments', { type: 'string' }),
  schedule: object('When', { startTime: anything('From') }, { required: ['startTime'] }),
  content: { type: 'object', description: 'What it says, by channel' },
  dispatchChannels: list('Through which channels, and in which block types', { type: 'string' }),
  controlPercent: whole('Of a hundred people, so many get nothing', LIMITS.campaignControlPercent.min, LIMITS.campaignControlPercent.max),
  mail: anything('Its mail of sections'),
  topic: { type: ['string', 'null'], description: 'The topic about which people decide' },
} satisfies Record<keyof CampaignChanges, JsonSchema>

const served = (where: string): JsonSchema => ({
  description: `What is served ${where}: true is this content, false is nothing`,
  anyOf: [{ type: 'boolean' }, object('Other content', contentMembers)],
})

const ENTRIES: Record<ListKind, JsonSchema> = {
  locales: object(
    'A language',
    {
      code: text('A locale code such as ar or ar-SA'),
      name: orNull(text('What it is called in English', { most: LIMITS.localeNameLength })),
      native: orNull(text('What it is called in itself', { most: LIMITS.localeNameLength })),
      rtl: flag('Whether it is written from right to left'),
      source: flag('Whether source texts are in it'),
    },
    { required: ['code'] },
  ),
  strings: string,
  blocks: blockSchema,
  events: eventTypeSchema,
  segments: object(
    'People of whom a rule holds',
    {
      name: text('Its name, which content and campaigns aim at', { least: 1, most: LIMITS.segmentNameLength }),
      logicalOperator,
      rules: list('Its conditions', RULE, { least: 1 }),
      excludedSegments: list('Names of segments whose people are left out', { type: 'string' }),
      updateFrequency: oneOf('How often time is looked at', UPDATE_FREQUENCIES),
    },
    { required: ['name', 'logicalOperator', 'rules'] },
  ),
  reports: object(
    'A saved question',
    {
      name: text('Its name', { least: 1, most: LIMITS.reportNameLength }),
      kind: oneOf('What it asks', QUESTION_KINDS),
      definition: { type: 'object', description: 'The question' },
      isPinned: flag('Whether it is on the start page'),
    },
    { required: ['name', 'kind', 'definition'] },
  ),
  geofences: object(
    'A place',
    {
      id,
      name: text('Its name', { least: 1, most: LIMITS.geofenceNameLength }),
      latitude: { type: 'number', minimum: -90, maximum: 90 },
      longitude: { type: 'number', minimum: -180, maximum: 180 },
      radiusMeters: { type: 'number', minimum: LIMITS.geofenceRadiusMeters.min, maximum: LIMITS.geofenceRadiusMeters.max },
    },
    { required: ['id', 'name', 'latitude', 'longitude', 'radiusMeters'] },
  ),
  instances: object(
    'A filled block',
    {
      id,
      block: text('The key of its block type'),
      externalId: orNull(text('What a manifest finds it by', { least: 1, most: LIMITS.externalIdLength })),
      ...contentMembers,
      live: served('to real apps'),
      test: served('to apps with a test key'),
    },
    { required: ['id', 'block'], isClosed: true },
  ),
  mails: object(
    'A mail or a part of the library',
    {
      id,
      kind: oneOf('Which of both', MAIL_KINDS),
      name: text('Its name', { least: 1, most: LIMITS.mailNameLength }),
      category: orNull(text('Where it stands', { least: 1, most: LIMITS.mailCategoryLength })),
      document: anything('Its sections, or its HTML'),
    },
    { required: ['id', 'kind', 'name', 'document'], isClosed: true },
  ),
  topics: object(
    'A topic about which people decide',
    {
      id: text('Its id', { pattern: '^[A-Za-z][A-Za-z0-9_-]{0,39}$' }),
      names: { ...record('Its names by language', text('', { least: 1, most: LIMITS.topicNameLength })), minProperties: 1 },
      descriptions: { type: ['object', 'null'], description: 'What it is about, by language' },
      channels: { ...list('Channels that it is about', { enum: CHANNEL_TYPES }, { least: 1 }), uniqueItems: true },
      mode: oneOf('Whether people are in it until they say no, or only when they said yes', TOPIC_MODES),
      position: whole('Where it stands on the page', LIMITS.topicPosition.min, LIMITS.topicPosition.max),
    },
    { required: ['id', 'names', 'channels'], isClosed: true },
  ),
  journeys: object(
    'A journey',
    { id, ...journey, incomplete: flag('A draft to which something is missing') },
    { required: ['id'], isClosed: true },
  ),
  campaigns: object(
    'A campaign',
    { id, ...campaign, status: { const: 'draft' } },
    { required: ['id', 'name', 'type', 'schedule'], isClosed: true },
  ),
  experiments: object(
    'What is compared, and by what',
    {
      id: text('instance:<id>, campaign:<id> or control:<id of the campaign>', {
        pattern: '^(instance|campaign|control):[A-Za-z0-9_-]{1,40}$',
      }),
      hypothesis: text('What somebody expects'),
      metric: { type: 'object', description: 'What is counted' },
      guardrails: list('What must not get worse', { type: 'object' }),
      plan: { type: ['object', 'null'], description: 'How large it has to be' },
      cuped: flag('Whether what people did before is taken into account'),
    },
    { required: ['id'], isClosed: true },
  ),
  webhooks: object(
    'A server that is told of events',
    {
      id,
      url: text('Its address', { least: 1, most: 2_000 }),
      description: text('What it is for', { most: 200 }),
      events: list('Of what', { enum: WEBHOOK_EVENTS }, { least: 1 }),
    },
    { required: ['id', 'url', 'events'], isClosed: true },
  ),
  channels: object(
    'A provider that messages go out through; never with a secret',
    {
      id,
      provider: oneOf('Which one', PROVIDERS),
      name: text('Its name', { least: 1, most: LIMITS.channelNameLength }),
      priority: whole('Which of several is taken first', -LIMITS.channelPriority, LIMITS.channelPriority),
      configuration: { type: 'object', description: 'What of its configuration is not secret' },
    },
    { required: ['id', 'provider', 'name'], isClosed: true },
  ),
}

function kindSchema(kind: keyof WorkspaceCode): JsonSchema {
  return kind === 'settings' ? settingsSchema : list(`Every one of them: what is left out goes`, ENTRIES[kind], { most: mostOf(kind) })
}

export const documentSchema: JsonSchema = {
  ...file(
    'ContentFlow workspace',
    object(
      'A workspace as one document; a kind that it does not name stays as it is',
      { ...SCHEMA_MEMBER, ...Object.fromEntries(CODE_KINDS.map((kind) => [kind, kindSchema(kind)])) },
      { isClosed: true },
    ),
  ),
  definitions: { rule },
}
