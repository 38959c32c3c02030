-- Of a hundred people that a campaign would reach, those who get nothing, so that it is seen what it changes for the others.
alter table campaigns add column control_percent smallint not null default 0 check (control_percent between 0 and 50);

-- Of a campaign with a control group: whoever it came to, and whoever it would have come to had they not been left out.
create table campaign_people (
  workspace_id text not null,
  profile_id text not null,
  campaign_id text not null,
  environment text not null check (environment in ('live', 'test')),
  is_control boolean not null,
  -- By any conversion since then, whatever it names, while the campaign was not over.
  has_converted boolean not null default false,
  noted_at timestamptz not null,
  primary key (workspace_id, profile_id, campaign_id),
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade,
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade
);
create index campaign_people_of_campaign on campaign_people (workspace_id, campaign_id, environment, is_control, has_converted);

-- What waits in apps of campaigns that have been over for a while goes; each says itself when. Those that are over already are looked at once.
create index in_app_messages_of_campaign on in_app_messages (workspace_id, campaign_id) where campaign_id is not null;
update campaigns set due_at = updated_at where status in ('completed', 'expired');
