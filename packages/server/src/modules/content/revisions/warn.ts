import type { Context } from '../../../context.ts'
import type { SavedInstance } from './save-instance.ts'
import { presentInstance, presentServingWarning, type Warning } from './present.ts'
import type { ServingTold } from './serving.ts'
import { listUnknownTargets } from './queries-targets.ts'

/** Warnings for members who see these instances, by instance; most have none. */
export async function warningsOf({ db }: Context, workspaceId: string, ids: readonly string[]): Promise<(id: string) => Warning[]> {
  const unknown = await listUnknownTargets(db, workspaceId, ids)
  return (id) => (unknown.get(id) ?? []).map((segment) => ({ code: 'unknown_segment', segment }))
}

/** `serving`: warnings for the publisher alone. */
export async function presentSaved(
  ctx: Context,
  workspaceId: string,
  { instance, definition }: SavedInstance,
  serving: readonly ServingTold[] = [],
) {
  const warnings = await warningsOf(ctx, workspaceId, [instance.id])
  return presentInstance(instance, definition.fields, [...warnings(instance.id), ...serving.map(presentServingWarning)])
}
