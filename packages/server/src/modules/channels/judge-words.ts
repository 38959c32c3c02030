/** Whether a channel is believed when it says that there is no such contact (G-88). */
import { GONE_IN_A_ROW, judgeGone, type ContactSignal } from '@contentflow/core/channels/out-of-service.ts'
import type { Db } from '../../db/open.ts'
import { lockChannel, updateChannel, type ChannelRow } from './queries.ts'

/** `believed`: by place. `disbelievedSince`: what was believed since then is not any more. `isWrong`: the channel is. */
export type Judgement = { believed: boolean[]; disbelievedSince: Date | undefined; isWrong: boolean }
/** In its answers, or in what the provider told later: each has a row of its own, because taken is not delivered. */
type By = 'answer' | 'callback'

export async function judgeWords(
  tx: Db,
  { workspace_id: workspaceId, id }: Pick<ChannelRow, 'workspace_id' | 'id'>,
  { by, said, now }: { by: By; said: readonly ContactSignal[]; now: Date },
): Promise<Judgement> {
  const stored = await lockChannel(tx, workspaceId, id)
  const [count, before] = by === 'answer' ? [stored.gone_in_a_row, stored.gone_since] : [stored.bounced_in_a_row, stored.bounced_since]
  const { believed, inARow, isFlood, begins } = judgeGone(count, said)
  const since = inARow === 0 ? null : begins === -1 ? (before ?? now) : now
  await updateChannel(
    tx,
    workspaceId,
    id,
    by === 'answer' ? { gone_in_a_row: inARow, gone_since: since } : { bounced_in_a_row: inARow, bounced_since: since },
  )
  return { believed, disbelievedSince: isFlood ? (before ?? now) : undefined, isWrong: inARow >= GONE_IN_A_ROW }
}
