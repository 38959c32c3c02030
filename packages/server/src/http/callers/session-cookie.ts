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

/** A cookie of a sign-in that is under way; an empty value takes it away. `Lax` comes along when a provider sends somebody back. */
type PassingCookie = { name: string; value: string; maxAgeSeconds: number; path: string; sameSite: 'Lax' | 'Strict' }

export function setPassingCookie(at: At, reply: FastifyReply, { name, value, maxAgeSeconds, path, sameSite }: PassingCookie): void {
  const age = value === '' ? 0 : maxAgeSeconds
  void reply.header('set-cookie', `${name}=${value}; Max-Age=${age}; Path=${path}; HttpOnly; SameSite=${sameSite}${secureOf(at)}`)
}

/** The cookies that a request brings, of names that begin so. */
export function cookiesOf(request: FastifyRequest, prefix: string): Map<string, string> {
  const pairs = (request.headers.cookie ?? '').split(';').map((each) => each.trim())
  const own = pairs.filter((each) => each.startsWith(prefix) && each.includes('='))
  return new Map(own.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]))
}

function setCookie(at: At, reply: FastifyReply, name: string, value: string, maxAgeSeconds: number): void {
  void reply.header('set-cookie', `${name}=${value}; Max-Age=${maxAgeSeconds}; ${ATTRIBUTES}${secureOf(at)}`)
}

/** A client that lies about the protocol only loses its own cookie. */
function secureOf({ request: { protocol, headers }, publicUrl }: At): string {
  const isSecure = publicUrl.startsWith('https:') || protocol === 'https' || headers['x-forwarded-proto'] === 'https'
  return isSecure ? '; Secure' : ''
}

export function clearSessionCookie(at: At, reply: FastifyReply): void {
  setCookie(at, reply, COOKIE, '', 0)
}
