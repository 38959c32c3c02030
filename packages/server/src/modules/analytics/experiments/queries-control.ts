/** People as units of control groups: whoever a campaign came to, and whoever it left out. */
import { sql } from 'kysely'
import { MOST_BEFORE } from '@contentflow/core/experiments/cuped.ts'
import { LEFT_OUT, pastOf, REACHED } from '@contentflow/core/experiments/metric.ts'
import type { Db } from '../../../db/open.ts'
import { RUNS } from '../queries-campaigns.ts'
import { whereInBatches, type EventBatch } from '../queries-counts.ts'
import { PAST, PAST_DAYS, readsHistories, type FreshUnit, type StoredExperiment, type Subject } from './queries-units.ts'

/** `changedAt`: whoever was noted since then was noted with this share. */
export type ControlGroup = Subject & { changedAt: Date }

/** Campaigns with a control group of which somebody was noted who was not looked at yet; `id`: only this one. */
export async function listControlGroups(tx: Db, workspaceId: string, id: string | null): Promise<ControlGroup[]> {
  const { rows } = await sql<{ id: string; name: string; percent: number; changedAt: Date }>`
    select id, name, control_percent as percent, updated_at as "changedAt" from campaigns c
    where workspace_id = ${workspaceId} and ${RUNS} and control_percent > 0 and (${id}::text is null or id = ${id})
      and exists (select from campaign_people
        where workspace_id = ${workspaceId} and campaign_id = c.id and run is null and environment = 'live' offset 0)
    order by id`.execute(tx)
  return rows.map(({ id: subjectId, name, percent, changedAt }) => ({
    changedAt,
    id: `control:${subjectId}`,
    subject: 'control',
    subjectId,
    name,
    arms: [
      {
        locale: null,
        variants: [
          { id: REACHED, weight: 100 - percent },
          { id: LEFT_OUT, weight: percent },
        ],
      },
    ],
  }))
}

/**
 * Whoever was noted counts from then on: all of whom there is an event in these batches, and as many others as `limit` says.
 * Whoever was noted before the run began, or when it is decided, counts in none. Says how many were looked at, and of whom the
 * past is in histories.
 */
export async function addPeople(
  tx: Db,
  workspaceId: string,
  experiments: readonly StoredExperiment[],
  { batches, limit }: { batches: readonly EventBatch[]; limit: number },
): Promise<{ noted: number; fresh: FreshUnit[] }> {
  const asked = experiments.map(({ id, run, state, subjectId, startedAt, guardrails, metric, cuped }) => ({
    id,
    run,
    campaign_id: subjectId,
    // The first run has everybody who was noted since control groups are compared.
    since: run > 1 ? startedAt : null,
    is_running: state === 'running',
    metrics: guardrails.length + 1,
    past: (cuped && pastOf(metric)) || null,
  }))
  const acting =
    batches.length === 0
      ? sql`select null::text as profile_id where false`
      : sql`select distinct coalesce((select into_id from absorbed_profiles where workspace_id = ${workspaceId} and profile_id = e.profile_id),
          e.profile_id) as profile_id from events e where ${whereInBatches(workspaceId, batches)} and environment = 'live'`
  const fresh = sql`from campaign_people where workspace_id = ${workspaceId} and campaign_id = a.campaign_id and run is null and environment = 'live'`
  const { rows } = await sql<FreshUnit>`
    with asked as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        as a (id text, run integer, campaign_id text, since timestamptz, is_running boolean, metrics integer, past text)),
    acting as materialized (${acting}),
    fresh as materialized (
      select a.id, a.campaign_id, a.metrics, k.profile_id, k.noted_at as at,
        case when a.is_running and (a.since is null or k.noted_at >= a.since) then a.run else 0 end as run,
        case when k.is_control then ${sql.lit(LEFT_OUT)} else ${sql.lit(REACHED)} end as variant_id,
        case when a.past is not null then least(coalesce(b.x, 0), ${sql.lit(MOST_BEFORE)}) end as x
      from asked a
      cross join lateral (
        (select profile_id, is_control, noted_at ${fresh} and profile_id in (select profile_id from acting))
        union
        (select profile_id, is_control, noted_at ${fresh} limit ${limit})) k
      left join lateral (
        select sum(case a.past ${PAST} end) as x from person_days
        where a.past is not null and workspace_id = ${workspaceId} and profile_id = k.profile_id
          and day < (k.noted_at at time zone 'UTC')::date and day >= (k.noted_at at time zone 'UTC')::date - ${sql.lit(PAST_DAYS)} offset 0) b on true),
    written as (
      update campaign_people set run = fresh.run, y = array_fill(0::double precision, array[fresh.metrics]), x = fresh.x from fresh
      where campaign_people.workspace_id = ${workspaceId} and campaign_people.profile_id = fresh.profile_id
        and campaign_people.campaign_id = fresh.campaign_id),
    added as (
      insert into experiment_counts as c (workspace_id, experiment_id, run, metric, day, variant_id, locale, units, before, before_squares)
      select ${workspaceId}::text, id, run, 0, (at at time zone 'UTC')::date, variant_id, '', count(*), coalesce(sum(x), 0), coalesce(sum(x * x), 0)
      from fresh where run > 0 group by 2, 3, 5, 6 order by 2, 3, 5, 6
      on conflict (workspace_id, experiment_id, run, metric, day, variant_id, locale) do update set units = c.units + excluded.units,
        before = c.before + excluded.before, before_squares = c.before_squares + excluded.before_squares)
    select profile_id as unit, profile_id as "profileId", id, run, variant_id as "variantId", '' as locale, at from fresh`.execute(tx)
  const ids = new Set(experiments.filter(readsHistories).map(({ id }) => id))
  return { noted: rows.length, fresh: rows.filter(({ id, run }) => run > 0 && ids.has(id)) }
}
