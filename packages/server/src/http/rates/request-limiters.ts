/**
 * Reads of one workspace, and what its applications write, take turns before they take a connection, as its changes do: however
 * much is asked for, the others are answered.
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
    /** A write of applications that shares statements with others of its workspace, so it takes turns by itself. */
    isBatched?: true
    /** It reads all that a workspace holds: few at a time, each until its answer is taken. */
    readsAll?: true
  }
}

/** Of what reads all, from its turn until its answer is taken; then the connection is ended. */
const LONGEST_MS = 300_000

/**
 * For what members and read keys ask. A turn ends with the work, not with the client: whoever leaves has made it. Must be
 * called before the routes are made.
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
            // Its client left while it waited: there is nothing to say to anybody.
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

/** Resolves when the answer is taken, and likewise when its client left it: either way nothing of it is held any more. */
function isOver(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => finished(response, () => resolve()))
}

/**
 * For what applications write: one at a time about an installation and about a user it names, and of one workspace a share. A turn
 * ends with the work, so whoever does not take the answer holds nobody up. Must be called before the routes are made.
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

/** The people that a write names; its handler refuses what is wrong with it. */
function aboutOf(request: FastifyRequest): string[] {
  const { body, headers } = request
  const { deviceId, userId } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  return aboutPerson({ deviceId: readDeviceHeader(headers) || deviceId, userId })
}
