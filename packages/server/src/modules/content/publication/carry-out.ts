import { fail } from '../../../errors.ts'
import type { Change } from '../../../infra/change.ts'
import { uuidv7 } from '../../../infra/secrets/crypto.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import * as queries from '../revisions/queries.ts'
import type { StoredDefinition } from '../revisions/queries.ts'
import type { Instance } from '../revisions/queries-instances.ts'
import { permitContent } from '../revisions/permit-content.ts'
import { setPublished } from '../revisions/save-instance.ts'
import type { Moment } from './overtake.ts'
import { insertEvents } from '../revisions/queries-events.ts'
import { insertPublication, type Publication } from '../revisions/queries-publications.ts'

export async function refuseRetired({ tx, workspaceId }: Pick<Change, 'tx' | 'workspaceId'>): Promise<void> {
  if (await queries.isTestRetired(tx, workspaceId)) fail('TEST_ENV_RETIRED')
}

type Due = { targets: readonly Environment[]; revision: number; at: Date }

/** Plans a publication for its moment. */
export async function schedule(change: Change, instance: Instance, due: Due): Promise<Publication> {
  const { tx, workspaceId, actor, now } = change
  await permitContent(change, [instance.blockKey], { environments: due.targets })
  const { targets, revision, at } = due
  const publication = {
    id: uuidv7(now.getTime()),
    instanceId: instance.id,
    revision,
    targets: [...targets],
    at,
    madeBy: actor,
    madeAt: now,
    fault: null,
  }
  await insertPublication(tx, workspaceId, publication)
  const events = targets.map((environment) => ({ action: 'schedule' as const, environment, revision, dueAt: at }))
  await insertEvents(tx, workspaceId, instance.id, events, { by: actor, at: now })
  return publication
}

/**
 * Carries out what a second person approved, or what was planned and is due (`planned`): at once, or at its moment when that is
 * still to come.
 */
export async function carryOut(
  change: Change,
  definition: StoredDefinition,
  instance: Instance,
  due: Omit<Due, 'at'> & { at: Date | null; planned?: Moment },
) {
  const { at, targets, revision, planned } = due
  if (targets.includes('test')) await refuseRetired(change)
  if (at && at > change.now) await schedule(change, instance, { targets, revision, at })
  else await setPublished(change, definition, instance, { targets, revision, planned })
}
