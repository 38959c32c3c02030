-- What a campaign held when it was approved last: what the next one who approves compares it with, also after it was a draft again.
create table campaign_approvals (
  workspace_id text not null,
  campaign_id text not null,
  -- {content, segments, schedule, dispatchChannels}
  held jsonb not null,
  hash text not null,
  approved_by text not null,
  approved_at timestamptz not null,
  primary key (workspace_id, campaign_id),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade
);
