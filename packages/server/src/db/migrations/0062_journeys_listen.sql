-- Journeys that listen to events.

-- The place of an event in its batch: what one request reports is in the order in which it was sent.
alter table events add column place integer;

alter table journeys
  -- How often people enter: {policy, minGapMinutes?, maxActive?, maxEntries?, onRepeat?}. Null: once.
  add column entry jsonb,
  -- Events that end a run: [{event, where?, sameKey?, keyProperty?}].
  add column exit_on jsonb,
  -- Types of events that may be about it; empty: it listens to none.
  add column listens text[] not null default '{}';
create index journeys_listening on journeys (workspace_id) where listens <> '{}';

alter table journey_runs
  -- Of which cart, order or booking it is; empty: of none.
  add column run_key text not null default '',
  -- Since when it stands where it stands, by what happened: [milliseconds, batch, place].
  add column position jsonb,
  -- What was kept of the event that began it, and of the last that moved it: {type, at, key?, properties}.
  add column event jsonb,
  add column last_event jsonb;
create unique index journey_runs_by_key on journey_runs (workspace_id, journey_id, profile_id, run_key) where status = 'active';

-- Events that are about a person in a journey, from their counting until the journey has looked at them.
create table journey_inbox (
  workspace_id text not null,
  journey_id text not null,
  profile_id text not null,
  batch bigint not null,
  place integer not null,
  -- {position, event, trigger?, exit?, goal?, waits?}
  heard jsonb not null,
  primary key (workspace_id, journey_id, profile_id, batch, place),
  foreign key (workspace_id, journey_id) references journeys (workspace_id, id) on delete cascade,
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);
create index journey_inbox_by_person on journey_inbox (workspace_id, profile_id);

-- Who was not taken in although their event was one of the trigger, by day (UTC) and reason.
create table journey_refusals (
  workspace_id text not null,
  journey_id text not null,
  day date not null,
  reason text not null,
  count bigint not null,
  primary key (workspace_id, journey_id, day, reason),
  foreign key (workspace_id, journey_id) references journeys (workspace_id, id) on delete cascade
);

-- `events`: a check of those only about whom events arrived, at once.
alter table journey_checks drop constraint journey_checks_id_check;
alter table journey_checks add constraint journey_checks_id_check check (id in ('check', 'events'));

-- What the events said that a message names: {event, lastEvent}.
alter table in_app_messages add column values jsonb;
create table send_values (
  workspace_id text not null,
  dispatch_id text not null,
  profile_id text not null,
  values jsonb not null,
  primary key (workspace_id, dispatch_id, profile_id),
  foreign key (workspace_id, dispatch_id) references dispatches (workspace_id, id) on delete cascade,
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);
create index send_values_by_person on send_values (workspace_id, profile_id);
