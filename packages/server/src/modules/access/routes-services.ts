import type { Context } from '../../context.ts'
import { ok } from '../../http/answers/envelope.ts'
import { memberCaller } from '../../http/callers/auth.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { bodyOf, Deleted, Ok, Type } from '../../http/schema.ts'
import {
  presentService,
  RotateBody,
  ServiceBody,
  ServiceChange,
  ServiceSchema,
  ShownTokenSchema,
  TokenBody,
  TokenSchema,
} from './present.ts'
import { listNames, listServices, listTokens, type StoredService } from './queries-services.ts'
import { changeService, createService, removeService, requireService } from './services.ts'
import { changeToken, createToken, revokeToken, rotateToken } from './tokens.ts'

const Params = pathOf({ id: 'The id of the service account' })
const TokenParams = pathOf({ id: 'The id of the service account', tokenId: 'The id of the token' })

/** Programs that act in the workspace with a role. */
export function serviceRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Access')
  const path = '/service-accounts'
  const present = async (workspaceId: string, services: readonly StoredService[]) => {
    const names = await listNames(ctx.db, workspaceId, [...new Set(services.map(({ ownerId }) => ownerId))])
    return services.map((service) => presentService(service, names.get(service.ownerId) ?? null))
  }
  const presentOne = async (workspaceId: string, service: StoredService) => (await present(workspaceId, [service]))[0]!
  app.get(
    path,
    route({
      id: 'listServiceAccounts',
      auth: 'member',
      permission: 'members:read',
      summary: 'Service accounts of the workspace',
      description: 'Lists programs that act in the workspace, each with its role, limits and owner.',
      out: Ok(Type.Object({ serviceAccounts: Type.Array(ServiceSchema) })),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      return ok({ serviceAccounts: await present(workspaceId, await listServices(ctx.db, workspaceId)) })
    },
  )
  app.post(
    path,
    route({
      id: 'createServiceAccount',
      auth: 'member',
      permission: 'members:manage',
      summary: 'Make a service account, with a role whose rights you hold',
      description:
        'Makes an account for a program. It may do no more than you may (GRANT_TOO_WIDE), never approves, and gets in with tokens that are made for it.',
      body: ServiceBody,
      out: { 201: Ok(ServiceSchema) },
      refuses: ['SERVICE_ACCOUNT_LIMIT', 'NAME_TAKEN', 'GRANT_TOO_WIDE'],
    }),
    async (request, reply) => {
      const caller = memberCaller(request)
      return reply.code(201).send(ok(await presentOne(caller.workspaceId, await createService(ctx, caller, bodyOf(request)))))
    },
  )
  app.put(
    `${path}/:id`,
    route({
      id: 'updateServiceAccount',
      auth: 'member',
      permission: 'members:manage',
      summary: 'Change a service account; members left out stay',
      description: 'Changes name, role, limits or owner. Its tokens have the new rights from the next request on.',
      params: Params,
      body: ServiceChange,
      out: Ok(ServiceSchema),
      refuses: ['NAME_TAKEN', 'GRANT_TOO_WIDE'],
    }),
    async (request) => {
      const caller = memberCaller(request)
      await requireService(ctx.db, caller.workspaceId, request.params.id)
      return ok(await presentOne(caller.workspaceId, await changeService(ctx, caller, request.params.id, bodyOf(request))))
    },
  )
  app.delete(
    `${path}/:id`,
    route({
      id: 'deleteServiceAccount',
      auth: 'member',
      permission: 'members:manage',
      summary: 'Delete a service account; its tokens open nothing from then on',
      description: 'Deletes the account and all of its tokens. Its entries in the audit log stay.',
      params: Params,
      out: Deleted,
    }),
    async (request) => {
      await removeService(ctx, memberCaller(request), request.params.id)
      return ok({ deleted: true as const })
    },
  )
  tokenRoutes(app, ctx)
}

function tokenRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Access')
  const path = '/service-accounts/:id/tokens'
  app.get(
    path,
    route({
      id: 'listTokens',
      auth: 'member',
      permission: 'members:read',
      summary: 'Tokens of a service account, with their last use',
      description: 'Lists the tokens of one service account with their end, networks and last use, without their texts.',
      params: Params,
      out: Ok(Type.Object({ tokens: Type.Array(TokenSchema) })),
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { id } = await requireService(ctx.db, workspaceId, request.params.id)
      return ok({ tokens: await listTokens(ctx.db, workspaceId, id) })
    },
  )
  app.post(
    path,
    route({
      id: 'createToken',
      auth: 'member',
      permission: 'members:manage',
      summary: 'Make a token; its text is shown once',
      description:
        'Makes a token with an end and, if you want, the networks it may be used from. It is sent as `Authorization: Bearer`, with X-Tenant-Id.',
      params: Params,
      body: TokenBody,
      out: { 201: Ok(ShownTokenSchema) },
      refuses: ['TOKEN_LIMIT', 'GRANT_TOO_WIDE'],
    }),
    async (request, reply) => {
      await requireService(ctx.db, memberCaller(request).workspaceId, request.params.id)
      return reply.code(201).send(ok(await createToken(ctx, memberCaller(request), request.params.id, bodyOf(request))))
    },
  )
  app.put(
    `${path}/:tokenId`,
    route({
      id: 'updateToken',
      auth: 'member',
      permission: 'members:manage',
      summary: 'Change the networks of a token, or its days from now on',
      description: 'Changes the networks from the next request on, and counts the days of the token anew from now.',
      params: TokenParams,
      body: TokenBody,
      out: Ok(TokenSchema),
      refuses: ['GRANT_TOO_WIDE'],
    }),
    async (request) => {
      const { id: serviceId, tokenId: id } = request.params
      await requireService(ctx.db, memberCaller(request).workspaceId, serviceId)
      return ok(await changeToken(ctx, memberCaller(request), { serviceId, id }, bodyOf(request)))
    },
  )
  app.delete(
    `${path}/:tokenId`,
    route({
      id: 'revokeToken',
      auth: 'member',
      permission: 'members:manage',
      summary: 'Take a token back: it opens nothing from the next request on',
      description: 'Ends one token at once. The others of the service account go on.',
      params: TokenParams,
      out: Deleted,
    }),
    async (request) => {
      const { id: serviceId, tokenId: id } = request.params
      await revokeToken(ctx, memberCaller(request), { serviceId, id })
      return ok({ deleted: true as const })
    },
  )
  app.post(
    `${path}/:tokenId/rotate`,
    route({
      id: 'rotateToken',
      auth: 'member',
      permission: 'members:manage',
      summary: 'Make a token that replaces this one; both work for overlapHours',
      description:
        'Makes a new token with the networks of this one. Until `overlapHours` are over both open, so that programs can be changed one after the other.',
      params: TokenParams,
      body: RotateBody,
      out: { 201: Ok(ShownTokenSchema) },
      refuses: ['TOKEN_LIMIT', 'GRANT_TOO_WIDE'],
    }),
    async (request, reply) => {
      const { id: serviceId, tokenId: id } = request.params
      await requireService(ctx.db, memberCaller(request).workspaceId, serviceId)
      return reply.code(201).send(ok(await rotateToken(ctx, memberCaller(request), { serviceId, id }, bodyOf(request))))
    },
  )
}
