/** Writes devices and people, several in one statement, because the time goes into the commit, not into the round trips. */
import { sql, type RawBuilder } from 'kysely'
import type { Channels } from '@contentflow/core/identity/consent/consent.ts'
import { languageOf } from '@contentflow/core/locale/pick-locale.ts'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { PREPARED, type Db } from '../../db/open.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { oldestMark } from './activity-mark.ts'
import { hashEmail, hashPhone } from './contact-hash.ts'
import { absorbInbox, absorbRuns, absorbWindow } from './queries-absorb.ts'
import { deleteProfile, interruptSends, type DeviceRow, type ProfileRow } from './queries.ts'

/** `profiles.app_email`: an address that only an app named, and since when. `reached`: a message went there. */
export type AppEmail = { contact: string; at: string; reached?: true }

/** `app_email` of a person whose address becomes `email`: an app that repeats an address changes nothing; when a server names it, it is no longer only the app's. */
export function appEmailAfter(
  before: Pick<ProfileRow, 'email' | 'app_email'>,
  { email, appEmail }: Pick<PersonUpdate, 'email' | 'appEmail'>,
) {
  return email === null || (appEmail && before.email === email) ? before.app_email : appEmail
}

/**
 * What the call says about an existing person; null leaves the value. Values that were not sent must not undo what another
 * device or a load of contacts has just stored.
 */
export type PersonUpdate = {
  name: string | null
  email: string | null
  /** Set for an address that an app names; null for one that a server names. */
  appEmail: AppEmail | null
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

/** `make`: the person is new. `say`: `said` is merged over the row, whatever it holds. `merge`: a locked row becomes `profile`. */
type PersonWrite = { how: 'make' | 'say' | 'merge'; profile: ProfileRow; said: PersonUpdate }

/**
 * Writes the device and, with it, the person when there is one, unless the device changed since it was read: then nothing is
 * written and the result is false. A device or person that was read is updated, never inserted again, so that one that was
 * erased meanwhile stays erased.
 */
export async function writeIdentity(db: Db, device: DeviceRow, person: PersonWrite | undefined): Promise<boolean> {
  const { rows } = person
    ? await sql`${sql.raw(PREPARED)} with device as (${writeDevice(device)}), person as (${WRITES[person.how](person)}) select from device`.execute(
        db,
      )
    : await sql`${sql.raw(PREPARED)} ${writeDevice(device)}`.execute(db)
  return rows.length === 1
}

const WRITES = { make: insertProfile, say: updateStatement, merge: replaceProfile }

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
    linked_at: device.linked_at,
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

/** Only together with its device: a call that loses the race for the device creates no person. */
function insertProfile({ profile }: PersonWrite) {
  const row = columnsOf(profile)
  return sql`insert into profiles (${names(row)}) select ${sql.join(Object.values(row))} from device`
}

function replaceProfile({ profile }: PersonWrite) {
  const { workspace_id, id, ...row } = columnsOf(profile)
  return sql`update profiles set ${assignments(row)} from device where profiles.workspace_id = ${workspace_id} and profiles.id = ${id}`
}

/** Only jsonb columns hold objects, and the hashes of contacts follow from the contacts. */
function columnsOf(profile: ProfileRow): Record<string, unknown> {
  const isJson = (value: unknown) => typeof value === 'object' && value !== null && !(value instanceof Date)
  const columns = { ...profile, email_hash: hashEmail(profile.email), phone_hash: hashPhone(profile.phone) }
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, isJson(value) ? json(value) : value]))
}

function updateStatement({ profile: { workspace_id, id, updated_at }, said }: PersonWrite) {
  const activeAt = sql`${said.activeAt}::timestamptz`
  return sql`update profiles set name = coalesce(${said.name}::text, profiles.name), email = coalesce(${said.email}::text, profiles.email),
      email_hash = coalesce(${hashEmail(said.email)}::text, profiles.email_hash),
      app_email = ${appEmailOver(sql`${said.email}::text`, sql`${said.appEmail && json(said.appEmail)}::jsonb`)},
      language = coalesce(${said.language}::text, profiles.language),
      traits = coalesce(${said.traits && json(said.traits)}::jsonb, profiles.traits),
      platform = coalesce(${said.platform}::text, profiles.platform),
      sdk_version = coalesce(${said.sdkVersion}::text, profiles.sdk_version), locale = coalesce(${said.locale}::text, profiles.locale),
      location = coalesce(${said.location && json(said.location)}::jsonb, profiles.location), analytics = ${said.analytics}::boolean,
      last_active_at = coalesce(${activeAt}, profiles.last_active_at),
      activity_mark = case when profiles.activity_mark >= ${oldestMark(updated_at)}::timestamptz then profiles.activity_mark
        else coalesce(${activeAt}, profiles.activity_mark) end,
      last_seen_at = coalesce(${activeAt}, profiles.last_seen_at), updated_at = ${updated_at}::timestamptz
    from device where profiles.workspace_id = ${workspace_id} and profiles.id = ${id}`
}

/** `appEmailAfter` in SQL. */
function appEmailOver(email: RawBuilder<unknown>, appEmail: RawBuilder<unknown>) {
  return sql`case when ${email} is null or (${appEmail} is not null and profiles.email = ${email}) then profiles.app_email else ${appEmail} end`
}

/** Column names are from this file, never from a request. */
function names(columns: Record<string, unknown>) {
  return sql.join(Object.keys(columns).map((name) => sql.ref(name)))
}

function assignments(change: Record<string, unknown>) {
  return sql.join(Object.entries(change).map(([name, value]) => sql`${sql.ref(name)} = ${value}`))
}

/** A renewal: an existing device and person, of whom nothing changes but what an identify repeats. */
export type Renewal = { device: DeviceRow; profile: ProfileRow; said: PersonUpdate }

/** `writeIdentity` for many renewals of one workspace; returns false for those whose device changed. No two may name the same device or person. */
export async function renewIdentities(db: Db, workspaceId: string, renewals: readonly Renewal[]): Promise<boolean[]> {
  const all = renewals.map(({ device, profile, said }, number) => ({
    number,
    device_id: device.device_id,
    revision: device.revision,
    profile_id: profile.id,
    segments: device.segments,
    now: device.last_seen_at,
    oldest_mark: oldestMark(device.last_seen_at),
    expires_at: device.expires_at,
    traits: device.traits,
    platform: device.platform,
    sdk_version: device.sdk_version,
    locale: device.locale,
    name: said.name,
    email: said.email,
    email_hash: hashEmail(said.email),
    app_email: said.appEmail,
    language: said.language,
    location: said.location,
  }))
  // Locked in the same order as by loads and suppressions, so that deadlocks are rare.
  const items = all.sort((a, b) => (a.profile_id < b.profile_id ? -1 : 1))
  const { rows } = await sql<{ number: number }>`${sql.raw(PREPARED)}
    with item as materialized (
      select * from json_to_recordset(${json(items)}::json) as item (number integer, device_id text, revision bigint,
        profile_id text, segments text[], now timestamptz, oldest_mark timestamptz, expires_at timestamptz, traits jsonb, platform text, sdk_version text,
        locale text, name text, email text, email_hash text, app_email jsonb, language text, location jsonb)),
    renewed as (
      update devices set segments = item.segments, last_seen_at = item.now, expires_at = item.expires_at, evaluated_at = item.now,
        traits = item.traits, platform = item.platform, sdk_version = item.sdk_version, locale = item.locale,
        revision = devices.revision + 1
      from item where devices.workspace_id = ${workspaceId} and devices.device_id = item.device_id and devices.revision = item.revision
      returning item.number),
    person as (
      update profiles set name = coalesce(item.name, profiles.name), email = coalesce(item.email, profiles.email),
        email_hash = coalesce(item.email_hash, profiles.email_hash),
        app_email = ${appEmailOver(sql`item.email`, sql`nullif(item.app_email, 'null')`)},
        language = coalesce(item.language, profiles.language), traits = coalesce(nullif(item.traits, '{}'), profiles.traits),
        platform = coalesce(item.platform, profiles.platform), sdk_version = coalesce(item.sdk_version, profiles.sdk_version),
        locale = coalesce(item.locale, profiles.locale), location = coalesce(item.location, profiles.location),
        last_active_at = item.now, last_seen_at = item.now, updated_at = item.now,
        activity_mark = case when profiles.activity_mark >= item.oldest_mark then profiles.activity_mark else item.now end
      from item join renewed using (number)
      where profiles.workspace_id = ${workspaceId} and profiles.id = item.profile_id)
    select number from renewed`.execute(db)
  const done = new Set(rows.map(({ number }) => number))
  return renewals.map((_, number) => done.has(number))
}

/** Moves everything that belongs to an anonymous person to the person it becomes, and deletes the anonymous one (C-DEV-36). */
export async function absorbProfile(tx: Db, workspaceId: string, fromId: string, intoId: string): Promise<void> {
  await absorbInbox(tx, workspaceId, fromId, intoId)
  await absorbWindow(tx, workspaceId, fromId, intoId)
  for (const table of [
    'identity_events',
    'location_points',
    'geofence_events',
    'person_actions',
    'in_app_messages',
    'email_confirmations',
    'webhook_deliveries',
    'inbound_messages',
    'short_links',
  ] as const) {
    await tx
      .updateTable(table)
      .set({ profile_id: intoId })
      .where('workspace_id', '=', workspaceId)
      .where('profile_id', '=', fromId)
      .execute()
  }
  // All numbers that the person has from now on are marked, also where they had one of their own.
  await sql`
    update people_numbers set profile_id = ${intoId}, is_merged = true
    where workspace_id = ${workspaceId} and profile_id in (${fromId}, ${intoId}) and environment in (
      select environment from people_numbers where workspace_id = ${workspaceId} and profile_id = ${fromId})`.execute(tx)
  await sql`
    insert into geofence_presence (workspace_id, profile_id, device_id, fence_id, entered_at)
    select ${workspaceId}, ${intoId}, device_id, fence_id, entered_at from geofence_presence
      where workspace_id = ${workspaceId} and profile_id = ${fromId}
    on conflict do nothing`.execute(tx)
  await sql`
    insert into segment_members (workspace_id, segment_id, profile_id, is_manual, is_member, since)
    select ${workspaceId}, segment_id, ${intoId}, true, is_member, since from segment_members
      where workspace_id = ${workspaceId} and profile_id = ${fromId} and is_manual
    on conflict (workspace_id, segment_id, profile_id) do update set is_manual = true`.execute(tx)
  await sql`
    insert into person_days as d (workspace_id, profile_id, day, impressions, clicks, dismissals, conversions, total, value)
    select ${workspaceId}, ${intoId}, day, impressions, clicks, dismissals, conversions, total, value from person_days
      where workspace_id = ${workspaceId} and profile_id = ${fromId}
    on conflict (workspace_id, profile_id, day) do update set impressions = d.impressions + excluded.impressions,
      clicks = d.clicks + excluded.clicks, dismissals = d.dismissals + excluded.dismissals,
      conversions = d.conversions + excluded.conversions, total = d.total + excluded.total,
      value = d.value + excluded.value`.execute(tx)
  // Where both have values of one load, the target's stay; the due work computes which values are effective.
  await sql`
    insert into enrichment_values (workspace_id, profile_id, upload_id, source, values, loaded_at, expires_at)
    select ${workspaceId}, ${intoId}, upload_id, source, values, loaded_at, expires_at from enrichment_values
      where workspace_id = ${workspaceId} and profile_id = ${fromId}
    on conflict do nothing`.execute(tx)
  await interruptSends(tx, workspaceId, fromId)
  // Where both people of a merge got the message of one source, it is counted once.
  for (const table of ['send_values', 'send_responses', 'sends'])
    await sql`
      update ${sql.table(table)} set profile_id = ${intoId} where workspace_id = ${workspaceId} and profile_id = ${fromId}
        and dispatch_id not in (select dispatch_id from sends where workspace_id = ${workspaceId} and profile_id = ${intoId})`.execute(tx)
  await absorbRuns(tx, workspaceId, fromId, intoId)
  await sql`
    insert into absorbed_profiles (workspace_id, profile_id, into_id) values (${workspaceId}, ${fromId}, ${intoId})`.execute(tx)
  await deleteProfile(tx, workspaceId, fromId)
}

// --- contacts ---

/** Loads of contacts that create people run one after another in a workspace, so that together they keep to the plan (M-BULK-14). */
export async function lockCustomerLimit(tx: Db, workspaceId: string): Promise<number | null> {
  const row = await tx
    .selectFrom('workspaces')
    .select('customer_limit')
    .where('id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  return row.customer_limit
}

/** G-68: live people with a user id. */
export async function countCustomers(tx: Db, workspaceId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('profiles')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', 'live')
    .where('user_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

export type ChannelRow = { id: string; userId: string; channels: Channels; saved: Channels | null }

/** The flags of the known ones among these users, locked in one order, so that two such calls do not deadlock. */
export async function lockUsers(tx: Db, workspaceId: string, environment: Environment, userIds: readonly string[]): Promise<ChannelRow[]> {
  const rows = await tx
    .selectFrom('profiles')
    .select(['id', 'user_id', 'channels', 'saved_channels'])
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('user_id', '=', sql<string>`any(${[...userIds]}::text[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map((row) => ({
    id: row.id,
    userId: row.user_id ?? '',
    channels: row.channels as Channels,
    saved: row.saved_channels as Channels | null,
  }))
}

/** A user with all that is known of them. Members left out, or null, stay as they are. */
export type UserWrite = ChannelRow & { [column in 'email' | 'phone' | 'country' | 'platform']?: string | null | undefined }

function withHashes(user: UserWrite) {
  return { ...user, emailHash: hashEmail(user.email), phoneHash: hashPhone(user.phone) }
}

export async function insertUsers(
  tx: Db,
  workspaceId: string,
  environment: Environment,
  users: readonly UserWrite[],
  now: Date,
): Promise<void> {
  if (users.length === 0) return
  await sql`
    insert into profiles (workspace_id, id, environment, user_id, email, phone, email_hash, phone_hash, country, platform, channels, created_at, updated_at)
    select ${workspaceId}, id, ${environment}, "userId", email, phone, "emailHash", "phoneHash",
      country, platform, channels, ${now}, ${now}
    from jsonb_to_recordset(${json(users.map(withHashes))}::jsonb) as item (id text, "userId" text, email text, phone text,
      "emailHash" text, "phoneHash" text, country text, platform text, channels jsonb)`.execute(tx)
}

/** Updates users that are locked. */
export async function updateUsers(tx: Db, workspaceId: string, users: readonly UserWrite[], now: Date): Promise<void> {
  if (users.length === 0) return
  await sql`
    update profiles set email = coalesce(item.email, profiles.email), phone = coalesce(item.phone, profiles.phone),
      email_hash = coalesce(item."emailHash", profiles.email_hash),
      app_email = case when item.email is null then profiles.app_email end,
      phone_hash = coalesce(item."phoneHash", profiles.phone_hash),
      country = coalesce(item.country, profiles.country), platform = coalesce(item.platform, profiles.platform),
      channels = item.channels, saved_channels = nullif(item.saved, 'null'::jsonb), updated_at = ${now}
    from jsonb_to_recordset(${json(users.map(withHashes))}::jsonb) as item (id text, email text, phone text, "emailHash" text,
      "phoneHash" text, country text, platform text, channels jsonb, saved jsonb)
    where profiles.workspace_id = ${workspaceId} and profiles.id = item.id`.execute(tx)
}

/** Updates the languages that their apps asked for, of people who are locked. */
export async function updateLocales(tx: Db, workspaceId: string, locales: ReadonlyMap<string, string>): Promise<void> {
  const said = [...locales].map(([id, locale]) => ({ id, locale, language: languageOf(locale) }))
  await sql`
    update profiles set locale = item.locale, language = item.language
    from jsonb_to_recordset(${json(said)}::jsonb) as item (id text, locale text, language text)
    where profiles.workspace_id = ${workspaceId} and profiles.id = item.id`.execute(tx)
}

function json(value: unknown): string {
  return JSON.stringify(value)
}

/** Raises the revision of the inboxes of these people `p`, who are locked in the order in which people are locked (decision 68). */
export function raiseInboxes(workspaceId: string, which: RawBuilder<unknown>) {
  return sql`
    update profiles set inbox_revision = inbox_revision + 1 where workspace_id = ${workspaceId} and id in (
      select id from profiles p where workspace_id = ${workspaceId} and ${which} order by id for no key update)
    returning id, inbox_revision`
}

/** Until then this person may be answered over WhatsApp in free words. */
export async function openWindow(
  db: Db,
  { workspaceId, profileId }: { workspaceId: string; profileId: string },
  until: Date,
): Promise<void> {
  await sql`
    update profiles set whatsapp_until = ${until}
    where workspace_id = ${workspaceId} and id = ${profileId} and (whatsapp_until is null or whatsapp_until < ${until})`.execute(db)
}
