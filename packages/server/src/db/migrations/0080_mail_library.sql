-- Mails and parts of them that a workspace keeps, to begin others with and to share (decision 70).
create table mails (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  kind text not null check (kind in ('template', 'part')),
  name text not null,
  category text,
  document jsonb not null,
  version integer not null default 1,
  created_by text not null,
  created_at timestamptz not null,
  updated_by text not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (workspace_id, id)
);
create unique index mails_by_name on mails (workspace_id, kind, lower(name)) where archived_at is null;

-- What a mail said in each version in which its document was another one.
create table mail_revisions (
  workspace_id text not null references workspaces (id) on delete cascade,
  mail_id text not null,
  version integer not null,
  document jsonb not null,
  made_by text not null,
  made_at timestamptz not null,
  primary key (workspace_id, mail_id, version),
  foreign key (workspace_id, mail_id) references mails (workspace_id, id) on delete cascade
);

-- Logo, colours, company and address of all mails; null: nobody said anything.
alter table workspaces add column brand jsonb;
-- The saved parts of the mail as they were when it was submitted; null: it holds none, or is a draft.
alter table campaigns add column mail_parts jsonb;
