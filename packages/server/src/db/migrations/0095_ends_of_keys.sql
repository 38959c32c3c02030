-- Networks a key may be used from; null: from anywhere. Its text before it was replaced, which goes on until then (decision 88).
alter table keys
  add column allowed_cidrs text[],
  add column hash_before text,
  add column before_until timestamptz;
create unique index keys_hash_before on keys (hash_before);

-- The address; null: not noted.
alter table key_uses add column used_from text;

-- Tokens and keys with an end, until they are over, replaced or taken back: when whoever answers for one hears of it.
create table ending_credentials (
  workspace_id text not null references workspaces (id) on delete cascade,
  -- Of the token or the key.
  id text not null,
  token_id text,
  key_id text,
  ends_at timestamptz not null,
  -- Accounts that heard of it, each behind the days of its stage: 14:<id>.
  told text[] not null default '{}',
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id),
  check (num_nonnulls(token_id, key_id) = 1),
  foreign key (workspace_id, token_id) references api_tokens (workspace_id, id) on delete cascade,
  foreign key (workspace_id, key_id) references keys (workspace_id, id) on delete cascade
);
create index ending_credentials_due on ending_credentials (due_at) where due_at is not null;
create index ending_credentials_by_token on ending_credentials (workspace_id, token_id);
create index ending_credentials_by_key on ending_credentials (workspace_id, key_id);

insert into ending_credentials (workspace_id, id, token_id, ends_at, due_at)
  select workspace_id, id, id, expires_at, expires_at - interval '336 hours' from api_tokens where revoked_at is null;
insert into ending_credentials (workspace_id, id, key_id, ends_at, due_at)
  select workspace_id, id, id, expires_at, expires_at - interval '336 hours' from keys where revoked_at is null and expires_at is not null;
