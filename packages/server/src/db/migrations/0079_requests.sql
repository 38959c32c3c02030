-- What people ask for about their own data: the file of it, and how each request was answered.

-- Files of everything that is known of one person; the receipt stays, the file is kept nowhere.
create table person_exports (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  environment text not null check (environment in ('live', 'test')),
  -- Whom, by a keyed hash.
  subject text not null,
  made_by text not null,
  made_at timestamptz not null,
  -- null: it was not taken to its end.
  finished_at timestamptz,
  -- [{part, rows}]
  parts jsonb not null default '[]',
  -- Of the whole file.
  sha256 text,
  primary key (workspace_id, id)
);
create index person_exports_by_subject on person_exports (workspace_id, subject, id);

create table subject_requests (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  environment text not null check (environment in ('live', 'test')),
  kind text not null check (kind in ('access', 'erasure', 'correction', 'restriction', 'objection', 'portability', 'grievance')),
  law text not null check (law in ('pdpl_ksa', 'gdpr', 'dpdp')),
  -- Whom, by a keyed hash, and by name, which is encrypted and goes with the person; null: nobody who is known here.
  subject text,
  user_id text,
  source text not null check (source in ('page', 'member')),
  received_on date not null,
  due_on date not null,
  extended_to date,
  -- Why it was refused or takes longer.
  reason text,
  state text not null check (state in ('open', 'verifying', 'done', 'refused')),
  -- Who changed it last.
  handled_by text not null,
  -- The receipts of what answered it.
  export_id text,
  erasure_id text,
  note text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  closed_at timestamptz,
  primary key (workspace_id, id)
);
create index subject_requests_by_subject on subject_requests (workspace_id, subject, id);
create index subject_requests_waiting on subject_requests (workspace_id, coalesce(extended_to, due_on), id) where state in ('open', 'verifying');
