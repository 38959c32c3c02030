/** What identify reads and writes, in one statement each: the commit is what it costs, not the round trips. */
import { sql } from 'kysely'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals.ts'
import type { DeviceRow, ProfileRow } from '../people/index.ts'

/** A row of segment_members. */
export type Membership = { profile_id: string; segment_id: string; is_manual: boolean; is_member: boolean }

/** Everything an identify decides on, of one moment. */
export type IdentityState = {
  device: DeviceRow | undefined
  /** The person the device is linked to, the one of the named user, and the device's anonymous one; each at most once. */
  profiles: ProfileRow[]
  memberships: Membership[]
  /** The person the device's push token sits on: undefined without a token, null while it sits on the device. */
  pushProfileId: string | null | undefined
  isErasurePending: boolean
  salt: string
}

export async function readIdentity(
  db: Db,
  workspaceId: string,
  environment: Environment,
  deviceId: string,
  userId: string | undefined,
): Promise<IdentityState> {
  const user = userId ?? null
  const { rows } = await sql<{
    device: Stored<DeviceRow> | null
    profiles: Stored<ProfileRow>[] | null
    memberships: Membership[] | null
    push: { profile_id: string | null } | null
    is_erasure_pending: boolean
    salt: string
  }>`
    with device as materialized (select * from devices where workspace_id = ${workspaceId} and device_id = ${deviceId}),
    found as materialized (
      select * from profiles where workspace_id = ${workspaceId} and id = (select profile_id from device)
      union select * from profiles where workspace_id = ${workspaceId} and environment = ${environment} and user_id = ${user}::text
      union select * from profiles where workspace_id = ${workspaceId} and environment = ${environment} and device_id = ${deviceId})
    select
      (select to_jsonb(device) from device) as device,
      (select jsonb_agg(to_jsonb(found)) from found) as profiles,
      (select jsonb_agg(jsonb_build_object('profile_id', profile_id, 'segment_id', segment_id, 'is_manual', is_manual, 'is_member', is_member))
         from segment_members where workspace_id = ${workspaceId} and profile_id in (select id from found)) as memberships,
      (select jsonb_build_object('profile_id', profile_id) from push_registrations
         where workspace_id = ${workspaceId} and device_id = ${deviceId}) as push,
      exists (select from erasures where workspace_id = ${workspaceId} and environment = ${environment} and status = 'pending'
         and (device_ids @> array[${deviceId}]::text[] or user_id = ${user}::text)) as is_erasure_pending,
      (select subject_salt from workspaces where id = ${workspaceId}) as salt`.execute(db)
  const row = rows[0]
  if (!row) throw new Error('a select without from has one row')
  return {
    device: row.device ? reviveDevice(row.device) : undefined,
    profiles: (row.profiles ?? []).map(reviveProfile),
    memberships: row.memberships ?? [],
    pushProfileId: row.push ? row.push.profile_id : undefined,
    isErasurePending: row.is_erasure_pending,
    salt: row.salt,
  }
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
  }
}

function reviveProfile(row: Stored<ProfileRow>): ProfileRow {
  return {
    ...row,
    created_at: new Date(row.created_at),
    updated_at: new Date(row.updated_at),
    last_active_at: dateOrNull(row.last_active_at),
    last_seen_at: dateOrNull(row.last_seen_at),
  }
}

function dateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

/** What the call says about the person; null: nothing. A name that was not sent must not undo one that somebody else just stored. */
export type Sent = { name: string | null; email: string | null }

/**
 * Writes the device, and with it the person when there is one, unless the device changed since it was read: false
 * then, and nothing is written. A device or person that was read is updated, never made again, so that an erasure
 * in between stays one. Of an existing person only what an identify may change is set.
 */
export async function writeIdentity(
  db: Db,
  device: DeviceRow,
  person: { profile: ProfileRow; isNew: boolean; sent: Sent } | undefined,
): Promise<boolean> {
  const { rows } = person
    ? await sql`with device as (${writeDevice(device)}), person as (${person.isNew ? insertProfile(person.profile) : updateProfile(person.profile, person.sent)})
        select from device`.execute(db)
    : await writeDevice(device).execute(db)
  return rows.length === 1
}

/** `revision` is the one that was read; 0 for a device that was never seen. */
function writeDevice(device: DeviceRow) {
  const { workspace_id, device_id, revision } = device
  const change = {
    environment: device.environment,
    consent: device.consent,
    segments: device.segments,
    first_seen_at: device.first_seen_at,
    last_seen_at: device.last_seen_at,
    expires_at: device.expires_at,
    profile_id: device.profile_id,
    traits: json(device.traits),
    platform: device.platform,
    sdk_version: device.sdk_version,
    locale: device.locale,
    channels: json(device.channels),
    personal_opt_out: device.personal_opt_out,
    consent_topics: json(device.consent_topics),
    required_consents: json(device.required_consents),
    evaluated_at: device.evaluated_at,
  }
  return revision === 0
    ? sql`insert into devices (workspace_id, device_id, ${names(change)}) values (${workspace_id}, ${device_id}, ${sql.join(Object.values(change))})
        on conflict do nothing returning 1`
    : sql`update devices set ${assignments(change)}, revision = revision + 1
        where workspace_id = ${workspace_id} and device_id = ${device_id} and revision = ${revision} returning 1`
}

function insertProfile(profile: ProfileRow) {
  const { workspace_id, id, environment, user_id, device_id, name, email, created_at } = profile
  const row = { workspace_id, id, environment, user_id, device_id, name, email, created_at, ...latestOf(profile) }
  return sql`insert into profiles (${names(row)}) values (${sql.join(Object.values(row))})`
}

function updateProfile(profile: ProfileRow, sent: Sent) {
  return sql`update profiles set ${assignments(latestOf(profile))},
      name = coalesce(${sent.name}::text, profiles.name, ${profile.name}::text),
      email = coalesce(${sent.email}::text, profiles.email, ${profile.email}::text)
    from device where profiles.workspace_id = ${profile.workspace_id} and profiles.id = ${profile.id}`
}

/** What the device identified last says of its person. */
function latestOf(profile: ProfileRow) {
  return {
    language: profile.language,
    traits: json(profile.traits),
    platform: profile.platform,
    sdk_version: profile.sdk_version,
    locale: profile.locale,
    analytics: profile.analytics,
    location: json(profile.location),
    last_active_at: profile.last_active_at,
    last_seen_at: profile.last_seen_at,
    updated_at: profile.updated_at,
  }
}

/** Column names stand in this file, never in a request. */
function names(columns: Record<string, unknown>) {
  return sql.join(Object.keys(columns).map((name) => sql.ref(name)))
}

function assignments(change: Record<string, unknown>) {
  return sql.join(Object.entries(change).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))
}

function json(value: unknown): string {
  return JSON.stringify(value)
}

/** What hangs on an anonymous person goes over to the person it becomes; then the anonymous one is gone (C-DEV-36). */
export async function absorbProfile(tx: Db, workspaceId: string, fromId: string, intoId: string): Promise<void> {
  for (const table of ['identity_events', 'location_points', 'geofence_events', 'person_actions'] as const) {
    await tx
      .updateTable(table)
      .set({ profile_id: intoId })
      .where('workspace_id', '=', workspaceId)
      .where('profile_id', '=', fromId)
      .execute()
  }
  await tx
    .updateTable('push_registrations')
    .set({ profile_id: null })
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', fromId)
    .execute()
  await sql`
    insert into segment_members (workspace_id, segment_id, profile_id, is_manual, is_member, since)
    select workspace_id, segment_id, ${intoId}, true, is_member, since from segment_members
      where workspace_id = ${workspaceId} and profile_id = ${fromId} and is_manual
    on conflict (workspace_id, segment_id, profile_id) do update set is_manual = true`.execute(tx)
  await tx.deleteFrom('profiles').where('workspace_id', '=', workspaceId).where('id', '=', fromId).execute()
}

/** C-ERASE-10, A-16: a fresh consent ends what keeps an erased person out. */
export async function deleteTombstones(tx: Db, workspaceId: string, environment: Environment, subjects: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('tombstones')
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('subject', 'in', subjects)
    .execute()
}

export async function listManualSegments(db: Db, workspaceId: string, profileId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('segment_members')
    .select('segment_id')
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', profileId)
    .where('is_manual', '=', true)
    .execute()
  return rows.map((row) => row.segment_id)
}

/** The result of a background evaluation, unless the device changed meanwhile. */
export async function updateSegments(db: Db, device: DeviceRow, segments: readonly string[], now: Date): Promise<void> {
  await db
    .updateTable('devices')
    .set({ segments: [...segments], evaluated_at: now })
    .where('workspace_id', '=', device.workspace_id)
    .where('device_id', '=', device.device_id)
    .where('revision', '=', device.revision)
    .execute()
}

export async function insertIdentityEvent(
  db: Db,
  event: { workspaceId: string; environment: Environment; id: string; profileId: string; type: string; properties: JsonObject; at: Date },
): Promise<void> {
  await db
    .insertInto('identity_events')
    .values({
      workspace_id: event.workspaceId,
      id: event.id,
      environment: event.environment,
      profile_id: event.profileId,
      type: event.type,
      properties: JSON.stringify(event.properties),
      at: event.at,
    })
    .execute()
}

/** C-PROF-03, C-PROF-04: one category is replaced whole, the others stay. */
export async function replaceIndustryData(db: Db, workspaceId: string, profileId: string, category: string, data: JsonObject, now: Date) {
  await db
    .updateTable('profiles')
    .set({ industry: sql<string>`industry || jsonb_build_object(${category}::text, ${JSON.stringify(data)}::jsonb)`, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', profileId)
    .execute()
}
