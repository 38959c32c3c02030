import { Nullable, SendingFaultSchema, Shaped, TimeText, Type, WhatsappTemplateSchema } from '../../http/schema.ts'
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
type ChannelPreview = { hasProvider: boolean; reachable: number; skipped: Record<string, number>; samples: Sample[] }
export const PreviewSchema = Type.Object({
  audience: Type.Integer({ description: 'People in the segments' }),
  heldUntil: Nullable(TimeText),
  warnings: Type.Array(SendingFaultSchema, { description: 'What arrives nowhere, or incomplete, whoever it goes to' }),
  channels: Shaped<Record<string, ChannelPreview>>(
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
    channels: Object.fromEntries(shown) as Record<string, ChannelPreview>,
  }
}
