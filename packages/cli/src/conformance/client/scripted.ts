/** A server that answers as a check tells it to, and remembers what it was asked. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `at`: milliseconds of a clock that never goes back. */
export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: any; at: number }
export type Answer = {
  status?: number
  data?: unknown
  headers?: Record<string, string>
  refusal?: { code?: string; error: string }
  raw?: string
}
/** `lost`: the connection is cut, and no answer comes. */
type Script = (asked: Received) => Answer | 'lost'

export type Scripted = {
  baseUrl: string
  received: Received[]
  /** Requests to a route such as `POST /events`, oldest first. */
  to(route: string): Received[]
  /** Answers a route from now on. */
  on(route: string, script: Script): void
  close(): Promise<void>
}

const CONFIG = { features: { live_updates: false }, pollIntervalSeconds: 30, popupDefaultFrequency: { per: 'day', max: 1 } }

/** `data` of GET /sync with these blocks. */
export const synced = (blocks: readonly object[]) => ({ blocks, config: CONFIG })

/** An empty workspace: what every route answers until a check says otherwise. */
const EMPTY: [string, Script][] = [
  ['GET /sync', () => ({ data: synced([]) })],
  ['GET /strings', () => ({ data: { locale: 'en', strings: {}, smartKeys: [], withheldKeys: [], version: '1' } })],
  ['POST /events', ({ body }) => ({ status: 202, data: { accepted: body?.events?.length ?? 0, dropped: 0, dropReasons: {} } })],
  [
    'POST /identify',
    ({ body }) => ({
      data: {
        consent: body?.consent,
        results: { identity: { status: body?.consent && body.userId ? 'identified' : 'anonymous', userId: body?.userId ?? null } },
        segments: [],
      },
    }),
  ],
  ['POST /logout', () => ({ data: {} })],
  ['DELETE /identify', () => ({ data: { localWipeSafe: true } })],
]

export async function openScripted(): Promise<Scripted> {
  const received: Received[] = []
  const scripts = new Map(EMPTY)
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = (request.url ?? '').replace(/^\/sdk\/v1/, '')
      const { method = '', headers } = request
      const asked = { method, path, headers, body: readJson(Buffer.concat(chunks).toString()), at: performance.now() }
      received.push(asked)
      answer(response, scripts.get(routeOf(asked))?.(asked) ?? { status: 404, refusal: { error: 'not found' } })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sdk/v1`,
    received,
    to: (route) => received.filter((each) => routeOf(each) === route),
    on: (route, script) => void scripts.set(route, script),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function routeOf({ method, path }: Pick<Received, 'method' | 'path'>): string {
  return `${method} ${path.replace(/\?.*/, '')}`
}

function answer(response: ServerResponse, said: Answer | 'lost'): void {
  if (said === 'lost') return void response.destroy()
  const { status = said.refusal ? 400 : 200, data, headers = {}, refusal, raw } = said
  const body = raw ?? (status === 304 ? '' : JSON.stringify(refusal ? { success: false, ...refusal } : { success: true, data }))
  response
    .writeHead(status, { 'content-type': raw === undefined ? 'application/json' : 'text/html', 'x-cf-env': 'test', ...headers })
    .end(body)
}

function readJson(text: string): any {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
