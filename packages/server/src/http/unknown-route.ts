import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { sendRefusal } from './envelope.ts'

/** Which methods each path takes, so that a known path with another method is 405 with `Allow` (G-13). */
export type RouteTable = { methodsOf(url: string): string[] }

/** Must be called before the routes are added. */
export function watchRoutes(app: FastifyInstance): RouteTable {
  const known = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.addHook('onRoute', ({ method, url }) => {
    if (url.includes('*')) return
    const entry = known.get(url) ?? {
      pattern: new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`),
      methods: new Set<string>(),
    }
    for (const name of [method].flat()) entry.methods.add(name)
    known.set(url, entry)
  })
  return {
    methodsOf: (url) => {
      const path = url.split('?', 1)[0] ?? ''
      return [...known.values()].filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => [...methods])
    },
  }
}

export function unknownRoute(routes: RouteTable) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    const methods = routes.methodsOf(request.url)
    if (methods.length === 0) return sendRefusal(reply, new ApiError(404, 'not found'))
    void reply.header('allow', methods.join(', '))
    return sendRefusal(reply, new ApiError(405, `This path takes ${methods.join(', ')}`))
  }
}
