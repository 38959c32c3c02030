import { sql } from 'kysely'
import type { Db } from '../../db/open.ts'

/** What the entries of a chain say of themselves, over a range of numbers. `changed`: the first whose hash or number is not its own. */
export type Contents = { count: number; first: number | null; last: number | null; changed: number | null }

/** Hashes each entry anew. */
export async function checkContents(db: Db, workspaceId: string, after: number, upTo: number): Promise<Contents> {
  const { rows } = await sql<Contents>`
    select count(*) as count, min(seq) as first, max(seq) as last,
      min(seq) filter (where hash <> sha256(prev || convert_to(entry, 'UTF8'))) as changed
    from audit_entries where workspace_id = ${workspaceId} and seq > ${after} and seq <= ${upTo}`.execute(db)
  return rows[0] ?? { count: 0, first: null, last: null, changed: null }
}

/** The first number behind a gap, and the first entry that is not bound to the one before it. */
export type Links = { gap: number | null; unbound: number | null; firstPrev: Buffer | null; lastHash: Buffer | null }

/** Compares each entry with the one before it. */
export async function checkLinks(db: Db, workspaceId: string, after: number, upTo: number): Promise<Links> {
  const { rows } = await sql<{ gap: number | null; unbound: number | null }>`
    select min(seq) filter (where seq <> before + 1) as gap, min(seq) filter (where seq = before + 1 and prev <> hash_before) as unbound
    from (
      select seq, prev, lag(seq) over (order by seq) as before, lag(hash) over (order by seq) as hash_before
      from audit_entries where workspace_id = ${workspaceId} and seq > ${after} and seq <= ${upTo}) bound`.execute(db)
  const { rows: ends } = await sql<{ firstPrev: Buffer | null; lastHash: Buffer | null }>`
    select
      (select prev from audit_entries where workspace_id = ${workspaceId} and seq = ${after + 1}) as "firstPrev",
      (select hash from audit_entries where workspace_id = ${workspaceId} and seq = ${upTo}) as "lastHash"`.execute(db)
  const [found] = rows
  return {
    gap: found?.gap ?? null,
    unbound: found?.unbound ?? null,
    firstPrev: ends[0]?.firstPrev ?? null,
    lastHash: ends[0]?.lastHash ?? null,
  }
}

/** In one moment: the end of the chain as its head says it, and the last number that an entry has. */
export async function findEnds(db: Db, workspaceId: string) {
  const { rows } = await sql<{
    seq: number
    hash: Buffer
    prunedSeq: number
    prunedHash: Buffer
    last: number | null
    firstKept: number | null
  }>`
    select seq, hash, pruned_seq as "prunedSeq", pruned_hash as "prunedHash",
      (select max(seq) from audit_entries where workspace_id = ${workspaceId}) as last,
      (select min(seq) from audit_entries where workspace_id = ${workspaceId}) as "firstKept"
    from audit_heads where workspace_id = ${workspaceId}`.execute(db)
  return rows[0]
}

/** The first checkpoint whose entry has another hash than was signed, or is not there; those of pruned entries do not count. */
export async function findUnmatched(db: Db, workspaceId: string, prunedSeq: number): Promise<number | null> {
  const { rows } = await sql<{ seq: number | null }>`
    select min(c.seq) as seq from audit_checkpoints c
    left join audit_entries e on e.workspace_id = ${workspaceId} and e.seq = c.seq
    where c.workspace_id = ${workspaceId} and c.seq > ${prunedSeq} and e.hash is distinct from c.hash`.execute(db)
  return rows[0]?.seq ?? null
}
