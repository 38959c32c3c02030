/** The document of a workspace that whoever runs the installation declares. */
import { readCode, type WorkspaceCode } from '@contentflow/core/as-code/workspace-code.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import type { Change } from '../../infra/change.ts'
import { findTimeZone } from '../calendar/index.ts'
import { openRegexCheck, recomputeDue } from '../segments/index.ts'
import type { LockedCatalog } from '../strings/index.ts'
import { refuseAddresses } from '../webhooks/index.ts'
import { findDeclared } from '../workspaces/index.ts'
import { applyIn } from './apply-workspace.ts'
import { readPlan, refuseCalls } from './read-workspace.ts'

/** Refuses a document that cannot be applied, also to a workspace that is still to be made. Not inside of a change. */
export async function refuseDocument(ctx: Context, workspaceId: string, document: unknown): Promise<void> {
  if (await findDeclared(ctx.db, workspaceId)) {
    await refuseCalls(ctx, workspaceId, await readPlan(ctx, ctx.db, workspaceId, { document }))
    return
  }
  const reading = { openRegexCheck, blocks: [], day: await findTimeZone(ctx.db, workspaceId), now: ctx.clock.ms() }
  const read = await ctx.timeSlicer.run(workspaceId, readCode(document, reading))
  if (!read.ok) failWith(400, `document: ${read.error}`)
  else await refuseAddresses(ctx, read.value.webhooks ?? [])
}

/** Applies it as part of a change. Returns the segments for `finishDocument`. */
export async function applyDocument(ctx: Context, change: Change, catalog: LockedCatalog, document: unknown): Promise<string[]> {
  const { changes, touched } = await applyIn(ctx, change, catalog, { document })
  const kinds = Map.groupBy(changes, ({ kind }) => kind)
  const names = Object.fromEntries([...kinds].map(([kind, ofKind]) => [kind, ofKind.map(({ key }) => key)]))
  if (changes.length > 0)
    change.audited('workspace', change.workspaceId, {}, names satisfies Partial<Record<keyof WorkspaceCode, string[]>>)
  return touched
}

/** After the commit: who is in the segments that changed. */
export async function finishDocument(ctx: Context, workspaceId: string, touched: readonly string[], now: Date): Promise<void> {
  await recomputeDue(ctx, workspaceId, touched, now)
}
