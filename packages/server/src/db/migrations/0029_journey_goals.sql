-- What people are led to: {eventType, days}; who did it in time after entering has converted.
alter table journeys
  add column goal jsonb,
  -- How far events were read for it, as read_until and read_batch are for the trigger.
  add column goal_until timestamptz,
  add column goal_batch bigint;
alter table journey_runs add column converted_at timestamptz;

-- How many people came to each step, since there is the journey.
create table journey_step_counts (
  workspace_id text not null,
  journey_id text not null,
  step_id text not null,
  entered bigint not null,
  primary key (workspace_id, journey_id, step_id),
  foreign key (workspace_id, journey_id) references journeys (workspace_id, id) on delete cascade
);

-- What a journey was, each time it was changed.
create table journey_versions (
  workspace_id text not null,
  journey_id text not null,
  version integer not null,
  -- {name, trigger, steps, goal}
  definition jsonb not null,
  -- {members, steps}: what the version before did not have. Null: there was none.
  changes jsonb,
  changed_by text not null,
  changed_at timestamptz not null,
  primary key (workspace_id, journey_id, version),
  foreign key (workspace_id, journey_id) references journeys (workspace_id, id) on delete cascade
);
