/**
 * What changed, told to every process. A change is told by the transaction that makes it: with PostgreSQL as
 * a NOTIFY that only a commit sends, and in every case to this process itself right after the commit. A
 * notification may get lost (a listener reconnects); a poll of what changed lately heals that. Telling twice
 * is harmless: receivers compare revisions or simply look again.
 */
import { randomUUID } from 'node:crypto'
import { backoff, type BackOff } from '@contentflow/core/backoff.ts'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db, Engine } from '../db/open.ts'
import type { Logger } from './log.ts'
import { openRetries } from './retries.ts'

export type Environment = 'live' | 'test'

export type Signal =
  /** Clients of one environment see something else now. `name` is the stream event; null wakes no stream. */
  | {
      kind: 'content'
      workspaceId: string
      environment: Environment
      revision: number
      name: string | null
      /** A revision: of two signals the later one has the greater. */
      signalId: number
    }
  /** Keys, switches, plan or links of a workspace changed. `changedAt` (milliseconds) comes with what a poll found, which tells it again and again. */
  | { kind: 'settings'; workspaceId: string; changedAt?: number }
  /** Who an installation is changed. A lost one heals when its view is read again, within a minute (C-LIMIT-16). */
  | { kind: 'device'; workspaceId: string; deviceId: string }
  /** Segments of a workspace changed. A lost one heals when their fingerprint is compared, within half a minute of use. */
  | { kind: 'segments'; workspaceId: string }
  /** The locales or strings of a workspace changed. No stream event comes of it (C-STREAM-11). */
  | { kind: 'strings'; workspaceId: string; revision: number }
  /** Work of this name became due, by this request. A lost one heals with the next minute. */
  | { kind: 'due'; workspaceId: string; work: string; requestId?: string | undefined }

type Kind = Signal['kind']
export type SignalOf<K extends Kind> = Extract<Signal, { kind: K }>
/** False: it could not be taken in yet, and is told again until it is. */
type Listener<S> = (signal: S) => void | boolean | Promise<void | boolean>
/** What changed since `since`, from the tables of whoever listens. */
type Find<S> = (db: Db, since: Date) => Promise<S[]>

export type Signals = {
  /** `find`: how a signal of this kind that was not heard is found again. */
  on<K extends Kind>(kind: K, listener: Listener<SignalOf<K>>, find?: Find<SignalOf<K>>): void
  /** Sends to the other processes, as part of the transaction: with its commit, or never. */
  send(tx: Db, signals: readonly Signal[]): Promise<void>
  /** Takes in here what a transaction told, after its commit. */
  apply(signals: readonly Signal[]): Promise<void>
  /** Tells of a change that is committed already; many at a time go to the other processes as one statement. */
  announce(signal: Signal): Promise<void>
  close(): Promise<void>
}

const CHANNEL = 'contentflow'
const POLL_MS = 2_000
/** From half a second to one and a half, so that processes that lost their connections together do not come back together. */
const RECONNECT: BackOff = { first: 500, most: 500, jitter: 2 }
/** Changes are looked for this far back, to cover transactions that were open during a poll and clocks that differ. */
const POLL_OVERLAP_MS = 30_000

export async function openSignals(db: Db, engine: Engine, databaseUrl: string, log: Logger): Promise<Signals> {
  const listeners = new Map<Kind, Listener<never>[]>()
  const finders: Find<Signal>[] = []
  const retries = openRetries()
  const hear = async (signal: Signal) => {
    for (const [index, listener] of (listeners.get(signal.kind) ?? []).entries()) {
      const attempt = async () => (await listener(signal as never)) !== false
      try {
        if (!(await attempt())) retries.add(signal.workspaceId, `${index} ${JSON.stringify(signal)}`, attempt)
      } catch (error) {
        // The change is committed: whoever made it is told so, and the poll tells this listener again.
        log.error({ err: error, signal: signal.kind }, 'a change could not be taken in here')
      }
    }
  }
  const hearAll = async (signals: readonly Signal[]) => {
    for (const signal of signals) await hear(signal)
  }
  const remote = engine === 'postgres' ? listen(db, databaseUrl, { hear, finders, log }) : undefined
  const send = async (tx: Db, signals: readonly Signal[]) => {
    if (signals.length > 0) await remote?.notify(tx, signals)
  }
  return {
    on: (kind, listener, find) => {
      listeners.set(kind, [...(listeners.get(kind) ?? []), listener])
      if (find) finders.push(find)
    },
    send,
    apply: hearAll,
    announce: async (signal) => {
      await hear(signal)
      await remote?.announce(signal)
    },
    close: async () => {
      retries.close()
      await remote?.close()
    },
  }
}

type Local = { hear(signal: Signal): Promise<void>; finders: readonly Find<Signal>[]; log: Logger }

/** The PostgreSQL half: one listening connection that comes back by itself, and the poll. */
function listen(db: Db, databaseUrl: string, { hear, finders, log }: Local) {
  const self = randomUUID()
  let client: pg.Client | undefined
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  let since = new Date()

  const connect = async () => {
    if (isClosed) return
    const next = new pg.Client({
      connectionString: databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      application_name: 'contentflow signals',
    })
    next.on('notification', ({ payload }) => {
      const told = readPayload(payload)
      if (!told) log.warn('a notification is none of ours; it is passed over')
      else if (told.from !== self) void hear(told.signal)
    })
    const reconnect = (error?: Error) => {
      if (client !== next || isClosed) return
      client = undefined
      log.warn({ err: error }, 'the signal connection was lost; connecting again')
      retry = setTimeout(() => void connect(), backoff(RECONNECT, 1, Math.random()))
    }
    next.on('error', reconnect)
    next.on('end', () => reconnect())
    client = next
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
    } catch (error) {
      reconnect(error as Error)
      await next.end().catch((cause: unknown) => log.debug({ err: cause }, 'closing a failed signal connection'))
    }
  }

  const poll = async () => {
    try {
      const from = new Date(since.getTime() - POLL_OVERLAP_MS)
      const started = new Date()
      for (const find of finders) for (const signal of await find(db, from)) await hear(signal)
      since = started
    } catch (error) {
      log.debug({ err: error }, 'changes could not be polled')
    }
    if (!isClosed) timer = setTimeout(() => void poll(), POLL_MS)
  }
  let timer = setTimeout(() => void poll(), POLL_MS)
  void connect()

  const payloadOf = (signal: Signal) => JSON.stringify({ from: self, signal })
  const notify = (tx: Db, payloads: readonly string[]) =>
    sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`.execute(tx)
  // Notifying takes a lock of the whole server until the commit, so what comes up while one batch is sent goes with the next.
  let waiting: string[] = []
  let next: Promise<void> | undefined
  let sending: Promise<void> = Promise.resolve()
  const send = async () => {
    await sending
    next = undefined
    const payloads = waiting
    waiting = []
    sending = notify(db, payloads).then(
      () => undefined,
      (error: unknown) => log.warn({ err: error }, 'other processes could not be told of changed devices'),
    )
    await sending
  }

  return {
    notify: async (tx: Db, signals: readonly Signal[]) => void (await notify(tx, signals.map(payloadOf))),
    announce: (signal: Signal) => {
      waiting.push(payloadOf(signal))
      next ??= send()
      return next
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      clearTimeout(retry)
      await client?.end()
    },
  }
}

/** What each kind says besides its workspace. */
const MEMBERS: Record<Kind, readonly string[]> = {
  content: ['environment', 'revision', 'signalId'],
  settings: [],
  device: ['deviceId'],
  segments: [],
  strings: ['revision'],
  due: ['work'],
}

/** Undefined for what no process of this version sends: whoever may connect may notify. */
function readPayload(payload: string | undefined): { from: unknown; signal: Signal } | undefined {
  try {
    const { from, signal } = JSON.parse(payload ?? '') as { from: unknown; signal: Signal & Record<string, unknown> }
    const isSaid = (name: string) => ['string', 'number'].includes(typeof signal[name])
    return ['workspaceId', ...MEMBERS[signal.kind]].every(isSaid) ? { from, signal } : undefined
  } catch {
    return undefined
  }
}
