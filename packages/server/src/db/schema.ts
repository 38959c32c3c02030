// Made by `npm run schema` from src/db/migrations. Do not edit.
import type { ColumnType, Generated } from 'kysely'

/** Read as parsed JSON, written as JSON text. */
export type JsonColumn = ColumnType<unknown, string, string>

export type Accounts = {
  id: string
  email: string
  name: string
  password_hash: string
  created_at: Date
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
}

export type ContentHeads = {
  workspace_id: string
  environment: string
  revision: Generated<number>
  signal_id: Generated<number>
  signal: string | null
  changed_at: Date
}

export type Devices = {
  workspace_id: string
  device_id: string
  environment: string
  consent: string
  segments: Generated<string[]>
  first_seen_at: Date
  last_seen_at: Date
  expires_at: Date
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

export type Keys = {
  workspace_id: string
  id: string
  kind: string
  environment: string
  name: string
  hash: string
  masked: string
  created_at: Date
  rotated_at: Date | null
  revoked_at: Date | null
}

export type Members = {
  workspace_id: string
  account_id: string
  role: string
  can_approve: Generated<boolean>
  created_at: Date
}

export type Sessions = {
  token_hash: string
  account_id: string
  created_at: Date
  expires_at: Date
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
}

export type Database = {
  accounts: Accounts
  block_definitions: BlockDefinitions
  block_instances: BlockInstances
  content_heads: ContentHeads
  devices: Devices
  instance_revisions: InstanceRevisions
  keys: Keys
  members: Members
  sessions: Sessions
  workspaces: Workspaces
}
