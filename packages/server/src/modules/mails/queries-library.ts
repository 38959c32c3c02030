/** Mails and parts that a workspace keeps. */
import { sql } from 'kysely'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import type { MailKind } from '@contentflow/core/mail/library/read-part.ts'
import type { Db } from '../../db/open.ts'

/** `createdBy`, `updatedBy`: accounts by id. */
export type LibraryEntry = {
  id: string
  kind: MailKind
  name: string
  category: string | null
  version: number
  createdBy: string
  createdAt: Date
  updatedBy: string
  updatedAt: Date
  archivedAt: Date | null
}
export type LibraryMail = LibraryEntry & { document: MailDocument }
export type ListedMail = LibraryEntry & { locales: string[] }
export type MailRevision = { version: number; madeBy: string; madeAt: Date }

const COLUMNS = sql`id, kind, name, category, version, created_by as "createdBy", created_at as "createdAt", updated_by as "updatedBy",
  updated_at as "updatedAt", archived_at as "archivedAt"`

/** One change of the library of a workspace at a time, so that names and their number hold. */
export async function lockLibrary(tx: Db, workspaceId: string): Promise<void> {
  await sql`select id from workspaces where id = ${workspaceId} for no key update`.execute(tx)
}

/** All of a workspace without what they say, by name; there is a bound on them. */
export async function listMails(db: Db, workspaceId: string): Promise<ListedMail[]> {
  const { rows } = await sql<ListedMail>`
    select ${COLUMNS}, array(select jsonb_object_keys(document->'texts')) as locales from mails
    where workspace_id = ${workspaceId} order by lower(name), id`.execute(db)
  return rows
}

/** These of them with what they say; those that there are not are left out. */
export async function listWholeMails(db: Db, workspaceId: string, ids: readonly string[]): Promise<LibraryMail[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<LibraryMail>`
    select ${COLUMNS}, document from mails where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[])`.execute(db)
  return rows
}

export async function findMail(db: Db, workspaceId: string, id: string): Promise<LibraryMail | undefined> {
  const [found] = await listWholeMails(db, workspaceId, [id])
  return found
}

export async function insertMail(tx: Db, workspaceId: string, mail: LibraryMail): Promise<void> {
  await sql`
    insert into mails (workspace_id, id, kind, name, category, document, version, created_by, created_at, updated_by, updated_at, archived_at)
    values (${workspaceId}, ${mail.id}, ${mail.kind}, ${mail.name}, ${mail.category}, ${JSON.stringify(mail.document)}::jsonb,
      ${mail.version}, ${mail.createdBy}, ${mail.createdAt}, ${mail.updatedBy}, ${mail.updatedAt}, ${mail.archivedAt})`.execute(tx)
}

/** What is not archived, as a first version of each, for a workspace that has none yet. */
export async function copyMails(tx: Db, from: string, to: string, { actor, now }: { actor: string; now: Date }): Promise<void> {
  await sql`
    insert into mails (workspace_id, id, kind, name, category, document, version, created_by, created_at, updated_by, updated_at)
    select ${to}, id, kind, name, category, document, 1, ${actor}, ${now}::timestamptz, ${actor}, ${now}::timestamptz
    from mails where workspace_id = ${from} and archived_at is null`.execute(tx)
  await sql`
    insert into mail_revisions (workspace_id, mail_id, version, document, made_by, made_at)
    select ${to}, id, 1, document, ${actor}, ${now}::timestamptz from mails where workspace_id = ${to}`.execute(tx)
}

export async function updateMail(tx: Db, workspaceId: string, mail: LibraryMail): Promise<void> {
  await sql`
    update mails set name = ${mail.name}, category = ${mail.category}, document = ${JSON.stringify(mail.document)}::jsonb,
      version = ${mail.version}, updated_by = ${mail.updatedBy}, updated_at = ${mail.updatedAt}, archived_at = ${mail.archivedAt}
    where workspace_id = ${workspaceId} and id = ${mail.id}`.execute(tx)
}

/** What it says in this version. Of all that there are the newest `most` stay. */
export async function insertRevision(tx: Db, workspaceId: string, mail: LibraryMail, most: number): Promise<void> {
  await sql`
    insert into mail_revisions (workspace_id, mail_id, version, document, made_by, made_at)
    values (${workspaceId}, ${mail.id}, ${mail.version}, ${JSON.stringify(mail.document)}::jsonb, ${mail.updatedBy}, ${mail.updatedAt})`.execute(
    tx,
  )
  const oldest = sql`
    select version from mail_revisions where workspace_id = ${workspaceId} and mail_id = ${mail.id} order by version desc offset ${most}`
  await sql`delete from mail_revisions where workspace_id = ${workspaceId} and mail_id = ${mail.id} and version in (${oldest})`.execute(tx)
}

/** The newest first; there is a bound on them. */
export async function listRevisions(db: Db, workspaceId: string, mailId: string): Promise<MailRevision[]> {
  const { rows } = await sql<MailRevision>`
    select version, made_by as "madeBy", made_at as "madeAt" from mail_revisions
    where workspace_id = ${workspaceId} and mail_id = ${mailId} order by version desc`.execute(db)
  return rows
}

export async function findRevision(
  db: Db,
  workspaceId: string,
  mailId: string,
  version: number,
): Promise<(MailRevision & { document: MailDocument }) | undefined> {
  const { rows } = await sql<MailRevision & { document: MailDocument }>`
    select version, made_by as "madeBy", made_at as "madeAt", document from mail_revisions
    where workspace_id = ${workspaceId} and mail_id = ${mailId} and version = ${version}`.execute(db)
  return rows[0]
}

/** The last version of each in which it said something else. */
export async function listPartChanges(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, MailRevision>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<MailRevision & { id: string }>`
    select distinct on (mail_id) mail_id as id, version, made_by as "madeBy", made_at as "madeAt" from mail_revisions
    where workspace_id = ${workspaceId} and mail_id = any(${[...new Set(ids)]}::text[]) order by mail_id, version desc`.execute(db)
  return new Map(rows.map(({ id, ...last }) => [id, last]))
}
