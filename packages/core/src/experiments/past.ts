/**
 * What somebody did before they were exposed, from the history that rules on events are judged by: for metrics that days of
 * people do not count one by one (`pastOf`). Whatever is read here was there before the exposure, so no variant has a share in it.
 */
import { lengthOf, type EventLeaf } from '../behaviour/did.ts'
import { historyIn, type Histories, type History } from '../behaviour/history.ts'
import { trackLeaf } from '../behaviour/tracker.ts'
import { HOUR_MS } from '../units.ts'
import { MOST_BEFORE } from './cuped.ts'
import { pastOf, typesOf, type ExperimentSubject, type Metric } from './metric.ts'

/** As far back as days of people are read. */
const WITHIN = { days: 90 }

/** What the history has to keep for this metric, as leaves of rules: one for each type of events that counts. None: days of people say it. */
export function pastLeavesOf(metric: Metric, subject: ExperimentSubject): EventLeaf[] {
  if (pastOf(metric) !== undefined) return []
  const { where, of } = metric
  return typesOf(metric, subject).map((type) => ({
    field: `events.${type}`,
    operator: 'did',
    value: {
      within: WITHIN,
      ...(where && { where }),
      // As many moments are kept as can be.
      ...(of === 'value'
        ? { sum: { property: 'value', operator: 'greater_than', value: 0 } }
        : { count: { operator: 'greater_than_or_equal', value: 100 } }),
    },
  }))
}

/** How often they did it, or what it was worth, in the 90 days before `at`; milliseconds. Whoever has no history has no past. */
export function pastIn(leaves: readonly EventLeaf[], histories: Histories | undefined, at: number): number {
  const sum = leaves.reduce((all, leaf) => {
    const history = historyIn(histories, trackLeaf(leaf).tracker)
    return history ? all + (leaf.operator === 'did' && leaf.value.sum ? valueBefore(history, at) : countBefore(history, at)) : all
  }, 0)
  return Math.max(-MOST_BEFORE, Math.min(MOST_BEFORE, sum))
}

const isPast = (moment: number, at: number): boolean => moment < at && moment > at - lengthOf(WITHIN)

const countBefore = ({ a }: History, at: number): number => a.filter((moment) => isPast(moment, at)).length

/** What is kept by the hour counts when the whole hour is before. */
function valueBefore({ a, v, h }: History, at: number): number {
  const newest = a.reduce((sum, moment, index) => (isPast(moment, at) ? sum + (v?.[index] ?? 0) : sum), 0)
  return Object.entries(h ?? {}).reduce((sum, [hour, value]) => (isPast(Number(hour) + HOUR_MS, at + 1) ? sum + value : sum), newest)
}
