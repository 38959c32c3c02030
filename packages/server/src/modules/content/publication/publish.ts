import type { Context } from '../../../context.ts'
import { failWith } from '../../../errors.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { findRules, type PendingRequest } from '../../approvals/index.ts'
import { changeOne, type Target } from './instances.ts'
import { refuseUnpublishable, setPublished, type SavedInstance } from '../revisions/save-instance.ts'
import { refuseRetired, schedule } from './carry-out.ts'
import { contentOfRevision } from '../revisions/move-pointers.ts'
import type { Publication } from '../revisions/queries-publications.ts'
import { askForReview, askToTakeAway } from './reviews.ts'
import { tellServing, type ServingTold } from '../revisions/serving.ts'

/** What to publish where: the newest revision, now, unless said otherwise. */
export type PublishRequest = { targets: readonly Environment[]; revision?: number | undefined; at?: Date | undefined }
/** `asked`: it waits for a second person; `scheduled`: it waits for its moment. */
export type Published = SavedInstance & { asked?: PendingRequest; scheduled?: Publication; warnings?: ServingTold[] }

/**
 * G-37, G-82. Publishing to a retired test environment is refused (C-SBX-15). With `expectedVersion` (If-Match) only the
 * version that the caller looked at is published, not what another member saved meanwhile.
 */
export async function publishInstance(
  ctx: Context,
  target: Target,
  { targets, revision, at }: PublishRequest,
  expectedVersion: number | undefined,
): Promise<Published> {
  let outcome: Pick<Published, 'asked' | 'scheduled' | 'warnings'> = {}
  const saved = await changeOne(ctx, target, expectedVersion, async (change, { definition, instance }) => {
    outcome = {}
    if (at && at <= change.now) failWith(400, 'at must be in the future')
    if (targets.includes('test')) await refuseRetired(change)
    const number = revision ?? instance.version
    const content = await contentOfRevision(change, instance, number)
    refuseUnpublishable(definition, content)
    if (targets.includes('live') && (await findRules(change.tx, change.workspaceId)).publishing) {
      outcome = { asked: await askForReview(change, instance, { action: 'publish', targets, revision: number, at }) }
      return instance
    }
    const warnings = await tellServing(change, instance, targets, { revision: number, content, at: (at ?? change.now).getTime() })
    outcome = { warnings }
    if (!at) return setPublished(change, definition, instance, { targets, revision: number })
    outcome = { warnings, scheduled: await schedule(change, instance, { targets, revision: number, at }) }
    return instance
  })
  return { ...saved, ...outcome }
}

/** Unpublishes; where publishing takes a second person, a member without approval rights only requests it for live content (G-92). */
export async function unpublishInstance(ctx: Context, target: Target, environments: readonly Environment[]): Promise<Published> {
  let asked: PendingRequest | undefined
  const saved = await changeOne(ctx, target, undefined, async (change, { definition, instance }) => {
    asked = await askToTakeAway(change, instance, 'unpublish', environments)
    return asked ? instance : setPublished(change, definition, instance, { targets: environments, revision: null })
  })
  return asked ? { ...saved, asked } : saved
}
