/** How each closed list of the sources gets another member. */

export type ClosedList = {
  /** As CONTRIBUTING.md calls it, which names the files that do not compile then. */
  name: string
  file: string
  /** The text behind which the new member is written; it stands in the file once. */
  behind: string
  added: string
  /** The new member, as the messages of the compiler name it. */
  member: string
}

export const CLOSED_LISTS: ClosedList[] = [
  { name: 'field type', file: 'core/src/blocks/field.ts', behind: "'url', 'collection'", added: ", 'zz_field'", member: 'zz_field' },
  {
    name: 'operator',
    file: 'core/src/targeting/operators.ts',
    behind: 'export const OPERATORS = {',
    added: 'zz_operator: equals,',
    member: 'zz_operator',
  },
  {
    name: 'field prefix',
    file: 'core/src/targeting/fields.ts',
    behind: 'export const FIELD_PREFIXES = [',
    added: "'zz_prefix',",
    member: 'zz_prefix',
  },
  {
    name: 'journey step',
    file: 'core/src/journeys/journey.ts',
    behind: "  | { type: 'exit' }",
    added: " | { type: 'zz_step' }",
    member: 'zz_step',
  },
  {
    name: 'journey trigger',
    file: 'core/src/journeys/journey.ts',
    behind: "  | { type: 'manual' }",
    added: " | { type: 'zz_trigger' }",
    member: 'zz_trigger',
  },
  {
    name: 'step outcome',
    file: 'core/src/journeys/advance.ts',
    behind: 'export const STEP_OUTCOMES = [',
    added: "'zz_outcome',",
    member: 'zz_outcome',
  },
  {
    name: 'run reason',
    file: 'core/src/journeys/advance.ts',
    behind: 'export const RUN_REASONS = [',
    added: "'zz_reason',",
    member: 'zz_reason',
  },
  {
    name: 'journey status',
    file: 'core/src/journeys/journey.ts',
    behind: 'export const JOURNEY_STATUSES = [',
    added: "'zz_jstatus',",
    member: 'zz_jstatus',
  },
  {
    name: 'provider',
    file: 'core/src/channels/providers.ts',
    behind: 'const HTTP = {',
    added: "'zz-provider': sendgrid,",
    member: 'zz-provider',
  },
  {
    name: 'channel of messages',
    file: 'core/src/channels/channel.ts',
    behind: 'export const CHANNEL_TYPES = [',
    added: "'zz_channel',",
    member: 'zz_channel',
  },
  {
    name: 'provider with callbacks',
    file: 'core/src/channels/callbacks.ts',
    behind: 'export const CALLBACK_PROVIDERS = [',
    added: "'zz_callback',",
    member: 'zz_callback',
  },
  {
    name: 'consent flag',
    file: 'core/src/identity/consent/consent.ts',
    behind: 'export const CHANNELS = [',
    added: "'zz_flag',",
    member: 'zz_flag',
  },
  {
    name: 'skip reason',
    file: 'core/src/messages/judge.ts',
    behind: 'export const SKIP_REASONS = [',
    added: "'zz_skip',",
    member: 'zz_skip',
  },
  {
    name: 'campaign status',
    file: 'core/src/campaigns/status.ts',
    behind: 'export const CAMPAIGN_STATUSES = [',
    added: "'zz_cstatus',",
    member: 'zz_cstatus',
  },
  {
    name: 'import status',
    file: 'core/src/imports/status.ts',
    behind: 'export const IMPORT_STATUSES = [',
    added: "'zz_istatus',",
    member: 'zz_istatus',
  },
  {
    name: 'import identity',
    file: 'core/src/imports/mapping.ts',
    behind: 'export const IDENTITY_TYPES = [',
    added: "'zz_identity',",
    member: 'zz_identity',
  },
  {
    name: 'import value type',
    file: 'core/src/imports/mapping.ts',
    behind: 'export const COLUMN_TYPES = [',
    added: "'zz_value',",
    member: 'zz_value',
  },
  {
    name: 'webhook event',
    file: 'core/src/webhooks/events.ts',
    behind: 'export type WebhookData = {',
    added: "'zz_event': OfCampaign\n",
    member: 'zz_event',
  },
  {
    name: 'kind in the workspace document',
    file: 'core/src/as-code/workspace-code.ts',
    behind: 'type Lists = {',
    added: 'zz_kind: LocaleCode[]\n',
    member: 'zz_kind',
  },
  {
    name: 'feature switch',
    file: 'core/src/features.ts',
    behind: 'export const FEATURES = [',
    added: "'zz_feature',",
    member: 'zz_feature',
  },
  {
    name: 'protection',
    file: 'core/src/protections.ts',
    behind: 'export const PROTECTIONS = [',
    added: "'zz_protection',",
    member: 'zz_protection',
  },
  {
    name: 'design',
    file: 'core/src/blocks/definition.ts',
    behind: 'export const DESIGN_TYPES = [',
    added: "'zz_design',",
    member: 'zz_design',
  },
  {
    name: 'instance state',
    file: 'core/src/blocks/instance-state.ts',
    behind: 'export const INSTANCE_STATES = [',
    added: "'zz_istate',",
    member: 'zz_istate',
  },
  {
    name: 'lifecycle stage',
    file: 'core/src/targeting/lifecycle.ts',
    behind: 'export const LIFECYCLE_STAGES = [',
    added: "'zz_stage',",
    member: 'zz_stage',
  },
  { name: 'prayer', file: 'core/src/calendar/prayers.ts', behind: 'export const PRAYERS = [', added: "'zz_prayer',", member: 'zz_prayer' },
]
