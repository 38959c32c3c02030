import { isTooLongForAll } from '@contentflow/core/blocks/serving/answer-length.ts'
import { fail } from '../../../errors.ts'
import type { Change } from '../../../infra/change.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { findHeldBytes, listCollectionFields, listShown } from './queries-answer.ts'

/** Without collections an answer is not longer than what it is made from: below this nobody has to look. */
const PLAIN_BYTES = 8_000_000

/**
 * A few instances in collections of collections are an answer of gigabytes, which everybody is refused with 503. Whoever would make
 * it so is told when they publish, with what is there at the end of their change: nothing of it is kept.
 */
export async function refuseTooLong({ tx, workspaceId }: Change, environment: Environment): Promise<void> {
  const collections = await listCollectionFields(tx, workspaceId)
  if (collections.length === 0 && (await findHeldBytes(tx, workspaceId)) < PLAIN_BYTES) return
  if (isTooLongForAll(await listShown(tx, workspaceId, environment, collections))) fail('ANSWER_TOO_LONG')
}
