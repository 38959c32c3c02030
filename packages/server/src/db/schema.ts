// Made by `npm run schema` from src/db/migrations. Do not edit.
import type { ColumnType, Generated } from 'kysely'

/** Read as parsed JSON, written as JSON text. */
export type JsonColumn = ColumnType<unknown, string, string>

export type AbsorbedProfiles = {
  workspace_id: string
  profile_id: string
  into_id: string
}

export type AccountIdentities = {
  provider_id: string
  subject: string
  account_id: string
  email: string | null
  created_at: Date
  last_used_at: Date
}

export type AccountLinks = {
  token_hash: string
  account_id: string
  kind: 'reset' | 'email'
  email: string | null
  created_at: Date
  expires_at: Date
}

export type Accounts = {
  id: string
  email: string
  name: string
  password_hash: string
  created_at: Date
  email_folded: string
  known_devices: Generated<string[]>
  made_by: string | null
  email_verified_at: Date | null
  must_change_password: Generated<boolean>
  ends_at: Date | null
  password_set: Generated<boolean>
  totp_sealed: string | null
  totp_pending: string | null
  totp_last_step: number | null
  passkey_user: string | null
}

export type ActiveDevices = {
  workspace_id: string
  environment: 'live' | 'test'
  device_id: string
  day: string
}

export type ApiTokens = {
  workspace_id: string
  id: string
  service_account_id: string
  hash: string
  hint: string
  expires_at: Date
  allowed_cidrs: Generated<string[]>
  created_by: string
  created_at: Date
  last_used_at: Date | null
  last_used_from: string | null
  revoked_at: Date | null
}

export type AssetAddresses = {
  id: string
  workspace_id: string
}

export type Assets = {
  workspace_id: string
  id: string
  state: 'waiting' | 'ready' | 'deleted'
  file_name: string
  mime_type: string
  object: string | null
  size: number | null
  width: number | null
  height: number | null
  is_animated: Generated<boolean>
  placeholder: string | null
  focal_x: number | null
  focal_y: number | null
  alt: ColumnType<unknown, string | undefined, string>
  variants: Generated<string[]>
  made_by: string
  created_at: Date
  updated_at: Date
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
}

export type AuditCheckpoints = {
  workspace_id: string
  number: number
  seq: number
  hash: Buffer
  at: Date
  public_key: string
  signature: string
}

export type AuditEntries = {
  workspace_id: string
  seq: number
  entry: string
  prev: Buffer
  hash: Buffer
  at: string
  actor_id: string
  action: string
  object_kind: string | null
  object_id: string | null
  outcome: string
}

export type AuditHeads = {
  workspace_id: string
  seq: number
  hash: Buffer
  pruned_seq: Generated<number>
  pruned_hash: Buffer
  signed_seq: Generated<number>
  checkpoint_due_at: Date | null
  prune_due_at: Date | null
  retention_days: Generated<number>
  record_reads: Generated<boolean>
  verified_at: Date | null
  verified_fault: ColumnType<unknown, string | null, string | null>
  told_seq: number | null
}

export type AuditKeys = {
  workspace_id: string
  id: string
  sealed: string
}

export type BlockDefinitions = {
  workspace_id: string
  key: string
  name: string
  screen: string
  crumb: string
  fields: JsonColumn
  blank: JsonColumn
  in_campaigns: boolean
  interruptive: boolean | null
  design_type: string | null
  revision: Generated<number>
  archived_at: Date | null
  created_at: Date
  updated_at: Date
}

export type BlockInstances = {
  workspace_id: string
  id: string
  block_key: string
  external_id: string | null
  title: string
  values: JsonColumn
  seg: string | null
  priority: number
  schedule: ColumnType<unknown, string | null, string | null>
  variants: JsonColumn
  translations: JsonColumn
  frequency: ColumnType<unknown, string | null, string | null>
  version: number
  live_published_at: Date | null
  test_published_at: Date | null
  created_at: Date
  updated_at: Date
  live_revision: number | null
  test_revision: number | null
  deleted_at: Date | null
  deleted_by: string | null
}

export type CampaignApprovals = {
  workspace_id: string
  campaign_id: string
  held: JsonColumn
  hash: string
  approved_by: string
  approved_at: Date
}

export type CampaignCounts = {
  workspace_id: string
  campaign_id: string
  environment: 'live' | 'test'
  variant_id: string
  locale: string
  seen: Generated<number>
  clicked: Generated<number>
  converted: Generated<number>
}

export type CampaignDevices = {
  workspace_id: string
  device_id: string
  environment: 'live' | 'test'
  campaign_id: string
  day: string
  has_clicked: boolean
  has_converted: boolean
}

export type CampaignEdits = {
  workspace_id: string
  id: string
  campaign_id: string
  changes: JsonColumn
  base_version: number
  status: 'pending' | 'approved' | 'rejected' | 'withdrawn'
  requested_by: string
  requested_at: Date
  decided_by: string | null
  decided_at: Date | null
  note: string | null
}

export type CampaignEvents = {
  workspace_id: string
  campaign_id: string
  number: number
  action: string
  from_status: string | null
  to_status: string | null
  content_hash: string
  note: string | null
  made_by: string
  made_at: Date
  autosaved: Generated<boolean>
}

export type CampaignPeople = {
  workspace_id: string
  profile_id: string
  campaign_id: string
  environment: 'live' | 'test'
  is_control: boolean
  has_converted: Generated<boolean>
  noted_at: Date
  run: number | null
  y: number[] | null
  x: number | null
}

export type Campaigns = {
  workspace_id: string
  id: string
  name: string
  type: string
  priority: number
  segments: string[]
  schedule: JsonColumn
  content: JsonColumn
  dispatch_channels: string[]
  status: 'draft' | 'pending_review' | 'approved' | 'scheduled' | 'active' | 'test' | 'paused' | 'completed' | 'expired' | 'rejected'
  paused_from: 'scheduled' | 'active' | 'test' | null
  created_by: string
  submitted_by: string | null
  submitted_at: Date | null
  approved_by: string | null
  approved_at: Date | null
  rejection_note: string | null
  seal: ColumnType<unknown, string | null, string | null>
  tokens: Generated<string[]>
  version: Generated<number>
  starts_at: Date
  ends_at: Date | null
  created_at: Date
  updated_at: Date
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
  control_percent: Generated<number>
  live_since: Date | null
  mail: ColumnType<unknown, string | null, string | null>
  inbox_days: number | null
  inbox_content: ColumnType<unknown, string | null, string | null>
  mail_parts: ColumnType<unknown, string | null, string | null>
  topic: string | null
}

export type Channels = {
  workspace_id: string
  id: string
  type: 'email' | 'sms' | 'whatsapp' | 'push'
  provider: string
  name: string
  priority: Generated<number>
  is_active: Generated<boolean>
  configuration: JsonColumn
  secrets: string
  created_at: Date
  updated_at: Date
  failed_in_a_row: Generated<number>
  paused_at: Date | null
  failure: string | null
  failed_at: Date | null
  sent_at: Date | null
  gone_in_a_row: Generated<number>
  gone_since: Date | null
  bounced_in_a_row: Generated<number>
  bounced_since: Date | null
}

export type ColumnBatches = {
  workspace_id: string
  id: number
  received_at: Date
}

export type ColumnTypes = {
  workspace_id: string
  id: number
  name: string
}

export type ConsentLedger = {
  id: Generated<number>
  workspace_id: string
  environment: 'live' | 'test'
  subject: string
  channel: string
  old_value: boolean | null
  new_value: boolean | null
  source: string
  preset: string | null
  preset_version: string | null
  text_hash: string | null
  locale: string | null
  key_id: string
  recorded_at: Generated<Date>
}

export type ContentCounts = {
  workspace_id: string
  instance_id: string
  environment: 'live' | 'test'
  day: string
  variant_id: string
  locale: string
  impressions: number
  clicks: number
  dismissals: number
  conversions: number
}

export type ContentHeads = {
  workspace_id: string
  environment: 'live' | 'test'
  revision: Generated<number>
  signal_id: Generated<number>
  signal: string | null
  changed_at: Date
  signalled_at: Date | null
}

export type DeletedSegments = {
  workspace_id: string
  id: string
  deleted_at: Date
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
}

export type DeviceBindings = {
  workspace_id: string
  device_id: string
  environment: 'live' | 'test'
  epoch: number
  bound_at: Date
}

export type DeviceSignIns = {
  device_hash: string
  code_hash: string
  host: string
  address: string
  user_agent: string
  created_at: Date
  expires_at: Date
  answer: 'allowed' | 'refused' | null
  session_hash: string | null
}

export type Devices = {
  workspace_id: string
  device_id: string
  environment: 'live' | 'test'
  consent: 'granted' | 'denied' | 'unknown'
  segments: Generated<string[]>
  first_seen_at: Date
  last_seen_at: Date
  expires_at: Date
  profile_id: string | null
  traits: ColumnType<unknown, string | undefined, string>
  platform: string | null
  sdk_version: string | null
  locale: string | null
  channels: ColumnType<unknown, string | undefined, string>
  personal_opt_out: Generated<boolean>
  consent_topics: ColumnType<unknown, string | undefined, string>
  required_consents: ColumnType<unknown, string | undefined, string>
  push_topics: Generated<string[]>
  revision: Generated<number>
  evaluated_at: Date | null
  linked_at: Date | null
}

export type Dispatches = {
  workspace_id: string
  id: string
  source: 'campaign' | 'journey' | 'notification'
  source_id: string
  step: Generated<string>
  channel: 'email' | 'sms' | 'whatsapp' | 'push' | 'in_app'
  name: string
  message: JsonColumn
  state: 'waiting' | 'expanding' | 'sending' | 'done' | 'missed' | 'stopped'
  cursor: string | null
  taken: Generated<number>
  starts_at: Date
  created_at: Date
  updated_at: Date
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
  occasion: Generated<number>
}

export type EmailConfirmations = {
  workspace_id: string
  id: string
  email_hash: string
  profile_id: string
  asked_at: Date | null
  confirmed_at: Date | null
  created_at: Date
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
}

export type EndingCredentials = {
  workspace_id: string
  id: string
  token_id: string | null
  key_id: string | null
  ends_at: Date
  told: Generated<string[]>
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
}

export type EnrichmentPriorities = {
  workspace_id: string
  id: Generated<string>
  overrides: ColumnType<unknown, string | undefined, string>
  done_profile: Generated<string>
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
}

export type EnrichmentSources = {
  workspace_id: string
  id: string
  name: string
  folded_name: string
  mapping: JsonColumn
  created_at: Date
  updated_at: Date
}

export type EnrichmentValues = {
  workspace_id: string
  profile_id: string
  upload_id: string
  source: string
  values: JsonColumn
  loaded_at: Date
  expires_at: Date | null
}

export type ErasureRequests = {
  workspace_id: string
  id: string
  environment: 'live' | 'test'
  state: 'open' | 'confirmed' | 'rejected' | 'expired'
  profile_id: string | null
  requested_by: string
  requested_at: Date
  expires_at: Date
  mailed_at: Date | null
  decided_by: string | null
  decided_at: Date | null
  erasure_id: string | null
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
}

export type Erasures = {
  workspace_id: string
  id: string
  environment: 'live' | 'test'
  status: 'pending' | 'complete'
  parts: JsonColumn
  profile_id: string | null
  user_id: string | null
  device_ids: string[] | null
  requested_by: string
  requested_at: Date
  completed_at: Date | null
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
}

export type EventBatches = {
  workspace_id: string
  id: number
  received_at: Date
  is_counted: Generated<boolean>
}

export type EventCatalogs = {
  workspace_id: string
  revision: Generated<number>
  last_id: Generated<number>
  others: Generated<number>
}

export type EventColumns = {
  workspace_id: string
  environment: 'live' | 'test'
  type_id: number
  day: string
  part: number
  chunk: number
  people: number
  events: number
  body: Buffer
  meta: JsonColumn
  built_at: Date
}

export type EventCounts = {
  workspace_id: string
  environment: 'live' | 'test'
  subject: 'type' | 'block' | 'instance' | 'campaign' | 'screen' | 'string' | 'devices'
  name: string
  unit: 'hour' | 'day'
  starts_at: Date
  impressions: Generated<number>
  clicks: Generated<number>
  dismissals: Generated<number>
  conversions: Generated<number>
  total: Generated<number>
}

export type EventIds = {
  workspace_id: string
  id: string
  received_at: Date
}

export type EventProperties = {
  workspace_id: string
  type_id: number
  name: string
  kinds: Generated<string[]>
  declared: ColumnType<unknown, string | null, string | null>
  use: Generated<'none' | 'dimension' | 'measure'>
  violations: Generated<number>
  violation: ColumnType<unknown, string | null, string | null>
  violated_at: Date | null
  first_seen: Date | null
  filled_from: string | null
}

export type EventTrackers = {
  workspace_id: string
  id: string
  type: string
  definition: JsonColumn
  first_batch: number
  late_batches: Generated<string[]>
  filled_day: string | null
  filled_batch: Generated<number>
  ready_at: Date | null
  retired_at: Date | null
  is_ending: Generated<boolean>
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
}

export type EventTypes = {
  workspace_id: string
  id: number
  name: string
  description: Generated<string>
  owner: Generated<string>
  is_declared: Generated<boolean>
  first_seen: Date | null
  last_seen: Date | null
  hidden_at: Date | null
  others: Generated<number>
}

export type Events = {
  workspace_id: string
  environment: 'live' | 'test'
  batch: number
  received_at: Date
  device_id: string
  profile_id: string
  type: string
  block_key: string | null
  instance_id: string | null
  campaign_id: string | null
  screen: string | null
  string_key: string | null
  session_id: string | null
  platform: string | null
  occurred_at: Date | null
  value: number | null
  currency: string | null
  fence_id: string | null
  properties: ColumnType<unknown, string | null, string | null>
  place: number | null
}

export type ExperimentCounts = {
  workspace_id: string
  experiment_id: string
  run: number
  metric: number
  day: string
  variant_id: string
  locale: string
  units: Generated<number>
  did: Generated<number>
  sum: Generated<number>
  squares: Generated<number>
  before: Generated<number>
  before_squares: Generated<number>
  products: Generated<number>
}

export type ExperimentUnits = {
  workspace_id: string
  device_id: string
  experiment_id: string
  run: number
  variant_id: string
  locale: string
  exposed_at: Date
  day: string
  y: number[]
  x: number | null
}

export type Experiments = {
  workspace_id: string
  id: string
  subject: 'instance' | 'campaign' | 'control'
  subject_id: string
  name: string
  hypothesis: Generated<string>
  metric: JsonColumn
  guardrails: ColumnType<unknown, string | undefined, string>
  plan: ColumnType<unknown, string | null, string | null>
  state: Generated<'running' | 'decided'>
  run: Generated<number>
  arms: ColumnType<unknown, string | null, string | null>
  started_at: Date | null
  full_at: Date | null
  reading: ColumnType<unknown, string | null, string | null>
  decision: ColumnType<unknown, string | null, string | null>
  created_at: Date
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
  told: Generated<string[]>
  cuped: Generated<boolean>
}

export type FirstMessages = {
  workspace_id: string
  hour: Date
  sent: number
}

export type GeofenceEvents = {
  workspace_id: string
  profile_id: string
  id: string
  environment: 'live' | 'test'
  device_id: string
  fence_id: string
  type: 'enter' | 'exit' | 'dwell'
  source: 'device' | 'server'
  at: Date
  reported_at: Date | null
}

export type GeofencePresence = {
  workspace_id: string
  profile_id: string
  device_id: string
  fence_id: string
  entered_at: Date
}

export type Geofences = {
  workspace_id: string
  id: string
  name: string
  latitude: number
  longitude: number
  radius_meters: number
  created_at: Date
  updated_at: Date
}

export type HoldoutReadings = {
  workspace_id: string
  id: string
  progress: ColumnType<unknown, string | null, string | null>
  reading: ColumnType<unknown, string | null, string | null>
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
}

export type IdempotencyKeys = {
  workspace_id: string
  caller: string
  key_hash: string
  route: string
  request_hash: string
  rights: string[]
  token: string
  lease_until: Date
  results: Generated<string[]>
  status: number | null
  headers: ColumnType<unknown, string | null, string | null>
  body: string | null
  expires_at: Date
}

export type IdentityEvents = {
  workspace_id: string
  id: string
  environment: 'live' | 'test'
  profile_id: string
  type: 'sign_up' | 'sign_in'
  properties: ColumnType<unknown, string | undefined, string>
  at: Date
}

export type IdentityKeys = {
  workspace_id: string
  id: string
  environment: 'live' | 'test'
  kind: 'secret' | 'public' | 'jwks'
  name: string
  sealed: string | null
  public_key: ColumnType<unknown, string | null, string | null>
  jwks_url: string | null
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
}

export type IdentityProofHours = {
  workspace_id: string
  environment: 'live' | 'test'
  hour: Date
  part: string
  outcome: string
  platform: string
  sdk_version: string
  calls: number
}

export type IdentityProviders = {
  id: string
  workspace_id: string | null
  name: string
  issuer: string
  client_id: string
  secret_sealed: string | null
  scopes: string[]
  groups_claim: string
  mapping: JsonColumn
  default_role: 'admin' | 'editor' | 'viewer' | null
  domains: string[]
  is_on: boolean
  changed_by: string | null
  created_at: Date
  updated_at: Date
}

export type IdentitySecrets = {
  workspace_id: string
  id: string
  sealed: string
  created_at: Date
}

export type ImportRows = {
  workspace_id: string
  import_id: string
  row: number
  identity: string | null
  mask: string
  values: JsonColumn
  fault: string | null
  verdict: string | null
  profile_id: string | null
}

export type Imports = {
  workspace_id: string
  id: string
  environment: 'live' | 'test'
  file_name: string
  headers: JsonColumn
  mapping: JsonColumn
  expires_at: Date | null
  status: 'staging' | 'matching' | 'ready' | 'committing' | 'committed' | 'failed' | 'cancelled'
  create_missing: Generated<boolean>
  staged: JsonColumn
  found: ColumnType<unknown, string | null, string | null>
  done_row: Generated<number>
  failure: string | null
  account_id: string
  created_at: Date
  updated_at: Date
  lapses_at: Date
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
}

export type InAppMessages = {
  workspace_id: string
  id: string
  profile_id: string
  campaign_id: string | null
  created_at: Date
  ended_at: Date | null
  ended_by: string | null
  journey_id: string | null
  step_id: string | null
  content: ColumnType<unknown, string | null, string | null>
  expires_at: Date | null
  values: ColumnType<unknown, string | null, string | null>
  is_inbox: Generated<boolean>
  inbox_until: Date | null
  arrived: number | null
  read_at: Date | null
  archived_at: Date | null
}

export type InboundMessages = {
  workspace_id: string
  id: string
  channel_id: string
  channel: 'sms' | 'whatsapp'
  profile_id: string
  keyword: 'stop' | 'start' | 'help' | null
  body: string
  at: Date
}

export type InstallationSecrets = {
  name: string
  secret: string
}

export type InstanceEvents = {
  workspace_id: string
  instance_id: string
  number: number
  action: 'publish' | 'unpublish' | 'schedule' | 'reschedule' | 'cancel' | 'overtaken' | 'delete' | 'restore'
  environment: 'live' | 'test' | null
  revision: number | null
  due_at: Date | null
  made_by: string
  made_at: Date
}

export type InstanceRevisions = {
  workspace_id: string
  instance_id: string
  number: number
  content: JsonColumn
  source: string
  restored_from: number | null
  made_by: string
  created_at: Date
}

export type JourneyChecks = {
  workspace_id: string
  id: 'check' | 'events'
  check_at: Date | null
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
}

export type JourneyInbox = {
  workspace_id: string
  journey_id: string
  profile_id: string
  batch: number
  place: number
  heard: JsonColumn
}

export type JourneyRefusals = {
  workspace_id: string
  journey_id: string
  day: string
  reason: string
  count: number
}

export type JourneyRuns = {
  workspace_id: string
  journey_id: string
  profile_id: string
  status: 'active' | 'completed' | 'exited'
  step: string | null
  is_waiting: Generated<boolean>
  reason: string | null
  trigger: JsonColumn
  entered_at: Date
  updated_at: Date
  due_at: Date | null
  converted_at: Date | null
  occasion: Generated<number>
  run_key: Generated<string>
  position: ColumnType<unknown, string | null, string | null>
  event: ColumnType<unknown, string | null, string | null>
  last_event: ColumnType<unknown, string | null, string | null>
}

export type JourneyStepCounts = {
  workspace_id: string
  journey_id: string
  step_id: string
  entered: number
  skipped: Generated<number>
}

export type JourneyVersions = {
  workspace_id: string
  journey_id: string
  version: number
  definition: JsonColumn
  changes: ColumnType<unknown, string | null, string | null>
  changed_by: string
  changed_at: Date
  autosaved: Generated<boolean>
}

export type Journeys = {
  workspace_id: string
  id: string
  name: string
  trigger: JsonColumn
  segment_id: string | null
  steps: JsonColumn
  status: 'draft' | 'active' | 'paused'
  created_by: string
  version: Generated<number>
  active_since: Date | null
  read_until: Date | null
  read_batch: number | null
  created_at: Date
  updated_at: Date
  goal: ColumnType<unknown, string | null, string | null>
  goal_until: Date | null
  goal_batch: number | null
  incomplete: Generated<boolean>
  entry: ColumnType<unknown, string | null, string | null>
  exit_on: ColumnType<unknown, string | null, string | null>
  listens: Generated<string[]>
}

export type KeyUses = {
  workspace_id: string
  key_id: string
  used_at: Date
  used_from: string | null
}

export type Keys = {
  workspace_id: string
  id: string
  kind: 'publishable' | 'secret' | 'write' | 'read'
  environment: 'live' | 'test'
  name: string
  hash: string
  masked: string
  created_at: Date
  rotated_at: Date | null
  revoked_at: Date | null
  may_publish: Generated<boolean>
  created_by: string | null
  expires_at: Date | null
  allowed_origins: string[] | null
  allowed_cidrs: string[] | null
  hash_before: string | null
  before_until: Date | null
}

export type KycRecords = {
  workspace_id: string
  profile_id: string
  data: JsonColumn
  created_at: Date
}

export type LaunchCodes = {
  workspace_id: string
  subject: string
  account_id: string
  hash: string
  wrong_tries: Generated<number>
  expires_at: Date
}

export type LinkAddresses = {
  workspace_id: string
  address: string
  reached_by: string
  reached_at: Date
}

export type Locales = {
  workspace_id: string
  code: string
  name: string | null
  native: string | null
  rtl: boolean
  created_at: Date
}

export type LocationPoints = {
  workspace_id: string
  profile_id: string
  id: string
  device_id: string
  latitude: number
  longitude: number
  accuracy: number | null
  altitude: number | null
  speed: number | null
  at: Date
}

export type MailRevisions = {
  workspace_id: string
  mail_id: string
  version: number
  document: JsonColumn
  made_by: string
  made_at: Date
}

export type Mails = {
  workspace_id: string
  id: string
  kind: 'template' | 'part'
  name: string
  category: string | null
  document: JsonColumn
  version: Generated<number>
  created_by: string
  created_at: Date
  updated_by: string
  updated_at: Date
  archived_at: Date | null
}

export type Members = {
  workspace_id: string
  account_id: string
  role: 'admin' | 'editor' | 'viewer'
  can_approve: Generated<boolean>
  created_at: Date
  invitation_hash: string | null
  invitation_expires_at: Date | null
  invited_by: string | null
  invited_at: Date | null
  proved_at: Date | null
  role_id: string | null
  source: 'oidc' | 'scim' | null
  provider_id: string | null
}

export type MessageTopics = {
  workspace_id: string
  id: string
  names: JsonColumn
  descriptions: ColumnType<unknown, string | undefined, string>
  channels: string[]
  mode: 'opt_out' | 'opt_in'
  position: number
  created_at: Date
  updated_at: Date
  archived_at: Date | null
}

export type Passkeys = {
  id: string
  account_id: string
  credential_id: string
  public_key: string
  sign_count: number
  transports: string[]
  is_backed_up: boolean
  name: string
  created_at: Date
  last_used_at: Date | null
}

export type PeopleNumbers = {
  workspace_id: string
  environment: 'live' | 'test'
  no: number
  profile_id: string
  is_merged: Generated<boolean>
}

export type PersonActions = {
  workspace_id: string
  profile_id: string
  kind: 'consent' | 'push_device'
  device_id: string
  at: Date
}

export type PersonBehaviour = {
  workspace_id: string
  id: string
  state: JsonColumn
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
}

export type PersonDays = {
  workspace_id: string
  profile_id: string
  day: string
  impressions: Generated<number>
  clicks: Generated<number>
  dismissals: Generated<number>
  conversions: Generated<number>
  total: Generated<number>
  value: Generated<number>
}

export type PersonExports = {
  workspace_id: string
  id: string
  environment: 'live' | 'test'
  subject: string
  made_by: string
  made_at: Date
  finished_at: Date | null
  parts: ColumnType<unknown, string | undefined, string>
  sha256: string | null
}

export type Profiles = {
  workspace_id: string
  id: string
  environment: 'live' | 'test'
  user_id: string | null
  device_id: string | null
  name: string | null
  email: string | null
  phone: string | null
  country: string | null
  language: string | null
  traits: ColumnType<unknown, string | undefined, string>
  platform: string | null
  sdk_version: string | null
  locale: string | null
  analytics: boolean | null
  industry: ColumnType<unknown, string | undefined, string>
  enrichment: ColumnType<unknown, string | undefined, string>
  channels: ColumnType<unknown, string | undefined, string>
  personal_opt_out: Generated<boolean>
  consent_topics: ColumnType<unknown, string | undefined, string>
  required_consents: ColumnType<unknown, string | undefined, string>
  saved_channels: ColumnType<unknown, string | null, string | null>
  push_preferences: ColumnType<unknown, string | undefined, string>
  location: ColumnType<unknown, string | undefined, string>
  current_location: ColumnType<unknown, string | null, string | null>
  behavioral: ColumnType<unknown, string | undefined, string>
  recent_events: Generated<number>
  last_active_at: Date | null
  last_seen_at: Date | null
  created_at: Date
  updated_at: Date
  behaviour_due_at: Date | null
  email_hash: string | null
  phone_hash: string | null
  enrichment_due_at: Date | null
  closed_contacts: ColumnType<unknown, string | undefined, string>
  activity_mark: Date | null
  app_email: ColumnType<unknown, string | null, string | null>
  contact_closed_at: Date | null
  inbox_revision: Generated<number>
  max_messages_a_week: number | null
  whatsapp_until: Date | null
}

export type ProviderCalls = {
  workspace_id: string
  channel_id: string
  signed: string
  body: string
  expires_at: Date
}

export type ProviderNonces = {
  hash: string
  expires_at: Date
}

export type Publications = {
  workspace_id: string
  id: string
  instance_id: string
  revision: number
  environments: string[]
  publish_at: Date
  made_by: string
  made_at: Date
  fault: string | null
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
}

export type PushRegistrations = {
  workspace_id: string
  device_id: string
  environment: 'live' | 'test'
  token: string
  token_hash: string
  platform: 'ios' | 'android' | 'web'
  provider: 'apns' | 'fcm' | 'hms' | 'web_push'
  hms_app_id: string | null
  profile_id: string | null
  registered_at: Date
}

export type RecoveryCodes = {
  account_id: string
  code_hash: string
}

export type Reports = {
  workspace_id: string
  id: string
  name: string
  kind: 'explore' | 'funnel' | 'retention'
  definition: JsonColumn
  pinned_at: Date | null
  created_by: string
  created_at: Date
  updated_at: Date
  version: Generated<number>
}

export type ResponseCounts = {
  workspace_id: string
  dispatch_id: string
  variant_id: string
  node: string
  people: Generated<number>
  times: Generated<number>
  unknown: Generated<number>
  machines: Generated<number>
  machine_times: Generated<number>
}

export type Reviews = {
  workspace_id: string
  id: string
  kind: 'instance' | 'journey' | 'notification'
  subject: string
  revision: number | null
  environments: string[] | null
  publish_at: Date | null
  status: 'pending' | 'approved' | 'rejected' | 'withdrawn'
  requested_by: string
  requested_at: Date
  decided_by: string | null
  decided_at: Date | null
  note: string | null
  action: Generated<'publish' | 'reschedule' | 'unpublish' | 'delete' | 'activate' | 'send'>
  schedule_id: string | null
  request: ColumnType<unknown, string | null, string | null>
}

export type Roles = {
  workspace_id: string
  id: string
  name: string
  permissions: string[]
  limits: ColumnType<unknown, string | undefined, string>
  version: Generated<number>
  created_at: Date
  updated_at: Date
}

export type RollUps = {
  workspace_id: string
  id: 'people' | 'retention' | 'event_ids' | 'columns' | 'refill'
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
  done_until: Date | null
}

export type ScimGroups = {
  workspace_id: string
  id: string
  external_id: string | null
  display_name: string
  name_folded: string
  version: number
  created_at: Date
  updated_at: Date
}

export type ScimMembers = {
  workspace_id: string
  group_id: string
  user_id: string
}

export type ScimUsers = {
  workspace_id: string
  id: string
  external_id: string | null
  user_name_folded: string
  email_folded: string | null
  active: boolean
  resource: JsonColumn
  account_id: string | null
  provider_id: string | null
  version: number
  created_at: Date
  updated_at: Date
}

export type SegmentMembers = {
  workspace_id: string
  segment_id: string
  profile_id: string
  is_manual: Generated<boolean>
  is_member: boolean
  since: Date
}

export type Segments = {
  workspace_id: string
  id: string
  name: string
  logical_operator: 'AND' | 'OR'
  rules: JsonColumn
  excluded: Generated<string[]>
  update_frequency: 'realtime' | 'hourly' | 'daily' | 'weekly'
  exact_as_of: Date | null
  due_at: Date | null
  created_at: Date
  updated_at: Date
  settle_from: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
  recompute_at: Date | null
  version: Generated<number>
  former_names: Generated<string[]>
}

export type SendBatches = {
  workspace_id: string
  dispatch_id: string
  lease: string
  number: number
  channel_id: string | null
  profile_ids: string[]
  made_at: Date
}

export type SendResponses = {
  workspace_id: string
  id: string
  dispatch_id: string
  profile_id: string
  variant_id: string
  sent_at: Date
  hits: JsonColumn
  counted: ColumnType<unknown, string | null, string | null>
  open_since: Date | null
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
}

export type SendValues = {
  workspace_id: string
  dispatch_id: string
  profile_id: string
  values: JsonColumn
}

export type Sends = {
  workspace_id: string
  dispatch_id: string
  profile_id: string
  state: 'due' | 'sending' | 'sent' | 'failed' | 'skipped'
  reason: string | null
  tries: Generated<number>
  settled_installs: string[] | null
  lease: string | null
  channel_id: string | null
  provider: string | null
  provider_id: string | null
  told: string | null
  due_at: Date | null
  created_at: Date
  updated_at: Date
  tracked_variant: string | null
}

export type SensorRequests = {
  workspace_id: string
  id: string
  key: string
  requested_by: string
  created_at: Date
}

export type ServiceAccounts = {
  workspace_id: string
  id: string
  name: string
  owner_id: string
  owner_left_at: Date | null
  role: 'admin' | 'editor' | 'viewer'
  role_id: string | null
  limits: ColumnType<unknown, string | undefined, string>
  created_at: Date
  updated_at: Date
}

export type Sessions = {
  token_hash: string
  account_id: string
  created_at: Date
  expires_at: Date
  id: string
  user_agent: Generated<string>
  address: Generated<string>
  last_seen_at: Date
  amr: Generated<string[]>
  provider_id: string | null
  sid: string | null
  subject: string | null
  workspace_id: string | null
  id_token_sealed: string | null
}

export type ShortLinks = {
  workspace_id: string
  id: string
  code: string
  dispatch_id: string
  profile_id: string | null
  node: string
  variant_id: string | null
  url: string
  made_at: Date
  expires_at: Date
}

export type SignInDomains = {
  workspace_id: string
  domain: string
  code: string
  proved_at: Date | null
  checked_at: Date
}

export type SignInSettings = {
  workspace_id: string
  sso_required: Generated<boolean>
  break_glass: Generated<string[]>
  second_factor: Generated<'off' | 'admins' | 'all'>
  session_idle_minutes: number | null
}

export type StringCatalogs = {
  workspace_id: string
  revision: Generated<number>
  changed_at: Date
}

export type StringImports = {
  workspace_id: string
  id: string
  status: 'pending' | 'applied' | 'cancelled' | 'lapsed'
  file_name: string | null
  csv: string | null
  summary: JsonColumn
  created_by: string
  created_at: Date
  expires_at: Date
  finished_at: Date | null
}

export type Strings = {
  workspace_id: string
  key: string
  namespace: string
  description: Generated<string>
  source_text: string
  is_hidden: Generated<boolean>
  is_sensor: Generated<boolean>
  revision: number
  created_at: Date
  updated_at: Date
}

export type SubjectRequests = {
  workspace_id: string
  id: string
  environment: 'live' | 'test'
  kind: 'access' | 'erasure' | 'correction' | 'restriction' | 'objection' | 'portability' | 'grievance'
  law: 'pdpl_ksa' | 'gdpr' | 'dpdp'
  subject: string | null
  user_id: string | null
  source: 'page' | 'member'
  received_on: string
  due_on: string
  extended_to: string | null
  reason: string | null
  state: 'open' | 'verifying' | 'done' | 'refused'
  handled_by: string
  export_id: string | null
  erasure_id: string | null
  note: string | null
  created_at: Date
  updated_at: Date
  closed_at: Date | null
}

export type TextChanges = {
  workspace_id: string
  key: string
  locale: string
  number: number
  before: string | null
  after: string | null
  made_by: string
  made_at: Date
}

export type Tombstones = {
  workspace_id: string
  environment: 'live' | 'test'
  subject: string
  erasure_id: string
  erased_at: Date
}

export type TrackerUses = {
  workspace_id: string
  tracker_id: string
  kind: 'segment' | 'journey' | 'experiment'
  used_by: string
}

export type Translations = {
  workspace_id: string
  key: string
  locale: string
  text: string
  status: 'ok' | 'review'
  is_draft: Generated<boolean>
  updated_at: Date
}

export type UploadRecords = {
  workspace_id: string
  upload_id: string
  number: number
  user_id: string
  attributes: JsonColumn
}

export type Uploads = {
  workspace_id: string
  id: string
  kind: 'staged' | 'simple' | 'journey'
  environment: 'live' | 'test'
  source: string
  label: string
  status: 'completed' | 'failed' | 'rolled_back'
  total_records: number
  written: Generated<number>
  not_found: Generated<number>
  error_count: Generated<number>
  errors: ColumnType<unknown, string | undefined, string>
  value_count: Generated<number>
  names: Generated<string[]>
  attribute_types: ColumnType<unknown, string | null, string | null>
  expires_at: Date | null
  account_id: string
  created_at: Date
  finished_at: Date | null
  rolled_back_at: Date | null
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
  journey_id: string | null
  journey_days: number | null
}

export type UsedChallenges = {
  hash: string
  expires_at: Date
}

export type WebhookDeliveries = {
  workspace_id: string
  endpoint_id: string
  id: string
  event: string
  body: string
  status: 'pending' | 'delivered' | 'failed'
  tries: Generated<number>
  log: ColumnType<unknown, string | undefined, string>
  created_at: Date
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
  profile_id: string | null
}

export type WebhookEndpoints = {
  workspace_id: string
  id: string
  url: string
  events: string[]
  description: string
  secret: string
  is_active: Generated<boolean>
  failing_since: Date | null
  given_up_at: Date | null
  created_at: Date
  updated_at: Date
  off_since: Date | null
}

export type WorkspaceEndings = {
  workspace_id: string
  id: string
  name: string
  sandbox_id: string | null
  asked_by: string
  asked_at: Date
  ends_at: Date
  began_at: Date | null
  finished_at: Date | null
  deleted_rows: Generated<number>
  deleted_files: Generated<number>
  due_at: Date | null
  lease: string | null
  lease_until: Date | null
  attempts: Generated<number>
}

export type WorkspaceSizes = {
  workspace_id: string
  bytes: number
}

export type Workspaces = {
  id: string
  name: string
  source_locale: string | null
  suspended: Generated<boolean>
  derived_keys_enabled: Generated<boolean>
  test_retired: Generated<boolean>
  is_sandbox: Generated<boolean>
  sandbox_id: string | null
  features: ColumnType<unknown, string | undefined, string>
  customer_limit: number | null
  requests_per_minute: Generated<number | null>
  plan_features: ColumnType<unknown, string | undefined, string>
  settings_changed_at: Date
  created_at: Date
  updated_at: Date
  subject_salt: Generated<string>
  event_retention_days: Generated<number>
  sensor_approval: Generated<boolean>
  is_demo: Generated<boolean>
  needs_publish_approval: Generated<boolean>
  calendar: ColumnType<unknown, string | null, string | null>
  launch_protection: Generated<'off' | 'admin' | 'otp'>
  seals_audience: Generated<boolean>
  content_megabytes: number | null
  protections: ColumnType<unknown, string | undefined, string>
  identity_verification: ColumnType<unknown, string | undefined, string>
  opened_by: string | null
  first_messages_per_hour: number | null
  media_megabytes: number | null
  link_schemes: ColumnType<unknown, string | null, string | null>
  web_address: string | null
  holdout: ColumnType<unknown, string | null, string | null>
  message_tracking: ColumnType<unknown, string | null, string | null>
  brand: ColumnType<unknown, string | null, string | null>
  preference_page: ColumnType<unknown, string | null, string | null>
  link_slug: string | null
  whatsapp_heard_at: Date | null
  ends_at: Date | null
  declared: ColumnType<unknown, string | undefined, string>
}

export type Database = {
  absorbed_profiles: AbsorbedProfiles
  account_identities: AccountIdentities
  account_links: AccountLinks
  accounts: Accounts
  active_devices: ActiveDevices
  api_tokens: ApiTokens
  asset_addresses: AssetAddresses
  assets: Assets
  audit_checkpoints: AuditCheckpoints
  audit_entries: AuditEntries
  audit_heads: AuditHeads
  audit_keys: AuditKeys
  block_definitions: BlockDefinitions
  block_instances: BlockInstances
  campaign_approvals: CampaignApprovals
  campaign_counts: CampaignCounts
  campaign_devices: CampaignDevices
  campaign_edits: CampaignEdits
  campaign_events: CampaignEvents
  campaign_people: CampaignPeople
  campaigns: Campaigns
  channels: Channels
  column_batches: ColumnBatches
  column_types: ColumnTypes
  consent_ledger: ConsentLedger
  content_counts: ContentCounts
  content_heads: ContentHeads
  deleted_segments: DeletedSegments
  device_bindings: DeviceBindings
  device_sign_ins: DeviceSignIns
  devices: Devices
  dispatches: Dispatches
  email_confirmations: EmailConfirmations
  ending_credentials: EndingCredentials
  enrichment_priorities: EnrichmentPriorities
  enrichment_sources: EnrichmentSources
  enrichment_values: EnrichmentValues
  erasure_requests: ErasureRequests
  erasures: Erasures
  event_batches: EventBatches
  event_catalogs: EventCatalogs
  event_columns: EventColumns
  event_counts: EventCounts
  event_ids: EventIds
  event_properties: EventProperties
  event_trackers: EventTrackers
  event_types: EventTypes
  events: Events
  experiment_counts: ExperimentCounts
  experiment_units: ExperimentUnits
  experiments: Experiments
  first_messages: FirstMessages
  geofence_events: GeofenceEvents
  geofence_presence: GeofencePresence
  geofences: Geofences
  holdout_readings: HoldoutReadings
  idempotency_keys: IdempotencyKeys
  identity_events: IdentityEvents
  identity_keys: IdentityKeys
  identity_proof_hours: IdentityProofHours
  identity_providers: IdentityProviders
  identity_secrets: IdentitySecrets
  import_rows: ImportRows
  imports: Imports
  in_app_messages: InAppMessages
  inbound_messages: InboundMessages
  installation_secrets: InstallationSecrets
  instance_events: InstanceEvents
  instance_revisions: InstanceRevisions
  journey_checks: JourneyChecks
  journey_inbox: JourneyInbox
  journey_refusals: JourneyRefusals
  journey_runs: JourneyRuns
  journey_step_counts: JourneyStepCounts
  journey_versions: JourneyVersions
  journeys: Journeys
  key_uses: KeyUses
  keys: Keys
  kyc_records: KycRecords
  launch_codes: LaunchCodes
  link_addresses: LinkAddresses
  locales: Locales
  location_points: LocationPoints
  mail_revisions: MailRevisions
  mails: Mails
  members: Members
  message_topics: MessageTopics
  passkeys: Passkeys
  people_numbers: PeopleNumbers
  person_actions: PersonActions
  person_behaviour: PersonBehaviour
  person_days: PersonDays
  person_exports: PersonExports
  profiles: Profiles
  provider_calls: ProviderCalls
  provider_nonces: ProviderNonces
  publications: Publications
  push_registrations: PushRegistrations
  recovery_codes: RecoveryCodes
  reports: Reports
  response_counts: ResponseCounts
  reviews: Reviews
  roles: Roles
  roll_ups: RollUps
  scim_groups: ScimGroups
  scim_members: ScimMembers
  scim_users: ScimUsers
  segment_members: SegmentMembers
  segments: Segments
  send_batches: SendBatches
  send_responses: SendResponses
  send_values: SendValues
  sends: Sends
  sensor_requests: SensorRequests
  service_accounts: ServiceAccounts
  sessions: Sessions
  short_links: ShortLinks
  sign_in_domains: SignInDomains
  sign_in_settings: SignInSettings
  string_catalogs: StringCatalogs
  string_imports: StringImports
  strings: Strings
  subject_requests: SubjectRequests
  text_changes: TextChanges
  tombstones: Tombstones
  tracker_uses: TrackerUses
  translations: Translations
  upload_records: UploadRecords
  uploads: Uploads
  used_challenges: UsedChallenges
  webhook_deliveries: WebhookDeliveries
  webhook_endpoints: WebhookEndpoints
  workspace_endings: WorkspaceEndings
  workspace_sizes: WorkspaceSizes
  workspaces: Workspaces
}
