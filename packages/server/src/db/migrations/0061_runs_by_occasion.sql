-- A person may be in a journey several times: a run is of one occasion. Who enters once has occasion 0, a date that comes back has its year.
alter table journey_runs alter column occasion type integer;
alter table journey_runs drop constraint journey_runs_pkey;
alter table journey_runs add primary key (workspace_id, journey_id, profile_id, occasion);
alter table dispatches alter column occasion type integer;
