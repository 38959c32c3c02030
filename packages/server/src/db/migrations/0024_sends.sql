-- What is sent: one row for each message of a source (a campaign, a step of a journey, a one-off message) over one channel.
create table dispatches (
  workspace_id text not null references workspaces (id) on delete cascade,
  id text not null,
  source text not null check (source in ('campaign', 'journey', 'notification')),
  source_id text not null,
  -- Of a journey; otherwise ''.
  step text not null default '',
  channel text not null check (channel in ('email', 'sms', 'whatsapp', 'push', 'in_app')),
  -- For people: what the source is called.
  name text not null,
  -- {content, segments, window}: what is said in which language, to whom, and when it may leave.
  message jsonb not null,
  -- missed: 24 hours late. stopped: its source pauses or is over.
  state text not null check (state in ('waiting', 'expanding', 'sending', 'done', 'missed', 'stopped')),
  -- The person up to whom the audience was written down; and how many of them the message is for, up to 25,000.
  cursor text,
  taken integer not null default 0,
  -- When its window opens, for as long as it waits.
  starts_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id)
);
create unique index dispatches_of_source on dispatches (workspace_id, source, source_id, step, channel);
create index dispatches_due on dispatches (due_at) where due_at is not null;

-- The ledger: a person gets a message of a source over a channel at most once, because that is the key.
create table sends (
  workspace_id text not null,
  dispatch_id text not null,
  profile_id text not null,
  -- skipped: why is in `reason`; failed: in `reason` too, in the provider's words or as `interrupted`.
  state text not null check (state in ('due', 'sending', 'sent', 'failed', 'skipped')),
  reason text,
  -- Tries so far; and the installs that were reached or never will be, of a push.
  tries smallint not null default 0,
  settled_installs text[],
  -- Under which lease of its dispatch it is being sent.
  lease uuid,
  -- Over which channel, while it is.
  channel_id text,
  provider text,
  provider_id text,
  -- What the provider told later: delivered, bounced, complained.
  told text,
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, dispatch_id, profile_id),
  foreign key (workspace_id, dispatch_id) references dispatches (workspace_id, id) on delete cascade,
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
) with (fillfactor = 80);
create index sends_due on sends (workspace_id, dispatch_id, due_at) where due_at is not null;
-- What one person got, newest first; also how many of today.
create index sends_by_person on sends (workspace_id, profile_id, created_at desc);
create index sends_by_provider_id on sends (workspace_id, provider_id) where provider_id is not null;

-- A provider that fails again and again gets one message a minute until one is taken.
alter table channels
  add column failed_in_a_row integer not null default 0,
  add column paused_at timestamptz,
  -- What the provider said last, when it took a message last, and when a message was last refused.
  add column failure text,
  add column failed_at timestamptz,
  add column sent_at timestamptz;

-- Contacts that a provider says are never reached: {email, phone}, each as {contact, reason, at}. A new contact is open again.
alter table profiles add column closed_contacts jsonb not null default '{}';

-- In-app messages, whose first columns were there before what makes them.
alter table in_app_messages
  add column journey_id text,
  add column step_id text,
  -- By locale; null of a campaign, which has its own.
  add column content jsonb,
  -- Null: when its campaign ends, or 7 days after it was made.
  add column expires_at timestamptz;
