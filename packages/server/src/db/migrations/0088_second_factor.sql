-- Second factors of accounts, and which workspaces ask for them (decision 80).

-- How the session was opened, and what was proved in it since: pwd, otp, webauthn, sso, mfa.
alter table sessions add column if not exists amr text[];
update sessions set amr = '{}' where amr is null;
alter table sessions alter column amr set default '{}', alter column amr set not null;

alter table accounts
  -- The secret of the authenticator app, and of one that is not confirmed yet.
  add column totp_sealed text,
  add column totp_pending text,
  -- The 30 seconds of the last code that was taken: no code is taken twice.
  add column totp_last_step integer,
  -- The random name of the account in its passkeys, base64url.
  add column passkey_user text;

create table passkeys (
  id text primary key,
  account_id text not null references accounts (id) on delete cascade,
  -- The name that the authenticator gave it, base64url.
  credential_id text not null,
  public_key text not null,
  sign_count bigint not null,
  transports text[] not null,
  is_backed_up boolean not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create unique index passkeys_credential on passkeys (credential_id);
create index passkeys_account on passkeys (account_id);

-- Each goes when it is used.
create table recovery_codes (
  account_id text not null references accounts (id) on delete cascade,
  code_hash text not null,
  primary key (account_id, code_hash)
);

-- Questions to authenticators that were answered; they are kept until their time would be over.
create table used_challenges (
  hash text primary key,
  expires_at timestamptz not null
);
create index used_challenges_expiry on used_challenges (expires_at);

create table if not exists sign_in_settings (
  workspace_id text not null references workspaces (id) on delete cascade,
  primary key (workspace_id)
);
alter table sign_in_settings
  add column second_factor text not null default 'off' check (second_factor in ('off', 'admins', 'all')),
  -- null: sessions end by their age alone.
  add column session_idle_minutes integer check (session_idle_minutes between 5 and 1440);
