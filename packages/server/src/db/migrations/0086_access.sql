-- Roles of a workspace's own, and accounts of programs with their tokens (decision 78).
create table roles (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  name text not null,
  permissions text[] not null,
  -- Names of what may be written, by kind of name; a kind that is left out is not limited.
  limits jsonb not null default '{}',
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index roles_by_name on roles (workspace_id, lower(name));

-- null: the documented role in `role` counts. Else `role` is viewer, and this one counts.
alter table members add column role_id text;
alter table members add constraint members_role_id_fkey foreign key (workspace_id, role_id) references roles (workspace_id, id);
create index members_by_role on members (workspace_id, role_id);

create table service_accounts (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  name text not null,
  -- The member who answers for it: what it submits counts as theirs.
  owner_id text not null,
  -- null: they are a member. Two weeks later its tokens open nothing.
  owner_left_at timestamptz,
  role text not null check (role in ('admin', 'editor', 'viewer')),
  role_id text,
  limits jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, role_id) references roles (workspace_id, id)
);
create unique index service_accounts_by_name on service_accounts (workspace_id, lower(name));
create index service_accounts_by_role on service_accounts (workspace_id, role_id);
create index service_accounts_by_owner on service_accounts (workspace_id, owner_id);

create table api_tokens (
  workspace_id text not null,
  id text not null,
  service_account_id text not null,
  hash text not null,
  -- The last four characters, by which people tell tokens apart.
  hint text not null,
  expires_at timestamptz not null,
  -- Networks it may be used from; empty: from anywhere.
  allowed_cidrs text[] not null default '{}',
  created_by text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  last_used_from text,
  revoked_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, service_account_id) references service_accounts (workspace_id, id) on delete cascade
);
create unique index api_tokens_by_hash on api_tokens (workspace_id, hash);
create index api_tokens_by_account on api_tokens (workspace_id, service_account_id);
