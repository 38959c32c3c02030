-- A campaign: who is told what, where, when, and how far its approval has come.
create table campaigns (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  name text not null,
  type text not null,
  priority integer not null,
  -- Names, exact; `All users` is everybody, none is nobody.
  segments text[] not null,
  -- {startTime, endTime?, timezone?, prayerBlackout?}
  schedule jsonb not null,
  -- By locale.
  content jsonb not null,
  dispatch_channels text[] not null,
  status text not null check (status in
    ('draft', 'pending_review', 'approved', 'scheduled', 'active', 'test', 'paused', 'completed', 'expired', 'rejected')),
  -- What resuming leads back to.
  paused_from text check (paused_from in ('scheduled', 'active', 'test')),
  created_by text not null,
  submitted_by text,
  submitted_at timestamptz,
  approved_by text,
  approved_at timestamptz,
  rejection_note text,
  -- What the approval was given to: {hash, segments: [{name, hash}]}; null while nothing is approved.
  seal jsonb,
  -- What its content says of the person it is shown to (G-50).
  tokens text[] not null default '{}',
  -- Grows with every change.
  version integer not null default 1,
  starts_at timestamptz not null,
  ends_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id),
  check ((status = 'paused') = (paused_from is not null))
);
create index campaigns_due on campaigns (due_at) where due_at is not null;
create index campaigns_by_status on campaigns (workspace_id, status);

-- What happened to a campaign: never changed.
create table campaign_events (
  workspace_id text not null,
  campaign_id text not null,
  number integer not null,
  action text not null,
  from_status text,
  to_status text,
  -- Of what it held then; of an approval what was approved.
  content_hash text not null,
  note text,
  made_by text not null,
  made_at timestamptz not null,
  primary key (workspace_id, campaign_id, number),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade
);

-- Changes that wait for a second person (G-53): the members that are to be others.
create table campaign_edits (
  workspace_id text not null,
  id text not null,
  campaign_id text not null,
  changes jsonb not null,
  -- What the campaign was when it was asked for.
  base_version integer not null,
  -- withdrawn: the campaign went where nothing waits.
  status text not null check (status in ('pending', 'approved', 'rejected', 'withdrawn')),
  requested_by text not null,
  requested_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  note text,
  primary key (workspace_id, id),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade
);
create index campaign_edits_of_campaign on campaign_edits (workspace_id, campaign_id, id);
create index campaign_edits_pending on campaign_edits (workspace_id, id) where status = 'pending';

-- One-time codes to go live with (G-54).
create table campaign_codes (
  workspace_id text not null,
  campaign_id text not null,
  account_id text not null,
  hash text not null,
  wrong_tries integer not null default 0,
  expires_at timestamptz not null,
  primary key (workspace_id, campaign_id, account_id),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade
);

-- Who may let a campaign go live besides its approval; and whether what segments mean is part of what is approved.
alter table workspaces
  add column launch_protection text not null default 'off' check (launch_protection in ('off', 'admin', 'otp')),
  add column seals_audience boolean not null default false;
