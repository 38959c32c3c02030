/**
 * Cursors of lists. Queries say where a page goes on in a text of their own (`next` of `Paged`); clients get it sealed:
 * with a keyed hash over it, the route, its parameters and the workspace. So a cursor that was cut, altered or taken
 * from another list is refused, and a query reads only what it wrote. Every route that declares `cursor` in its query
 * is sealed and opened here: `queryOf` opens, a hook seals `metadata.nextCursor`.
 */
import { createHmac } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { failWith } from '../errors.ts'
import { isSameText } from '../infra/secrets/crypto.ts'
import type { Secrets } from '../infra/secrets/secrets.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** A keyed hash, equal on all processes that share `CF_SECRET_KEY`. */
    hashCursor(text: string): string
  }
}

/** Characters of base64url: 96 bits. */
const HASH_LENGTH = 16

/** Must be called before the routes are added. */
export function installCursors(app: FastifyInstance, secrets: Pick<Secrets, 'derive'>): void {
  app.decorate('hashCursor', (text: string) =>
    createHmac('sha256', secrets.derive('cursors')).update(text).digest('base64url').slice(0, HASH_LENGTH),
  )
  app.addHook('onRoute', (route) => {
    if (takesCursor(route.schema?.querystring)) route.preSerialization = [sealNext, ...[route.preSerialization ?? []].flat()]
  })
}

/** Whether this schema of a query has a cursor. */
export function takesCursor(querystring: unknown): boolean {
  return 'cursor' in ((querystring as { properties?: object } | undefined)?.properties ?? {})
}

type Answer = { metadata?: { nextCursor?: string | null } }

async function sealNext(request: FastifyRequest, _reply: unknown, payload: unknown): Promise<unknown> {
  const { metadata } = payload as Answer
  if (typeof metadata?.nextCursor !== 'string') return payload
  return { ...(payload as Answer), metadata: { ...metadata, nextCursor: seal(request, metadata.nextCursor) } }
}

function seal(request: FastifyRequest, cursor: string): string {
  const { caller, params, routeOptions, server } = request
  const owner = 'workspaceId' in caller ? caller.workspaceId : 'accountId' in caller ? caller.accountId : ''
  return server.hashCursor(JSON.stringify([routeOptions.url, params, owner, cursor])) + Buffer.from(cursor).toString('base64url')
}

/** Returns the `next` that the list gave for the page; 400 for everything else. */
export function openCursor(request: FastifyRequest, sealed: string): string {
  const cursor = Buffer.from(sealed.slice(HASH_LENGTH), 'base64url').toString()
  return isSameText(seal(request, cursor), sealed) ? cursor : refuseCursor()
}

export function refuseCursor(): never {
  failWith(400, 'cursor must be metadata.nextCursor of the page before')
}
