/** Questions that are kept: saving, changing and deleting them. */
import type { QuestionKind } from '@contentflow/core/analysis/question.ts'
import type { JsonObject } from '@contentflow/core/blocks/field.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../context.ts'
import { fail, failWith } from '../../../errors.ts'
import type { Actor, Change } from '../../../infra/change.ts'
import { uuidv7 } from '../../../infra/secrets/crypto.ts'
import { bytesOf, reserveQuota } from '../../quota/index.ts'
import { readAsked } from '../questions/ask.ts'
import * as queries from './queries-reports.ts'
import type { Report } from './queries-reports.ts'

type New = { name: string; kind: QuestionKind; definition: JsonObject; isPinned?: boolean }
type Changed = { name?: string; definition?: JsonObject; isPinned?: boolean }

export async function createReport(ctx: Context, by: Actor, { name, kind, definition, isPinned = false }: New): Promise<Report> {
  await readAsked(ctx, by.workspaceId, kind, definition)
  return ctx.change(by, async (change) => {
    const { tx, workspaceId, now } = change
    const all = await queries.listReports(tx, workspaceId)
    if (all.length >= LIMITS.reports) fail('REPORT_LIMIT')
    const report: Report = {
      id: uuidv7(now.getTime()),
      name: readName(name),
      kind,
      definition,
      pinnedAt: isPinned ? now : null,
      createdBy: by.actor,
      createdAt: now,
      updatedAt: now,
      version: 1,
    }
    check(change, all, report)
    await queries.insertReport(tx, workspaceId, report)
    return report
  })
}

/** Members left out stay. With `expectedVersion` a change on top of somebody else's is refused. */
export async function changeReport(ctx: Context, by: Actor, id: string, changed: Changed, expectedVersion?: number): Promise<Report> {
  const before = (await queries.findReport(ctx.db, by.workspaceId, id)) ?? failWith(404, 'report not found')
  if (changed.definition) await readAsked(ctx, by.workspaceId, before.kind, changed.definition)
  return ctx.change(by, async (change) => {
    const { tx, workspaceId, now } = change
    const stored = await hold(change, id, expectedVersion)
    const pinnedAt = changed.isPinned === undefined ? stored.pinnedAt : changed.isPinned ? (stored.pinnedAt ?? now) : null
    const report: Report = {
      ...stored,
      name: changed.name === undefined ? stored.name : readName(changed.name),
      definition: changed.definition ?? stored.definition,
      pinnedAt,
      updatedAt: now,
      version: stored.version + 1,
    }
    const others = (await queries.listReports(tx, workspaceId)).filter((each) => each.id !== id)
    check(change, others, report)
    await queries.updateReport(tx, workspaceId, report)
    return report
  })
}

export async function deleteReport(ctx: Context, by: Actor, id: string, expectedVersion?: number): Promise<void> {
  await ctx.change(by, async (change) => {
    await hold(change, id, expectedVersion)
    await queries.deleteReport(change.tx, change.workspaceId, id)
  })
}

async function hold({ tx, workspaceId }: Change, id: string, expectedVersion: number | undefined): Promise<Report> {
  const stored = (await queries.lockReport(tx, workspaceId, id)) ?? failWith(404, 'report not found')
  if (expectedVersion !== undefined && stored.version !== expectedVersion) fail('VERSION_CHANGED')
  return stored
}

function check(change: Change, others: readonly Report[], report: Report): void {
  if (others.some(({ name }) => name.toLowerCase() === report.name.toLowerCase())) fail('REPORT_NAME_TAKEN')
  if (report.pinnedAt && others.filter(({ pinnedAt }) => pinnedAt).length >= LIMITS.pinnedReports) fail('REPORT_PINS')
  reserveQuota(change, bytesOf(report.definition))
}

function readName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || trimmed.length > LIMITS.reportNameLength)
    return failWith(400, `name must be a text of 1 to ${LIMITS.reportNameLength} characters`)
  return trimmed
}
