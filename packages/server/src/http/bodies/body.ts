/**
 * Reads request bodies. One rule for every route: the body is JSON whatever its content type says (an empty
 * one is `{}`; routes that take files also take `text/csv`), in UTF-8, uncompressed, and at most as large as the
 * route allows. Who may call was judged before; a large body is parsed in slices, so that nobody else waits for it.
 */
import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OddText, Path } from '@contentflow/core/json/odd-characters.ts'
import { INVALID_JSON, parseJson, type JsonResult } from '@contentflow/core/json/parse-json.ts'
import { readJson } from '@contentflow/core/json/read-json.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import { ApiError } from '../../errors.ts'
import { noteBody } from '../../infra/request-scope.ts'
import type { Metrics } from '../../infra/metrics.ts'
import type { TimeSlicer } from '../../infra/concurrency/time-slicer.ts'
import { oddTextOf } from './odd-text.ts'
import { openHeldBytes, ownerOf, receiveBody, SMALL_BYTES } from './receive-body.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A body of type `text/csv` stands for `{"csv": "<the text>"}`. */
    takesCsv?: boolean
    /** Text of the refusal of a body that is no JSON, instead of the general one (G-13). */
    noJson?: string
  }
  interface FastifyRequest {
    /** Texts of its body that had a NUL or half of a surrogate pair, in whose place there is U+FFFD (G-85). */
    replacedTexts: number
    /** SHA-256 of its body as it came, where it has an `Idempotency-Key` (http/once). */
    bodyHash: string | undefined
  }
}

export function installBodyParser(app: FastifyInstance, slices: TimeSlicer, metrics: Metrics): void {
  const held = openHeldBytes()
  app.decorateRequest('replacedTexts', 0)
  app.decorateRequest('bodyHash')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    // A body sent to a route that does not exist, or with OPTIONS, is not read.
    if (request.is404 || request.method === 'OPTIONS') return void payload.resume()
    if (request.headers['content-encoding'] && request.headers['content-encoding'] !== 'identity') {
      payload.resume()
      throw new ApiError(415, 'Send the body uncompressed')
    }
    const bytes = await receiveBody(request, payload, held)
    if (request.headers['idempotency-key'] !== undefined) request.bodyHash = hash('sha256', bytes, 'hex')
    const isFile = isCsv(request)
    const { noJson } = request.routeOptions.config
    const oddTextAt = (path: Path) => oddTextOf(request)(path)
    const taken = (result: JsonResult) => {
      if (result.ok && result.replaced) {
        request.replacedTexts = result.replaced
        metrics.replacedTexts.inc(result.replaced)
      }
      return valueOf(result, noJson)
    }
    if (bytes.length <= SMALL_BYTES) return isFile ? readCsv(bytes) : taken(parseJson(decode(bytes), LIMITS.jsonDepth, oddTextAt))
    const owner = ownerOf(request.caller)
    try {
      noteBody(bytes.length)
      if (isFile) return readCsv(bytes)
      return taken(await slices.run(owner, readLarge(bytes, oddTextAt)))
    } finally {
      held.release(owner, bytes.length)
    }
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Parses a small body without odd characters; throws 400 when it is no JSON in UTF-8. */
export function readBody(bytes: Buffer): unknown {
  return valueOf(parseJson(decode(bytes), LIMITS.jsonDepth))
}

function* readLarge(bytes: Buffer, oddTextAt: (path: Path) => OddText): Generator<undefined, JsonResult> {
  const text = decode(bytes)
  yield
  return yield* readJson(text, LIMITS.jsonDepth, oddTextAt)
}

/** Decodes a body as text; an empty body counts as `{}`. */
function decode(bytes: Buffer): string {
  try {
    const text = utf8.decode(bytes)
    return text.trim() === '' ? '{}' : text
  } catch {
    throw new ApiError(400, 'The body is not valid UTF-8')
  }
}

function valueOf(result: JsonResult, noJson = INVALID_JSON): unknown {
  if (!result.ok) throw new ApiError(400, result.error === INVALID_JSON ? noJson : result.error)
  return result.value
}

function isCsv(request: FastifyRequest): boolean {
  return request.routeOptions.config.takesCsv === true && /^text\/csv(?:$|[\s;])/i.test(request.headers['content-type'] ?? '')
}

function readCsv(bytes: Buffer): { csv: string } {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (isUtf16) throw new ApiError(400, 'The file is in UTF-16; save it as UTF-8')
  try {
    return { csv: utf8.decode(bytes) }
  } catch {
    throw new ApiError(400, 'The file is not valid UTF-8')
  }
}

/** The body as it was sent; an empty body counts as `{}`, `null` does not (G-13). */
export function sentBody(request: FastifyRequest): unknown {
  return request.body === undefined ? {} : request.body
}

/** The body as an object; anything else is 400 without a code (G-13). */
export function objectBody(request: FastifyRequest): Record<string, unknown> {
  const body = sentBody(request)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError(400, 'The body must be a JSON object')
  return body as Record<string, unknown>
}
