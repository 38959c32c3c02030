import { Nullable, RateSchema, Type, VerdictSchema, type Static } from '../../../http/schema.ts'

export const StatisticsQuery = Type.Object({
  environment: Type.Optional(Type.Enum(['live', 'test'], { default: 'live', description: 'Of whose events' })),
})
const Numbers = {
  seen: Type.Integer({ description: 'Devices whose events name the campaign' }),
  clicked: Type.Integer({ description: 'Those of them that clicked, each once' }),
  converted: Type.Integer(),
  clickRate: RateSchema,
  conversionRate: RateSchema,
}
const SampleRatioSchema = Type.Object(
  {
    p: Type.Number({ description: 'How likely such sizes are by chance (chi-square test)' }),
    isMismatch: Type.Boolean({ description: 'p is below 0.001: something but the variants differs, and no verdict is to be believed' }),
    groups: Type.Array(Type.Object({ variantId: Type.String(), seen: Type.Integer(), expected: Type.Number() })),
  },
  { description: 'Whether the variants were seen as often as their weights say; only with 500 devices or more' },
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
  sampleRatio: Type.Optional(SampleRatioSchema),
  controlGroup: Type.Optional(ControlSchema),
})
export type Statistics = Static<typeof StatisticsSchema>
