-- Rules on events: what is known of each person, so that no rule reads events.

-- What leaves of rules need to know: events of a type, with conditions. The id is made from the definition.
create table event_trackers (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  type text not null,
  definition jsonb not null,
  -- Batches up to this one that had been counted by then are filled in from the stored events; all that are counted later are folded then.
  first_batch bigint not null,
  -- Batches up to it that were counted later all the same.
  late_batches text[] not null default '{}',
  -- How far the stored events are filled in: of which day, up to which batch.
  filled_day date,
  filled_batch bigint not null default 0,
  -- Null: histories lack older events, so nothing is decided by them.
  ready_at timestamptz,
  -- Since when no rule uses it. It is kept for a while, so that to undo a change costs nothing.
  retired_at timestamptz,
  -- Histories are being stripped of it.
  is_ending boolean not null default false,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id)
);
create index event_trackers_due on event_trackers (due_at);

create table tracker_uses (
  workspace_id text not null,
  tracker_id text not null,
  kind text not null check (kind in ('segment', 'journey')),
  used_by text not null,
  primary key (workspace_id, tracker_id, kind, used_by),
  foreign key (workspace_id, tracker_id) references event_trackers (workspace_id, id) on delete cascade
);
create index tracker_uses_by_user on tracker_uses (workspace_id, kind, used_by);

-- One row a person (`id`): histories by tracker, and when somebody has to look at them next.
create table person_behaviour (
  workspace_id text not null,
  id text not null,
  state jsonb not null,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id),
  foreign key (workspace_id, id) references profiles (workspace_id, id) on delete cascade
) with (fillfactor = 70);
create index person_behaviour_due on person_behaviour (workspace_id, due_at) where due_at is not null;
