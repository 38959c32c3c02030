/** What the variants of a campaign teach. */
import { compareGroups, rateOf, type VariantShare } from '@contentflow/core/campaigns/statistics.ts'
import type { Context } from '../../../context.ts'
import type { Environment } from '../../../infra/signals/signals.ts'
import { listCampaignCounts, type CampaignCounts } from '../../analytics/index.ts'
import { compareControl } from './compare-control.ts'
import type { Statistics } from './present-statistics.ts'
import type { StoredCampaign } from '../queries.ts'

const RUNNING: ReadonlySet<string> = new Set(['active', 'test', 'paused'])

/** Read from counts of few rows, which follow the events by some seconds. */
export async function readStatistics(
  { db }: Context,
  workspaceId: string,
  { id, status, controlPercent: percent }: StoredCampaign,
  environment: Environment,
): Promise<Statistics> {
  const counts = await listCampaignCounts(db, workspaceId, id, environment)
  const byVariant = [...Map.groupBy(counts, ({ variantId }) => variantId)].map(([variantId, rows]) => ({ variantId, ...sumOf(rows) }))
  const isRunning = RUNNING.has(status)
  const compare = (done: 'clicked' | 'converted') => {
    const groups = byVariant.map((group) => ({ id: group.variantId, seen: group.seen, done: group[done] }))
    return compareGroups(
      groups.filter((group) => group.id !== ''),
      isRunning,
    )
  }
  const controlGroup = percent && (await compareControl(db, workspaceId, { id, percent, isRunning }, environment))
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
    ...(controlGroup && { controlGroup }),
  }
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
