-- What paths in messages begin with where no app opens them, such as https://shop.example.com; null: nobody said.
alter table workspaces add column web_address text;

-- Where somebody with approval rights reached this server when they let messages go out: where the links in mails lead while
-- CF_PUBLIC_URL is empty.
create table link_addresses (
  workspace_id text primary key references workspaces (id) on delete cascade,
  address text not null,
  reached_by text not null,
  reached_at timestamptz not null
);
