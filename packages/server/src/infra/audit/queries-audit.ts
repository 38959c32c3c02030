import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** The end of a chain: the number of its last entry, its hash, and the last number that is signed. */
export type Head = { seq: number; hash: Buffer; signedSeq: number; checkpointDueAt: Date | null }
/** As it is stored. */
export type NewEntry = { seq: number; entry: string; prev: Buffer; hash: Buffer }

/** Held until the transaction ends: of two changes the second goes on from where the first one ends. */
export async function lockAuditHead(tx: Db, workspaceId: string): Promise<Head | undefined> {
  const { rows } = await sql<Head>`
    select seq, hash, signed_seq as "signedSeq", checkpoint_due_at as "checkpointDueAt" from audit_heads
    where workspace_id = ${workspaceId} for no key update`.execute(tx)
  return rows[0]
}

/** The beginning of a chain, unless somebody else makes it at the same time. */
export async function insertAuditHead(tx: Db, workspaceId: string, genesis: Buffer): Promise<void> {
  await sql`
    insert into audit_heads (workspace_id, seq, hash, pruned_hash) values (${workspaceId}, 0, ${genesis}, ${genesis})
    on conflict (workspace_id) do nothing`.execute(tx)
}

export async function insertAuditEntries(tx: Db, workspaceId: string, entries: readonly NewEntry[]): Promise<void> {
  const rows = entries.map(({ seq, entry, prev, hash }) => sql`(${workspaceId}, ${seq}, ${entry}, ${prev}, ${hash})`)
  await sql`insert into audit_entries (workspace_id, seq, entry, prev, hash) values ${sql.join(rows)}`.execute(tx)
}

export async function moveAuditHead(tx: Db, workspaceId: string, { seq, hash, checkpointDueAt }: Omit<Head, 'signedSeq'>): Promise<void> {
  await sql`
    update audit_heads set seq = ${seq}, hash = ${hash}, checkpoint_due_at = ${checkpointDueAt}
    where workspace_id = ${workspaceId}`.execute(tx)
}

export async function findAuditKey(db: Db, workspaceId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ sealed: string }>`
    select sealed from audit_keys where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
  return rows[0]?.sealed
}

/** `before`: what cannot be read any more, whose place it takes; without it, nothing is there yet. */
export async function storeAuditKey(
  db: Db,
  workspaceId: string,
  { id, sealed, before }: { id: string; sealed: string; before: string | undefined },
): Promise<void> {
  await sql`
    insert into audit_keys (workspace_id, id, sealed) values (${workspaceId}, ${id}, ${sealed})
    on conflict (workspace_id, id) do update set sealed = excluded.sealed where audit_keys.sealed = ${before ?? ''}`.execute(db)
}
