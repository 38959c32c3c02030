-- Whom a workspace writes nothing to: {percent, startsAt, endsAt, salt, since}. Null: nobody said.
alter table workspaces add column holdout jsonb;

-- Of conversions, what they were worth.
alter table person_days add column value double precision not null default 0;

-- Both sides of the holdout, read once a night, in steps.
create table holdout_readings (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null check (id = 'holdout'),
  -- What the steps of this night have added up so far: {since, after, sides}. Null between nights.
  progress jsonb,
  -- {since, at, sides}; sides: [held out, others], each {units, converted, value, squares}.
  reading jsonb,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id)
);
create index holdout_readings_due on holdout_readings (due_at) where due_at is not null;

-- What webhooks were told of this run, each once.
alter table experiments add column told text[] not null default '{}';
