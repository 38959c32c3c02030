-- Comparisons of variants. One exists from the first exposure of a published item or campaign with variants on, or since
-- somebody planned it. Live devices only.
create table experiments (
  workspace_id text not null references workspaces (id) on delete cascade,
  -- <subject>:<subject_id>
  id text not null,
  subject text not null check (subject in ('instance', 'campaign')),
  subject_id text not null,
  name text not null,
  hypothesis text not null default '',
  -- {event, of, days, namesIt}; [{metric, mustNot, margin}]; {baseline, relativeEffect, perVariant, total}.
  metric jsonb not null,
  guardrails jsonb not null default '[]',
  plan jsonb,
  state text not null default 'running' check (state in ('running', 'decided')),
  -- Grows when variants or weights are others: what was seen before says nothing of them.
  run integer not null default 1,
  -- [{locale, variants: [{id, weight}]}] of this run; locale null: of all. Null: nothing was exposed yet.
  arms jsonb,
  -- When it was first exposed, in this run.
  started_at timestamptz,
  -- When the planned size was reached, and what the one reading said when the days of the outcome had passed since.
  full_at timestamptz,
  reading jsonb,
  -- {variant, note, at, by}
  decision jsonb,
  created_at timestamptz not null,
  due_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  attempts integer not null default 0,
  primary key (workspace_id, id)
);
create index experiments_due on experiments (due_at) where due_at is not null;

-- Devices that were exposed, each once in a run. Live ones. They go with erasure and with the days of events that are kept.
create table experiment_units (
  workspace_id text not null,
  device_id text not null,
  experiment_id text not null,
  run integer not null,
  variant_id text not null,
  locale text not null,
  exposed_at timestamptz not null,
  -- Of the exposure, UTC.
  day date not null,
  -- What it did since, by metric: the first, then the guardrails.
  y double precision[] not null,
  primary key (workspace_id, device_id, experiment_id, run),
  foreign key (workspace_id, experiment_id) references experiments (workspace_id, id) on delete cascade
);
create index experiment_units_of_experiment on experiment_units (workspace_id, experiment_id);
create index experiment_units_by_day on experiment_units using brin (day);

-- What units add up to, under the day it was counted for. Names nobody, so it stays when units go.
create table experiment_counts (
  workspace_id text not null,
  experiment_id text not null,
  run integer not null,
  -- 0: exposures; 1: the metric; 2 and more: guardrails.
  metric smallint not null,
  day date not null,
  variant_id text not null,
  locale text not null,
  -- Units exposed; those that did anything; sums of what each did, and of its square.
  units bigint not null default 0,
  did bigint not null default 0,
  sum double precision not null default 0,
  squares double precision not null default 0,
  primary key (workspace_id, experiment_id, run, metric, day, variant_id, locale),
  foreign key (workspace_id, experiment_id) references experiments (workspace_id, id) on delete cascade
);
