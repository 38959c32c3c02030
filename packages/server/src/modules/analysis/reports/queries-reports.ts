/** Saved reports. */
import { sql } from 'kysely'
import type { QuestionKind } from '@contentflow/core/analysis/question.ts'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import type { Db } from '../../../db/open.ts'

export type Report = {
  id: string
  name: string
  kind: QuestionKind
  definition: JsonObject
  pinnedAt: Date | null
  createdBy: string
  createdAt: Date
  updatedAt: Date
  version: number
}

const COLUMNS = sql`id, name, kind, definition, pinned_at as "pinnedAt", created_by as "createdBy", created_at as "createdAt",
  updated_at as "updatedAt", version`

/** All of a workspace, by name; there is a bound on them. */
export async function listReports(db: Db, workspaceId: string): Promise<Report[]> {
  const { rows } = await sql<Report>`select ${COLUMNS} from reports where workspace_id = ${workspaceId} order by lower(name), id`.execute(
    db,
  )
  return rows
}

export async function findReport(db: Db, workspaceId: string, id: string): Promise<Report | undefined> {
  const { rows } = await sql<Report>`select ${COLUMNS} from reports where workspace_id = ${workspaceId} and id = ${id}`.execute(db)
  return rows[0]
}

export async function lockReport(tx: Db, workspaceId: string, id: string): Promise<Report | undefined> {
  const { rows } = await sql<Report>`
    select ${COLUMNS} from reports where workspace_id = ${workspaceId} and id = ${id} for no key update`.execute(tx)
  return rows[0]
}

export async function insertReport(tx: Db, workspaceId: string, report: Report): Promise<void> {
  await sql`
    insert into reports (workspace_id, id, name, kind, definition, pinned_at, created_by, created_at, updated_at, version)
    values (${workspaceId}, ${report.id}, ${report.name}, ${report.kind}, ${JSON.stringify(report.definition)}::jsonb, ${report.pinnedAt},
      ${report.createdBy}, ${report.createdAt}, ${report.updatedAt}, ${report.version})`.execute(tx)
}

export async function updateReport(tx: Db, workspaceId: string, report: Report): Promise<void> {
  await sql`
    update reports set name = ${report.name}, definition = ${JSON.stringify(report.definition)}::jsonb, pinned_at = ${report.pinnedAt},
      updated_at = ${report.updatedAt}, version = ${report.version}
    where workspace_id = ${workspaceId} and id = ${report.id}`.execute(tx)
}

export async function deleteReport(tx: Db, workspaceId: string, id: string): Promise<void> {
  await tx.deleteFrom('reports').where('workspace_id', '=', workspaceId).where('id', '=', id).execute()
}
