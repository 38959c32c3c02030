-- Work that is due is a row: it is claimed under a lease, and whoever holds the lease says what comes of it (infra/due/due.ts).
-- due_at: when somebody has to look at the row next; of a claimed one when the lease ends, so whoever dies leaves it due.

alter table segments
  add column lease uuid,
  add column lease_until timestamptz,
  add column attempts integer not null default 0,
  -- When all members are worked out again; null: only when something changes. due_at may be earlier, to settle.
  add column recompute_at timestamptz,
  -- Grows with every change of what the segment is (If-Match).
  add column version integer not null default 1;
update segments set recompute_at = due_at, due_at = least(due_at, settle_from + interval '30 seconds');
drop index segments_settle;

alter table erasures
  add column lease uuid,
  add column lease_until timestamptz,
  add column attempts integer not null default 0;

-- Segments that were deleted, until their members are gone too: so many that one transaction could not take them.
create table deleted_segments (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  deleted_at timestamptz not null,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id)
);
create index deleted_segments_due on deleted_segments (due_at);
alter table segment_members drop constraint segment_members_workspace_id_segment_id_fkey;

-- Batches of events are of one workspace each. An id may be that of several workspaces whose events were written together.
create sequence event_batch_ids;
select setval('event_batch_ids', nextval(pg_get_serial_sequence('event_batches', 'id')));
alter table event_batches rename to old_event_batches;
create table event_batches (
  workspace_id text not null references workspaces (id) on delete cascade,
  id bigint not null,
  received_at timestamptz not null,
  -- Its events are in event_counts. It is deleted in the transaction that adds them to their people.
  is_counted boolean not null default false,
  primary key (workspace_id, id)
);
insert into event_batches (workspace_id, id, received_at, is_counted)
  select distinct e.workspace_id, b.id, b.received_at, b.is_counted
  from old_event_batches b join events e on e.batch = b.id and e.received_at = b.received_at;
drop table old_event_batches;
create index event_batches_uncounted on event_batches (workspace_id, id) where not is_counted;
-- Finds a batch, and what a workspace keeps no longer.
drop index events_batch;
create index events_batch on events (workspace_id, batch);

-- What is done for each workspace that has events: hourly for its people, daily for what is kept no longer.
alter table roll_ups rename to old_roll_ups;
create table roll_ups (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null check (id in ('people', 'retention', 'event_ids')),
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  -- Of retention: days before it are gone.
  done_until timestamptz,
  primary key (workspace_id, id)
);
create index roll_ups_due on roll_ups (due_at);
insert into roll_ups (workspace_id, id, due_at, done_until)
  select w.id, what, statement_timestamp(), case what when 'retention' then r.done_until end
  from workspaces w cross join unnest(array['people', 'retention', 'event_ids']) as what left join old_roll_ups r on r.name = 'retention:' || w.id;
drop table old_roll_ups;

drop index profiles_behaviour_due;
create index profiles_behaviour_due on profiles (workspace_id, behaviour_due_at) where behaviour_due_at is not null;
drop index event_ids_old;
create index event_ids_old on event_ids (workspace_id, received_at);
drop index active_devices_by_day;
create index active_devices_by_day on active_devices (workspace_id, day);
drop index person_days_by_day;
create index person_days_by_day on person_days (workspace_id, day);
