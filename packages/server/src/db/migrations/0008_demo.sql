-- The workspace whose content the demo shop at /demo/shop shows.
alter table workspaces add column is_demo boolean not null default false;
