import type { Db } from '../../db/open.ts'
import { syncTrackers } from '../behaviour/index.ts'
import { copyRows, listSegments } from './queries.ts'

/** The segments of one workspace, in another that has none and nobody in it yet. */
export async function copySegments(tx: Db, from: string, to: string, now: Date): Promise<void> {
  await copyRows(tx, from, to, now)
  // What is due there is found by the next pass.
  const change = { tx, workspaceId: to, now, nudge: () => {} }
  for (const { id, rules } of await listSegments(tx, to)) await syncTrackers(change, { kind: 'segment', id }, rules)
}
