import { randomBytes } from 'node:crypto'
import fastify, { LogController, type FastifyInstance } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from './context.ts'
import { ApiError } from './errors.ts'
import { guardUnknownRoutes, installAuth, makeGuards, type Guards } from './http/callers/auth.ts'
import { installAudit } from './http/callers/audited.ts'
import { installBodyParser } from './http/bodies/body.ts'
import { installCursors } from './http/cursors.ts'
import { answerPreflight, PORTAL_HEADERS, portalHeaders, setClientHeaders } from './http/callers/client-headers.ts'
import { answerOnce } from './http/openapi/answer-once.ts'
import { DOCS_POLICY, docsPage } from './http/openapi/docs-page.ts'
import { sendRefusal } from './http/answers/envelope.ts'
import { answerClientError, installErrorHandler, toApiError } from './http/answers/error-handler.ts'
import { installClientTurns, installManagementTurns } from './http/rates/request-limiters.ts'
import { closeWhenIdle, isHead, makeNodeServer, type FastLane } from './http/node-server.ts'
import { observeRequests } from './http/observe.ts'
import { installOnce } from './http/once/install-once.ts'
import { installOpenApi } from './http/openapi/install.ts'
import { schemaRoutes } from './http/openapi/schema-routes.ts'
import { installMasking } from './http/answers/mask-people.ts'
import { pageRoutes } from './http/answers/pages.ts'
import { sdkScriptElement } from './http/answers/sdk-script.ts'
import { RateLimiter } from './http/rates/rate-limit.ts'
import type { ModuleRoutes } from './http/routes.ts'
import { plainSerializer, strictSerializer } from './http/answers/serializer.ts'
import { installPathIds } from './http/path-ids.ts'
import { unknownRoute, watchRoutes, type RouteTable } from './http/answers/unknown-route.ts'
import { loggableUrl } from './infra/log.ts'
import { startJobs, type Jobs } from './jobs.ts'
import { openServices } from './modules/access/index.ts'
import { routes as access } from './modules/access/routes.ts'
import { routes as analysis } from './modules/analysis/routes.ts'
import { areReadsKept, noteAccountEvent } from './modules/audit/index.ts'
import { routes as audit } from './modules/audit/routes.ts'
import { EVENT_COUNTS } from './modules/analytics/index.ts'
import { routes as analytics } from './modules/analytics/routes.ts'
import { routes as asCode } from './modules/as-code/routes.ts'
import { routes as contacts } from './modules/contacts/routes.ts'
import { approveActivation } from './modules/journeys/index.ts'
import { routes as journeys } from './modules/journeys/routes.ts'
import { routes as campaigns } from './modules/campaigns/routes.ts'
import { openChannels, type Channels } from './modules/channels/index.ts'
import { routes as channels } from './modules/channels/routes.ts'
import { routes as consent } from './modules/consent/routes.ts'
import type { Approving } from './modules/content/index.ts'
import { routes as content } from './modules/content/routes.ts'
import { openFastLane } from './modules/delivery/fast-lane.ts'
import { openDelivery, type Delivery } from './modules/delivery/index.ts'
import { routes as delivery } from './modules/delivery/routes.ts'
import { routes as endings } from './modules/endings/routes.ts'
import { routes as enrichment } from './modules/enrichment/routes.ts'
import { openEventCatalog } from './modules/event-catalog/index.ts'
import { routes as eventCatalog } from './modules/event-catalog/routes.ts'
import { openIngest, type EventIngest, type OnStored } from './modules/events/index.ts'
import { routes as events } from './modules/events/routes.ts'
import { routes as experiments } from './modules/experiments/routes.ts'
import { routes as explain } from './modules/explain/routes.ts'
import {
  installProofGuard,
  openAskedLocales,
  openIdentify,
  openProofs,
  refreshDevices,
  type Identify,
  type Proofs,
} from './modules/identity/index.ts'
import { routes as identity } from './modules/identity/routes.ts'
import { openLibrary, type Library } from './modules/media/index.ts'
import { routes as mails } from './modules/mails/routes.ts'
import { routes as media } from './modules/media/routes.ts'
import { readPeople } from './modules/messages/index.ts'
import { routes as messages } from './modules/messages/routes.ts'
import { routes as location } from './modules/location/routes.ts'
import { routes as people } from './modules/people/routes.ts'
import { routes as preferences } from './modules/preferences/routes.ts'
import { routes as push } from './modules/push/routes.ts'
import { routes as quota } from './modules/quota/routes.ts'
import { approveMessage, openDispatcher, type Dispatcher } from './modules/sends/index.ts'
import { openRedirects } from './modules/responses/index.ts'
import { installScim } from './modules/scim/index.ts'
import { routes as scim } from './modules/scim/routes.ts'
import { routes as requests } from './modules/requests/routes.ts'
import { routes as responses } from './modules/responses/routes.ts'
import { routes as sends } from './modules/sends/routes.ts'
import { routes as segments } from './modules/segments/routes.ts'
import { decideSensor, openStrings, type StringsReading } from './modules/strings/index.ts'
import { routes as strings } from './modules/strings/routes.ts'
import { openSender } from './modules/webhooks/index.ts'
import { routes as topics } from './modules/topics/routes.ts'
import { routes as webhooks } from './modules/webhooks/routes.ts'
import { openCredentials } from './modules/workspaces/keys/credentials.ts'
import { findDemoKey, openAccountMails, openPasswords, type AccountMails, type Passwords } from './modules/workspaces/index.ts'
import { routes as workspaces } from './modules/workspaces/routes.ts'
import { opsRoutes } from './ops.ts'

/** What is made once for the process and shared by all roots. */
type Opened = {
  ctx: Context
  delivery: Delivery
  strings: StringsReading
  identify: Identify
  proofs: Proofs
  ingest: EventIngest
  passwords: Passwords
  mails: AccountMails
  library: Library
  channels: Channels
  dispatcher: Dispatcher
  jobs: Jobs
  approving: Approving
}

/** Everything that is served, but for the few routes of the process itself. */
const MODULES: ModuleRoutes<Opened>[] = [
  workspaces,
  audit,
  access,
  scim,
  quota,
  content,
  delivery,
  messages,
  strings,
  people,
  identity,
  requests,
  consent,
  push,
  location,
  segments,
  contacts,
  events,
  eventCatalog,
  analysis,
  analytics,
  enrichment,
  experiments,
  explain,
  media,
  webhooks,
  channels,
  sends,
  mails,
  responses,
  topics,
  preferences,
  campaigns,
  journeys,
  asCode,
  endings,
]

export type App = {
  http: FastifyInstance
  /**
   * In this order: readiness off; load balancers notice; no new connection and no new stream; streams end in slices;
   * jobs and requests finish, for as long as they may; what counts events stops.
   */
  stop(limits: { drainMs: number; streamsMs: number; requestsMs?: number }): Promise<void>
}

/**
 * One server of the process. With `isStrict` an answer that does not fit its declared schema is an
 * error; without `isTimed` due work is done only when it is asked for.
 */
export async function createApp(ctx: Context, { isStrict = false, isTimed = true } = {}): Promise<App> {
  const credentials = openCredentials(ctx)
  const limiter = new RateLimiter(ctx)
  const guards = makeGuards(ctx, { ...credentials, findService: openServices(ctx) }, limiter)
  const library = openLibrary(ctx)
  const channels = openChannels(ctx)
  const dispatcher = openDispatcher(ctx, channels)
  const hearLocale = openAskedLocales(ctx)
  const proofs = openProofs(ctx)
  const catalog = openEventCatalog(ctx)
  const redirects = openRedirects(ctx)
  const onStored: OnStored = (workspaceId, events) => {
    ctx.due.nudge(EVENT_COUNTS, workspaceId)
    catalog.see(workspaceId, events)
  }
  const opened: Opened = {
    ctx,
    delivery: openDelivery(ctx, {
      recall: credentials.recallAppKey,
      recheck: credentials.checkAppKey,
      reevaluate: (workspaceId, deviceIds) => refreshDevices(ctx, workspaceId, deviceIds),
      readPeople: (workspaceId, profileIds) => readPeople(ctx, workspaceId, profileIds),
      hearLocale,
      proofs,
    }),
    strings: openStrings(ctx, hearLocale),
    identify: openIdentify(ctx),
    proofs,
    ingest: openIngest(ctx, onStored),
    passwords: openPasswords(ctx),
    mails: openAccountMails(ctx),
    library,
    channels,
    dispatcher,
    jobs: startJobs(ctx, {
      isTimed,
      library,
      dispatcher,
      sender: openSender(ctx),
      saveKeyUses: credentials.saveKeyUses,
      saveProofs: proofs.save,
      saveEventCatalog: () => catalog.save(),
      onStored,
    }),
    approving: {
      journey: (member, request, said) => approveActivation(ctx, member, request, said),
      notification: (member, request, said) => approveMessage(dispatcher, member, request, said),
      sensor: (member, id, wanted) => decideSensor(ctx, member, id, wanted),
    },
  }
  const { hub } = opened.delivery
  const isWeb = ctx.config.role !== 'work'
  const reads = isWeb ? openFastLane(ctx, limiter, credentials.recallAppKey, opened.delivery, opened.strings) : () => false
  const fastLane: FastLane = (...exchange) => isWeb && (reads(...exchange) || redirects.lane(...exchange))
  const http = newServer(ctx, fastLane)
  let isStopping = false

  observeRequests(http, ctx.metrics)
  installBodyParser(http, ctx.timeSlicer, ctx.metrics)
  installErrorHandler(http, ctx.log)
  http.setValidatorCompiler(() => () => true) // handlers check bodies themselves, after existence: see http/schema.ts
  http.setSerializerCompiler(isStrict ? strictSerializer : plainSerializer)
  http.addHook('onRoute', (route) => {
    route.bodyLimit ??= route.config?.auth === 'app' ? LIMITS.clientBodyBytes : LIMITS.smallBodyBytes
  })
  installPathIds(http)
  installCursors(http, ctx.secrets)
  await installOpenApi(http)
  installAuth(http, guards)
  const routes = watchRoutes(http)
  http.setNotFoundHandler(unknownRoute(routes))

  opsRoutes(http, ctx, () => isStopping)
  // A process that only works is asked whether it lives and what it counts, nothing else.
  if (isWeb) await publicRoutes(http, opened, guards, routes)
  await http.ready()

  return {
    http,
    stop: async ({ drainMs, streamsMs, requestsMs = Infinity }) => {
      isStopping = true
      if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs))
      // A client whose stream ends comes back at once, and would be taken in again.
      hub.refuseNew()
      const closing = http.close()
      await hub.drain(streamsMs)
      await opened.jobs.stop()
      await opened.mails.stop()
      await catalog.stop()
      await closeWhenIdle(http.server, closing, requestsMs)
      await redirects.stop()
    },
  }
}

async function publicRoutes(http: FastifyInstance, opened: Opened, guards: Guards, routes: RouteTable): Promise<void> {
  for (const prefix of ['/sdk/v1', '/api/v1/sdk']) {
    await http.register(async (scope) => clientRoot(scope, opened, guards, routes), { prefix })
  }
  await http.register(async (scope) => managementRoot(scope, opened, guards, routes), { prefix: '/api/v1' })
  await http.register(async (scope) => scimRoot(scope, opened, guards, routes), { prefix: '/scim/v2' })
  const docsHeaders = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': DOCS_POLICY, 'x-frame-options': 'DENY' }
  http.get(
    '/docs',
    { config: { auth: 'none' } },
    answerOnce(() => docsPage(http.swagger(), sdkScriptElement()), docsHeaders),
  )
  schemaRoutes(http)
  const { s3 } = opened.ctx.config.media
  await pageRoutes(http, s3 && new URL(s3.endpoint).origin, () => findDemoKey(opened.ctx))
}

function newServer(ctx: Context, fastLane: FastLane): FastifyInstance {
  const prefix = randomBytes(4).toString('hex')
  let requests = 0
  const http = fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true }),
    // One logger for all: an error names its request itself, and a hot read logs nothing.
    childLoggerFactory: (logger) => logger,
    genReqId: () => `${prefix}-${++requests}`,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 16_384 },
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection while the process stops is still answered.
    return503OnClosing: false,
    serverFactory: (handler) => makeNodeServer(ctx, fastLane, handler),
    clientErrorHandler: answerClientError,
    frameworkErrors: (error, request, reply) =>
      void sendRefusal(
        reply,
        error.statusCode === 400 ? new ApiError(400, 'The address cannot be read') : toApiError(error, request, ctx.log),
      ),
  })
  return http as unknown as FastifyInstance
}

/** What applications and build pipelines call; the same routes under both roots (G-15). */
function clientRoot(scope: FastifyInstance, opened: Opened, guards: Guards, routes: RouteTable): void {
  scope.options('/*', { config: { auth: 'none' } }, async (_request, reply) => answerPreflight(reply, '*'))
  scope.addHook('onSend', async (request, reply) => setClientHeaders(reply, request.caller, request.rate))
  guardUnknownRoutes(scope, guards.app)
  installProofGuard(scope, opened.ctx, opened.proofs)
  keepAudit(scope, opened.ctx)
  installClientTurns(scope, opened.ctx)
  scope.setNotFoundHandler(unknownRoute(routes))
  for (const { client } of MODULES) client?.(scope.withTypeProvider(), opened)
}

/** What people, build pipelines and the operator call. */
function managementRoot(scope: FastifyInstance, opened: Opened, guards: Guards, routes: RouteTable): void {
  const { ctx } = opened
  const origins = new Set(ctx.config.portalOrigins)
  scope.options('/*', { config: { auth: 'none' } }, async (request, reply) =>
    origins.has(request.headers.origin ?? '')
      ? answerPreflight(reply, request.headers.origin ?? '', PORTAL_HEADERS)
      : reply.code(403).send({ success: false, error: 'This origin may not call the management API' }),
  )
  scope.addHook('onSend', async (request, reply) => {
    const { origin } = request.headers
    if (origin && origins.has(origin)) void reply.headers(portalHeaders(origin))
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store')
  })
  logRequests(scope, ctx)
  guardUnknownRoutes(scope, guards.account, routes.needsAccount)
  installManagementTurns(scope, ctx)
  installMasking(scope)
  keepAudit(scope, ctx)
  installOnce(scope, ctx)
  scope.setNotFoundHandler(unknownRoute(routes))
  for (const { management } of MODULES) management?.(scope.withTypeProvider(), opened)
  const json = { 'content-type': 'application/json; charset=utf-8' }
  scope.get(
    '/openapi.json',
    { config: { auth: 'none' } },
    answerOnce(() => JSON.stringify(scope.swagger()), json),
  )
}

/** What directories call; refusals are in the form of SCIM. */
function scimRoot(scope: FastifyInstance, opened: Opened, guards: Guards, routes: RouteTable): void {
  const { ctx } = opened
  logRequests(scope, ctx)
  guardUnknownRoutes(scope, guards.directory)
  installManagementTurns(scope, ctx)
  keepAudit(scope, ctx)
  installScim(scope, ctx, routes)
  for (const module of MODULES) module.scim?.(scope.withTypeProvider(), opened)
}

function logRequests(scope: FastifyInstance, ctx: Context): void {
  scope.addHook('onResponse', async (request, reply) => {
    ctx.log.info(
      {
        requestId: request.id,
        method: isHead(request.raw) ? 'HEAD' : request.method,
        url: loggableUrl(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}

function keepAudit(scope: FastifyInstance, ctx: Context): void {
  installAudit(scope, ctx, {
    noteAccount: (accountId, said) => noteAccountEvent(ctx, { accountId, ...said }),
    areReadsKept: (workspaceId) => areReadsKept(ctx, workspaceId),
  })
}
