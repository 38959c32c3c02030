import type { VariantVerdict } from '@contentflow/core/campaigns/statistics.ts'
import { Nullable, Shaped, Type, type Static } from '../../../http/schema.ts'

export const StatisticsQuery = Type.Object({ environment: Type.Optional(Type.Enum(['live', 'test'], { default: 'live' })) })
const RateSchema = Nullable(
  Type.Object(
    { rate: Type.Number(), low: Type.Number(), high: Type.Number() },
    { description: 'Shares of `seen`, with their 95 % interval' },
  ),
)
const Numbers = {
  seen: Type.Integer({ description: 'Devices whose events name the campaign' }),
  clicked: Type.Integer({ description: 'Those of them that clicked, each once' }),
  converted: Type.Integer(),
  clickRate: RateSchema,
  conversionRate: RateSchema,
}
const VerdictSchema = Shaped<VariantVerdict>(
  Type.Object({
    kind: Type.Enum(['too_few', 'open', 'clear'], {
      description: 'clear: the best variant is better than the next one, not by chance (two-sided test of two proportions, alpha 0.05)',
    }),
    chance: Type.Optional(Type.Number({ description: 'How likely such a difference is by chance alone' })),
    best: Type.Optional(Type.String()),
    than: Type.Optional(Type.String()),
    isEarly: Type.Optional(Type.Boolean({ description: 'It still runs, and one of the two was seen by fewer than 1,000 devices' })),
  }),
)
const Group = Type.Object({ people: Type.Integer(), converted: Type.Integer(), conversionRate: RateSchema })
const ControlSchema = Type.Object(
  {
    percent: Type.Integer({ description: 'Of a hundred people, those who are left out' }),
    reached: Group,
    control: Group,
    conversions: VerdictSchema,
  },
  {
    description:
      'Only of a campaign with a control group: people it came to, and those it left out, each with any conversion since, by the group they fell into first. `best` and `than` are `reached` and `control`',
  },
)
export type ControlGroup = Static<typeof ControlSchema>
const Variant = Type.Object({ variantId: Nullable(Type.String({ description: 'null: the content without a variant' })), ...Numbers })
export const StatisticsSchema = Type.Object({
  campaignId: Type.String(),
  environment: Type.Enum(['live', 'test']),
  total: Type.Object(Numbers),
  variants: Type.Array(Variant),
  languages: Type.Array(
    Type.Object({ ...Variant.properties, locale: Nullable(Type.String({ description: 'null: none that the campaign has' })) }),
  ),
  clicks: VerdictSchema,
  conversions: VerdictSchema,
  controlGroup: Type.Optional(ControlSchema),
})
export type Statistics = Static<typeof StatisticsSchema>
