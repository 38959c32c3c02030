-- Signing in with a provider of OpenID Connect (decision 79).

-- `workspace_id` null: a provider of the installation. The id of a workspace's begins with that workspace and a dot, so that no
-- two take the same. `mapping`: groups to roles, the first that fits decides. `changed_by`: the account that saved it last.
create table identity_providers (
  id text primary key,
  workspace_id text references workspaces (id) on delete cascade,
  name text not null,
  issuer text not null,
  client_id text not null,
  -- null: a public client, which has no secret.
  secret_sealed text,
  scopes text[] not null,
  groups_claim text not null,
  mapping jsonb not null,
  -- null: who is in no group of the mapping is not let in.
  default_role text check (default_role in ('admin', 'editor', 'viewer')),
  domains text[] not null,
  is_on boolean not null,
  changed_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index identity_providers_of_workspace on identity_providers (workspace_id);

-- Who somebody is at a provider. The email is what the provider last said, and identifies nobody.
create table account_identities (
  provider_id text not null,
  subject text not null,
  account_id text not null references accounts (id) on delete cascade,
  email text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (provider_id, subject)
);
create index account_identities_of_account on account_identities (account_id);

-- Domains of mail addresses for which providers of a workspace make accounts. `code` is to stand in a text record of the domain.
-- `proved_at` null: it was not found yet, or is there no longer.
create table sign_in_domains (
  workspace_id text not null references workspaces (id) on delete cascade,
  domain text not null,
  code text not null,
  proved_at timestamptz,
  checked_at timestamptz not null,
  primary key (workspace_id, domain)
);
create index sign_in_domains_by_name on sign_in_domains (domain);
create index sign_in_domains_by_check on sign_in_domains (checked_at);

-- What a provider may bring once only, by its hash: the state of a sign-in, the id of a token that signs somebody out.
create table provider_nonces (
  hash text primary key,
  expires_at timestamptz not null
);
create index provider_nonces_by_end on provider_nonces (expires_at);

-- `break_glass`: admins who come in with a passkey while a provider is required.
create table sign_in_settings (
  workspace_id text primary key references workspaces (id) on delete cascade,
  sso_required boolean not null default false,
  break_glass text[] not null default '{}'
);

-- How somebody signed in: pwd, otp, webauthn, sso, mfa. `workspace_id`: the one workspace that the session opens; null: all.
alter table sessions
  add column amr text[] not null default '{}',
  add column provider_id text,
  add column sid text,
  add column subject text,
  add column workspace_id text references workspaces (id) on delete cascade,
  add column id_token_sealed text;
create index sessions_of_provider on sessions (provider_id, subject) where provider_id is not null;
create index sessions_of_workspace on sessions (workspace_id);

-- `source` oidc: the provider says what this member is.
alter table members
  add column source text check (source in ('oidc', 'scim')),
  add column provider_id text;
create index members_of_provider on members (provider_id) where provider_id is not null;

alter table accounts add column password_set boolean not null default true;
