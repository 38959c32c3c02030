import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, matchesEtag } from '../answers/etag.ts'

/**
 * Answers with a text that stays the same while the process lives. It is made once, when it is first asked for, because what it
 * is made from is complete then. Clients that have it get 304; they ask each time, unless `headers` says how long it holds.
 */
export function answerOnce(
  make: () => string,
  headers: Record<string, string>,
): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  let made: { body: string; etag: string } | undefined
  return (request, reply) => {
    if (!made) {
      const body = make()
      made = { body, etag: etagOf('', body) }
    }
    void reply.headers({ 'cache-control': 'no-cache', ...headers, etag: made.etag })
    return matchesEtag(request.headers['if-none-match'], made.etag) ? reply.code(304).send() : reply.send(made.body)
  }
}
