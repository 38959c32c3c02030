-- Servers of others that are told of what happens in a workspace. What is due to be told is a row, written with the change itself.
create table webhook_endpoints (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  url text not null,
  events text[] not null,
  description text not null,
  -- Encrypted (infra/secrets/secrets.ts): deliveries are signed with it.
  secret text not null,
  is_active boolean not null default true,
  -- Since when every attempt failed.
  failing_since timestamptz,
  -- When it was given up; null: a person switched it off, or it is on.
  given_up_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);

create table webhook_deliveries (
  workspace_id text not null,
  endpoint_id text not null,
  id text not null,
  event text not null,
  -- The bytes that are signed and sent, the same at every attempt.
  body text not null,
  status text not null check (status in ('pending', 'delivered', 'failed')),
  -- Attempts since it was made or somebody sent it again; `log` has the newest of all of them.
  tries integer not null default 0,
  log jsonb not null default '[]',
  created_at timestamptz not null,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id),
  foreign key (workspace_id, endpoint_id) references webhook_endpoints (workspace_id, id) on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (due_at);
-- What of an endpoint is due next, and all of it, newest first.
create index webhook_deliveries_next on webhook_deliveries (workspace_id, endpoint_id, due_at);
create index webhook_deliveries_of on webhook_deliveries (workspace_id, endpoint_id, id);
create index webhook_deliveries_old on webhook_deliveries (workspace_id, created_at);
