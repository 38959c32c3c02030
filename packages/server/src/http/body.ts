/**
 * Reads request bodies. One rule for every route: the body is JSON whatever its content type says (an empty
 * one is `{}`; routes that take files also take `text/csv`), in UTF-8, uncompressed, and at most as large as its
 * root allows. A body over the limit is answered at once; what the client is still sending is read and thrown
 * away up to a bound, so that it gets to read the answer instead of a reset connection.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseJson } from '@contentflow/core/json/parse-json.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { ApiError } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A body of type `text/csv` stands for `{"csv": "<the text>"}`. */
    takesCsv?: boolean
  }
}

/** How much of a refused body is swallowed before the connection is cut. */
const DISCARD_BYTES = 64_000_000

export function installBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) => {
    if (request.headers['content-encoding'] && request.headers['content-encoding'] !== 'identity') {
      payload.resume()
      return done(new ApiError(415, 'Send the body uncompressed'))
    }
    const limit = request.routeOptions.bodyLimit ?? LIMITS.managementBodyBytes
    let done_ = (error: Error | null, body?: unknown) => {
      done_ = () => {}
      done(error, body)
    }
    const chunks: Buffer[] = []
    let size = 0
    const declared = Number(request.headers['content-length'] ?? 0)
    if (declared > limit) done_(tooLarge(limit))
    payload.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) {
        chunks.length = 0
        done_(tooLarge(limit))
        if (size > DISCARD_BYTES) request.raw.socket.destroy()
      } else if (declared <= limit) chunks.push(chunk)
    })
    payload.on('error', (error: Error) => done_(error))
    payload.on('end', () => {
      if (size > limit || declared > limit) {
        if (request.headers.connection === 'close') request.raw.socket.end()
        return
      }
      const bytes = Buffer.concat(chunks)
      const read = isCsv(request) ? readCsv(bytes) : readBody(bytes)
      if (read instanceof ApiError) done_(read)
      else done_(null, read.value)
    })
  })
}

function tooLarge(limit: number): ApiError {
  return new ApiError(413, `The body is larger than ${limit} bytes`)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function readBody(bytes: Buffer): { value: unknown } | ApiError {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return new ApiError(400, 'The body is not valid UTF-8')
  }
  if (text.trim() === '') return { value: {} }
  const parsed = parseJson(text, LIMITS.jsonDepth)
  return parsed.ok ? { value: parsed.value } : new ApiError(400, parsed.error)
}

function isCsv(request: FastifyRequest): boolean {
  return request.routeOptions.config.takesCsv === true && /^text\/csv(?:$|[\s;])/i.test(request.headers['content-type'] ?? '')
}

function readCsv(bytes: Buffer): { value: unknown } | ApiError {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (isUtf16) return new ApiError(400, 'The file is in UTF-16; save it as UTF-8')
  try {
    return { value: { csv: utf8.decode(bytes) } }
  } catch {
    return new ApiError(400, 'The file is not valid UTF-8')
  }
}

/** What was sent; nothing at all counts as `{}`, `null` does not (G-13). */
export function sentBody(request: FastifyRequest): unknown {
  return request.body === undefined ? {} : request.body
}

/** The body as an object; anything else is 400 without a code (G-13). */
export function objectBody(request: FastifyRequest): Record<string, unknown> {
  const body = sentBody(request)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError(400, 'The body must be a JSON object')
  return body as Record<string, unknown>
}
