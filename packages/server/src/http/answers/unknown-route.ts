import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../errors.ts'
import type { Auth } from '../callers/auth.ts'
import { sendRefusal } from './envelope.ts'

/** Which methods each path takes, so that a known path with another method is 405 with `Allow` (G-13). */
export type RouteTable = {
  methodsOf(url: string): string[]
  /** Whether everything under this path is for people who are signed in. */
  needsAccount(url: string): boolean
}

/** Must be called before the routes are added. */
export function watchRoutes(app: FastifyInstance): RouteTable {
  const known = new Map<string, { pattern: RegExp; methods: Set<string>; auths: Set<Auth | undefined> }>()
  app.addHook('onRoute', ({ method, url, config }) => {
    if (url.includes('*')) return
    const entry = known.get(url) ?? {
      pattern: new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+')}$`),
      methods: new Set<string>(),
      auths: new Set<Auth | undefined>(),
    }
    entry.auths.add(config?.auth)
    for (const name of [method].flat()) entry.methods.add(name)
    known.set(url, entry)
  })
  const entriesOf = (url: string) => {
    const path = url.split('?', 1)[0] ?? ''
    return [...known.values()].filter(({ pattern }) => pattern.test(path))
  }
  return {
    methodsOf: (url) => entriesOf(url).flatMap(({ methods }) => [...methods]),
    needsAccount: (url) => {
      const auths = entriesOf(url).flatMap((entry) => [...entry.auths])
      return auths.length > 0 && auths.every((auth) => auth === 'member' || auth === 'account')
    },
  }
}

/** `send`: in the form of refusals that its root has. */
export function unknownRoute(routes: RouteTable, send: typeof sendRefusal = sendRefusal) {
  return (request: FastifyRequest, reply: FastifyReply) => {
    const methods = routes.methodsOf(request.url)
    if (methods.length === 0) return send(reply, new ApiError(404, 'not found'))
    void reply.header('allow', methods.join(', '))
    return send(reply, new ApiError(405, `This path takes ${methods.join(', ')}`))
  }
}
