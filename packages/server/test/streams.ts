/** A client of GET /stream for tests: everything it received, and waiting for what is to come. */
import { createParser, type EventSourceMessage } from 'eventsource-parser'

export type Stream = {
  status: number
  headers: Headers
  /** Everything received so far, as text. */
  text(): string
  events: EventSourceMessage[]
  comments: string[]
  /** Reconnection times the server wished for, milliseconds. */
  retries: number[]
  /** Resolves with the event after those already taken; rejects when none comes in time or the stream ends. */
  next(limitMs?: number): Promise<EventSourceMessage>
  /** Resolves when `seen` first holds; rejects after the limit. */
  until(what: string, seen: () => boolean, limitMs?: number): Promise<void>
  /** Resolves when the server has ended the stream. */
  ended(limitMs?: number): Promise<void>
  close(): void
}

const LIMIT_MS = 5_000

/** Opens a stream at a full address. A refused one has a status and no events. */
export async function openStream(url: string, headers: Record<string, string> = {}): Promise<Stream> {
  const abort = new AbortController()
  const response = await fetch(url, { headers, signal: abort.signal })
  const events: EventSourceMessage[] = []
  const comments: string[] = []
  const retries: number[] = []
  let text = ''
  let isEnded = false
  let taken = 0
  let wake = () => {}
  const parser = createParser({
    onEvent: (event) => void events.push(event),
    onComment: (comment) => void comments.push(comment),
    onRetry: (retry) => void retries.push(retry),
  })
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      const piece = decoder.decode(chunk, { stream: true })
      text += piece
      parser.feed(piece)
      wake()
    }
  }
  // A cut connection is an end like any other; what came before it is what a test looks at.
  void read()
    .catch(() => {})
    .finally(() => {
      isEnded = true
      wake()
    })

  const until = async (what: string, seen: () => boolean, limitMs = LIMIT_MS) => {
    const deadline = Date.now() + limitMs
    while (!seen()) {
      const left = deadline - Date.now()
      if (left <= 0) throw new Error(`${what}: not within ${limitMs} ms; received ${JSON.stringify(text)}`)
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      const timer = setTimeout(resolve, left)
      await promise
      clearTimeout(timer)
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    events,
    comments,
    retries,
    until,
    next: async (limitMs) => {
      await until('an event', () => events.length > taken || isEnded, limitMs)
      const event = events[taken++]
      if (!event) throw new Error(`the stream ended; received ${JSON.stringify(text)}`)
      return event
    },
    ended: (limitMs) => until('the end of the stream', () => isEnded, limitMs),
    close: () => abort.abort(),
  }
}
