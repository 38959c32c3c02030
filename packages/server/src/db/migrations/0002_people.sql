-- People: devices and profiles, channel consent with its ledger, push tokens, places, segments, erasure.
-- A profile belongs to one environment: the same user id in live and in test is two people (X-INT-46).

-- Subjects are named in the ledger and in tombstones by a keyed hash, so that neither keeps who it was.
alter table workspaces add column subject_salt text not null default gen_random_uuid()::text || gen_random_uuid()::text;

create table profiles (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  environment text not null check (environment in ('live', 'test')),
  -- Exactly one of the two: a person signed in, or an anonymous device that consented (C-DEV-29).
  user_id text,
  device_id text,
  name text,
  email text,
  phone text,
  country text,
  language text,
  -- Of the device identified last (A-23), like platform, version and locale below.
  traits jsonb not null default '{}',
  platform text,
  sdk_version text,
  locale text,
  -- Consent of that device to analytics; null while nothing was decided.
  analytics boolean,
  -- Industry data by category (C-PROF-05) and the winning enrichment values by name. Never shown.
  industry jsonb not null default '{}',
  enrichment jsonb not null default '{}',
  -- Decided channel flags only: a flag that is missing was never asked.
  channels jsonb not null default '{}',
  personal_opt_out boolean not null default false,
  -- Answers to the topics and required consents of a preset.
  consent_topics jsonb not null default '{}',
  required_consents jsonb not null default '{}',
  -- While suppressed: what unsuppress restores (M-SUPP-04). Null: not suppressed.
  saved_channels jsonb,
  push_preferences jsonb not null default '{}',
  -- {country, region, city} by the address of the last identify, known ones only.
  location jsonb not null default '{}',
  -- {latitude, longitude, at} of the newest point.
  current_location jsonb,
  -- {impressions, clicks, conversions, dismissals, eventsTotal}, rolled up from events.
  behavioral jsonb not null default '{}',
  -- Accepted events of the last 30 days, and the last identify or accepted event (G-77).
  recent_events integer not null default 0,
  last_active_at timestamptz,
  last_seen_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  check ((user_id is null) <> (device_id is null))
) with (fillfactor = 80);
create unique index profiles_by_user on profiles (workspace_id, environment, user_id) where user_id is not null;
create unique index profiles_by_device on profiles (workspace_id, environment, device_id) where device_id is not null;

alter table devices
  add column profile_id text,
  -- This installation's own trait set (C-DEV-24, A-23).
  add column traits jsonb not null default '{}',
  add column platform text,
  add column sdk_version text,
  add column locale text,
  -- Channel decisions of an installation that has no profile; they move to the profile when it gets one.
  add column channels jsonb not null default '{}',
  add column personal_opt_out boolean not null default false,
  add column consent_topics jsonb not null default '{}',
  add column required_consents jsonb not null default '{}',
  add column push_topics text[] not null default '{}',
  -- Grows with every change of who the device is; a write that read an older one is done again (C-IDN-15).
  add column revision bigint not null default 1,
  -- When `segments` was worked out.
  add column evaluated_at timestamptz,
  add foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete set null (profile_id);
alter table devices set (fillfactor = 80);
create index devices_by_profile on devices (workspace_id, profile_id);

create table push_registrations (
  workspace_id text not null,
  device_id text not null,
  environment text not null check (environment in ('live', 'test')),
  token text not null,
  -- SHA-256, because a token may be longer than an index entry.
  token_hash text not null,
  platform text not null check (platform in ('ios', 'android', 'web')),
  provider text not null check (provider in ('apns', 'fcm', 'hms', 'web_push')),
  hms_app_id text,
  -- The person it reaches; null while it sits on the device (C-PUSH-09).
  profile_id text,
  registered_at timestamptz not null,
  primary key (workspace_id, device_id),
  foreign key (workspace_id, device_id) references devices (workspace_id, device_id) on delete cascade,
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete set null (profile_id)
);
-- One owner for a token (C-PUSH-10).
create unique index push_registrations_token on push_registrations (workspace_id, environment, token_hash);
create index push_registrations_by_profile on push_registrations (workspace_id, profile_id, registered_at desc);

-- What counts against a limit per person: consent changes by the hour, new push devices by the day.
create table person_actions (
  workspace_id text not null,
  profile_id text not null,
  kind text not null check (kind in ('consent', 'push_device')),
  device_id text not null,
  at timestamptz not null,
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);
create index person_actions_recent on person_actions (workspace_id, profile_id, kind, at);
create index person_actions_at on person_actions (at);

-- Who agreed to what, and when: never changed, never deleted. One row for each value that changed.
create table consent_ledger (
  id bigint generated always as identity primary key,
  workspace_id text not null,
  environment text not null check (environment in ('live', 'test')),
  -- Keyed hash of `user:<user id>` or `device:<device id>`.
  subject text not null,
  -- A channel flag, `analytics`, `personalOptOut`, `topic:<id>` or `required:<id>`.
  channel text not null,
  -- null: never asked.
  old_value boolean,
  new_value boolean,
  -- identify, consent, consent_full, merge, bulk, suppress, unsuppress, opt_out, erase.
  source text not null,
  preset text,
  preset_version text,
  -- SHA-256 of the text that was shown, when a preset was named.
  text_hash text,
  locale text,
  -- The application key, or the account of the member.
  key_id text not null,
  recorded_at timestamptz not null default clock_timestamp()
);
create index consent_ledger_by_subject on consent_ledger (workspace_id, environment, subject, id);
create function refuse_ledger_change() returns trigger language plpgsql as $$
begin
  raise exception 'the consent ledger is append-only';
end $$;
create trigger consent_ledger_append_only before update or delete or truncate on consent_ledger
  for each statement execute function refuse_ledger_change();

create table segments (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  name text not null,
  logical_operator text not null check (logical_operator in ('AND', 'OR')),
  rules jsonb not null,
  -- Ids of the segments whose members are out (M-SEG-06).
  excluded text[] not null default '{}',
  update_frequency text not null check (update_frequency in ('realtime', 'hourly', 'daily', 'weekly')),
  -- The stored membership is that of this moment; null until it was first worked out.
  exact_as_of timestamptz,
  -- When it is worked out again; null for realtime segments without rules that time alone can change.
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index segments_name on segments (workspace_id, name);
create index segments_due on segments (due_at) where due_at is not null;

-- The stored membership. A row without is_member is a person added by hand whom an excluded segment keeps out.
create table segment_members (
  workspace_id text not null,
  segment_id text not null,
  profile_id text not null,
  is_manual boolean not null default false,
  is_member boolean not null,
  since timestamptz not null,
  primary key (workspace_id, segment_id, profile_id),
  foreign key (workspace_id, segment_id) references segments (workspace_id, id) on delete cascade,
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);
create index segment_members_by_profile on segment_members (workspace_id, profile_id);

-- sign_up and sign_in (C-TRK); what journeys start from.
create table identity_events (
  workspace_id text not null,
  id text not null,
  environment text not null check (environment in ('live', 'test')),
  profile_id text not null,
  type text not null check (type in ('sign_up', 'sign_in')),
  properties jsonb not null default '{}',
  at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);
create index identity_events_by_profile on identity_events (workspace_id, profile_id, at);

create table location_points (
  workspace_id text not null,
  profile_id text not null,
  id text not null,
  device_id text not null,
  latitude double precision not null,
  longitude double precision not null,
  accuracy double precision,
  altitude double precision,
  speed double precision,
  at timestamptz not null,
  primary key (workspace_id, profile_id, id),
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);

create table geofences (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  name text not null,
  latitude double precision not null,
  longitude double precision not null,
  radius_meters double precision not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);

create table geofence_events (
  workspace_id text not null,
  profile_id text not null,
  id text not null,
  environment text not null check (environment in ('live', 'test')),
  device_id text not null,
  fence_id text not null,
  type text not null check (type in ('enter', 'exit', 'dwell')),
  source text not null check (source in ('device', 'server')),
  at timestamptz not null,
  -- What the device says of a crossing that was computed before it reported it.
  reported_at timestamptz,
  primary key (workspace_id, profile_id, id),
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade,
  foreign key (workspace_id, fence_id) references geofences (workspace_id, id) on delete cascade
);

-- Fences a person's device is inside of, so that one crossing is one event whoever reports it first.
create table geofence_presence (
  workspace_id text not null,
  profile_id text not null,
  device_id text not null,
  fence_id text not null,
  entered_at timestamptz not null,
  primary key (workspace_id, profile_id, device_id, fence_id),
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade,
  foreign key (workspace_id, fence_id) references geofences (workspace_id, id) on delete cascade
);

-- No route writes it yet (G-75); erasure names it.
create table kyc_records (
  workspace_id text not null,
  profile_id text not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (workspace_id, profile_id),
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);

-- What was asked to be erased, and what became of it. Who it was is kept only until it is done.
create table erasures (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  environment text not null check (environment in ('live', 'test')),
  status text not null check (status in ('pending', 'complete')),
  -- [{part, status, count, at}]
  parts jsonb not null,
  -- Needed while pending; null afterwards.
  profile_id text,
  user_id text,
  device_ids text[],
  requested_by text not null,
  requested_at timestamptz not null,
  completed_at timestamptz,
  due_at timestamptz,
  primary key (workspace_id, id)
);
create index erasures_due on erasures (due_at) where due_at is not null;
create index erasures_pending_user on erasures (workspace_id, environment, user_id) where status = 'pending';
create index erasures_pending_devices on erasures using gin (device_ids) where status = 'pending';

-- Erased people, by keyed hash, so that nothing brings them back without a fresh consent (A-16).
create table tombstones (
  workspace_id text not null references workspaces (id) on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  subject text not null,
  erasure_id text not null,
  erased_at timestamptz not null,
  primary key (workspace_id, environment, subject)
);
