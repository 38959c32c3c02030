import { getHeapStatistics } from 'node:v8'
import type { Context } from '../../../context.ts'
import { RevisionedStore } from '../../../infra/cache/revisioned-store.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { loadSnapshotRows } from './queries.ts'
import { Rendered } from './rendered.ts'
import { buildSnapshot, type Snapshot } from './snapshot.ts'

/** The snapshots of this process, one for each workspace and view in use. */
export type Snapshots = RevisionedStore<Snapshot>

const { heap_size_limit: HEAP_BYTES } = getHeapStatistics()
const SNAPSHOT_BYTES = HEAP_BYTES / 4
/** A character takes one byte, and two of most languages but English. */
const RENDERED_CHARACTERS = HEAP_BYTES / 16

export function openSnapshots(ctx: Context): Snapshots {
  const rendered = new Rendered(RENDERED_CHARACTERS, () => {
    for (const { ordered, campaigns } of snapshots.values()) {
      for (const { pieces } of ordered) pieces.clear()
      for (const { shown } of campaigns.ordered) shown.clear()
    }
  })
  const snapshots: Snapshots = new RevisionedStore(ctx, {
    name: 'snapshots',
    bytes: SNAPSHOT_BYTES,
    failure: 'content could not be reloaded; the last known content is served',
    read: async (workspaceId, view, before) => {
      const rows = await loadSnapshotRows(ctx.db, workspaceId, view as Environment, before?.rows)
      return rows && ctx.timeSlicer.run(workspaceId, buildSnapshot(rows, rendered, before))
    },
  })
  return snapshots
}
