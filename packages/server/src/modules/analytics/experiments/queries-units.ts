/** Units of experiments: exposed once in a run, with sums of what they did since. Devices; of control groups people. */
import { sql, type RawBuilder } from 'kysely'
import type { TrackedEvent, Where } from '@contentflow/core/behaviour/where.ts'
import { COUNTED_TYPES, COUNTS } from '@contentflow/core/events/counted-as.ts'
import { MOST_BEFORE } from '@contentflow/core/experiments/cuped.ts'
import type { Arm } from '@contentflow/core/experiments/arms.ts'
import {
  defaultMetricOf,
  LEFT_OUT,
  pastOf,
  REACHED,
  type ExperimentSubject,
  type Guardrail,
  type Metric,
} from '@contentflow/core/experiments/metric.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Db } from '../../../db/open.ts'
import { RUNS, type TextPick } from '../queries-campaigns.ts'
import { whereInBatches, type EventBatch } from '../queries-counts.ts'

export type Subject = { id: string; subject: ExperimentSubject; subjectId: string; name: string; arms: Arm[] }
export type StoredExperiment = Omit<Subject, 'name' | 'arms'> & {
  state: 'running' | 'decided'
  run: number
  arms: Arm[] | null
  startedAt: Date | null
  metric: Metric
  guardrails: Guardrail[]
  cuped: boolean
}

/** The live items with variants that were shown in these batches. */
export async function listTouchedInstances(tx: Db, workspaceId: string, batches: readonly EventBatch[]): Promise<Subject[]> {
  const { rows } = await sql<{ id: string; title: string; variants: Arm['variants'] }>`
    select i.id, i.title, r.content -> 'variants' as variants from block_instances i
    join instance_revisions r on r.workspace_id = ${workspaceId} and r.instance_id = i.id and r.number = i.live_revision
    where i.workspace_id = ${workspaceId} and i.id in (
        select instance_id from events where ${whereInBatches(workspaceId, batches)} and instance_id is not null
          and environment = 'live' and type = 'impression')
      and jsonb_array_length(r.content -> 'variants') > 1
    order by i.id`.execute(tx)
  return rows.map(({ id, title, variants }) => ({
    id: `instance:${id}`,
    subject: 'instance',
    subjectId: id,
    name: title,
    arms: [{ locale: null, variants: variants.map(({ id: variant, weight }) => ({ id: variant, weight })) }],
  }))
}

/** After the last days of any metric nothing that somebody does is of a campaign that is over. */
const OVER_MS = 31 * DAY_MS

/** These, and all that look at events which do not name them; `at`: of the events. */
export async function listExperiments(tx: Db, workspaceId: string, ids: readonly string[], at: Date): Promise<StoredExperiment[]> {
  const { rows } = await sql<StoredExperiment>`
    select id, subject, subject_id as "subjectId", state, run, arms, started_at as "startedAt", metric, guardrails, cuped from experiments
    where workspace_id = ${workspaceId} and (id = any(${ids}::text[])
      or state = 'running' and arms is not null and (metric ->> 'namesIt' = 'false' or jsonb_array_length(guardrails) > 0)
        and (subject <> 'control' or exists (select from campaigns c where c.workspace_id = ${workspaceId} and c.id = subject_id
          and (${RUNS} or c.updated_at > ${new Date(at.getTime() - OVER_MS)}))))
    order by id`.execute(tx)
  return rows
}

type Run = Subject & { run: number; at: Date }

/** It is due at once, which finds out whether a reading was planned. */
export async function saveRun(tx: Db, workspaceId: string, { id, subject, subjectId, name, arms, run, at }: Run): Promise<void> {
  const metric = defaultMetricOf(subject)
  await sql`
    insert into experiments (workspace_id, id, subject, subject_id, name, metric, run, arms, started_at, created_at)
    values (${workspaceId}, ${id}, ${subject}, ${subjectId}, ${name}, ${JSON.stringify(metric)}, ${run}, ${JSON.stringify(arms)}, ${at}, ${at})
    on conflict (workspace_id, id) do update set run = excluded.run, arms = excluded.arms, started_at = excluded.started_at,
      state = 'running', full_at = null, reading = null, decision = null, told = '{}',
      due_at = case when experiments.plan is null then null else excluded.started_at end`.execute(tx)
}

/** Each is looked at within the hour, unless it is due already. */
export async function lookSoon(tx: Db, workspaceId: string, ids: readonly string[], dueAt: Date): Promise<void> {
  await sql`
    update experiments set due_at = ${dueAt}
    where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[]) and due_at is null and state = 'running'`.execute(tx)
}

/** The first four bytes of SHA-256 as a number from 0, as `hash32` reads them (G-73). */
const BUCKET = sql`('x' || encode(substring(sha256(convert_to(a.device_id || ':' || a.subject_id, 'UTF8')) from 1 for 4), 'hex'))::bit(32)::bigint`

/** Of a person, whole days (UTC) before that of the exposure. */
export const PAST_DAYS = 90
export const PAST = sql.join(
  [...COUNTS, 'value'].map((name) => sql`when ${sql.lit(name)} then ${sql.ref(name)}`),
  sql` `,
)

/** A unit of which the past is read from the history of its person, who is null when nobody is known. */
export type FreshUnit = { unit: string; profileId: string | null; id: string; run: number; variantId: string; locale: string; at: Date }

/** Whether the past of the units of an experiment is in histories. */
export const readsHistories = ({ cuped, metric }: StoredExperiment): boolean => cuped && pastOf(metric) === undefined

/**
 * Devices that these events expose for the first time in a run: an impression of an item, any counted event of a campaign.
 * Answers those of which the past is in histories.
 */
export async function addUnits(
  tx: Db,
  workspaceId: string,
  batches: readonly EventBatch[],
  { experiments, picks }: { experiments: readonly StoredExperiment[]; picks: readonly TextPick[] },
): Promise<FreshUnit[]> {
  const counted = COUNTS.flatMap((count) => COUNTED_TYPES[count])
  const asked = experiments.map((experiment) => ({
    id: experiment.id,
    run: experiment.run,
    subject: experiment.subject,
    subject_id: experiment.subjectId,
    metrics: experiment.guardrails.length + 1,
    past: (experiment.cuped && pastOf(experiment.metric)) || null,
  }))
  const tags = [...new Set(picks.map(({ tag }) => tag))]
  const { rows } = await sql<FreshUnit>`
    with asked as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as a (id text, run integer, subject text, subject_id text, metrics integer, past text)),
    named as materialized (
      select instance_id, campaign_id, device_id, type, received_at from events
      where ${whereInBatches(workspaceId, batches)} and environment = 'live' and type = any(${counted}::text[])
        and (instance_id is not null or campaign_id is not null)),
    acted as materialized (
      select a.id, a.run, a.subject, a.subject_id, a.metrics, a.past, n.device_id, min(n.received_at) as at
      from asked a join named n on a.subject = 'instance' and n.instance_id = a.subject_id and n.type = 'impression'
        or a.subject = 'campaign' and n.campaign_id = a.subject_id
      group by 1, 2, 3, 4, 5, 6, 7),
    placed as materialized (
      select a.*, d.profile_id, v.variant_id, case a.subject when 'campaign' then coalesce(p.locale, '') else coalesce(d.locale, '') end as locale,
        case when a.past is not null then least(coalesce(b.x, 0), ${sql.lit(MOST_BEFORE)}) end as x
      from (select a.*, ${BUCKET} as bucket from acted a) a
      left join lateral (
        select locale, profile_id from devices where workspace_id = ${workspaceId} and device_id = a.device_id offset 0) d on true
      left join lateral (
        select sum(case a.past ${PAST} end) as x from person_days
        where a.past is not null and workspace_id = ${workspaceId} and profile_id = d.profile_id
          and day < (a.at at time zone 'UTC')::date and day >= (a.at at time zone 'UTC')::date - ${sql.lit(PAST_DAYS)} offset 0) b on true
      left join jsonb_to_recordset(${JSON.stringify(picks)}::jsonb) as p (campaign_id text, tag text, locale text)
        on a.subject = 'campaign' and p.campaign_id = a.subject_id
          and p.tag = case when d.locale = any(${tags}::text[]) then d.locale else '' end
      join jsonb_to_recordset(${JSON.stringify(experiments.flatMap(slicesOf))}::jsonb)
          as v (id text, locale text, variant_id text, low bigint, high bigint, total bigint)
        on v.id = a.id and (v.locale is null or v.locale = p.locale) and a.bucket % v.total >= v.low and a.bucket % v.total < v.high
      left join lateral (
        select device_id from experiment_units where workspace_id = ${workspaceId} and device_id = a.device_id
          and experiment_id = a.id and run = a.run offset 0) u on true
      where u.device_id is null),
    written as (
      insert into experiment_units (workspace_id, device_id, experiment_id, run, variant_id, locale, exposed_at, day, y, x)
      select ${workspaceId}, device_id, id, run, variant_id, locale, at, (at at time zone 'UTC')::date,
        array_fill(0::double precision, array[metrics]), x
      from placed order by device_id, id),
    added as (
      insert into experiment_counts as c (workspace_id, experiment_id, run, metric, day, variant_id, locale, units, before, before_squares)
      select ${workspaceId}::text, id, run, 0, (at at time zone 'UTC')::date, variant_id, locale, count(*), coalesce(sum(x), 0), coalesce(sum(x * x), 0)
      from placed group by 2, 3, 4, 5, 6, 7 order by 2, 3, 5, 6, 7
      on conflict (workspace_id, experiment_id, run, metric, day, variant_id, locale) do update set units = c.units + excluded.units,
        before = c.before + excluded.before, before_squares = c.before_squares + excluded.before_squares)
    select device_id as unit, profile_id as "profileId", id, run, variant_id as "variantId", locale, at from placed
    where profile_id is not null and id = any(${experiments.filter(readsHistories).map(({ id }) => id)}::text[])`.execute(tx)
  return rows
}

/** What units did before, of one experiment. */
export async function addPasts(
  tx: Db,
  workspaceId: string,
  units: Units,
  pasts: readonly (FreshUnit & { subjectId: string; x: number })[],
): Promise<void> {
  const { table, id, of } = TABLES[units]
  const rows = pasts.map(({ unit, subjectId, id: experiment, run, variantId, locale, at, x }) => {
    return { unit, experiment_id: experiment, campaign_id: subjectId, run, variant_id: variantId, locale, at, x }
  })
  await sql`
    with known as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as k (
        unit text, experiment_id text, campaign_id text, run integer, variant_id text, locale text, at timestamptz, x double precision)),
    written as (
      update ${table} set x = known.x from known
      where ${table}.workspace_id = ${workspaceId} and ${table}.${id} = known.unit and ${table}.${of} = known.${of} and ${table}.run = known.run)
    insert into experiment_counts as c (workspace_id, experiment_id, run, metric, day, variant_id, locale, before, before_squares)
    select ${workspaceId}::text, experiment_id, run, 0, (at at time zone 'UTC')::date, variant_id, locale, sum(x), sum(x * x)
    from known group by 2, 3, 5, 6, 7 order by 2, 3, 5, 6, 7
    on conflict (workspace_id, experiment_id, run, metric, day, variant_id, locale) do update
      set before = c.before + excluded.before, before_squares = c.before_squares + excluded.before_squares`.execute(tx)
}

function slicesOf({ id, arms }: StoredExperiment) {
  return (arms ?? []).flatMap(({ locale, variants }) => {
    const total = variants.reduce((sum, { weight }) => sum + weight, 0)
    let high = 0
    return variants.flatMap((variant) => {
      const low = high
      high += variant.weight
      return variant.weight > 0 ? [{ id, locale, variant_id: variant.id, low, high, total }] : []
    })
  })
}

/**
 * What one metric of a run looks at. `subject` empty: whatever the event names. `where`: judged of each event, not by SQL.
 * `units`: who did it; of people `subject_id` is the campaign.
 */
export type Outcome = {
  experiment_id: string
  run: number
  type: string
  units: Units
  subject: 'instance' | 'campaign' | ''
  subject_id: string
  kind: Metric['of']
  seconds: number
  where?: Where | undefined
}

/** What a unit did is cut here, so that its square is a number too and one absurd value is not the whole mean. */
const MOST = 1_000_000_000

const askedRows = (asked: readonly Outcome[]) => sql`
  select * from jsonb_to_recordset(${JSON.stringify(asked.map((outcome, index) => ({ ...outcome, asked: index })))}::jsonb)
    as a (asked integer, experiment_id text, run integer, type text, subject text, subject_id text, kind text, seconds bigint)`

/** Of these outcomes all are of devices, or all of people. */
type Asked = { place: number; asked: readonly Outcome[] }

/** Adds to what units did, and to the sums, what these events say of one metric. `place`: from 1. */
export async function addOutcomes(tx: Db, workspaceId: string, batches: readonly EventBatch[], { place, asked }: Asked): Promise<void> {
  const types = [...new Set(asked.map(({ type }) => type))]
  const units = unitsOf(asked)
  await addMet(
    tx,
    workspaceId,
    { place, units },
    sql`
    asked as materialized (${askedRows(asked)}),
    happened as materialized (
      select ${actorOf(workspaceId, units)} as unit, type, instance_id, campaign_id, received_at, value from events e
      where ${whereInBatches(workspaceId, batches)} and environment = 'live' and type = any(${types}::text[])),
    met as materialized (
      select h.unit, h.received_at, h.value, a.experiment_id, a.run, a.subject_id, a.kind, a.seconds
      from happened h join asked a on a.type = h.type and (a.subject = ''
        or a.subject = 'instance' and h.instance_id = a.subject_id or a.subject = 'campaign' and h.campaign_id = a.subject_id))`,
  )
}

/** An event that met the conditions of the outcome at this index. */
export type Matched = { asked: number; unit: string; received_at: string; value: number | null }

/** The same of events that were judged one by one. */
export async function addMatched(
  tx: Db,
  workspaceId: string,
  { place, asked, matched }: Asked & { matched: readonly Matched[] },
): Promise<void> {
  await addMet(
    tx,
    workspaceId,
    { place, units: unitsOf(asked) },
    sql`
    asked as materialized (${askedRows(asked)}),
    met as materialized (
      select m.unit, m.received_at, m.value, a.experiment_id, a.run, a.subject_id, a.kind, a.seconds
      from jsonb_to_recordset(${JSON.stringify(matched)}::jsonb)
        as m (asked integer, unit text, received_at timestamptz, value double precision)
      join asked a on a.asked = m.asked)`,
  )
}

export type UnitEvent = TrackedEvent & { type: string; unit: string; receivedAt: string }

/** The live events of these batches that such an outcome may be about, of whoever is a unit of its experiment. */
export async function listUnitEvents(
  tx: Db,
  workspaceId: string,
  batches: readonly EventBatch[],
  asked: readonly Outcome[],
): Promise<UnitEvent[]> {
  const units = unitsOf(asked)
  const ids = [...new Set(asked.map(({ experiment_id, subject_id }) => (units === 'people' ? subject_id : experiment_id)))]
  const { rows } = await sql<UnitEvent>`
    select e.type, e.unit, e.received_at::text as "receivedAt", (extract(epoch from e.received_at) * 1000)::bigint as at,
      e.value, e.currency, e.block_key as "blockKey", e.instance_id as "instanceId", e.campaign_id as "campaignId", e.screen,
      e.fence_id as "fenceId", e.platform, e.session_id as "sessionId", e.properties
    from (select e.*, ${actorOf(workspaceId, units)} as unit from events e where ${whereInBatches(workspaceId, batches)}
      and environment = 'live' and type = any(${[...new Set(asked.map(({ type }) => type))]}::text[])) e
    where exists (
      select from ${TABLES[units].table} u where u.workspace_id = ${workspaceId} and u.${TABLES[units].id} = e.unit
        and u.${TABLES[units].of} = any(${ids}::text[]))`.execute(tx)
  return rows
}

/** Who is compared, and where what each did since is kept. */
export type Units = 'devices' | 'people'
const TABLES = {
  devices: {
    table: sql.raw('experiment_units'),
    id: sql.raw('device_id'),
    of: sql.raw('experiment_id'),
    row: sql`variant_id, locale, exposed_at`,
  },
  people: {
    table: sql.raw('campaign_people'),
    id: sql.raw('profile_id'),
    of: sql.raw('campaign_id'),
    row: sql`case when is_control then ${sql.lit(LEFT_OUT)} else ${sql.lit(REACHED)} end as variant_id, '' as locale, noted_at as exposed_at`,
  },
} as const

const unitsOf = ([first]: readonly Outcome[]): Units => first?.units ?? 'devices'

/** Of the event `e`: its device, or who it belongs to now. */
function actorOf(workspaceId: string, units: Units): RawBuilder<string> {
  if (units === 'devices') return sql<string>`e.device_id`
  return sql<string>`coalesce((
    select into_id from absorbed_profiles where workspace_id = ${workspaceId} and profile_id = e.profile_id), e.profile_id)`
}

/** `met`: the parts of the statement that end with the events that count, as a table of that name. */
async function addMet(
  tx: Db,
  workspaceId: string,
  { place, units }: { place: number; units: Units },
  met: RawBuilder<unknown>,
): Promise<void> {
  const y = sql`y[${sql.lit(place)}]`
  const { table, id, of, row } = TABLES[units]
  const named = units === 'people' ? sql.raw('subject_id') : of
  await sql`
    with ${met},
    hits as materialized (
      select m.unit, m.experiment_id, m.subject_id, m.run, u.variant_id, u.locale, u.before, u.x, m.kind,
        (min(m.received_at) at time zone 'UTC')::date as day, count(*) as n,
        sum(greatest(least(coalesce(m.value, 0), ${sql.lit(MOST)}), ${sql.lit(-MOST)})) as value
      from met m
      join lateral (
        select * from (
          select ${row}, coalesce(${y}, 0) as before, ${place === 1 ? sql`coalesce(x, 0)` : sql.lit(0)} as x from ${table}
          where workspace_id = ${workspaceId} and ${id} = m.unit and ${of} = m.${named} and run = m.run offset 0) u
        where exposed_at <= m.received_at and extract(epoch from m.received_at - exposed_at) < m.seconds offset 0) u on true
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9),
    changed as materialized (
      select * from (
        select h.*, case kind when 'people' then 1 when 'count' then before + n
          else greatest(least(before + value, ${sql.lit(MOST)}), ${sql.lit(-MOST)}) end as after from hits h) h
      where after <> before),
    written as (
      update ${table} set ${y} = changed.after from changed
      where ${table}.workspace_id = ${workspaceId} and ${table}.${id} = changed.unit
        and ${table}.${of} = changed.${named} and ${table}.run = changed.run)
    insert into experiment_counts as c (workspace_id, experiment_id, run, metric, day, variant_id, locale, did, sum, squares, products)
    select ${workspaceId}::text, experiment_id, run, ${sql.lit(place)}::smallint, day, variant_id, locale,
      sum((after <> 0)::integer - (before <> 0)::integer), sum(after - before), sum(after * after - before * before), sum(x * (after - before))
    from changed group by 2, 3, 4, 5, 6, 7 order by 2, 3, 5, 6, 7
    on conflict (workspace_id, experiment_id, run, metric, day, variant_id, locale) do update
      set did = c.did + excluded.did, sum = c.sum + excluded.sum, squares = c.squares + excluded.squares, products = c.products + excluded.products`.execute(
    tx,
  )
}
