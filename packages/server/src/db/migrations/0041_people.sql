-- Since when a device is that of its person; null: since before this was written down, or it has none.
alter table devices add column linked_at timestamptz;

-- {contact, at, reached}: an address that only an app named, since when, and whether a message went there. It says something of
-- `email` while it is the same address.
alter table profiles add column app_email jsonb;

-- Erasures that an app asked for and somebody else confirms. Of whom is forgotten when it is decided.
create table erasure_requests (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  environment text not null check (environment in ('live', 'test')),
  state text not null check (state in ('open', 'confirmed', 'rejected', 'expired')),
  profile_id text,
  -- The application key.
  requested_by text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the person was written to; null: they were not.
  mailed_at timestamptz,
  -- The account of a member, or `person`.
  decided_by text,
  decided_at timestamptz,
  erasure_id text,
  -- When the person is written to, then when it expires.
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id),
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);
create index erasure_requests_by_person on erasure_requests (workspace_id, profile_id);
create unique index erasure_requests_open on erasure_requests (workspace_id, profile_id) where state = 'open';
create index erasure_requests_due on erasure_requests (due_at) where due_at is not null;

-- Messages a clock hour that were somebody's first, to an address that only an app named; at most so many leave. Null: no bound.
alter table workspaces add column first_messages_per_hour integer;
create table first_messages (
  workspace_id text not null references workspaces (id) on delete cascade,
  hour timestamptz not null,
  sent integer not null,
  primary key (workspace_id, hour)
);

-- Addresses that were asked whether they want mail of the workspace (double opt-in), and said yes. By the hash of the address,
-- so that it is asked once however many people name it.
create table email_confirmations (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  email_hash text not null,
  -- Who named it first.
  profile_id text not null,
  asked_at timestamptz,
  confirmed_at timestamptz,
  created_at timestamptz not null,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id),
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);
create unique index email_confirmations_by_address on email_confirmations (workspace_id, email_hash);
create index email_confirmations_by_person on email_confirmations (workspace_id, profile_id);
create index email_confirmations_due on email_confirmations (due_at) where due_at is not null;
