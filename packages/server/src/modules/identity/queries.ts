/** What identify reads, and the little that is its own to write. */
import { sql } from 'kysely'
import type { Histories } from '@contentflow/core/behaviour/history.ts'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { PREPARED, type Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { patchProfile, type DeviceRow, type ProfileRow } from '../people/index.ts'

/** A row of segment_members. */
type Membership = { profile_id: string; segment_id: string; is_manual: boolean; is_member: boolean }

/** Everything an identify decides on, of one moment. */
export type IdentityState = {
  device: DeviceRow | undefined
  /** The person the device is linked to, the one of the named user, and the device's anonymous one; each at most once. */
  profiles: ProfileRow[]
  memberships: Membership[]
  /** What these people did, by their ids; empty unless it was asked for. */
  histories: Record<string, Histories>
  /** The person the device's push token sits on: undefined without a token, null while it sits on the device. */
  pushProfileId: string | null | undefined
  isErasurePending: boolean
  salt: string
}

/** `withHistories`: what people did is read as well, which a rule asks about. */
export type IdentityKey = {
  workspaceId: string
  environment: Environment
  deviceId: string
  userId: string | undefined
  withHistories: boolean
}

/**
 * The states of many identifies of one workspace that arrived together, in their order, by one statement. They are asked for
 * as one text, of which the planner never believes to know how many it holds: by arrays it would plan each time anew, which
 * takes longer than the statement.
 */
export async function readIdentities(db: Db, workspaceId: string, keys: readonly IdentityKey[]): Promise<IdentityState[]> {
  const asked = JSON.stringify(keys)
  const { rows } = await sql<{
    number: number
    device: Stored<DeviceRow> | null
    profiles: Stored<ProfileRow>[] | null
    memberships: Membership[] | null
    histories: Record<string, Histories> | null
    push: [string | null] | null
    is_erasure_pending: boolean
    salt: string
  }>`${sql.raw(PREPARED)}
    select asked.number::integer as number, row_to_json(d) as device, found.profiles,
      (select subject_salt from workspaces where id = ${workspaceId}) as salt,
      (select json_agg(m) from (select profile_id, segment_id, is_manual, is_member from segment_members
         where workspace_id = ${workspaceId} and profile_id = any(found.ids)) m) as memberships,
      case when asked.with_histories then (select json_object_agg(b.id, b.state) from person_behaviour b
         where b.workspace_id = ${workspaceId} and b.id = any(found.ids)) end as histories,
      (select array[r.profile_id] from push_registrations r where r.workspace_id = ${workspaceId} and r.device_id = asked.device_id) as push,
      -- Hardly ever is there any: that is asked once for all.
      case when (select exists (select from erasures e where e.workspace_id = ${workspaceId} and e.status = 'pending')) then
        exists (select from erasures e where e.workspace_id = ${workspaceId} and e.environment = asked.environment and e.status = 'pending'
          and e.device_ids @> array[asked.device_id])
        or exists (select from erasures e where e.workspace_id = ${workspaceId} and e.environment = asked.environment
          and e.status = 'pending' and e.user_id = asked.user_id) else false end as is_erasure_pending
    from rows from (json_to_recordset(${asked}::json) as (environment text, "deviceId" text, "userId" text, "withHistories" boolean))
      with ordinality as asked (environment, device_id, user_id, with_histories, number)
    left join lateral (select * from devices where workspace_id = ${workspaceId} and device_id = asked.device_id offset 0) d on true
    cross join lateral (
      select json_agg(p) as profiles, array_agg(p.id) as ids from (
        select * from profiles where workspace_id = ${workspaceId} and id = d.profile_id
        union all select * from profiles where workspace_id = ${workspaceId} and environment = asked.environment
          and user_id = asked.user_id and id is distinct from d.profile_id
        union all select * from profiles where workspace_id = ${workspaceId} and environment = asked.environment
          and device_id = asked.device_id and id is distinct from d.profile_id
      ) p) found`.execute(db)
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  return keys.map((_, index) => {
    const row = byNumber.get(index + 1)
    if (!row) throw new Error('a workspace that is called upon exists')
    return {
      device: row.device ? reviveDevice(row.device) : undefined,
      profiles: (row.profiles ?? []).map(reviveProfile),
      memberships: row.memberships ?? [],
      histories: row.histories ?? {},
      pushProfileId: row.push ? row.push[0] : undefined,
      isErasurePending: row.is_erasure_pending,
      salt: row.salt,
    }
  })
}

/** JSON carries times as text. */
type Stored<Row> = { [K in keyof Row]: Row[K] extends Date ? string : Row[K] extends Date | null ? string | null : Row[K] }

function reviveDevice(row: Stored<DeviceRow>): DeviceRow {
  return {
    ...row,
    first_seen_at: new Date(row.first_seen_at),
    last_seen_at: new Date(row.last_seen_at),
    expires_at: new Date(row.expires_at),
    evaluated_at: dateOrNull(row.evaluated_at),
    linked_at: dateOrNull(row.linked_at),
  }
}

function reviveProfile(row: Stored<ProfileRow>): ProfileRow {
  return {
    ...row,
    created_at: new Date(row.created_at),
    updated_at: new Date(row.updated_at),
    last_active_at: dateOrNull(row.last_active_at),
    activity_mark: dateOrNull(row.activity_mark),
    last_seen_at: dateOrNull(row.last_seen_at),
    behaviour_due_at: dateOrNull(row.behaviour_due_at),
    contact_closed_at: dateOrNull(row.contact_closed_at),
    enrichment_due_at: dateOrNull(row.enrichment_due_at),
    whatsapp_until: dateOrNull(row.whatsapp_until),
  }
}

function dateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

/** C-ERASE-10, A-16: a fresh consent ends what keeps an erased person out; not one that the erasure overtook. */
export async function deleteTombstones(tx: Db, workspaceId: string, environment: Environment, subjects: readonly string[]): Promise<void> {
  const pending = tx.selectFrom('erasures').select('id').where('workspace_id', '=', workspaceId).where('status', '=', 'pending')
  await tx
    .deleteFrom('tombstones')
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('subject', 'in', subjects)
    .where('erasure_id', 'not in', pending)
    .execute()
}

/** False when the person was erased meanwhile. */
export async function insertIdentityEvent(
  db: Db,
  event: { workspaceId: string; environment: Environment; id: string; profileId: string; type: string; properties: JsonObject; at: Date },
): Promise<boolean> {
  const { workspaceId, id, environment, profileId, type, properties, at } = event
  const { rows } = await sql`
    insert into identity_events (workspace_id, id, environment, profile_id, type, properties, at)
    select ${workspaceId}, ${id}, ${environment}, id, ${type}, ${json(properties)}::jsonb, ${at}::timestamptz
      from profiles where workspace_id = ${workspaceId} and id = ${profileId} for key share
    returning 1`.execute(db)
  return rows.length === 1
}

/** C-PROF-03, C-PROF-04: one category is replaced whole, the others stay. The person is held. */
export async function replaceIndustryData(
  db: Db,
  workspaceId: string,
  profileId: string,
  { category, data, now }: { category: string; data: JsonObject; now: Date },
): Promise<void> {
  const industry = sql<string>`industry || jsonb_build_object(${category}::text, ${json(data)}::jsonb)`
  await patchProfile(db, workspaceId, profileId, { industry, updated_at: now })
}

export async function findWorkspaceName(db: Db, workspaceId: string): Promise<string> {
  const row = await db.selectFrom('workspaces').select('name').where('id', '=', workspaceId).executeTakeFirst()
  return row?.name ?? ''
}

function json(value: unknown): string {
  return JSON.stringify(value)
}
