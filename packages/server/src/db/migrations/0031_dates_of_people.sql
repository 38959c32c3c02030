-- Which time of a date that comes back every year: its year. 0: of anything else, which takes a person once.
alter table journey_runs add column occasion smallint not null default 0;

-- A message of a step is of one time: who is greeted again the next year is a new line of the ledger.
alter table dispatches add column occasion smallint not null default 0;
drop index dispatches_of_source;
create unique index dispatches_of_source on dispatches (workspace_id, source, source_id, step, occasion, channel);
