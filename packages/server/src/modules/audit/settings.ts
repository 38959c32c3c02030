import type { AuditFault } from '@contentflow/core/audit/verify-export.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../infra/change.ts'
import { planPruning } from './checkpoints.ts'
import { findHead, holdHead, updateHead } from './queries-heads.ts'

export type AuditSettings = { retentionDays: number; recordReads: boolean }

const DEFAULTS: AuditSettings = { retentionDays: 400, recordReads: false }

/** With when the log was last checked, and what was found. */
export async function readAuditSettings({ db }: Pick<Context, 'db'>, workspaceId: string) {
  const head = await findHead(db, workspaceId)
  const settings = head ? { retentionDays: head.retention_days, recordReads: head.record_reads } : DEFAULTS
  return {
    ...settings,
    entries: head ? head.seq - head.pruned_seq : 0,
    lastCheck: head?.verified_at ? { at: head.verified_at, fault: head.verified_fault as AuditFault | null } : null,
  }
}

/** What is left out stays. */
export async function setAuditSettings(ctx: Context, by: Actor, asked: Partial<AuditSettings>): Promise<void> {
  const { workspaceId } = by
  await ctx.change(by, async (change) => {
    const { tx } = change
    await ctx.audit.begin(tx, workspaceId)
    const head = await holdHead(tx, workspaceId)
    if (!head) throw new Error('an audit log has no head')
    const before = { retentionDays: head.retention_days, recordReads: head.record_reads }
    const after = { retentionDays: asked.retentionDays ?? before.retentionDays, recordReads: asked.recordReads ?? before.recordReads }
    change.audited('setting', 'audit', before, after)
    await updateHead(tx, workspaceId, { retention_days: after.retentionDays, record_reads: after.recordReads })
    await planPruning(tx, workspaceId, { ...head, retention_days: after.retentionDays })
  })
}

/** Whether reads of people, of files of them and of keys are kept. */
export async function areReadsKept({ db }: Pick<Context, 'db'>, workspaceId: string): Promise<boolean> {
  return (await findHead(db, workspaceId))?.record_reads === true
}
