/**
 * Ids that a path cannot contain: browsers, `fetch` and proxies remove `.` and `..`, written as `%2e` too. `_` stands for the
 * id in the path then, and the query names it: `GET /users/_?userId=..`.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from './schema.ts'

const BY_QUERY = 'An id or name that no path can carry, `.` or `..`, is sent as the query member of this name, with `_` here'
export const UserParams = Type.Object({
  userId: Type.String({ description: `A user id, or the device id of an anonymous person. ${BY_QUERY}` }),
})
export const DeviceParams = Type.Object({ deviceId: Type.String({ description: BY_QUERY }) })

export const EventTypeParams = Type.Object({ eventType: Type.String({ description: BY_QUERY }) })

const NAMES = ['userId', 'deviceId', 'eventType'] as const

/** Must be called before the routes are made. Routes find the id among their params, wherever it was sent. */
export function installPathIds(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const name = NAMES.find((each) => route.url.split('/').includes(`:${each}`))
    if (name === undefined) return
    const readId = (request: FastifyRequest, _reply: unknown, done: () => void) => {
      const params = request.params as Record<string, string>
      const named = (request.query as Record<string, unknown>)[name]
      if (params[name] === '_' && typeof named === 'string' && named !== '') params[name] = named
      done()
    }
    route.preValidation = [readId, ...[route.preValidation ?? []].flat()]
  })
}
