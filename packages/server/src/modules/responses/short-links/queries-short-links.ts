/** Short links, by what makes them and by what is asked for. */
import { sql } from 'kysely'
import type { Db } from '../../../db/open.ts'

/** `profileId`: null of people who share it. `variantId`: null when clicks on it are not counted. */
export type NewShortLink = { id: string; profileId: string | null; variantId: string | null; node: string; url: string }

export async function findSlug(db: Db, workspaceId: string): Promise<string | undefined> {
  const row = await db.selectFrom('workspaces').select('link_slug').where('id', '=', workspaceId).executeTakeFirst()
  return row?.link_slug ?? undefined
}

/** Unless the workspace has one, or another has this one. */
export async function takeSlug(db: Db, workspaceId: string, slug: string): Promise<void> {
  await sql`
    update workspaces set link_slug = ${slug} where id = ${workspaceId} and link_slug is null
      and not exists (select from workspaces where link_slug = ${slug})`.execute(db)
}

export async function findWorkspaceOfSlug(db: Db, slug: string): Promise<string | undefined> {
  const row = await db.selectFrom('workspaces').select('id').where('link_slug', '=', slug).executeTakeFirst()
  return row?.id
}

/** By id: the codes of those that are there. */
export async function listCodes(db: Db, workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; code: string }>`
    select id, code from short_links where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[])`.execute(db)
  return new Map(rows.map(({ id, code }) => [id, code]))
}

type Made = { workspaceId: string; dispatchId: string; now: Date; expiresAt: Date }

/** One whose id or code is taken is left out. */
export async function insertShortLinks(
  tx: Db,
  { workspaceId, dispatchId, now, expiresAt }: Made,
  links: readonly (NewShortLink & { code: string })[],
): Promise<void> {
  const rows = links.map(({ id, code, profileId, variantId, node, url }) => ({
    id,
    code,
    person: profileId,
    variant: variantId,
    node,
    url,
  }))
  await sql`
    insert into short_links (workspace_id, id, code, dispatch_id, profile_id, node, variant_id, url, made_at, expires_at)
    select ${workspaceId}, l.id, l.code, ${dispatchId}, l.person, l.node, l.variant, l.url, ${now}::timestamptz, ${expiresAt}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as l (id text, code text, person text, variant text, node text, url text)
    order by l.id
    on conflict do nothing`.execute(tx)
}

/** Once a day at most, because many messages share one. */
export async function extendShortLinks(
  tx: Db,
  workspaceId: string,
  ids: readonly string[],
  { expiresAt, staleBefore }: { expiresAt: Date; staleBefore: Date },
): Promise<void> {
  await sql`
    update short_links set expires_at = ${expiresAt}
    where workspace_id = ${workspaceId} and id in (
      select id from short_links where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[]) and expires_at < ${staleBefore}
      order by id for no key update)`.execute(tx)
}

type StoredShortLink = {
  dispatchId: string
  profileId: string | null
  variantId: string | null
  node: string
  url: string
  madeAt: Date
  expiresAt: Date
}

export async function findShortLink(db: Db, workspaceId: string, code: string): Promise<StoredShortLink | undefined> {
  const { rows } = await sql<StoredShortLink>`
    select dispatch_id as "dispatchId", profile_id as "profileId", variant_id as "variantId", node, url, made_at as "madeAt", expires_at as "expiresAt"
    from short_links where workspace_id = ${workspaceId} and code = ${code}`.execute(db)
  return rows[0]
}

export async function listWorkspacesWithOldLinks(db: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{
    id: string
  }>`select workspace_id as id from short_links where expires_at < ${before} group by workspace_id`.execute(db)
  return rows.map(({ id }) => id)
}

/** How many went; fewer than `most`: no more are left. */
export async function dropOldLinks(db: Db, workspaceId: string, before: Date, most: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from short_links where workspace_id = ${workspaceId} and id in (
      select id from short_links where workspace_id = ${workspaceId} and expires_at < ${before} order by expires_at limit ${most})`.execute(
    db,
  )
  return Number(numAffectedRows)
}
