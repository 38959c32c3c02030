-- Devices that did something with a campaign, each once: by its first event it saw the campaign, and no later one makes it two.
create table campaign_devices (
  workspace_id text not null,
  device_id text not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text not null,
  -- Of its first event, UTC: it goes with the events of that day.
  day date not null,
  has_clicked boolean not null,
  has_converted boolean not null,
  primary key (workspace_id, device_id, environment, campaign_id),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade
);
create index campaign_devices_of_campaign on campaign_devices (workspace_id, campaign_id);
create index campaign_devices_by_day on campaign_devices using brin (day);

-- How many there are, by what they were shown. Names nobody, so it stays when devices go.
create table campaign_counts (
  workspace_id text not null,
  campaign_id text not null,
  environment text not null check (environment in ('live', 'test')),
  -- Empty: the content without a variant, or without a language that it has.
  variant_id text not null,
  locale text not null,
  seen bigint not null default 0,
  clicked bigint not null default 0,
  converted bigint not null default 0,
  primary key (workspace_id, campaign_id, environment, variant_id, locale),
  foreign key (workspace_id, campaign_id) references campaigns (workspace_id, id) on delete cascade
);
