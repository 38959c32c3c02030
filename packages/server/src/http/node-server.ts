/** Node's own server under the framework: its timeouts, and the refusals it would otherwise write past the envelope. */
import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { isRoomFor } from '@contentflow/core/room.ts'
import type { Context } from '../context.ts'
import { rateAddress } from './callers/caller-address.ts'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Answers some requests before the framework sees them, without waiting for a body. True: it answers, or passes the request to
 * `fallback` later, with the body as if unread.
 */
export type FastLane = (request: IncomingMessage, response: ServerResponse, fallback: Listener) => boolean

const heads = new WeakSet<IncomingMessage>()

/**
 * G-91. A HEAD is answered as its GET, so that status and headers are the same whichever part answers: Node made the response
 * for a HEAD before, and leaves the body out.
 */
function answerAsGet(request: IncomingMessage): void {
  heads.add(request)
  request.method = 'GET'
}

/** Whether it is a HEAD request: asked by answers that have no end, and by the log of requests. */
export function isHead(request: IncomingMessage): boolean {
  return heads.has(request)
}

/** `handler` gets the requests that the fast lane does not answer. */
export function makeNodeServer(ctx: Pick<Context, 'config' | 'metrics'>, fastLane: FastLane, handler: Listener): Server {
  const options = {
    headersTimeout: 10_000,
    requestTimeout: FILE_MS,
    keepAliveTimeout: 72_000,
    connectionsCheckingInterval: 2_000,
    requireHostHeader: false,
  }
  const fallback: Listener = (request, response) => {
    limitBody(server, request)
    if (request.headers.host === undefined && request.httpVersion === '1.1') refuse(response, 400, 'The Host header is missing')
    else handler(request, response)
  }
  const server = createServer(options, (request, response) => {
    // A proxy may have used either of the two.
    if (hostsOf(request) > 1) return refuse(response, 400, 'The Host header is there more than once')
    if (request.method === 'HEAD') answerAsGet(request)
    if (!fastLane(request, response, fallback)) fallback(request, response)
  })
  boundConnections(server, ctx)
  server.on('checkExpectation', (_request, response: ServerResponse) => refuse(response, 417, 'Only Expect: 100-continue is understood'))
  return server
}

/** A request arrives whole within so long; only files may take longer. */
const BODY_MS = 30_000
const FILE_MS = 900_000
const UPLOAD = /^\/api\/v1\/(content\/[\w-]+\/upload\?|enrichment\/imports\/[\w-]+\/file$)/

/** Node has one limit for all requests. A body that is not there in time is refused as Node refuses it. */
function limitBody(server: Server, request: IncomingMessage): void {
  const { headers, socket, url = '' } = request
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return
  if (UPLOAD.test(url)) return
  const timer = setTimeout(() => {
    server.emit('clientError', Object.assign(new Error('the body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
    socket.destroySoon()
  }, BODY_MS).unref()
  const end = () => clearTimeout(timer)
  request.once('end', end).once('close', end)
}

/** Descriptors kept for the database, logs and other files of this process: a share of its limit, and at most so many. */
const RESERVE = { share: 0.4, most: 1_000 }
/** Descriptors kept besides those open now: the embedded database opens many, and more with each table it uses. */
const GROWTH = { share: 0.1, most: 100 }

/** An address may hold at most so many times the connections, or streams, that are free: three quarters, where there is no other. */
export const TIMES_FREE_OF_ADDRESS = 3
/** How often connections that only wait for a next request are closed to make room, milliseconds. */
const CLEAR_MS = 1_000

/**
 * Closes new connections beyond what the process may have open, and those of an address that holds most of them already. Behind
 * proxies all connections come from the proxies, which then have to limit their own clients. When none is left, connections
 * that wait for a next request are closed to make room; those that send no request are cut by the timeouts.
 */
function boundConnections(server: Server, { config, metrics }: Pick<Context, 'config' | 'metrics'>): void {
  const look = () => {
    const most = mostConnections()
    if (most !== undefined) server.maxConnections = most
    return most
  }
  look()
  let clearedAt = -Infinity
  server.on('drop', () => {
    metrics.connectionsRefused.labels('process').inc()
    look()
    if (performance.now() < clearedAt + CLEAR_MS) return
    clearedAt = performance.now()
    server.closeIdleConnections()
  })
  const byAddress = new Map<string, number>()
  let all = 0
  server.on('connection', (socket: Socket) => {
    const most = look()
    const address = rateAddress(socket.remoteAddress ?? '')
    const own = byAddress.get(address) ?? 0
    const ofOne = config.connectionsPerAddress
    const isRoom = ofOne > 0 ? own < ofOne : most === undefined || isRoomFor({ own, all, most }, TIMES_FREE_OF_ADDRESS)
    if (!isRoom && config.trustedProxies === 0) {
      metrics.connectionsRefused.labels('address').inc()
      socket.destroy()
      return
    }
    all++
    files.connections++
    byAddress.set(address, own + 1)
    socket.once('close', () => {
      all--
      files.connections--
      const left = (byAddress.get(address) ?? 0) - 1
      if (left > 0) byAddress.set(address, left)
      else byAddress.delete(address)
    })
  })
}

/** Connections that are accepted in any case; with fewer the server would be of no use. */
const FEWEST = 10
/** Connections of this process, and how many fit. The count is kept for a while, because counting open files takes milliseconds when there are many. */
const files = { connections: 0, others: Infinity, most: undefined as number | undefined, untilMs: -Infinity }
const COUNTED_MS = { few: 250, many: 10_000, manyFiles: 4_096 }

/**
 * How many connections fit below the limit of open files, besides the files that are open; more are closed as they come.
 * Undefined where the limit cannot be read.
 */
export function mostConnections(): number | undefined {
  if (performance.now() < files.untilMs) return files.most
  const limit = openFilesLimit()
  files.most = limit === undefined ? undefined : mostBelow(limit)
  files.untilMs = performance.now() + (limit !== undefined && limit <= COUNTED_MS.manyFiles ? COUNTED_MS.few : COUNTED_MS.many)
  return files.most
}

function mostBelow(limit: number): number {
  // Connections that are being closed are in neither count, so of two readings the lower one is right.
  const seen = countOpenFiles() - files.connections
  const others = Math.min(seen, files.others)
  files.others = seen
  const reserve = Math.max(others + Math.min(GROWTH.most, limit * GROWTH.share), Math.min(RESERVE.most, limit * RESERVE.share))
  return Math.max(FEWEST, Math.floor(limit - reserve))
}

let limitOfFiles: number | undefined

/** Read once: the limit does not change while the process lives, and with no descriptor left it cannot be read. */
function openFilesLimit(): number | undefined {
  try {
    limitOfFiles ??= Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? NaN)
  } catch {
    return undefined
  }
  return Number.isFinite(limitOfFiles) ? limitOfFiles : undefined
}

/** 0 where it cannot be read: not every system has such a folder, and reading it takes a descriptor too. */
function countOpenFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return 0
  }
}

/** Node keeps the first of several. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts++
  return hosts
}

function refuse(response: ServerResponse, status: number, error: string): void {
  const body = JSON.stringify({ success: false, error })
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    connection: 'close',
  }
  response.writeHead(status, headers).end(body)
}

/** How often a stopping process looks again for connections that became idle. */
const SWEEP_MS = 50

/**
 * Closes connections as they become idle, so that a client that keeps one open does not delay the end of the process. A
 * connection whose request is not answered within `limitMs`, or whose client does not read, is cut.
 */
export async function closeWhenIdle(server: Server, closing: Promise<unknown>, limitMs: number): Promise<void> {
  const until = Date.now() + limitMs
  const sweep = setInterval(() => (Date.now() < until ? server.closeIdleConnections() : server.closeAllConnections()), SWEEP_MS)
  await closing.finally(() => clearInterval(sweep))
}
