import type { FastifyReply, FastifyRequest } from 'fastify'
import { readEvents } from '@contentflow/core/events/read-events.ts'
import { LIMITS } from '@contentflow/core/limits.ts'
import type { Context } from '../../context.ts'
import { fail, failWith } from '../../errors.ts'
import { appCaller } from '../../http/callers/auth.ts'
import { objectBody } from '../../http/bodies/body.ts'
import { replacedTextsOf } from '../../http/bodies/replaced-texts.ts'
import { deviceIdOf } from '../../http/callers/device-id.ts'
import { ok } from '../../http/answers/envelope.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { Ok, ReplacedTexts, Type } from '../../http/schema.ts'
import { readDeviceState } from '../people/index.ts'
import type { EventIngest } from './ingest.ts'
import type { Room } from './room.ts'
import { eventReadRoutes, newestEventsRoute } from './routes-read.ts'

const route = routeIn('Events')

const Name = Type.Optional(Type.String({ maxLength: LIMITS.eventNameLength }))
const Event = Type.Object({
  type: Type.String({
    minLength: 1,
    maxLength: LIMITS.eventNameLength,
    description:
      'impression; click, banner_click, cta_click; dismiss; purchase, conversion; string_impression, string_interaction; or any other of your own',
  }),
  eventId: Type.Optional(
    Type.String({
      maxLength: LIMITS.eventIdLength,
      description: `An id of this event, unique on the device: sent again within ${LIMITS.eventIdDays} days it counts as accepted and is stored once`,
    }),
  ),
  blockKey: Name,
  instanceId: Name,
  campaignId: Name,
  screen: Name,
  stringKey: Type.Optional(Type.String({ maxLength: LIMITS.eventNameLength, description: 'Of a string signal; `key` says the same' })),
  value: Type.Optional(Type.Number()),
  currency: Name,
  properties: Type.Optional(
    Type.Object(
      {},
      {
        description: `At most ${LIMITS.eventProperties}, each of at most ${LIMITS.eventPropertyBytes} bytes, all together ${LIMITS.eventPropertiesBytes}; an event with more is dropped`,
      },
    ),
  ),
  timestamp: Type.Optional(Type.Unknown({ description: "ISO 8601 or milliseconds, by the device's clock; counted is when it arrived" })),
})
const EventsBody = Type.Object(
  {
    events: Type.Array(Event, { maxItems: LIMITS.eventsPerBatch }),
    context: Type.Optional(Type.Object({ sessionId: Type.Optional(Type.String()), platform: Type.Optional(Type.String()) })),
  },
  { examples: [{ events: [{ type: 'impression', blockKey: 'promo', screen: 'home' }], context: { sessionId: 's-1', platform: 'ios' } }] },
)
const TakenSchema = Type.Object({
  accepted: Type.Integer(),
  dropped: Type.Integer(),
  dropReasons: Type.Record(Type.String(), Type.Integer(), {
    description:
      'feature_disabled, device_not_identified, consent_not_granted, invalid_string_signal, sensor_not_enabled, properties_too_large',
  }),
  syncAfterMs: Type.Optional(
    Type.Integer({
      description:
        'Rules of a segment ask about these events: after so many milliseconds `/sync` has what the person gets because of them. Left out where none does, or where this process does not know yet',
    }),
  ),
  replacedTexts: ReplacedTexts,
})
const DeviceHeaders = Type.Object({
  'x-cf-device': Type.Optional(Type.String({ description: 'The installation; or deviceId in the body' })),
})

/** C-EVT. */
function eventRoutes(app: Routes, ctx: Context, ingest: EventIngest): void {
  app.post(
    '/events',
    {
      ...route({
        id: 'recordEvents',
        auth: 'app',
        isBatched: true,
        summary: 'What happened on a device',
        description:
          'Stores a batch of events of one installation and is answered when they are stored. Events that cannot be counted, for lack of consent, of an identity or because of their size, are dropped and counted by reason. An `eventId` makes repeating a batch safe. 503 with Retry-After comes when more arrives than can be stored: send the batch again.',
        headers: DeviceHeaders,
        body: EventsBody,
        out: { 202: Ok(TakenSchema) },
        refuses: ['ENDPOINT_MISMATCH', 'MAX_BATCH_SIZE', 'DEVICE_ENVIRONMENT_MISMATCH'],
      }),
      ...boundLoad(ingest.room),
    },
    async (request, reply) => {
      const caller = appCaller(request)
      const deviceId = deviceIdOf(request)
      const batch = readEvents(objectBody(request), ctx.clock.ms())
      if (!batch.ok) {
        // Of the other environment comes before anything about the body (G-21).
        await readDeviceState(ctx.db, caller, deviceId, ctx.clock.now())
        const { code, message } = batch.error
        return code === undefined ? failWith(400, message) : fail(code, { message })
      }
      return reply.code(202).send(ok({ ...(await ingest.store(caller, deviceId, batch.value)), ...replacedTextsOf(request) }))
    },
  )
}

/**
 * Refuses what would not fit into memory, before its body is read. What counts are bodies that have arrived and wait to
 * be stored: one that was only announced costs nothing, and must not keep others out.
 */
function boundLoad(room: Room) {
  return {
    onRequest: (_request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
      if (room.isFull()) fail('UPSTREAM_UNAVAILABLE', { retryAfter: 1 })
      done()
    },
    preValidation: (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
      room.enter(request, Number(request.headers['content-length'] ?? LIMITS.clientBodyBytes))
      done()
    },
    onSend: (request: FastifyRequest, _reply: FastifyReply, payload: unknown, done: (error: null, payload: unknown) => void) => {
      room.leave(request)
      done(null, payload)
    },
  }
}

export const routes: ModuleRoutes<{ ctx: Context; ingest: EventIngest }> = {
  client: (app, { ctx, ingest }) => eventRoutes(app, ctx, ingest),
  management: (app, { ctx }) => {
    newestEventsRoute(app, ctx)
    eventReadRoutes(app, ctx)
  },
}
