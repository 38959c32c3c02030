import { CHANNEL_TYPES } from '@contentflow/core/channels/channel.ts'
import { PUSH_PROVIDERS } from '@contentflow/core/channels/push-size.ts'
import { MESSAGE_MEMBERS } from '@contentflow/core/messages/content.ts'
import { Nullable, Shaped, TimeText, Type, WhatsappTemplateSchema } from '../../http/schema.ts'
import type { Preview, Sample } from './preview.ts'

const SampleSchema = Type.Object({
  locale: Type.String(),
  userId: Nullable(Type.String({ description: 'Whose it is; null of somebody anonymous' })),
  title: Type.String(),
  body: Type.String(),
  html: Type.Optional(Type.String({ description: 'Of an email' })),
  imageUrl: Type.Optional(Type.String()),
  button: Type.Optional(Type.Object({ label: Type.String(), url: Type.String() })),
  template: Type.Optional(WhatsappTemplateSchema),
})
export const SendingFaultSchema = Type.Union([
  Type.Object(
    {
      code: Type.Literal('relative_link'),
      channel: Type.Enum([...CHANNEL_TYPES]),
      locale: Type.String(),
      member: Type.Enum([...MESSAGE_MEMBERS]),
    },
    { description: 'A path, and no web address of the workspace that it would begin with' },
  ),
  Type.Object(
    {
      code: Type.Literal('push_too_large'),
      provider: Type.Enum([...PUSH_PROVIDERS]),
      locale: Type.String(),
      bytes: Type.Integer({ description: 'At least, without the values of tokens' }),
      most: Type.Integer(),
    },
    { description: 'This provider takes no push message of that size' },
  ),
  Type.Object(
    { code: Type.Literal('public_url_missing') },
    { description: 'CF_PUBLIC_URL is not set, so unsubscribe links lead to where the approval came from, or there are none' },
  ),
])
type Shown = { hasProvider: boolean; reachable: number; skipped: Record<string, number>; samples: Sample[] }
export const PreviewSchema = Type.Object({
  audience: Type.Integer({ description: 'People in the segments' }),
  heldUntil: Nullable(TimeText),
  warnings: Type.Array(SendingFaultSchema, { description: 'What arrives nowhere, or incomplete, whoever it goes to' }),
  channels: Shaped<Record<string, Shown>>(
    Type.Record(
      Type.String(),
      Type.Object({
        hasProvider: Type.Boolean(),
        reachable: Type.Integer(),
        skipped: Type.Record(Type.String(), Type.Integer()),
        samples: Type.Array(SampleSchema),
      }),
    ),
  ),
})

export function presentPreview({ audience, heldUntil, channels, warnings }: Preview) {
  const shown = [...channels].map(([channel, { skipped, ...rest }]) => [channel, { ...rest, skipped: Object.fromEntries(skipped) }])
  return {
    audience,
    heldUntil: heldUntil?.toISOString() ?? null,
    warnings: [...warnings],
    channels: Object.fromEntries(shown) as Record<string, Shown>,
  }
}
