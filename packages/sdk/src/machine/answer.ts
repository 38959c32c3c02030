import type { ContentFlowError, Environment } from '../types.ts'

export type JsonObject = Record<string, unknown>

/** A request to the server. */
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Under the root, with its query. */
  path: string
  /** undefined: the request is not about this installation. */
  deviceId?: string | undefined
  /** The user whose token the request carries; undefined when it names nobody. */
  userId?: string | undefined
  etag?: string | undefined
  locale?: string | undefined
  lastEventId?: string | undefined
  body?: JsonObject | undefined
}

/** The answer to a request. Status 0: none came. */
export type Answer = {
  status: number
  /** The envelope; undefined when the answer has none. */
  body?: JsonObject | undefined
  etag?: string | undefined
  /** Opens a stream that tells of what changed since this answer. */
  lastEventId?: string | undefined
  environment?: Environment | undefined
  retryAfterMs?: number | undefined
  /** Why nothing came back. */
  reason?: string
}

/**
 * `good`: there is data. `unchanged`: 304. `retry`: repeat later. `rejected`: the key is refused for good.
 * `refused`: for good, and only this request.
 */
export type AnswerKind = 'good' | 'unchanged' | 'retry' | 'rejected' | 'refused'

/** `INVALID_SDK_KEY`, `MISSING_SDK_KEY`, `SDK_KEY_IN_QUERY`, `TENANT_KEY_MISMATCH`. */
const KEY_CODE = /(SDK|TENANT)_KEY/

/**
 * C-ERR-27, C-ERR-28, C-AUTH-41. An answer without an envelope does not come from the service but from something in between,
 * such as a hotel's sign-in page, a firewall or a server that is being replaced: a failed transport, whatever its status.
 */
export function judge(answer: Answer): AnswerKind {
  const { status, body } = answer
  const code = codeOf(answer)
  if (status === 304) return 'unchanged'
  // The documents ask for another attempt after this one refusal (C-ERR-16).
  if (!body || status === 429 || status >= 500 || code === 'DEVICE_STATE_CHANGED') return 'retry'
  if (status < 300 && body['success']) return 'good'
  return status === 401 || KEY_CODE.test(String(code)) ? 'rejected' : 'refused'
}

/** The code is at the top, or inside the error of a workspace rate refusal (C-ENV-05). */
export function codeOf({ body }: Answer): string | undefined {
  const code = body?.['code'] ?? asObject(body?.['error'])['code']
  return typeof code === 'string' ? code : undefined
}

/** `data` of the envelope. */
export function dataOf({ body }: Answer): JsonObject {
  return asObject(body?.['data'])
}

/** The value itself when it is a JSON object, otherwise an empty one. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An error of ours; what its code means is said in the types. */
export function makeError(
  code: string | undefined,
  message = code,
  status = 0,
  retryAfterSeconds?: number,
  reason?: unknown,
): ContentFlowError {
  return Object.assign(new Error(message), { name: 'ContentFlowError' as const, status, code, retryAfterSeconds, reason })
}

/** A refusal or failure as the application sees it. */
export function errorOf(answer: Answer): ContentFlowError {
  const { status, body, reason, retryAfterMs } = answer
  const error = body?.['error']
  const message = isObject(error) ? error['message'] : error
  const code = codeOf(answer) ?? (status === 0 ? 'NETWORK' : status >= 400 && body ? undefined : 'BAD_ANSWER')
  return makeError(
    code,
    typeof message === 'string' ? message : (reason ?? `status ${status}`),
    status,
    retryAfterMs && Math.ceil(retryAfterMs / 1000),
    body?.['reason'],
  )
}
