/**
 * Carries signals between processes over PostgreSQL: LISTEN on one connection that comes back by itself, NOTIFY from the pool.
 *
 * A NOTIFY takes a lock of the whole database server in its commit and holds it until the commit is on disk, so commits that
 * notify come one after another, whatever they write. Hence two ways: `notify` inside the transaction for what must not get
 * lost with the process, and `publish` in a statement of its own, which writes nothing and so waits for no disk. `publish` sends
 * nothing while no other process listens: `pg_stat_activity` lists those that do, by the name of their connections.
 */
import { randomUUID } from 'node:crypto'
import { backoff, type BackOff } from '@contentflow/core/backoff.ts'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../../db/open.ts'
import type { Logger } from '../log.ts'

export type Carrier<Message> = {
  /** As part of the transaction: with its commit, or never. */
  notify(tx: Db, messages: readonly Message[]): Promise<void>
  /** Resolves when the other processes were sent it; at once while there are none. Never rejects. */
  publish(messages: readonly Message[]): Promise<void>
  close(): Promise<void>
}

/** `receive` gets the messages of other processes, as they came. */
type Parts = { db: Db; databaseUrl: string; log: Logger; receive(message: unknown): void }

const CHANNEL = 'contentflow'
const APPLICATION_NAME = 'contentflow signals'
/** PostgreSQL takes payloads below 8,000 bytes. */
const MAX_PAYLOAD_BYTES = 7_500
/** How often a process looks for others that listen. One that starts is heard of at once. */
const LOOK_MS = 10_000
const CONNECT_MS = 5_000
/** From half a second to one and a half, so that processes that lost their connections together do not come back together. */
const RECONNECT: BackOff = { first: 500, most: 500, jitter: 2 }

/** Resolves when this process listens, or could not within a few seconds: then it goes on trying. */
export async function openNotifyCarrier<Message>({ db, databaseUrl, log, receive }: Parts): Promise<Carrier<Message>> {
  const self = randomUUID()
  let client: pg.Client | undefined
  let isClosed = false
  let retry: NodeJS.Timeout | undefined
  /** True also while this process does not know. */
  let hasPeers = true
  /** Payloads of other processes so far. */
  let received = 0

  const takeIn = (payload: string | undefined) => {
    const read = readPayload(payload)
    if (!read) return log.warn('a notification is none of ours; it is passed over')
    if (read.from === self) return
    received++
    hasPeers = true
    for (const message of read.messages) receive(message)
  }
  const lookForPeers = async () => {
    const before = received
    try {
      const { rows } = (await client?.query<{ pid: number }>(
        `select pid from pg_stat_activity
        where datname = current_database() and application_name = $1 and pid <> pg_backend_pid() limit 1`,
        [APPLICATION_NAME],
      )) ?? { rows: undefined }
      // A process may announce itself while the answer, which does not have it yet, is on its way.
      hasPeers = rows === undefined || rows.length > 0 || received > before
    } catch (error) {
      hasPeers = true
      log.debug({ err: error }, 'other processes could not be looked for')
    }
  }
  const connect = async () => {
    if (isClosed) return
    const next = new pg.Client({
      connectionString: databaseUrl,
      keepAlive: true,
      connectionTimeoutMillis: CONNECT_MS,
      application_name: APPLICATION_NAME,
    })
    next.on('notification', ({ payload }) => takeIn(payload))
    const reconnect = (error?: Error) => {
      if (client !== next || isClosed) return
      client = undefined
      hasPeers = true
      log.warn({ err: error }, 'the signal connection was lost; connecting again')
      retry = setTimeout(() => void connect(), backoff(RECONNECT, 1, Math.random()))
    }
    next.on('error', reconnect)
    next.on('end', () => reconnect())
    client = next
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
      // A process that was alone until now begins to publish.
      await next.query('select pg_notify($1, $2)', [CHANNEL, JSON.stringify({ from: self, messages: [] })])
      await lookForPeers()
    } catch (error) {
      reconnect(error as Error)
      await next.end().catch((cause: unknown) => log.debug({ err: cause }, 'closing a failed signal connection'))
    }
  }
  await connect()
  const look = setInterval(() => void lookForPeers(), LOOK_MS).unref()

  const notify = (tx: Db, messages: readonly Message[]) =>
    sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloadsOf(self, messages)}::text[]) as payload`.execute(tx)
  // What comes up while one statement is under way goes with the next.
  let waiting: Message[] = []
  let next: Promise<void> | undefined
  let sending: Promise<void> = Promise.resolve()
  const send = async () => {
    await sending
    next = undefined
    const messages = waiting
    waiting = []
    sending = notify(db, messages).then(
      () => undefined,
      (error: unknown) => log.warn({ err: error }, 'other processes could not be told of changed devices and due work'),
    )
    await sending
  }
  return {
    notify: async (tx, messages) => void (await notify(tx, messages)),
    publish: async (messages) => {
      if (!hasPeers || messages.length === 0) return
      waiting.push(...messages)
      next ??= send()
      await next
    },
    close: async () => {
      isClosed = true
      clearInterval(look)
      clearTimeout(retry)
      await client?.end()
    },
  }
}

/** As many messages in one payload as it may hold; a message alone is always shorter. */
function payloadsOf(self: string, messages: readonly unknown[]): string[] {
  const payloads: string[] = []
  let [texts, bytes]: [string[], number] = [[], 0]
  const flush = () => {
    if (texts.length > 0) payloads.push(`{"from":"${self}","messages":[${texts.join(',')}]}`)
    texts = []
    bytes = 0
  }
  for (const message of messages) {
    const text = JSON.stringify(message)
    const length = Buffer.byteLength(text) + 1
    if (bytes + length > MAX_PAYLOAD_BYTES) flush()
    texts.push(text)
    bytes += length
  }
  flush()
  return payloads
}

/** Undefined for what no process of this version sends: whoever may connect may notify. */
function readPayload(payload: string | undefined): { from: unknown; messages: unknown[] } | undefined {
  try {
    const { from, messages } = JSON.parse(payload ?? '') as { from: unknown; messages: unknown }
    return Array.isArray(messages) ? { from, messages } : undefined
  } catch {
    return undefined
  }
}
