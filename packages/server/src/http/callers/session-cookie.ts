/**
 * The session of a person in a browser: a cookie that scripts cannot read and other sites cannot send. It is
 * only believed together with a header that a page of another site cannot set without being allowed to.
 */
import { DAY_SECONDS } from '@contentflow/core/units.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

const COOKIE = 'cf_session'
/** The header that the pages of this server send with every call. */
const OWN_PAGE = 'x-cf-dashboard'
const ATTRIBUTES = 'Path=/api/v1; HttpOnly; SameSite=Strict'
/** Recognizes this browser when somebody signs in. It gives no access. */
const DEVICE = 'cf_device'
const DEVICE_SECONDS = 365 * DAY_SECONDS

/** The request, and the configured address of this server, if any. */
type At = { request: FastifyRequest; publicUrl: string }

export function isOwnPage(request: FastifyRequest): boolean {
  return request.headers[OWN_PAGE] !== undefined
}

/** The token in the cookie, when one of our own pages sends it. */
export function sessionCookie(request: FastifyRequest): string | undefined {
  if (!isOwnPage(request)) return undefined
  return /(?:^|;\s*)cf_session=([\w-]{20,200})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1]
}

export function setSessionCookie(at: At, reply: FastifyReply, token: string, maxAgeSeconds: number): void {
  setCookie(at, reply, COOKIE, token, maxAgeSeconds)
}

export function deviceCookie(request: FastifyRequest): string | undefined {
  return /(?:^|;\s*)cf_device=([\w-]{43})(?:;|$)/.exec(request.headers.cookie ?? '')?.[1]
}

export function setDeviceCookie(at: At, reply: FastifyReply, device: string): void {
  setCookie(at, reply, DEVICE, device, DEVICE_SECONDS)
}

function setCookie(at: At, reply: FastifyReply, name: string, value: string, maxAgeSeconds: number): void {
  // A client that lies about the protocol only loses its own cookie.
  const { protocol, headers } = at.request
  const isSecure = at.publicUrl.startsWith('https:') || protocol === 'https' || headers['x-forwarded-proto'] === 'https'
  void reply.header('set-cookie', `${name}=${value}; Max-Age=${maxAgeSeconds}; ${ATTRIBUTES}${isSecure ? '; Secure' : ''}`)
}

export function clearSessionCookie(at: At, reply: FastifyReply): void {
  setCookie(at, reply, COOKIE, '', 0)
}
