import { sql, type Selectable } from 'kysely'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import { lockCounting } from '../../db/locks.ts'
import type { Db } from '../../db/open.ts'
import type { Erasures } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'
import { deleteProfile, interruptSends, listDeviceIds, lockProfile, patchProfile, type DeviceRow } from '../people/index.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import { stripErasedEvents } from './queries-erased-events.ts'

/** C-ERASE, G-17, in the order they are erased: what steers content goes first. */
export const ERASURE_PARTS = [
  'device',
  'location_history',
  'geofence_events',
  'kyc',
  'enrichment',
  'analytics_events',
  'popup_frequency',
  'once_ever',
  'profile',
] as const
export type ErasurePart = (typeof ERASURE_PARTS)[number]
type PartReport = { part: ErasurePart; status: 'pending' | 'erased'; count: number; at: string | null }
export type ErasureRow = Omit<Selectable<Erasures>, 'parts'> & { parts: PartReport[] }

export type DueErasure = Pick<Selectable<Erasures>, 'id' | 'attempts'>

/** Rows of one part erased in one go; what is more than that is done by the next pass. */
const ERASE_AT_ONCE = 20_000

export async function insertErasure(db: Db, row: ErasureRow): Promise<void> {
  await db
    .insertInto('erasures')
    .values({ ...row, parts: JSON.stringify(row.parts) })
    .execute()
}

export async function updateErasure(db: Db, { workspace_id, id, ...change }: ErasureRow): Promise<void> {
  await db
    .updateTable('erasures')
    .set({ ...change, parts: JSON.stringify(change.parts) })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .execute()
}

/** The oldest unfinished erasure that a device or a person is part of. */
export async function findPendingErasure(
  db: Db,
  workspaceId: string,
  environment: Environment,
  of: { deviceId: string } | { profileId: string },
): Promise<ErasureRow | undefined> {
  const row = await db
    .selectFrom('erasures')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('status', '=', 'pending')
    .where('deviceId' in of ? sql<boolean>`device_ids @> array[${of.deviceId}]::text[]` : sql<boolean>`profile_id = ${of.profileId}`)
    .orderBy('requested_at')
    .limit(1)
    .executeTakeFirst()
  return row && toRow(row)
}

export async function findErasure(db: Db, workspaceId: string, id: string): Promise<ErasureRow | undefined> {
  const row = await db.selectFrom('erasures').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
  return row && toRow(row)
}

export async function getErasure(db: Db, workspaceId: string, id: string): Promise<ErasureRow> {
  return (await findErasure(db, workspaceId, id)) ?? failWith(404, 'erasure not found')
}

/** Newest first, from `before` on. */
export async function pageErasures(
  db: Db,
  workspaceId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<Paged<ErasureRow>> {
  let query = db.selectFrom('erasures').selectAll().where('workspace_id', '=', workspaceId)
  if (before !== undefined) query = query.where('id', '<', before)
  const rows = await query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { total } = await db
    .selectFrom('erasures')
    .select((count) => count.fn.countAll<number>().as('total'))
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow()
  return paged(rows.map(toRow), limit, total, ({ id }) => id)
}

function toRow(row: Selectable<Erasures>): ErasureRow {
  return { ...row, parts: row.parts as PartReport[] }
}

/** A person and every installation linked to them. */
export type ErasureTarget = { workspaceId: string; environment: Environment; profileId: string | null; deviceIds: string[] }

/** In one order, so that erasures that share devices come after each other. */
export async function lockDevices(tx: Db, workspaceId: string, deviceIds: readonly string[]): Promise<DeviceRow[]> {
  return tx
    .selectFrom('devices')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('device_id', '=', sql<string>`any(${[...deviceIds]}::text[])`)
    .orderBy('device_id')
    .forUpdate()
    .execute()
}

/** The anonymous person of a device. */
export async function findAnonymousId(
  tx: Db,
  workspaceId: string,
  environment: Environment,
  deviceId: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('profiles')
    .select('id')
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('device_id', '=', deviceId)
    .executeTakeFirst()
  return row?.id
}

/** From now on nothing brings these people back, and none of their devices gets targeted content. */
export async function insertTombstones(tx: Db, erasure: ErasureRow, subjects: readonly string[]): Promise<void> {
  await sql`
    insert into tombstones (workspace_id, environment, subject, erasure_id, erased_at)
    select ${erasure.workspace_id}, ${erasure.environment}, subject, ${erasure.id}, ${erasure.requested_at}
      from unnest(${subjects}::text[]) as subject
    on conflict (workspace_id, environment, subject) do update set erasure_id = excluded.erasure_id, erased_at = excluded.erased_at`.execute(
    tx,
  )
  await tx
    .updateTable('devices')
    .set({ consent: 'unknown', segments: [], revision: sql<number>`revision + 1` })
    .where('workspace_id', '=', erasure.workspace_id)
    .where('environment', '=', erasure.environment)
    .where('device_id', '=', sql<string>`any(${erasure.device_ids}::text[])`)
    .execute()
}

/** `strays`: devices that were linked to the person only after the erasure was asked for. `others`: people of whom events went with a device. */
type Erased = { count: number; isDone: boolean; strays: readonly string[]; others?: readonly string[] }

/** How each part is erased, at most ERASE_AT_ONCE rows in one go. */
const ERASERS: Record<ErasurePart, (tx: Db, target: ErasureTarget) => Promise<Erased>> = {
  device: async (tx, target) => done(await eraseDevices(tx, target)),
  location_history: eraseLocations,
  geofence_events: async (tx, { workspaceId, profileId }) =>
    done(
      (await deleteOf(tx, 'geofence_events', workspaceId, profileId)) + (await deleteOf(tx, 'geofence_presence', workspaceId, profileId)),
    ),
  kyc: async (tx, { workspaceId, profileId }) => done(await deleteOf(tx, 'kyc_records', workspaceId, profileId)),
  enrichment: async (tx, target) => done(await eraseEnrichment(tx, target)),
  analytics_events: eraseEvents,
  // Their stores come with messages; there is nothing of them to hold yet.
  popup_frequency: async () => done(0),
  once_ever: async () => done(0),
  profile: eraseProfile,
}

/** Erases one part. Says how many things went and whether anything is left. */
export async function erasePart(tx: Db, part: ErasurePart, target: ErasureTarget): Promise<Erased> {
  return ERASERS[part](tx, target)
}

function done(count: number): Erased {
  return { count, isDone: true, strays: [] }
}

/** A device that has begun anew in the other environment is another device. Its token goes with it. */
async function eraseDevices(tx: Db, { workspaceId, environment, profileId, deviceIds }: ErasureTarget): Promise<number> {
  await lockDevices(tx, workspaceId, deviceIds)
  await sql`delete from push_registrations where workspace_id = ${workspaceId}
    and (profile_id = ${profileId}::text or (environment = ${environment} and device_id = any(${deviceIds}::text[])))`.execute(tx)
  await sql`delete from device_bindings
    where workspace_id = ${workspaceId} and environment = ${environment} and device_id = any(${deviceIds}::text[])`.execute(tx)
  const result = await sql`delete from devices
    where workspace_id = ${workspaceId} and environment = ${environment} and device_id = any(${deviceIds}::text[])`.execute(tx)
  return Number(result.numAffectedRows ?? 0)
}

async function eraseLocations(tx: Db, { workspaceId, profileId }: ErasureTarget): Promise<Erased> {
  const points = await sql`
    delete from location_points where workspace_id = ${workspaceId} and profile_id = ${profileId}::text and id in
      (select id from location_points where workspace_id = ${workspaceId} and profile_id = ${profileId}::text limit ${ERASE_AT_ONCE})`.execute(
    tx,
  )
  if (profileId !== null) await patchProfile(tx, workspaceId, profileId, { current_location: null, location: '{}' })
  const count = Number(points.numAffectedRows ?? 0)
  return { count, isDone: count < ERASE_AT_ONCE, strays: [] }
}

/** Counts the values that were held. What loads brought of the person goes too, and rows that are still staged. */
async function eraseEnrichment(tx: Db, { workspaceId, environment, profileId }: ErasureTarget): Promise<number> {
  const profile = profileId === null ? undefined : await lockProfile(tx, workspaceId, profileId)
  if (!profile) return 0
  const { id, user_id: userId, email_hash: email, phone_hash: phone } = profile
  const identities = [userId, email, phone].filter((identity) => identity !== null)
  await tx.deleteFrom('enrichment_values').where('workspace_id', '=', workspaceId).where('profile_id', '=', id).execute()
  await sql`
    delete from upload_records where workspace_id = ${workspaceId} and user_id = ${userId} and upload_id = any(array(
      select id from uploads where workspace_id = ${workspaceId} and environment = ${environment}))`.execute(tx)
  await sql`
    delete from import_rows where workspace_id = ${workspaceId} and identity = any(${identities}::text[]) and import_id = any(array(
      select id from imports where workspace_id = ${workspaceId} and environment = ${environment}))`.execute(tx)
  // Errors of uploads that name these people are deleted too.
  await sql`
    update uploads set errors = (select coalesce(jsonb_agg(e), '[]') from jsonb_array_elements(errors) e where e ->> 'userId' is distinct from ${userId})
    where workspace_id = ${workspaceId} and environment = ${environment} and errors @> jsonb_build_array(jsonb_build_object('userId', ${userId}::text))`.execute(
    tx,
  )
  await patchProfile(tx, workspaceId, id, { enrichment: '{}', enrichment_due_at: null })
  return Object.keys(profile.enrichment as object).length
}

/**
 * What the devices did and what the person did, also while they were somebody anonymous. What was counted of blocks and
 * types stays: it names nobody. The oldest go first, because that is how `events` is divided.
 */
async function eraseEvents(tx: Db, { workspaceId, environment, profileId, deviceIds }: ErasureTarget): Promise<Erased> {
  // Or a device whose events are being counted would be noted as active after it is erased.
  await lockCounting(tx, workspaceId)
  const people = profileId === null ? [] : [profileId, ...(await listAbsorbed(tx, workspaceId, profileId))]
  const theirs = sql`workspace_id = ${workspaceId} and environment = ${environment}
    and (device_id = any(${deviceIds}::text[]) or profile_id = any(${people}::text[]))`
  const { rows } = await sql<{ at: Date }>`
    select received_at as at from events where ${theirs} order by 1 offset ${ERASE_AT_ONCE - 1} limit 1`.execute(tx)
  const [last] = rows
  const others = await listOtherOwners(tx, { workspaceId, environment, profileId, deviceIds }, people)
  if (others.length > 0) await stripErasedEvents(tx, { workspaceId, environment, deviceIds, until: last?.at ?? null }, others)
  const events = await sql`delete from events where ${theirs} ${last ? sql`and received_at <= ${last.at}` : sql``}`.execute(tx)
  const count = Number(events.numAffectedRows ?? 0)
  await sql`delete from person_behaviour where workspace_id = ${workspaceId} and id = ${profileId}::text`.execute(tx)
  if (last) return { count, isDone: false, strays: [], others }
  const active = await sql`delete from active_devices
    where workspace_id = ${workspaceId} and environment = ${environment} and device_id = any(${deviceIds}::text[])`.execute(tx)
  await sql`delete from campaign_devices
    where workspace_id = ${workspaceId} and environment = ${environment} and device_id = any(${deviceIds}::text[])`.execute(tx)
  // Experiments count live devices; sums name nobody.
  if (environment === 'live')
    await sql`delete from experiment_units where workspace_id = ${workspaceId} and device_id = any(${deviceIds}::text[])`.execute(tx)
  const days = await sql`delete from person_days where workspace_id = ${workspaceId} and profile_id = ${profileId}::text`.execute(tx)
  return { ...done(count + Number(active.numAffectedRows ?? 0) + Number(days.numAffectedRows ?? 0)), others }
}

/** Who did something on these devices and is not who is erased: somebody else used one of them before. */
async function listOtherOwners(
  tx: Db,
  { workspaceId, environment, deviceIds }: ErasureTarget,
  people: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct coalesce(a.into_id, e.profile_id) as id from events e
    left join absorbed_profiles a on a.workspace_id = ${workspaceId} and a.profile_id = e.profile_id
    where e.workspace_id = ${workspaceId} and e.environment = ${environment} and e.device_id = any(${deviceIds}::text[])
      and not e.profile_id = any(${[...people]}::text[])`.execute(tx)
  return rows.map(({ id }) => id)
}

async function listAbsorbed(tx: Db, workspaceId: string, profileId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('absorbed_profiles')
    .select('profile_id')
    .where('workspace_id', '=', workspaceId)
    .where('into_id', '=', profileId)
    .execute()
  return rows.map((row) => row.profile_id)
}

async function deleteOf(
  tx: Db,
  table: 'geofence_events' | 'geofence_presence' | 'kyc_records',
  workspaceId: string,
  profileId: string | null,
): Promise<number> {
  const result = await tx.deleteFrom(table).where('workspace_id', '=', workspaceId).where('profile_id', '=', profileId).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/**
 * Everything else that hangs on the person goes with the row: memberships, sign-ins, counted actions. Devices that
 * joined the person since the erasure was asked for go first; once the person is locked none can join any more, and
 * one that still did is left to the next go.
 */
async function eraseProfile(tx: Db, target: ErasureTarget): Promise<Erased> {
  const { workspaceId, profileId } = target
  if (profileId === null) return done(0)
  const strays = await listDeviceIds(tx, workspaceId, [profileId])
  await eraseDevices(tx, { ...target, deviceIds: strays })
  await tx.selectFrom('profiles').select('id').where('workspace_id', '=', workspaceId).where('id', '=', profileId).forUpdate().execute()
  if ((await listDeviceIds(tx, workspaceId, [profileId])).length > 0) return { count: 0, isDone: false, strays }
  // Those sent since the events were erased.
  const { isDone, others = [] } = await eraseEvents(tx, { ...target, deviceIds: strays })
  if (!isDone) return { count: 0, isDone, strays, others }
  await interruptSends(tx, workspaceId, profileId)
  return { count: await deleteProfile(tx, workspaceId, profileId), isDone: true, strays, others }
}
