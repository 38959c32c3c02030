/** Counts every request that passes through the framework in the metrics, and gives it an id for answer and log. */
import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../infra/metrics.ts'
import { inRequest } from '../infra/request-scope.ts'
import { isHead } from './node-server.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** When it came, by `performance.now()`. */
    began: number
  }
}

/** Must be called before the hooks of the guards, so that a refusal has an id too. */
export function observeRequests(app: FastifyInstance, metrics: Metrics): void {
  app.decorateRequest('began', 0)
  app.addHook('onRequest', (request, _reply, done) => {
    request.began = performance.now()
    inRequest(request.id, done)
  })
  app.addHook('onSend', async (request, reply) => {
    const tally = metrics.request(isHead(request.raw) ? 'HEAD' : request.method, request.routeOptions.url ?? 'unmatched', reply.statusCode)
    tally.count++
    if (request.began > 0) tally.took.note(performance.now() - request.began)
    void reply.headers({ 'x-content-type-options': 'nosniff', 'x-request-id': request.id })
  })
}
