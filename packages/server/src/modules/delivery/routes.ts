/** HOT PATH. GET /sync, GET /blocks/{key} and GET /stream; finished bytes are written past the framework. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LIMITS } from '@contentflow/core/limits.ts'
import { appCaller } from '../../http/callers/auth.ts'
import { clientHeaders, withRate } from '../../http/callers/client-headers.ts'
import { readDeviceHeader } from '../../http/callers/device-id.ts'
import { isHead } from '../../http/node-server.ts'
import { pathOf, BLOCK_KEY, DeviceHeader, LanguageHeader, KnownTag } from '../../http/params.ts'
import { routeIn, type ModuleRoutes, type Routes } from '../../http/routes.ts'
import { Ok, Type } from '../../http/schema.ts'
import { campaignRoutes } from './routes-campaigns.ts'
import type { Delivery } from './open-delivery.ts'
import type { ReadyDelivery } from './answers/reading.ts'

const Block = Type.Object(
  {
    key: Type.String(),
    name: Type.String(),
    screen: Type.String(),
    instanceId: Type.String(),
    segment: Type.Optional(Type.String()),
    version: Type.Integer(),
    values: Type.Record(Type.String(), Type.Unknown()),
    fields: Type.Array(Type.Object({ tag: Type.String(), type: Type.String() }, { additionalProperties: true })),
    visible: Type.Literal(true),
    designType: Type.Optional(Type.String()),
    frequency: Type.Optional(Type.Object({ per: Type.String(), max: Type.Integer() })),
    source: Type.Optional(Type.Enum(['campaign', 'journey'], { description: 'Of an in-app message, whose key is journey_message' })),
    campaignId: Type.Optional(Type.String()),
    journeyId: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
)
const Hidden = Type.Object({ key: Type.String(), visible: Type.Literal(false), version: Type.String() }, { title: 'HiddenBlock' })
const Config = Type.Object({
  features: Type.Record(Type.String(), Type.Boolean()),
  pollIntervalSeconds: Type.Integer(),
  popupDefaultFrequency: Type.Object({ per: Type.String(), max: Type.Integer() }),
})
const LocaleQuery = Type.Object({
  locale: Type.Optional(Type.String({ description: 'The language of the texts; Accept-Language counts without it', examples: ['ar'] })),
})
const ReadHeaders = Type.Object({
  'x-cf-device': DeviceHeader,
  'accept-language': LanguageHeader,
  'if-none-match': KnownTag,
})

function deliveryRoutes(app: Routes, delivery: Delivery): void {
  const route = routeIn('Delivery')
  app.get(
    '/sync',
    route({
      id: 'syncContent',
      auth: 'app',
      summary: 'Every block for this device; what is absent is no longer published',
      description:
        'Answers all published content of this environment at once: for each block type the instance that this device gets, chosen by schedule, segments, consent and variant, in the language asked for. Replace everything you had by it, because what is absent is no longer published. A device that is not known, or did not agree to analytics, gets what is for everyone. Without a database the last known answer is given again.',
      sends: ['ETag', 'X-CF-Last-Event-ID'],
      query: LocaleQuery,
      headers: ReadHeaders,
      out: { 200: Ok(Type.Object({ blocks: Type.Array(Block), config: Config })), 304: Type.Null() },
    }),
    handleReading(delivery),
  )
  app.get(
    '/blocks/:key',
    route({
      id: 'getDeliveredBlock',
      auth: 'app',
      summary: 'One block type for this device: its first instance and all of them, or the hidden form',
      description:
        'Answers one block type as this device gets it, with all of its instances in the order of delivery under `instances`. A type of which nothing is published for this device is answered 200 with `visible: false`, so that the app hides the block; a key that no block type has is 404.',
      sends: ['ETag'],
      params: pathOf({ key: BLOCK_KEY }),
      query: LocaleQuery,
      headers: ReadHeaders,
      out: {
        200: Ok(Type.Union([Type.Intersect([Block, Type.Object({ instances: Type.Array(Block) })]), Hidden])),
        304: Type.Null(),
      },
    }),
    handleReading(delivery),
  )
  streamRoute(app, delivery)
}

/** The long way, after the framework's guards. */
function handleReading({ reading, turns }: Delivery) {
  return (request: FastifyRequest<{ Params: { key?: string }; Querystring: { locale?: string } }>, reply: FastifyReply): Promise<void> => {
    const caller = appCaller(request)
    const { key } = request.params
    const header = readDeviceHeader(request.headers)
    const write = (ready: ReadyDelivery) =>
      turns.takeLate(request.raw, reply.raw, () => {
        const { rate, began } = request
        reading.write({ request: request.raw, response: reply.raw, caller, rate, began }, ready, firstOf(request.query.locale))
        // Not earlier: errors up to here are answered by the framework.
        reply.hijack()
      })
    const ready = reading.ready(caller, header, key)
    return ready ? write(ready) : reading.load(caller, header, key).then(write)
  }
}

/** A member that is sent twice arrives as a list, whatever the schema says: queries of reads are not checked. */
function firstOf(member: string | string[] | undefined): string | undefined {
  return Array.isArray(member) ? member[0] : member
}

function streamRoute(app: Routes, { hub }: Delivery): void {
  const KeyQuery = Type.Object({
    key: Type.Optional(Type.String({ description: 'For EventSource, which cannot send headers; a header key wins' })),
    device: Type.Optional(Type.String({ description: 'As X-CF-Device, for EventSource; the header wins' })),
  })
  const Headers = Type.Object({
    'last-event-id': Type.Optional(
      Type.String({ description: 'The id of the last event that came, as EventSource sends it when it connects again' }),
    ),
    'x-cf-device': Type.Optional(Type.String({ description: 'The installation: its stream is told inbox.updated as well' })),
  })
  const stream = {
    description:
      'Server-sent events: block.published, block.updated, block.unpublished, block.archived, message.updated, config.updated; with X-CF-Device also inbox.updated. Each means: read again.',
    content: { 'text/event-stream': { schema: Type.String({ examples: ['id: 7\nevent: block.published\ndata: {}\n\n'] }) } },
  }
  app.get(
    '/stream',
    routeIn('Delivery')({
      id: 'openStream',
      auth: 'stream',
      summary: 'Change signals',
      description:
        'Keeps a connection open and says when something changed; the data itself is read again from /sync or /strings. EventSource sends no headers, so this route alone takes the key as `?key=`. Send Last-Event-ID to be told at once when something changed while you were away. Where no more streams fit it answers 503 with Retry-After; go on with /sync meanwhile.',
      query: KeyQuery,
      headers: Headers,
      out: stream,
    }),
    (request, reply) => {
      const caller = appCaller(request)
      const isOpened = !isHead(request.raw)
      if (isOpened) hub.admit(request.raw, reply.raw, caller)
      const key = request.headers['x-cf-key'] ?? request.headers['x-api-key'] ?? request.query.key
      reply.hijack()
      const headers = [
        'content-type',
        'text/event-stream; charset=utf-8',
        'cache-control',
        'no-cache',
        'x-accel-buffering',
        'no',
        ...clientHeaders(caller.environment),
      ]
      reply.raw.writeHead(200, withRate(headers, request.rate))
      if (!isOpened) {
        reply.raw.end()
        return
      }
      const named = readDeviceHeader(request.headers) || firstOf(request.query.device) || undefined
      const deviceId = named !== undefined && named.length <= LIMITS.deviceIdLength ? named : undefined
      hub.open(reply.raw, String(key), caller, { lastEventId: request.headers['last-event-id'], deviceId })
    },
  )
}

export const routes: ModuleRoutes<{ delivery: Delivery }> = {
  client: (app, { delivery }) => {
    deliveryRoutes(app, delivery)
    campaignRoutes(app, delivery)
  },
}
