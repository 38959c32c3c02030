-- What people did with messages: who opened a mail, and which of its links they followed.

-- {opens, clicks}: whose are counted; null: of whoever agreed.
alter table workspaces add column message_tracking jsonb;
-- Of a mail whose openings or clicks are counted: the variant that the person got, '' without variants. null: nothing of it is counted.
alter table sends add column tracked_variant text;

-- What was asked for of one message to one person. Neither an address nor the name of a program is kept, only a class.
create table send_responses (
  workspace_id text not null,
  id text not null,
  dispatch_id text not null,
  profile_id text not null,
  -- What the person got; '' without variants.
  variant_id text not null,
  sent_at timestamptz not null,
  -- [{node, at, class}]
  hits jsonb not null,
  -- The verdict that is in the sums and in the events; null: none yet.
  counted jsonb,
  -- When the first hit came that no verdict has looked at.
  open_since timestamptz,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id),
  unique (workspace_id, dispatch_id, profile_id),
  foreign key (workspace_id, dispatch_id) references dispatches (workspace_id, id) on delete cascade,
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);
create index send_responses_due on send_responses (due_at) where due_at is not null;
create index send_responses_by_person on send_responses (workspace_id, profile_id);

-- The sums of a dispatch. node: of a link; '' is the opening. unknown: their mail programs load every picture by themselves.
create table response_counts (
  workspace_id text not null,
  dispatch_id text not null,
  variant_id text not null,
  node text not null,
  people integer not null default 0,
  times integer not null default 0,
  unknown integer not null default 0,
  machines integer not null default 0,
  machine_times integer not null default 0,
  primary key (workspace_id, dispatch_id, variant_id, node),
  foreign key (workspace_id, dispatch_id) references dispatches (workspace_id, id) on delete cascade
);
