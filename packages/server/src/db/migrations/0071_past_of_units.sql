-- Whether what units did before they were exposed is taken out of what they did after.
alter table experiments add column cuped boolean not null default false;
-- What the person of the unit did in the 90 days before, of what the metric counts, cut at 1,000; null: not asked for.
alter table experiment_units add column x double precision;
-- Of exposures: sums of that, and of its square. Of the metric: the sum of it times what the unit did since.
alter table experiment_counts
  add column before double precision not null default 0,
  add column before_squares double precision not null default 0,
  add column products double precision not null default 0;
