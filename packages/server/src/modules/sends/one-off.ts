/** Messages that somebody sends now, to a person or to a segment: worked at once, under the lease they are written with (M-NOTIF). */
import { randomUUID } from 'node:crypto'
import type { ChannelType } from '@contentflow/core/channels/channel.ts'
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import type { FrozenPart } from '@contentflow/core/mail/library/put-parts.ts'
import { ANY_LOCALE, type MessageContent } from '@contentflow/core/messages/content.ts'
import type { Context } from '../../context.ts'
import type { Change, Actor } from '../../infra/change.ts'
import { uuidv7 } from '../../infra/secrets/crypto.ts'
import { keepLease, laneOf } from '../../infra/due/due.ts'
import { listSending } from '../channels/index.ts'
import { findPerson } from '../people/index.ts'
import type { Dispatcher } from './dispatch/dispatcher.ts'
import { DISPATCH } from './dispatch/dispatches.ts'
import { dispatchTable, getDispatch, readReport, saveDispatch, type DispatchLease } from './queries.ts'
import { findSend, insertDue } from './dispatch/queries-ledger.ts'
import { takeTurn } from './dispatch/work.ts'

/** `mail`: sent by email instead of the content, with the saved parts that it held; `parts`: which these were. `topic`: what it is about. */
export type OneOff = {
  channel: ChannelType
  content: MessageContent
  mail?: MailDocument | undefined
  parts?: UsedPart[] | undefined
  topic?: string | undefined
}
type UsedPart = Omit<FrozenPart, 'document'>

/** For how long this process alone works the dispatch, in milliseconds; renewed while its calls are under way. */
const LEASE_MS = 60_000

export type SentToPerson = { sent: boolean; reason?: string; retryAt?: Date }

/** Undefined: no provider. */
export async function sendToPerson(dispatcher: Dispatcher, by: Actor, userId: string, message: OneOff): Promise<SentToPerson | undefined> {
  const { ctx } = dispatcher
  const { workspaceId } = by
  if ((await listSending(ctx.db, workspaceId, message.channel)).length === 0) return undefined
  const person = await findPerson(ctx.db, workspaceId, 'live', userId)
  if (!person) return { sent: false, reason: 'no_profile' }
  const held = await write(ctx, by, message, { segments: [], profileIds: [person.id] })
  await work(dispatcher, held)
  const send = await findSend(ctx.db, workspaceId, held.id, person.id)
  // The person was erased meanwhile.
  if (!send) return { sent: false, reason: 'no_profile' }
  if (send.state === 'sent') return { sent: true }
  return { sent: false, ...(send.reason !== null && { reason: send.reason }), ...(send.due_at && { retryAt: send.due_at }) }
}

export type SentToSegment = { recipients: number; sent: number; skipped: Map<string, number>; failed: number; waiting: number }

/**
 * To a segment by its name, after what one turn could do; the rest goes on behind the answer. Undefined: no provider.
 * `withIt`: written in the same transaction.
 */
export async function sendToSegment(
  dispatcher: Dispatcher,
  by: Actor,
  segment: string,
  message: OneOff,
  withIt?: (change: Change) => Promise<void>,
): Promise<SentToSegment | undefined> {
  const { ctx } = dispatcher
  const { workspaceId } = by
  if ((await listSending(ctx.db, workspaceId, message.channel)).length === 0) return undefined
  const held = await write(ctx, by, message, { segments: [segment], profileIds: [], withIt })
  await work(dispatcher, held)
  const { channels } = await readReport(ctx.db, workspaceId, { source: 'notification', sourceId: held.id })
  const { sent = 0, failed = 0, waiting = 0, attempted = 0, skipped = new Map<string, number>() } = channels.get(message.channel) ?? {}
  const recipients = attempted + waiting + [...skipped.values()].reduce((sum, count) => sum + count, 0)
  return { recipients, sent, skipped, failed, waiting }
}

type Whom = { segments: string[]; profileIds: string[]; withIt?: ((change: Change) => Promise<void>) | undefined }

async function write(
  ctx: Context,
  by: Actor,
  { channel, content, mail, topic }: OneOff,
  { segments, profileIds, withIt }: Whom,
): Promise<DispatchLease> {
  const token = randomUUID()
  return ctx.change(by, async (change) => {
    const { tx, workspaceId, now } = change
    await withIt?.(change)
    const sourceId = uuidv7(now.getTime())
    const id = await saveDispatch(
      { tx, workspaceId, now },
      {
        source: 'notification',
        sourceId,
        id: sourceId,
        name: content.title ?? Object.values(mail?.texts ?? {})[0]?.subject ?? '',
        channel,
        content: { [ANY_LOCALE]: content },
        topic,
        mail,
        segments,
        window: {},
        state: segments.length > 0 ? 'waiting' : 'sending',
        dueAt: new Date(now.getTime() + LEASE_MS),
        lease: token,
      },
    )
    await insertDue(tx, workspaceId, id, profileIds, now)
    return { workspaceId, id, token }
  })
}

async function work(dispatcher: Dispatcher, held: DispatchLease): Promise<void> {
  const { ctx } = dispatcher
  const dispatch = await getDispatch(ctx.db, held.workspaceId, held.id)
  const table = dispatchTable(ctx.db)
  const controller = new AbortController()
  const release = keepLease(ctx, table, { ...held, rows: [dispatch] }, controller)
  try {
    const dueAt = await takeTurn(dispatcher, dispatch, held, controller.signal)
    await table.finish(held, dispatch, { dueAt, isDone: true })
    if (dueAt) ctx.due.nudge(laneOf(DISPATCH, dispatch.channel), held.workspaceId)
  } finally {
    release()
  }
}
