import { KEYWORDS } from '@contentflow/core/messages/inbound.ts'
import { Nullable, Time, Type } from '../../../http/schema.ts'

export const InboundSchema = Type.Object({
  id: Type.String(),
  userId: Nullable(Type.String()),
  deviceId: Nullable(Type.String({ description: 'Of an anonymous person' })),
  channel: Type.Enum(['sms', 'whatsapp']),
  keyword: Nullable(Type.Enum([...KEYWORDS], { description: 'stop withdrew the consent to the channel; start took a stop back' })),
  body: Type.String({ description: 'At most 1,600 characters' }),
  at: Time,
})
