import type { FastifyReply } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Paged } from '@contentflow/core/paging.ts'
import { DetailedError, ERRORS, type ApiError, type ErrorCode } from '../../errors.ts'

/** C-ENV-01: every success. `metadata` stands beside `data` (C-ENV-06). */
export function ok<T>(data: T): { success: true; data: T }
export function ok<T, M>(data: T, metadata: M): { success: true; data: T; metadata: M }
export function ok(data: unknown, metadata?: unknown): object {
  return metadata === undefined ? { success: true, data } : { success: true, data, metadata }
}

/** House rule of G-04: a list is a named array with its total, and the cursor of the next page. */
export function page<K extends string, T>(name: K, found: Paged<T>): Listed<K, T>
export function page<K extends string, T, P>(name: K, found: Paged<T>, present: (item: T) => P): Listed<K, P>
export function page<T>(name: string, { items, next, total }: Paged<T>, present: (item: T) => unknown = (item) => item): object {
  return ok({ [name]: items.map((item) => present(item)) }, { total, nextCursor: next })
}
type Listed<K extends string, T> = { success: true; data: Record<K, T[]>; metadata: { total: number; nextCursor: string | null } }

/** A refusal that is not an error of the request: status below 400, `success:false`, and what was done in `data` (C-IDN-11, G-17). */
export function partial(code: ErrorCode, message?: string): { success: false; error: string; code: ErrorCode }
export function partial<T>(
  code: ErrorCode,
  message: string | undefined,
  data: T,
): { success: false; error: string; code: ErrorCode; data: T }
export function partial(code: ErrorCode, message: string = ERRORS[code][1], data?: unknown): object {
  return { success: false, error: message, code, ...(data !== undefined && { data }) }
}

/** C-ENV-02: every refusal. */
export function refusal(error: ApiError): object {
  if (error.code === 'SDK_RATE_LIMIT_EXCEEDED') return workspaceRateRefusal(error)
  return {
    success: false,
    error: error.message,
    ...(error.code === undefined ? {} : { code: error.code }),
    ...(error.code === 'UPSTREAM_UNAVAILABLE' ? { retryable: true } : {}),
    ...(error instanceof DetailedError ? error.details : {}),
  }
}

/** C-ENV-05: the one refusal of another shape. The limit is the workspace's own; the burst comes on top. */
function workspaceRateRefusal({ message, limit = LIMITS.workspaceRequestsPerMinute }: ApiError): object {
  const details = { retryAfter: LIMITS.rateWindowSeconds, limit, period: '1m' }
  return { success: false, error: { message, code: 'SDK_RATE_LIMIT_EXCEEDED', details } }
}

/** Sends `error` with its status and headers. */
export function sendRefusal(reply: FastifyReply, error: ApiError): FastifyReply {
  return beginRefusal(reply, error).type('application/json; charset=utf-8').send(refusal(error))
}

/** Sets status and headers of a refusal; its type and body are those of its root. */
export function beginRefusal(reply: FastifyReply, error: ApiError): FastifyReply {
  // Closing now would reset a client that is still sending before it reads why.
  if (error.status === 413) {
    void reply.header('connection', 'keep-alive')
    reply.raw.shouldKeepAlive = true
  }
  if (error.retryAfter !== undefined) void reply.header('retry-after', String(error.retryAfter))
  // An answer that began as a file no longer is one.
  return reply.removeHeader('content-disposition').code(error.status)
}
