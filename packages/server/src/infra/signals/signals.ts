/**
 * What changed, told to every process. What clients must not miss (`content`, `settings`, `strings`, `segments`) is told by
 * the transaction that makes it: with PostgreSQL as a NOTIFY that only a commit sends. `device`, `inbox` and `due`, of which there is one
 * for nearly every write, are told after the commit, and only where other processes listen. In every case this process itself
 * takes it in right after the commit. A notification may get lost (a listener reconnects, a process ends between commit and
 * telling); a poll of what changed lately heals that, and each kind says below when. Telling twice is harmless: receivers
 * compare revisions or simply look again.
 */
import type { Db, Engine } from '../../db/open.ts'
import type { Logger } from '../log.ts'
import { openNotifyCarrier, type Carrier } from './notify-carrier.ts'
import { openRetries } from '../due/retries.ts'

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
  /** The inbox of the person behind an installation changed. A lost one heals when the app reads its inbox again, with its next sync. */
  | { kind: 'inbox'; workspaceId: string; deviceId: string }
  /** Segments of a workspace changed. A lost one heals when their fingerprint is compared, within half a minute of use. */
  | { kind: 'segments'; workspaceId: string }
  /** The locales or strings of a workspace changed. No stream event comes of it (C-STREAM-11). */
  | { kind: 'strings'; workspaceId: string; revision: number }
  /** Which types of events a workspace declares changed. A lost one heals when revisions are compared, within half a minute of use. */
  | { kind: 'event-types'; workspaceId: string }
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
  /** Sends to the other processes, as part of the transaction, what must not get lost: with its commit, or never. */
  send(tx: Db, signals: readonly Signal[]): Promise<void>
  /** Takes in here what a transaction told, after its commit, and tells the others what the transaction did not. */
  apply(signals: readonly Signal[]): Promise<void>
  /** Tells of a change that is committed already. */
  announce(signal: Signal): Promise<void>
  close(): Promise<void>
}

const POLL_MS = 2_000
/** Changes are looked for this far back, to cover transactions that were open during a poll and clocks that differ. */
const POLL_OVERLAP_MS = 30_000

/** What each kind says besides its workspace, and whether its transaction tells it. */
const KINDS: Record<Kind, { members: readonly string[]; isInTransaction: boolean }> = {
  content: { members: ['environment', 'revision', 'signalId'], isInTransaction: true },
  settings: { members: [], isInTransaction: true },
  device: { members: ['deviceId'], isInTransaction: false },
  inbox: { members: ['deviceId'], isInTransaction: false },
  segments: { members: [], isInTransaction: true },
  strings: { members: ['revision'], isInTransaction: true },
  'event-types': { members: [], isInTransaction: true },
  due: { members: ['work'], isInTransaction: false },
}

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
  const hearRemote = (message: unknown) => {
    if (isSignal(message)) void hear(message)
    else log.warn('a signal of another version is passed over')
  }
  const isShared = engine === 'postgres'
  const carrier: Carrier<Signal> | undefined = isShared ? await openNotifyCarrier({ db, databaseUrl, log, receive: hearRemote }) : undefined
  const poll = isShared ? startPoll(db, finders, hear, log) : undefined
  return {
    on: (kind, listener, find) => {
      listeners.set(kind, [...(listeners.get(kind) ?? []), listener])
      if (find) finders.push(find)
    },
    send: async (tx, signals) => {
      const told = signals.filter(({ kind }) => KINDS[kind].isInTransaction)
      if (told.length > 0) await carrier?.notify(tx, told)
    },
    apply: async (signals) => {
      const left = signals.filter(({ kind }) => !KINDS[kind].isInTransaction)
      for (const signal of signals) await hear(signal)
      await carrier?.publish(left)
    },
    announce: async (signal) => {
      await hear(signal)
      await carrier?.publish([signal])
    },
    close: async () => {
      retries.close()
      poll?.stop()
      await carrier?.close()
    },
  }
}

/** Finds what a lost notification told of, again and again. */
function startPoll(db: Db, finders: readonly Find<Signal>[], hear: (signal: Signal) => Promise<void>, log: Logger): { stop(): void } {
  let isStopped = false
  let since = new Date()
  const poll = async () => {
    try {
      const from = new Date(since.getTime() - POLL_OVERLAP_MS)
      const started = new Date()
      for (const find of finders) for (const signal of await find(db, from)) await hear(signal)
      since = started
    } catch (error) {
      log.debug({ err: error }, 'changes could not be polled')
    }
    if (!isStopped) timer = setTimeout(() => void poll(), POLL_MS)
  }
  let timer = setTimeout(() => void poll(), POLL_MS)
  return {
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/** Whether a process of this version could have sent it: whoever may connect to the database may notify. */
function isSignal(message: unknown): message is Signal {
  const signal = (message ?? {}) as Partial<Record<string, unknown>>
  const isSaid = (name: string) => ['string', 'number'].includes(typeof signal[name])
  const kind = String(signal['kind'])
  return Object.hasOwn(KINDS, kind) && ['workspaceId', ...KINDS[kind as Kind].members].every(isSaid)
}
