-- Catalogs that come as files, and the memory of translations.

create table string_imports (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text collate "C" not null,
  -- A pending one whose time is over counts as lapsed, whatever stands here.
  status text not null check (status in ('pending', 'applied', 'cancelled', 'lapsed')),
  file_name text,
  -- While it is pending: the file, planned anew when it is applied.
  csv text,
  -- While it is pending what it would do, afterwards what it did.
  summary jsonb not null,
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  finished_at timestamptz,
  primary key (workspace_id, id),
  check ((status = 'pending') = (csv is not null))
);
create unique index string_imports_pending on string_imports (workspace_id) where status = 'pending';

-- How a text begins and how it ends, whatever numbers and capitals are in it: what finds texts that are nearly the same.
create function text_head(text text) returns text language sql immutable
  return left(lower(regexp_replace(left(text, 40), '[0-9]+', '0', 'g')), 8);
create function text_tail(text text) returns text language sql immutable
  return right(lower(regexp_replace(right(text, 40), '[0-9]+', '0', 'g')), 8);
create index strings_same_text on strings (workspace_id, md5(source_text));
create index strings_same_head on strings (workspace_id, text_head(source_text), length(source_text));
create index strings_same_tail on strings (workspace_id, text_tail(source_text), length(source_text));
