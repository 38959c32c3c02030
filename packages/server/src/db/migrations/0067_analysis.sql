-- Questions about many events: the events as columns of bytes, and the numbers that people have in them.

-- Batches that are counted and not in the columns yet.
create table column_batches (
  workspace_id text not null references workspaces (id) on delete cascade,
  id bigint not null,
  received_at timestamptz not null,
  primary key (workspace_id, id)
);

-- The number of a type in the columns.
create table column_types (
  workspace_id text not null references workspaces (id) on delete cascade,
  id integer not null,
  name text collate "C" not null,
  primary key (workspace_id, id)
);
create unique index column_types_by_name on column_types (workspace_id, name);

-- A person has a small number in the columns. Who absorbed others has theirs too: the smallest is the one that counts.
create table people_numbers (
  workspace_id text not null,
  environment text not null check (environment in ('live', 'test')),
  no integer not null,
  profile_id text not null,
  primary key (workspace_id, environment, no),
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);
create index people_numbers_by_profile on people_numbers (workspace_id, profile_id);

-- Events of one type that arrived on one day (UTC), of the people whose number leaves this rest when divided by 16.
create table event_columns (
  workspace_id text not null,
  environment text not null check (environment in ('live', 'test')),
  type_id integer not null,
  day date not null,
  part smallint not null check (part between 0 and 15),
  -- What was built together; the rows of a day that is over are made one.
  chunk bigint not null,
  people integer not null,
  events integer not null,
  body bytea not null,
  -- The values of dimensions with their counts, and the names of measures.
  meta jsonb not null,
  built_at timestamptz not null,
  primary key (workspace_id, type_id, environment, day, part, chunk),
  foreign key (workspace_id, type_id) references column_types (workspace_id, id) on delete cascade
);
-- A few kilobytes of numbers, which are compressed already; the row itself stays small for those who read only its counts.
alter table event_columns alter column body set storage external;
create index event_columns_by_day on event_columns (workspace_id, day, part);

alter table roll_ups drop constraint roll_ups_id_check;
alter table roll_ups add constraint roll_ups_id_check check (id in ('people', 'retention', 'event_ids', 'columns'));

-- Events of before: what is counted by now is in no column yet.
insert into column_batches (workspace_id, id, received_at)
  select e.workspace_id, e.batch, min(e.received_at) from events e join workspaces w on w.id = e.workspace_id
  where not exists (select from event_batches b where b.workspace_id = e.workspace_id and b.id = e.batch and not b.is_counted)
  group by e.workspace_id, e.batch;
insert into roll_ups (workspace_id, id, due_at)
  select distinct workspace_id, 'columns', statement_timestamp() from column_batches;
