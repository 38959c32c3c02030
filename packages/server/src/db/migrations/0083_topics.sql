-- What people choose among messages: topics, how many a week, and the page on which they do it (decision 74).
create table message_topics (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  -- By language.
  names jsonb not null,
  descriptions jsonb not null default '{}',
  channels text[] not null,
  -- What holds of people who never answered.
  mode text not null check (mode in ('opt_out', 'opt_in')),
  position integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- No message may name it from then on; what people answered still holds of those that do.
  archived_at timestamptz,
  primary key (workspace_id, id)
);

-- null: the campaign is about no topic.
alter table campaigns add column topic text;

-- null: as many as there are.
alter table profiles add column max_messages_a_week smallint check (max_messages_a_week in (1, 2, 4, 7));
create index profiles_with_weekly_limit on profiles (workspace_id, id) where max_messages_a_week is not null;

-- null: the page is linked where there are topics.
alter table workspaces add column preference_page jsonb;
