import { failWith } from '../../../errors.ts'
import type { Change } from '../../../infra/change.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { touchContent, type SignalName } from './change-content.ts'
import * as instanceQueries from './queries-instances.ts'
import type { Instance } from './queries-instances.ts'
import { permitContent } from './permit-content.ts'
import { insertEvents, type InstanceEvent } from './queries-events.ts'
import { pointerOf, servedRevision } from './served.ts'

/** A move of a pointer to a revision, or to none. */
export type Move = { environment: Environment; revision: number | null }

/**
 * Stores `next` with pointers moved: the history records who moved which, and clients are told what changed for them. `also`:
 * further entries of the history.
 */
export async function storeInstance(
  change: Change,
  stored: Instance,
  next: Instance,
  moves: readonly Move[],
  also: readonly InstanceEvent[] = [],
): Promise<Instance> {
  const { tx, workspaceId, actor, now } = change
  const moved = moves.filter(({ environment, revision }) => pointerOf(stored, environment) !== revision)
  await permitContent(change, [stored.blockKey], { environments: moved.map(({ environment }) => environment) })
  const instance = moved.reduce((before, move) => pointTo(before, move, now), { ...next, updatedAt: now })
  await instanceQueries.updateInstance(tx, workspaceId, instance)
  change.audited('instance', `${instance.blockKey}/${instance.id}`, stored, instance)
  const events = moved.map(({ environment, revision }): InstanceEvent => ({
    action: revision === null ? 'unpublish' : 'publish',
    environment,
    revision,
    dueAt: null,
  }))
  await insertEvents(tx, workspaceId, instance.id, [...events, ...also], { by: actor, at: now })
  // Test keys are told of live changes too, even where another revision is set for them.
  const [live, forTest] = (['live', 'test'] as const).map((each) => nameOf(servedRevision(stored, each), servedRevision(instance, each)))
  if (live) touchContent(change, ['live', 'test'], live)
  if (forTest) touchContent(change, ['test'], forTest)
  return instance
}

function nameOf(before: number | null, after: number | null): SignalName | undefined {
  if (before === after) return undefined
  if (before === null) return 'block.published'
  return after === null ? 'block.unpublished' : 'block.updated'
}

/** The time of the first publication stays while the pointer moves from one revision to another: it decides the order (G-37). */
function pointTo(instance: Instance, { environment, revision }: Move, now: Date): Instance {
  const since = environment === 'live' ? instance.livePublishedAt : instance.testPublishedAt
  const at = revision === null ? null : (since ?? now)
  return environment === 'live'
    ? { ...instance, liveRevision: revision, livePublishedAt: at }
    : { ...instance, testRevision: revision, testPublishedAt: at }
}

/** The content of an instance in one of its revisions; 404 when there is none with this number. */
export async function contentOfRevision({ tx, workspaceId }: Pick<Change, 'tx' | 'workspaceId'>, instance: Instance, number: number) {
  if (number === instance.version) return instanceQueries.contentOf(instance)
  if (number > instance.version) failWith(404, 'revision not found')
  const { content } = await instanceQueries.getRevision(tx, workspaceId, instance.id, number)
  return content
}
