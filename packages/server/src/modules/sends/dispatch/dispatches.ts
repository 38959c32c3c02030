/** What a campaign, a step of a journey or a one-off message hands over to be sent. Written with the change that makes it due. */
import type { MailDocument } from '@contentflow/core/mail/document.ts'
import type { LocalizedContent } from '@contentflow/core/messages/content.ts'
import type { SendChannel, SendWindow } from '@contentflow/core/messages/window.ts'
import type { Change } from '../../../infra/change.ts'
import { uuidv7 } from '../../../infra/secrets/crypto.ts'
import { laneOf } from '../../../infra/due/due.ts'
import { reopenDispatches, saveDispatch, stopDispatches as stop } from '../queries.ts'
import { insertDue, releaseInterrupted } from './queries-ledger.ts'
import { insertSendValues } from './queries-values.ts'

/** The name of the work that sends. */
export const DISPATCH = 'dispatch'

export type MessageSource = { source: 'campaign' | 'journey' | 'notification'; sourceId: string; step?: string }

/** `segments`: names; `All users` is everybody, none is nobody (M-DISP-08). */
export type Outgoing = MessageSource & {
  name: string
  channels: readonly SendChannel[]
  content: LocalizedContent
  segments: readonly string[]
  window: SendWindow
  /** Of a hundred people that nothing else bars, those who get nothing (core/campaigns/control-group.ts). */
  controlPercent?: number | undefined
  mail?: MailDocument | undefined
  topic?: string | undefined
  /** Its time is long over: nothing is sent, which its report says. */
  isMissed?: boolean
}

/**
 * Begins, or begins again with what is said now: whoever already got the message gets none (M-DISP-01). Also how what was
 * stopped goes on.
 */
export async function startDispatches(change: Change, { channels, isMissed = false, ...outgoing }: Outgoing): Promise<void> {
  if (outgoing.segments.length === 0) return
  const begin = isMissed ? ({ state: 'missed', dueAt: null } as const) : ({ state: 'waiting', dueAt: change.now } as const)
  for (const channel of channels) await saveDispatch(change, { ...outgoing, id: uuidv7(change.now.getTime()), channel, ...begin })
  for (const channel of channels) change.nudge(laneOf(DISPATCH, channel))
}

/** Messages that have not left are not sent. */
export async function stopDispatches(change: Change, source: MessageSource): Promise<void> {
  await stop(change, source)
}

/** Whoever's message may have left when a process died gets it, perhaps again; says how many they are (G-84). */
export async function resendInterrupted(change: Change, source: MessageSource): Promise<number> {
  const resent = await releaseInterrupted(change, source)
  await reopenDispatches(change, [...new Set(resent)])
  if (resent.length > 0) change.nudge(DISPATCH)
  return resent.length
}

/** To these people, whoever of them did not get it yet on this occasion; each is judged when the message leaves. */
export async function queueSends(
  change: Change,
  {
    values,
    ...message
  }: MessageSource & {
    occasion: number
    name: string
    channel: SendChannel
    content: LocalizedContent
    topic?: string | undefined
    mail?: MailDocument | undefined
    /** What events said, by person. */
    values?: ReadonlyMap<string, object>
  },
  profileIds: readonly string[],
): Promise<void> {
  if (profileIds.length === 0) return
  const id = await saveDispatch(change, {
    ...message,
    id: uuidv7(change.now.getTime()),
    segments: [],
    window: {},
    state: 'sending',
    dueAt: change.now,
  })
  await insertDue(change.tx, change.workspaceId, id, profileIds, change.now)
  if (values && values.size > 0) await insertSendValues(change.tx, change.workspaceId, id, values)
  change.nudge(laneOf(DISPATCH, message.channel))
}
