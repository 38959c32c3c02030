-- Messages that are being sent: one row for each batch, committed before the first of its calls. Its lines in `sends` stay due
-- until their outcomes are written; a line that is due and named here may have left.
create table send_batches (
  workspace_id text not null,
  dispatch_id text not null,
  -- The lease of the dispatch under which it was made, and its number in that turn.
  lease uuid not null,
  number integer not null,
  -- Over which channel; of push messages the first of several.
  channel_id text,
  -- Those whose line has no outcome yet, or one that ends it.
  profile_ids text[] not null,
  made_at timestamptz not null,
  primary key (workspace_id, dispatch_id, lease, number),
  foreign key (workspace_id, dispatch_id) references dispatches (workspace_id, id) on delete cascade
);
