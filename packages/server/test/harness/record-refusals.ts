/** Watches what a test's server refuses: a code is said only by routes at which the OpenAPI document lists it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

type Refusal = { method: string; path: string; status: number; code: string }
type Operations = Record<string, { responses: Record<string, { 'x-codes'?: string[] }> }>

const EXPLANATION = 'Refusals that neither the route says in `refuses`, nor document.ts adds for its credential or proof:'

export function recordRefusals(http: FastifyInstance): { check(): void } {
  const refusals = new Map<string, Refusal>()
  http.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    // Any route says any code to who asks for it.
    if (request.headers['x-cf-simulate'] !== undefined) return
    const { end } = response
    response.end = function (this: ServerResponse, ...sent: unknown[]) {
      const code = codeOf(response.statusCode, sent[0])
      if (code !== undefined) {
        const [path = ''] = (request.url ?? '').split('?')
        const method = request.method ?? ''
        refusals.set(`${method} ${path} ${code}`, { method, path, status: response.statusCode, code })
      }
      return Reflect.apply(end, this, sent) as ServerResponse
    } as typeof end
  })
  return {
    check: () => {
      if (refusals.size === 0) return
      const codesAt = codesByRoute(http)
      const unlisted = [...refusals.values()].flatMap(({ method, path, status, code }) => {
        const route = codesAt(method, path)
        return route && !route.codes.has(code) ? [`${method} ${route.path} answered ${status} ${code}`] : []
      })
      if (unlisted.length > 0) throw new Error(`${EXPLANATION}\n  ${[...new Set(unlisted)].join('\n  ')}`)
    },
  }
}

/** Of either form of a refusal (C-ENV-05). */
function codeOf(status: number, sent: unknown): string | undefined {
  if (status < 400 || (typeof sent !== 'string' && !Buffer.isBuffer(sent))) return undefined
  const [, code] = /"code":"([A-Z][A-Z_]+)"/.exec(sent.toString()) ?? []
  return code
}

type Route = { path: string; codes: ReadonlySet<string> }

/** The described route that an address belongs to; what is not described, or is found under an older root only, is nobody's. */
function codesByRoute(http: FastifyInstance): (method: string, path: string) => Route | undefined {
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
    const { responses = {} } = found.operations[method.toLowerCase()] ?? {}
    return { path: found.path, codes: new Set(Object.values(responses).flatMap((answer) => answer['x-codes'] ?? [])) }
  }
}
