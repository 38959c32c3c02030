-- What a workspace holds of what a process holds whole, in bytes: at most so many. Counted up by each write, and made exact again
-- when it comes near what the workspace may hold.
create table workspace_sizes (
  workspace_id text primary key references workspaces (id) on delete cascade,
  bytes bigint not null
);
-- What it may hold; null: what every workspace may.
alter table workspaces add column content_megabytes integer;
