import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Keys } from '../../db/schema.ts'
import { dueTable, type DueRow } from '../../infra/due/queries-due.ts'

type KeyKind = Keys['kind']

/** A token or key that ends; `told`: accounts that heard of it, each behind the days of its stage. */
export type EndingRow = DueRow & { token_id: string | null; key_id: string | null; ends_at: Date; told: string[] }

export const endingTable = (db: Db) => dueTable<EndingRow>(db, 'ending_credentials')

/** A key, or a token with its service account. `answers`: whoever owns the account or made the key, as far as that is known. */
export type Ending = {
  id: string
  kind: 'token' | KeyKind
  /** Of the key, or of the service account. */
  name: string
  hint: string
  endsAt: Date
  serviceAccountId: string | null
  answers: string | null
}

type Row = Omit<Ending, 'hint' | 'kind' | 'name'> & {
  token_hint: string | null
  service_name: string | null
  key_kind: KeyKind | null
  key_name: string | null
  masked: string | null
}

/** Those that end in this time and still open something. */
export async function listEndings(db: Db, workspaceId: string, { after, until }: { after: Date; until: Date }): Promise<Ending[]> {
  return readEndings(db, workspaceId, sql`e.ends_at > ${after} and e.ends_at <= ${until}`)
}

/** Undefined: it opens nothing any more. */
export async function findEnding(db: Db, workspaceId: string, id: string): Promise<Ending | undefined> {
  return (await readEndings(db, workspaceId, sql`e.id = ${id}`))[0]
}

async function readEndings(db: Db, workspaceId: string, where: ReturnType<typeof sql>): Promise<Ending[]> {
  const { rows } = await sql<Row>`
    select e.id, e.ends_at as "endsAt", t.hint as token_hint, s.id as "serviceAccountId", s.name as service_name,
      k.kind as key_kind, k.name as key_name, k.masked,
      case when s.id is null then k.created_by when s.owner_left_at is null then s.owner_id end as answers
    from ending_credentials e
    left join api_tokens t on t.workspace_id = ${workspaceId} and t.id = e.token_id and t.revoked_at is null
    left join service_accounts s on s.workspace_id = ${workspaceId} and s.id = t.service_account_id
    left join keys k on k.workspace_id = ${workspaceId} and k.id = e.key_id and k.revoked_at is null
    where e.workspace_id = ${workspaceId} and (t.id is not null or k.id is not null) and ${where}
    order by e.ends_at, e.id`.execute(db)
  return rows.map(({ token_hint, service_name, key_kind, key_name, masked, ...row }) => ({
    ...row,
    kind: key_kind ?? 'token',
    name: service_name ?? key_name ?? '',
    hint: token_hint === null ? (masked ?? '') : `…${token_hint}`,
  }))
}

/** Who is told, at most so many: whoever answers for it while they are a member, else the admins. */
export async function listTold(
  db: Db,
  workspaceId: string,
  answers: string | null,
  most: number,
): Promise<{ id: string; email: string }[]> {
  const { rows } = await sql<{ id: string; email: string }>`
    select a.id, a.email from members m join accounts a on a.id = m.account_id
    where m.workspace_id = ${workspaceId} and m.invitation_hash is null and a.ends_at is null
      and (m.account_id = ${answers}::text or m.role = 'admin')
    order by (m.account_id is distinct from ${answers}::text), m.account_id limit ${most}`.execute(db)
  const own = rows.filter(({ id }) => id === answers)
  return own.length > 0 ? own : rows
}

export async function noteTold(db: Db, workspaceId: string, id: string, told: string): Promise<void> {
  await sql`
    update ending_credentials set told = array_append(told, ${told}::text)
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
}

export async function dropEnding(db: Db, workspaceId: string, id: string): Promise<void> {
  await db.deleteFrom('ending_credentials').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}

export async function findWorkspaceName(db: Db, workspaceId: string): Promise<string> {
  return (await db.selectFrom('workspaces').select('name').where('id', '=', workspaceId).executeTakeFirst())?.name ?? ''
}
