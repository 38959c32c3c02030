/** The only place that turns thrown errors into answers. They never contain a stack, a statement or a path. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, refusalOf } from '../../errors.ts'
import { loggableUrl, type Logger } from '../../infra/log.ts'
import { isUnavailable, stateOf } from '../../infra/unavailable.ts'
import { sendRefusal } from './envelope.ts'

/** Named constraints whose violation is a refusal the caller can act on. */
const CONFLICTS = new Map([
  ['accounts_email', new ApiError(409, 'An account with this email exists')],
  ['members_pkey', new ApiError(409, 'This person is already a member')],
  ['block_definitions_pkey', new ApiError(409, 'A block type with this key exists')],
  ['block_instances_external_id', new ApiError(409, 'An instance with this externalId exists')],
])

/** SQLSTATE of text that PostgreSQL cannot store or read as the type of its column. */
const BAD_TEXT = new Set(['22021', '22P02', '22P05', '22003', '22007', '22008'])

export function installErrorHandler(app: FastifyInstance, log: Logger): void {
  app.setErrorHandler((error: Error, request, reply) => sendRefusal(reply, toApiError(error, request, log)))
}

export function toApiError(error: Error, request: FastifyRequest, log: Logger): ApiError {
  if (error instanceof ApiError) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  // A cluster gives the name in its message alone, followed by the number of the shard.
  const [, constraint = ''] = (stateOf(error) === '23505' && /unique constraint "(\w+?)(?:_\d+)?"/.exec(error.message)) || []
  const conflict = CONFLICTS.get(constraint)
  if (conflict) return conflict
  if (code && BAD_TEXT.has(code)) {
    // Our own statement may be wrong. The message quotes the value, so only the position is logged.
    const at = error.stack?.split('\n').filter((line) => /^ +at /.test(line))
    log.warn({ code, at, requestId: request.id, url: loggableUrl(request) }, 'answered 400: the database cannot take a value')
    return new ApiError(400, 'A value in the request cannot be stored: it has a character or number out of range')
  }
  if (isUnavailable(error)) {
    log.warn(
      { err: error, requestId: request.id, url: loggableUrl(request) },
      'answered 503: something behind the request is away or held up',
    )
    return refusalOf('UPSTREAM_UNAVAILABLE', { retryAfter: 5 })
  }
  if (statusCode && statusCode >= 400 && statusCode < 500) return new ApiError(statusCode, plainText(statusCode))
  log.error({ err: error, requestId: request.id, method: request.method, url: loggableUrl(request) }, 'unexpected error')
  return new ApiError(500, `Unexpected error. The log has it under request ${request.id}`)
}

function plainText(status: number): string {
  if (status === 404) return 'not found'
  if (status === 413) return 'The body is too large'
  return 'The request cannot be read'
}

/** Answers requests that Node's parser refuses, which reach no route, in the same envelope. */
export function answerClientError(error: NodeJS.ErrnoException, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, text] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are too large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request took too long to arrive']
        : ['400 Bad Request', 'The request cannot be read']
  const body = JSON.stringify({ success: false, error: text })
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
