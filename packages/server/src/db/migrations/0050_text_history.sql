-- What texts were before: one row for each change of a text, and at most 50 of one text.
create table text_changes (
  workspace_id text not null,
  key text collate "C" not null,
  -- A code of `locales`; empty: the source text.
  locale text collate "C" not null,
  -- The revision of the catalog that the change made.
  number bigint not null,
  -- Null: there was none, or is none since.
  before text,
  after text,
  -- An account or a key; empty where nobody knows.
  made_by text not null,
  made_at timestamptz not null,
  primary key (workspace_id, key, locale, number),
  foreign key (workspace_id, key) references strings (workspace_id, key) on delete cascade
);
-- For languages that go.
create index text_changes_by_locale on text_changes (workspace_id, locale);
