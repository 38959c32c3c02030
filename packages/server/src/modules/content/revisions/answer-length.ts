import { isTooLongForAll } from '@contentflow/core/blocks/serving/answer-length.ts'
import { fail } from '../../../errors.ts'
import type { Change } from '../../../infra/change.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { findHeldBytes, listCollectionFields, listShown } from './queries-answer.ts'

/** Without collections an answer is not longer than the content it is made from: below this size no check is needed. */
const PLAIN_BYTES = 8_000_000

/**
 * A few instances in collections of collections can make an answer of gigabytes, which is refused to everybody with 503. The
 * publication that would cause it is refused, measured with the content at the end of its change, which is then rolled back.
 */
export async function refuseTooLong({ tx, workspaceId }: Change, environment: Environment): Promise<void> {
  const collections = await listCollectionFields(tx, workspaceId)
  if (collections.length === 0 && (await findHeldBytes(tx, workspaceId)) < PLAIN_BYTES) return
  if (isTooLongForAll(await listShown(tx, workspaceId, environment, collections))) fail('ANSWER_TOO_LONG')
}
