-- Questions about events that somebody saved.
create table reports (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  name text not null,
  kind text not null check (kind in ('explore', 'funnel', 'retention')),
  definition jsonb not null,
  -- On the start page, in the order in which they came there.
  pinned_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  primary key (workspace_id, id)
);
create unique index reports_by_name on reports (workspace_id, lower(name));
