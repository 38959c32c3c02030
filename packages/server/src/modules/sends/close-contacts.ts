/** What follows when a provider says that there is no such contact: it is closed, unless the channel seems to be wrong (G-88). */
import type { Closable } from '@contentflow/core/channels/channel.ts'
import type { Context } from '../../context.ts'
import { inTransaction } from '../../infra/unavailable.ts'
import { judgeWords, noteOutcomes, type ChannelRow, type Judgement } from '../channels/index.ts'
import { closeContact, openContacts } from '../people/index.ts'
import type { Install } from './dispatch/queries-ledger.ts'

/** What was said of one message, in the order in which it was said. */
export type ContactReport =
  { kind: 'reached' } | { kind: 'gone'; profileId: string; text: string; install?: Install | undefined; isDoubtful?: boolean | undefined }
export type ContactGone = Extract<ContactReport, { kind: 'gone' }>

const WRONG = 'Twenty in a row do not exist, said the provider last: the channel seems to be wrong, so nobody was closed'

/** Closes what is believed; the answer says what that is, and whether the channel seems to be wrong. */
export async function applyReceipts(
  ctx: Context,
  channel: Pick<ChannelRow, 'workspace_id' | 'id' | 'type'>,
  by: 'answer' | 'callback',
  heard: readonly ContactReport[],
): Promise<{ believed: ContactGone[]; isWrong: boolean }> {
  const { workspace_id: workspaceId, id: channelId } = channel
  const now = ctx.clock.now()
  const { isWrong, believed } = await inTransaction(ctx.db, async (tx) => {
    const judged = await judgeWords(tx, channel, { by, said: heard.map(({ kind }) => kind), now })
    const gone = heard.filter((each, place): each is ContactGone => each.kind === 'gone' && judged.believed[place] === true)
    if (channel.type !== 'push') {
      for (const { profileId, text } of gone)
        await closeContact(tx, workspaceId, profileId, { channel: channel.type, channelId, reason: text, now })
      await openAgain(tx, channel, channel.type, judged)
    }
    return { isWrong: judged.isWrong, believed: gone }
  })
  if (isWrong) {
    ctx.log.warn(
      { workspaceId, id: channelId },
      'a channel says of twenty contacts in a row that they do not exist; none of them is closed',
    )
    // It rests, so that the others of an audience are not lost to it; what a provider tells later stops nothing that it takes.
    await noteOutcomes(ctx.db, workspaceId, channelId, { sent: 0, failed: 1, failure: WRONG, pauses: by === 'answer', gone: 1 }, now)
  }
  return { believed, isWrong }
}

async function openAgain(
  tx: Parameters<typeof openContacts>[0],
  { workspace_id: workspaceId, id: channelId }: Pick<ChannelRow, 'workspace_id' | 'id'>,
  type: Closable,
  { disbelievedSince: since }: Judgement,
): Promise<void> {
  if (since) await openContacts(tx, workspaceId, type, { saidSince: { channelId, since } })
}
