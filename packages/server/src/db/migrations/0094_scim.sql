-- People and groups as the directory of a workspace sends them by SCIM 2.0 (decision 87).

-- A row makes no account: it waits until its person signs in with a provider of the workspace, and is theirs from then on.
-- `resource`: what is kept of the attributes that were sent. The columns beside it are what somebody is looked up by.
create table scim_users (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  external_id text,
  user_name_folded text not null,
  email_folded text,
  active boolean not null,
  resource jsonb not null,
  -- null: nobody signed in yet who is meant. An account that was deleted may be named still.
  account_id text,
  provider_id text,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index scim_users_by_name on scim_users (workspace_id, user_name_folded);
create unique index scim_users_by_external_id on scim_users (workspace_id, external_id) where external_id is not null;
create unique index scim_users_by_account on scim_users (workspace_id, account_id) where account_id is not null;
create index scim_users_by_email on scim_users (workspace_id, email_folded) where email_folded is not null;

create table scim_groups (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  external_id text,
  display_name text not null,
  name_folded text not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index scim_groups_by_name on scim_groups (workspace_id, name_folded);
create unique index scim_groups_by_external_id on scim_groups (workspace_id, external_id) where external_id is not null;

create table scim_members (
  workspace_id text not null,
  group_id text not null,
  user_id text not null,
  primary key (workspace_id, group_id, user_id),
  foreign key (workspace_id, group_id) references scim_groups (workspace_id, id) on delete cascade,
  foreign key (workspace_id, user_id) references scim_users (workspace_id, id) on delete cascade
);
create index scim_members_by_user on scim_members (workspace_id, user_id);
