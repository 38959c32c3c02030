/** What people did with instances, by variant and language: counted with the events that say so, read as few rows. */
import { sql } from 'kysely'
import { COUNTS, type Count } from '@contentflow/core/events/counted-as.ts'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { isCountedType, whereInBatches, type EventBatch } from './queries-counts.ts'

const COLUMNS = sql.raw(COUNTS.join(', '))

/** The first four bytes of SHA-256 as a number from 0, as `hash32` reads them (G-73). */
const BUCKET = sql`('x' || encode(substring(sha256(convert_to(e.device_id || ':' || e.instance_id, 'UTF8')) from 1 for 4), 'hex'))::bit(32)::bigint`

/** By the content that is served now: what was counted before an edit of weights stays where it was counted. */
export async function addContentCounts(tx: Db, workspaceId: string, batches: readonly EventBatch[]): Promise<void> {
  const counted = COUNTS.map((count) => sql`count(*) filter (where ${isCountedType(sql`e.type`, count)}) as ${sql.ref(count)}`)
  await sql`
    with named as materialized (
      select environment, instance_id, device_id, type, (received_at at time zone 'UTC')::date as day from events
      where ${whereInBatches(workspaceId, batches)} and instance_id is not null
        and (${sql.join(
          COUNTS.map((count) => isCountedType(sql`type`, count)),
          sql` or `,
        )})),
    weights as materialized (
      select i.id, v.environment, variant.value ->> 'id' as variant_id, (variant.value ->> 'weight')::bigint as weight,
        sum((variant.value ->> 'weight')::bigint) over (partition by i.id, v.environment) as total,
        sum((variant.value ->> 'weight')::bigint) over (partition by i.id, v.environment order by variant.place) as high
      from block_instances i
      cross join (values ('live'), ('test')) as v (environment)
      join instance_revisions r on r.workspace_id = ${workspaceId} and r.instance_id = i.id
        and r.number = case v.environment when 'live' then i.live_revision else coalesce(i.test_revision, i.live_revision) end
      cross join lateral jsonb_array_elements(r.content -> 'variants') with ordinality as variant (value, place)
      where i.workspace_id = ${workspaceId} and i.id in (select instance_id from named)),
    placed as (
      select e.environment, e.instance_id, e.day, e.type, coalesce(w.variant_id, '') as variant_id, coalesce(d.locale, '') as locale
      from (select e.*, ${BUCKET} as bucket from named e) e
      left join lateral (
        select locale from devices where workspace_id = ${workspaceId} and device_id = e.device_id offset 0) d on true
      left join weights w on w.id = e.instance_id and w.environment = e.environment and w.total > 0
        and e.bucket % w.total >= w.high - w.weight and e.bucket % w.total < w.high),
    sums as materialized (
      select e.instance_id, e.environment, e.day, e.variant_id, e.locale, ${sql.join(counted)} from placed e group by 1, 2, 3, 4, 5)
    insert into content_counts as c (workspace_id, instance_id, environment, day, variant_id, locale, ${COLUMNS})
    select ${workspaceId}::text, s.instance_id, s.environment, s.day, s.variant_id, s.locale, ${COLUMNS} from sums s
    where exists (select from block_instances i where i.workspace_id = ${workspaceId} and i.id = s.instance_id)
    order by 2, 3, 4, 5, 6
    on conflict (workspace_id, instance_id, environment, day, variant_id, locale) do update
      set ${sql.raw(COUNTS.map((count) => `${count} = c.${count} + excluded.${count}`).join(', '))}`.execute(tx)
}

export async function hasInstance(db: Db, workspaceId: string, blockKey: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from block_instances where workspace_id = ${workspaceId} and block_key = ${blockKey} and id = ${id}`.execute(db)
  return rows.length > 0
}

export type ContentCounts = { variantId: string; locale: string } & Record<Count, number>

/** Days of UTC, both included. */
export async function listContentCounts(
  db: Db,
  workspaceId: string,
  instanceId: string,
  { environment, from, to }: { environment: Environment; from: string; to: string },
): Promise<ContentCounts[]> {
  const { rows } = await sql<ContentCounts>`
    select variant_id as "variantId", locale, ${sql.raw(COUNTS.map((count) => `sum(${count})::bigint as ${count}`).join(', '))}
    from content_counts where workspace_id = ${workspaceId} and instance_id = ${instanceId} and environment = ${environment}
      and day >= ${from}::date and day <= ${to}::date
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}
