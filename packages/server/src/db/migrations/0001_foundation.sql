-- Workspaces, people who sign in, keys, block types, instances and the device view.
-- workspace_id leads every key of a tenant table, and foreign keys between them carry it, so no row can
-- refer to another workspace and a later shard by workspace needs no new schema.

create table workspaces (
  id text primary key check (id ~ '^[a-z0-9]{8,32}$'),
  name text not null,
  source_locale text,
  suspended boolean not null default false,
  derived_keys_enabled boolean not null default true,
  test_retired boolean not null default false,
  is_sandbox boolean not null default false,
  -- The linked sandbox that serves this workspace's test keys.
  sandbox_id text unique references workspaces (id),
  features jsonb not null default '{}',
  customer_limit integer,
  -- null lifts the workspace rate.
  requests_per_minute integer default 1000,
  plan_features jsonb not null default '{}',
  -- Moves when something that decides on keys or requests changes; other processes reload on it.
  settings_changed_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index workspaces_settings_changed on workspaces (settings_changed_at);

create table accounts (
  id text primary key,
  email text not null,
  name text not null,
  password_hash text not null,
  created_at timestamptz not null
);
create unique index accounts_email on accounts (lower(email));

create table sessions (
  token_hash text primary key,
  account_id text not null references accounts (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_account on sessions (account_id);
create index sessions_expiry on sessions (expires_at);

create table members (
  workspace_id text not null references workspaces (id) on delete cascade,
  account_id text not null references accounts (id) on delete cascade,
  role text not null check (role in ('admin', 'editor', 'viewer')),
  can_approve boolean not null default false,
  created_at timestamptz not null,
  primary key (workspace_id, account_id)
);
create index members_account on members (account_id);

-- Application, write and read keys. Only a hash is kept: the text is shown once.
create table keys (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  kind text not null check (kind in ('publishable', 'secret', 'write', 'read')),
  environment text not null check (environment in ('live', 'test')),
  name text not null,
  hash text not null,
  masked text not null,
  created_at timestamptz not null,
  rotated_at timestamptz,
  revoked_at timestamptz,
  primary key (workspace_id, id)
);
create unique index keys_hash on keys (hash);

create table block_definitions (
  workspace_id text not null references workspaces (id) on delete cascade,
  key text not null,
  name text not null,
  screen text not null,
  crumb text not null,
  fields jsonb not null,
  blank jsonb not null,
  in_campaigns boolean not null,
  interruptive boolean,
  design_type text,
  revision integer not null default 1,
  archived_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, key)
);

create table block_instances (
  workspace_id text not null,
  id text not null,
  block_key text not null,
  external_id text,
  title text not null,
  -- Values of all kinds are keyed by field id, so a renamed tag keeps its value.
  "values" jsonb not null,
  seg text,
  priority integer not null,
  schedule jsonb,
  variants jsonb not null,
  translations jsonb not null,
  frequency jsonb,
  version integer not null,
  live_published_at timestamptz,
  test_published_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, block_key) references block_definitions (workspace_id, key) on delete cascade
);
create index block_instances_by_block on block_instances (workspace_id, block_key, created_at, id);
create unique index block_instances_external_id on block_instances (workspace_id, block_key, external_id);
create index block_instances_published on block_instances (workspace_id)
  where live_published_at is not null or test_published_at is not null;

-- One row a save, never changed afterwards; `number` is the version the save made.
create table instance_revisions (
  workspace_id text not null,
  instance_id text not null,
  number integer not null,
  content jsonb not null,
  -- What made it: create, edit, manifest, rollback.
  source text not null,
  restored_from integer,
  -- The account, or the id of the write key.
  made_by text not null,
  created_at timestamptz not null,
  primary key (workspace_id, instance_id, number),
  foreign key (workspace_id, instance_id) references block_instances (workspace_id, id) on delete cascade
);

-- What clients of one environment see, as a growing number. `signal` is the newest stream event and
-- `signal_id` the revision it was given; a change no client needs to hear of moves `revision` alone.
create table content_heads (
  workspace_id text not null references workspaces (id) on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  revision bigint not null default 1,
  signal_id bigint not null default 0,
  signal text,
  changed_at timestamptz not null,
  primary key (workspace_id, environment)
);
create index content_heads_changed on content_heads (changed_at);

-- The server-side record of an installation: what delivery needs to know of it.
create table devices (
  workspace_id text not null references workspaces (id) on delete cascade,
  device_id text not null,
  environment text not null check (environment in ('live', 'test')),
  consent text not null check (consent in ('granted', 'denied', 'unknown')),
  segments text[] not null default '{}',
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (workspace_id, device_id)
);
