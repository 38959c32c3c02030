import { LIMITS } from '@contentflow/core/limits.ts'
import {
  lastOfEach,
  planSync,
  type Mismatch,
  type MismatchRule,
  type Rejection,
  type StoredString,
  type StringRow,
  type SyncPlan,
} from '@contentflow/core/strings/plan-sync.ts'
import { readRows } from '@contentflow/core/strings/read-rows.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import type { Change, Actor } from '../../../infra/change.ts'
import { permitTexts, sourceOf } from '../permit-texts.ts'
import { changeCatalog, takeTextRoom, touchCatalog, type LockedCatalog } from '../change-catalog.ts'
import { keepHistory, SOURCE } from '../history/keep-history.ts'
import type { TextChange } from '../history/queries-history.ts'
import { partsOf } from '../parts.ts'
import { countStrings, findStored, writePlan } from '../queries.ts'

export type SyncReport = Pick<SyncPlan, 'created' | 'updated' | 'unchanged' | 'translationsWritten' | 'skippedLocales'> & {
  rejected: Omit<Rejection, 'index'>[]
  /** Absent when there are none. */
  warnings?: Omit<Mismatch, 'index'>[]
}

/** A payload with more warnings than this is refused as a whole. */
const MOST_WARNINGS = 1_000

/** Declares texts from a build pipeline. Keys that it does not name stay; sending the same rows again writes nothing (M181 to M187). */
export async function syncStrings(ctx: Context, by: Actor, body: unknown): Promise<SyncReport> {
  const read = await ctx.timeSlicer.run(by.workspaceId, readRows(body))
  if (!read.ok) fail('STRINGS_SYNC_FAILED', { message: read.error })
  const rows = lastOfEach(read.rows)
  return changeCatalog(ctx, by, async (change, catalog) => {
    ctx.faults.check('localization')
    const plans: SyncPlan[] = []
    for (const part of partsOf(rows, catalog.locales.length)) plans.push(await writeRows(ctx, change, catalog, part, 'tell'))
    const report = reportOf(plans)
    if (report.created > 0) await requireRoom(change)
    return report
  })
}

/** Adds up the reports of the parts of a payload. */
function reportOf(plans: readonly SyncPlan[]): SyncReport {
  const sum = (count: 'created' | 'updated' | 'unchanged' | 'translationsWritten') => plans.reduce((total, plan) => total + plan[count], 0)
  const rejected = plans.flatMap((plan) => plan.rejected.map(({ key, reason }) => ({ key, reason })))
  const mismatches = plans.flatMap((plan) => plan.mismatches)
  const warnings = mismatches.slice(0, MOST_WARNINGS).map(({ key, locale, warnings: found }) => ({ key, locale, warnings: found }))
  const skipped = new Map<string, string>()
  for (const code of plans.flatMap((plan) => plan.skippedLocales))
    if (!skipped.has(code.toLowerCase())) skipped.set(code.toLowerCase(), code)
  return {
    created: sum('created'),
    updated: sum('updated'),
    unchanged: sum('unchanged'),
    translationsWritten: sum('translationsWritten'),
    rejected,
    skippedLocales: [...skipped.values()],
    ...(warnings.length > 0 && { warnings }),
  }
}

/**
 * Plans a part of the rows, each with another key, against what is stored at this moment, and writes what differs. A caller
 * that adds strings calls `requireRoom` after the last part.
 */
export async function writeRows(
  ctx: Context,
  change: Change,
  catalog: LockedCatalog,
  rows: readonly StringRow[],
  rule: MismatchRule,
): Promise<SyncPlan> {
  const { tx, workspaceId, now } = change
  const keys = rows.map(({ key }) => key)
  const stored = await findStored(tx, workspaceId, keys, catalog.locales)
  const plan = await ctx.timeSlicer.run(workspaceId, planSync(rows, stored, catalog, rule))
  if (plan.created + plan.updated === 0) return plan
  const written = [...plan.inserts, ...plan.updates]
  const locales = [...(written.length > 0 ? [sourceOf(catalog)] : []), ...plan.translations.map(({ locale }) => locale)]
  const touched = [...written, ...plan.translations].map(({ key }) => key)
  await permitTexts(change, { locales, keys: touched, namespaces: written.flatMap(({ namespace }) => namespace ?? []) })
  takeTextRoom(change, { strings: [...plan.inserts, ...plan.updates], translations: plan.translations })
  await keepHistory(change, catalog.next, changesOf(plan, stored))
  await writePlan(tx, workspaceId, plan, catalog.next, now)
  touchCatalog(change)
  return plan
}

/** Changes of texts that existed before; a first text is no change. */
function changesOf({ updates, translations }: SyncPlan, stored: ReadonlyMap<string, StoredString>): TextChange[] {
  return [
    ...updates.map(({ key, sourceText }) => ({ key, locale: SOURCE, before: stored.get(key)?.sourceText ?? null, after: sourceText })),
    ...translations.map(({ key, locale, text }) => ({
      key,
      locale,
      before: stored.get(key)?.translations.get(locale)?.text ?? null,
      after: text,
    })),
  ].filter(({ before }) => before !== null)
}

/** 409 when the catalog, with what was written, has more strings than a process can serve; the transaction is then rolled back. */
export async function requireRoom({ tx, workspaceId }: Change): Promise<void> {
  if ((await countStrings(tx, workspaceId)) > LIMITS.stringsPerWorkspace) fail('STRING_LIMIT')
}
