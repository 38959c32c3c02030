-- What a bootstrap file says of a workspace: of each part the digest of what was applied last, so that the same file changes nothing.
alter table workspaces add column declared jsonb not null default '{}';
