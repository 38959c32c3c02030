/**
 * HOT PATH. Open event streams, and what they are told (C-STREAM, G-30).
 *
 * A signal says only "sync again". It is written after this process serves the change, as one encoded buffer
 * to every stream of the workspace and view, in slices that let requests through and wait for the reads they cause. All streams share one
 * keep-alive timer. A reader that does not drain is dropped: it will reconnect and be told by its last id.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { spread } from '@contentflow/core/backoff.ts'
import { scheduleEpoch } from '@contentflow/core/blocks/serving/select-blocks.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../../context.ts'
import { fail } from '../../../errors.ts'
import type { AppCaller } from '../../../http/callers/caller.ts'
import { callerOf } from '../../../http/callers/caller-address.ts'
import type { Environment, SignalOf } from '../../../infra/signals/signals.ts'
import { findHead } from '../snapshot/queries.ts'
import type { ReadTurns } from '../answers/read-turns.ts'
import type { Snapshots } from '../snapshot/snapshots.ts'
import { StreamRoom } from './stream-room.ts'

type SignalHead = { signal: string | null; signalId: number }
type Client = {
  response: ServerResponse
  key: string
  caller: AppCaller
  /** The installation that it named: it is told of the inbox of its person. */
  deviceId: string | undefined
  /** The newest signal that the client was sent, or the revision served here when it connected; newer signals are written to it. Infinity while that is being found out. */
  seen: number
  /** Nothing else is written before the greeting. */
  isGreeted: boolean
}
/** What a client said when it came. */
type Opened = { lastEventId: string | undefined; deviceId: string | undefined }
type Channel = {
  workspaceId: string
  view: Environment
  clients: Set<Client>
  /** The newest signal this process knows of. */
  head: SignalHead | undefined
  /** Streams were told of schedules up to this moment, milliseconds. */
  watchedAt: number
  /** Signals still to write: the newest of each name, in the order of their ids. */
  untold: Map<string, number>
  isTelling: boolean
}

const CONNECTED = Buffer.from(': connected\n\n')
const KEEP_ALIVE = Buffer.from(': keep-alive\n\n')
const INBOX_UPDATED = frame('inbox.updated', undefined)
/** Streams written to before other work gets a turn. */
const SLICE = 100
/** Streams ended at a time, and the time between. */
const END_SLICE = 500
/** How long the reads of clients that were just told may delay the next slice, milliseconds. */
const READING_MS = 40
const END_SLICE_MS = 250
/** `X-CF-Last-Event-ID` of an answer to `/sync` (answers.ts): its revision, which may be newer than the newest signal, and its schedule epoch. */
const ANSWER_ID = /^(\d+)\.(\d+)$/
/** With so many unread bytes the client counts as not reading. */
const UNREAD_BYTES = 64 * 1024

export class StreamHub {
  readonly #ctx: Context
  readonly #snapshots: Snapshots
  readonly #turns: ReadTurns
  readonly #room: StreamRoom
  readonly #recheck: (key: string) => Promise<AppCaller | undefined>
  readonly #channels = new Map<string, Channel>()
  /** Those that named an installation, by workspace and installation. */
  readonly #byDevice = new Map<string, Set<Client>>()
  readonly #timers: NodeJS.Timeout[]
  #isRefusing = false

  constructor(ctx: Context, snapshots: Snapshots, turns: ReadTurns, recheck: (key: string) => Promise<AppCaller | undefined>) {
    this.#ctx = ctx
    this.#snapshots = snapshots
    this.#turns = turns
    this.#room = new StreamRoom(ctx)
    this.#recheck = recheck
    this.#timers = [
      setInterval(() => void this.#keepAlive(), LIMITS.keepAliveSeconds * 1000),
      setInterval(() => void this.#watchSchedules(), 1000),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  /** Refuses new streams from now on, because this process is about to stop. */
  refuseNew(): void {
    this.#isRefusing = true
  }

  /** Called before anything is written; throws 503, with a different time for each client to come back. */
  admit(request: IncomingMessage, response: ServerResponse, { keyId }: AppCaller): void {
    if (this.#isRefusing) fail('UPSTREAM_UNAVAILABLE', { retryAfter: Math.floor(returnMs() / 1_000) })
    this.#room.enter(response, { key: keyId, address: callerOf(request, this.#ctx.config.trustedProxies) })
  }

  /** Takes over a response whose head is already written. */
  open(response: ServerResponse, key: string, caller: AppCaller, { lastEventId, deviceId }: Opened): void {
    // The client has left already: its `close` event would not come again.
    if (response.destroyed) return
    const channel = this.#channel(caller.workspaceId, caller.view)
    const client: Client = { response, key, caller, deviceId, seen: Infinity, isGreeted: false }
    channel.clients.add(client)
    if (deviceId !== undefined) addTo(this.#byDevice, deviceName(caller.workspaceId, deviceId), client)
    this.#ctx.metrics.streamClients.inc()
    this.#ctx.metrics.streamOpened.inc()
    response.once('close', () => this.#forget(channel, client))
    if (lastEventId === undefined) return void this.#begin(channel, client)
    greet(client)
    void this.#catchUp(channel, client, lastEventId)
  }

  /**
   * Called after this process serves a change: writes it to the streams of its workspace and view, after the answer to its
   * author. False: that was not possible yet.
   */
  async hear({ workspaceId, environment, name, signalId }: SignalOf<'content'>): Promise<boolean> {
    const channel = this.#channels.get(`${workspaceId}:${environment}`)
    if (!channel || name === null) return true
    try {
      const isLive = await this.#isLive(channel)
      channel.head = newer(channel.head, { signal: name, signalId })
      if (isLive) void this.#tell(channel, name, signalId)
      return true
    } catch (error) {
      this.#ctx.log.warn({ err: error }, 'streams could not be told of a change; trying again')
      return false
    }
  }

  /** Tells the streams of an installation that the inbox of its person changed. Who reads no longer is found at the next signal for all. */
  async tellInbox(workspaceId: string, deviceId: string): Promise<void> {
    for (const client of this.#byDevice.get(deviceName(workspaceId, deviceId)) ?? []) {
      const channel = this.#channels.get(`${workspaceId}:${client.caller.view}`)
      if (channel && client.isGreeted && (await this.#isLive(channel))) write(client, INBOX_UPDATED)
    }
  }

  /** Ends every stream within about `milliseconds`, sooner when there are few, each with a different wish for when to come back. */
  async drain(milliseconds: number): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    const clients = [...this.#channels.values()].flatMap((channel) => [...channel.clients].map((client) => ({ channel, client })))
    const slices = Math.max(1, Math.ceil(clients.length / END_SLICE))
    for (let i = 0; i < clients.length; i += END_SLICE) {
      for (const { channel, client } of clients.slice(i, i + END_SLICE)) {
        this.#forget(channel, client)
        client.response.end(`retry: ${Math.floor(returnMs())}\n\n`)
      }
      if (i + END_SLICE < clients.length) await delay(Math.min(END_SLICE_MS, milliseconds / slices))
    }
  }

  #channel(workspaceId: string, view: Environment): Channel {
    const name = `${workspaceId}:${view}`
    let channel = this.#channels.get(name)
    if (!channel) {
      channel = {
        workspaceId,
        view,
        clients: new Set(),
        head: undefined,
        watchedAt: this.#ctx.clock.ms(),
        untold: new Map(),
        isTelling: false,
      }
      this.#channels.set(name, channel)
    }
    return channel
  }

  /** Once a stream is ended nothing may be written to it. Its `close` comes here again, when its channel may have been made anew. */
  #forget(channel: Channel, client: Client): void {
    if (!channel.clients.delete(client)) return
    this.#ctx.metrics.streamClients.dec()
    if (client.deviceId !== undefined) removeFrom(this.#byDevice, deviceName(channel.workspaceId, client.deviceId), client)
    if (channel.clients.size === 0) this.#channels.delete(`${channel.workspaceId}:${channel.view}`)
  }

  /**
   * A client without an id starts from the content that is served here: an earlier signal, which a poll may repeat, is not
   * written to it. It is greeted once that revision is known, and is sent every change after the greeting.
   */
  async #begin(channel: Channel, client: Client): Promise<void> {
    const { workspaceId, view } = client.caller
    try {
      const snapshot = this.#snapshots.peek(workspaceId, view) ?? (await this.#snapshots.get(workspaceId, view))
      client.seen = snapshot?.revision ?? 0
    } catch (error) {
      this.#ctx.log.debug({ err: error }, 'the content that a stream begins with could not be read')
      client.seen = 0
    }
    if (channel.clients.has(client)) greet(client)
  }

  /** C-STREAM-05: a client that names another id than the newest has missed something, and is sent one event. */
  async #catchUp(channel: Channel, client: Client, lastEventId: string): Promise<void> {
    try {
      const [, revision = lastEventId, epoch] = ANSWER_ID.exec(lastEventId) ?? []
      // Another process may have told the client of a signal that has not been heard here yet.
      const isBehind = !channel.head || Number(revision) > channel.head.signalId
      const found = isBehind ? await findHead(this.#ctx.db, channel.workspaceId, channel.view) : undefined
      const snapshot = await this.#snapshots.get(channel.workspaceId, channel.view)
      const head = newer(channel.head, found)
      channel.head = head
      client.seen = head?.signalId ?? 0
      if (!head?.signal || !snapshot?.features.live_updates) return
      const isNewest =
        epoch === undefined
          ? lastEventId === String(head.signalId)
          : Number(epoch) === scheduleEpoch(snapshot.boundaries, this.#ctx.clock.ms()) &&
            Number(revision) >= head.signalId &&
            Number(revision) <= (found?.revision ?? head.signalId)
      if (!isNewest) write(client, frame(head.signal, head.signalId))
    } catch (error) {
      // Without the newest id it is unknown whether the client missed something; syncing once more does no harm.
      this.#ctx.log.debug({ err: error }, 'the newest signal could not be read')
      client.seen = 0
      write(client, frame('block.updated', undefined))
    }
  }

  /** C-FLAG-10: with live updates off a stream stays open and silent. */
  async #isLive(channel: Channel): Promise<boolean> {
    const snapshot = await this.#snapshots.get(channel.workspaceId, channel.view)
    return snapshot?.features.live_updates ?? false
  }

  /** Writes one signal after another; of the signals that come meanwhile only the newest of each name is written. */
  async #tell(channel: Channel, name: string, signalId: number): Promise<void> {
    channel.untold.delete(name)
    channel.untold.set(name, signalId)
    if (channel.isTelling) return
    channel.isTelling = true
    for (const [next, id] of channel.untold) {
      channel.untold.delete(next)
      await this.#writeAll(channel, frame(next, id), id)
    }
    channel.isTelling = false
  }

  /** Writes to every stream, or to those that have not been sent this signal. */
  async #writeAll(channel: Channel, bytes: Buffer, signalId?: number): Promise<void> {
    let written = 0
    let [began, taken] = [performance.now(), this.#turns.taken]
    for (const client of channel.clients) {
      if (!client.isGreeted) continue
      if (signalId !== undefined) {
        if (client.seen >= signalId) continue
        client.seen = signalId
      }
      if (!write(client, bytes)) this.#drop(channel, client)
      if (++written % SLICE > 0) continue
      await this.#letRead(began, taken)
      began = performance.now()
      taken = this.#turns.taken
    }
  }

  /**
   * Clients read as soon as they are told. The next slice is told when these reads were served, and after a pause of half that
   * time: so turns stay short, and a third of the time is left for everything else. `began`: when this slice started, by
   * `performance.now()`; `taken`: reads taken until then.
   */
  async #letRead(began: number, taken: number): Promise<void> {
    const until = performance.now() + READING_MS
    do await new Promise(setImmediate)
    while (this.#turns.areFull && performance.now() < until)
    if (this.#turns.taken > taken) await delay((performance.now() - began) / 2)
  }

  #drop(channel: Channel, client: Client): void {
    this.#forget(channel, client)
    this.#ctx.metrics.streamDropped.labels('slow').inc()
    client.response.destroy()
  }

  async #keepAlive(): Promise<void> {
    for (const channel of this.#channels.values()) await this.#writeAll(channel, KEEP_ALIVE)
  }

  /** A schedule changes what is delivered without a publication; its streams are told within a second. */
  async #watchSchedules(): Promise<void> {
    for (const channel of this.#channels.values()) {
      try {
        const snapshot = await this.#snapshots.get(channel.workspaceId, channel.view)
        const now = this.#ctx.clock.ms()
        const hasChanged = snapshot && scheduleEpoch(snapshot.boundaries, now) > scheduleEpoch(snapshot.boundaries, channel.watchedAt)
        channel.watchedAt = now
        if (!hasChanged || !snapshot.features.live_updates) continue
        channel.head ??= await findHead(this.#ctx.db, channel.workspaceId, channel.view)
        await this.#writeAll(channel, frame('block.updated', channel.head?.signalId))
      } catch (error) {
        this.#ctx.log.debug({ err: error }, 'schedules could not be looked at; trying again')
      }
    }
  }

  /** Closes the streams of keys that were revoked or now give access to something else. */
  async closeRefused(ownerId: string): Promise<void> {
    const concerned = [...this.#channels.values()].flatMap((channel) =>
      [...channel.clients]
        .filter(({ caller }) => caller.ownerId === ownerId || caller.workspaceId === ownerId)
        .map((client) => ({ channel, client })),
    )
    const byKey = Map.groupBy(concerned, ({ client }) => client.key)
    await Promise.all([...byKey].map(([key, streams]) => this.#closeIfRefused(key, streams)))
  }

  async #closeIfRefused(key: string, streams: readonly { channel: Channel; client: Client }[]): Promise<void> {
    try {
      const now = await this.#recheck(key)
      for (const { channel, client } of streams) {
        if (now && now.workspaceId === client.caller.workspaceId && now.view === client.caller.view) continue
        this.#forget(channel, client)
        this.#ctx.metrics.streamDropped.labels('key').inc()
        client.response.end()
      }
    } catch (error) {
      this.#ctx.log.debug({ err: error }, 'the key of an open stream could not be checked; it stays')
    }
  }
}

function deviceName(workspaceId: string, deviceId: string): string {
  return `${workspaceId}\n${deviceId}`
}

function addTo<T>(sets: Map<string, Set<T>>, name: string, member: T): void {
  const known = sets.get(name)
  if (known) known.add(member)
  else sets.set(name, new Set([member]))
}

function removeFrom<T>(sets: Map<string, Set<T>>, name: string, member: T): void {
  const known = sets.get(name)
  known?.delete(member)
  if (known?.size === 0) sets.delete(name)
}

function newer(known: SignalHead | undefined, other: SignalHead | undefined): SignalHead | undefined {
  return known && other ? (other.signalId > known.signalId ? other : known) : (known ?? other)
}

function frame(name: string, id: number | undefined): Buffer {
  return Buffer.from(`${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: {}\n\n`)
}

/** C-STREAM-02: the first line there is. */
function greet(client: Client): void {
  client.isGreeted = true
  client.response.write(CONNECTED)
}

/** False when the stream is not being read. */
function write({ response }: Client, bytes: Buffer): boolean {
  if (response.writableLength > UNREAD_BYTES) return false
  response.write(bytes)
  return true
}

/** When the client of an ended stream should come back: in 2 to 10 seconds, so that not all come at once. */
function returnMs(): number {
  return spread(2_000, 4, Math.random())
}
