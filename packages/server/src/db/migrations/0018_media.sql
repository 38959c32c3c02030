-- The content library. Bytes are in the store (a folder, or S3); what is known of them is here.

-- The address of a file is public and names no workspace: whose it is has to be known before anything else is asked.
create table asset_addresses (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade
);
create index asset_addresses_by_workspace on asset_addresses (workspace_id);

create table assets (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  -- waiting: an address to upload to was given out; deleted: gone for everybody, its bytes go next.
  state text not null check (state in ('waiting', 'ready', 'deleted')),
  file_name text not null,
  mime_type text not null,
  -- Of a file that was taken: under which name the store has it, and what was found in it.
  object text,
  size bigint,
  width integer,
  height integer,
  is_animated boolean not null default false,
  -- A few blurred pixels as a data address, to show while the picture loads.
  placeholder text,
  -- The point that stays in sight where the picture is cropped, as parts of its width and height.
  focal_x double precision,
  focal_y double precision,
  -- Words for who does not see it, by language.
  alt jsonb not null default '{}',
  -- Smaller forms that were made, as `320.webp`.
  variants text[] not null default '{}',
  made_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When the store is tidied: what was never finished, what was sent after it was finished, what was deleted.
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id)
);
create index assets_ready on assets (workspace_id, id) where state = 'ready';
create index assets_due on assets (due_at);

-- Secrets of the installation, the same for all its processes. They sign addresses of the folder store.
create table installation_secrets (
  name text primary key,
  secret text not null
);
insert into installation_secrets values ('addresses', replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));
