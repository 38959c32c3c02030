-- The protections of a workspace that are on, by name.
alter table workspaces add column protections jsonb not null default '{}';
