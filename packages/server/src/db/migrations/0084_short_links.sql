-- Short links of text messages, and until when people who wrote over WhatsApp may be answered in free words.

-- Stands in each short link of the workspace, so that codes are its own; made with the first.
alter table workspaces
  add column link_slug text,
  -- When somebody wrote over WhatsApp for the first time; null: nothing of it is heard, so nobody knows who may be answered.
  add column whatsapp_heard_at timestamptz;
create unique index workspaces_link_slug on workspaces (link_slug);

alter table profiles add column whatsapp_until timestamptz;

create table short_links (
  workspace_id text not null,
  -- Of the dispatch, the person, the place and the address, so that a message that is tried again has the same link.
  id text not null,
  code text not null,
  dispatch_id text not null,
  -- null: the same for everybody whose clicks are not counted.
  profile_id text,
  node text not null,
  -- What the person got, '' without variants; null: nothing of it is counted.
  variant_id text,
  url text not null,
  made_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade
);
create unique index short_links_code on short_links (workspace_id, code);
create index short_links_by_person on short_links (workspace_id, profile_id);
create index short_links_by_age on short_links (expires_at);
