-- Since when a campaign is shown. The message of somebody it is for already is as old as that, whenever they come.
alter table campaigns add column live_since timestamptz;
update campaigns set live_since = greatest(starts_at, approved_at) where status in ('active', 'test', 'paused');
