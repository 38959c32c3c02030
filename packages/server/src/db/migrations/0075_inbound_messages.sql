-- What people answered to text messages; kept for 30 days. Of several people with one number each has a row.
create table inbound_messages (
  workspace_id text not null,
  -- Of the provider's id and the person, so that a repeat is the same row.
  id text not null,
  channel_id text not null,
  channel text not null check (channel in ('sms', 'whatsapp')),
  profile_id text not null,
  keyword text check (keyword in ('stop', 'start', 'help')),
  body text not null,
  at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);
create index inbound_messages_newest on inbound_messages (workspace_id, at desc, id desc);
create index inbound_messages_by_person on inbound_messages (workspace_id, profile_id, at desc);
create index inbound_messages_by_age on inbound_messages (at);
