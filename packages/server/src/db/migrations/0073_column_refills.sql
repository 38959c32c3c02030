-- Properties that reports ask for since somebody said so: the columns of the days before are built again with them.
alter table event_properties add column filled_from date;
comment on column event_properties.filled_from is 'The first day (UTC) since which the columns have it; null: not yet, or it has none';
alter table roll_ups drop constraint roll_ups_id_check;
alter table roll_ups add constraint roll_ups_id_check check (id in ('people', 'retention', 'event_ids', 'columns', 'refill'));
insert into roll_ups (workspace_id, id, due_at)
  select distinct workspace_id, 'refill', statement_timestamp() from event_properties where use <> 'none';
