import type { Change } from '../../../infra/change.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { endPublication } from './move-publication.ts'
import { insertEvents } from '../revisions/queries-events.ts'
import { keepTargets, lockEarlier, type Publication } from '../revisions/queries-publications.ts'

/** Why an environment gets another revision: a planned publication with its moment; otherwise the moment is now. */
export type Moment = Pick<Publication, 'id' | 'at'>

/**
 * Cancels publications that were planned for an earlier moment and are not carried out yet (G-89), because the later decision
 * was made knowing the newer content. The history records it; for environments that did not change meanwhile they stay planned.
 */
export async function overtake(
  change: Change,
  instanceId: string,
  environments: readonly Environment[],
  planned: Moment | undefined,
): Promise<void> {
  const { tx, workspaceId, actor, now } = change
  for (const earlier of await lockEarlier(tx, workspaceId, instanceId, planned ?? { id: null, at: now })) {
    const over = earlier.targets.filter((target) => environments.includes(target))
    if (over.length === 0) continue
    const left = earlier.targets.filter((target) => !over.includes(target))
    if (left.length > 0) await keepTargets(tx, workspaceId, earlier.id, left)
    else await endPublication(change, earlier.id)
    const events = over.map((environment) => ({
      action: 'overtaken' as const,
      environment,
      revision: earlier.revision,
      dueAt: earlier.at,
    }))
    await insertEvents(tx, workspaceId, instanceId, events, { by: actor, at: now })
  }
}
