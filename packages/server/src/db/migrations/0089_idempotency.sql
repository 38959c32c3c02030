-- What calls with an Idempotency-Key came to, so that a repeat gets the same answer and does nothing twice (decision 81).
create table idempotency_keys (
  workspace_id text not null references workspaces (id) on delete cascade,
  -- Kind and id of who calls.
  caller text not null,
  key_hash text not null,
  -- As the server writes it, for whoever looks at the table.
  route text not null,
  -- Of the address and the body.
  request_hash text not null,
  -- What the caller might do when the key was first used.
  rights text[] not null,
  -- Of the process that works on it; a change of another token does not commit.
  token uuid not null,
  lease_until timestamptz not null,
  -- The number and the sealed result of each change that is done; without a result where that was too large to keep.
  results text[] not null default '{}',
  -- null: not answered yet.
  status smallint,
  headers jsonb,
  -- Sealed, for it may hold a fresh key.
  body text,
  expires_at timestamptz not null,
  primary key (workspace_id, caller, key_hash)
);
create index idempotency_keys_by_end on idempotency_keys (workspace_id, expires_at);
