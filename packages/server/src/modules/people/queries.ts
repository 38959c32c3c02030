import { sql, type Insertable, type Selectable, type Updateable, type UpdateObject } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { ConsentLedger, Database, Devices, Profiles } from '../../db/schema.ts'
import type { Environment } from '../../infra/signals/signals.ts'

export type DeviceRow = Selectable<Devices>
export type ProfileRow = Selectable<Profiles>

// --- devices ---

export async function findDevice(db: Db, workspaceId: string, deviceId: string): Promise<DeviceRow | undefined> {
  return db.selectFrom('devices').selectAll().where('workspace_id', '=', workspaceId).where('device_id', '=', deviceId).executeTakeFirst()
}

/** The row, locked until the transaction ends, so that two calls about one device come after each other. */
export async function lockDevice(tx: Db, workspaceId: string, deviceId: string): Promise<DeviceRow | undefined> {
  return tx
    .selectFrom('devices')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('device_id', '=', deviceId)
    .forUpdate()
    .executeTakeFirst()
}

/** Makes the record of an installation that has none; an existing one stays as it is. */
export async function insertDevice(db: Db, device: Insertable<Devices>): Promise<void> {
  await db
    .insertInto('devices')
    .values(device)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Every change raises the revision, so that a write that read an older one notices (C-IDN-15). */
export async function updateDevice(db: Db, workspaceId: string, deviceId: string, change: Updateable<Devices>): Promise<void> {
  await db
    .updateTable('devices')
    .set({ ...change, revision: sql<number>`revision + 1` })
    .where('workspace_id', '=', workspaceId)
    .where('device_id', '=', deviceId)
    .execute()
}

// --- profiles ---

export async function findProfile(db: Db, workspaceId: string, profileId: string): Promise<ProfileRow | undefined> {
  return db.selectFrom('profiles').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', profileId).executeTakeFirst()
}

/** Not "for update": a transaction that only refers to the person, as a membership does, would block with this one. */
export async function lockProfile(tx: Db, workspaceId: string, profileId: string): Promise<ProfileRow | undefined> {
  return tx
    .selectFrom('profiles')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', profileId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Locks the person that this id stands for by now: an anonymous person who signed in was merged into a user. Users are never merged, so one look-up is enough. */
export async function lockNamed(tx: Db, workspaceId: string, profileId: string): Promise<ProfileRow | undefined> {
  // Looked up after the first lock: a person who was merged meanwhile is found under the new id.
  return (await lockProfile(tx, workspaceId, profileId)) ?? lockProfile(tx, workspaceId, await findNamed(tx, workspaceId, profileId))
}

export async function findNamed(db: Db, workspaceId: string, profileId: string): Promise<string> {
  const absorbed = db.selectFrom('absorbed_profiles').select('into_id').where('workspace_id', '=', workspaceId)
  return (await absorbed.where('profile_id', '=', profileId).executeTakeFirst())?.into_id ?? profileId
}

export async function listDeviceIds(db: Db, workspaceId: string, profileIds: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('devices')
    .select('device_id')
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', sql<string>`any(${[...profileIds]}::text[])`)
    .execute()
  return rows.map((row) => row.device_id)
}

/** Locks several people, in the one order in which people are locked. */
export async function lockProfiles(tx: Db, workspaceId: string, profileIds: readonly string[]): Promise<ProfileRow[]> {
  return profilesOf(tx, workspaceId, profileIds).forNoKeyUpdate().execute()
}

/** Locks people of whom one is merged into another; meanwhile nothing that refers to them can be written either. */
export async function lockProfilesToMerge(tx: Db, workspaceId: string, profileIds: readonly string[]): Promise<ProfileRow[]> {
  return profilesOf(tx, workspaceId, profileIds).forUpdate().execute()
}

function profilesOf(tx: Db, workspaceId: string, profileIds: readonly string[]) {
  return tx
    .selectFrom('profiles')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...profileIds]}::text[])`)
    .orderBy('id')
}

/** M-READ-04: a user, or an anonymous device that consented. A user id wins. */
export async function findPerson(db: Db, workspaceId: string, environment: Environment, id: string): Promise<ProfileRow | undefined> {
  return db
    .selectFrom('profiles')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where((where) => where.or([where('user_id', '=', id), where('device_id', '=', id)]))
    .orderBy(sql`user_id is null`)
    .limit(1)
    .executeTakeFirst()
}

/** Changes one person in the name of any caller; returns the row afterwards, undefined when they are gone. */
export async function patchProfile(
  db: Db,
  workspaceId: string,
  profileId: string,
  change: UpdateObject<Database, 'profiles'>,
): Promise<ProfileRow | undefined> {
  return db
    .updateTable('profiles')
    .set(change)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', profileId)
    .returningAll()
    .executeTakeFirst()
}

/**
 * No batch of messages names the person any more (`send_batches`), whose id ends. What is under way to them may have left, and its
 * outcome finds no line, so it counts as interrupted. Lines are locked first, so that a batch that is being made is seen; whoever
 * writes outcomes locks batches first, and both retry after a deadlock.
 */
export async function interruptSends(tx: Db, workspaceId: string, profileId: string): Promise<void> {
  await tx
    .selectFrom('sends')
    .select('dispatch_id')
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', profileId)
    .where('state', '=', 'due')
    .forNoKeyUpdate()
    .execute()
  await sql`
    with named as (
      update send_batches set profile_ids = array_remove(profile_ids, ${profileId})
      where workspace_id = ${workspaceId} and ${profileId} = any(profile_ids)
      returning dispatch_id, made_at)
    update sends set state = 'failed', reason = 'interrupted', due_at = null, tries = sends.tries + 1, updated_at = named.made_at
    from named
    where sends.workspace_id = ${workspaceId} and sends.dispatch_id = named.dispatch_id and sends.profile_id = ${profileId}
      and sends.state = 'due'`.execute(tx)
}

/** Deletes people with everything that is theirs alone; their devices and tokens then belong to nobody. Returns how many were deleted. */
export async function deleteProfile(tx: Db, workspaceId: string, profileId: string): Promise<number> {
  for (const table of ['devices', 'push_registrations'] as const) {
    const theirs = tx.updateTable(table).where('workspace_id', '=', workspaceId).where('profile_id', '=', profileId)
    await theirs.set({ profile_id: null }).execute()
  }
  const result = await tx.deleteFrom('profiles').where('workspace_id', '=', workspaceId).where('id', '=', profileId).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Names of the segments the person is a stored member of, sorted by code point. */
export async function listSegmentNames(db: Db, workspaceId: string, profileId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('segment_members')
    .innerJoin('segments', (join) =>
      join.on('segments.workspace_id', '=', workspaceId).onRef('segments.id', '=', 'segment_members.segment_id'),
    )
    .select('segments.name')
    .where('segment_members.workspace_id', '=', workspaceId)
    .where('segment_members.profile_id', '=', profileId)
    .where('segment_members.is_member', '=', true)
    .orderBy(sql`segments.name collate "C"`)
    .execute()
  return rows.map(({ name }) => name)
}

/** The people a workspace is about: a sandbox only knows test keys. */
export async function findOwnEnvironment(db: Db, workspaceId: string): Promise<Environment> {
  const row = await db.selectFrom('workspaces').select('is_sandbox').where('id', '=', workspaceId).executeTakeFirst()
  return row?.is_sandbox ? 'test' : 'live'
}

// --- tombstones ---

/** Which of these subjects were erased and have not come back. */
export async function listErased(db: Db, workspaceId: string, environment: Environment, subjects: readonly string[]): Promise<Set<string>> {
  if (subjects.length === 0) return new Set()
  const rows = await db
    .selectFrom('tombstones')
    .select('subject')
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('subject', '=', sql<string>`any(${[...subjects]}::text[])`)
    .execute()
  return new Set(rows.map(({ subject }) => subject))
}

/** When a subject was last erased, by the ledger; the entry stays when they come back. */
export async function findErasedAt(db: Db, workspaceId: string, environment: Environment, subject: string): Promise<Date | null> {
  const row = await db
    .selectFrom('consent_ledger')
    .select('recorded_at')
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('subject', '=', subject)
    .where('source', '=', 'erase')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.recorded_at ?? null
}

export async function findSubjectSalt(db: Db, workspaceId: string): Promise<string> {
  const { subject_salt } = await db.selectFrom('workspaces').select('subject_salt').where('id', '=', workspaceId).executeTakeFirstOrThrow()
  return subject_salt
}

// --- consent ledger ---

/** The names that their ledger entries have. */
export async function listSubjects(
  db: Db,
  workspaceId: string,
  profileIds: readonly string[],
): Promise<Pick<ProfileRow, 'id' | 'user_id' | 'device_id'>[]> {
  return db
    .selectFrom('profiles')
    .select(['id', 'user_id', 'device_id'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', sql<string>`any(${[...profileIds]}::text[])`)
    .execute()
}

/** The last time each of these said yes. */
export async function listAgreements(
  db: Db,
  workspaceId: string,
  subjects: readonly string[],
  channel: string,
): Promise<{ subject: string; at: Date }[]> {
  const { rows } = await sql<{ subject: string; at: Date }>`
    select subject, max(recorded_at) as at from consent_ledger
    where workspace_id = ${workspaceId} and environment = any('{live,test}') and subject = any(${[...subjects]}::text[])
      and channel = ${channel} and new_value
    group by subject`.execute(db)
  return rows
}

type LedgerRow = Omit<Selectable<ConsentLedger>, 'id' | 'recorded_at'>
type LedgerEntry = Pick<LedgerRow, 'subject' | 'channel' | 'old_value' | 'new_value'>

/** Entries of one origin, which have one moment. */
export async function insertLedger(db: Db, origin: Omit<LedgerRow, keyof LedgerEntry>, entries: readonly LedgerEntry[]): Promise<void> {
  if (entries.length === 0) return
  const { workspace_id, environment, source, preset, preset_version, text_hash, locale, key_id } = origin
  await sql`
    insert into consent_ledger (workspace_id, environment, subject, channel, old_value, new_value, source, preset, preset_version, text_hash, locale, key_id)
    select ${workspace_id}, ${environment}, subject, channel, old_value, new_value, ${source}, ${preset}, ${preset_version}, ${text_hash}, ${locale}, ${key_id}
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as entry (subject text, channel text, old_value boolean, new_value boolean)`.execute(
    db,
  )
}
