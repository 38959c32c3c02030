/** Events that wait to be sent: gathered by person, up to a hundred in a request, one request after the other. */
import type { ContentFlowError } from '../types.ts'

export type Queued = Readonly<Record<string, unknown>> & { type: string; eventId: string }

export type QueueOptions = {
  /** Milliseconds that events wait for others. */
  gatherMs: number
  /** Events that wait at most. */
  most: number
  send: (userId: string, events: readonly Queued[]) => Promise<void>
  onError: (error: ContentFlowError, count: number) => void
}

export type Queue = { add(userId: string, event: Queued): void; flush(): Promise<void>; close(): Promise<void> }

/** Of one request (C-EVT-08). */
const BATCH = 100

export function createQueue({ gatherMs, most, send, onError }: QueueOptions): Queue {
  /** By person; whoever waits longest is first. */
  const waiting = new Map<string, Queued[]>()
  let count = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> | undefined
  let isClosed = false

  const takeBatch = (): { userId: string; events: readonly Queued[] } | undefined => {
    for (const [userId, all] of waiting) {
      const events = all.splice(0, BATCH)
      count -= events.length
      // Whoever has more goes behind the others.
      waiting.delete(userId)
      if (all.length > 0) waiting.set(userId, all)
      return { userId, events }
    }
    return undefined
  }
  /** One event that the server refuses must not take its batch with it: the batch is halved until it is alone. */
  const deliver = async (userId: string, events: readonly Queued[]): Promise<void> => {
    try {
      await send(userId, events)
    } catch (error) {
      const { status } = error as ContentFlowError
      const half = Math.ceil(events.length / 2)
      if ((status !== 400 && status !== 413) || events.length === 1) return onError(error as ContentFlowError, events.length)
      await deliver(userId, events.slice(0, half))
      await deliver(userId, events.slice(half))
    }
  }
  const work = async () => {
    try {
      for (let batch = takeBatch(); batch; batch = takeBatch()) await deliver(batch.userId, batch.events)
    } finally {
      running = undefined
    }
  }
  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    await (running ??= work())
  }
  const dropOldest = () => {
    const [first] = waiting
    if (!first) return
    const [userId, events] = first
    events.shift()
    count--
    if (events.length === 0) waiting.delete(userId)
    onError(lost(), 1)
  }
  return {
    flush,
    add: (userId, event) => {
      if (isClosed) throw new TypeError('this back end was closed')
      const all = waiting.get(userId) ?? []
      all.push(event)
      waiting.set(userId, all)
      if (++count > most) dropOldest()
      if (count >= BATCH) void flush()
      else timer ??= setTimeout(() => void flush(), gatherMs)
    },
    close: async () => {
      isClosed = true
      await flush()
    },
  }
}

function lost(): ContentFlowError {
  const message = 'too many events wait to be sent'
  return Object.assign(new Error(message), {
    name: 'ContentFlowError' as const,
    status: 0,
    code: 'QUEUE_FULL',
    retryAfterSeconds: undefined,
  })
}
