/** Reads of one workspace take turns before they take a connection, as its changes do: however much is asked for, the others are answered. */
import { finished } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It reads all that a workspace holds: few at a time, each until its answer is sent or nobody takes it any more. */
    readsAll?: true
  }
  interface FastifyRequest {
    endTurn: (() => void) | null
  }
}

/** For what members and read keys ask; an answer that is made has had its turn. */
export function installManagementTurns(app: FastifyInstance, { turns }: Pick<Context, 'turns'>): void {
  app.decorateRequest('endTurn', null)
  app.addHook('preHandler', (request, reply, done) => {
    const turn = turnOf(request, turns)
    if (!turn) return done()
    const work = () =>
      new Promise<void>((end) => {
        // Also when its client leaves: then nothing is sent, and the framework may not even come to the handler.
        finished(reply.raw, () => end())
        if (!request.routeOptions.config.readsAll) request.endTurn = end
        done()
      })
    turn(work).catch(done)
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.endTurn?.()
    done(null, payload)
  })
}

function turnOf({ is404, caller, method, routeOptions }: FastifyRequest, { reads, wholeReads }: Context['turns']) {
  if (is404) return undefined
  if (caller.kind !== 'member' && caller.kind !== 'read') return undefined
  const inTurn = routeOptions.config.readsAll ? wholeReads : method === 'GET' ? reads : undefined
  return inTurn && ((work: () => Promise<void>) => inTurn(caller.workspaceId, work))
}
