-- When the last signal was given. Saves that wake no stream move changed_at on, and leave this as it is.
alter table content_heads add column signalled_at timestamptz;
update content_heads set signalled_at = changed_at where signal is not null;
