/** Requests of a back end: how long each may take, when it is repeated, and what its refusal says. */
import { backoff } from '@contentflow/core/backoff.ts'
import { asObject } from '../tools/objects.ts'
import type { ContentFlowError } from '../types.ts'

export type Wire = {
  fetch: typeof globalThis.fetch
  random: () => number
  /** Resolves after some milliseconds. */
  pause: (milliseconds: number) => Promise<void>
  timeoutMs: number
  attempts: number
}

export type Asked = {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  headers: Readonly<Record<string, string | undefined>>
  body?: object | undefined
}

/** What a request without an answer is called. */
const NETWORK = 'NETWORK'
const WAITS = { first: 250, most: 30_000, jitter: 1 }
/** `Retry-After` asks for at most an hour; a back end does not hold a caller longer than this. */
const LONGEST_RETRY_AFTER_MS = 60_000

type Answer = { status: number; body: Readonly<Record<string, unknown>> | undefined; retryAfterMs: number; reason?: string }

/**
 * `data` of the answer. Whatever may pass is repeated: no answer, one that is not the service's, 429 and 5xx, after waits that
 * grow and are spread by chance, and never before `Retry-After`. Rejects with a `ContentFlowError` for good.
 */
export async function send(wire: Wire, asked: Asked): Promise<Readonly<Record<string, unknown>>> {
  for (let attempt = 1; ; attempt++) {
    const answer = await ask(wire, asked)
    const { status, body, retryAfterMs } = answer
    if (body && status < 300 && body['success'] === true) return asObject(body['data'])
    const mayPass = !body || status === 429 || status >= 500 || body['code'] === 'DEVICE_STATE_CHANGED'
    if (!mayPass || attempt >= wire.attempts || retryAfterMs > LONGEST_RETRY_AFTER_MS) throw errorOf(answer)
    await wire.pause(Math.max(backoff(WAITS, attempt, wire.random()), retryAfterMs))
  }
}

async function ask(wire: Wire, { method, url, headers, body }: Asked): Promise<Answer> {
  try {
    const response = await wire.fetch(url, {
      method,
      redirect: 'error',
      headers: Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)),
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(wire.timeoutMs),
    })
    const parsed = parse(await response.text())
    return { status: response.status, body: parsed, retryAfterMs: waitOf(response.headers.get('retry-after')) }
  } catch (error) {
    return { status: 0, body: undefined, retryAfterMs: 0, reason: String(error) }
  }
}

/** The envelope; undefined for what something in between has answered. */
function parse(text: string): Answer['body'] {
  try {
    const value = asObject(JSON.parse(text))
    return typeof value['success'] === 'boolean' ? value : undefined
  } catch {
    return undefined
  }
}

/** Seconds, or a date as HTTP writes it. */
function waitOf(text: string | null): number {
  if (text === null) return 0
  const wait = /^\d+$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(wait) ? 0 : Math.max(wait, 0)
}

function errorOf({ status, body, retryAfterMs, reason }: Answer): ContentFlowError {
  const inside = asObject(body?.['error'])
  const code = body?.['code'] ?? inside['code'] ?? (status === 0 ? NETWORK : body ? undefined : 'BAD_ANSWER')
  const said = inside['message'] ?? body?.['error'] ?? reason
  return Object.assign(new Error(typeof said === 'string' ? said : `status ${status}`), {
    name: 'ContentFlowError' as const,
    status,
    code: code as string | undefined,
    retryAfterSeconds: retryAfterMs > 0 ? Math.ceil(retryAfterMs / 1000) : undefined,
    reason: body?.['reason'],
  })
}
