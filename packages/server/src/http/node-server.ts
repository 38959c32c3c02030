/** Node's own server under the framework: its timeouts, and the refusals it would otherwise write past the envelope. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** `fastLane` says whether it has answered; everything else goes to `handler`. */
export function makeNodeServer(fastLane: (request: IncomingMessage, response: ServerResponse) => boolean, handler: Listener): Server {
  const options = {
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    connectionsCheckingInterval: 2_000,
    requireHostHeader: false,
  }
  const server = createServer(options, (request, response) => {
    if (fastLane(request, response)) return
    if (request.headers.host === undefined && request.httpVersion === '1.1') refuse(response, 400, 'The Host header is missing')
    else handler(request, response)
  })
  server.on('checkExpectation', (_request, response: ServerResponse) => refuse(response, 417, 'Only Expect: 100-continue is understood'))
  return server
}

function refuse(response: ServerResponse, status: number, error: string): void {
  const body = JSON.stringify({ success: false, error })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(body), connection: 'close' }
  response.writeHead(status, headers).end(body)
}

/** Connections whose answer is still under way when a stopping process looks again. */
const SWEEP_MS = 50

/**
 * Closes connections as they fall idle, so that a client that keeps one open does not hold the process up. What is not
 * answered within `limitMs`, or has an answer that nobody reads, is cut.
 */
export async function closeWhenIdle(server: Server, closing: Promise<unknown>, limitMs: number): Promise<void> {
  const until = Date.now() + limitMs
  const sweep = setInterval(() => (Date.now() < until ? server.closeIdleConnections() : server.closeAllConnections()), SWEEP_MS)
  await closing.finally(() => clearInterval(sweep))
}
