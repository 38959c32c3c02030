import { sql, type Insertable, type Selectable } from 'kysely'
import type { Db } from '../../../../db/open.ts'
import type { AccountLinks, Sessions } from '../../../../db/schema.ts'
import type { Account } from '../queries-accounts.ts'

export type SessionRow = Selectable<Sessions>
/** The newest of them that somebody is shown of their own. */
const SESSIONS_SHOWN = 200

export async function insertSession(db: Db, session: Insertable<Sessions>): Promise<void> {
  await db.insertInto('sessions').values(session).execute()
}

/** `workspaceId`: those of this workspace's provider alone. */
export async function listSessions(db: Db, accountId: string, now: Date, workspaceId: string | null): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .$if(workspaceId !== null, (query) => query.where('workspace_id', '=', workspaceId))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(SESSIONS_SHOWN)
    .execute()
}

/** Leaves this one and as many others, the newest, as an account may have. */
export async function deleteOldestSessions(tx: Db, accountId: string, tokenHash: string, most: number): Promise<void> {
  await sql`
    delete from sessions where account_id = ${accountId} and token_hash in (
      select token_hash from sessions where account_id = ${accountId} and token_hash <> ${tokenHash}
      order by created_at desc, id desc offset ${most - 1})`.execute(tx)
}

/** False when this account has no such session. */
export async function deleteSessionById(db: Db, accountId: string, id: string): Promise<boolean> {
  const result = await db.deleteFrom('sessions').where('account_id', '=', accountId).where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows > 0
}

export async function deleteOtherSessions(db: Db, accountId: string, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).where('token_hash', '<>', tokenHash).execute()
}

/** Of this account alone. */
export async function deleteOwnSession(db: Db, accountId: string, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).where('token_hash', '=', tokenHash).execute()
}

export async function deleteSession(db: Db, tokenHash: string): Promise<void> {
  await db.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

export async function deleteSessionsOf(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('sessions').where('account_id', '=', accountId).execute()
}

export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<=', now).execute()
}

/** With whose it is, by the hash of its token. */
export type FoundSession = Account & {
  tokenHash: string
  lastSeenAt: Date
  amr: string[]
  openedAt: Date
  providerId: string | null
  workspaceId: string | null
  /** Unused for longer, it ends: of the workspaces of its person, the fewest minutes that one allows. */
  idleMinutes: number | null
}

export async function findSessions(db: Db, tokenHashes: readonly string[], now: Date): Promise<FoundSession[]> {
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['accounts.id as userId', 'accounts.email', 'accounts.name', 'token_hash as tokenHash', 'sessions.last_seen_at as lastSeenAt'])
    .select(['amr', 'sessions.created_at as openedAt', 'sessions.provider_id as providerId', 'sessions.workspace_id as workspaceId'])
    .select((eb) =>
      eb
        .selectFrom('members')
        .innerJoin('sign_in_settings', 'sign_in_settings.workspace_id', 'members.workspace_id')
        .select(({ fn }) => fn.min('session_idle_minutes').as('least'))
        .whereRef('members.account_id', '=', 'accounts.id')
        .where('members.invitation_hash', 'is', null)
        .as('idleMinutes'),
    )
    .where('token_hash', '=', sql<string>`any(${tokenHashes}::text[])`)
    .where('expires_at', '>', now)
    .execute()
}

export async function noteSessionUse(db: Db, tokenHash: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: now }).where('token_hash', '=', tokenHash).where('last_seen_at', '<', now).execute()
}

// --- links to a new password or address ---

export type LinkKind = 'reset' | 'email'

/** Forgets those that nobody can use any more. */
export async function insertLink(db: Db, link: Insertable<AccountLinks>): Promise<void> {
  await deleteExpiredLinks(db, link.created_at)
  await db.insertInto('account_links').values(link).execute()
}

export async function deleteExpiredLinks(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('account_links').where('expires_at', '<=', now).execute()
}

export async function deleteLinksOf(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('account_links').where('account_id', '=', accountId).execute()
}

export async function findLink(db: Db, kind: LinkKind, tokenHash: string, now: Date): Promise<Selectable<AccountLinks> | undefined> {
  return db
    .selectFrom('account_links')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('kind', '=', kind)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** All links of an account: what one of them did makes the others stale. False when this one was not among them any more. */
export async function takeLinks(tx: Db, accountId: string, tokenHash: string): Promise<boolean> {
  const taken = await tx.deleteFrom('account_links').where('account_id', '=', accountId).returning('token_hash').execute()
  return taken.some((link) => link.token_hash === tokenHash)
}
