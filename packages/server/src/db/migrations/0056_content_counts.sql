-- What people did with each instance, by day, by the variant that the weights of that moment gave the device, and by the language
-- the device asked for last; empty: without a variant, or no language.
create table content_counts (
  workspace_id text not null references workspaces (id) on delete cascade,
  instance_id text not null,
  environment text not null check (environment in ('live', 'test')),
  day date not null,
  variant_id text not null,
  locale text not null,
  impressions bigint not null,
  clicks bigint not null,
  dismissals bigint not null,
  conversions bigint not null,
  primary key (workspace_id, instance_id, environment, day, variant_id, locale)
);
