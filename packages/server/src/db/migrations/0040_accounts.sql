-- Whose an account is. `made_by`: the account of whoever opened it for somebody else, until its person proves the address;
-- `must_change_password`: the password is known to somebody else or easy to guess, so a browser asks for another one.
-- `ends_at`: its person deleted it, and may take that back until then.
alter table accounts
  add column made_by text,
  add column email_verified_at timestamptz,
  add column must_change_password boolean not null default false,
  add column ends_at timestamptz;
create index accounts_ending on accounts (ends_at) where ends_at is not null;

-- What somebody sees of their own sessions. `last_seen_at` is true to a minute.
alter table sessions
  add column id text,
  add column user_agent text not null default '',
  add column address text not null default '',
  add column last_seen_at timestamptz;
update sessions set id = md5(token_hash), last_seen_at = created_at;
alter table sessions alter column id set not null, alter column last_seen_at set not null;

-- Links that prove an address or give a new password, once and for half an hour. `email`: the address that a link of this
-- kind proves; null in links that an admin or the operator made, which prove none.
create table account_links (
  token_hash text primary key,
  account_id text not null references accounts (id) on delete cascade,
  kind text not null check (kind in ('reset', 'email')),
  email text,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index account_links_account on account_links (account_id);
create index account_links_expiry on account_links (expires_at);

-- Who opened a workspace, to count how many they did.
alter table workspaces add column opened_by text;
create index workspaces_opened_by on workspaces (opened_by) where opened_by is not null;
