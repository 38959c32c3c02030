-- Strings: the texts of applications by key, their translations, and which of them are sensors.

-- The languages of a workspace, its source language among them.
create table locales (
  workspace_id text not null references workspaces (id) on delete cascade,
  -- As it was written; matched without case.
  code text collate "C" not null,
  -- null: what the language is called in English, and in itself.
  name text,
  native text,
  rtl boolean not null,
  created_at timestamptz not null,
  primary key (workspace_id, code)
);
create unique index locales_any_case on locales (workspace_id, lower(code));

-- The head of each catalog. `revision` grows with every change of what clients are sent; the row is locked by
-- whoever writes locales, strings or translations, so revisions become visible in their order.
create table string_catalogs (
  workspace_id text primary key references workspaces (id) on delete cascade,
  revision bigint not null default 1,
  changed_at timestamptz not null
);
create index string_catalogs_changed on string_catalogs (changed_at);

create table strings (
  workspace_id text not null references workspaces (id) on delete cascade,
  key text collate "C" not null,
  namespace text collate "C" not null,
  description text not null default '',
  -- In the source language. The translation of that locale, should one be left from before, counts for nothing.
  source_text text not null,
  is_hidden boolean not null default false,
  is_sensor boolean not null default false,
  -- Of the catalog, when the string or a translation of it was changed last.
  revision bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, key)
);
create index strings_by_namespace on strings (workspace_id, namespace, key);
create index strings_by_revision on strings (workspace_id, revision);
create index strings_sensors on strings (workspace_id, key) where is_sensor;

-- A key without a row for a locale is missing there. `locale` is a code of `locales`, spelled as there.
create table translations (
  workspace_id text not null,
  key text collate "C" not null,
  locale text collate "C" not null,
  text text not null,
  status text not null check (status in ('ok', 'review')),
  -- Proposed by the server, and not yet touched by anybody.
  is_draft boolean not null default false,
  updated_at timestamptz not null,
  primary key (workspace_id, key, locale),
  foreign key (workspace_id, key) references strings (workspace_id, key) on delete cascade
);

-- Sensors that wait for somebody with approval rights; one a key.
create table sensor_requests (
  workspace_id text not null,
  id text not null,
  key text collate "C" not null,
  requested_by text not null,
  created_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, key) references strings (workspace_id, key) on delete cascade
);
create unique index sensor_requests_by_key on sensor_requests (workspace_id, key);

-- Turning a sensor on needs approval rights.
alter table workspaces add column sensor_approval boolean not null default false;

insert into string_catalogs (workspace_id, changed_at) select id, created_at from workspaces;
insert into locales (workspace_id, code, rtl, created_at)
  select id, source_locale, split_part(lower(source_locale), '-', 1) in ('ar', 'fa', 'he', 'ur'), created_at
  from workspaces where source_locale is not null;
