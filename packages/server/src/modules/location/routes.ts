import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { actorOf, appCaller, memberCaller } from '../../http/callers/auth.ts'
import { objectBody } from '../../http/bodies/body.ts'
import { placeOf } from '../../http/callers/caller-place.ts'
import { deviceIdOf } from '../../http/callers/device-id.ts'
import { ok, page, partial } from '../../http/answers/envelope.ts'
import { pathOf } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { Deleted, Nullable, Ok, Page, PageQuery, Partial, queryOf, Time, Type } from '../../http/schema.ts'
import { changeGeofence, createGeofence, removeGeofence } from './geofences.ts'
import * as queries from './queries.ts'
import type { GeofenceRow } from './queries.ts'
import { countBatch, readBatch } from './read-batch.ts'
import { trackLocation } from './track-location.ts'

const Latitude = Type.Number({ minimum: -90, maximum: 90 })
const Longitude = Type.Number({ minimum: -180, maximum: 180 })
const Timestamp = Type.Union([Type.String(), Type.Number()], { description: 'ISO 8601 or milliseconds; now when left out' })

/** Where an installation is (C-LOC), and where its address is (C-PUSH-24). */
function locationRoutes(app: Routes, ctx: Context): void {
  trackRoute(app, ctx)
  const Place = Type.Object({ country: Nullable(Type.String()), region: Nullable(Type.String()), city: Nullable(Type.String()) })
  app.get(
    '/location/ip',
    routeIn('Location')({
      id: 'locateAddress',
      auth: 'app',
      summary: "Where the caller's address is, as far as known; nothing is stored",
      description:
        'Looks the address of the caller up in the table of the server and answers country, region and city, each null where it is not known.',
      out: Ok(Place),
    }),
    async (request) => ok(await placeOf(ctx, request)),
  )
}

function trackRoute(app: Routes, ctx: Context): void {
  const Body = Type.Object(
    {
      points: Type.Array(
        Type.Object({
          latitude: Latitude,
          longitude: Longitude,
          accuracy: Type.Optional(Type.Number({ description: 'Metres' })),
          altitude: Type.Optional(Type.Number({ description: 'Metres' })),
          speed: Type.Optional(Type.Number({ description: 'Metres a second' })),
          timestamp: Type.Optional(Timestamp),
        }),
        { maxItems: LIMITS.locationPoints, description: 'Oldest first: the last one is where the person is now' },
      ),
      geofenceEvents: Type.Optional(
        Type.Array(
          Type.Object({ fenceId: Type.String(), type: Type.Enum(['enter', 'exit', 'dwell']), timestamp: Type.Optional(Timestamp) }),
          { maxItems: LIMITS.locationPoints },
        ),
      ),
      deviceId: Type.Optional(Type.String()),
    },
    { examples: [{ points: [{ latitude: 24.7136, longitude: 46.6753, accuracy: 12 }] }] },
  )
  const Answer = Type.Object({
    accepted: Type.Integer(),
    dropped: Type.Integer(),
    geofenceEvents: Type.Optional(Type.Integer()),
    reason: Type.Optional(Type.Literal('feature_disabled')),
  })
  app.post(
    '/location',
    routeIn('Location')({
      id: 'trackLocation',
      auth: 'app',
      summary: 'Positions, and geofence crossings the device noticed itself',
      description:
        'Stores positions of the person on this installation; the last one becomes their current place, and crossings of geofences are worked out. Without consent nothing is stored: 202 with `success: false` and LOCATION_CONSENT_REQUIRED. Crossings of fences that do not exist are counted in `dropped`.',
      headers: Type.Object({
        'x-cf-device': Type.Optional(Type.String({ description: 'The installation; or deviceId in the body' })),
      }),
      body: Body,
      out: { 202: Type.Union([Ok(Answer), Partial(Type.Object({}))]) },
      refuses: ['MAX_BATCH_SIZE', 'DEVICE_NOT_IDENTIFIED', 'LOCATION_CONSENT_REQUIRED', 'DEVICE_ENVIRONMENT_MISMATCH'],
    }),
    async (request, reply) => {
      const caller = appCaller(request)
      const deviceId = deviceIdOf(request)
      const body = objectBody(request)
      void reply.code(202)
      if (!caller.features.location) return ok({ accepted: 0, dropped: countBatch(body), reason: 'feature_disabled' as const })
      const outcome = await trackLocation(ctx, caller, deviceId, readBatch(body, ctx.clock.ms()))
      return typeof outcome === 'string' ? partial(outcome) : ok(outcome)
    },
  )
}

const FenceBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: LIMITS.geofenceNameLength }),
    latitude: Latitude,
    longitude: Longitude,
    radiusMeters: Type.Number({ minimum: LIMITS.geofenceRadiusMeters.min, maximum: LIMITS.geofenceRadiusMeters.max }),
  },
  { examples: [{ name: 'Riyadh store', latitude: 24.7136, longitude: 46.6753, radiusMeters: 200 }] },
)
const FenceSchema = Type.Object({ id: Type.String(), ...FenceBody.properties, createdAt: Time, updatedAt: Time })
const FenceParams = pathOf({ id: 'The id of the geofence' })

/** G-67. */
function geofenceRoutes(app: Routes, ctx: Context): void {
  const route = routeIn('Geofences')
  app.get(
    '/geofences',
    route({
      id: 'listGeofences',
      auth: 'member',
      permission: 'segments:read',
      summary: 'Geofences, oldest first',
      description: 'Lists the areas of the workspace whose crossings become events, with their centre and radius.',
      query: PageQuery,
      out: Page('geofences', FenceSchema),
    }),
    async (request) => {
      const { limit, cursor } = queryOf(request)
      const found = await queries.pageGeofences(ctx.db, memberCaller(request).workspaceId, { after: cursor, limit })
      return page('geofences', found, presentFence)
    },
  )
  app.post(
    '/geofences',
    route({
      id: 'createGeofence',
      auth: 'member',
      permission: 'segments:write',
      summary: 'Make a geofence',
      description: 'Adds a circular area. From then on positions inside and outside of it become the events of entering and leaving.',
      body: FenceBody,
      out: { 201: Ok(FenceSchema) },
      refuses: ['GEOFENCE_LIMIT'],
    }),
    async (request, reply) => reply.code(201).send(ok(presentFence(await createGeofence(ctx, actorOf(request), objectBody(request))))),
  )
  app.get(
    '/geofences/:id',
    route({
      id: 'getGeofence',
      auth: 'member',
      permission: 'segments:read',
      summary: 'Read a geofence',
      description: 'Answers one geofence with its name, centre and radius in metres, and when it was made and changed.',
      params: FenceParams,
      out: Ok(FenceSchema),
    }),
    async (request) => ok(presentFence(await queries.getGeofence(ctx.db, memberCaller(request).workspaceId, request.params.id))),
  )
  app.put(
    '/geofences/:id',
    route({
      id: 'updateGeofence',
      auth: 'member',
      permission: 'segments:write',
      summary: 'Change a geofence; members left out stay',
      description:
        'Moves, resizes or renames an area. With strict approvals this takes a member with approval rights, because rules and journeys that use it mean something else afterwards.',
      params: FenceParams,
      body: Type.Partial(FenceBody),
      out: Ok(FenceSchema),
      refuses: ['APPROVAL_NEEDED'],
    }),
    async (request) => {
      const { workspaceId } = memberCaller(request)
      const { id } = await queries.getGeofence(ctx.db, workspaceId, request.params.id)
      return ok(presentFence(await changeGeofence(ctx, actorOf(request), id, objectBody(request))))
    },
  )
  app.delete(
    '/geofences/:id',
    route({
      id: 'deleteGeofence',
      auth: 'member',
      permission: 'segments:write',
      summary: 'Delete a geofence, with its crossings',
      description:
        'Deletes the area and every crossing of it that is stored. With strict approvals this takes a member with approval rights.',
      params: FenceParams,
      out: Deleted,
      refuses: ['APPROVAL_NEEDED'],
    }),
    async (request) => {
      await removeGeofence(ctx, actorOf(request), request.params.id)
      return ok({ deleted: true as const })
    },
  )
}

function presentFence({ id, name, latitude, longitude, radius_meters, created_at, updated_at }: GeofenceRow) {
  return { id, name, latitude, longitude, radiusMeters: radius_meters, createdAt: created_at, updatedAt: updated_at }
}

export const routes: ModuleRoutes<{ ctx: Context }> = {
  client: (app, { ctx }) => locationRoutes(app, ctx),
  management: (app, { ctx }) => geofenceRoutes(app, ctx),
}
