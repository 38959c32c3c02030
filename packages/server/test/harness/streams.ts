/** A client of GET /stream for tests: everything it received, and waiting for what is to come. */
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { until } from './until.ts'

export type Stream = {
  status: number
  headers: Headers
  /** Everything received so far, as text. */
  text(): string
  events: EventSourceMessage[]
  comments: string[]
  /** Reconnection times the server wished for, milliseconds. */
  retries: number[]
  /** Resolves with the event after those already taken; rejects when none comes or the stream ends. */
  next(): Promise<EventSourceMessage>
  /** Resolves when `seen` first holds. */
  until(what: string, seen: () => boolean): Promise<void>
  /** Resolves when the server has ended the stream. */
  ended(): Promise<void>
  close(): void
}

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
    }
  }
  // A cut connection is an end like any other; what came before it is what a test looks at.
  void read()
    .catch(() => {})
    .finally(() => (isEnded = true))

  const untilSeen = (what: string, seen: () => boolean) => until(what, seen, () => `; received ${JSON.stringify(text)}`)
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    events,
    comments,
    retries,
    until: untilSeen,
    next: async () => {
      await untilSeen('an event', () => events.length > taken || isEnded)
      const event = events[taken++]
      if (!event) throw new Error(`the stream ended; received ${JSON.stringify(text)}`)
      return event
    },
    ended: () => untilSeen('the end of the stream', () => isEnded),
    close: () => abort.abort(),
  }
}
