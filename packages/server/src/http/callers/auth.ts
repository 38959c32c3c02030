/**
 * Who may call a route, decided before its body is read. A route declares `config.auth`; one that declares
 * none stops the server from starting.
 *
 *   app       an application key (client roots; limits, sandbox routing and X-CF-Env come with it)
 *   stream    the same, and the key may stand in the query
 *   write     a write key
 *   read      a read key
 *   account   a portal token, or the session cookie of the dashboard
 *   member    the same, or a token of a service account, and X-Tenant-Id, with the permission in `config.permission`
 *   directory the same token, which alone names the workspace, for what directories call (SCIM)
 *   operator  the installation's operator token
 *   none      anybody
 */
import type { IncomingMessage } from 'node:http'
import { publicUrl } from '../public-url.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { includes, type Grant } from '@contentflow/core/access/allows.ts'
import { grantOfMember, isApprover, type OwnRole } from '@contentflow/core/access/grants.ts'
import { isApproval, type Permission } from '@contentflow/core/access/permissions.ts'
import type { Context } from '../../context.ts'
import { ApiError, fail, failWith, refusalWith } from '../../errors.ts'
import { noteAccess } from '../../infra/request-scope.ts'
import { isSameSecret } from '../../infra/secrets/crypto.ts'
import { beginAudit } from './audited.ts'
import type { AppCaller, Caller, MemberCaller, AccountCaller, ReadCaller, Role, WriteCaller } from './caller.ts'
import { addressOf, isWithin } from './networks.ts'
import { type Rate, type RateLimiter } from '../rates/rate-limit.ts'
import { refuseAsAsked } from '../simulate.ts'
import { bearerOf, enterAsService, namedWorkspace, perhapsNamedWorkspace, type Entered, type FindService } from './service-tokens.ts'
import { isTokenText } from '@contentflow/core/access/token.ts'

export type Auth = 'app' | 'stream' | 'write' | 'read' | 'account' | 'member' | 'directory' | 'operator' | 'none'

declare module 'fastify' {
  interface FastifyContextConfig {
    auth?: Auth
    /** What a member must hold for it: each route of `member` says so, or the server does not start. */
    permission?: Permission
    /** POST routes that only read (G-11, G-93). */
    isRead?: boolean
    /** Writes that a suspended workspace still takes: those that erase (G-93). */
    staysOpen?: boolean
    /** Writes of an account that a session of a workspace's own provider may make too: that provider could open the session by itself. */
    isForEverySession?: boolean
    /** Operator routes that answer everybody else as if they did not exist: 404 instead of 401 (G-03). */
    isHidden?: boolean
  }
  interface FastifyRequest {
    caller: Caller
    rate: Rate
  }
}

/** `ownRole`: a role of the workspace, which counts instead of the documented one. */
type Membership = { role: Role; mayApprove: boolean; ownRole?: OwnRole; isSuspended: boolean; lacksSecondFactor: boolean }

/** Look-ups that belong to the workspaces and access modules; handed in by app.ts. */
export type Credentials = {
  recallAppKey(key: string): AppCaller | undefined
  checkAppKey(key: string): Promise<AppCaller | undefined>
  findWriteKey(key: string): Promise<WriteCaller | undefined>
  findReadKey(key: string): Promise<ReadCaller | undefined>
  findAccount(token: string): Promise<AccountCaller | undefined>
  findMembership(account: AccountCaller, workspaceId: string): Promise<Membership | undefined>
  findService: FindService
  /** Whether test traffic of this workspace may be written just now: confirmed freshly, never from memory (C-SBX-11). */
  confirmTestRoute(ownerId: string): Promise<'open' | 'sandbox-required'>
}

type KeyCaller = AppCaller | WriteCaller | ReadCaller
type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<void> | void

export function installAuth(app: FastifyInstance, guards: Guards): void {
  app.decorateRequest('caller')
  app.decorateRequest('rate')
  app.addHook('onRoute', (route) => {
    const auth = route.config?.auth
    if (!auth) throw new Error(`${String(route.method)} ${route.url} declares no auth`)
    if ((auth === 'member' || auth === 'directory') && !route.config?.permission)
      throw new Error(`${String(route.method)} ${route.url} declares no permission`)
    const guard = guards[auth]
    route.onRequest = [toHook(guard), ...[route.onRequest ?? []].flat()]
  })
}

/** Guards the not-found answers of a root: only callers with its credential learn which routes and methods exist (G-13, G-04). */
export function guardUnknownRoutes(app: FastifyInstance, guard: Guard, isGuarded = (_url: string) => true): void {
  const hook = toHook(guard)
  app.addHook('onRequest', (request, reply, done) => (request.is404 && isGuarded(request.url) ? hook(request, reply, done) : done()))
}

/** Callback style, so that a request that needs no waiting stays synchronous. */
function toHook(guard: Guard) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    try {
      const pending = guard(request, reply)
      if (pending) pending.then(() => done(), done)
      else done()
    } catch (error) {
      done(error as Error)
    }
  }
}

export type Guards = Record<Auth, Guard>

export function makeGuards(ctx: Context, credentials: Credentials, limiter: RateLimiter): Guards {
  const admit = (request: FastifyRequest, caller: AppCaller | WriteCaller, after: () => void | Promise<void>) =>
    admitUnderRates(ctx, limiter, request, caller, after)

  const application =
    (key: string | undefined): Guard =>
    (request) => {
      if (key === undefined) return refuse(ctx, 'MISSING_SDK_KEY')
      const known = credentials.recallAppKey(key)
      if (known) return enter(request, known)
      return checkKey(key).then((caller) => (caller ? enter(request, caller) : refuse(ctx, 'INVALID_SDK_KEY')))
    }
  const checkKey = (key: string) =>
    credentials.checkAppKey(key).catch((error: unknown) => {
      ctx.metrics.keyValidationUnavailable.inc()
      ctx.log.error({ err: error }, 'a key could not be checked')
      throw new ApiError(503, 'Keys cannot be checked just now, please try again', undefined, 5)
    })
  const enter = (request: FastifyRequest, caller: AppCaller) => {
    request.caller = caller
    if (!isFromAllowedOrigin(caller, request.headers.origin)) fail('KEY_NOT_ALLOWED_HERE')
    enterByKey(ctx, request, caller)
    checkTenant(ctx, request, caller)
    return admit(request, caller, () => {
      refuseAsAsked(request, caller)
      return mayTouchTestRoute(request, caller) ? confirmTestRoute(ctx, credentials, caller) : undefined
    })
  }

  return {
    app: (request, reply) => {
      const query = request.query as Record<string, unknown>
      if (query['key'] !== undefined) fail('SDK_KEY_IN_QUERY')
      return application(headerKey(request))(request, reply)
    },
    stream: (request, reply) => application(headerKey(request) ?? queryKey(request))(request, reply),
    write: async (request) => {
      const key = request.headers['x-cf-write-key']
      if (typeof key !== 'string' || key === '') failWith(401, 'X-CF-Write-Key header is missing')
      const caller = await credentials.findWriteKey(key)
      if (!caller) failWith(401, 'invalid write key')
      request.caller = caller
      beginAudit(ctx, request, { kind: 'key', id: caller.keyId })
      enterByKey(ctx, request, caller)
      if (isClientRoot(pathOf(request))) await admit(request, caller, () => undefined)
    },
    read: async (request) => {
      const key = request.headers['x-cf-read-key']
      if (typeof key !== 'string' || key === '') failWith(401, 'X-CF-Read-Key header is missing')
      const caller = (await credentials.findReadKey(key)) ?? failWith(401, 'invalid read key')
      request.caller = caller
      beginAudit(ctx, request, { kind: 'key', id: caller.keyId })
      enterByKey(ctx, request, caller)
    },
    account: async (request) => {
      const person = await signedIn(credentials, request)
      const { is404, method, routeOptions } = request
      const isBound = person.session.workspaceId !== null && !is404 && method !== 'GET' && method !== 'HEAD'
      if (isBound && !routeOptions.config.isForEverySession) fail('SESSION_OF_WORKSPACE')
      request.caller = person
      beginAudit(ctx, request, { kind: 'member', id: person.accountId }, person.tokenHash)
    },
    member: async (request) => {
      const token = bearerOf(request)
      const isService = token !== undefined && isTokenText(token)
      const entered = isService ? enterAsService(ctx, credentials.findService, request, token) : enterAsMember(ctx, credentials, request)
      admitMember(ctx, request, await entered)
    },
    directory: async (request) => {
      const token = bearerOf(request)
      if (token === undefined || !isTokenText(token)) failWith(401, 'Send the token of a service account as Authorization: Bearer cft_…')
      admitMember(ctx, request, await enterAsService(ctx, credentials.findService, request, token, perhapsNamedWorkspace))
    },
    operator: (request) => {
      const token = request.headers['x-cf-operator-token']
      const isRight = typeof token === 'string' && isSameSecret(token, ctx.config.operatorToken)
      if (ctx.config.operatorToken === '' || (!isRight && request.routeOptions.config.isHidden)) failWith(404, 'not found')
      if (!isRight) failWith(401, 'X-CF-Operator-Token is missing or wrong')
      request.caller = { kind: 'operator' }
      beginAudit(ctx, request, { kind: 'operator', id: 'operator' })
    },
    none: (request) => {
      request.caller = { kind: 'nobody' }
      beginAudit(ctx, request)
    },
  }
}

/** Lets in who holds the permission of the route. */
function admitMember(ctx: Context, request: FastifyRequest, { isSuspended, isElsewhere = false, ...caller }: Entered): void {
  request.caller = { ...caller, reachedAt: publicUrl(ctx, request) }
  const { accountId: id, ownerId: owner } = caller
  beginAudit(ctx, request, owner === undefined ? { kind: 'member', id } : { kind: 'service', id, owner }, caller.tokenHash)
  noteAccess({ grant: caller.grant, ...(owner !== undefined && { submitter: owner }) })
  if (isElsewhere) fail('TOKEN_NOT_ALLOWED_HERE')
  const { permission } = request.routeOptions.config
  // Without one it is an unknown route, which is answered as unknown to every member.
  if (permission) requirePermission(caller, permission)
  if (isSuspended && isWrite(request)) fail('WORKSPACE_SUSPENDED')
}

/** `X-CF-Key` decides; a bad one is not rescued by a good `X-API-Key` (C-AUTH-13, C-AUTH-14). */
function headerKey(request: FastifyRequest): string | undefined {
  const key = request.headers['x-cf-key'] ?? request.headers['x-api-key']
  return key === undefined ? undefined : String(key)
}

function queryKey(request: FastifyRequest): string | undefined {
  const { key } = request.query as { key?: string | string[] }
  // A header that is sent twice makes one text of two keys, which is no valid key.
  return Array.isArray(key) ? key.join() : key
}

/** Browsers say from which page they send; programs say nothing, and are let in. */
export function isFromAllowedOrigin({ allowedOrigins }: AppCaller, origin: string | undefined): boolean {
  return allowedOrigins === undefined || origin === undefined || allowedOrigins.includes(origin)
}

/** Whether the key may be used from where the request comes from. */
export function isFromAllowedNetwork({ config }: Context, { allowedNetworks }: KeyCaller, request: IncomingMessage): boolean {
  return allowedNetworks === undefined || isWithin(addressOf(request, config.trustedProxies), allowedNetworks)
}

function enterByKey(ctx: Context, { raw }: FastifyRequest, caller: KeyCaller): void {
  if (!isFromAllowedNetwork(ctx, caller, raw)) fail('KEY_NOT_ALLOWED_HERE', { message: 'This key may not be used from this network' })
  caller.noteUse?.(raw)
}

/** C-AUTH-32 to C-AUTH-36. */
function checkTenant(ctx: Context, request: FastifyRequest, caller: AppCaller): void {
  const named = request.headers['x-tenant-id']
  if (named === undefined || named === '' || named === caller.ownerId) return
  if (caller.credential === 'publishable') fail('TENANT_KEY_MISMATCH', isLegacyRoot(pathOf(request)) ? { status: 403 } : {})
  ctx.log.info({ workspaceId: caller.ownerId, part: caller.credential }, 'X-Tenant-Id names another workspace and was ignored')
}

/** Order of refusals: address, workspace, then whatever `after` checks (X-INT-42: all of them after the key). */
function admitUnderRates(
  ctx: Context,
  limiter: RateLimiter,
  request: FastifyRequest,
  caller: AppCaller | WriteCaller,
  after: () => void | Promise<void>,
): void | Promise<void> {
  const address = limiter.spendAddress(request.raw)
  if (address !== undefined) {
    return Promise.resolve(address).then((endsAt) => {
      if (endsAt !== undefined) refuseAddress(ctx, endsAt)
      return admitUnderWorkspaceRate(ctx, limiter, request, caller, after)
    })
  }
  return admitUnderWorkspaceRate(ctx, limiter, request, caller, after)
}

function admitUnderWorkspaceRate(
  ctx: Context,
  limiter: RateLimiter,
  request: FastifyRequest,
  caller: AppCaller | WriteCaller,
  after: () => void | Promise<void>,
): void | Promise<void> {
  if (caller.requestsPerMinute === null) {
    request.rate = null
    return after()
  }
  const spent = limiter.spendWorkspace(caller as { workspaceId: string; requestsPerMinute: number })
  const go = (rate: Rate | false) => {
    if (rate === false) refuseWorkspace(ctx, request, caller.requestsPerMinute ?? 0)
    request.rate = rate
    return after()
  }
  return spent instanceof Promise ? spent.then(go) : go(spent)
}

function refuseAddress(ctx: Context, endsAt: number): void {
  ctx.metrics.addressOverRate.count++
  if (ctx.config.isIpLimitEnforced) fail('IP_RATE_LIMITED', { retryAfter: Math.max(1, Math.ceil((endsAt - ctx.clock.ms()) / 1000)) })
}

function refuseWorkspace(ctx: Context, request: FastifyRequest, limit: number): never {
  request.rate = { limit, remaining: 0 }
  ctx.metrics.workspaceOverRate.count++
  fail('SDK_RATE_LIMIT_EXCEEDED', { retryAfter: 60, limit })
}

/** Whether a request to the management API writes what a suspended workspace does not take. An unknown route is not a write, so that it is answered as unknown. */
function isWrite({ method, is404, routeOptions: { config } }: FastifyRequest): boolean {
  return !is404 && method !== 'GET' && method !== 'HEAD' && !config.isRead && !config.staysOpen
}

/** G-11: every client route that is not a read is a write; both answers of C-SBX concern writes with a test key only. */
function mayTouchTestRoute(request: FastifyRequest, caller: AppCaller): boolean {
  if (caller.environment !== 'test' || request.method === 'GET' || request.method === 'HEAD') return false
  return !request.routeOptions.config.isRead && !pathOf(request).endsWith('/campaigns')
}

async function confirmTestRoute(ctx: Context, credentials: Credentials, caller: AppCaller): Promise<void> {
  const route = await credentials.confirmTestRoute(caller.ownerId).catch((error: unknown) => {
    ctx.log.warn({ err: error, workspaceId: caller.ownerId }, 'the route of test traffic could not be confirmed')
    return fail('SANDBOX_ROUTE_UNAVAILABLE', { retryAfter: 5 })
  })
  if (route === 'sandbox-required') fail('SANDBOX_REQUIRED')
}

async function signedIn(credentials: Credentials, request: FastifyRequest): Promise<AccountCaller> {
  const token = bearerOf(request)
  if (token !== undefined && isTokenText(token)) failWith(403, 'A service account has no account of a person; sign in as one')
  const person = token && (await credentials.findAccount(token))
  return person || failWith(401, 'Sign in and send the token as Authorization: Bearer <token>')
}

async function enterAsMember(ctx: Context, credentials: Credentials, request: FastifyRequest): Promise<Entered> {
  const account = await signedIn(credentials, request)
  const workspaceId = namedWorkspace(request)
  const membership = await credentials.findMembership(account, workspaceId)
  if (!membership) failWith(403, 'You are not a member of this workspace')
  if (membership.lacksSecondFactor) throw refusalWith('SECOND_FACTOR_REQUIRED', { signInUrl: `${publicUrl(ctx, request)}/login` })
  const { role, ownRole, isSuspended } = membership
  const grant = grantOfMember(role, membership.mayApprove, ownRole)
  const mayApprove = ownRole ? isApprover(grant) : membership.mayApprove
  return { ...account, kind: 'member', workspaceId, role, mayApprove, grant, isSuspended }
}

/** Refuses a member who does not hold it; `message` says more than the standard text can. */
export function requirePermission(caller: Pick<MemberCaller, 'grant'>, permission: Permission, message?: string): void {
  if (caller.grant.permissions.has(permission)) return
  if (caller.grant.isOwn) throw refusalWith('ROLE_REQUIRED', { required: { permission } })
  if (isApproval(permission)) requireApprover({ mayApprove: false })
  fail('ROLE_REQUIRED', message === undefined ? {} : { message })
}

/** Refuses whoever gives rights that they do not hold themselves. */
export function requireGrant(caller: Pick<MemberCaller, 'grant'>, given: Grant): void {
  if (!includes(caller.grant, given)) fail('GRANT_TOO_WIDE')
}

/** For actions that approvers may do for all members, and others only for themselves. */
export function requireApprover({ mayApprove }: Pick<MemberCaller, 'mayApprove'>): void {
  if (!mayApprove) fail('ROLE_REQUIRED', { message: 'You have no approval rights in this workspace' })
}

function refuse(ctx: Context, code: 'MISSING_SDK_KEY' | 'INVALID_SDK_KEY'): never {
  ctx.metrics.authFailures.labels(code).inc()
  fail(code)
}

/** The path of the route, however the request spells it (`/%73dk/v1` is `/sdk/v1`); as sent when there is no such route. */
function pathOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? request.url.split('?', 1)[0] ?? ''
}

function isClientRoot(url: string): boolean {
  return url.startsWith('/sdk/v1/') || isLegacyRoot(url)
}

/** G-15: the older root, where a tenant mismatch is 403. */
export function isLegacyRoot(url: string): boolean {
  return url.startsWith('/api/v1/sdk/')
}

/** Narrowing for handlers: the guard has made sure of the kind. */
export const appCaller = (request: FastifyRequest): AppCaller => expectKind(request.caller, 'app')
export const readCaller = (request: FastifyRequest): ReadCaller => expectKind(request.caller, 'read')
export const accountCaller = (request: FastifyRequest): AccountCaller => expectKind(request.caller, 'account')
export const memberCaller = (request: FastifyRequest): MemberCaller => expectKind(request.caller, 'member')

/** The actor of a command: the workspace, and the account or key that changes it. */
export function actorOf({ caller }: FastifyRequest): { workspaceId: string; actor: string; mayPublish?: boolean } {
  if (caller.kind === 'member') return actorOfMember(caller)
  if (caller.kind === 'write') return { workspaceId: caller.workspaceId, actor: caller.keyId, mayPublish: caller.mayPublish }
  if (caller.kind === 'app') return { workspaceId: caller.workspaceId, actor: caller.keyId }
  throw new Error(`the route's guard let a ${caller.kind} in where a workspace is changed`)
}

export function actorOfMember({ workspaceId, accountId, mayApprove }: MemberCaller): {
  workspaceId: string
  actor: string
  mayPublish: boolean
} {
  return { workspaceId, actor: accountId, mayPublish: mayApprove }
}

function expectKind<K extends Caller['kind']>(caller: Caller, kind: K): Extract<Caller, { kind: K }> {
  if (caller.kind !== kind) throw new Error(`the route's guard let a ${caller.kind} in where a ${kind} is expected`)
  return caller as Extract<Caller, { kind: K }>
}
