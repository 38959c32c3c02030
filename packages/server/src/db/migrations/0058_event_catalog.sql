-- The catalogue of events: which types apps send with which properties, and what a workspace declares of them.

-- How far the catalogue of a workspace is. Whoever writes to it holds this row.
create table event_catalogs (
  workspace_id text primary key references workspaces (id) on delete cascade,
  -- Grows with what is declared, so that processes that remember it see that it is another.
  revision bigint not null default 0,
  last_id integer not null default 0,
  -- Events of types that the catalogue had no room for.
  others bigint not null default 0
);

create table event_types (
  workspace_id text not null,
  -- The short name of the type in tables that have one row for many events.
  id integer not null,
  name text collate "C" not null,
  description text not null default '',
  owner text not null default '',
  is_declared boolean not null default false,
  -- Null: declared, and not seen yet. The last hour in which a process saw it.
  first_seen timestamptz,
  last_seen timestamptz,
  -- Somebody took it off the list, until it is declared.
  hidden_at timestamptz,
  -- Properties that there was no room for, counted each time they came.
  others bigint not null default 0,
  primary key (workspace_id, id),
  foreign key (workspace_id) references event_catalogs (workspace_id) on delete cascade
);
create unique index event_types_by_name on event_types (workspace_id, name);

create table event_properties (
  workspace_id text not null,
  type_id integer not null,
  name text collate "C" not null,
  -- As they were seen, in the order of PROPERTY_KINDS.
  kinds text[] not null default '{}',
  -- {kind, required, enum, description, use}; null: nobody declared it.
  declared jsonb,
  use text not null default 'none' check (use in ('none', 'dimension', 'measure')),
  -- Events that were not as declared, since it was declared so; what was found in the last of them, without its value.
  violations bigint not null default 0,
  violation jsonb,
  violated_at timestamptz,
  first_seen timestamptz,
  primary key (workspace_id, type_id, name),
  foreign key (workspace_id, type_id) references event_types (workspace_id, id) on delete cascade
);
