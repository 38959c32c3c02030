/** Tells endpoints of what is written into the audit log of their workspace: for whoever keeps it where nobody here can write. */
import type { AuditEntry } from '@contentflow/core/audit/entry.ts'
import type { Context } from '../../context.ts'
import { SYSTEM } from '../../infra/change.ts'
import { enqueueWebhook, holdSubscribed } from '../webhooks/index.ts'
import { listEntries } from './queries-audit.ts'
import { holdHead, updateHead } from './queries-heads.ts'

/** Entries of one delivery. */
const AT_ONCE = 100

/** All that is written by now, in deliveries of a hundred entries; the first ones are those behind the last checkpoint. */
export async function tellAudit(ctx: Context, workspaceId: string): Promise<void> {
  while (await tellSome(ctx, workspaceId));
}

/** Whether there is more. What is told and up to where is written in one transaction, so nothing is left out or told twice. */
async function tellSome(ctx: Context, workspaceId: string): Promise<boolean> {
  return ctx.change({ workspaceId, actor: SYSTEM }, async (change) => {
    const { tx } = change
    // Before the end of the chain: whoever changes an endpoint holds it, and waits for that.
    const endpoints = await holdSubscribed(tx, workspaceId, 'audit.entries')
    const head = endpoints.length > 0 ? await holdHead(tx, workspaceId) : undefined
    if (!head) return false
    const after = Math.max(head.told_seq ?? head.signed_seq, head.pruned_seq)
    const found = await listEntries(tx, workspaceId, { after, upTo: head.seq, limit: AT_ONCE })
    const entries = found.map(({ entry, hash, prev }) => ({
      entry: JSON.parse(entry) as AuditEntry,
      hash: hash.toString('hex'),
      prev: prev.toString('hex'),
    }))
    if (entries.length > 0) await enqueueWebhook(change, 'audit.entries', { entries })
    await updateHead(tx, workspaceId, { told_seq: found.at(-1)?.seq ?? after })
    return entries.length === AT_ONCE
  })
}
