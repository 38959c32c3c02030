/** Headers of answers, each described once; the operations refer to them. Tests hold the list to what the server sends (`record-answers.ts`). */
import type { ErrorCode } from '../../errors.ts'
import type { JsonSchema } from './schemas.ts'

export type Header = { $ref: string } | { description: string; schema: JsonSchema }

const text = (description: string, example: string): Header => ({ description, schema: { type: 'string', examples: [example] } })
const whole = (description: string, example: number): Header => ({ description, schema: { type: 'integer', examples: [example] } })

/** The headers that a route names in `sends`, with what they say. */
const OF_ROUTES = {
  ETag: text('The version of what was answered: send it as If-None-Match to read again, or as If-Match to change it', '"3"'),
  'X-CF-Last-Event-ID': text('Send it as Last-Event-ID when you open the stream, to be told of changes since this answer', '42.7'),
  Location: text('The address that the answer leads to', 'https://cdn.example.com/welcome.webp'),
  'Content-Disposition': text('The name under which the file is saved', 'attachment; filename="report.csv"'),
  'Set-Cookie': text('The session of the dashboard, or a mark of a sign-in that waits, for browsers', 'cf_session=…; Path=/; HttpOnly'),
}
export type SentHeader = keyof typeof OF_ROUTES

/** What answers say that have neither a schema nor a code. */
export const OTHER_STATUSES = {
  206: 'The part of the file that Range asked for',
  304: 'Not modified',
  429: 'Refused: too many at once, or within a time',
  502: 'Not finished yet; it goes on, and the call may be repeated',
}
export type OtherStatus = keyof typeof OTHER_STATUSES

/** Headers that follow from the root and the status. */
const BY_RULE = {
  'X-Request-Id': text(
    'The id of this request in the log of the server. Content that is answered from memory (/sync, /blocks/{key}, /strings, /stream) has none',
    '7f3a91c2-128',
  ),
  'X-CF-Env': {
    description: 'The environment of the key, once it was accepted',
    schema: { type: 'string', enum: ['live', 'test'] } as JsonSchema,
  },
  'X-RateLimit-Limit': whole('Requests a minute that the workspace has; absent where it has no limit', 10_000),
  'X-RateLimit-Remaining': whole('How many of them are left in this minute', 9_871),
  'Retry-After': whole('Seconds after which the same request may be sent again', 5),
}

/** What stands in `components.headers`. */
export const ANSWER_HEADERS: Record<string, Header> = { ...OF_ROUTES, ...BY_RULE }

const OF_CLIENT_ROUTES = ['X-CF-Env', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'] as const
/** Refusals of other statuses that say when to come back. */
const RETRIED: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['SIGN_IN_PENDING', 'IDEMPOTENCY_KEY_IN_USE'])

/** The headers of one answer of an operation. */
export function headersOf(path: string, status: string, codes: readonly ErrorCode[], sends: readonly SentHeader[]): Record<string, Header> {
  const isRetried = ['429', '502', '503'].includes(status) || codes.some((code) => RETRIED.has(code))
  const names: (keyof typeof ANSWER_HEADERS)[] = [
    ...(/^[23]/.test(status) ? sends : []),
    'X-Request-Id',
    ...(path.startsWith('/sdk/v1/') ? OF_CLIENT_ROUTES : []),
    ...(isRetried ? ['Retry-After'] : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
