-- Messages that stay in the inbox of apps. Which are unread is counted, never stored.
alter table in_app_messages
  add column is_inbox boolean not null default false,
  -- It leaves the inbox then.
  add column inbox_until timestamptz,
  -- The revision of the person's inbox that it came with: its place in the list.
  add column arrived integer,
  add column read_at timestamptz,
  add column archived_at timestamptz;
create index in_app_messages_inbox on in_app_messages (workspace_id, profile_id, arrived desc, created_at desc, id desc) where is_inbox;
create index in_app_messages_unread on in_app_messages (workspace_id, profile_id)
  where is_inbox and read_at is null and archived_at is null;

-- Raised by every change of the person's inbox, in its transaction: of two answers the one with the smaller number is the older.
alter table profiles add column inbox_revision integer not null default 0;

-- For how many days messages of it stay in inboxes, and what they say there: what it said when it was live last.
alter table campaigns
  add column inbox_days smallint,
  add column inbox_content jsonb;
