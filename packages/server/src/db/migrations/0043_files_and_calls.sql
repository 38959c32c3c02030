-- Megabytes of files that the content library of a workspace may hold; null: what every workspace may.
alter table workspaces add column media_megabytes integer;

-- Calls of providers that sign a time and a word instead of the body: what came with each, as long as its time is believed, so that
-- nobody who saw one sends another body with it.
create table provider_calls (
  workspace_id text not null references workspaces (id) on delete cascade,
  channel_id text not null,
  -- Hashes of what was signed and of the body.
  signed text not null,
  body text not null,
  expires_at timestamptz not null,
  primary key (workspace_id, channel_id, signed),
  foreign key (workspace_id, channel_id) references channels (workspace_id, id) on delete cascade
);
create index provider_calls_expired on provider_calls (workspace_id, channel_id, expires_at);
