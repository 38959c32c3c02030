import { useFormat } from '../../format.ts'
import type { ListedExperiment, Metric } from './api.ts'
import { useTexts } from './texts.ts'

/** What an experiment says, in one or two short sentences; harm before any winner. */
export function useSays(): (experiment: ListedExperiment) => string {
  const t = useTexts()
  const format = useFormat()
  return ({ state, verdict, isMismatch, harmed, missing, days }) => {
    if (state === 'planned') return t('saysPlanned')
    if (isMismatch) return t('saysMismatch')
    if (harmed.length > 0 && verdict.kind !== 'too_few') return t('saysHarmed', { best: verdict.best, events: format.list(harmed) })
    if (verdict.kind === 'clear') return t('saysClear', { best: verdict.best, than: verdict.than })
    const needs = missing ? [t('saysNeeds', { more: format.number(missing) })] : []
    const lasts = days ? [t('saysDays', { count: days, number: format.number(days) })] : []
    return [t(verdict.kind === 'open' ? 'saysOpen' : 'saysFew'), ...needs, ...lasts].join(' ')
  }
}

/** The metric in words, such as "devices with click within 7 days". */
export function useGoal(): (metric: Metric) => string {
  const t = useTexts()
  const format = useFormat()
  return ({ event, where, of, days }) => t(`goal_${of}`, { event: where ? t('narrowed', { event }) : event, days: format.number(days) })
}

/** A mean or a difference of means: shares of a hundred, other numbers with two digits behind the point. */
export function useAmount({ of }: Pick<Metric, 'of'>): (value: number) => string {
  const format = useFormat()
  return (value) => (of === 'people' ? format.percent(value) : format.number(Math.round(value * 100) / 100))
}
