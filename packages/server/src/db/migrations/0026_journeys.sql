-- A journey: what takes people in, and the steps it leads them through.
create table journeys (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  name text not null,
  -- {type, eventType?, filters?, days?, segment?, event?}
  trigger jsonb not null,
  -- Of a trigger segment_entry: a name may change.
  segment_id text,
  steps jsonb not null,
  status text not null check (status in ('draft', 'active', 'paused')),
  created_by text not null,
  -- Grows with every change of what it is.
  version integer not null default 1,
  -- Since when it takes people and moves them; what happened before is not taken. Null: it does not.
  active_since timestamptz,
  -- How far its trigger was read; of reported events also the batch up to which all were seen, to begin the next search at.
  read_until timestamptz,
  read_batch bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  check ((status = 'active') = (active_since is not null))
);

-- A person in a journey: once, because that is the key (M-JRN-11).
create table journey_runs (
  workspace_id text not null,
  journey_id text not null,
  profile_id text not null,
  status text not null check (status in ('active', 'completed', 'exited')),
  -- The step that is next, or waited at, or where the run left; null at the end.
  step text,
  is_waiting boolean not null default false,
  reason text,
  -- What took them in: {type, eventType?, fenceId?, source?}
  trigger jsonb not null,
  entered_at timestamptz not null,
  updated_at timestamptz not null,
  -- When it goes on; null: it is over.
  due_at timestamptz,
  primary key (workspace_id, journey_id, profile_id),
  foreign key (workspace_id, journey_id) references journeys (workspace_id, id) on delete cascade,
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade,
  check ((status = 'active') = (due_at is not null))
);
create index journey_runs_due on journey_runs (workspace_id, journey_id, due_at) where due_at is not null;
create index journey_runs_by_person on journey_runs (workspace_id, profile_id);

-- The check of all journeys of a workspace, every minute while one is active.
create table journey_checks (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null check (id = 'check'),
  -- Of the check that is under way: runs that are due by then are moved, once.
  check_at timestamptz,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id)
);
create index journey_checks_due on journey_checks (due_at) where due_at is not null;

-- What happened since the check before. Ids of crossings sort by when they arrived.
create index identity_events_by_time on identity_events (workspace_id, at);
create index geofence_events_by_arrival on geofence_events (workspace_id, id);
