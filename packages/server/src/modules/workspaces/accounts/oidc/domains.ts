/** Domains that a workspace has proven by a text record of theirs: only for addresses of these its providers make accounts. */
import { domainRecord } from '@contentflow/core/sign-in/provider.ts'
import { DAY_MS } from '@contentflow/core/units.ts'
import type { Context } from '../../../../context.ts'
import { findTextRecords } from '../../../../infra/outbound/text-records.ts'
import { listDomains, listWorkspacesToCheck, updateDomain, type DomainRow } from './queries-providers.ts'

const CHECKED_EVERY_MS = 7 * DAY_MS
const WORKSPACES_AT_ONCE = 50

/** Looks for the records of a workspace. Where nobody answers, what was known before stays. */
export async function checkDomains(ctx: Context, workspaceId: string): Promise<void> {
  const domains = await listDomains(ctx.db, workspaceId)
  if (domains.length === 0) return
  const found = await findTextRecords(
    ctx.config.dnsServers,
    domains.map(({ domain }) => domain),
  )
  const now = ctx.clock.now()
  for (const row of domains) await updateDomain(ctx.db, workspaceId, row.domain, provedAt(row, found.get(row.domain), now), now)
}

function provedAt({ code, proved_at: before }: DomainRow, records: readonly string[] | null | undefined, now: Date): Date | null {
  if (!records) return before
  return records.some((record) => record.trim() === domainRecord(code)) ? (before ?? now) : null
}

/** Each week: a record that is gone stops new accounts, and nothing else. */
export async function checkOldDomains(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock.ms() - CHECKED_EVERY_MS)
  for (const workspaceId of await listWorkspacesToCheck(ctx.db, before, WORKSPACES_AT_ONCE)) await checkDomains(ctx, workspaceId)
}
