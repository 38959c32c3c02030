import type { CodeChange } from '@contentflow/core/as-code/plan-code.ts'
import type { CodeKind, FenceCode, WorkspaceCode } from '@contentflow/core/as-code/workspace-code.ts'
import type { Context } from '../../context.ts'
import { fail } from '../../errors.ts'
import type { Change, Of } from '../../infra/change.ts'
import { applyDefinitions, changeContent } from '../content/index.ts'
import { deleteGeofence, insertGeofence, updateGeofence } from '../location/index.ts'
import { applySegments, lockSegments, recomputeDue } from '../segments/index.ts'
import { planFor, readWorkspace, wantedCode } from './read-workspace.ts'

/** Makes the workspace what the document says, in one transaction; 409 when it is no longer the one that `version` was planned for. */
export async function applyWorkspace(ctx: Context, of: Of, document: unknown, version: string): Promise<CodeChange[]> {
  const wanted = wantedCode(document)
  const now = ctx.clock.now()
  const { changes, touched } = await changeContent(ctx, of, async (change) => {
    const segments = await lockSegments(change.tx, change.workspaceId)
    const found = await readWorkspace(change.tx, change.workspaceId)
    const planned = planFor(found.code, wanted)
    if (planned.version !== version) fail('WORKSPACE_CHANGED')
    const of = (kind: CodeKind) => split(planned.changes, kind)
    const blocks = of('blocks')
    await applyDefinitions(change, found.definitions, {
      written: (wanted.blocks ?? []).filter(({ key }) => blocks.written.has(key)),
      archived: blocks.deleted,
    })
    await applyFences(change, wanted, of('geofences'))
    const named = of('segments')
    if (named.written.size + named.deleted.length === 0) return { changes: planned.changes, touched: [] }
    const written = (wanted.segments ?? []).filter(({ name }) => named.written.has(name))
    return { changes: planned.changes, touched: await applySegments(change, segments, { written, deleted: named.deleted }) }
  })
  await recomputeDue(ctx, of.workspaceId, touched, now)
  return changes
}

/** Keys of what is made or changed, and of what goes. */
type Split = { written: Map<string, CodeChange['change']>; deleted: string[] }

function split(changes: readonly CodeChange[], kind: CodeKind): Split {
  const ofKind = changes.filter((change) => change.kind === kind)
  return {
    written: new Map(ofKind.flatMap(({ key, change }) => (change === 'delete' ? [] : [[key, change]]))),
    deleted: ofKind.filter(({ change }) => change === 'delete').map(({ key }) => key),
  }
}

async function applyFences({ tx, workspaceId, now }: Change, wanted: Partial<WorkspaceCode>, { written, deleted }: Split): Promise<void> {
  for (const id of deleted) await deleteGeofence(tx, workspaceId, id)
  for (const { id, ...fence } of (wanted.geofences ?? []) satisfies FenceCode[]) {
    const change = written.get(id)
    if (change === 'create') await insertGeofence(tx, workspaceId, id, fence, now)
    if (change === 'change') await updateGeofence(tx, workspaceId, id, fence, now)
  }
}
