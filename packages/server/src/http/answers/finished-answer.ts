/**
 * HOT PATH. Answers that are made once and sent many times: finished bytes with their headers, in plain and compressed
 * forms, written past the framework.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { refusalOf } from '../../errors.ts'
import type { Logger } from '../../infra/log.ts'
import type { Metrics, Tally } from '../../infra/metrics.ts'
import { GenerationalCache } from '../../infra/cache/generational-cache.ts'
import type { Environment } from '../../infra/signals/signals.ts'
import type { AppCaller } from '../callers/caller.ts'
import { clientHeaders, withRate } from '../callers/client-headers.ts'
import { refusal } from './envelope.ts'
import { etagOf, matchesEtag } from './etag.ts'
import { OnTheirWay } from '../rates/on-their-way.ts'
import type { Rate } from '../rates/rate-limit.ts'

/** One read that is answered past the framework. `rate`: for the rate headers, if any. `began`: when the request came, by `performance.now()`. */
export type Exchange = {
  request: IncomingMessage
  response: ServerResponse
  caller: AppCaller
  rate: Rate | undefined
  began: number
}

/**
 * Bytes as they are sent. Short ones are a `latin1` string with one character for each byte: node:http joins it to the head and
 * hands both to the kernel as one piece, which takes a fifth less time than a buffer after a head (6 and 14 kB).
 */
type Body = string | Buffer
/** Finished bytes with their headers as a flat list; only the caller's rate is added to a request's answer. */
type Encoded = { body: Body; headers: string[] }
/**
 * One finished answer. Compressed forms are made once, off the request path, by the first client that accepts them. All forms
 * have one tag: a client that asks twice must not see another tag only because a compressed form was finished in between
 * (C-SYNC-14). Ranges are never sent, so bytes of two forms cannot be joined.
 */
export type Answer = {
  /** 503: the content is too long for an answer. */
  status: 200 | 503
  etag: string
  /** Headers of every form, and of 304. */
  headers: string[]
  plain: Encoded
  gzip: Encoded | undefined
  br: Encoded | undefined
  isCompressing: boolean
  asker: Asker
}

/** The workspace and environment that an answer belongs to. */
type Asker = { workspaceId: string; environment: Environment }

export type Written = Answer['status'] | 304

type Refused = { seconds: number; body: string }
const refused = (seconds: number, message: string): Refused => ({
  seconds,
  body: JSON.stringify(refusal(refusalOf('UPSTREAM_UNAVAILABLE', { message }))),
})
const TOO_LONG = refused(60, 'There is too much content for one answer; what was fetched before stays')
const TOO_MANY = refused(5, 'Too many large answers of this workspace are on their way; what was fetched before stays')

/** Below this a compressed form saves no packet. */
const COMPRESS_FROM_BYTES = 1_400

/** Longer ones stay a buffer: to copy them takes longer than to hand over two pieces. */
const TEXT_BYTES = 65_536

/** Accept-Encoding headers remembered; clients send few different ones. */
const HEADERS_HELD = 1_000

const gzipAsync = promisify(gzip)
const brotliAsync = promisify(brotliCompress)

/** Finished answers, keyed by a text of all that they depend on; holds at most `bytes` bytes. */
export class FinishedAnswers {
  readonly #log: Logger
  readonly #held: GenerationalCache<string, Answer>
  readonly #onTheirWay = new OnTheirWay()
  /** Accept-Encoding headers seen so far and what they ask for. */
  readonly #codings = new GenerationalCache<string, 'br' | 'gzip' | 'none'>(HEADERS_HELD)

  constructor(log: Logger, bytes: number) {
    this.#log = log
    this.#held = new GenerationalCache(bytes, (answer) => answer.plain.body.length * 2 + 1_000)
  }

  /** Bytes held, compressed forms guessed. */
  get bytes(): number {
    return this.#held.size
  }

  get(name: string): Answer | undefined {
    return this.#held.get(name)
  }

  /**
   * Finishes a text and holds it; undefined is one that is too long (`LIMITS.answerLength`), and refused. `vary`: the request
   * headers that the answer depends on; `more`: further headers, name and value in turn.
   */
  add(name: string, caller: Asker, text: string | undefined, vary: string, more: readonly string[] = []): Answer {
    const answer = text === undefined ? this.#tooLong(caller) : finish(caller, text, ['vary', vary, ...more])
    this.#held.set(name, answer)
    return answer
  }

  /** Writes a body that is sent once; undefined is one that is too long. */
  writeOnce(
    response: ServerResponse,
    asker: Asker,
    rate: Rate | undefined,
    body: string | undefined,
    headers: readonly string[],
  ): 200 | 503 {
    if (body === undefined) return this.#refuse(response, this.#tooLong(asker), rate)
    if (!this.#onTheirWay.take(asker.workspaceId, body, response)) return this.#refuse(response, refusalFor(asker, TOO_MANY), rate)
    response.writeHead(200, withRate(['content-length', String(body.length), ...headers], rate)).end(body, 'latin1')
    return 200
  }

  #refuse(response: ServerResponse, { plain }: Answer, rate: Rate | undefined): 503 {
    response.writeHead(503, withRate(plain.headers, rate)).end(plain.body, 'latin1')
    return 503
  }

  /** Clients keep what they have; the log warns the operator. */
  #tooLong(asker: Asker): Answer {
    const { workspaceId, environment } = asker
    this.#log.warn({ workspaceId, part: environment }, 'there is more content for one device than an answer takes')
    return refusalFor(asker, TOO_LONG)
  }

  /** Writes the answer, or 304 to a client that has it; says which. */
  write(request: IncomingMessage, response: ServerResponse, answer: Answer, rate: Rate | undefined): Written {
    const { headers } = request
    if (answer.status !== 200) return this.#refuse(response, answer, rate)
    if (matchesEtag(headers['if-none-match'], answer.etag)) {
      response.writeHead(304, withRate(answer.headers, rate)).end()
      return 304
    }
    const { body, headers: fixed } = this.#encodingFor(answer, headers['accept-encoding'])
    if (!this.#onTheirWay.take(answer.asker.workspaceId, body, response))
      return this.#refuse(response, refusalFor(answer.asker, TOO_MANY), rate)
    response.writeHead(200, withRate(fixed, rate)).end(body, 'latin1')
    return 200
  }

  /** The form this client takes: compressed when it is ready, plain meanwhile. */
  #encodingFor(answer: Answer, accept: string | undefined): Encoded {
    if (accept === undefined || answer.plain.body.length < COMPRESS_FROM_BYTES) return answer.plain
    const coding = this.#codingFor(accept)
    if (!coding) return answer.plain
    if (!answer.isCompressing) this.#compress(answer)
    return answer[coding] ?? answer.plain
  }

  #codingFor(accept: string): 'br' | 'gzip' | undefined {
    let coding = this.#codings.get(accept)
    if (!coding) {
      coding = readCoding(accept)
      this.#codings.set(accept, coding)
    }
    return coding === 'none' ? undefined : coding
  }

  /** Once for each answer: a form that cannot be made is not tried again, and its clients are sent the plain one. */
  #compress(answer: Answer): void {
    answer.isCompressing = true
    const { body } = answer.plain
    const make = async (coding: 'gzip' | 'br', compressed: Promise<Buffer>) => {
      try {
        answer[coding] = encoded(await compressed, answer.headers, coding)
      } catch (error) {
        this.#log.warn({ err: error, part: coding }, 'an answer could not be compressed; it is sent as it is')
      }
    }
    const bytes = typeof body === 'string' ? Buffer.from(body, 'latin1') : body
    void make('gzip', gzipAsync(bytes, { level: 6 }))
    void make('br', brotliAsync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }))
  }
}

function refusalFor(asker: Asker, { seconds, body }: Refused): Answer {
  const headers = ['retry-after', String(seconds), 'cache-control', 'private, no-cache', ...clientHeaders(asker.environment)]
  const plain = encoded(Buffer.from(body), headers, undefined)
  return { status: 503, etag: '', headers, plain, gzip: undefined, br: undefined, isCompressing: false, asker }
}

function finish({ workspaceId, environment }: Asker, text: string, more: readonly string[]): Answer {
  const etag = etagOf(environment, text)
  const headers = ['etag', etag, 'cache-control', 'private, no-cache', ...more, ...clientHeaders(environment)]
  const plain = encoded(Buffer.from(text), headers, undefined)
  const asker = { workspaceId, environment }
  return { status: 200, etag, headers, plain, gzip: undefined, br: undefined, isCompressing: false, asker }
}

/** The counters for each way in which answers of a route are written. */
export function talliesOf({ request }: Metrics, pattern: string): Record<Written, Tally> {
  return { 200: request('GET', pattern, 200), 304: request('GET', pattern, 304), 503: request('GET', pattern, 503) }
}

function readCoding(accept: string): 'br' | 'gzip' | 'none' {
  const parts = accept
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
  const taken = new Set(parts.map((part) => part.split(';', 1)[0]?.trim()))
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : 'none'
}

function encoded(bytes: Buffer, shared: readonly string[], coding: 'gzip' | 'br' | undefined): Encoded {
  const headers = ['content-type', 'application/json; charset=utf-8', 'content-length', String(bytes.length), ...shared]
  if (coding) headers.push('content-encoding', coding)
  return { body: bodyOf(bytes), headers }
}

const BEYOND_ASCII = /[^\0-\x7f]/

/** The bytes of a text in UTF-8, a character each: the text itself where it is in ASCII. */
export function bytesOf(text: string): string {
  return BEYOND_ASCII.test(text) ? Buffer.from(text).toString('latin1') : text
}

/** The bytes in a form for `end(body, 'latin1')`. */
function bodyOf(bytes: Buffer): Body {
  return bytes.length <= TEXT_BYTES ? bytes.toString('latin1') : bytes
}
