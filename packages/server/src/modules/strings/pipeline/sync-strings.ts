import { LIMITS } from '@contentflow/core/limits.ts'
import {
  planSync,
  type Mismatch,
  type MismatchRule,
  type Rejection,
  type StringRow,
  type SyncPlan,
} from '@contentflow/core/strings/plan-sync.ts'
import { readRows } from '@contentflow/core/strings/read-rows.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import type { Change, Of } from '../../../infra/change.ts'
import { changeCatalog, touchCatalog, type LockedCatalog } from '../change-catalog.ts'
import { countStrings, findStored, writePlan } from '../queries.ts'

export type SyncReport = Pick<SyncPlan, 'created' | 'updated' | 'unchanged' | 'translationsWritten' | 'skippedLocales'> & {
  rejected: Omit<Rejection, 'index'>[]
  /** Absent when there are none. */
  warnings?: Omit<Mismatch, 'index'>[]
}

/** A payload with more is wrong as a whole. */
const MOST_WARNINGS = 1_000

/** Declares texts from a build pipeline. What is not named stays; the same rows once more write nothing (M181 to M187). */
export async function syncStrings(ctx: Context, of: Of, body: unknown): Promise<SyncReport> {
  const read = readRows(body)
  if (!read.ok) fail('STRINGS_SYNC_FAILED', { message: read.error })
  return changeCatalog(ctx, of, async (change, catalog) => {
    ctx.faults.check('localization')
    const plan = await writeRows(change, catalog, read.rows, 'tell')
    const { created, updated, unchanged, translationsWritten, skippedLocales } = plan
    const rejected = plan.rejected.map(({ key, reason }) => ({ key, reason }))
    const warnings = plan.mismatches.slice(0, MOST_WARNINGS).map(({ key, locale, warnings: found }) => ({ key, locale, warnings: found }))
    const report = { created, updated, unchanged, translationsWritten, rejected, skippedLocales }
    return warnings.length === 0 ? report : { ...report, warnings }
  })
}

/** Plans the rows against what is stored at this moment, and writes what differs. */
export async function writeRows(change: Change, catalog: LockedCatalog, rows: readonly StringRow[], rule: MismatchRule): Promise<SyncPlan> {
  const { tx, workspaceId, now } = change
  const stored = await findStored(tx, workspaceId, [...new Set(rows.map(({ key }) => key))])
  const plan = planSync(rows, stored, catalog, rule)
  if (plan.inserts.length > 0) await requireRoom(change, plan.inserts.length)
  if (plan.created + plan.updated === 0) return plan
  await writePlan(tx, workspaceId, plan, catalog.next, now)
  touchCatalog(change)
  return plan
}

/** 409 when the catalog would hold more strings than a process can serve. */
export async function requireRoom({ tx, workspaceId }: Change, more: number): Promise<void> {
  if ((await countStrings(tx, workspaceId)) + more > LIMITS.stringsPerWorkspace) fail('STRING_LIMIT')
}
