-- How people are written to: one row for each provider a workspace has connected.
create table channels (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  type text not null check (type in ('email', 'sms', 'whatsapp', 'push')),
  provider text not null,
  name text not null,
  -- Of several active ones of a type the highest sends.
  priority integer not null default 0,
  is_active boolean not null default true,
  -- Without its secrets, which stand in `secrets` by the names of their members, encrypted (infra/secrets/secrets.ts).
  configuration jsonb not null,
  secrets text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
