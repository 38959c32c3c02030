import { pino, type Logger } from 'pino'
import { currentRequestId } from './request-scope.ts'

export type { Logger }

/** Members that never reach the log, wherever they stand. */
const SECRETS = [
  'key',
  'token',
  'password',
  'secret',
  'authorization',
  'email',
  'phone',
  'name',
  '*.key',
  '*.token',
  '*.password',
  '*.secret',
  '*.authorization',
  '*.email',
  '*.phone',
  'headers',
  '*.headers',
  'body',
  '*.body',
]

/** JSON lines on standard output, each with the id of the request it is written for; docs/operations.md lists the members. Errors keep type, message, stack and cause; database errors lose the values they quote. */
export function openLog(level: string): Logger {
  return pino({
    level,
    base: null,
    mixin: () => {
      const requestId = currentRequestId()
      return requestId === undefined ? {} : { requestId }
    },
    redact: { paths: SECRETS, censor: '[redacted]' },
    serializers: { err: describeError },
  })
}

/** PostgreSQL quotes row values in `detail` and `where`, which may be personal; they are left out. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack } = error
  const code = (error as { code?: unknown }).code
  return { name, code, message, stack, ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }) }
}

/** Parameters of routes that name a person or an installation, or are a secret. A test asks that each parameter is one of these or of nobody. */
const PERSONAL = /:(userId|deviceId|token|topic|eventType)(?=\/|$)/

/**
 * An address as it may be logged: without its query, which on /stream holds a key. One whose parameters are personal is
 * logged as its pattern, and one that no route has as nothing: whatever stands in it may be meant for such a route.
 */
export function loggableUrl({ url, routeOptions }: { url: string; routeOptions: { url?: string | undefined } }): string {
  const pattern = routeOptions.url
  if (pattern === undefined || pattern.includes('*')) return UNMATCHED
  if (PERSONAL.test(pattern)) return pattern
  const query = url.indexOf('?')
  return query === -1 ? url : `${url.slice(0, query)}?…`
}

const UNMATCHED = '/…'
