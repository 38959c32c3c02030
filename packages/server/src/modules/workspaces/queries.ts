import { sql, type Selectable } from 'kysely'
import type { WorkspaceCalendar } from '@contentflow/core/calendar/workspace-calendar.ts'
import type { Db } from '../../db/open.ts'
import type { Keys, Workspaces } from '../../db/schema.ts'
import { failWith } from '../../errors.ts'
import { IS_RESTING } from '../../infra/due/queries-due.ts'
import type { SignalOf } from '../../infra/signals/signals.ts'

export type SettingsRow = Selectable<Workspaces>
export type KeyRow = Selectable<Keys>
export type KeyKind = 'publishable' | 'secret' | 'write' | 'read'

export type NewWorkspace = {
  id: string
  name: string
  sourceLocale: string | null
  isSandbox: boolean
  calendar: WorkspaceCalendar | null
  /** The account; null: nobody's, as far as counting goes. */
  openedBy: string | null
}

export async function insertWorkspace(db: Db, workspace: NewWorkspace, now: Date): Promise<void> {
  const { id, name, sourceLocale, isSandbox, calendar, openedBy } = workspace
  await db
    .insertInto('workspaces')
    .values({
      id,
      name,
      source_locale: sourceLocale,
      is_sandbox: isSandbox,
      calendar: calendar && JSON.stringify(calendar),
      opened_by: openedBy,
      settings_changed_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute()
}

/** Workspaces that an account opened, without linked sandboxes. */
export async function countOpenedBy(db: Db, accountId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from workspaces w where w.opened_by = ${accountId}
      and not exists (select from workspaces parent where parent.sandbox_id = w.id)`.execute(db)
  return rows[0]?.n ?? 0
}

export async function markDemo(db: Db, workspaceId: string): Promise<void> {
  await db.updateTable('workspaces').set({ is_demo: true }).where('id', '=', workspaceId).execute()
}

export async function findDemo(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('workspaces').select('id').where('is_demo', '=', true).limit(1).executeTakeFirst())?.id
}

async function findSettings(db: Db, workspaceId: string): Promise<SettingsRow | undefined> {
  return db.selectFrom('workspaces').selectAll().where('id', '=', workspaceId).executeTakeFirst()
}

/** `is_resting`: suspended, or the sandbox of one that is: its keys open nothing. */
export type KeyedSettings = SettingsRow & { is_resting: boolean }

export async function listSettings(db: Db, workspaceIds: readonly string[]): Promise<KeyedSettings[]> {
  return db
    .selectFrom('workspaces')
    .selectAll()
    .select(IS_RESTING.as('is_resting'))
    .where('id', '=', sql<string>`any(${workspaceIds}::text[])`)
    .execute()
}

export async function getSettings(db: Db, workspaceId: string): Promise<SettingsRow> {
  return (await findSettings(db, workspaceId)) ?? failWith(404, 'workspace not found')
}

/** Parts of a workspace that a bootstrap file may name. */
export type DeclaredPart = 'name' | 'members' | 'passwords' | 'keys' | 'plan' | 'document' | 'channels'
/** Of each part the digest of what was applied last. */
export type Declared = { declared: Partial<Record<DeclaredPart, string>>; isEnding: boolean }

/** Undefined: there is no such workspace. */
export async function findDeclared(db: Db, workspaceId: string): Promise<Declared | undefined> {
  const row = await db.selectFrom('workspaces').select(['declared', 'ends_at']).where('id', '=', workspaceId).executeTakeFirst()
  return row && { declared: row.declared as Declared['declared'], isEnding: row.ends_at !== null }
}

export async function saveDeclared(tx: Db, workspaceId: string, declared: Declared['declared']): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set({ declared: JSON.stringify(declared) })
    .where('id', '=', workspaceId)
    .execute()
}

/** The row, locked, so that a check and the change it allows are one. Whoever only names the workspace does not wait. */
export async function lockSettings(tx: Db, workspaceId: string): Promise<SettingsRow> {
  return (
    (await tx.selectFrom('workspaces').selectAll().where('id', '=', workspaceId).forNoKeyUpdate().executeTakeFirst()) ??
    failWith(404, 'workspace not found')
  )
}

export async function updateWorkspaceName(db: Db, workspaceId: string, name: string, now: Date): Promise<void> {
  await db.updateTable('workspaces').set({ name, updated_at: now }).where('id', '=', workspaceId).execute()
}

export type SettingsChange = Partial<{
  suspended: boolean
  ends_at: Date | null
  derived_keys_enabled: boolean
  test_retired: boolean
  sandbox_id: string | null
  features: string
  protections: string
  link_schemes: string | null
  identity_verification: string
  customer_limit: number | null
  requests_per_minute: number | null
  plan_features: string
  content_megabytes: number | null
  media_megabytes: number | null
  calendar: string | null
  web_address: string | null
  brand: string | null
  message_tracking: string | null
  preference_page: string | null
  holdout: string
}>

export async function updateSettings(db: Db, workspaceId: string, change: SettingsChange, now: Date): Promise<SettingsRow> {
  const row = await db
    .updateTable('workspaces')
    .set({ ...change, settings_changed_at: laterThanBefore(now), updated_at: now })
    .where('id', '=', workspaceId)
    .returningAll()
    .executeTakeFirst()
  return row ?? failWith(404, 'workspace not found')
}

/** A signal for every workspace whose settings changed after `since`. */
export async function listChangedSettings(db: Db, since: Date): Promise<SignalOf<'settings'>[]> {
  const rows = await db.selectFrom('workspaces').select(['id', 'settings_changed_at']).where('settings_changed_at', '>', since).execute()
  return rows.map((row) => ({ kind: 'settings', workspaceId: row.id, changedAt: row.settings_changed_at.getTime() }))
}

/** Grows with every change, also when the process that makes it has a clock behind the one before: others compare it. */
function laterThanBefore(now: Date) {
  return sql<Date>`later_than(${now}, settings_changed_at)`
}

// --- keys ---

/**
 * The one look-up by hash: it has no workspace yet, because the key is what names it. Each row has the hash it was found by: that of a
 * text which was replaced ends with its overlap.
 */
export async function listKeysByHash(db: Db, hashes: readonly string[], now: Date): Promise<KeyRow[]> {
  const asked = sql<string>`any(${hashes}::text[])`
  const rows = await db
    .selectFrom('keys')
    .selectAll()
    .where((eb) => eb.or([eb('hash', '=', asked), eb.and([eb('hash_before', '=', asked), eb('before_until', '>', now)])]))
    .where('revoked_at', 'is', null)
    .execute()
  const names = new Set(hashes)
  return rows.flatMap((row) => {
    const { hash_before: before, before_until: until, expires_at: end } = row
    const found = names.has(row.hash) ? [row] : []
    if (before === null || until === null || !names.has(before)) return found
    return [...found, { ...row, hash: before, expires_at: end && end < until ? end : until }]
  })
}

export async function insertKey(db: Db, key: Omit<KeyRow, 'rotated_at' | 'revoked_at' | 'hash_before' | 'before_until'>): Promise<void> {
  await db.insertInto('keys').values(key).execute()
}

/** With when it was used last, as far as that is known. */
export type ListedKey = KeyRow & { used_at: Date | null; used_from: string | null }

const currentKeys = (db: Db, workspaceId: string, kinds: readonly KeyKind[]) =>
  db
    .selectFrom('keys')
    .leftJoin('key_uses', (join) => join.on('key_uses.workspace_id', '=', workspaceId).onRef('key_uses.key_id', '=', 'keys.id'))
    .selectAll('keys')
    .select(['key_uses.used_at', 'key_uses.used_from'])
    .where('keys.workspace_id', '=', workspaceId)
    .where('kind', 'in', kinds)
    .where('revoked_at', 'is', null)

export async function listKeys(db: Db, workspaceId: string, kinds: readonly KeyKind[]): Promise<ListedKey[]> {
  return currentKeys(db, workspaceId, kinds).orderBy('created_at').orderBy('id').execute()
}

export async function getKey(db: Db, workspaceId: string, id: string, kinds: readonly KeyKind[]): Promise<ListedKey> {
  return (await currentKeys(db, workspaceId, kinds).where('id', '=', id).executeTakeFirst()) ?? failWith(404, 'key not found')
}

/** Also one that was revoked. */
export async function findKey(db: Db, workspaceId: string, id: string): Promise<KeyRow | undefined> {
  return db.selectFrom('keys').selectAll().where('workspace_id', '=', workspaceId).where('id', '=', id).executeTakeFirst()
}

export async function updateKey(
  db: Db,
  workspaceId: string,
  id: string,
  change:
    Pick<KeyRow, 'hash' | 'masked' | 'rotated_at' | 'may_publish' | 'expires_at' | 'hash_before' | 'before_until'> | { revoked_at: Date },
): Promise<void> {
  await db.updateTable('keys').set(change).where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

/** Keys that are gone meanwhile are left out. */
export async function saveKeyUses(db: Db, workspaceId: string, uses: readonly { keyId: string; from: string }[], now: Date): Promise<void> {
  await sql`
    insert into key_uses (workspace_id, key_id, used_at, used_from)
    select ${workspaceId}, keys.id, ${now}::timestamptz, used.address from keys
    join unnest(${uses.map(({ keyId }) => keyId)}::text[], ${uses.map(({ from }) => from)}::text[]) as used (id, address) on used.id = keys.id
    where keys.workspace_id = ${workspaceId} order by keys.id
    on conflict (workspace_id, key_id) do update set used_at = greatest(key_uses.used_at, excluded.used_at),
      used_from = case when excluded.used_at >= key_uses.used_at then excluded.used_from else key_uses.used_from end`.execute(db)
}
