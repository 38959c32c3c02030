-- Events: what happened on devices, and what is counted from it.

-- One row for each accepted event. A partition for each day of arrival (UTC) is made ahead, and dropped when too old.
create table events (
  workspace_id text not null,
  environment text not null check (environment in ('live', 'test')),
  -- The group it was written with (event_batches). All events of a batch arrived at one moment.
  batch bigint not null,
  received_at timestamptz not null,
  device_id text not null,
  -- Who the device was then; one that was merged since is found in absorbed_profiles.
  profile_id text not null,
  type text not null,
  block_key text,
  instance_id text,
  campaign_id text,
  screen text,
  string_key text,
  session_id text,
  platform text,
  -- The device's own time, when it said one that can be.
  occurred_at timestamptz,
  value double precision,
  currency text,
  fence_id text,
  -- The application's own; nothing else that was sent is kept.
  properties jsonb
) partition by range (received_at);
create index events_batch on events (batch);
-- For erasure only. Hash indexes, because they cost an insert half of what an ordered one does.
create index events_device on events using hash (device_id);
create index events_profile on events using hash (profile_id);

-- What was written together. A batch is counted once: its row says so in the transaction that adds its numbers up.
create table event_batches (
  id bigint generated always as identity primary key,
  received_at timestamptz not null,
  -- Its events are in event_counts. It is deleted in the transaction that adds them to their people.
  is_counted boolean not null default false
);
create index event_batches_uncounted on event_batches (id) where not is_counted;

-- Ids that applications gave to events, for 7 days. Hash of environment, device and id.
create table event_ids (
  workspace_id text not null references workspaces (id) on delete cascade,
  id uuid not null,
  received_at timestamptz not null,
  primary key (workspace_id, id)
);
create index event_ids_old on event_ids using brin (received_at);

-- Events by hour and by day of arrival (UTC).
create table event_counts (
  workspace_id text not null references workspaces (id) on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  -- What is counted: events of one type, about one block, and so on; `devices`: active ones, by day only, as the total.
  subject text not null check (subject in ('type', 'block', 'instance', 'campaign', 'screen', 'string', 'devices')),
  name text not null,
  unit text not null check (unit in ('hour', 'day')),
  starts_at timestamptz not null,
  impressions bigint not null default 0,
  clicks bigint not null default 0,
  dismissals bigint not null default 0,
  conversions bigint not null default 0,
  total bigint not null default 0,
  primary key (workspace_id, environment, subject, name, unit, starts_at)
);
create index event_counts_by_time on event_counts (workspace_id, environment, subject, unit, starts_at);

-- Devices that were active on a day.
create table active_devices (
  workspace_id text not null references workspaces (id) on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  device_id text not null,
  day date not null,
  primary key (workspace_id, device_id, environment, day)
);
create index active_devices_by_day on active_devices using brin (day);

-- What one person did by day of arrival (UTC).
create table person_days (
  workspace_id text not null,
  profile_id text not null,
  day date not null,
  impressions integer not null default 0,
  clicks integer not null default 0,
  dismissals integer not null default 0,
  conversions integer not null default 0,
  total integer not null default 0,
  primary key (workspace_id, profile_id, day),
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);
create index person_days_by_day on person_days (day);

-- When the windows of 30 and 90 days, and the memberships that follow from them, are worked out again; null: never.
alter table profiles add column behaviour_due_at timestamptz;
create index profiles_behaviour_due on profiles (behaviour_due_at) where behaviour_due_at is not null;

-- Anonymous people that became part of a user; events still name them.
create table absorbed_profiles (
  workspace_id text not null,
  profile_id text not null,
  into_id text not null,
  primary key (workspace_id, profile_id),
  foreign key (workspace_id, into_id) references profiles (workspace_id, id) on delete cascade
);
create index absorbed_profiles_by_person on absorbed_profiles (workspace_id, into_id);

-- How far work goes that follows the calendar: `event_ids`, and `retention:` with the id of a workspace.
create table roll_ups (
  name text primary key,
  done_until timestamptz not null
);

-- Days that events are kept.
alter table workspaces add column event_retention_days integer not null default 400;

-- Messages to one person inside the app, until they are dismissed, tapped or over.
create table in_app_messages (
  workspace_id text not null,
  id text not null,
  profile_id text not null,
  campaign_id text,
  created_at timestamptz not null,
  ended_at timestamptz,
  -- dismiss or cta_click.
  ended_by text,
  primary key (workspace_id, id),
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);
create index in_app_messages_open on in_app_messages (workspace_id, profile_id, created_at) where ended_at is null;
