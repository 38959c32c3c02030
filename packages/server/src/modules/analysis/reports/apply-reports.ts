/** Reports as a document of the workspace holds them, named by their names. */
import type { ReportCode } from '@contentflow/core/as-code/report-code.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Db } from '../../../db/open.ts'
import { fail, failWith } from '../../../errors.ts'
import type { Change } from '../../../infra/change.ts'
import { uuidv7 } from '../../../infra/secrets/crypto.ts'
import { bytesOf, reserveQuota } from '../../quota/index.ts'
import * as queries from './queries-reports.ts'

type Named = { id: string; name: string }

/** `segments`: all that there are. One that is gone keeps its id in the document. */
export async function listReportCode(db: Db, workspaceId: string, segments: readonly Named[]): Promise<ReportCode[]> {
  const names = new Map(segments.map(({ id, name }) => [id, name]))
  const reports = await queries.listReports(db, workspaceId)
  return reports.map(({ name, kind, definition, pinnedAt }) => {
    const { segment } = definition
    const shown = typeof segment === 'string' ? { ...definition, segment: names.get(segment) ?? segment } : definition
    return { name, kind, definition: shown, isPinned: pinnedAt !== null }
  })
}

/** Makes, changes and deletes reports by their names; 400 where a definition names a segment that is not there. */
export async function applyReports(
  change: Change,
  segments: readonly Named[],
  { written, deleted }: { written: readonly ReportCode[]; deleted: readonly string[] },
): Promise<void> {
  if (written.length + deleted.length === 0) return
  const { tx, workspaceId, now, actor } = change
  const stored = new Map((await queries.listReports(tx, workspaceId)).map((report) => [report.name, report]))
  for (const name of deleted) {
    const gone = stored.get(name)
    if (gone) await queries.deleteReport(tx, workspaceId, gone.id)
    stored.delete(name)
  }
  const ids = new Map(segments.flatMap(({ id, name }) => [[id, id] as const, [name, id] as const]))
  for (const { name, kind, definition, isPinned } of written) {
    const { segment } = definition
    const id = typeof segment === 'string' ? ids.get(segment) : undefined
    if (segment !== undefined && id === undefined)
      failWith(400, `document: reports: ${JSON.stringify(name)} names a segment that is not there`)
    const before = stored.get(name)
    const report: queries.Report = {
      id: before?.id ?? uuidv7(now.getTime()),
      name,
      kind,
      definition: { ...definition, ...(id !== undefined && { segment: id }) },
      pinnedAt: isPinned ? (before?.pinnedAt ?? now) : null,
      createdBy: before?.createdBy ?? actor,
      createdAt: before?.createdAt ?? now,
      updatedAt: now,
      version: (before?.version ?? 0) + 1,
    }
    reserveQuota(change, bytesOf(report.definition))
    // Of another kind it is another question under the same name.
    if (before && before.kind !== kind) await queries.deleteReport(tx, workspaceId, before.id)
    await (before?.kind === kind ? queries.updateReport(tx, workspaceId, report) : queries.insertReport(tx, workspaceId, report))
    stored.set(name, report)
  }
  if (stored.size > LIMITS.reports) fail('REPORT_LIMIT')
}
