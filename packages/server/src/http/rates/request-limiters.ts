/**
 * Reads of one workspace, and writes of its applications, wait for their turn before they take a connection, as its changes do:
 * so one workspace cannot keep others from being answered, however much it asks for.
 */
import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { aboutPerson } from '../../infra/concurrency/limiters.ts'
import { appCaller } from '../callers/auth.ts'
import { readDeviceHeader } from '../callers/device-id.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A write of applications that shares statements with others of its workspace and limits itself. */
    isBatched?: true
    /** It reads all that a workspace holds: few run at a time, each until its answer is taken. */
    readsAll?: true
  }
}

/** How long such a read may take from its turn until its answer is taken; then the connection is cut. */
const LONGEST_MS = 300_000

/**
 * Limits reads of members and read keys. A turn ends with the work, not with the client, so leaving early does not free it.
 * Must be called before the routes are added.
 */
export function installManagementTurns(app: FastifyInstance, { limiters }: Pick<Context, 'limiters'>): void {
  app.addHook('onRoute', (route) => {
    const { method, handler } = route
    const readsAll = route.config?.readsAll ?? false
    if (!readsAll && method !== 'GET') return
    const inTurn = readsAll ? limiters.wholeReads : limiters.reads
    route.handler = function (request, reply) {
      const { caller } = request
      if (caller.kind !== 'member' && caller.kind !== 'read') return handler.call(this, request, reply)
      return new Promise((resolve, reject) => {
        const work = async () => {
          if (reply.raw.destroyed) {
            // The client left while it waited: nobody is there to answer.
            reply.hijack()
            return resolve(undefined)
          }
          const timer = readsAll && setTimeout(() => reply.raw.destroy(), LONGEST_MS).unref()
          try {
            resolve(await handler.call(this, request, reply))
            if (readsAll) await isOver(reply.raw)
          } finally {
            if (timer) clearTimeout(timer)
          }
        }
        inTurn(caller.workspaceId, work).catch(reject)
      })
    }
  })
}

/** Resolves when the answer was taken or its client left: either way it is no longer in memory. */
function isOver(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => finished(response, () => resolve()))
}

/**
 * Limits writes of applications: one at a time for an installation and for a user it names, and a share for each workspace. A
 * turn ends with the work, so a client that does not read its answer blocks nobody. Must be called before the routes are added.
 */
export function installClientTurns(app: FastifyInstance, { limiters }: Pick<Context, 'limiters'>): void {
  const ends = new WeakMap<FastifyRequest, () => void>()
  app.addHook('onSend', (request, _reply, payload, done) => {
    ends.get(request)?.()
    done(null, payload)
  })
  app.addHook('onRoute', (route) => {
    const { handler, config } = route
    if (config?.auth !== 'app' || route.method === 'GET' || config.isRead || config.isBatched) return
    route.handler = function (request, reply) {
      return new Promise((resolve, reject) => {
        const work = () =>
          new Promise<void>((end) => {
            ends.set(request, end)
            Promise.resolve(handler.call(this, request, reply))
              .then(resolve, reject)
              .finally(end)
          })
        limiters.clientWrites(appCaller(request).workspaceId, aboutOf(request), work).catch(reject)
      })
    }
  })
}

/** The people that a write names; its handler refuses bad values. */
function aboutOf(request: FastifyRequest): string[] {
  const { body, headers } = request
  const { deviceId, userId } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  return aboutPerson({ deviceId: readDeviceHeader(headers) || deviceId, userId })
}
