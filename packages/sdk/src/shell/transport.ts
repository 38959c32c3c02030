/** Requests to the client API: what every one carries, how long it may take, and what came back as a value. */
import { CAPABILITIES, KEEPALIVE_LENGTH, TIMEOUT_MS } from '../limits.ts'
import type { Answer, Call, JsonObject } from '../machine/answer.ts'
import { isObject } from '../machine/answer.ts'
import { parseRetryAfter } from '../machine/retry.ts'
import type { State } from '../machine/state.ts'
import type { Environment, Schedule } from '../types.ts'

export type TransportOptions = {
  fetch: typeof globalThis.fetch
  /** Without a slash at its end. */
  baseUrl: string
  key: string
  /** `<platform>/<version>` (C-VER-05). */
  sdk: string
  now: () => number
  schedule: Schedule
  userToken?: ((userId: string) => Promise<string>) | undefined
}

/** The sender of a request, as far as this installation knows it. */
export type Sender = Pick<State, 'sessionId' | 'deviceToken' | 'deviceId'>

/** The request of a call. */
export function requestOf(
  { baseUrl, key, sdk }: TransportOptions,
  call: Call,
  sender: Sender,
  userToken?: string,
): [url: string, init: RequestInit] {
  const body = call.body && JSON.stringify(call.body)
  const headers: Record<string, string | undefined> = {
    'X-CF-Key': key,
    'X-CF-SDK-Version': sdk,
    'X-CF-SDK-Capabilities': CAPABILITIES,
    'X-CF-Session-Id': sender.sessionId,
    'X-CF-Device': call.deviceId,
    'X-CF-Device-Token': sender.deviceToken || undefined,
    'X-CF-User-Token': userToken,
    'If-None-Match': call.etag,
    'Accept-Language': call.locale,
    'Last-Event-ID': call.lastEventId,
    'Content-Type': body && 'application/json',
  }
  // The ETag is ours; the browser's own cache would hide a 304 behind the body it kept.
  const init: RequestInit = { method: call.method, headers: JSON.parse(JSON.stringify(headers)), cache: 'no-store', credentials: 'omit' }
  return [baseUrl + call.path, body === undefined ? init : { ...init, body, keepalive: body.length < KEEPALIVE_LENGTH }]
}

/**
 * Asks and reads; a failed connection, one that is cut and one that is too slow are answers with status 0. The time
 * holds for the body too: a server that stops in the middle of it has not answered. A token that had expired is asked
 * for once more.
 */
export async function ask(options: TransportOptions, call: Call, sender: Sender, controller: AbortController): Promise<Answer> {
  const cancel = options.schedule(() => controller.abort(), TIMEOUT_MS)
  try {
    for (let isSecond = false; ; isSecond = true) {
      const userToken = call.userId && (await unlessAborted(options.userToken?.(call.userId), controller.signal))
      const [url, init] = requestOf(options, call, sender, userToken)
      const response = await options.fetch(url, { ...init, signal: controller.signal })
      const answer = readAnswer(response, await response.text(), options.now())
      if (isSecond || !userToken || answer.body?.['reason'] !== 'expired') return answer
    }
  } catch (error) {
    return failed(error)
  } finally {
    cancel()
  }
}

/** Stands for the answer to a request that got none. */
export function failed(error: unknown): Answer {
  return { status: 0, reason: String(error) }
}

/** What this file passes to the stream, which is a file of its own. */
export type Wire = TransportOptions & { requestOf: typeof requestOf; readAnswer: typeof readAnswer; sender: Sender }

/** The application's promise may never be settled. */
function unlessAborted<Value>(promise: Value | Promise<Value>, signal: AbortSignal): Promise<Value> {
  return Promise.race([promise, new Promise<never>((_, reject) => signal.addEventListener('abort', reject))])
}

/** The parts of an answer that decide anything. Other JSON than an envelope is that of something in between. */
export function readAnswer({ status, headers }: Response, text: string, now: number): Answer {
  const body = parseObject(text)
  const header = (name: string) => headers.get(name) ?? undefined
  return {
    status,
    body: typeof body?.['success'] === 'boolean' ? body : undefined,
    etag: header('etag'),
    lastEventId: header('X-CF-Last-Event-ID'),
    environment: header('x-cf-env') as Environment | undefined,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), now),
  }
}

/** undefined for anything but a JSON object. */
export function parseObject(text: string | null | undefined): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
