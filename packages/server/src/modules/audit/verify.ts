/** Whether a chain is what was written: every entry hashed again, every link, its ends, and every checkpoint. */
import { checkpointText } from '@contentflow/core/audit/entry.ts'
import type { AuditFault } from '@contentflow/core/audit/verify-export.ts'
import type { Context } from '../../context.ts'
import { isSigned } from '../../infra/audit/audit-keys.ts'
import { toSigned } from './checkpoints.ts'
import { findHead, listCheckpoints, updateHead } from './queries-heads.ts'
import * as queries from './queries-verify.ts'

export type Verdict = { checked: number; fault: AuditFault | null; ms: number }

const CHECKPOINTS_AT_A_TIME = 1_000
/** When entries are pruned meanwhile, it begins anew so often. */
const ATTEMPTS = 3

/** Says what was found, and keeps when and what. */
export async function verifyAudit(ctx: Context, workspaceId: string): Promise<Verdict> {
  const began = performance.now()
  const { checked, fault } = await checkWhole(ctx, workspaceId, ATTEMPTS)
  await updateHead(ctx.db, workspaceId, { verified_at: ctx.clock.now(), verified_fault: fault ? JSON.stringify(fault) : null })
  return { checked, fault, ms: Math.round(performance.now() - began) }
}

type Found = { checked: number; fault: AuditFault | null }

async function checkWhole(ctx: Context, workspaceId: string, attempts: number): Promise<Found> {
  const ends = await queries.findEnds(ctx.db, workspaceId)
  if (!ends) return { checked: 0, fault: null }
  const found = await checkRange(ctx, workspaceId, ends)
  const after = await findHead(ctx.db, workspaceId)
  if (after?.pruned_seq !== ends.prunedSeq && attempts > 1) return checkWhole(ctx, workspaceId, attempts - 1)
  return found
}

type Ends = NonNullable<Awaited<ReturnType<typeof queries.findEnds>>>

async function checkRange({ db, audit }: Context, workspaceId: string, ends: Ends): Promise<Found> {
  const { seq, prunedSeq } = ends
  // Two connections at once: hashing takes one core, comparing another.
  const [contents, links] = await Promise.all([
    queries.checkContents(db, workspaceId, prunedSeq, seq),
    queries.checkLinks(db, workspaceId, prunedSeq, seq),
  ])
  const faults = [...faultsOf(contents, links, ends)]
  const unmatched = await queries.findUnmatched(db, workspaceId, prunedSeq)
  if (unmatched !== null) faults.push({ seq: unmatched, kind: unmatched > seq ? 'truncated' : 'checkpoint' })
  const forged = await findForged(db, workspaceId, async () => (await audit.keys.signer(db, workspaceId)).publicKey)
  if (forged !== null) faults.push({ seq: forged, kind: 'checkpoint' })
  return { checked: contents.count, fault: firstOf(faults) }
}

function* faultsOf({ first, last, changed }: queries.Contents, links: queries.Links, ends: Ends): Generator<AuditFault> {
  const { seq, hash, prunedSeq, prunedHash } = ends
  if (changed !== null) yield { seq: changed, kind: 'changed' }
  if (links.gap !== null) yield { seq: links.gap - 1, kind: 'missing' }
  if (links.unbound !== null) yield { seq: links.unbound, kind: 'reordered' }
  if (seq > prunedSeq && first !== null && first > prunedSeq + 1) yield { seq: prunedSeq + 1, kind: 'missing' }
  if (seq > (last ?? prunedSeq)) yield { seq: (last ?? prunedSeq) + 1, kind: 'truncated' }
  if (links.firstPrev && !links.firstPrev.equals(prunedHash)) yield { seq: prunedSeq + 1, kind: 'reordered' }
  if (links.lastHash && !links.lastHash.equals(hash)) yield { seq, kind: 'truncated' }
  // Behind the end, or before the beginning.
  if (ends.last !== null && ends.last > seq) yield { seq: seq + 1, kind: 'reordered' }
  if (ends.firstKept !== null && ends.firstKept <= prunedSeq) yield { seq: ends.firstKept, kind: 'reordered' }
}

/** The first, and of one number the kind that says most. */
function firstOf(faults: readonly AuditFault[]): AuditFault | null {
  const rank = ['changed', 'missing', 'reordered', 'truncated', 'checkpoint']
  const [first] = faults.toSorted((a, b) => a.seq - b.seq || rank.indexOf(a.kind) - rank.indexOf(b.kind))
  return first ?? null
}

/** The entry of the first checkpoint that is missing in their row of numbers, or that this server did not sign. */
async function findForged(db: Context['db'], workspaceId: string, findKey: () => Promise<string>): Promise<number | null> {
  let publicKey: string | undefined
  for (let after = 0; ;) {
    const rows = await listCheckpoints(db, workspaceId, after, CHECKPOINTS_AT_A_TIME)
    for (const row of rows) {
      publicKey ??= await findKey()
      if (after > 0 && row.number !== after + 1) return row.seq
      const { checkpoint, signature } = toSigned(workspaceId, row)
      if (!isSigned(checkpointText(checkpoint), { publicKey, signature })) return row.seq
      after = row.number
    }
    if (rows.length < CHECKPOINTS_AT_A_TIME) return null
  }
}
