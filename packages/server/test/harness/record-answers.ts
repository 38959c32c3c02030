/**
 * Watches what a test's server answers and holds the OpenAPI document to it: a code is said only by routes at which the document
 * lists it, and a status or header of a described route is one that the document names there.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

type Said = { method: string; path: string; status: number; code: string | undefined; headers: string[] }
type Documented = { headers?: Record<string, unknown>; 'x-codes'?: string[] }
type Operations = Record<string, { responses: Record<string, Documented> }>

/** Headers of HTTP itself, of browsers and of caches, which mean the same everywhere and are not listed for each route. */
const GENERAL =
  /^(content-(type|length|range|encoding|language|security-policy)|cache-control|vary|date|connection|keep-alive|transfer-encoding|last-modified|accept-ranges|access-control-.*|cross-origin-.*|x-(content-type-options|robots-tag|frame-options|accel-buffering)|referrer-policy)$/

export function recordAnswers(http: FastifyInstance): { check(): void } {
  const answers = new Map<string, Said>()
  http.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    // Any route says any code to who asks for it.
    if (request.headers['x-cf-simulate'] !== undefined) return
    const { end, writeHead } = response
    const written: string[] = []
    response.writeHead = function (this: ServerResponse, ...sent: unknown[]) {
      const headers = sent.find((each) => typeof each === 'object' && each !== null)
      if (headers) written.push(...(Array.isArray(headers) ? headers.filter((_, index) => index % 2 === 0) : Object.keys(headers)))
      return Reflect.apply(writeHead, this, sent) as ServerResponse
    }
    response.end = function (this: ServerResponse, ...sent: unknown[]) {
      const [path = ''] = (request.url ?? '').split('?')
      const names = [...written, ...response.getHeaderNames()].map((name) => name.toLowerCase())
      const headers = [...new Set(names)].filter((name) => !GENERAL.test(name)).sort()
      const said = { method: request.method ?? '', path, status: response.statusCode, code: codeOf(response.statusCode, sent[0]), headers }
      // Ids tell paths apart, not routes.
      answers.set(JSON.stringify({ ...said, path: path.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '_') }), said)
      return Reflect.apply(end, this, sent) as ServerResponse
    } as typeof end
  })
  return {
    check: () => {
      if (answers.size === 0) return
      const documentedAt = documentedByRoute(http)
      const wrong = [...answers.values()].flatMap((said) => {
        const route = documentedAt(said.method, said.path)
        return route ? missingOf(said, route) : []
      })
      if (wrong.length > 0)
        throw new Error(`What the OpenAPI document does not say of these routes:\n  ${[...new Set(wrong)].join('\n  ')}`)
    },
  }
}

/** What the document lacks: a code (in `refuses`, or added by document.ts), a status or a header (`sends`, or answer-headers.ts). */
function missingOf({ method, status, code, headers }: Said, { path, responses }: Route): string[] {
  const codes = Object.values(responses).flatMap((answer) => answer['x-codes'] ?? [])
  if (code !== undefined && !codes.includes(code)) return [`${method} ${path} answered ${status} ${code}`]
  // A fault of the server is no answer of the route.
  if (status === 500) return []
  const isAnyRefusal = status >= 400 && status < 500 && status !== 429
  const documented = responses[status] ?? (isAnyRefusal ? responses['4XX'] : undefined)
  if (!documented) return [`${method} ${path} answered ${status}`]
  const known = new Set(Object.keys(documented.headers ?? {}).map((name) => name.toLowerCase()))
  return headers.filter((name) => !known.has(name)).map((name) => `${method} ${path} answered ${status} with ${name}`)
}

/** Of either form of a refusal (C-ENV-05). */
function codeOf(status: number, sent: unknown): string | undefined {
  if (status < 400 || (typeof sent !== 'string' && !Buffer.isBuffer(sent))) return undefined
  const [, code] = /"code":"([A-Z][A-Z_]+)"/.exec(sent.toString()) ?? []
  return code
}

type Route = { path: string; responses: Record<string, Documented> }

/** The described route that an address belongs to; what is not described, or is found under an older root only, is nobody's. */
function documentedByRoute(http: FastifyInstance): (method: string, path: string) => Route | undefined {
  const paths = (http.swagger().paths ?? {}) as unknown as Record<string, Operations>
  const routes = Object.entries(paths)
    .map(([path, operations]) => ({
      path,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      operations,
    }))
    // What is written out comes before what stands for anything.
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  return (method, address) => {
    const path = address.replace(/^\/api\/v1\/sdk\//, '/sdk/v1/')
    const found = routes.find(({ pattern, operations }) => pattern.test(path) && method.toLowerCase() in operations)
    if (!found) return undefined
    return { path: found.path, responses: found.operations[method.toLowerCase()]?.responses ?? {} }
  }
}
