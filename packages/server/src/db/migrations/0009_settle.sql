-- When a segment was last worked out to the end, until those who were being written at that moment are looked at again.
alter table segments add column settle_from timestamptz;
create index segments_settle on segments (settle_from) where settle_from is not null;
