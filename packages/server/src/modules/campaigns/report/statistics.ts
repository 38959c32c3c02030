/** What the variants of a campaign teach. */
import { compareGroups, rateOf } from '@contentflow/core/campaigns/statistics.ts'
import { sampleRatioOf } from '@contentflow/core/experiments/sample-ratio.ts'
import type { VariantShare } from '@contentflow/core/experiments/sequential.ts'
import type { Context } from '../../../context.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { listCampaignCounts, type CampaignCounts } from '../../analytics/index.ts'
import { compareControl } from './compare-control.ts'
import type { Statistics } from './present-statistics.ts'
import type { StoredCampaign } from '../queries.ts'

/** Read from counts of few rows, which follow the events by some seconds. */
export async function readStatistics(
  { db }: Context,
  workspaceId: string,
  { id, content, controlPercent: percent }: StoredCampaign,
  environment: Environment,
): Promise<Statistics> {
  const counts = await listCampaignCounts(db, workspaceId, id, environment)
  const byVariant = [...Map.groupBy(counts, ({ variantId }) => variantId)].map(([variantId, rows]) => ({ variantId, ...sumOf(rows) }))
  const compare = (done: 'clicked' | 'converted') => {
    const groups = byVariant.map((group) => ({ id: group.variantId, seen: group.seen, done: group[done] }))
    return compareGroups(groups.filter((group) => group.id !== ''))
  }
  const controlGroup = percent && (await compareControl(db, workspaceId, { id, percent }, environment))
  return {
    campaignId: id,
    environment,
    total: numbersOf(sumOf(counts)),
    variants: byVariant.map(({ variantId, ...sums }) => ({ variantId: variantId || null, ...numbersOf(sums) })),
    languages: counts.map(({ variantId, locale, ...sums }) => ({
      variantId: variantId || null,
      locale: locale || null,
      ...numbersOf(sums),
    })),
    clicks: compare('clicked'),
    conversions: compare('converted'),
    ...sampleRatioIn(content, counts),
    ...(controlGroup && { controlGroup }),
  }
}

/** Each language has weights of its own, so what is expected of a variant is the sum over the languages. */
function sampleRatioIn(content: StoredCampaign['content'], counts: readonly CampaignCounts[]): Pick<Statistics, 'sampleRatio'> {
  const expected = new Map<string, number>()
  const seen = new Map<string, number>()
  for (const [locale, { variants = [] }] of Object.entries(content)) {
    const rows = counts.filter((row) => row.locale === locale && variants.some(({ id }) => id === row.variantId))
    const devices = rows.reduce((sum, row) => sum + row.seen, 0)
    const weights = variants.reduce((sum, { weight }) => sum + weight, 0)
    for (const { id, weight } of variants) expected.set(id, (expected.get(id) ?? 0) + (devices * weight) / weights)
    for (const row of rows) seen.set(row.variantId, (seen.get(row.variantId) ?? 0) + row.seen)
  }
  const groups = [...expected].map(([variantId, wanted]) => ({ variantId, seen: seen.get(variantId) ?? 0, expected: wanted }))
  const found = sampleRatioOf(groups)
  return found ? { sampleRatio: { ...found, groups } } : {}
}

type Sums = Omit<CampaignCounts, 'variantId' | 'locale'>

function sumOf(rows: readonly Sums[]): Sums {
  const sum = (name: keyof Sums) => rows.reduce((all, row) => all + row[name], 0)
  return { seen: sum('seen'), clicked: sum('clicked'), converted: sum('converted') }
}

function numbersOf(sums: Sums) {
  const { seen, clicked, converted } = sums
  const rate = (done: VariantShare['done']) => rateOf({ seen, done }) ?? null
  return { seen, clicked, converted, clickRate: rate(clicked), conversionRate: rate(converted) }
}
