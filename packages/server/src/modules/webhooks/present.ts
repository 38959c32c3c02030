import { WEBHOOK_EVENTS } from '@contentflow/core/webhooks/events.ts'
import { Nullable, Time, TimeText, Type } from '../../http/schema.ts'

const UrlText = Type.String({ minLength: 1, maxLength: 2_000, description: 'http(s), and public' })
const Events = Type.Array(Type.Enum([...WEBHOOK_EVENTS]), { minItems: 1, maxItems: 50 })
const Description = Type.String({ maxLength: 200 })

export const NewEndpointBody = Type.Object(
  { url: UrlText, events: Events, description: Type.Optional(Description) },
  { examples: [{ url: 'https://shop.example/contentflow', events: ['campaign.approved'], description: 'Chat of the team' }] },
)
export const ChangeEndpointBody = Type.Partial(
  Type.Object({
    url: UrlText,
    events: Events,
    description: Description,
    active: Type.Boolean({ description: 'false: nothing more is sent, and what waits has failed. true: also after it was given up' }),
  }),
)

export const EndpointSchema = Type.Object({
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.Enum([...WEBHOOK_EVENTS])),
  description: Type.String(),
  active: Type.Boolean(),
  failingSince: Nullable(Time),
  givenUpAt: Nullable(Time),
  createdAt: Time,
  updatedAt: Time,
})
export const ShownEndpointSchema = Type.Object({
  ...EndpointSchema.properties,
  secret: Type.String({ description: 'Signs the deliveries; shown now and never again' }),
})

const attempt = {
  at: TimeText,
  ms: Type.Integer({ description: 'How long it took' }),
  status: Nullable(Type.Integer({ description: 'Of the answer; null when there was none' })),
  error: Type.Optional(Type.String()),
}
const delivery = {
  id: Type.String(),
  event: Type.String(),
  status: Type.Enum(['pending', 'delivered', 'failed']),
  nextAttemptAt: Nullable(Time),
  createdAt: Time,
}
export const DeliverySchema = Type.Object({ ...delivery, attempts: Type.Array(Type.Object(attempt)) })
export const DeliveryPageSchema = Type.Object({
  ...delivery,
  request: Type.Object({ body: Type.String({ description: 'The signed bytes' }) }),
  attempts: Type.Array(
    Type.Object({ ...attempt, answer: Type.Optional(Type.String({ description: 'How the body of the answer began' })) }),
  ),
})
