import type { FastifyRequest } from 'fastify'
import { CLIENT_ERROR_CODES, failWith, refusalOf, type ClientErrorCode } from '../errors.ts'
import type { AppCaller } from './callers/caller.ts'

/** Refusals that come before the caller is known, so their answers name no environment. */
const ABOUT_THE_KEY = new Set<ClientErrorCode>(['MISSING_SDK_KEY', 'INVALID_SDK_KEY', 'SDK_KEY_IN_QUERY', 'TENANT_KEY_MISMATCH'])
/** Seconds after which a client should come back; a workspace rate ends with its window. */
const WAITS: Partial<Record<ClientErrorCode, number>> = {
  SDK_RATE_LIMIT_EXCEEDED: 60,
  USER_RATE_LIMITED: 30,
  ERASURE_RATE_LIMITED: 3_600,
  IP_RATE_LIMITED: 30,
  UPSTREAM_UNAVAILABLE: 5,
  SANDBOX_ROUTE_UNAVAILABLE: 5,
}

/** Whether the request of this caller asks for a refusal: only test keys may. */
export function asksForRefusal(caller: AppCaller, header: string | string[] | undefined): boolean {
  return header !== undefined && caller.environment === 'test'
}

/** `X-CF-Simulate: CODE` with a test key is answered with that refusal, so that developers of clients can try every one. Nothing else is done or stored. */
export function refuseAsAsked(request: FastifyRequest, caller: AppCaller): void {
  const asked = request.headers['x-cf-simulate']
  if (!asksForRefusal(caller, asked)) return
  const code = CLIENT_ERROR_CODES.find((each) => each === asked)
  if (!code) return failWith(400, `X-CF-Simulate must be one of ${CLIENT_ERROR_CODES.join(', ')}`)
  if (ABOUT_THE_KEY.has(code)) request.caller = { kind: 'nobody' }
  const retryAfter = WAITS[code]
  const limit = code === 'SDK_RATE_LIMIT_EXCEEDED' ? caller.requestsPerMinute : null
  throw refusalOf(code, { ...(retryAfter !== undefined && { retryAfter }), ...(limit !== null && { limit }) })
}
