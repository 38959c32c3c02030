/** A server that answers as a test tells it to, on a real socket. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: any }
export type Script = (request: Received, response: ServerResponse) => void

export type ScriptedServer = {
  /** The root of the client API. */
  baseUrl: string
  received: Received[]
  /** Those to one path, its query not counted. */
  to(path: string): Received[]
  /** Answers a path from now on. */
  on(path: string, script: Script): void
  /** Streams that are open. */
  streams: ServerResponse[]
}

export const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  void response.writeHead(status, { 'content-type': 'application/json', 'x-cf-env': 'live', ...headers }).end(JSON.stringify(body))
export const succeed = (response: ServerResponse, data: unknown, headers: Record<string, string> = {}) =>
  json(response, 200, { success: true, data }, headers)

export const CONFIG = { features: { live_updates: false }, pollIntervalSeconds: 30, popupDefaultFrequency: { per: 'day', max: 1 } }

/** Answers like an empty workspace until it is told otherwise. */
export async function scriptedServer(): Promise<ScriptedServer> {
  const received: Received[] = []
  const streams: ServerResponse[] = []
  const scripts = new Map<string, Script>([
    ['/sync', (_request, response) => succeed(response, { blocks: [], config: CONFIG }, { etag: '"empty"' })],
    ['/strings', (_request, response) => succeed(response, { locale: 'en', strings: {}, smartKeys: [], withheldKeys: [], version: '1' })],
    [
      '/events',
      ({ body }, response) => json(response, 202, { success: true, data: { accepted: body.events.length, dropped: 0, dropReasons: {} } }),
    ],
    [
      '/identify',
      ({ body }, response) =>
        succeed(response, {
          consent: body.consent,
          results: { identity: { status: body.userId ? 'identified' : 'anonymous', userId: body.userId ?? null } },
          segments: [],
        }),
    ],
    [
      '/stream',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'x-cf-env': 'live' }).write(': connected\n\n')
        streams.push(response)
      },
    ],
  ])
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = (request.url ?? '').replace(/^\/sdk\/v1/, '')
      const text = Buffer.concat(chunks).toString()
      const got = { method: request.method ?? '', path, headers: request.headers, body: text === '' ? undefined : JSON.parse(text) }
      received.push(got)
      const script = scripts.get(path.replace(/\?.*/, ''))
      if (script) script(got, response)
      else json(response, 404, { success: false, error: 'not found' })
    })
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sdk/v1`,
    received,
    streams,
    to: (path) => received.filter((request) => request.path.replace(/\?.*/, '') === path),
    on: (path, script) => void scripts.set(path, script),
  }
}
