-- Who did what, in a chain that shows what was changed, taken out or put in afterwards (decision 77).
-- The end of each chain, and where it begins after pruning. Moved last in a transaction, so that no number is left out.
create table audit_heads (
  workspace_id text primary key references workspaces (id) on delete cascade,
  seq bigint not null,
  hash bytea not null,
  pruned_seq bigint not null default 0,
  pruned_hash bytea not null,
  signed_seq bigint not null default 0,
  -- When what was written since the last checkpoint is signed; null: nothing was.
  checkpoint_due_at timestamptz,
  -- When the first checkpoint is old enough to be taken from the front; null: there is none.
  prune_due_at timestamptz,
  retention_days integer not null default 400 check (retention_days between 90 and 3650),
  record_reads boolean not null default false,
  -- The last check, and what it found: {seq, kind}; null: nothing.
  verified_at timestamptz,
  verified_fault jsonb
);
create index audit_heads_by_checkpoint_due_at on audit_heads (checkpoint_due_at) where checkpoint_due_at is not null;
create index audit_heads_by_prune_due_at on audit_heads (prune_due_at) where prune_due_at is not null;

-- Before any change needs one: whoever makes it would hold on to the workspace while others hold its chain.
insert into audit_heads (workspace_id, seq, hash, pruned_hash)
select id, 0, sha256(convert_to('contentflow audit v1 ' || id, 'UTF8')), sha256(convert_to('contentflow audit v1 ' || id, 'UTF8')) from workspaces;

-- They name the head, which whoever writes them holds already, and not the workspace.
create table audit_entries (
  workspace_id text not null references audit_heads (workspace_id) on delete cascade,
  seq bigint not null,
  -- Canonical JSON, as it is hashed.
  entry text not null,
  -- The hash of the entry before it.
  prev bytea not null,
  -- sha256 of prev and entry.
  hash bytea not null,
  -- What is searched for is made of what is hashed, so that a search cannot say anything else.
  at text collate "C" not null generated always as (entry::jsonb ->> 'at') stored,
  actor_id text not null generated always as (entry::jsonb -> 'actor' ->> 'id') stored,
  action text not null generated always as (entry::jsonb ->> 'action') stored,
  object_kind text generated always as (entry::jsonb -> 'object' ->> 'kind') stored,
  object_id text generated always as (entry::jsonb -> 'object' ->> 'id') stored,
  outcome text not null generated always as (entry::jsonb ->> 'outcome') stored,
  primary key (workspace_id, seq)
);
create index audit_entries_by_at on audit_entries (workspace_id, at);
create index audit_entries_by_actor on audit_entries (workspace_id, actor_id, seq);
create index audit_entries_by_object on audit_entries (workspace_id, object_kind, object_id, seq);

-- Signed: whoever holds one sees a chain that was made anew, or whose end was cut off.
create table audit_checkpoints (
  workspace_id text not null references audit_heads (workspace_id) on delete cascade,
  number bigint not null,
  seq bigint not null,
  hash bytea not null,
  at timestamptz not null,
  public_key text not null,
  signature text not null,
  primary key (workspace_id, number)
);
create index audit_checkpoints_by_seq on audit_checkpoints (workspace_id, seq);

-- `sign`: the private key of checkpoints; `people`: with which ids of people are hashed. Encrypted.
create table audit_keys (
  workspace_id text not null references audit_heads (workspace_id) on delete cascade,
  id text not null,
  sealed text not null,
  primary key (workspace_id, id)
);
