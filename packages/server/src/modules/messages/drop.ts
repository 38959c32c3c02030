import type { Context } from '../../context.ts'
import { dropMessagesOf, type Droppable } from './queries.ts'

/** Messages of one statement; on the embedded database every request waits for it. */
const STEP = { postgres: 20_000, embedded: 5_000 }

/** All messages of a campaign, step by step; a kill between two loses nothing, what is left goes when it is asked again. */
export async function dropMessages(
  ctx: Pick<Context, 'db' | 'engine'>,
  workspaceId: string,
  campaignId: string,
  of: Droppable,
  signal?: AbortSignal,
): Promise<void> {
  const step = STEP[ctx.engine]
  while ((await dropMessagesOf(ctx.db, workspaceId, campaignId, of, step)) === step) signal?.throwIfAborted()
}
