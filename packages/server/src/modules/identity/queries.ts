/** What identify reads and writes, in one statement each: the commit is what it costs, not the round trips. */
import { sql } from 'kysely'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { PREPARED, type Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals.ts'
import { deleteProfile, type DeviceRow, type ProfileRow } from '../people/index.ts'

/** A row of segment_members. */
type Membership = { profile_id: string; segment_id: string; is_manual: boolean; is_member: boolean }

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

export type IdentityKey = { workspaceId: string; environment: Environment; deviceId: string; userId: string | undefined }

/** The states of many identifies that arrived together, in their order, by one statement. */
export async function readIdentities(db: Db, keys: readonly IdentityKey[]): Promise<IdentityState[]> {
  const column = (of: (key: IdentityKey) => string | null) => keys.map(of)
  const { rows } = await sql<{
    number: number
    device: Stored<DeviceRow> | null
    profiles: Stored<ProfileRow>[] | null
    memberships: Membership[] | null
    push: { profile_id: string | null } | null
    is_erasure_pending: boolean
    salt: string
  }>`${sql.raw(PREPARED)}
    select asked.number::integer as number, to_jsonb(d) as device, found.profiles, workspaces.subject_salt as salt,
      (select jsonb_agg(jsonb_build_object('profile_id', profile_id, 'segment_id', segment_id, 'is_manual', is_manual, 'is_member', is_member))
         from segment_members m where m.workspace_id = asked.workspace_id and m.profile_id = any(found.ids)) as memberships,
      (select jsonb_build_object('profile_id', r.profile_id) from push_registrations r
         where r.workspace_id = asked.workspace_id and r.device_id = asked.device_id) as push,
      exists (select from erasures e where e.workspace_id = asked.workspace_id and e.environment = asked.environment and e.status = 'pending'
         and e.device_ids @> array[asked.device_id])
        or exists (select from erasures e where e.workspace_id = asked.workspace_id and e.environment = asked.environment
          and e.status = 'pending' and e.user_id = asked.user_id) as is_erasure_pending
    from unnest(${column((key) => key.workspaceId)}::text[], ${column((key) => key.environment)}::text[],
        ${column((key) => key.deviceId)}::text[], ${column((key) => key.userId ?? null)}::text[])
      with ordinality as asked (workspace_id, environment, device_id, user_id, number)
    join workspaces on workspaces.id = asked.workspace_id
    left join devices d on d.workspace_id = asked.workspace_id and d.device_id = asked.device_id
    cross join lateral (
      select jsonb_agg(to_jsonb(p)) as profiles, array_agg(p.id) as ids from (
        select * from profiles where workspace_id = asked.workspace_id and id = d.profile_id
        union all select * from profiles where workspace_id = asked.workspace_id and environment = asked.environment
          and user_id = asked.user_id and id is distinct from d.profile_id
        union all select * from profiles where workspace_id = asked.workspace_id and environment = asked.environment
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
      pushProfileId: row.push ? row.push.profile_id : undefined,
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
  }
}

function reviveProfile(row: Stored<ProfileRow>): ProfileRow {
  return {
    ...row,
    created_at: new Date(row.created_at),
    updated_at: new Date(row.updated_at),
    last_active_at: dateOrNull(row.last_active_at),
    last_seen_at: dateOrNull(row.last_seen_at),
    behaviour_due_at: dateOrNull(row.behaviour_due_at),
  }
}

function dateOrNull(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

/**
 * What the call says about an existing person; null: nothing. What was not said must not undo what another device
 * or a load of contacts has just stored.
 */
export type Said = {
  name: string | null
  email: string | null
  language: string | null
  traits: JsonObject | null
  platform: string | null
  sdkVersion: string | null
  locale: string | null
  location: JsonObject | null
  analytics: boolean
  /** Null for a denial, which is no activity. */
  activeAt: Date | null
}

/**
 * Writes the device, and with it the person when there is one, unless the device changed since it was read: false
 * then, and nothing is written. A device or person that was read is updated, never made again, so that an erasure
 * in between stays one.
 */
export async function writeIdentity(
  db: Db,
  device: DeviceRow,
  person: { profile: ProfileRow; isNew: boolean; said: Said } | undefined,
): Promise<boolean> {
  const { rows } = person
    ? await sql`${sql.raw(PREPARED)} with device as (${writeDevice(device)}), person as (${person.isNew ? insertProfile(person.profile) : updateProfile(person.profile, person.said)})
        select from device`.execute(db)
    : await sql`${sql.raw(PREPARED)} ${writeDevice(device)}`.execute(db)
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

/** Only with its device: who lost the race for the device leaves no person behind. */
function insertProfile(profile: ProfileRow) {
  const { workspace_id, id, environment, user_id, device_id, name, email, created_at } = profile
  const row = {
    workspace_id,
    id,
    environment,
    user_id,
    device_id,
    name,
    email,
    created_at,
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
  return sql`insert into profiles (${names(row)}) select ${sql.join(Object.values(row))} from device`
}

function updateProfile({ workspace_id, id, updated_at }: ProfileRow, said: Said) {
  return sql`update profiles set name = coalesce(${said.name}::text, profiles.name), email = coalesce(${said.email}::text, profiles.email),
      language = coalesce(${said.language}::text, profiles.language),
      traits = coalesce(${said.traits && json(said.traits)}::jsonb, profiles.traits),
      platform = coalesce(${said.platform}::text, profiles.platform),
      sdk_version = coalesce(${said.sdkVersion}::text, profiles.sdk_version), locale = coalesce(${said.locale}::text, profiles.locale),
      location = coalesce(${said.location && json(said.location)}::jsonb, profiles.location), analytics = ${said.analytics}::boolean,
      last_active_at = coalesce(${said.activeAt}::timestamptz, profiles.last_active_at),
      last_seen_at = coalesce(${said.activeAt}::timestamptz, profiles.last_seen_at), updated_at = ${updated_at}::timestamptz
    from device where profiles.workspace_id = ${workspace_id} and profiles.id = ${id}`
}

/** Column names stand in this file, never in a request. */
function names(columns: Record<string, unknown>) {
  return sql.join(Object.keys(columns).map((name) => sql.ref(name)))
}

function assignments(change: Record<string, unknown>) {
  return sql.join(Object.entries(change).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))
}

/** A renewal: a device and a person that exist, of whom nothing else changes than what an identify says again. */
export type Renewal = { device: DeviceRow; profile: ProfileRow; said: Said }

/** `writeIdentity` for many renewals, by one statement; false for those whose device changed. No two may name one device or person. */
export async function renewIdentities(db: Db, renewals: readonly Renewal[]): Promise<boolean[]> {
  const all = renewals.map(({ device, profile, said }, number) => ({
    number,
    workspace_id: device.workspace_id,
    device_id: device.device_id,
    revision: device.revision,
    profile_id: profile.id,
    segments: device.segments,
    now: device.last_seen_at,
    expires_at: device.expires_at,
    device_traits: device.traits,
    device_platform: device.platform,
    device_sdk_version: device.sdk_version,
    device_locale: device.locale,
    name: said.name,
    email: said.email,
    language: said.language,
    traits: said.traits,
    platform: said.platform,
    sdk_version: said.sdkVersion,
    locale: said.locale,
    location: said.location,
  }))
  // In the order in which loads and suppressions lock people, so that these rarely wait for each other in a circle.
  const items = all.sort((a, b) => (a.profile_id < b.profile_id ? -1 : 1))
  const { rows } = await sql<{ number: number }>`${sql.raw(PREPARED)}
    with item as materialized (
      select * from jsonb_to_recordset(${json(items)}::jsonb) as item (number integer, workspace_id text, device_id text, revision bigint,
        profile_id text, segments text[], now timestamptz, expires_at timestamptz, device_traits jsonb, device_platform text,
        device_sdk_version text, device_locale text, name text, email text, language text, traits jsonb, platform text, sdk_version text,
        locale text, location jsonb)),
    renewed as (
      update devices set segments = item.segments, last_seen_at = item.now, expires_at = item.expires_at, evaluated_at = item.now,
        traits = item.device_traits, platform = item.device_platform, sdk_version = item.device_sdk_version, locale = item.device_locale,
        revision = devices.revision + 1
      from item where devices.workspace_id = item.workspace_id and devices.device_id = item.device_id and devices.revision = item.revision
      returning item.number),
    person as (
      update profiles set name = coalesce(item.name, profiles.name), email = coalesce(item.email, profiles.email),
        language = coalesce(item.language, profiles.language), traits = coalesce(item.traits, profiles.traits),
        platform = coalesce(item.platform, profiles.platform), sdk_version = coalesce(item.sdk_version, profiles.sdk_version),
        locale = coalesce(item.locale, profiles.locale), location = coalesce(item.location, profiles.location),
        last_active_at = item.now, last_seen_at = item.now, updated_at = item.now
      from item join renewed using (number)
      where profiles.workspace_id = item.workspace_id and profiles.id = item.profile_id)
    select number from renewed`.execute(db)
  const done = new Set(rows.map(({ number }) => number))
  return renewals.map((_, number) => done.has(number))
}

function json(value: unknown): string {
  return JSON.stringify(value)
}

/** What hangs on an anonymous person goes over to the person it becomes; then the anonymous one is gone (C-DEV-36). */
export async function absorbProfile(tx: Db, workspaceId: string, fromId: string, intoId: string): Promise<void> {
  for (const table of ['identity_events', 'location_points', 'geofence_events', 'person_actions', 'in_app_messages'] as const) {
    await tx
      .updateTable(table)
      .set({ profile_id: intoId })
      .where('workspace_id', '=', workspaceId)
      .where('profile_id', '=', fromId)
      .execute()
  }
  await sql`
    insert into geofence_presence (workspace_id, profile_id, device_id, fence_id, entered_at)
    select workspace_id, ${intoId}, device_id, fence_id, entered_at from geofence_presence
      where workspace_id = ${workspaceId} and profile_id = ${fromId}
    on conflict do nothing`.execute(tx)
  await sql`
    insert into segment_members (workspace_id, segment_id, profile_id, is_manual, is_member, since)
    select workspace_id, segment_id, ${intoId}, true, is_member, since from segment_members
      where workspace_id = ${workspaceId} and profile_id = ${fromId} and is_manual
    on conflict (workspace_id, segment_id, profile_id) do update set is_manual = true`.execute(tx)
  await sql`
    insert into person_days as d (workspace_id, profile_id, day, impressions, clicks, dismissals, conversions, total)
    select workspace_id, ${intoId}, day, impressions, clicks, dismissals, conversions, total from person_days
      where workspace_id = ${workspaceId} and profile_id = ${fromId}
    on conflict (workspace_id, profile_id, day) do update set impressions = d.impressions + excluded.impressions,
      clicks = d.clicks + excluded.clicks, dismissals = d.dismissals + excluded.dismissals,
      conversions = d.conversions + excluded.conversions, total = d.total + excluded.total`.execute(tx)
  await sql`
    insert into absorbed_profiles (workspace_id, profile_id, into_id) values (${workspaceId}, ${fromId}, ${intoId})`.execute(tx)
  await deleteProfile(tx, workspaceId, fromId)
}

/** C-ERASE-10, A-16: a fresh consent ends what keeps an erased person out; not one that the erasure overtook. */
export async function deleteTombstones(tx: Db, workspaceId: string, environment: Environment, subjects: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('tombstones')
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('subject', 'in', subjects)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('erasures')
            .select('erasures.id')
            .whereRef('erasures.workspace_id', '=', 'tombstones.workspace_id')
            .whereRef('erasures.id', '=', 'tombstones.erasure_id')
            .where('erasures.status', '=', 'pending'),
        ),
      ),
    )
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
    select workspace_id, ${id}, ${environment}, id, ${type}, ${json(properties)}::jsonb, ${at}::timestamptz
      from profiles where workspace_id = ${workspaceId} and id = ${profileId} for key share
    returning 1`.execute(db)
  return rows.length === 1
}

/** C-PROF-03, C-PROF-04: one category is replaced whole, the others stay. False when the person was erased meanwhile. */
export async function replaceIndustryData(
  db: Db,
  workspaceId: string,
  profileId: string,
  category: string,
  data: JsonObject,
  now: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('profiles')
    .set({ industry: sql<string>`industry || jsonb_build_object(${category}::text, ${JSON.stringify(data)}::jsonb)`, updated_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', profileId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}
