-- What other systems say of people: imports and uploads, the values they brought, and which system wins.

-- SHA-256 of the folded email and of the phone, in hex: imports name people by them, and keep nothing else.
alter table profiles
  add column email_hash text,
  add column phone_hash text,
  -- When a value of theirs ends; null: none does.
  add column enrichment_due_at timestamptz;
update profiles set
  email_hash = encode(sha256(convert_to(normalize(lower(normalize(btrim(email), nfc)), nfc), 'UTF8')), 'hex'),
  phone_hash = encode(sha256(convert_to(phone, 'UTF8')), 'hex')
where email is not null or phone is not null;
create index profiles_by_email on profiles (workspace_id, environment, email_hash) where email_hash is not null;
create index profiles_by_phone on profiles (workspace_id, environment, phone_hash) where phone_hash is not null;
create index profiles_enrichment_due on profiles (enrichment_due_at) where enrichment_due_at is not null;

-- Saved mappings.
create table enrichment_sources (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  name text not null,
  -- Lower case: two names that differ in case alone are one.
  folded_name text not null,
  mapping jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index enrichment_sources_by_name on enrichment_sources (workspace_id, folded_name);

-- Staged imports. Whose status is matching, committing or cancelled and has rows is due (infra/due/due.ts).
create table imports (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  environment text not null check (environment in ('live', 'test')),
  file_name text not null,
  headers jsonb not null,
  mapping jsonb not null,
  -- Said in the start body; the mapping may say it too.
  expires_at timestamptz,
  status text not null check (status in ('staging', 'matching', 'ready', 'committing', 'committed', 'failed', 'cancelled')),
  create_missing boolean not null default false,
  -- Of all rows taken so far: {rows, rejected, reasons, columns}.
  staged jsonb not null,
  -- What matching found: how many rows of each verdict; null until it ran.
  found jsonb,
  -- The row up to which matching or writing went.
  done_row integer not null default 0,
  -- Why it failed, in words.
  failure text,
  account_id text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- From then on its rows are gone.
  lapses_at timestamptz not null,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id)
);
create index imports_due on imports (due_at) where due_at is not null;

create table import_rows (
  workspace_id text not null,
  import_id text not null,
  row integer not null,
  -- The user id, or the hash of email or phone in hex; null where there is none.
  identity text,
  mask text not null,
  values jsonb not null,
  -- Why the row was rejected when it arrived.
  fault text,
  -- matched, unmatched, duplicate_identity or ambiguous_identity, once matched.
  verdict text,
  profile_id text,
  primary key (workspace_id, import_id, row),
  foreign key (workspace_id, import_id) references imports (workspace_id, id) on delete cascade
);
-- The later row of two about one person; and what an erasure takes.
create index import_rows_by_identity on import_rows (workspace_id, identity, import_id, row) where identity is not null;

-- The history of both kinds of loads.
create table uploads (
  workspace_id text not null references workspaces (id) on delete cascade,
  -- Of a staged import its id.
  id text not null,
  kind text not null check (kind in ('staged', 'simple')),
  environment text not null check (environment in ('live', 'test')),
  source text not null,
  label text not null,
  status text not null check (status in ('completed', 'failed', 'rolled_back')),
  total_records integer not null,
  written integer not null default 0,
  not_found integer not null default 0,
  error_count integer not null default 0,
  -- The first 50.
  errors jsonb not null default '[]',
  -- Values written, by attribute; what rolling back removes.
  value_count integer not null default 0,
  -- Names of the attributes.
  names text[] not null default '{}',
  -- Of a simple upload, for a rerun: the types that were said.
  attribute_types jsonb,
  expires_at timestamptz,
  account_id text not null,
  created_at timestamptz not null,
  finished_at timestamptz,
  rolled_back_at timestamptz,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id)
);
create index uploads_due on uploads (due_at) where due_at is not null;
create index uploads_by_time on uploads (workspace_id, created_at desc, id desc);

-- What a simple upload held, so that it can be run again.
create table upload_records (
  workspace_id text not null,
  upload_id text not null,
  number integer not null,
  user_id text not null,
  attributes jsonb not null,
  primary key (workspace_id, upload_id, number),
  foreign key (workspace_id, upload_id) references uploads (workspace_id, id) on delete cascade
);
create index upload_records_by_user on upload_records (workspace_id, user_id);

-- What one load says of one person. `upload_id` is `analytics` for what the roll-up writes.
create table enrichment_values (
  workspace_id text not null,
  profile_id text not null,
  upload_id text not null,
  source text not null,
  values jsonb not null,
  loaded_at timestamptz not null,
  expires_at timestamptz,
  primary key (workspace_id, profile_id, upload_id),
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);
create index enrichment_values_by_upload on enrichment_values (workspace_id, upload_id, profile_id);

-- Which system wins, where a workspace said so, and the working out that follows from a change.
create table enrichment_priorities (
  workspace_id text primary key references workspaces (id) on delete cascade,
  id text not null default 'priorities',
  overrides jsonb not null default '{}',
  -- Whose values were worked out since the change.
  done_profile text not null default '',
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0
);
create index enrichment_priorities_due on enrichment_priorities (due_at) where due_at is not null;

-- What the roll-up has written so far becomes a load of its own.
insert into enrichment_values (workspace_id, profile_id, upload_id, source, values, loaded_at)
select workspace_id, id, 'analytics', 'analytics', enrichment, updated_at from profiles where enrichment <> '{}';
