-- What a control group changes is compared as variants are. Its units are people: the rows of whom a campaign came to, and
-- whom it left out, say themselves what each did since.
alter table experiments drop constraint experiments_subject_check;
alter table experiments add constraint experiments_subject_check check (subject in ('instance', 'campaign', 'control'));

-- In which run of the comparison they count; 0: in none, as whoever was noted before there was one; null: not looked at yet.
alter table campaign_people add column run integer default 0;
alter table campaign_people alter column run drop default;
-- As of units of experiments: what they did since, by metric, and what they did before.
alter table campaign_people add column y double precision[];
alter table campaign_people add column x double precision;
create index campaign_people_fresh on campaign_people (workspace_id, campaign_id) where run is null;

-- The past of whoever is compared is read from histories, where days of people do not say it.
alter table tracker_uses drop constraint tracker_uses_kind_check;
alter table tracker_uses add constraint tracker_uses_kind_check check (kind in ('segment', 'journey', 'experiment'));
