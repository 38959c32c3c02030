-- An instance has immutable revisions. `version` is the number of the newest, whose content stands in the row too;
-- `live_revision` and `test_revision` say which one the clients of an environment get, if any. Who has a test key gets
-- the live one where there is no other.
alter table block_instances
  add column live_revision integer,
  add column test_revision integer,
  -- Kept for 30 days, so that it can be brought back.
  add column deleted_at timestamptz,
  add column deleted_by text;

update block_instances set live_revision = version where live_published_at is not null;
update block_instances set test_revision = version where test_published_at is not null;

-- A deleted instance holds no name: another one may take it.
drop index block_instances_external_id;
create unique index block_instances_external_id on block_instances (workspace_id, block_key, external_id) where deleted_at is null;
create index block_instances_deleted on block_instances (workspace_id, deleted_at) where deleted_at is not null;

-- What happened to an instance besides saves: one row for each pointer that moved, and for what else its history tells.
create table instance_events (
  workspace_id text not null,
  instance_id text not null,
  number integer not null,
  action text not null check (action in ('publish', 'unpublish', 'schedule', 'reschedule', 'cancel', 'delete', 'restore')),
  -- Of a pointer: whose it is, and where it points to since; null: nowhere.
  environment text check (environment in ('live', 'test')),
  revision integer,
  -- When it is to be published.
  due_at timestamptz,
  -- The account, or the id of the write key.
  made_by text not null,
  made_at timestamptz not null,
  primary key (workspace_id, instance_id, number),
  foreign key (workspace_id, instance_id) references block_instances (workspace_id, id) on delete cascade
);

-- Until now every save of what was published was served at once, so each moved the pointers.
insert into instance_events (workspace_id, instance_id, number, action, environment, revision, made_by, made_at)
select workspace_id, instance_id, row_number() over (partition by workspace_id, instance_id order by at, number, environment),
  'publish', environment, number, made_by, at
from (
  select i.workspace_id, r.instance_id, p.environment, r.number, r.made_by, greatest(r.created_at, p.at) as at
  from block_instances i
  cross join lateral (values ('live', i.live_published_at), ('test', i.test_published_at)) as p (environment, at)
  join instance_revisions r on r.workspace_id = i.workspace_id and r.instance_id = i.id
  where p.at is not null and (r.created_at > p.at or r.number = (
    select max(e.number) from instance_revisions e
    where e.workspace_id = i.workspace_id and e.instance_id = i.id and (e.created_at <= p.at or e.number = 1)))) served;

-- Revisions that are to be published at a moment.
create table publications (
  workspace_id text not null,
  id text not null,
  instance_id text not null,
  revision integer not null,
  environments text[] not null,
  publish_at timestamptz not null,
  made_by text not null,
  made_at timestamptz not null,
  -- Why it could not be published when it was due.
  fault text,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id),
  foreign key (workspace_id, instance_id) references block_instances (workspace_id, id) on delete cascade
);
create index publications_due on publications (due_at);
create index publications_by_instance on publications (workspace_id, instance_id);

-- What waits for a second person.
create table reviews (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  kind text not null check (kind in ('instance')),
  subject text not null,
  revision integer not null,
  environments text[] not null,
  publish_at timestamptz,
  status text not null check (status in ('pending', 'approved', 'rejected', 'withdrawn')),
  requested_by text not null,
  requested_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  note text,
  primary key (workspace_id, id)
);
create index reviews_by_subject on reviews (workspace_id, subject);
create index reviews_pending on reviews (workspace_id, id) where status = 'pending';

alter table workspaces add column needs_publish_approval boolean not null default false;
