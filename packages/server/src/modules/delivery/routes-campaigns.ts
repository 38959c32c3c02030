/** POST /campaigns, the long way: what the fast lane has not answered (C-CAMP). */
import { namedUser } from '@contentflow/core/identity-proof/client-routes.ts'
import { failWith } from '../../errors.ts'
import { appCaller } from '../../http/callers/auth.ts'
import { sentBody } from '../../http/bodies/body.ts'
import { readDeviceHeader } from '../../http/callers/device-id.ts'
import { DeviceHeader, LanguageHeader } from '../../http/params.ts'
import { routeIn, type Routes } from '../../http/routes.ts'
import { Nullable, Ok, Type } from '../../http/schema.ts'
import type { Delivery } from './open-delivery.ts'

const route = routeIn('Delivery')

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

export function campaignRoutes(app: Routes, { reading, turns }: Delivery): void {
  app.post(
    '/campaigns',
    route({
      id: 'listDeliveredCampaigns',
      auth: 'app',
      isRead: true,
      noJson: NO_OBJECT,
      summary: 'Campaigns for this device and placement, the most important first',
      description:
        'Answers the campaigns that are live now for the person on this device, the most important first, with their content in the language asked for. `placementId` narrows it to one place of the app. Nothing is stored. A workspace with campaigns switched off answers an empty list whose metadata says `feature_disabled`.',
      headers: Type.Object({ 'x-cf-device': DeviceHeader, 'accept-language': LanguageHeader }),
      body: ContextBody,
      out: Type.Object({ ...Ok(Type.Array(Item)).properties, metadata: Metadata }),
    }),
    async (request, reply) => {
      const caller = appCaller(request)
      const { placementId, deviceId } = readContext(sentBody(request))
      const ready = await reading.loadCampaigns(caller, readDeviceHeader(request.headers) || deviceId)
      const acceptLanguage = request.headers['accept-language']
      await turns.takeLate(request.raw, reply.raw, () => {
        const { rate, began } = request
        reading.writeCampaigns({ request: request.raw, response: reply.raw, caller, rate, began }, ready, { placementId, acceptLanguage })
        reply.hijack()
      })
    },
  )
}

/** What the answer depends on, besides the caller. */
export type CampaignContext = { placementId: string | undefined; deviceId: string | undefined; namesUser: boolean }

/** Reads a body that may hold anything; 400 when it is no object, or a member is no text. */
export function readContext(body: unknown): CampaignContext {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) failWith(400, NO_OBJECT)
  const { placementId, deviceId } = body as Record<string, unknown>
  for (const [name, value] of Object.entries({ placementId, deviceId }))
    if (value !== undefined && value !== null && typeof value !== 'string') failWith(400, `${name} must be a text`)
  const namesUser = namedUser(body) !== undefined
  return { placementId: (placementId as string | null) ?? undefined, deviceId: (deviceId as string | null) ?? undefined, namesUser }
}
