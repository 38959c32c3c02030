-- Signed identity: which proofs calls of apps need, by environment; what is not named is off.
alter table workspaces add column identity_verification jsonb not null default '{}';

-- What the app's own server signs user tokens with.
create table identity_keys (
  workspace_id text not null references workspaces (id) on delete cascade,
  -- The kid of a token.
  id text not null,
  environment text not null check (environment in ('live', 'test')),
  kind text not null check (kind in ('secret', 'public', 'jwks')),
  name text not null,
  -- Of a secret: encrypted (infra/secrets/secrets.ts).
  sealed text,
  public_key jsonb,
  jwks_url text,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  primary key (workspace_id, id)
);

-- Lasting random secrets of a workspace, encrypted: the tokens of its installations are made with one.
create table identity_secrets (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  sealed text not null,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);

-- Installations that have a token: of it only the number it was made with is stored.
create table device_bindings (
  workspace_id text not null references workspaces (id) on delete cascade,
  device_id text not null,
  environment text not null check (environment in ('live', 'test')),
  epoch bigint not null,
  -- Or when it was used last, to a day.
  bound_at timestamptz not null,
  primary key (workspace_id, device_id, environment)
);
create index device_bindings_old on device_bindings (workspace_id, bound_at);

-- How many calls proved for whom they speak, by the hour.
create table identity_proof_hours (
  workspace_id text not null references workspaces (id) on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  hour timestamptz not null,
  part text not null,
  outcome text not null,
  platform text not null,
  sdk_version text not null,
  calls bigint not null,
  primary key (workspace_id, environment, hour, part, outcome, platform, sdk_version)
);
