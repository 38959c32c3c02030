/** Server-sent events over fetch, which unlike EventSource can send headers. */
import type { Answer, Call } from '../machine/answer.ts'
import type { Wire } from './transport.ts'

/** The content of one piece of the stream. */
export type Heard = { signals: number; lastEventId?: string; retryMs?: number }

/**
 * Reads pieces of any length and says what has become whole. Names of events are not looked at: every one means the
 * same (C-STREAM-15).
 */
export function createStreamParser(): (piece: string) => Heard {
  let rest = ''
  let id: string | undefined
  let hasData = false
  return (piece) => {
    const heard: Heard = { signals: 0 }
    // A line end may be cut in two: a carriage return that is last waits for what follows.
    const lines = (rest + piece).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line === '') {
        if (hasData) heard.signals++
        if (id !== undefined) heard.lastEventId = id
        hasData = false
        continue
      }
      const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
      if (field === 'data' || field === 'event') hasData = true
      // U+0000 is not allowed in an id.
      if (field === 'id' && !value.includes('\0')) id = value
      if (field === 'retry' && /^\d+$/.test(value)) heard.retryMs = Number(value)
    }
    return heard
  }
}

/** Listens until the stream ends, and says how: with a refusal, or like a connection that was cut. Never throws. */
export async function listen(wire: Wire, call: Call, signal: AbortSignal, heard: (said: Heard) => void): Promise<Answer> {
  try {
    const [url, init] = wire.requestOf(wire, call, wire.sender)
    const response = await wire.fetch(url, { ...init, signal })
    if (!response.ok) return wire.readAnswer(response, await response.text(), wire.now())
    // React Native's fetch has no body to read from: there is no use in another attempt.
    if (!response.body || typeof TextDecoder === 'undefined') return { status: 0, retryAfterMs: Infinity }
    // A success that is no stream comes from something in between.
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) await pump(response.body, heard)
    else await response.body.cancel()
    return { status: 0 }
  } catch (error) {
    return { status: 0, reason: String(error) }
  }
}

async function pump(body: ReadableStream<Uint8Array>, heard: (said: Heard) => void): Promise<void> {
  heard({ signals: 0 })
  const parse = createStreamParser()
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) heard(parse(decoder.decode(read.value, { stream: true })))
}
