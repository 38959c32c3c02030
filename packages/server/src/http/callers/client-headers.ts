import type { FastifyReply } from 'fastify'
import type { Environment } from '../../infra/signals/signals.ts'
import type { Caller } from './caller.ts'
import type { Rate } from '../rates/rate-limit.ts'

const EXPOSED = 'X-CF-Env, X-CF-Last-Event-ID, ETag, Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-Request-Id'
/** G-12: browsers may read every answer of the client roots, and these headers of it; none may guess the content type. */
const ON_EVERY_ANSWER = ['access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED, 'x-content-type-options', 'nosniff']
const ALLOWED_HEADERS =
  'X-CF-Key, X-API-Key, X-CF-Device, X-CF-User-Token, X-CF-Device-Token, X-CF-Write-Key, Accept-Language, If-None-Match, X-CF-Session-Id, X-CF-SDK-Version, X-CF-SDK-Capabilities, X-CF-Simulate, Last-Event-ID, Content-Type, Authorization, X-Tenant-Id'
/** Headers that portal origins may send, besides. */
export const PORTAL_HEADERS = `${ALLOWED_HEADERS}, Idempotency-Key`

/** Headers of an answer of the management API to a portal origin. */
export function portalHeaders(origin: string): Record<string, string> {
  return { 'access-control-allow-origin': origin, 'access-control-expose-headers': 'Idempotent-Replay, Retry-After', vary: 'Origin' }
}

/** Headers of every answer of the client roots; `environment` once a key was accepted (C-AUTH-37). A flat list for `writeHead`. */
export function clientHeaders(environment: Environment | undefined): string[] {
  return environment === undefined ? ON_EVERY_ANSWER : ['x-cf-env', environment, ...ON_EVERY_ANSWER]
}

/** C-HDR-08. A workspace without a rate has no such headers (G-14). */
export function withRate(headers: string[], rate: Rate | undefined): string[] {
  return rate ? [...headers, 'x-ratelimit-limit', String(rate.limit), 'x-ratelimit-remaining', String(rate.remaining)] : headers
}

/** The same headers on a framework reply; a write key belongs to the live environment. An answer without cache headers gets `no-store`. */
export function setClientHeaders(reply: FastifyReply, caller: Caller | undefined, rate: Rate | undefined): void {
  const environment = caller?.kind === 'app' ? caller.environment : caller?.kind === 'write' ? 'live' : undefined
  const headers = withRate(clientHeaders(environment), rate)
  for (let i = 0; i < headers.length; i += 2) void reply.header(headers[i] ?? '', headers[i + 1])
  if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store')
}

/** The answer to a preflight of the client roots: no key needed. */
export function answerPreflight(reply: FastifyReply, origin: string, allowed = ALLOWED_HEADERS): FastifyReply {
  return reply
    .code(204)
    .headers({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
      'access-control-allow-headers': allowed,
      'access-control-max-age': '600',
    })
    .send()
}
