import { randomBytes } from 'node:crypto'
import fastify, { LogController, type FastifyInstance } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from './context.ts'
import { ApiError } from './errors.ts'
import { guardUnknownRoutes, installAuth, makeGuards, type Guards } from './http/auth.ts'
import { installBodyParser } from './http/body.ts'
import { answerPreflight, setClientHeaders } from './http/client-headers.ts'
import { docsPage } from './http/docs-page.ts'
import { sendRefusal } from './http/envelope.ts'
import { answerClientError, installErrorHandler, toApiError } from './http/error-handler.ts'
import { closeWhenIdle, makeNodeServer } from './http/node-server.ts'
import { installOpenApi } from './http/openapi.ts'
import { pageRoutes } from './http/pages.ts'
import { RateLimiter } from './http/rate-limit.ts'
import { plainSerializer, strictSerializer } from './http/serializer.ts'
import { unknownRoute, watchRoutes, type RouteTable } from './http/unknown-route.ts'
import { loggableUrl } from './infra/log.ts'
import { startJobs, type Jobs } from './jobs.ts'
import { EVENT_COUNTS } from './modules/analytics/index.ts'
import { analyticsRoutes } from './modules/analytics/routes.ts'
import { bulkRoutes } from './modules/bulk/routes.ts'
import { consentManagementRoutes, consentRoutes } from './modules/consent/routes.ts'
import { contentRoutes, registrationRoutes } from './modules/content/routes.ts'
import { openFastLane, type FastLane } from './modules/delivery/fast-lane.ts'
import { deliveryRoutes, openDelivery, type Delivery } from './modules/delivery/routes.ts'
import { openIngest, type Ingest } from './modules/events/index.ts'
import { eventReadRoutes } from './modules/events/routes-read.ts'
import { eventRoutes } from './modules/events/routes.ts'
import { openIdentify, refreshDevices, type Identify } from './modules/identity/index.ts'
import { erasureRoutes, identityRoutes } from './modules/identity/routes.ts'
import { explainRoutes } from './modules/explain/routes.ts'
import { geofenceRoutes, locationRoutes } from './modules/location/routes.ts'
import { peopleRoutes, readRoutes } from './modules/people/routes.ts'
import { pushRoutes } from './modules/push/routes.ts'
import { segmentRoutes } from './modules/segments/routes.ts'
import { draftRoutes } from './modules/strings/routes-drafts.ts'
import { stringImportRoutes } from './modules/strings/routes-imports.ts'
import { localeRoutes } from './modules/strings/routes-locales.ts'
import { openStrings, stringsDeliveryRoutes, type StringsReading } from './modules/strings/routes-delivery.ts'
import { stringsPipelineRoutes } from './modules/strings/routes-pipeline.ts'
import { sensorRoutes } from './modules/strings/routes-sensors.ts'
import { stringRoutes } from './modules/strings/routes.ts'
import { openCredentials } from './modules/workspaces/credentials.ts'
import { findDemoKey, openPasswords } from './modules/workspaces/index.ts'
import { accountSettingsRoutes } from './modules/workspaces/routes-account.ts'
import { operatorRoutes, testHookRoutes } from './modules/workspaces/routes-operator.ts'
import { sessionRoutes } from './modules/workspaces/routes-session.ts'
import { settingsRoutes } from './modules/workspaces/routes-settings.ts'
import { workspaceRoutes } from './modules/workspaces/routes.ts'
import { opsRoutes } from './ops.ts'

export type App = {
  http: FastifyInstance
  /**
   * In this order: readiness off; load balancers notice; no new connection and no new stream; streams end in slices;
   * jobs and requests finish, for as long as they may; what counts events stops.
   */
  stop(limits: { drainMs: number; streamsMs: number; requestsMs?: number }): Promise<void>
}

/**
 * The visible list of everything that is served. With `isStrict` an answer that does not fit its declared schema is an
 * error; without `isTimed` due work is done only when it is asked for.
 */
export async function createApp(ctx: Context, { isStrict = false, isTimed = true } = {}): Promise<App> {
  const credentials = openCredentials(ctx)
  const limiter = new RateLimiter(ctx)
  const guards = makeGuards(ctx, credentials, limiter)
  const delivery = openDelivery(ctx, credentials.checkAppKey, (workspaceId, deviceIds) => refreshDevices(ctx, workspaceId, deviceIds))
  const strings = openStrings(ctx)
  const identify = openIdentify(ctx)
  const ingest = openIngest(ctx, (workspaceId) => ctx.due.nudge(EVENT_COUNTS, workspaceId))
  const jobs = startJobs(ctx, { isTimed, saveKeyUses: credentials.saveKeyUses })
  const http = newServer(ctx, openFastLane(ctx, limiter, credentials.recallAppKey, delivery.reading, strings))
  let isStopping = false

  installBodyParser(http, ctx.slices)
  installErrorHandler(http, ctx.log)
  http.setValidatorCompiler(() => () => true) // handlers check bodies themselves, after existence: see http/schema.ts
  http.setSerializerCompiler(isStrict ? strictSerializer : plainSerializer)
  http.addHook('onRoute', (route) => {
    route.bodyLimit ??= LIMITS.smallBodyBytes
  })
  await installOpenApi(http)
  installAuth(http, guards)
  const routes = watchRoutes(http)
  http.addHook('onSend', async (request, reply) => {
    ctx.metrics.request(request.routeOptions.url ?? 'unmatched', reply.statusCode).count++
    void reply.header('x-content-type-options', 'nosniff')
  })
  http.setNotFoundHandler(unknownRoute(routes))

  for (const prefix of ['/sdk/v1', '/api/v1/sdk']) {
    await http.register(async (scope) => clientRoot(scope, ctx, guards, routes, { delivery, strings, identify, ingest }), { prefix })
  }
  await http.register(async (scope) => managementRoot(scope, ctx, guards, routes, jobs), { prefix: '/api/v1' })
  opsRoutes(http, ctx, () => isStopping)
  http.get('/docs', { config: { auth: 'none' } }, async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .header('x-frame-options', 'DENY')
      .send(docsPage(http.swagger())),
  )
  await pageRoutes(http, () => findDemoKey(ctx))
  await http.ready()

  return {
    http,
    stop: async ({ drainMs, streamsMs, requestsMs = Infinity }) => {
      isStopping = true
      if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs))
      // A client whose stream ends comes back at once, and would be taken in again.
      delivery.hub.refuseNew()
      const closing = http.close()
      await delivery.hub.drain(streamsMs)
      await jobs.stop()
      await closeWhenIdle(http.server, closing, requestsMs)
    },
  }
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
    serverFactory: (handler) => makeNodeServer(fastLane, handler),
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
function clientRoot(
  scope: FastifyInstance,
  ctx: Context,
  guards: Guards,
  routes: RouteTable,
  { delivery, strings, identify, ingest }: { delivery: Delivery; strings: StringsReading; identify: Identify; ingest: Ingest },
): void {
  scope.options('/*', { config: { auth: 'none' } }, async (_request, reply) => answerPreflight(reply, '*'))
  scope.addHook('onSend', async (request, reply) => setClientHeaders(reply, request.caller, request.rate))
  guardUnknownRoutes(scope, guards.app)
  scope.setNotFoundHandler(unknownRoute(routes))
  deliveryRoutes(scope, delivery)
  stringsDeliveryRoutes(scope, strings)
  identityRoutes(scope, ctx, identify)
  eventRoutes(scope, ctx, ingest)
  consentRoutes(scope, ctx)
  pushRoutes(scope, ctx)
  locationRoutes(scope, ctx)
  registrationRoutes(scope, ctx)
  stringsPipelineRoutes(scope, ctx)
}

/** What people, build pipelines and the operator call. */
function managementRoot(scope: FastifyInstance, ctx: Context, guards: Guards, routes: RouteTable, jobs: Jobs): void {
  const origins = new Set(ctx.config.portalOrigins)
  scope.options('/*', { config: { auth: 'none' } }, async (request, reply) =>
    origins.has(request.headers.origin ?? '')
      ? answerPreflight(reply, request.headers.origin ?? '')
      : reply.code(403).send({ success: false, error: 'This origin may not call the management API' }),
  )
  scope.addHook('onSend', async (request, reply) => {
    const { origin } = request.headers
    if (origin && origins.has(origin)) void reply.headers({ 'access-control-allow-origin': origin, vary: 'Origin' })
    void reply.header('cache-control', 'no-store')
  })
  scope.addHook('onResponse', async (request, reply) => {
    ctx.log.info(
      {
        requestId: request.id,
        method: request.method,
        url: loggableUrl(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
  guardUnknownRoutes(scope, guards.account, routes.needsAccount)
  scope.setNotFoundHandler(unknownRoute(routes))
  const passwords = openPasswords(ctx)
  workspaceRoutes(scope, ctx, passwords)
  sessionRoutes(scope, ctx, passwords)
  accountSettingsRoutes(scope, ctx, passwords)
  settingsRoutes(scope, ctx)
  contentRoutes(scope, ctx)
  readRoutes(scope, ctx)
  peopleRoutes(scope, ctx)
  bulkRoutes(scope, ctx)
  erasureRoutes(scope, ctx)
  consentManagementRoutes(scope, ctx)
  geofenceRoutes(scope, ctx)
  segmentRoutes(scope, ctx)
  eventReadRoutes(scope, ctx)
  analyticsRoutes(scope, ctx)
  explainRoutes(scope, ctx)
  registrationRoutes(scope, ctx)
  stringRoutes(scope, ctx)
  stringImportRoutes(scope, ctx)
  draftRoutes(scope, ctx)
  sensorRoutes(scope, ctx)
  localeRoutes(scope, ctx)
  stringsPipelineRoutes(scope, ctx)
  operatorRoutes(scope, ctx)
  testHookRoutes(scope, ctx, jobs)
  scope.get('/openapi.json', { config: { auth: 'none' } }, async () => scope.swagger())
}
