import { sql, type Insertable, type Selectable } from 'kysely'
import { foldEmail } from '@contentflow/core/identity/fold-email.ts'
import type { Db } from '../../../../db/open.ts'
import type { IdentityProviders } from '../../../../db/schema.ts'

export type ProviderRow = Selectable<IdentityProviders>

/** `workspaceId` null: those of the installation. */
export async function listProviders(db: Db, workspaceId: string | null): Promise<ProviderRow[]> {
  const all = db.selectFrom('identity_providers').selectAll().orderBy('created_at').orderBy('id')
  return (workspaceId === null ? all.where('workspace_id', 'is', null) : all.where('workspace_id', '=', workspaceId)).execute()
}

export async function findProviderRow(db: Db, id: string): Promise<ProviderRow | undefined> {
  return db.selectFrom('identity_providers').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Those that are on, of workspaces that have proven this domain. */
export async function listProvidersOfDomain(db: Db, domain: string): Promise<ProviderRow[]> {
  return db
    .selectFrom('identity_providers')
    .innerJoin('sign_in_domains', 'sign_in_domains.workspace_id', 'identity_providers.workspace_id')
    .selectAll('identity_providers')
    .where('sign_in_domains.domain', '=', domain)
    .where('proved_at', 'is not', null)
    .where('is_on', '=', true)
    .where(sql<boolean>`${domain} = any(domains)`)
    .orderBy('identity_providers.created_at')
    .orderBy('identity_providers.id')
    .execute()
}

export async function putProvider(tx: Db, provider: Insertable<IdentityProviders>): Promise<void> {
  const { id: _id, workspace_id: _of, created_at: _at, ...change } = provider
  await tx
    .insertInto('identity_providers')
    .values(provider)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
    .execute()
}

/** With what it said of people: sessions end, identities are forgotten, members are members made by hand from now on. */
export async function deleteProvider(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('sessions').where('provider_id', '=', id).execute()
  await tx.deleteFrom('account_identities').where('provider_id', '=', id).execute()
  await tx.updateTable('members').set({ source: null, provider_id: null }).where('provider_id', '=', id).execute()
  await tx.deleteFrom('identity_providers').where('id', '=', id).execute()
}

/** Secrets that another key than the present one sealed: what is sealed with that begins so. */
export async function listSealedBefore(db: Db, present: string): Promise<{ id: string; workspaceId: string | null; sealed: string }[]> {
  return db
    .selectFrom('identity_providers')
    .select(['id', 'workspace_id as workspaceId', 'secret_sealed as sealed'])
    .where('secret_sealed', 'is not', null)
    .where(sql<boolean>`not starts_with(secret_sealed, ${present}::text)`)
    .$narrowType<{ sealed: string }>()
    .execute()
}

/** Unless it was changed meanwhile. */
export async function replaceSecret(db: Db, id: string, before: string, after: string): Promise<void> {
  await db
    .updateTable('identity_providers')
    .set({ secret_sealed: after })
    .where('id', '=', id)
    .where('secret_sealed', '=', before)
    .execute()
}

// --- domains that a workspace has proven ---

export type DomainRow = { domain: string; code: string; proved_at: Date | null; checked_at: Date }

export async function listDomains(db: Db, workspaceId: string): Promise<DomainRow[]> {
  return db
    .selectFrom('sign_in_domains')
    .select(['domain', 'code', 'proved_at', 'checked_at'])
    .where('workspace_id', '=', workspaceId)
    .orderBy('domain')
    .execute()
}

export async function isDomainProven(db: Db, workspaceId: string, domain: string): Promise<boolean> {
  const row = await db
    .selectFrom('sign_in_domains')
    .select('domain')
    .where('workspace_id', '=', workspaceId)
    .where('domain', '=', domain)
    .where('proved_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** One that is there keeps its code. */
export async function insertDomain(db: Db, workspaceId: string, domain: string, code: string, now: Date): Promise<void> {
  await db
    .insertInto('sign_in_domains')
    .values({ workspace_id: workspaceId, domain, code, proved_at: null, checked_at: now })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'domain']).doNothing())
    .execute()
}

export async function updateDomain(db: Db, workspaceId: string, domain: string, provedAt: Date | null, now: Date): Promise<void> {
  await db
    .updateTable('sign_in_domains')
    .set({ proved_at: provedAt, checked_at: now })
    .where('workspace_id', '=', workspaceId)
    .where('domain', '=', domain)
    .execute()
}

export async function deleteOtherDomains(db: Db, workspaceId: string, kept: readonly string[]): Promise<void> {
  await db
    .deleteFrom('sign_in_domains')
    .where('workspace_id', '=', workspaceId)
    .where(sql<boolean>`not (domain = any(${[...kept]}::text[]))`)
    .execute()
}

/** Workspaces with domains that were looked at before this moment. */
export async function listWorkspacesToCheck(db: Db, before: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select workspace_id as id from sign_in_domains where checked_at < ${before}
    group by workspace_id order by min(checked_at) limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

// --- who somebody is at a provider ---

export async function findIdentity(db: Db, providerId: string, subject: string): Promise<{ accountId: string } | undefined> {
  return db
    .selectFrom('account_identities')
    .select('account_id as accountId')
    .where('provider_id', '=', providerId)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** Who signed in last with this address; undefined for nobody, and where there are several. */
export async function findIdentityByEmail(db: Db, providerId: string, email: string): Promise<{ accountId: string } | undefined> {
  const found = await db
    .selectFrom('account_identities')
    .select('account_id as accountId')
    .where('provider_id', '=', providerId)
    .where('email', '=', email)
    .limit(2)
    .execute()
  return found.length === 1 ? found[0] : undefined
}

/** Whether somebody of this provider has the account already. */
export async function hasIdentity(db: Db, providerId: string, accountId: string): Promise<boolean> {
  const found = db.selectFrom('account_identities').select('subject').where('provider_id', '=', providerId)
  return (await found.where('account_id', '=', accountId).limit(1).executeTakeFirst()) !== undefined
}

type Identity = { providerId: string; subject: string; accountId: string; email: string | undefined; now: Date }

/** Notes a use, or who it is from now on. It never becomes another account's: false then. */
export async function putIdentity(tx: Db, { providerId, subject, accountId, email, now }: Identity): Promise<boolean> {
  const folded = email === undefined ? null : foldEmail(email)
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('account_identities')
    .values({ provider_id: providerId, subject, account_id: accountId, email: folded, created_at: now, last_used_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['provider_id', 'subject'])
        .doUpdateSet({ email: folded, last_used_at: now })
        .where('account_identities.account_id', '=', accountId),
    )
    .executeTakeFirst()
  return Boolean(numInsertedOrUpdatedRows)
}

export async function deleteIdentities(tx: Db, accountId: string): Promise<void> {
  await tx.deleteFrom('account_identities').where('account_id', '=', accountId).execute()
}

// --- what may be used once ---

/** False when it was used before. */
export async function useOnce(db: Db, hash: string, now: Date, expiresAt: Date): Promise<boolean> {
  await db.deleteFrom('provider_nonces').where('expires_at', '<=', now).execute()
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('provider_nonces')
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .executeTakeFirst()
  return Boolean(numInsertedOrUpdatedRows)
}

// --- sessions of a provider ---

/** Ends the sessions that a provider names by their id there, else all of that person. */
export async function deleteProviderSessions(db: Db, providerId: string, of: { sid?: string; subject?: string }): Promise<void> {
  let query = db.deleteFrom('sessions').where('provider_id', '=', providerId)
  if (of.sid !== undefined) query = query.where('sid', '=', of.sid)
  if (of.subject !== undefined) query = query.where('subject', '=', of.subject)
  await query.execute()
}

export type ProviderSession = { id: string; providerId: string; subject: string; idTokenSealed: string | null }

export async function findProviderSession(db: Db, tokenHash: string): Promise<ProviderSession | undefined> {
  return db
    .selectFrom('sessions')
    .select(['id', 'provider_id as providerId', 'subject', 'id_token_sealed as idTokenSealed'])
    .where('token_hash', '=', tokenHash)
    .where('provider_id', 'is not', null)
    .$narrowType<{ providerId: string; subject: string }>()
    .executeTakeFirst()
}
