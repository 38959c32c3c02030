/** Answers and refusals in the form of SCIM (RFC 7644, section 3.12), for everything under its root. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import type { ApiError } from '../../errors.ts'
import { beginRefusal } from '../../http/answers/envelope.ts'
import { toApiError } from '../../http/answers/error-handler.ts'
import { unknownRoute, type RouteTable } from '../../http/answers/unknown-route.ts'
import { ScimError } from './scim-error.ts'

const MEDIA_TYPE = 'application/scim+json; charset=utf-8'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** Must be called before the routes of the root are added. */
export function installScim(scope: FastifyInstance, ctx: Context, routes: RouteTable): void {
  scope.setErrorHandler((error: Error, request, reply) => sendScimRefusal(reply, toApiError(error, request, ctx.log)))
  scope.setNotFoundHandler(unknownRoute(routes, sendScimRefusal))
  scope.addHook('onRoute', (route) => {
    route.bodyLimit = LIMITS.scimBodyBytes
  })
  scope.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'))
}

function sendScimRefusal(reply: FastifyReply, error: ApiError): FastifyReply {
  const { status, message: detail } = error
  if (status === 401) void reply.header('www-authenticate', 'Bearer')
  const scimType = error instanceof ScimError ? error.scimType : status === 400 ? 'invalidSyntax' : undefined
  return beginRefusal(reply, error)
    .type(MEDIA_TYPE)
    .send({ schemas: [ERROR], status: String(status), ...(scimType !== undefined && { scimType }), detail })
}

/** Sends something as SCIM. With `version` it has an ETag. */
export function sendScim(reply: FastifyReply, status: number, body: object, version?: string): FastifyReply {
  if (version !== undefined) void reply.header('etag', version)
  return reply.code(status).type(MEDIA_TYPE).send(body)
}

/** A page of a list, which may be empty, and is never 404. */
export function listAnswer(found: { total: number; resources: readonly object[] }, startIndex: number): object {
  const { total, resources } = found
  return { schemas: [LIST], totalResults: total, startIndex, itemsPerPage: resources.length, Resources: resources }
}
