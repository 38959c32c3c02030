-- Whether a draft saved itself: only what saved itself is replaced by what saves itself next. Of older rows nobody knows: they stay.
alter table journey_versions add column autosaved boolean not null default false;
alter table campaign_events add column autosaved boolean not null default false;

-- A draft that is stored though something is missing in it: nothing of it runs before it is complete.
alter table journeys add column incomplete boolean not null default false;
alter table journeys add constraint journeys_incomplete_are_drafts check (not incomplete or status = 'draft');
