import type { Context } from '../../context.ts'
import { BATCH_SIZES } from '../../infra/due/batch-size.ts'
import { dropMessagesOf, type Droppable } from './queries.ts'

/** All messages of a campaign, step by step; a kill between two loses nothing, what is left goes when it is asked again. */
export async function dropMessages(
  ctx: Pick<Context, 'db' | 'engine'>,
  workspaceId: string,
  campaignId: string,
  of: Droppable,
  signal?: AbortSignal,
): Promise<void> {
  const step = BATCH_SIZES.deletedMessages[ctx.engine]
  while ((await dropMessagesOf(ctx.db, workspaceId, campaignId, of, step)) === step) signal?.throwIfAborted()
}
