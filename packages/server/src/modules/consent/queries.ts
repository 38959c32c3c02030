import type { Db } from '../../db/open.ts'
import { paged, type Paged } from '@contentflow/core/paging.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import type { ProfileRow } from '../people/index.ts'

/** When the counted consent changes of a person since `since` were made, oldest first; those before are dropped. */
export async function listConsentCalls(tx: Db, workspaceId: string, profileId: string, since: Date): Promise<Date[]> {
  const own = tx.deleteFrom('person_actions').where('workspace_id', '=', workspaceId).where('profile_id', '=', profileId)
  await own.where('kind', '=', 'consent').where('at', '<=', since).execute()
  const rows = await tx
    .selectFrom('person_actions')
    .select('at')
    .where('workspace_id', '=', workspaceId)
    .where('profile_id', '=', profileId)
    .where('kind', '=', 'consent')
    .orderBy('at')
    .execute()
  return rows.map(({ at }) => at)
}

export async function insertConsentCall(tx: Db, workspaceId: string, profileId: string, deviceId: string, at: Date): Promise<void> {
  await tx
    .insertInto('person_actions')
    .values({ workspace_id: workspaceId, profile_id: profileId, kind: 'consent', device_id: deviceId, at })
    .execute()
}

/** The person a device without a signed-in user is, locked. It outlives the device record's 24 hours. */
export async function lockAnonymousProfile(
  tx: Db,
  { workspaceId, environment }: { workspaceId: string; environment: Environment },
  deviceId: string,
): Promise<ProfileRow | undefined> {
  return tx
    .selectFrom('profiles')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('device_id', '=', deviceId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export type LedgerEntry = {
  id: number
  channel: string
  oldValue: boolean | null
  newValue: boolean | null
  source: string
  preset: string | null
  presetVersion: string | null
  textHash: string | null
  locale: string | null
  keyId: string
  recordedAt: Date
}

/** Newest first, from `before` on. */
export async function pageLedger(
  db: Db,
  workspaceId: string,
  environment: Environment,
  subject: string,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<Paged<LedgerEntry>> {
  const all = db
    .selectFrom('consent_ledger')
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('subject', '=', subject)
  const rows = await all
    .select([
      'id',
      'channel',
      'old_value as oldValue',
      'new_value as newValue',
      'source',
      'preset',
      'preset_version as presetVersion',
      'text_hash as textHash',
      'locale',
      'key_id as keyId',
      'recorded_at as recordedAt',
    ])
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { total } = await all.select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return paged(rows, limit, total, ({ id }) => String(id))
}
