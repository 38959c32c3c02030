/** Writes down what came of messages: in the ledger, of their people, and of the channels they went over. */
import type { Context } from '../../../context.ts'
import { isSerializationFailure, retryOnConflict } from '../../../infra/unavailable.ts'
import { noteOutcomes } from '../../channels/index.ts'
import { noteReached } from '../../people/index.ts'
import type { DispatchLease } from '../queries.ts'
import { applyReceipts, type ContactGone } from '../close-contacts.ts'
import { returnFirstMessages } from '../first-messages/queries-first-messages.ts'
import { withdraw } from '../unsubscribe/unsubscribe.ts'
import type { OpenBatches } from './open-batches.ts'
import { writeOutcomes, type SendOutcome } from './queries-batches.ts'
import * as ledger from './queries-ledger.ts'
import type { ChannelTally, Noted, ReadySend, SendContext } from './send-one.ts'
import type { Settled } from './send-queue.ts'

type SettledSend = Settled<ReadySend, SendOutcome>
type Parts = { ctx: Context; means: SendContext; held: DispatchLease; batches: OpenBatches }

/** `noted`: what the same messages said of their channels and people. */
export async function recordOutcomes({ ctx, means, held, batches }: Parts, settled: readonly SettledSend[], noted: Noted): Promise<void> {
  const { workspaceId } = held
  const now = ctx.clock.now()
  const outcomes = settled.map(({ send, outcome }) => ({ ...outcome, batch: send.batch }))
  const numbers = outcomes.map(({ batch }) => batch)
  const ended = batches.endedBy(numbers)
  // It may meet a merge in a deadlock, and what is not written here counts as interrupted.
  await retryOnConflict(() => writeOutcomes(ctx.db, held, { outcomes, ended }, now), isSerializationFailure)
  batches.settle(numbers)
  for (const { state } of outcomes) ctx.metrics.sends.inc({ channel: means.channel, outcome: state === 'due' ? 'again' : state })
  const ready = settled.map(({ send }) => send)
  const first = new Set(firstMailTo(means, ready))
  const firstThat = (became: string) => outcomes.flatMap(({ id, state }) => (state === became && first.has(id) ? [id] : []))
  await noteReached(ctx.db, workspaceId, firstThat('sent'))
  // They are taken, and counted, again.
  await returnFirstMessages(ctx.db, workspaceId, firstThat('due').length, now)
  for (const sums of noted.channels) await recordChannel(ctx, sums, noted.resting)
  for (const profileId of noted.leaving) await withdraw(ctx, { workspaceId, profileId }, means.channel)
}

async function recordChannel(ctx: Context, sums: ChannelTally, resting: Set<string>): Promise<void> {
  const { channel, heard } = sums
  const gone = heard.filter(({ kind }) => kind === 'gone').length
  if (sums.sent + sums.failed > 0) await noteOutcomes(ctx.db, channel.workspace_id, channel.id, { ...sums, gone }, ctx.clock.now())
  if (gone === 0) return
  const { believed, isWrong } = await applyReceipts(ctx, channel, 'answer', heard)
  if (isWrong) resting.add(channel.id)
  const isProven = sums.hasReached || (channel.sent_at !== null && channel.sent_at >= channel.updated_at)
  await ledger.dropTokens(ctx.db, channel.workspace_id, tokensToDrop(believed, isProven))
}

/** Those to whom it is the first of all messages, at an address that only an app named. */
export function firstMailTo({ channel }: SendContext, ready: readonly ReadySend[]): string[] {
  return channel === 'email' ? ready.flatMap(({ recipient }) => (recipient.isFirstMail ? [recipient.id] : [])) : []
}

/** M-DISP-10. A token that may only be of another app goes once the channel has reached some other. */
function tokensToDrop(believed: readonly ContactGone[], isProven: boolean): ledger.Install[] {
  return believed.flatMap(({ install, isDoubtful }) => (install && (isProven || !isDoubtful) ? [install] : []))
}
