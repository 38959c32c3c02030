-- Megabytes of files that the content library of a workspace may hold; null: what every workspace may.
alter table workspaces add column media_megabytes integer;
