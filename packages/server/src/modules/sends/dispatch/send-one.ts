/** One message to one person: over the channel that sends, or to each of their installs. */
import { hash } from 'node:crypto'
import { spread } from '@contentflow/core/backoff.ts'
import { isCallbackProvider } from '@contentflow/core/channels/callbacks.ts'
import type { ChannelType, ProviderOutcome } from '@contentflow/core/channels/channel.ts'
import { GONE_IN_A_ROW } from '@contentflow/core/channels/out-of-service.ts'
import type { Holdout } from '@contentflow/core/experiments/holdout.ts'
import type { JudgedTopic } from '@contentflow/core/identity/consent/topics.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { carrierOf } from '@contentflow/core/push/providers.ts'
import { toMessage } from '@contentflow/core/messages/compose.ts'
import { urgencyOf } from '@contentflow/core/messages/content.ts'
import { contactOf, type Composed, type MessageSettings } from '@contentflow/core/messages/judge.ts'
import { hashUuid } from '../../../infra/secrets/crypto.ts'
import type { MailTracker, Shortener, ShortUrl } from '../../responses/index.ts'
import type { ChannelRow, Senders } from '../../channels/index.ts'
import type { ContactReport } from '../close-contacts.ts'
import type { DispatchRow } from '../queries.ts'
import type { FrequencyCaps } from './queries-frequency.ts'
import type { SendOutcome } from './queries-batches.ts'
import type { DueSend, Install } from './queries-ledger.ts'

/** `batch`: the number of the batch that names it. `short`: stands in a text message instead of its link. */
export type ReadySend = DueSend & { composed: Composed & { ok: true }; batch: number; short?: ShortUrl }

/** What a dispatch is sent with: read once for a turn of it. `channels`: the active ones of its type, in the order of their priority. */
export type SendContext = {
  channel: ChannelType
  channels: readonly ChannelRow[]
  /** The senders of these channels. */
  senders: Senders
  settings: MessageSettings
  /** Whom nothing is written to; null where the message is for everybody. */
  holdout: Holdout | null
  /** What it is about; undefined: nothing that people decide about by itself. */
  topic: JudgedTopic | undefined
  caps: FrequencyCaps
  webAddress: string | null
  /** Undefined: there is nothing to unsubscribe from, or nobody knows where this server is. */
  unsubscribeUrl: ((profileId: string) => string) | undefined
  /** Undefined: there is no page to link. */
  preferencesUrl: ((profileId: string) => string) | undefined
  /** Undefined: of no mail of it are openings and clicks counted. */
  tracker: MailTracker | undefined
  /** Undefined: no link of it is shortened. */
  shortener: Shortener | undefined
  /** The address at which the provider of a channel reports what became of a message. */
  callbackUrl: ((channel: ChannelRow) => string | undefined) | undefined
}

/** What messages said of one channel since it was last written down. */
export type ChannelTally = {
  channel: ChannelRow
  sent: number
  failed: number
  heard: ContactReport[]
  failure: string | undefined
  pauses: boolean
  /** Contacts that are gone, one after another, also before. */
  inARow: number
  /** Whether anybody was reached, also before. */
  hasReached: boolean
}

/** What messages said that are sent together. */
export type BatchTally = {
  byChannel: Map<string, ChannelTally>
  /** Messages that some provider took. */
  sent: number
  /** Until then the provider wants no more. */
  busyUntil: number
  /** Channels that refuse everybody, or rested and were asked again: nobody else of this turn is tried over them. */
  resting: Set<string>
  /** People who said to the provider that they want no more. */
  leaving: string[]
}

export function newTally(): BatchTally {
  return { byChannel: new Map(), sent: 0, busyUntil: 0, resting: new Set(), leaving: [] }
}

/** A part of a tally that is written down; channels that turn out wrong meanwhile are added to `resting`. */
export type Noted = { channels: ChannelTally[]; leaving: string[]; resting: Set<string> }

/**
 * Takes what was noted since the last time. What ends with contacts that are gone is left until more is known or `isLast`:
 * so many in a row mean that the channel is wrong, and then none of them may be believed.
 */
export function takeNoted({ byChannel, leaving, resting }: BatchTally, isLast: boolean): Noted {
  const channels = [...byChannel.values()].map((sums) => {
    const isOpen = sums.inARow > 0 && sums.inARow < GONE_IN_A_ROW && !isLast
    const taken = { ...sums, heard: isOpen ? [] : sums.heard }
    Object.assign(sums, { sent: 0, failed: 0, failure: undefined, pauses: false, heard: isOpen ? sums.heard : [] })
    return taken
  })
  return { channels, leaving: leaving.splice(0), resting }
}

/** Seconds before the second and the third try. */
const WAITS = [10, 60]
/** Up to a fifth longer, so that what failed together does not come back together. */
const JITTER = 1 / 5
const BUSY_SECONDS = 30
/** A channel that rests is tried once in this time. */
export const REST_MS = 60_000
/** After this time a message is tried again whose channel rests while other channels work; milliseconds. */
const HELD_MS = 300_000
/** As RFC 8030 bounds a topic. */
const TOPIC_LENGTH = 32

type Parts = { means: SendContext; dispatch: DispatchRow; tally: BatchTally; now: () => number }
type SendAttempt = { outcome: ProviderOutcome; channel: ChannelRow; install: Install | undefined; trackedVariant: string | null }

export async function sendOne(parts: Parts, send: ReadySend): Promise<SendOutcome> {
  const { means, tally, now } = parts
  const { recipient } = send
  const tried: SendAttempt[] = []
  // Installs that this try reached are not sent the message again.
  const again = (dueAt: number, reason: string | null): SendOutcome => ({
    ...settledOf(send, tried),
    state: 'due',
    reason,
    dueAt: new Date(dueAt),
    isUncounted: true,
  })
  if (tally.busyUntil > now()) return again(tally.busyUntil, null)
  let isHeld = false
  // One after another, so that a channel that does not work is asked once for a person.
  for (const { channel, to, install } of targetsOf(means, send)) {
    if (isResting(parts, channel)) isHeld = true
    else tried.push({ ...(await attempt(parts, send, channel, to, install?.device_id ?? '')), install })
  }
  for (const each of tried) note(tally, each, recipient.id, now())
  if (tally.busyUntil > now() && tried.some(({ outcome }) => 'isBusy' in outcome)) return again(tally.busyUntil, null)
  const pausing = tried.find(({ outcome }) => 'pauses' in outcome)
  if (pausing && isLasting(parts.dispatch)) return again(now() + REST_MS, textOf(pausing.outcome))
  return isHeld ? again(now() + HELD_MS, null) : conclude(send, tried, now())
}

/** The outcome of a message that was claimed and not sent: due again, and the try does not count. */
export function notBegun(send: ReadySend, now: Date): SendOutcome {
  return { ...settledOf(send, []), state: 'due', reason: null, dueAt: now, isUncounted: true }
}

type Target = { channel: ChannelRow; to: string; install: Install | undefined }

function targetsOf({ channel: type, channels }: SendContext, { recipient, installs, reached }: ReadySend): Target[] {
  if (type !== 'push') return [{ channel: channels[0]!, to: contactOf(type, recipient) ?? '', install: undefined }]
  return installs
    .filter(({ device_id }) => !reached.includes(device_id))
    .flatMap((install) => {
      const channel = channelFor(channels, install)
      return channel ? [{ channel, to: install.token, install }] : []
    })
}

/** A channel that rested is tried once in a turn, and goes on when that is taken. A message that somebody waits for is tried in any case. */
function isResting({ tally, dispatch }: Parts, { id, paused_at }: ChannelRow): boolean {
  if (!isLasting(dispatch)) return false
  if (tally.resting.has(id)) return true
  if (paused_at !== null) tally.resting.add(id)
  return false
}

async function attempt(
  { means, dispatch, now }: Parts,
  { recipient, composed, short }: ReadySend,
  channel: ChannelRow,
  to: string,
  install: string,
) {
  const { variantId = '' } = composed
  const sent = { workspaceId: dispatch.workspace_id, dispatchId: dispatch.id, profileId: recipient.id, variantId, sentAt: now() }
  const tracked = means.tracker?.(sent, recipient.tracking)
  const message = toMessage(means.channel, composed.content, {
    id: idOf(dispatch, recipient.id, install),
    to,
    toName: recipient.name,
    language: composed.locale,
    unsubscribeUrl: means.unsubscribeUrl?.(recipient.id),
    preferencesUrl: means.preferencesUrl?.(recipient.id),
    pageUrl: composed.pageUrl,
    callbackUrl: means.callbackUrl?.(channel),
    webAddress: means.webAddress,
    tracked: short ? { link: () => short.url } : tracked,
    mail: composed.mail,
  })
  const timed = means.channel === 'push' ? { ...message, ...timingOf(dispatch, now()) } : message
  return { outcome: await means.senders.of(channel)(timed), channel, trackedVariant: tracked || short?.isCounted ? variantId : null }
}

/** Of a push message: how urgent it is, what an unread one is replaced by, and for how long it is worth being kept for a device that is off (decision 67). */
function timingOf({ source, source_id, step, message }: DispatchRow, now: number) {
  const { endTime } = message.window
  const urgency = urgencyOf(message.content)
  return {
    topic: hash('sha256', [source, source_id, step].join('/'), 'base64url').slice(0, TOPIC_LENGTH),
    ...(urgency && { urgency }),
    ...(endTime && { ttlSeconds: (Date.parse(endTime) - now) / 1_000 }),
  }
}

/** The same at every try. It names the send (`findTold`); of a push message the install too, in the form that APNs takes. */
function idOf({ workspace_id, id }: DispatchRow, profileId: string, install: string): string {
  return install === '' ? `${id}.${profileId}` : hashUuid([workspace_id, id, profileId, install].join('/'))
}

/** The channel of the provider that the token was made for: every other provider would answer that it knows no such token (G-87). */
export function channelFor(channels: readonly ChannelRow[], install: Install): ChannelRow | undefined {
  const carrier = carrierOf(install)
  return channels.find(({ provider }) => provider === carrier)
}

/** A message that somebody waits for is not kept until a channel works again. */
function isLasting({ source }: DispatchRow): boolean {
  return source !== 'notification'
}

function note(tally: BatchTally, { outcome, channel, install }: SendAttempt, profileId: string, now: number): void {
  if ('isUnasked' in outcome) return
  const sums = tally.byChannel.get(channel.id) ?? newChannelTally(channel)
  tally.byChannel.set(channel.id, sums)
  if (outcome.kind === 'sent') {
    sums.sent++
    sums.hasReached = true
    sums.heard.push({ kind: 'reached' })
    sums.inARow = 0
    tally.resting.delete(channel.id)
  } else if (outcome.kind === 'gone') {
    const { text, isOptOut, isDoubtful } = outcome
    if (isOptOut) tally.leaving.push(profileId)
    else {
      sums.heard.push({ kind: 'gone', profileId, text, install, isDoubtful })
      // The channel seems to be set up wrongly, so no other contact is closed because of it.
      if (++sums.inARow >= GONE_IN_A_ROW) tally.resting.add(channel.id)
    }
  } else {
    sums.failed++
    sums.failure = outcome.text
    if ('pauses' in outcome) {
      sums.pauses = true
      tally.resting.add(channel.id)
    }
    if ('isBusy' in outcome) tally.busyUntil = Math.max(tally.busyUntil, now + (outcome.after ?? BUSY_SECONDS) * 1_000)
  }
}

function newChannelTally(channel: ChannelRow): ChannelTally {
  return { channel, sent: 0, failed: 0, heard: [], failure: undefined, pauses: false, inARow: 0, hasReached: false }
}

function conclude(send: ReadySend, tried: readonly SendAttempt[], now: number): SendOutcome {
  const retried = tried.find(({ outcome }) => outcome.kind === 'retry')
  const by = settledOf(send, tried)
  if (retried && send.tries + 1 < LIMITS.sendTries) {
    const after = Math.max(WAITS[send.tries] ?? 60, ('after' in retried.outcome && retried.outcome.after) || 0)
    return {
      ...by,
      state: 'due',
      reason: textOf(retried.outcome),
      dueAt: new Date(now + spread(after * 1_000, JITTER, Math.random())),
      isUncounted: false,
    }
  }
  if (by.provider !== null) return { ...by, state: 'sent', reason: null, dueAt: null, isUncounted: false }
  const uncertain = tried.some(({ outcome }) => outcome.kind === 'uncertain')
  const reason = uncertain ? 'interrupted' : textOf((retried ?? tried.at(-1))?.outcome)
  return { ...by, state: 'failed', reason, dueAt: null, isUncounted: false }
}

/** What is over, whatever becomes of the rest: what may be tried again is not, a channel that refuses everybody included. */
function settledOf(send: ReadySend, tried: readonly SendAttempt[]) {
  const over = tried.filter(({ outcome }) => outcome.kind !== 'retry' && !('pauses' in outcome))
  const taken = tried.find(({ outcome }) => outcome.kind === 'sent')
  const providerId = taken?.outcome.kind === 'sent' ? taken.outcome.id : null
  const provider = taken?.channel.provider ?? send.provider
  return {
    id: send.recipient.id,
    reached: [...send.reached, ...over.flatMap(({ install }) => (install ? [install.device_id] : []))],
    provider,
    trackedVariant: tried[0]?.trackedVariant ?? null,
    // Of a push message few providers tell anything later, and of several only the first is asked for.
    providerId: send.installs.length > 0 && !isCallbackProvider(provider ?? '') ? null : (providerId ?? send.providerId),
  }
}

function textOf(outcome: ProviderOutcome | undefined): string {
  return outcome && 'text' in outcome ? outcome.text : 'No device takes messages any more'
}
