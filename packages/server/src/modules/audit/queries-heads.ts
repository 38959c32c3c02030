import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** The ends of a chain, what is signed of it, how long it is kept, and what its last check found. */
export type AuditHead = {
  seq: number
  hash: Buffer
  pruned_seq: number
  pruned_hash: Buffer
  signed_seq: number
  retention_days: number
  record_reads: boolean
  verified_at: Date | null
  verified_fault: unknown
  told_seq: number | null
}

/** Undefined: nothing was ever written. */
export async function findHead(db: Db, workspaceId: string): Promise<AuditHead | undefined> {
  return db
    .selectFrom('audit_heads')
    .select(['seq', 'hash', 'pruned_seq', 'pruned_hash', 'signed_seq', 'retention_days', 'record_reads'])
    .select(['verified_at', 'verified_fault', 'told_seq'])
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
}

/** The same, held until the transaction ends. */
export async function holdHead(tx: Db, workspaceId: string): Promise<AuditHead | undefined> {
  await sql`select from audit_heads where workspace_id = ${workspaceId} for no key update`.execute(tx)
  return findHead(tx, workspaceId)
}

export type HeadUpdate = {
  retention_days?: number
  record_reads?: boolean
  prune_due_at?: Date | null
  verified_at?: Date
  verified_fault?: string | null
  signed_seq?: number
  checkpoint_due_at?: Date | null
  pruned_seq?: number
  pruned_hash?: Buffer
  told_seq?: number
}

export async function updateHead(db: Db, workspaceId: string, update: HeadUpdate): Promise<void> {
  await db.updateTable('audit_heads').set(update).where('workspace_id', '=', workspaceId).execute()
}

export type CheckpointRow = { number: number; seq: number; hash: Buffer; at: Date; public_key: string; signature: string }
const COLUMNS = ['number', 'seq', 'hash', 'at', 'public_key', 'signature'] as const

export async function findLastCheckpoint(db: Db, workspaceId: string): Promise<CheckpointRow | undefined> {
  return db
    .selectFrom('audit_checkpoints')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** In their order. */
export async function listCheckpoints(db: Db, workspaceId: string, after: number, limit: number): Promise<CheckpointRow[]> {
  return db
    .selectFrom('audit_checkpoints')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute()
}

/** The first one that is signed over entries that are kept. */
export async function findFirstKept(db: Db, workspaceId: string, prunedSeq: number): Promise<CheckpointRow | undefined> {
  return db
    .selectFrom('audit_checkpoints')
    .select(COLUMNS)
    .where('workspace_id', '=', workspaceId)
    .where('seq', '>', prunedSeq)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
}

export async function insertCheckpoint(db: Db, workspaceId: string, row: CheckpointRow): Promise<void> {
  await db
    .insertInto('audit_checkpoints')
    .values({ workspace_id: workspaceId, ...row })
    .execute()
}

/** The last one that is pruned stays: it says where the chain begins. */
export async function deleteUpTo(tx: Db, workspaceId: string, { seq, number }: CheckpointRow): Promise<void> {
  await tx.deleteFrom('audit_entries').where('workspace_id', '=', workspaceId).where('seq', '<=', seq).execute()
  await tx.deleteFrom('audit_checkpoints').where('workspace_id', '=', workspaceId).where('number', '<', number).execute()
}

/** Whose chains have something to sign. */
export async function listToSign(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('audit_heads').select('workspace_id').where('checkpoint_due_at', '<=', now).limit(limit).execute()
  return rows.map((row) => row.workspace_id)
}

/** Where an endpoint wants to be told of entries, and there are some that none was told of. */
export async function listToTell(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct e.workspace_id as id from webhook_endpoints e join audit_heads h on h.workspace_id = e.workspace_id
    where e.is_active and e.events @> array['audit.entries'] and h.seq > coalesce(h.told_seq, -1) limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whose chains have something too old to keep. */
export async function listToPrune(db: Db, now: Date, limit: number): Promise<string[]> {
  const rows = await db.selectFrom('audit_heads').select('workspace_id').where('prune_due_at', '<=', now).limit(limit).execute()
  return rows.map((row) => row.workspace_id)
}
