/** HOT PATH. POST /campaigns: from memory, written past the framework (C-CAMP). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pickLocale } from '@contentflow/core/locale/pick-locale.ts'
import type { Context } from '../../context.ts'
import { failWith } from '../../errors.ts'
import { appCaller } from '../../http/auth.ts'
import { BODY_BYTES } from '../../http/body-bytes.ts'
import { sentBody } from '../../http/body.ts'
import { clientHeaders, withRate } from '../../http/client-headers.ts'
import { readDeviceHeader } from '../../http/device-id.ts'
import type { Routes } from '../../http/routes.ts'
import { Nullable, Ok, Type } from '../../http/schema.ts'
import type { Reading } from './reading.ts'

const Free = Type.Optional(Type.Object({}, { additionalProperties: true }))
const ContextBody = Type.Object(
  {
    placementId: Type.Optional(Nullable(Type.String({ description: 'Only campaigns for this placement' }))),
    deviceId: Type.Optional(Nullable(Type.String({ description: 'As X-CF-Device, which wins' }))),
    userId: Type.Optional(Type.Unknown({ description: 'Grants nothing: whose device it is decides' })),
    segments: Type.Optional(Type.Unknown({ description: 'Ignored: membership is known here' })),
    attributes: Free,
    deviceInfo: Free,
    location: Free,
    context: Free,
  },
  { additionalProperties: true, examples: [{ placementId: 'home' }] },
)
const Item = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.String(),
    priority: Type.Integer(),
    placementId: Nullable(Type.String()),
    content: Type.Object({}, { additionalProperties: true }),
    variantId: Type.Optional(Type.String()),
    startTime: Type.String(),
    endTime: Nullable(Type.String()),
    source: Type.Literal('campaign'),
  },
  { additionalProperties: true },
)
const Metadata = Type.Object({
  tenantId: Type.String(),
  userId: Nullable(Type.String()),
  campaignCount: Type.Integer(),
  feature: Type.Optional(Type.Literal('campaigns')),
  reason: Type.Optional(Type.Literal('feature_disabled')),
})
/** C-CAMP-08: quoted by the documents. */
const NO_OBJECT = 'Campaign context must be a JSON object'
const OFF = { feature: 'campaigns', reason: 'feature_disabled' }

export function campaignRoutes(app: Routes, ctx: Context, reading: Reading): void {
  app.post(
    '/campaigns',
    {
      config: { auth: 'app', isRead: true },
      bodyLimit: BODY_BYTES.campaignContext,
      schema: {
        tags: ['Delivery'],
        summary: 'Campaigns for this device and placement, the most important first',
        headers: Type.Object({ 'x-cf-device': Type.Optional(Type.String()), 'accept-language': Type.Optional(Type.String()) }),
        body: ContextBody,
        response: { 200: Type.Object({ ...Ok(Type.Array(Item)).properties, metadata: Metadata }) },
      },
    },
    (request, reply) => answer(ctx, reading, request, reply),
  )
}

async function answer({ clock, metrics }: Context, reading: Reading, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const caller = appCaller(request)
  const { placementId, deviceId } = readContext(sentBody(request))
  const { snapshot, device } = await reading.loadCampaigns(caller, readDeviceHeader(request.headers) || deviceId)
  const tag = pickLocale(undefined, request.headers['accept-language'], snapshot.sourceLocale)
  const { environment } = caller
  const { userId, count, text } = reading.campaigns.answer(snapshot, device, { environment, tag, placementId, now: clock.ms() })
  const metadata = { tenantId: caller.ownerId, userId, campaignCount: count, ...(!snapshot.features.campaigns && OFF) }
  const body = Buffer.from(`{"success":true,"data":[${text}],"metadata":${JSON.stringify(metadata)}}`)
  const headers = [
    'content-type',
    'application/json; charset=utf-8',
    'content-length',
    String(body.length),
    'cache-control',
    'private, no-cache',
  ]
  reply.hijack()
  reply.raw.writeHead(200, withRate([...headers, ...clientHeaders(environment)], request.rate)).end(body)
  const tally = metrics.request('POST', '/sdk/v1/campaigns', 200)
  tally.count++
  tally.took.note(performance.now() - request.began)
}

/** Of a body that may hold anything, what the answer depends on. */
function readContext(body: unknown): { placementId: string | undefined; deviceId: string | undefined } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) failWith(400, NO_OBJECT)
  const { placementId, deviceId } = body as Record<string, unknown>
  for (const [name, value] of Object.entries({ placementId, deviceId }))
    if (value !== undefined && value !== null && typeof value !== 'string') failWith(400, `${name} must be a text`)
  return { placementId: (placementId as string | null) ?? undefined, deviceId: (deviceId as string | null) ?? undefined }
}
