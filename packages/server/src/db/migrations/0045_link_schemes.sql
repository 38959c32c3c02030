-- Schemes of links that a workspace takes besides those of the web, mail and phones: an array of names. Null: every scheme that is
-- not refused everywhere.
alter table workspaces add column link_schemes jsonb;
