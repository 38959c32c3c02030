-- Whether a draft saved itself: only what saved itself is replaced by what saves itself next. Of older rows nobody knows: they stay.
alter table journey_versions add column autosaved boolean not null default false;
alter table campaign_events add column autosaved boolean not null default false;
