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

-- When a workspace ends; null: it does not. It rests until then, and can be restored.
alter table workspaces add column ends_at timestamptz;

-- Workspaces that end, and the receipts of those that did. They outlive the workspace, so they refer to none.
create table workspace_endings (
  workspace_id text not null,
  -- The same.
  id text not null,
  name text not null,
  -- Its sandbox, which ends with it.
  sandbox_id text,
  asked_by text not null,
  asked_at timestamptz not null,
  ends_at timestamptz not null,
  -- From then on it cannot be restored.
  began_at timestamptz,
  finished_at timestamptz,
  deleted_rows bigint not null default 0,
  deleted_files integer not null default 0,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id)
);
create index workspace_endings_due on workspace_endings (due_at) where due_at is not null;

-- The ledger is append-only still. Only the work that deletes a whole workspace, and says which one, takes its rows.
set local citus.enable_unsafe_triggers = on;
drop trigger consent_ledger_append_only on consent_ledger;
create trigger consent_ledger_append_only before update or truncate on consent_ledger
  for each statement execute function refuse_ledger_change();
create function refuse_ledger_delete() returns trigger language plpgsql as $$
begin
  if current_setting('contentflow.ending', true) is distinct from old.workspace_id then
    raise exception 'the consent ledger is append-only';
  end if;
  return old;
end $$;
create trigger consent_ledger_no_delete before delete on consent_ledger
  for each row execute function refuse_ledger_delete();
