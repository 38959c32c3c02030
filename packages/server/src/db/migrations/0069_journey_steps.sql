-- Steps of journeys that tell an endpoint, and that write attributes.

-- Whom a delivery of a journey is about: it goes with the person. Such a delivery has an id of its run and step, so the newest are
-- found by when they were made.
alter table webhook_deliveries add column profile_id text;
alter table webhook_deliveries
  add constraint webhook_deliveries_person foreign key (workspace_id, profile_id) references profiles (workspace_id, id) on delete cascade;
create index webhook_deliveries_by_person on webhook_deliveries (workspace_id, profile_id);
drop index webhook_deliveries_of;
create index webhook_deliveries_of on webhook_deliveries (workspace_id, endpoint_id, created_at, id);

-- For whom a step did nothing: no endpoint was there, or nothing to write.
alter table journey_step_counts add column skipped bigint not null default 0;

-- What a journey writes is one load for each length of time that its values stay; 0: they do not end. Once it is taken back, the
-- journey begins another.
alter table uploads drop constraint uploads_kind_check;
alter table uploads
  add constraint uploads_kind_check check (kind in ('staged', 'simple', 'journey')),
  add column journey_id text,
  add column journey_days integer;
create unique index uploads_of_journey on uploads (workspace_id, journey_id, journey_days) where kind = 'journey' and status = 'completed';
