/** Signing where a chain stands, every thousand entries or every hour, and taking what is old enough from its front. */
import { checkpointText, type Checkpoint, type SignedCheckpoint } from '@contentflow/core/audit/entry.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../context.ts'
import { placeOfAuditKey } from '../../infra/audit/audit-keys.ts'
import { SYSTEM } from '../../infra/change.ts'
import { resealColumn } from '../../infra/secrets/sealed.ts'
import { inTransaction } from '../../infra/unavailable.ts'
import { enqueueWebhook, holdSubscribed } from '../webhooks/index.ts'
import * as queries from './queries-heads.ts'
import type { CheckpointRow } from './queries-heads.ts'
import { tellAudit } from './tell-audit.ts'

/** Workspaces at a time; the next pass takes the others. */
const AT_A_TIME = 500

/** Tells what was written, signs what is due and prunes what is old; a workspace that fails is left to the next pass. */
export async function tendAudit(ctx: Context): Promise<void> {
  await resealColumn(ctx, { table: 'audit_keys', column: 'sealed', placeOf: placeOfAuditKey })
  const now = ctx.clock.now()
  // First, so that what is signed was told.
  for (const workspaceId of await queries.listToTell(ctx.db, AT_A_TIME)) await attempt(ctx, workspaceId, () => tellAudit(ctx, workspaceId))
  for (const workspaceId of await queries.listToSign(ctx.db, now, AT_A_TIME)) await attempt(ctx, workspaceId, () => sign(ctx, workspaceId))
  for (const workspaceId of await queries.listToPrune(ctx.db, now, AT_A_TIME))
    await attempt(ctx, workspaceId, () => prune(ctx, workspaceId))
}

async function attempt(ctx: Context, workspaceId: string, work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => ctx.log.error({ err: error, workspaceId }, 'the audit log could not be signed or pruned'))
}

/** Signs the end of the chain, unless it is signed; undefined: there is no chain yet. */
export async function sign(ctx: Context, workspaceId: string): Promise<SignedCheckpoint | undefined> {
  const made = await ctx.change({ workspaceId, actor: SYSTEM }, async (change) => {
    const { tx } = change
    await holdSubscribed(tx, workspaceId, 'audit.checkpoint')
    const head = await queries.holdHead(tx, workspaceId)
    if (!head) return undefined
    const last = await queries.findLastCheckpoint(tx, workspaceId)
    if (last?.seq === head.seq) {
      await queries.updateHead(tx, workspaceId, { checkpoint_due_at: null, signed_seq: head.seq })
      return { row: last, isNew: false }
    }
    const signer = await ctx.audit.keys.signer(tx, workspaceId)
    const now = ctx.clock.now()
    const unsigned = { number: (last?.number ?? 0) + 1, seq: head.seq, hash: head.hash, at: now }
    const signature = signer.sign(checkpointText(describe(workspaceId, unsigned)))
    const row = { ...unsigned, public_key: signer.publicKey, signature }
    await queries.insertCheckpoint(tx, workspaceId, row)
    await queries.updateHead(tx, workspaceId, { checkpoint_due_at: null, signed_seq: head.seq })
    await planPruning(tx, workspaceId, head)
    await enqueueWebhook(change, 'audit.checkpoint', toSigned(workspaceId, row))
    return { row, isNew: true }
  })
  if (!made) return undefined
  const signed = toSigned(workspaceId, made.row)
  // Outside of the database too: whoever collects the log holds what shows a chain that was made anew or cut.
  if (made.isNew)
    ctx.log.info(
      { workspaceId, checkpoint: JSON.stringify(signed.checkpoint), publicKey: signed.publicKey, signature: signed.signature },
      'audit checkpoint',
    )
  return signed
}

function describe(workspaceId: string, { number, seq, hash, at }: Pick<CheckpointRow, 'number' | 'seq' | 'hash' | 'at'>): Checkpoint {
  return { workspace: workspaceId, number, seq, hash: hash.toString('hex'), at: at.toISOString() }
}

/** A stored checkpoint as it is given out. */
export function toSigned(workspaceId: string, row: CheckpointRow): SignedCheckpoint {
  return { checkpoint: describe(workspaceId, row), publicKey: row.public_key, signature: row.signature }
}

type Kept = { pruned_seq: number; retention_days: number }

/** Sets when the first checkpoint of what is kept is as old as may be. */
export async function planPruning(tx: Context['db'], workspaceId: string, { pruned_seq, retention_days }: Kept): Promise<void> {
  const first = await queries.findFirstKept(tx, workspaceId, pruned_seq)
  await queries.updateHead(tx, workspaceId, { prune_due_at: first ? new Date(first.at.getTime() + retention_days * DAY_MS) : null })
}

/** Takes whole checkpoints from the front, one in a transaction: what is kept is bound to what was signed. */
async function prune(ctx: Context, workspaceId: string): Promise<void> {
  const takeOne = () =>
    inTransaction(ctx.db, async (tx) => {
      const head = await queries.holdHead(tx, workspaceId)
      if (!head) return false
      const first = await queries.findFirstKept(tx, workspaceId, head.pruned_seq)
      const isOld = first !== undefined && first.at.getTime() + head.retention_days * DAY_MS <= ctx.clock.ms()
      if (!isOld) {
        await planPruning(tx, workspaceId, head)
        return false
      }
      await queries.deleteUpTo(tx, workspaceId, first)
      await queries.updateHead(tx, workspaceId, { pruned_seq: first.seq, pruned_hash: first.hash })
      return true
    })
  while (await takeOne());
}
